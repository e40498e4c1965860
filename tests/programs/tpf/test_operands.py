"""Operands: decoding, encoding, editing, and errors at the end of the data."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from unshade.errors import EncodeError, FormatError, LimitError
from unshade.programs.tpf import Index, Operand, immediate, temp
from unshade.programs.tpf.data.operands import operand_from_data
from unshade.programs.tpf.operands import decode_operand
from unshade.programs.tpf.tables.enumerations import IndexRepresentation, Modifier, OperandType

# Operands as fxc wrote them, with what its listing shows.
CASES = {
    "r0.xyz": (0x0010_0072, 0),
    "v1.xyxx": (0x0010_1046, 1),
    "-r2.xyzw": (0x8010_0E46, 0x41, 2),
    "l(1.000000)": (0x0000_4001, 0x3F80_0000),
    "l(0,0,0,0)": (0x0000_4002, 0, 0, 0, 0),
    "cb0[3].xyzw": (0x0020_8E46, 0, 3),
    "cb0[r1.x + 4].xyzw": (0x0620_8E46, 0, 4, 0x0010_000A, 1),
    "x0[r1.x + 0].x": (0x0620_300A, 0, 0, 0x0010_000A, 1),
    "cb2[r0.w].x": (0x0420_800A, 2, 0x0010_003A, 0),
    "CB0[0:3]": (0x0030_8E46, 0, 0, 3),
    "null": (0x0000_D000,),
    "64-bit index": (0x0050_0E46, 5, 1),
}


@pytest.mark.parametrize("words", CASES.values(), ids=CASES.keys())
def test_round_trip(words: tuple[int, ...]) -> None:
    operand, end = decode_operand(words, 0)
    assert end == len(words)
    assert tuple(operand.words()) == words


def test_parts() -> None:
    operand, _ = decode_operand(CASES["cb0[r1.x + 4].xyzw"], 0)
    assert operand.type == OperandType.CONSTANT_BUFFER
    assert operand.swizzle == (0, 1, 2, 3)
    assert [index.immediate for index in operand.indices] == [0, 4]
    relative = operand.indices[1].relative
    assert relative is not None
    assert relative.select == 0
    assert relative.indices == [Index(1)]
    wide, _ = decode_operand(CASES["64-bit index"], 0)
    assert wide.indices[0].immediate == 1 << 32 | 5


@pytest.mark.parametrize("words", CASES.values(), ids=CASES.keys())
def test_every_cut_is_refused_at_the_cut(words: tuple[int, ...]) -> None:
    for size in range(len(words)):
        with pytest.raises(FormatError) as caught:
            decode_operand(words[:size], 0, base=10)
        assert caught.value.offset == 4 * (10 + size)
    if len(words) > 3 and words[0] >> 20 & 3:
        assert "indices[" in caught.value.path


def test_path_of_a_cut_index() -> None:
    words = CASES["cb0[r1.x + 4].xyzw"]
    with pytest.raises(FormatError) as caught:
        decode_operand(words[:4], 0)
    assert caught.value.path == "indices[1].relative.indices[0]"


def test_unknown_representation() -> None:
    with pytest.raises(FormatError, match="expected an index representation of 0 to 4, got 5"):
        decode_operand((0x0010_0E46 | 5 << 22, 0), 0)


def test_depth_is_bounded() -> None:
    words = (0x0090_000A,) * 200  # each an operand whose index is the next one
    with pytest.raises(LimitError, match="depth = 8"):
        decode_operand(words, 0, 0, 8, 8)


def test_edit_changes_only_its_bits() -> None:
    operand, _ = decode_operand(CASES["v1.xyxx"], 0)
    operand.swizzle = (3, 2, 1, 0)
    operand.indices[0].immediate = 7
    assert operand.words() == [0x0010_11B6, 7]
    operand.indices[0] = Index(7, temp(1))
    assert operand.words()[0] == 0x0010_11B6 | 3 << 22


@pytest.mark.parametrize(
    ("words", "immediate", "relative", "expected"),
    [
        # cb0[3] and cb0[r1.x + 4] of CASES: number added, number and register taken away
        ("cb0[3].xyzw", 3, True, (0x0620_8E46, 0, 3, 0x0010_000A, 1)),
        ("cb0[3].xyzw", 0, True, (0x0420_8E46, 0, 0x0010_000A, 1)),
        ("cb2[r0.w].x", 4, True, (0x0620_800A, 2, 4, 0x0010_000A, 1)),
        ("cb2[r0.w].x", 4, False, (0x0020_800A, 2, 4)),
        ("cb0[r1.x + 4].xyzw", 0, True, (0x0620_8E46, 0, 0, 0x0010_000A, 1)),
        ("cb0[r1.x + 4].xyzw", 4, False, (0x0020_8E46, 0, 4)),
    ],
)
def test_representation_follows_the_index(
    words: str, immediate: int, relative: bool, expected: tuple[int, ...]
) -> None:
    operand, _ = decode_operand(CASES[words], 0)
    operand.indices[1].immediate = immediate
    operand.indices[1].relative = temp(1, select="x") if relative else None
    assert tuple(operand.words()) == expected
    again, _ = decode_operand(expected, 0)
    assert again == operand


def test_representation_is_kept() -> None:
    operand, _ = decode_operand(CASES["cb2[r0.w].x"], 0)
    index = operand.indices[1]
    index.immediate = 4
    assert index.representation == IndexRepresentation.IMMEDIATE32_PLUS_RELATIVE
    index.immediate = 0
    assert index.representation == IndexRepresentation.RELATIVE
    wide, _ = decode_operand(CASES["64-bit index"], 0)
    wide.indices[0].relative = temp(1, select="x")
    assert wide.indices[0].representation == IndexRepresentation.IMMEDIATE64_PLUS_RELATIVE
    assert wide.words()[1:3] == [5, 1]


@pytest.mark.parametrize("number", [-1, 5, None])
def test_unknown_index_representation(number: int) -> None:
    with pytest.raises(EncodeError, match=r"representation: expected a number from 0 to 4, got"):
        Index(0, None, number)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"immediate": 1, "representation": "RELATIVE"}, "RELATIVE does not fit this index"),
        ({"representation": "IMMEDIATE64_PLUS_RELATIVE"}, "IMMEDIATE64_PLUS_RELATIVE does not fit"),
        ({"representation": 5}, "unknown representation 5"),
    ],
)
def test_contradictory_plain_data_is_refused(data: dict[str, object], words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        operand_from_data({"type": "TEMP", "index": [data]}, "operand")
    assert caught.value.path == "operand.index[0].representation"


def test_modifier_token_keeps_its_place() -> None:
    operand = Operand(0x8010_0046, (0x8000_0002, 0x8000_0041, 0x3), indices=[Index(1)])
    operand.absolute = True
    assert [word & 0x7FFF_FFFF for word in operand.extended] == [2, 0xC1, 3]
    operand.modifier = 0
    assert [word & 0x7FFF_FFFF for word in operand.extended] == [2, 3]
    assert operand.words() == [0x8010_0046, 0x8000_0002, 3, 1]
    assert operand.modifier_token == 0


def test_modifier_token_is_added_and_removed() -> None:
    operand = temp(2, mask="x")
    plain = operand.words()
    operand.absolute = True
    operand.negate = True
    assert operand.modifier == Modifier.ABSNEG
    assert operand.words() == [plain[0] | 1 << 31, 1 | 3 << 6, 2]
    operand.modifier = Modifier.NONE
    assert operand.words() == plain


def test_literals() -> None:
    operand = immediate(0x3F80_0000, 0xFFFF_FFFF, 0, 0x4000_0000)
    assert operand.literal_floats[0] == 1.0
    assert operand.literal_ints[1] == -1
    assert immediate(0, 0x3FF0_0000, 0, 0x4000_0000).literal_doubles == (1.0, 2.0)


@pytest.mark.parametrize(
    ("operand", "path"),
    [
        (Operand(0x0000_4001, literal=(1, 2)), "literal"),
        (Operand(0x0010_0072, literal=(1,)), "literal"),
        (Operand(0, indices=[Index(), Index(), Index(), Index()]), "indices"),
        (Operand(0, indices=[Index(1 << 32, None, 3)]), "indices[0].immediate"),
        (Operand(0, indices=[Index(1 << 64, None, 1)]), "indices[0].immediate"),
        (Operand(0, indices=[Index(1 << 32, temp(0))]), "indices[0].immediate"),
        (Operand(0, indices=[Index(0, Operand(0x4001))]), "indices[0].relative.literal"),
    ],
)
def test_unencodable_operands(operand: Operand, path: str) -> None:
    with pytest.raises(EncodeError) as caught:
        operand.words()
    assert str(caught.value).startswith(path)


def test_literals_are_set() -> None:
    operand = immediate(0, 0, 0, 0)
    operand.literal_floats = (1.0, 0.5, -0.0, 0.1)
    assert operand.literal == (0x3F80_0000, 0x3F00_0000, 0x8000_0000, 0x3DCC_CCCD)
    operand.literal_ints = (-1, 0, 1, 2)
    assert operand.literal == (0xFFFF_FFFF, 0, 1, 2)
    operand.literal_doubles = (1.0, 0.0)
    assert operand.literal == (0, 0x3FF0_0000, 0, 0)
    for odd in ((1 << 31,), ("x",), 5):
        with pytest.raises(EncodeError, match="literal"):
            operand.literal_ints = odd  # type: ignore[assignment]


@pytest.mark.parametrize("value", [(0, 1, 2), (0, 1, 2, 4), "xyzw", (7, 0, 0, 0)])
def test_no_swizzle(value: Sequence[int]) -> None:
    operand = temp(0)
    before = operand.words()
    with pytest.raises(EncodeError, match="swizzle: expected four numbers from 0 to 3"):
        operand.swizzle = value
    assert operand.words() == before


def test_class_access_returns_the_field() -> None:
    assert Operand.type.name == "type"
    assert Operand.modifier.name == "modifier"
