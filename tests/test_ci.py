"""The CI script ignores environment variables that change the behaviour of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.corpus import REPOSITORY

SCRIPT = REPOSITORY / ".ci" / "run"

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or not SCRIPT.exists(), reason="needs bash and .ci/run"
)


def exported(tmp_path: Path, **given: str) -> dict[str, str]:
    """Return the environment in which .ci/run starts Python; a stub ends the script there."""
    seen = tmp_path / "seen"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nenv > "{seen}"\nexit 9\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", SCRIPT],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHON": str(python), **given},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 9, done.stderr
    return dict(line.split("=", 1) for line in seen.read_text("utf-8").splitlines())


def test_variables_that_change_python_are_dropped(tmp_path: Path) -> None:
    odd = dict.fromkeys(("PYTHONUNBUFFERED", "PYTHONUTF8", "NO_COLOR", "PYTEST_ADDOPTS"), "1")
    assert not odd.keys() & exported(tmp_path, **odd).keys()


def test_variables_the_script_uses_are_kept(tmp_path: Path) -> None:
    known = {
        "UNSHADE_CORPUS": "/some where",
        "CI_VENV": str(tmp_path / "venv"),
        "PIP_INDEX_URL": "https://example.org/?a=b",
        "https_proxy": "http://example.org:1",
        "npm_config_registry": "https://example.org/",
        "NODE_EXTRA_CA_CERTS": "/some/file",
        "TMPDIR": str(tmp_path),
        "LANG": "C",
    }
    seen = exported(tmp_path, **known)
    assert known.items() <= seen.items()
    assert seen["HOME"] == str(tmp_path)
    assert exported(tmp_path)["LANG"] == "C.UTF-8"
