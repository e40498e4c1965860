"""What a table is, and how it is told."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from tests.golden.tables import lines, text
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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b", "a"}, "{'a', 'b'}"),
        (MappingProxyType({1: (2.5, b"x")}), "{1: (2.5, b'x')}"),
        ([Dimension.CUBE, None, True], "(Dimension.CUBE, None, True)"),
        ((text, Mapping, len), "(text, Mapping, len)"),
    ],
)
def test_values_are_told_without_places_in_memory(value: object, expected: str) -> None:
    assert text(value) == expected
