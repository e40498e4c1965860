"""The core imports without site-packages: `wire` to `formats` need the standard library alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
CORE = (
    *("errors", "limits", "wire", "isa", "vocab", "model", "ir"),
    *("programs", "formats", "archives", "analysis"),
)


def core_modules() -> list[str]:
    files = [path for path in (SOURCE / "unshade").rglob("*.py") if path.name != "__main__.py"]
    names = [path.relative_to(SOURCE).with_suffix("").parts for path in sorted(files)]
    core = [name for name in names if len(name) > 1 and name[1] in CORE]
    return [".".join(name).removesuffix(".__init__") for name in core]


@pytest.mark.parametrize("modules", [core_modules()], ids=["all"])
def test_core_needs_no_site_packages(modules: list[str]) -> None:
    assert modules
    program = (
        f"import sys, importlib; sys.path.insert(0, {str(SOURCE)!r})\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(*sorted({'numpy', 'click', 'rich', 'yaml', 'lz4', 'zstandard'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-S", "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []
