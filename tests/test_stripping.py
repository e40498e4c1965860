"""Losses of programs, and their removal, for a program that is no format's."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from unshade.errors import UsageError
from unshade.stripping import STRIPPABLE, Strippable, expanded, program_losses, without


class Words(NamedTuple):
    """Code with lines and names, of which each has one byte a word."""

    code: str
    lines: str = ""
    names: str = ""

    def stripped(self, category: str) -> Words | None:
        kept = {"debug": "lines", "reflection": "names"}[category]
        return self._replace(**{kept: ""}) if getattr(self, kept) else None


def size(program: Words) -> int:
    return sum(map(len, program))


def test_categories() -> None:
    assert expanded(["private", "debug"]) == ("private", "debug")
    assert expanded(["debug", "all"]) == STRIPPABLE
    assert expanded([]) == ()
    with pytest.raises(UsageError, match="unknown category 'lines': expected one of debug, "):
        expanded(["debug", "lines"])


def test_losses_have_the_bytes_that_a_strip_saves() -> None:
    found = program_losses("VS.", Words("mov", "line", "ab"), size)
    assert [(each.part, each.size, each.category) for each in found] == [
        ("VS.debug information", 4, "debug"),
        ("VS.names", 2, "reflection"),
    ]
    assert program_losses("", Words("mov"), size) == []
    (names,) = program_losses("", Words("mov", names="ab"), size)
    assert names.part == "names"


def test_only_what_is_lost_is_removed() -> None:
    program = Words("mov", "line", "ab")
    assert isinstance(program, Strippable)
    debug, names = program_losses("VS.", program, size)
    assert without(program, "VS.", [debug]) == Words("mov", names="ab")
    assert without(program, "VS.", [names]) == Words("mov", "line")
    assert without(program, "VS.", [debug, names]) == Words("mov")
    assert without(program, "PS.", [debug, names]) is program
    plain = Words("mov")
    assert without(plain, "VS.", [debug]) is plain
