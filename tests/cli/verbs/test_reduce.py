"""`unshade reduce`: the command, its exit codes, and names that a shell would take apart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import SAXPY
from tests.cli.terminal import unshade as command

pytestmark = pytest.mark.slow
PYTHON = sys.executable


def test_a_shader_that_the_command_keeps(tmp_path: Path) -> None:
    check = tmp_path / "check.py"
    check.write_text(
        "import sys, unshade\nsys.exit('mul' not in unshade.open(sys.argv[1]).disassemble())\n"
    )
    made = tmp_path / "small.dxbc"
    ended = command("reduce", SAXPY, "--test", f"{PYTHON} {check}", "-o", made, "--runs", "30")
    assert ended.code == 0
    assert "runs of the command" in ended.err
    assert ended.out == ""
    found = unshade.open(made)
    assert "mul" in found.disassemble()
    assert made.stat().st_size < SAXPY.stat().st_size


@pytest.mark.parametrize(
    ("code", "given", "kept"),
    [
        ("sys.exit(0)", "0", True), ("sys.exit(3)", "0", False), ("sys.exit(3)", "3", True),
        ("sys.exit(3)", "nonzero", True), ("sys.exit(0)", "nonzero", False),
        ("os.abort()", "crash", True), ("sys.exit(3)", "crash", False),
    ],
)  # fmt: skip
def test_exit_codes(code: str, given: str, kept: bool, tmp_path: Path) -> None:
    words = f"{PYTHON} -c 'import os, sys; {code}'"
    ended = command(
        "reduce", SAXPY, "--test", words, "--exit", given, "--runs", "1", "-o", tmp_path / "made"
    )
    assert ended.code == (0 if kept else 2), ended.err
    assert ("the test does not hold for the shader itself" in ended.err) is not kept


def test_names_are_not_taken_apart(tmp_path: Path) -> None:
    """Neither the name of the file nor the command goes through a shell."""
    mark = tmp_path / "mark"
    file = tmp_path / f"a; touch {mark.name} $(touch {mark.name}) 'b.dxbc"
    file.write_bytes(SAXPY.read_bytes())
    check = tmp_path / "check.py"
    check.write_text(f"import sys\nsys.exit(not sys.argv[1].endswith({file.name!r}))\n")
    words = f"{PYTHON} {check} {{}} ';' touch {mark}"
    ended = command("reduce", file, "--test", words, "--runs", "2", "-o", tmp_path / "made")
    assert ended.code == 0, ended.err
    assert not mark.exists()


def test_a_command_that_does_not_end_is_ended(tmp_path: Path) -> None:
    words = f"{PYTHON} -c 'import time; time.sleep(60)'"
    ended = command("reduce", SAXPY, "--test", words, "--timeout", "1", "-o", tmp_path / "made")
    assert ended.code == 2
    assert "does not hold" in ended.err
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--test", "true"], "-o is required"),
        (["--test", "", "-o", "made"], "--test: expected a command, got nothing"),
        (["--test", "'a", "-o", "made"], "--test: no closing quotation"),
        (["--test", "/nowhere/at/all", "-o", "made"], "/nowhere/at/all cannot be started"),
        (["--test", "true", "--exit", "often", "-o", "made"], "--exit: expected a number to 255"),
    ],
)
def test_refusals(words: list[str], problem: str, tmp_path: Path) -> None:
    given = [str(tmp_path / each) if each == "made" else each for each in words]
    ended = command("reduce", SAXPY, *given)
    assert ended.code == 2
    assert problem in ended.err
