"""A listing in colours: those of the lexer, and the text as it is."""

from __future__ import annotations

import re
from unittest import mock

from tests.cli.terminal import PHONG, unshade
from tests.cli.test_shbin import REVERSE
from unshade.isa.lexer import Kind, comments
from unshade.screens.listing import COLOURS, lines
from unshade.shader import Shader

STYLES = re.compile(r"\x1b\[[0-9;]*m")


def test_every_kind_has_a_colour_of_its_own() -> None:
    assert set(COLOURS) == {*Kind, None}
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_a_listing_is_coloured_by_the_lexer_of_its_program() -> None:
    for path, words in (
        (PHONG, {"sample": Kind.ACCESS, "discard_nz": Kind.FLOW, "dcl_temps": Kind.DECLARATION}),
        (REVERSE, {"dp4": Kind.OPERATION, ".proc": Kind.DECLARATION, ".end": Kind.FLOW}),
    ):
        coloured = unshade("dis", path, terminal=True).out
        for word, kind in words.items():
            assert f"\x1b[38;5;{COLOURS[kind]}m{word}\x1b[0m" in coloured
        plain = STYLES.sub("", coloured).splitlines()
        assert plain == unshade("dis", path).out.splitlines()


def test_of_a_format_without_a_lexer_comments_are_known() -> None:
    class Unknown(Shader):
        comment = "#"

    assert list(lines("a # b\n", Unknown().lexer())) == [
        [("a ", None), ("# b", COLOURS[Kind.COMMENT])]
    ]


def test_nothing_of_a_file_drives_the_terminal() -> None:
    [line] = lines("// \x1b[2J\tb\r\n", comments("//"))
    assert "".join(text for text, _ in line) == "// \\x1b[2J\tb\\x0d"


def test_colours_are_asked_for_on_a_terminal_only() -> None:
    with mock.patch("unshade.programs.tpf.Program.lexer", side_effect=AssertionError):
        assert unshade("dis", PHONG).code == 0
