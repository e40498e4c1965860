"""What a table is, and how it is told."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from struct import Struct
from types import MappingProxyType

import numpy as np
import pytest

from tests.golden.tables import _states, lines, text
from unshade.formats.sodb import pages
from unshade.vocab.words import Dimension


def test_a_row_that_changes_changes_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [*lines("formats/sodb")]
    first, *others = pages.FIELDS
    monkeypatch.setattr(pages, "FIELDS", ((first[0] + 1, *first[1:]), *others))
    changed = [
        one for one, other in zip(before, lines("formats/sodb"), strict=True) if one != other
    ]
    assert [line.split()[:2] for line in changed] == [["formats/sodb/pages", "FIELDS"]]


def test_members_and_fields_are_tables() -> None:
    found = {tuple(line.split()[1:3]) for line in lines("programs/tpf/tables")}
    assert ("IndexRepresentation.RELATIVE", "2") in found
    (field,) = (
        line for line in lines("programs/tpf/tables") if " OperandToken.index1 Bits(" in line
    )
    assert "low=22" not in field
    assert "low=25" in field


def test_a_single_number_is_a_table() -> None:
    assert "formats/sodb/pages HEADER 100" in lines("formats/sodb")
    assert not [line for line in lines(".") if line.split()[1] == "HERE"]  # of this machine


def test_what_a_class_is_and_what_parameters_are_by_default_are_tables() -> None:
    found = {line for folder in ("analysis/cost", "formats/sodb") for line in lines(folder)}
    frozen = "{'eq': True, 'frozen': True, 'order': False, 'slots': True}"
    assert f"analysis/cost/blocks LoopTrips {frozen}" in found
    assert "formats/sodb/pages TABLE 5" in found  # of `INDEX, TABLE = 2, 5`
    assert not [line for line in lines(".") if "_STARTED" in line]


def test_a_value_that_functions_change_is_no_table() -> None:
    source = "_COUNT = {1: 2}\n\ndef f():\n    _COUNT[3] = 4\n"
    assert _states(source) == {"_COUNT"}
    assert _states(source.replace("_COUNT[3] = 4", "return _COUNT[3] == 4")) == set()
    for change in ("global _COUNT", "return _COUNT.setdefault(key, [])", "old = _COUNT.pop(key)"):
        assert _states(source.replace("_COUNT[3] = 4", change)) == {"_COUNT"}


def _made(size: int, deep: bool = True) -> Callable[[int], int]:
    def grown(by: int) -> int:
        return size + by if deep else size

    return grown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (re.compile("a|b", re.ASCII), "'a|b'/256"),
        (range(1, 9), "range(1, 9)"),
        (Struct("<II"), "'<II'"),
        (itemgetter(2), "itemgetter(2)"),
        (np.array([1, 2], "<u2"), "<u2[1, 2]"),
        (partial(len, (1,)), "partial(len, ((1)), {})"),
        (_made(3), "_made.<locals>.grown(deep=True, size=3)"),
        ({"b", "a"}, "{'a', 'b'}"),
        (MappingProxyType({1: (2.5, b"x")}), "{1: (2.5, b'x')}"),
        ([Dimension.CUBE, None, True], "(Dimension.CUBE, None, True)"),
        ((text, Mapping, len), "(text, Mapping, len)"),
    ],
)
def test_values_are_told_without_places_in_memory(value: object, expected: str) -> None:
    assert text(value) == expected
