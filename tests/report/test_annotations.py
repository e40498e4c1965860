"""Annotations of GitHub Actions: a workflow command for each finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import PHONG, unshade
from tests.examples import EXAMPLES
from unshade.errors import Diagnostic, Severity
from unshade.report.annotations import workflow_commands


def finding(severity: Severity, **more: Any) -> dict[str, Any]:
    found = Diagnostic("tpf.mask", severity, "wrong", offset=4, path="SHDR.x")
    return {**found.to_dict(), **more}


def test_each_finding_is_a_command() -> None:
    documents: list[dict[str, Any]] = [
        {"file": "ok.dxbc", "findings": []},
        {"file": "a.dxbc", "findings": [finding(each) for each in Severity]},
        {"file": "cut.dxbc", "error": {"kind": "FormatError", "message": "7 < 8"}},
    ]
    assert sorted(workflow_commands(documents).splitlines()) == [
        "::error file=a.dxbc,title=tpf.mask::at 0x4: SHDR.x: wrong",
        "::error file=cut.dxbc,title=FormatError::7 < 8",
        "::notice file=a.dxbc,title=tpf.mask::at 0x4: SHDR.x: wrong",
        "::warning file=a.dxbc,title=tpf.mask::at 0x4: SHDR.x: wrong",
    ]


def test_without_a_place_the_message_stands_alone() -> None:
    bare = Diagnostic("budget.bytes", Severity.ERROR, "too many", offset=None, path="")
    document = {"file": "a", "findings": [bare.to_dict()]}
    assert workflow_commands([document]) == "::error file=a,title=budget.bytes::too many\n"


def test_a_finding_of_a_pipeline_belongs_to_its_first_file() -> None:
    places = [{"file": name, "offset": None, "path": ""} for name in ("a.spv", "b.spv")]
    document = {"pipeline": "a, b", "findings": [finding(Severity.ERROR, places=places)]}
    assert workflow_commands([document]).startswith("::error file=a.spv,title=tpf.mask::at 0x4: ")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a,b:c.dxbc", "a%2Cb%3Ac.dxbc"), ("50%.dxbc", "50%25.dxbc"),
        ("a\n::error::b", "a%0A%3A%3Aerror%3A%3Ab"), ("a\x1b[2J", "a\\x1b[2J"),
    ],
)  # fmt: skip
def test_no_name_ends_a_command(name: str, shown: str) -> None:
    error = {"kind": "FormatError", "message": "two\nlines"}
    (line,) = workflow_commands([{"file": name, "error": error}]).splitlines()
    assert line == f"::error file={shown},title=FormatError::two%0Alines"


def test_command(tmp_path: Path) -> None:
    cut = tmp_path / "cut.dxbc"
    cut.write_bytes(PHONG.read_bytes()[:2700])
    ended = unshade("verify", "--format", "github", cut)
    assert ended.code == 3
    assert ended.out.startswith(f"::error file={cut},title=file.malformed::at 0xa44: ")
    ended = unshade("check", "--format", "github", "--max-instructions", "9", PHONG)
    assert ended.code == 1
    assert ended.out == (
        f"::error file={PHONG},title=budget.instructions::expected at most 9 instructions, got 77\n"
    )
    pair = [EXAMPLES / f"clay.{stage}.spv" for stage in ("vert", "frag")]
    assert unshade("check", "--pipeline", "--format", "github", *pair).out == ""
