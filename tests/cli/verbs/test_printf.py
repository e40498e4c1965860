"""Lines of printf on the command line, and in a failing test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.programs.spirv.lower.test_printing import printing
from unshade.cli import main

PRINT = "%p = OpExtInst %void %print 1 %s0 %x"
BIND = ("--groups", "1", "--bind", "source=iota(4)", "--bind", "target=zeros(4)")
LINES = [f"thread ({lane}, 0, 0): x = {lane}" for lane in range(4)]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "print.spv"
    path.write_bytes(printing(PRINT, "x = %u").to_bytes())
    return str(path)


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_run_prints_lines(file: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file, *BIND, "--engine", engine]) == 0
    found = capsys.readouterr()
    assert found.err.splitlines() == LINES
    assert found.out.startswith("target  uint32 (4,)")


def test_plain_data_has_the_lines(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file, *BIND, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [each["text"] for each in data["printed"]] == [f"x = {lane}" for lane in range(4)]
    assert data["printed"][3]["thread"] == [3, 0, 0]
    assert main(["debug", file, *BIND, "--json", "--no-trace"]) == 0
    assert json.loads(capsys.readouterr().out)["printed"] == data["printed"]


def test_debug_shows_a_line_at_its_step(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", file, *BIND, "--thread", "2"]) == 0
    found = capsys.readouterr()
    assert "DebugPrintf" in found.out
    assert "// prints 'x = 2'" in found.out
    assert found.err.splitlines() == LINES


def test_a_format_that_does_not_fit_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "print.spv"
    path.write_bytes(printing(PRINT, "x = %f").to_bytes())
    assert main(["run", str(path), *BIND]) == 0
    message = "printf 'x = %f': %f: expected a float, got uint32"
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(message)
    assert line.startswith("line ")
