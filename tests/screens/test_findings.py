"""Findings, a line each: the words of `str`, coloured by severity."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from unshade.errors import Diagnostic, Severity
from unshade.screens.findings import COLOURS, line, listed

STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize(("offset", "path"), [(0x10, "size"), (None, ""), (0, ""), (None, "a.b")])
def test_a_line_has_the_words_of_the_finding(
    severity: Severity, offset: int | None, path: str
) -> None:
    finding = Diagnostic("a.rule", severity, "odd", offset=offset, path=path)
    segments = line("ps.cso", finding)
    assert "".join(text for text, _ in segments) == f"ps.cso: {finding}"
    assert (f"{severity} a.rule", COLOURS[severity]) in segments


def test_severities_differ_in_colour() -> None:
    assert len(set(COLOURS.values())) == len(Severity)


def test_verify_is_coloured_on_a_terminal_only() -> None:
    plain = unshade("verify", PHONG).out
    coloured = unshade("verify", PHONG, terminal=True).out
    assert f"\x1b[38;5;{COLOURS[Severity.NOTE]}mnote container.program-part" in coloured
    assert STYLES.sub("", coloured).split() == plain.split()  # lines are cut at spaces
    assert "\x1b" not in plain


def test_nothing_of_a_file_drives_the_terminal() -> None:
    finding = Diagnostic("a.rule", Severity.ERROR, "\x1b[2J", path="\x07")
    assert not set("\x1b\x07") & set("".join(text for text, _ in line("\x1b", finding)))


def test_verify_prints_the_line_of_an_instruction_once(tmp_path: Path) -> None:
    text = library.open(SAXPY).disassemble("exact").replace("mul r0.x, ", "mul o0.x, ")
    path = tmp_path / "a.dxbc"
    library.assemble(text, "dxcontainer").save(path)
    lines = unshade("verify", path).out.splitlines()
    (at,) = (at for at, each in enumerate(lines) if "tpf.register-stage" in each)
    assert "tpf.undeclared-register" in lines[at + 1]  # in the same instruction
    assert [each for each in lines if each.startswith("    ")] == [lines[at + 2]]
    assert lines[at + 2].startswith("    mul o0.x, ")


def test_paths_without_a_line() -> None:
    shader = library.open(PHONG)
    found = [
        Diagnostic("a.rule", Severity.ERROR, "odd", offset=None, path=path)
        for path in ("SHDR", "size", "SHDR.instructions[9999]", "SHDR.instructions[11].operands[1]")
    ]
    assert listed(shader, found) == {found[-1].path: "dp3 r0.x, v0.xyzx, v0.xyzx"}
    assert listed(library.loads(PHONG.read_bytes()[:200], strict=False), found) == {}
