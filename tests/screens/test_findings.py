"""Findings, a line each: the words of `str`, coloured by severity."""

from __future__ import annotations

import re

import pytest

from tests.cli.terminal import PHONG, unshade
from unshade.errors import Diagnostic, Severity
from unshade.screens.findings import COLOURS, line

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
