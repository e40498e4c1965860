"""Bit positions of each format, written out by hand, and the names of registers."""

from __future__ import annotations

from enum import IntEnum

import pytest

from tests.enumerators import enumerators, members
from unshade.isa import Word
from unshade.programs.pica.tables.fields import (
    FORMATS,
    CompareOp,
    ConditionOp,
    Format0,
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
from unshade.programs.pica.tables.ops import OPS
from unshade.programs.pica.tables.registers import (
    DESTINATIONS,
    NARROW,
    SOURCES,
    AddressRegister,
    Register,
    RegisterFile,
    destination_number,
    source_number,
)

pytestmark = pytest.mark.fast

_FLOW = "num:0:8 num_high:8:2 target:10:12 "
# The fields of each format, each with its lowest bit and its width.
PLACES: tuple[tuple[type[Word], str], ...] = (
    (Format0, "opcode:26:6"),
    (Format1, "desc:0:7 src2:7:5 src1:12:7 idx:19:2 dst:21:5 opcode:26:6"),
    (Format1i, "desc:0:7 src2:7:7 src1:14:5 idx:19:2 dst:21:5 opcode:26:6"),
    (Format1u, "desc:0:7 src1:12:7 idx:19:2 dst:21:5 opcode:26:6"),
    (Format1c, "desc:0:7 src2:7:5 src1:12:7 idx:19:2 cmpy:21:3 cmpx:24:3 opcode:27:5"),
    (Format2, _FLOW + "condop:22:2 refy:24:1 refx:25:1 opcode:26:6"),
    (Format3, _FLOW + "bool_id:22:4 opcode:26:6"),
    (Format3Jump, "invert:0:1 target:10:12 bool_id:22:4 opcode:26:6"),
    (Format3Loop, "target:10:12 int_id:22:4 opcode:26:6"),
    (Format4, "winding:22:1 primitive:23:1 vertex:24:2 opcode:26:6"),
    (Format5, "desc:0:5 src3:5:5 src2:10:7 src1:17:5 idx:22:2 dst:24:5 opcode:29:3"),
    (Format5i, "desc:0:5 src3:5:7 src2:12:5 src1:17:5 idx:22:2 dst:24:5 opcode:29:3"),
)


@pytest.mark.parametrize(("format", "places"), PLACES, ids=[each.__name__ for each, _ in PLACES])
def test_places(format: type[Word], places: str) -> None:
    found = [f"{field.name}:{field.low}:{field.width}" for field in format.FIELDS]
    assert found == places.split()


@pytest.mark.parametrize(
    ("enumeration", "text"),
    [
        (CompareOp, "EQ NE LT LE GT GE"),
        (ConditionOp, "OR AND X Y"),
        (AddressRegister, "NONE A0_X A0_Y AL"),
    ],
)
def test_enumerations(enumeration: type[IntEnum], text: str) -> None:
    assert members(enumeration) == enumerators(text)


OPCODES = """
    add dp3 dp4 dph dst ex2 lg2 litp mul sge slt flr max min rcp rsq mova=0x12 mov
    dphi=0x18 dsti sgei slti break=0x20 nop end breakc call callc callu ifu ifc for emit setemit
    jmpc jmpu cmp=0x2e madi=0x30 mad=0x38
"""


def test_opcodes() -> None:
    assert {op.name: op.code for op in OPS} == enumerators(OPCODES)
    assert {op.name: op.span for op in OPS if op.span != 1} == {"cmp": 2, "madi": 8, "mad": 8}


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
