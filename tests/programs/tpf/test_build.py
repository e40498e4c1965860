"""Instructions made from a name and operands; repr, equality and copies of objects."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import cast

import pytest

from unshade.errors import EncodeError, UnshadeError, UsageError
from unshade.programs.tpf import Index, Instruction, Operand, Program, immediate, register, temp
from unshade.programs.tpf.tables.enumerations import CustomClass, OperandType, TypedReturnType
from unshade.programs.tpf.tables.tokens import ReturnTypes, VersionToken
from unshade.programs.tpf.text import print_instruction

FLOATS = ReturnTypes(**dict.fromkeys("xyzw", TypedReturnType.FLOAT)).word


MADE: dict[str, Callable[[], Instruction]] = {
    "mov r0.x, l(1.000000)": lambda: Instruction.make("mov", temp(0, mask="x"), immediate(1.0)),
    "mul_sat r0.xyz, -r1.xyzx, cb0[r2.x + 3].yyyy": lambda: Instruction.make(
        "mul",
        temp(0, mask="xyz"),
        temp(1, swizzle="xyzx", negate=True),
        register(OperandType.CONSTANT_BUFFER, 0, Index(3, temp(2, select="x")), swizzle="yyyy"),
        saturate=1,
    ),
    "iadd r0.xyzw, -|r1.xyzw|, l(0, -1, 0x3f800000, 0x7fffffff)": lambda: Instruction.make(
        "iadd",
        temp(0),
        temp(1, swizzle="xyzw", negate=True, absolute=True),
        immediate(0, -1, 1.0, 0x7FFF_FFFF),
    ),
    "if_nz r0.y": lambda: Instruction.make("if", temp(0, select="y"), test_nonzero=1),
    "dcl_temps 3": lambda: Instruction.make("dcl_temps", count=3),
    "dcl_thread_group 8, 4, 1": lambda: Instruction.make("dcl_thread_group", x=8, y=4, z=1),
    "dcl_function_table ft0 = {fb1, fb2}": lambda: Instruction.make(
        "dcl_function_table", table=0, count=2, bodies=[1, 2]
    ),
    "dcl_resource_texture2d (float,float,float,float) t0": lambda: Instruction.make(
        "dcl_resource", register(OperandType.RESOURCE, 0), dimension=3, return_type=FLOATS
    ),
    "ret ": lambda: Instruction.make("ret"),
}


@pytest.mark.parametrize(("text", "make"), MADE.items(), ids=MADE.keys())
def test_made_instructions_round_trip(text: str, make: Callable[[], Instruction]) -> None:
    made = make()
    assert print_instruction(made) == text
    program = Program(VersionToken(0x50), [made])
    assert Program.decode(program.encode()) == program


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Instruction.make("move"), "unknown operation 'move'; did you mean mov"),
        (
            lambda: Instruction.make("mul_sat"),
            "unknown operation 'mul_sat'; use make\\('mul', ..., saturate=1\\)",
        ),
        (lambda: Instruction.make(cast(str, 5)), "unknown operation 5"),
        (
            lambda: Instruction.make("mov", temp(0), cast(Operand, "r1")),
            "operand 1 of mov: expected an Operand such as temp\\(0\\), got 'r1'",
        ),
        (
            lambda: Instruction.make("mov", temp(0), temp(1), saturate=cast(int, "x")),
            "saturate of mov: expected a number, got 'x'",
        ),
        (lambda: Instruction.make("mov", temp(0)), "mov: expected 2 operands, got 1"),
        (lambda: Instruction.make("ret", saturated=1), "ret: unknown field 'saturated'"),
        (lambda: Instruction.make("ret", length=1), "ret: unknown field 'length'"),
        (lambda: Instruction.make("ret", extended=[]), "ret: unknown field 'extended'"),
        (lambda: Instruction.make("dcl_thread_group", y=1), "dcl_thread_group: y requires x"),
        (lambda: temp(0, mask="xx"), "invalid mask 'xx': expected letters of x, y, z and w"),
        (lambda: temp(0, swizzle="xyz"), "invalid swizzle 'xyz'"),
        (lambda: temp(0, select="q"), "invalid select 'q'"),
        (lambda: temp(0, mask="x", select="x"), "one of mask, swizzle and select"),
        (lambda: immediate(1, 2), "expected one or four numbers, got 2"),
    ],
)
def test_invalid_instructions_are_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make()


@pytest.mark.parametrize("value", [1 << 32, -(1 << 31) - 1, 1e39, "1", None])
def test_a_literal_that_does_not_fit(value: int) -> None:
    with pytest.raises(EncodeError, match=r"literal: .* does not fit 32 bits"):
        immediate(value)


# ---------------------------------------------------------------- how they show themselves


TABLE = Instruction(53 | CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER << 11, payload=[0] * 8)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (MADE["if_nz r0.y"](), "<Instruction if_nz r0.y>"),
        (Instruction.make("ret"), "<Instruction ret>"),
        (TABLE, "<Instruction dcl_immediateConstantBuffer { { 0, 0, 0, 0}, …>"),
        (Instruction(0x7FF, words=[5]), "<Instruction <unknown_2047> 0x000007ff, 0x00000005>"),
        (Instruction(0), "<Instruction add>"),
        (temp(3, mask="xw"), "<Operand r3.xw>"),
        (immediate(1.0, 2, 0, 0), "<Operand l(1.000000,2,0,0)>"),
        (Index(3, temp(0, select="x")), "Index(3, <Operand r0.x>)"),
        (Program(VersionToken(0x50), [Instruction(62)]), "<Program ps_5_0, 1 instructions>"),
    ],
)
def test_repr(thing: object, text: str) -> None:
    assert repr(thing) == text


def test_repr_of_incomplete_objects() -> None:
    assert "that cannot be printed" in repr(Instruction.__new__(Instruction))
    assert "that cannot be printed" in repr(Operand.__new__(Operand))
    long = Instruction(53 | 3 << 11, payload=[0x3F80_0000] * 4000)
    assert len(repr(long)) < 160


# ---------------------------------------------------------------- values


def program() -> Program:
    return Program(VersionToken(0x50), [make() for make in MADE.values()], b"end")


def test_equal_by_value() -> None:
    assert program() == program()
    assert program().instructions[1] == MADE["mul_sat r0.xyz, -r1.xyzx, cb0[r2.x + 3].yyyy"]()
    other = program()
    other.instructions[1].operands[2].indices[1].immediate = 4
    assert other != program()
    assert Instruction.make("ret") != 62
    assert temp(0) != 0
    assert Index(1) != 1


def test_derived_bits_do_not_count() -> None:
    read = Program.decode(program().encode()).instructions
    assert read == program().instructions
    assert [each.token for each in read] != [each.token for each in program().instructions]


def test_comparing_unencodable_instructions() -> None:
    odd = Instruction.make("mov", temp(0), immediate(1.0))
    odd.operands.pop()
    with pytest.raises(UnshadeError):
        odd.encode()
    assert odd == copy.deepcopy(odd)
    assert odd != Instruction.make("mov", temp(0), immediate(1.0))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_share_nothing(duplicate: Callable[[Program], Program]) -> None:
    first = program()
    second = duplicate(first)
    assert second == first
    assert second.encode() == first.encode()
    relative = second.instructions[1].operands[2].indices[1].relative
    assert relative is not None
    relative.select = 3
    assert second != first
    assert first == program()


@pytest.mark.parametrize("thing", [program(), temp(0), Index(0), Instruction.make("ret")])
def test_mutable_objects_have_no_hash(thing: object) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(thing)
