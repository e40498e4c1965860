"""Instructions: fields by name, operands, making and editing."""

from __future__ import annotations

import pytest

from unshade.errors import EncodeError, UsageError
from unshade.programs.pica import Instruction, OperandDescriptor
from unshade.programs.pica.tables.fields import FORMATS

# What nihstro's listing shows of these words: mul r1.xyzw, c95.zzzz, v2.xyzw and others.
MUL = 0x2227F107
DESCRIPTOR = 0x0006D54F


def test_fields_and_operands() -> None:
    one = Instruction(MUL)
    assert (one.name, one.src1, one.src2, one.dst, one.desc) == ("mul", 0x7F, 2, 0x11, 7)
    table = [OperandDescriptor()] * 7 + [OperandDescriptor(DESCRIPTOR)]
    assert [str(each) for each in one.operands_by(table)] == ["r1.xyzw", "c95.zzzz", "v2.xyzw"]
    assert [str(each) for each in one.operands] == ["r1.", "c95.xxxx", "v2.xxxx"]
    assert [str(each) for each in one.source_registers()] == ["c95", "v2"]


def test_edits() -> None:
    one = Instruction(MUL)
    one.dst = 0x12
    one.idx = 1
    assert one.word == MUL & ~(0x1F << 21 | 3 << 19) | 0x12 << 21 | 1 << 19
    with pytest.raises(EncodeError, match="expected 0 to 31"):
        one.src2 = 32
    assert str(one.operands[1]) == "c95[a0.x].xxxx"


def test_relative_addressing_belongs_to_the_wide_source() -> None:
    one = Instruction.make("madi", dst="r0", src1="r1", src2="v0", src3="c4", idx="aL")
    assert [str(each) for each in one.operands][1:] == ["r1.xxxx", "v0.xxxx", "c4[aL].xxxx"]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (0xB380_6800, "jmpc cmp.x 26"),
        (0xA000_0000 | 1 << 24 | 1 << 22 | 9 << 10 | 3, "ifc !cmp.x && cmp.y 9 +3"),
        (0xB400_0001 | 5 << 22 | 4 << 10, "jmpu !b5 4"),
        (0xA400_0000 | 2 << 22 | 7 << 10, "for i2 7"),
        (0xAEC0_0000, "setemit 2, prim inv"),
        (0x9000_0000 | 12 << 10 | 300, "call 12 +300"),
        (0xBDA7_FA01, "cmp c95.xxxx ge ge r4.xxxx"),
        (0x8800_0000, "end"),
        (0x7800_0000, "opcode_1e"),
    ],
)
def test_other_formats(word: int, text: str) -> None:
    one = Instruction(word)
    assert " ".join([one.name, *map(str, one.operands)]) == text


def test_length_has_ten_bits() -> None:
    one = Instruction.make("call", target=3, length=0x12C)
    assert (one.num, one.num_high, one.length) == (0x2C, 1, 0x12C)
    assert one.word & 0x3FF == 0x12C
    with pytest.raises(EncodeError, match="10 bits"):
        one.length = 1024


def test_every_field_of_every_format_is_an_attribute() -> None:
    names = {f.name for format in FORMATS for f in format.FIELDS} - {"opcode"}
    assert all(hasattr(Instruction, name) for name in names)


def test_make_takes_text_or_numbers() -> None:
    assert Instruction.make("mul", dst="r1", src1="c95", src2="v2", desc=7).word == MUL
    assert Instruction.make("mul", dst=0x11, src1=0x7F, src2=2, desc=7).word == MUL
    assert Instruction.make("cmp", src1="r0", src2="r1", cmpx="GE").cmpx == 5


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("mull", {}),
        ("mul", {"dst": "c0"}),
        ("mul", {"src2": "c0"}),
        ("nop", {"dst": 1}),
        ("mul", {"opcode": 3}),
        ("for", {"length": 3}),
    ],
)
def test_make_refuses(name: str, fields: dict[str, int | str]) -> None:
    with pytest.raises(UsageError):
        Instruction.make(name, **fields)


def test_a_field_of_another_format() -> None:
    with pytest.raises(UsageError, match="nop has no field 'dst'; its fields are opcode"):
        _ = Instruction.make("nop").dst
    with pytest.raises(UsageError, match="opcode_1e has no field"):
        Instruction(0x7800_0000).dst = 1


def test_repr_and_equality() -> None:
    assert repr(Instruction(MUL)) == "<Instruction mul dst=r1 src1=c95 src2=v2 desc=7>"
    assert repr(Instruction(0x8800_0000)) == "<Instruction end>"
    assert repr(Instruction(0x7800_0001)) == "<Instruction 0x78000001>"
    assert Instruction(1) == Instruction(1)
    assert Instruction(1) != Instruction(2)
