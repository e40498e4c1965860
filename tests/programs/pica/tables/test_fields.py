"""Bit positions of each format, written out by hand, and the names of registers."""

from __future__ import annotations

import pytest

from unshade.isa import Word
from unshade.programs.pica.tables.fields import (
    FORMATS,
    Format1,
    Format1c,
    Format1i,
    Format1u,
    Format2,
    Format3,
    Format3Jump,
    Format3Loop,
    Format4,
    Format5,
    Format5i,
)
from unshade.programs.pica.tables.registers import (
    DESTINATIONS,
    NARROW,
    SOURCES,
    Register,
    RegisterFile,
    destination_number,
    source_number,
)

# (format, field, lowest bit, width)
PLACES: tuple[tuple[type[Word], str, int, int], ...] = (
    (Format1, "desc", 0, 7),
    (Format1, "src2", 7, 5),
    (Format1, "src1", 12, 7),
    (Format1, "idx", 19, 2),
    (Format1, "dst", 21, 5),
    (Format1i, "src2", 7, 7),
    (Format1i, "src1", 14, 5),
    (Format1u, "src1", 12, 7),
    (Format1c, "cmpy", 21, 3),
    (Format1c, "cmpx", 24, 3),
    (Format1c, "opcode", 27, 5),
    (Format2, "num", 0, 8),
    (Format2, "target", 10, 12),
    (Format2, "condop", 22, 2),
    (Format2, "refy", 24, 1),
    (Format2, "refx", 25, 1),
    (Format3, "bool_id", 22, 4),
    (Format3Jump, "invert", 0, 1),
    (Format3Loop, "int_id", 22, 4),
    (Format4, "winding", 22, 1),
    (Format4, "primitive", 23, 1),
    (Format4, "vertex", 24, 2),
    (Format5, "desc", 0, 5),
    (Format5, "src3", 5, 5),
    (Format5, "src2", 10, 7),
    (Format5, "src1", 17, 5),
    (Format5, "idx", 22, 2),
    (Format5, "dst", 24, 5),
    (Format5, "opcode", 29, 3),
    (Format5i, "src3", 5, 7),
    (Format5i, "src2", 12, 5),
)


@pytest.mark.parametrize(("format", "name", "low", "width"), PLACES)
def test_place(format: type[Word], name: str, low: int, width: int) -> None:
    field = getattr(format, name)
    assert (field.low, field.width) == (low, width)


@pytest.mark.parametrize("format", FORMATS)
def test_fields_do_not_overlap_and_end_with_the_opcode(format: type[Word]) -> None:
    masks = [f.mask << f.low for f in format.FIELDS]
    assert sum(masks) == format.named_mask()
    assert format.FIELDS[-1].name == "opcode"
    assert format.FIELDS[-1].low + format.FIELDS[-1].width == 32
    assert all(f.doc for f in format.FIELDS)


def test_registers() -> None:
    assert [str(SOURCES[n]) for n in (0, 15, 16, 31, 32, 127)] == [
        "v0", "v15", "r0", "r15", "c0", "c95",
    ]  # fmt: skip
    assert [str(DESTINATIONS[n]) for n in (0, 15, 16, 31)] == ["o0", "o15", "r0", "r15"]
    assert source_number(Register(RegisterFile.FLOAT, 0)) == NARROW
    assert source_number(Register(RegisterFile.OUTPUT, 0)) is None
    assert destination_number(Register(RegisterFile.TEMPORARY, 3)) == 19
    assert destination_number(Register(RegisterFile.FLOAT, 3)) is None


def test_register_names_round_trip() -> None:
    for format in FORMATS:
        for f in format.FIELDS:
            if f.spell is not None:
                texts = {f.spell(value) for value in range(f.mask + 1)}
                assert len(texts) == f.mask + 1
                assert all(f.value_of(f.spell(value)) == value for value in range(f.mask + 1))
