"""Bit fields of tokens: numbers checked against tokens that fxc wrote, and the table's rows."""

from __future__ import annotations

import pytest

from unshade.isa import Word
from unshade.programs.tpf.data import DWORDS
from unshade.programs.tpf.tables.enumerations import (
    Components,
    ExtendedOpcode,
    IndexRepresentation,
    OperandType,
)
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.tables.tokens import (
    EXTENDED_OPCODES,
    MaskToken,
    OpcodeToken,
    OperandModifier,
    OperandToken,
    ResourceDim,
    SampleControls,
    SelectToken,
    SwizzleToken,
    VersionToken,
    operand_word,
)

pytestmark = pytest.mark.fast

LAYOUTS = sorted(
    {row.controls for row in OPS}
    | set(EXTENDED_OPCODES.values())
    | set(DWORDS.values())
    | {VersionToken, OperandModifier, MaskToken, SwizzleToken, SelectToken},
    key=lambda cls: cls.__name__,
)


@pytest.mark.parametrize("cls", LAYOUTS, ids=lambda cls: cls.__name__)
def test_fields_do_not_overlap(cls: type[Word]) -> None:
    seen = 0
    for field in cls.FIELDS:
        bits = field.mask << field.low
        assert not bits & seen, field.name
        assert field.low + field.width <= cls.WIDTH
        seen |= bits


def test_version_token() -> None:
    version = VersionToken(0x0005_0051)
    assert (version.kind, version.major, version.minor) == (5, 5, 1)


def test_opcode_token_of_mul_sat() -> None:
    token = OpcodeToken(0x0700_2038)
    assert (OPS[token.opcode].name, token.length, token.extended) == ("mul", 7, 0)


@pytest.mark.parametrize(
    ("token", "cls", "name", "value"),
    [
        (0x0010_0072, MaskToken, "mask", 0b0111),
        (0x0010_0E46, SwizzleToken, "swizzle", 0b11100100),
        (0x0010_003A, SelectToken, "select", 3),
        (0x0000_4001, OperandToken, "components", Components.ONE),
    ],
)
def test_selection_names_its_bits(
    token: int, cls: type[OperandToken], name: str, value: int
) -> None:
    assert operand_word(token) is cls
    assert getattr(cls(token), name) == value


def test_relative_index() -> None:
    token = OperandToken(0x0620_8246)  # cb0[r1.x + 4].yxyx or the like
    assert token.type == OperandType.CONSTANT_BUFFER
    assert token.dimension == 2
    assert token.index0 == IndexRepresentation.IMMEDIATE32
    assert token.index1 == IndexRepresentation.IMMEDIATE32_PLUS_RELATIVE


def test_texel_offsets_are_signed() -> None:
    token = SampleControls(u=-8, v=7, w=-1, kind=ExtendedOpcode.SAMPLE_CONTROLS)
    assert token.word == 1 | 0x8 << 9 | 0x7 << 13 | 0xF << 17
    assert (token.u, token.v, token.w) == (-8, 7, -1)


def test_resource_dimension_token() -> None:
    token = ResourceDim(0x8000_00C2)
    assert (token.kind, token.dimension, token.stride, token.extended) == (2, 3, 0, 1)


def test_names_in_plain_data_are_distinct() -> None:
    """An instruction's controls, dwords and structure share one mapping."""
    structure = {"op", "extended", "operands", "words", "payload", "unnamed"}
    for row in OPS:
        controls = {field.name for field in row.controls.FIELDS} - {"opcode", "length", "extended"}
        dwords = {name.removesuffix("[]") for name in row.dwords}
        assert not controls & dwords, row.name
        assert not (controls | dwords) & structure, row.name
