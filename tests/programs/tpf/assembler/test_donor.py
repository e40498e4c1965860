"""Assembling with a donor: lines, operands, literals and fields that print alike keep its bits."""

from __future__ import annotations

import itertools
import struct

import pytest

from tests.programs.tpf.text.test_text import (
    CB,
    FLOAT4,
    TEXTURE2D,
    Words,
    custom,
    floats,
    literal,
    modified,
    op,
    r,
    register,
    with_number,
)
from unshade.errors import AssembleError
from unshade.programs.tpf import Program
from unshade.programs.tpf.assembler.donor import _pairs
from unshade.programs.tpf.tables.enumerations import OperandType
from unshade.programs.tpf.text import disassemble
from unshade.programs.tpf.text.literals import Library
from unshade.programs.tpf.text.style import Style

THIRD = floats(1 / 3)
ODD = [THIRD[0] | 1 << 9, *THIRD[1:]]  # bits that mean nothing


def made(*instructions: Words, version: int = 0x50, trailing: bytes = b"") -> Program:
    words = [word for each in instructions for word in each]
    data = struct.pack(f"<{len(words) + 2}I", version, len(words) + 2, *words)
    return Program.decode(data + trailing)


def encoded(program: Program) -> list[list[int]]:
    return [each.encode() for each in program.instructions]


def with_donor(text: str, *donor: Words) -> list[list[int]]:
    return encoded(Program.assemble(f"ps_5_0\n{text}\n", donor=made(*donor)))


def test_the_donors_own_listing_reproduces_it() -> None:
    donor = made(
        op("add", r(0, mask="x"), r(1, pick="x"), ODD),
        custom(2, 1, 2, 3),
        custom(3, 1, 0x0080_0000),
        op("mov", r(0, mask="x"), [*r(1, pick="x")], [5]),
        version=0x0000_1250,
        trailing=b"abc",
    )
    again = Program.assemble(donor.disassemble(), donor=donor)
    assert again.encode() == donor.encode()
    assert again.instructions[0] is not donor.instructions[0]


@pytest.mark.parametrize("library", Library)
def test_listings_of_any_generation_reproduce_the_donor(library: Library) -> None:
    donor = made(
        op("mul", r(0, mask="x"), r(1, pick="x"), floats(0.0078125)),
        op("mul", r(0, mask="x"), r(1, pick="x"), literal(0x7F7F_FFFE)),
        op("mul", r(0, mask="x"), r(1, pick="x"), literal(0xFFC0_0001)),
        op("dcl_input_ps_sgv", register(OperandType.INPUT, 0, mask="x"), [9], controls=2),
    )
    style = Style(library=library, sgv_interpolation=library > Library.MSVCRT)
    text = "\n".join(disassemble(donor, style))
    assert Program.assemble(text, donor=donor).encode() == donor.encode()
    edited = text.replace("r1.x", "r2.x", 1)
    wanted = encoded(donor)
    wanted[0][4] = 2
    assert encoded(Program.assemble(edited, donor=donor)) == wanted


def test_a_changed_operand_keeps_the_others() -> None:
    donor = op("mad", r(0, mask="x"), THIRD, ODD, floats(2 / 3))
    (changed,) = with_donor("mad r0.y, l(0.333333), l(0.333333), l(0.5)", donor)
    assert changed == op("mad", r(0, mask="y"), THIRD, ODD, floats(0.5))


def test_a_changed_component_keeps_the_others() -> None:
    donor = op("add", r(0, mask="xyzw"), r(1, pick="xyzw"), floats(1 / 3, 2 / 3, 1 / 7, 1.0))
    text = "add r0.xyzw, r1.xyzw, l(0.333333, 5.0, 0.142857, 1.000000)"
    assert with_donor(text, donor) == [
        op("add", r(0, mask="xyzw"), r(1, pick="xyzw"), floats(1 / 3, 5.0, 1 / 7, 1.0))
    ]


def test_a_changed_operand_keeps_unprinted_bits() -> None:
    source = with_number(register(CB, 0, r(1, pick="y"), pick="x"), 1, 0)
    donor = op("mov", r(0, mask="x"), source)
    changed = source.copy()
    changed[-1] = 2
    assert with_donor("mov r0.x, cb0[r2.y + 0].x", donor) == [op("mov", r(0, mask="x"), changed)]


def test_an_operand_of_another_kind_follows_the_text() -> None:
    donor = op("add", r(0, mask="x"), ODD, modified(r(1, pick="x"), 1))
    assert with_donor("add r0.x, r2.y, |cb0[1].x|", donor) == [
        op("add", r(0, mask="x"), r(2, pick="y"), modified(register(CB, 0, 1, pick="x"), 2))
    ]
    assert with_donor("add r0.x, l(1,2,3,4), -r1.x", donor) == [
        op("add", r(0, mask="x"), floats(1, 2, 3, 4), modified(r(1, pick="x"), 1))
    ]


def test_changed_controls_keep_the_others() -> None:
    bit = 1 << 0  # of the controls: means nothing
    donor = op("sample", r(0, mask="x"), r(1, pick="xyxx"), register(7, 0, pick="xyzw"),
               register(6, 0), [7], controls=bit, extensions=[TEXTURE2D, FLOAT4])  # fmt: skip
    text = (
        "sample_indexable [precise(x)](texture2d)(float,float,float,float) "
        "r0.x, r1.xyxx, t0.xyzw, s0"
    )
    (changed,) = with_donor(text, donor)
    assert changed == [donor[0] | 1 << 19, *donor[1:]]
    (changed,) = with_donor(text.replace("texture2d", "texture3d"), donor)
    assert changed[1] & ~(1 << 31) == 2 | 5 << 6


def test_changed_dwords_keep_unnamed_bits() -> None:
    donor = op("dcl_input_sgv", register(OperandType.INPUT, 0, mask="x"), [6 | 1 << 20])
    (changed,) = with_donor("dcl_input_sgv v0.x, instance_id", donor)
    assert changed[-1] == 8 | 1 << 20


def test_a_changed_table_row_keeps_the_others() -> None:
    donor = custom(3, 0x0080_0001, 0x3EAA_AAAB, 3, 4)
    text = "dcl_immediateConstantBuffer { { 0.000000, 0.333333, 3, 5} }"
    assert with_donor(text, donor) == [custom(3, 0x0080_0001, 0x3EAA_AAAB, 3, 5)]


def test_a_changed_message_keeps_unprinted_data() -> None:
    operand = r(0, pick="x")
    words = [0x0020_0102, 7, 2, 1, len(operand), *operand, int.from_bytes(b"a\x07", "little")]
    (changed,) = with_donor('printf "a.", r1.x', custom(4, *words))
    words[6] = 1
    assert changed == custom(4, *words)
    (changed,) = with_donor('printf "b.", r1.x', custom(4, *words))
    assert changed[3] == 7
    assert changed[-1] == int.from_bytes(b"b.", "little")


def test_inserted_and_removed_lines() -> None:
    one = op("add", r(0, mask="x"), r(0, pick="x"), THIRD)
    two = op("mul", r(0, mask="x"), r(0, pick="x"), ODD)
    first, second = "add r0.x, r0.x, l(0.333333)", "mul r0.x, r0.x, l(0.333333)"
    assert with_donor(f"nop\n{first}\nnop\n{second}", one, two)[1::2] == [one, two]
    assert with_donor(second, one, two) == [two]
    assert with_donor(f"{second}\n{second}", one, two).count(two) == 1


def test_data_that_no_listing_shows() -> None:
    donor = made(custom(2, 1, 2), op("ret"))
    assert Program.assemble(donor.disassemble(), donor=donor) == donor
    with pytest.raises(AssembleError, match="the text does not contain this data"):
        Program.assemble(donor.disassemble() + "undecipherable custom data\n", donor=donor)


def test_exact_text_needs_no_donor_and_takes_none() -> None:
    donor = made(op("add", r(0, mask="x"), r(0, pick="x"), THIRD))
    text = donor.disassemble("exact").replace("0.33333334", "0.333333")
    (changed,) = encoded(Program.assemble(text, donor=donor))
    assert changed[-1] != THIRD[-1]


@pytest.mark.slow
def test_many_equal_lines_are_aligned_in_bounded_time() -> None:
    a = [0, 1] * 30_000
    b = [1, 0, 0] * 20_000
    pairs = sorted(_pairs(a, b))
    assert len(pairs) > 20_000
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(p < q and r < s for (p, r), (q, s) in itertools.pairwise(pairs))
    unique = list(range(50_000))
    assert len(list(_pairs(unique, [-1, *unique[::2], -2]))) == 25_000
