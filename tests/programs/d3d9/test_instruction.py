"""Each spelling of a token, and back."""

# ruff: noqa: E501

from __future__ import annotations

import pytest

from unshade.programs.d3d9.assembler import read_instruction
from unshade.programs.d3d9.instruction import Instruction
from unshade.programs.d3d9.tables.ops import OPS
from unshade.programs.d3d9.tables.tokens import ComparisonControl, SourceModifier, Version

VS11, VS20, VS30 = 0xFFFE0101, 0xFFFE0200, 0xFFFE0300
PS11, PS14, PS20, PS2X, PS30 = 0xFFFF0101, 0xFFFF0104, 0xFFFF0200, 0xFFFF0201, 0xFFFF0300

# Tokens by the documentation of the shader code format.
SPELLED = [
    (PS20, "mad r1.w, r0.w, t0.w, -c0.x", 0x04000004, 0x80080001, 0x80FF0000, 0xB0FF0000, 0xA1000000),
    (PS20, "texld_pp r0, t1, s2", 0x03000042, 0x802F0000, 0xB0E40001, 0xA0E40802),
    (PS20, "texldp r0, t1, s2", 0x03010042, 0x800F0000, 0xB0E40001, 0xA0E40802),
    (PS20, "texldb r0, t1, s2", 0x03020042, 0x800F0000, 0xB0E40001, 0xA0E40802),
    (PS20, "mul_sat_pp oC0, v0, c31", 0x03000005, 0x803F0800, 0x90E40000, 0xA0E4001F),
    (PS20, "mov oDepth, r0.x", 0x02000001, 0x900F0800, 0x80000000),
    (PS20, "texkill r3", 0x01000041, 0x800F0003),
    (PS30, "dcl_texcoord3_centroid v0.xy", 0x0200001F, 0x80030005, 0x90430000),
    (PS30, "dcl vPos.xy", 0x0200001F, 0x80000000, 0x90031000),
    (PS30, "dcl vFace", 0x0200001F, 0x80000000, 0x900F1001),
    (PS30, "dcl_volume s4", 0x0200001F, 0xA0000000, 0xA00F0804),
    (PS30, "dcl_cube s4", 0x0200001F, 0x98000000, 0xA00F0804),
    (PS30, "if_lt r0.x, -r1_abs.y", 0x02040029, 0x80000000, 0x8C550001),
    (PS30, "break_ge r0.x, c0.y", 0x0203002D, 0x80000000, 0xA0550000),
    (PS30, "setp_ne p0.x, r0, c0", 0x0305005E, 0xB0011000, 0x80E40000, 0xA0E40000),
    (PS30, "(!p0.x) mov r0, c0", 0x13000001, 0x800F0000, 0xBD001000, 0xA0E40000),
    (PS30, "texldd r0, v0, s0, r1, r2", 0x0500005D, 0x800F0000, 0x90E40000, 0xA0E40800, 0x80E40001, 0x80E40002),
    (PS30, "add r0, c9[aL], v0[aL]", 0x05000002, 0x800F0000, 0xA0E42009, 0xF0E40800, 0x90E42000, 0xF0E40800),
    (PS30, "rep i3", 0x01000026, 0xF0E40003),
    (PS30, "if b7", 0x01000028, 0xE0E40807),
    (PS30, "breakp p0.y", 0x01000060, 0xB0551000),
    (PS30, "defi i0, 3, -1, 0, 0", 0x05000030, 0xF00F0000, 3, 0xFFFFFFFF, 0, 0),
    (PS30, "defb b1, true", 0x0200002F, 0xE00F0801, 1),
    (VS30, "dcl_texcoord o3.xyz", 0x0200001F, 0x80000005, 0xE0070003),
    (VS30, "loop aL, i0", 0x0200001B, 0xF0E40800, 0xF0E40000),
    (VS30, "callnz l1, !b0", 0x0200001A, 0xA0E41001, 0xEDE40800),
    (VS30, "texldl r0, v0, s1", 0x0300005F, 0x800F0000, 0x90E40000, 0xA0E40801),
    (VS30, "mov o2[aL], c0", 0x03000001, 0xE00F2002, 0xF0E40800, 0xA0E40000),
    (VS30, "mov r0, c2050", 0x02000001, 0x800F0000, 0xB0E40802),
    (VS20, "mova a0.xy, r0.yxzw", 0x0200002E, 0xB0030000, 0x80E10000),
    (VS20, "mul r1, v4.y, c26[a0.x]", 0x04000005, 0x800F0001, 0x90550004, 0xA0E4201A, 0xB0000000),
    (VS20, "mov oFog, c0.x", 0x02000001, 0xC00F0001, 0xA0000000),
    (VS20, "mov oT7, oPts", 0x02000001, 0xE00F0007, 0xC0E40002),
    (VS20, "sincos r0.xy, r1.x, c0, c1", 0x04000025, 0x80030000, 0x80000001, 0xA0E40000, 0xA0E40001),
    (VS11, "mov r0, c3[a0.x]", 0x00000001, 0x800F0000, 0xA0E42003),
    (PS11, "tex t0", 0x00000042, 0xB00F0000),
    (PS11, "texcoord t1", 0x00000040, 0xB00F0001),
    (PS11, "mad_x2_sat r0, 1-t0, v0_bx2, -c0_bias", 0x00000004, 0x811F0000, 0xB6E40000, 0x94E40000, 0xA3E40000),
    (PS11, "mul_d2 r0.w, t0_x2, -v1_x2", 0x00000005, 0x8F080000, 0xB7E40000, 0x98E40001),
    (PS14, "texcrd r0.xyz, t0_dw.xyw", 0x00000040, 0x80070000, 0xBAF40000),
    (PS14, "texld r1, t1_dz", 0x00000042, 0x800F0001, 0xB9E40001),
    (PS14, "phase", 0x0000FFFD),
]  # fmt: skip


@pytest.mark.parametrize(("version", "text", "words"), [(v, t, w) for v, t, *w in SPELLED])
def test_spellings(version: int, text: str, words: list[int]) -> None:
    printed = text.replace("_dw.xyw", "_dw.xyww")  # a swizzle is printed whole
    assert str(Instruction(words, Version(version))) == printed
    assert read_instruction(text, Version(version)).words == words


def test_every_operation_is_read_as_it_is_printed() -> None:
    for op in OPS:
        for version in (PS11, PS14, VS20, PS30):
            one = Instruction([op.code | (3 if op.name in ("ifc", "breakc", "setp") else 0) << 16],
                              Version(version))  # fmt: skip
            operands = {
                "d": 0x800F0000, "s": 0x80E40001, "u": 0x80000000, "f": 0x3F800000, "i": 7, "b": 1,
            }  # fmt: skip
            one.words += [operands[each] for each in op.operands if not each.startswith("[")]
            if version in (VS20, PS30):
                one.words[0] |= len(one.words) - 1 << 24
            assert read_instruction(str(one), Version(version)).words == one.words


def test_all_modifiers_and_comparisons() -> None:
    version = Version(PS30)
    for modifier in SourceModifier:
        words = [0x02000001, 0x800F0000, 0x80E40001 | modifier << 24]
        assert read_instruction(str(Instruction(words, version)), version).words == words
    names = {Instruction([0x02000029 | each << 16], version).mnemonic for each in ComparisonControl}
    assert names == {"if_gt", "if_eq", "if_ge", "if_lt", "if_ne", "if_le"}


def test_unknown_numbers_are_printed() -> None:
    version = Version(PS30)
    assert str(Instruction([0x01000061, 0x800F0000], version)) == "opcode_61 0x800f0000"
    assert str(Instruction([0x02070029, 0x80E40000, 0x80E40000], version)) == "if_cmp7 r0, r0"
    assert (
        str(Instruction([0x02000001, 0xC00F1800, 0x8EE40000], version)) == "mov file28_0, r0_mod14"
    )


def test_parts_of_an_instruction() -> None:
    one = Instruction([0x13000001, 0x800F0000, 0xBD001000, 0xA0E42005, 0xB0000000], Version(VS30))
    assert str(one) == "(!p0.x) mov r0, c5[a0.x]"
    assert str(one.predicate) == "!p0.x"
    assert [str(each) for each in one.sources] == ["c5[a0.x]"]
    assert [str(each) for each in one.operands] == ["r0", "c5[a0.x]"]
    assert [str(each) for each in one.results] == ["r0"]
    assert str(one.sources[0].index) == "a0.x"
    kill = Instruction([0x01000041, 0x80070002], Version(PS20))
    assert kill.results == []
    assert str(kill.destination) == "r2.xyz"


def test_relative_operands_may_be_written_in_any_order() -> None:
    version = Version(VS20)
    expected = read_instruction("mov r0, c5[a0.x]", version).words
    for text in ("mov r0, c[a0.x + 5]", "mov r0, c[5 + a0.x]", "mov r0, c2[a0.x+3]"):
        assert read_instruction(text, version).words == expected
    rgba = read_instruction("mov r0.rgb, c0.bgr", version)
    assert str(rgba) == "mov r0.xyz, c0.zyxx"
