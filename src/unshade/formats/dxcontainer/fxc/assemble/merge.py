"""Three-way merge of the records of a text into the records of a donor.

    base     read from the donor's listing           float4 tint   [unused]     flags 0
    new      read from the text                      float4 tint                flags 2
    donor    the record in the donor                                            flags 1
    merged                                                                      flags 3

A value that is equal in base and new is taken from the donor; a value that differs is taken from
new. Flags are merged bit by bit, and the counters of STAT by their difference: compilers count some
instructions by rules of their own. Rows of lists are aligned by name, semantic index and stream; a
row that occurs only in the text is taken from the text.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from .....wire import Record
from ...parts.stat import IN_MODEL

__all__ = ["merge"]

FLAGS = "flags"  # name of the fields that are merged bit by bit
NAME = "name"
COUNTERS = frozenset(IN_MODEL.values())


def merge(base: Any, new: Any, donor: Any, name: str = "") -> Any:
    """Return the donor's value with the changes of the text; `name` is the name of its field."""
    if new == base:
        return donor
    if isinstance(new, Record) and type(new) is type(base) is type(donor):
        return _record(base, new, donor)
    if isinstance(new, list) and isinstance(base, list) and isinstance(donor, list):
        return _list(base, new, donor)
    if name == FLAGS and isinstance(donor, int):
        return donor ^ (base ^ new)
    if name in COUNTERS and isinstance(donor, int):
        return max(donor + new - base, 0)
    return new


def _record(base: Record, new: Record, donor: Record) -> Record:
    fields = [field.name for field in type(new).layout.fields if field.derive is None]
    return type(new)(
        **{
            name: merge(getattr(base, name), getattr(new, name), getattr(donor, name), name)
            for name in fields
        }
    )


def _list(base: list[Any], new: list[Any], donor: list[Any]) -> list[Any]:
    """Return the new rows, each merged with the donor's row of the same name or position."""
    if len(base) != len(donor):  # the listing does not show the donor's list row by row
        return new
    if not all(isinstance(each, Record) for each in new):
        return new
    partners: dict[int, int] = {}
    before, after = _names(base), _names(new)
    for op, i, i_end, j, j_end in SequenceMatcher(None, before, after, False).get_opcodes():
        # The same number of rows under other names: each was renamed.
        if op == "equal" or (op == "replace" and i_end - i == j_end - j):
            partners.update(zip(range(j, j_end), range(i, i_end), strict=True))
    taken = set(partners.values())
    for j, key in enumerate(after):  # rows that changed places
        if j not in partners and key is not None and before.count(key) == 1:
            i = before.index(key)
            if i not in taken:
                partners[j] = i
                taken.add(i)
    return [
        merge(base[partners[j]], row, donor[partners[j]]) if j in partners else row
        for j, row in enumerate(new)
    ]


def _names(rows: Sequence[Any]) -> list[Any]:
    """Return the keys by which rows are aligned."""
    return [
        (getattr(row, NAME, None), getattr(row, "index", None), getattr(row, "stream", None))
        for row in rows
    ]
