"""The workflow of a release: what its jobs may do, and the steps that need no service."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.corpus import REPOSITORY
from tools.release_check import DECLARING

WORKFLOW = yaml.safe_load((REPOSITORY / ".github" / "workflows" / "release.yml").read_text("utf-8"))
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]
GH = """#!/bin/sh
printf '%s\\n' "$@" >gh.arguments
"""


def needed(job: str) -> set[str]:
    """Return the jobs that have ended before one begins."""
    names = JOBS[job].get("needs", [])
    direct = {names} if isinstance(names, str) else set(names)
    return direct.union(*(needed(each) for each in direct))


def artifacts(job: str, action: str) -> list[str | None]:
    return [
        step.get("with", {}).get("name")
        for step in JOBS[job]["steps"]
        if step.get("uses", "").startswith(f"actions/{action}-artifact@")
    ]


def test_every_artifact_was_made_before() -> None:
    for job in JOBS:
        made = {name for each in needed(job) for name in artifacts(each, "upload")}
        for name in artifacts(job, "download"):
            assert name in made or (name is None and made == {"dist", "sbom"})


def test_no_job_may_do_more_than_it_does() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    may = {name: each.get("permissions") for name, each in JOBS.items()}
    assert may == {
        "build": None,
        "describe": {"contents": "read", "id-token": "write", "attestations": "write"},
        "publish": {"id-token": "write"},
        "release": {"contents": "write"},
    }
    # The secret of the package index is the workflow's own identity: there is no other.
    assert JOBS["publish"]["environment"] == "release"
    assert "secrets." not in str(WORKFLOW)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="needs a POSIX shell")
def test_the_steps_of_the_release(tmp_path: Path) -> None:
    """They are run in a copy of the checkout, with a changelog that has the version."""
    for name in ("tools", "packaging"):
        shutil.copytree(REPOSITORY / name, tmp_path / name)
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(REPOSITORY / name, tmp_path)
    (tmp_path / DECLARING).parent.mkdir(parents=True)
    shutil.copy(REPOSITORY / DECLARING, tmp_path / DECLARING)
    path = tmp_path / "CHANGELOG.md"
    path.write_text(
        path.read_text("utf-8").replace("[Unreleased]", "[0.1.0] - 2026-11-29"), "utf-8"
    )
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path / "dist"],
        cwd=REPOSITORY, check=True, capture_output=True,
    )  # fmt: skip
    (tmp_path / "sbom").mkdir()
    (tmp_path / "sbom" / "unshade.cdx.json").write_text("{}")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    environment = {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_REF_NAME": "v0.1.0", "GITHUB_REPOSITORY_OWNER": "someone",
    }  # fmt: skip
    for step in (*JOBS["build"]["steps"][2:3], *JOBS["release"]["steps"]):
        if "run" in step:
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
    arguments = (tmp_path / "gh.arguments").read_text().split()
    assert arguments[:4] == ["release", "create", "v0.1.0", "--verify-tag"]
    files = arguments[arguments.index("changes.md") + 1 :]
    assert files == [
        "dist/unshade-0.1.0.tar.gz",
        "sbom/unshade.cdx.json",
        "recipe.yaml",
        "unshade.rb",
    ]
    assert all((tmp_path / each).is_file() for each in files)
    assert (tmp_path / "changes.md").read_text().startswith("The first version")
    assert "someone/unshade/releases" in (tmp_path / "unshade.rb").read_text()
