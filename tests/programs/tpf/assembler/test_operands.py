"""Operands: the encoding of each form, and errors."""

from __future__ import annotations

import struct

import pytest

from tests.programs.tpf.assembler.lines import drawn, instruction, refused
from unshade.programs.tpf import Operand
from unshade.programs.tpf.tables.enumerations import Components, IndexRepresentation, SelectionMode

FLOAT = struct.Struct("<f")


def operand(text: str, before: str = "mov r0.x,") -> Operand:
    return instruction(f"{before} {text}").operands[-1]


def bits(value: float) -> int:
    return int.from_bytes(FLOAT.pack(value), "little")


@pytest.mark.parametrize(
    ("line", "components"),
    [
        ("dcl_output oDepth", Components.ONE),
        ("mov oDepth, r0.x", Components.ONE),
        ("dcl_output oDepthGE", Components.ONE),
        ("dcl_output oStencilRef", Components.ONE),
        ("dcl_output oMask", Components.ZERO),
        ("mov oMask, r0.x", Components.ONE),
        ("dcl_input vCoverage", Components.ONE),
        ("dcl_input vInnerCoverage", Components.ONE),
        ("dcl_input vPrim", Components.ZERO),
        ("dcl_input vOutputControlPointID", Components.ZERO),
        ("dcl_input vForkInstanceID", Components.ZERO),
        ("dcl_input vThreadIDInGroupFlattened", Components.ZERO),
        ("dcl_stream m0", Components.ZERO),
        ("label fb0", Components.ZERO),
        ("dcl_sampler s0, mode_default", Components.ZERO),
        ("dcl_resource_raw t0", Components.ZERO),
        ("dcl_resource_raw T0[0:0], space=0", Components.FOUR),
        ("dcl_constantbuffer CB0[4], immediateIndexed", Components.FOUR),
    ],
)
def test_registers_without_letters_are_encoded_as_by_compilers(
    line: str, components: Components
) -> None:
    (first, *_) = instruction(line).operands
    assert first.components == components


@pytest.mark.parametrize(
    ("text", "components"),
    [
        ("vPrim", Components.ONE),
        ("vOutputControlPointID", Components.ONE),
        ("vForkInstanceID", Components.ZERO),
    ],
)
def test_the_same_as_sources(text: str, components: Components) -> None:
    assert operand(text).components == components


def test_letters_depend_on_the_column() -> None:
    store = instruction("store_uav_typed u0.xyzw, r0.xyzw, r1.x")
    assert [each.mode for each in store.operands] == [
        SelectionMode.MASK, SelectionMode.SWIZZLE, SelectionMode.SELECT_1,
    ]  # fmt: skip
    counter = instruction("imm_atomic_alloc r0.x, u0")
    assert counter.operands[1].components == Components.ZERO
    load = instruction("ld_uav_typed r0.x, r1.xxxx, u0.xyzw")
    assert load.operands[2].mode == SelectionMode.SWIZZLE


@pytest.mark.parametrize(
    ("text", "representations"),
    [
        ("cb0[4].x", [0, 0]),
        ("cb0[r1.x + 0].x", [0, IndexRepresentation.RELATIVE]),
        ("cb0[r1.x + 4].x", [0, IndexRepresentation.IMMEDIATE32_PLUS_RELATIVE]),
        ("cb0[r1.x + 4294967296].x", [0, IndexRepresentation.IMMEDIATE64_PLUS_RELATIVE]),
        ("x0[4294967296].x", [0, IndexRepresentation.IMMEDIATE64]),
        ("cb[r1.x + 0][r2.x + 1].x", [2, 3]),
        ("v[r1.x + 1][0].x", [3, 0]),
        ("CB0[1][2].x", [0, 0, 0]),
    ],
)
def test_indices(text: str, representations: list[int]) -> None:
    assert [index.representation for index in operand(text).indices] == representations


def test_nested_indices() -> None:
    found = operand("cb0[x1[r2.y + 3].x + 4].x")
    inner = found.indices[1].relative
    assert inner is not None
    assert inner.indices[1].relative is not None
    assert inner.indices[1].relative.indices[0].immediate == 2


def test_case_is_ignored() -> None:
    assert operand("CB0[4].x") == operand("cb0[4].x")
    assert operand("T0[3].x") == operand("t0[3].x")


# ---------------------------------------------------------------- literals


@pytest.mark.parametrize(
    ("number", "word"),
    [
        ("0.5", bits(0.5)),
        ("1", bits(1.0)),
        ("-3", bits(-3.0)),
        ("-0.000000", 0x8000_0000),
        ("1e-7", bits(1e-7)),
        ("1.5e+3", bits(1500.0)),
        (".5", bits(0.5)),
        ("+2.", bits(2.0)),
        ("0x7fc00001", 0x7FC0_0001),
        ("inf", 0x7F80_0000),
        ("-inf", 0xFF80_0000),
        ("nan", 0x7FC0_0000),
        ("-nan(ind)", 0xFFC0_0000),
        ("1.#INF00", 0x7F80_0000),
        ("-1.#INF0000", 0xFF80_0000),
        ("1.#QNAN0", 0x7FC0_0000),
        ("-1.#IND00", 0xFFC0_0000),
        ("1e-45", 1),
        ("340282346638528859811704183484516925440.000000", 0x7F7F_FFFF),
        ("340282346638528860000000000000000000000.000000", 0x7F7F_FFFF),
    ],
)
def test_arithmetic_literals(number: str, word: int) -> None:
    assert operand(f"l({number})", "add r0.x, r1.x,").literal == (word,)


@pytest.mark.parametrize(
    ("number", "word"),
    [
        ("1", 1), ("-1", 0xFFFF_FFFF), ("0xffffffff", 0xFFFF_FFFF), ("4294967295", 0xFFFF_FFFF),
        ("-2147483648", 0x8000_0000), ("1.0", bits(1.0)), ("0X10", 16), ("1e0", bits(1.0)),
    ],
)  # fmt: skip
def test_integers_and_copied_literals(number: str, word: int) -> None:
    assert operand(f"l({number})", "iadd r0.x, r1.x,").literal == (word,)
    assert operand(f"l({number})").literal == (word,)


def test_a_vector() -> None:
    found = operand("l(1.000000,2,-0.000000,0x3f800000)", "mov r0.xyzw,")
    assert found.literal == (bits(1.0), 2, 0x8000_0000, bits(1.0))
    assert found.components == Components.FOUR


def test_doubles() -> None:
    found = operand("d(0.500000l, 766800.0)", "dmov r0.xy,")
    assert found.literal_doubles == (0.5, 766800.0)
    assert operand("d(0x00000000, 0x00000000, 0x00000000, 0x412766a0)", "dmov r0.xy,").literal == (
        0, 0, 0, 0x412766A0,
    )  # fmt: skip
    assert operand("d(0x7ff8000000000001, infl)", "dmov r0.xy,").literal == (
        1, 0x7FF80000, 0, 0x7FF00000,
    )  # fmt: skip


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "problem", "caret"),
    [
        ("mov q0.x, r1.x",
         "unknown register 'q0'",
         "    ^~"),
        ("mov r0.x, vPrin",
         "unknown register 'vPrin'; did you mean vPrim?",
         "          ^~~~~"),
        ("mov r0.x, <256>0",
         "the number does not fit 8 bits",
         "          ^~~~~~"),
        ("mov r0.x, 0.5",
         "expected a register, or a literal such as l(1.0), got '0'",
         "          ^"),
        ("mov r0.yx, r1.x",
         "expected components of x, y, z and w, in this order and each at most once, got yx",
         "      ^~~"),
        ("mov r0.xx, r1.x",
         "expected components of x, y, z and w, in this order and each at most once, got xx",
         "      ^~~"),
        ("mov r0.x, r1.xy",
         "expected one or four components of x, y, z and w, got xy",
         "            ^~~"),
        ("mov r0.x, r1.rgba",
         "expected one or four components of x, y, z and w, got rgba",
         "            ^~~~~"),
        ("mov r0.x, r1.q",
         "expected one component of x, y, z and w, got q",
         "            ^~"),
        ("mov r0.x, l(1, 2)",
         "expected one or four numbers, got 2",
         "          ^~~~~~~"),
        ("dmov r0.xy, d(1.0l)",
         "expected two doubles, got 1",
         "            ^~~~~~~"),
        ("mov r0.x, l(1).x",
         "component selection on a literal",
         "              ^~"),
        ("mov r0.x, l(one)",
         "expected a number, got 'one'",
         "            ^~~"),
        ("mov r0.x, l(1_000)",
         "expected a number, got '1_000'",
         "            ^~~~~"),
        ("mov r0.x, l(0.1.0)",
         "expected a number, got '0.1.0'",
         "            ^~~~~"),
        ("mov r0.x, l(1e99)",
         "the number does not fit 32 bits",
         "            ^~~~"),
        ("mov r0.x, l(0x100000000)",
         "the number does not fit 32 bits",
         "            ^~~~~~~~~~~"),
        ("mov r0.x, l(4294967296)",
         "the number does not fit 32 bits",
         "            ^~~~~~~~~~"),
        ("dmov r0.xy, d(1e999l, 0)",
         "the number does not fit 64 bits",
         "              ^~~~~~"),
        ("mov r0.x, l(1 2)",
         "expected ',' or ')', got '2'",
         "              ^"),
        ("mov r0.x, l(1",
         "expected ',' or ')', got the end of the line",
         "             ^"),
        ("mov r0.x, |r1.x",
         "expected '|', got the end of the line",
         "               ^"),
        ("mov r0.x, cb0[r1.x",
         "expected ']', got the end of the line",
         "                  ^"),
        ("mov r0.x, cb0[r1.x + r2.x]",
         "expected a number, got 'r2'",
         "                     ^~"),
        ("mov r0.x, r1.x {min17f}",
         "unknown precision 'min17f'; did you mean min16f?",
         "               ^~~~~~~~"),
        ("mov r0.x, r36893488147419103232.x",
         "the number does not fit 64 bits",
         "          ^~~~~~~~~~~~~~~~~~~~~"),
        ("mov r0.x, t0[1:2].x",
         "expected ']', got ':'",
         "              ^"),
        ("dcl_resource_raw T0[1], space=",
         "expected the register space, got the end of the line",
         "                              ^"),
    ],
)  # fmt: skip
def test_mistakes(text: str, problem: str, caret: str) -> None:
    assert drawn(text) == (problem, caret)


def test_nesting_of_registers_is_bounded() -> None:
    deep = "r0.x"
    for _ in range(100):
        deep = f"x0[{deep}].x"
    error = refused(f"mov r0.x, {deep}")
    assert error.problem == "expected at most 64 nested indices, got more"
    assert error.column == len("mov r0.x, ") + 64 * len("x0[") + 3
