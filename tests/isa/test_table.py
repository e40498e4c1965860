"""Tables of instructions, indexed by number and by mnemonic."""

from typing import NamedTuple

import pytest

from unshade.isa import Table


class Row(NamedTuple):
    """A minimal row."""

    code: int
    name: str


ROWS = (Row(0, "add"), Row(7, "mul"))


def test_by_number_and_by_name() -> None:
    table = Table(ROWS)
    assert table[7] is table["mul"] is ROWS[1]
    assert table.get(7) is ROWS[1]
    assert table.get(1) is None
    assert list(table) == list(ROWS)
    assert len(table) == 2
    for key in (1, "div"):
        with pytest.raises(KeyError):
            table[key]


def test_two_rows_of_one_number() -> None:
    with pytest.raises(ValueError, match="two rows have the same number"):
        Table([Row(1, "a"), Row(1, "b")])
