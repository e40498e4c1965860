"""Notes in braces, valid and invalid."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import drawn, dwords, instruction
from unshade.programs.tpf.tables.enumerations import IndexRepresentation


@pytest.mark.parametrize(
    ("noted", "plain", "changed"),
    [
        ("mov r0.x, r1.x {unnamed=0x00000800}", "mov r0.x, r1.x", {3: 0x800}),
        ("mov r0.x {mode=SELECT_1}, r1.x", "mov r0.x, r1.x", {1: 0x18}),
        ("mov {unnamed=0x00000800} r0.x, r1.x", "mov r0.x, r1.x", {0: 0x800}),
        ("ret {unnamed=0x00800000}", "ret", {0: 0x80_0000}),
        ("mov r0.x, vPrim {components=ZERO}", "mov r0.x, vPrim", {3: 1}),
        ("mov r0.x, r1.x {index1=IMMEDIATE64}", "mov r0.x, r1.x", {3: 1 << 25}),
        ("mov r0.x, l(1) {unnamed=0x100}", "mov r0.x, l(1)", {3: 0x100}),
        ("dcl_resource_texture2d {sample_count=4} (float,float,float,float) t0",
         "dcl_resource_texture2d (float,float,float,float) t0", {0: 4 << 16}),
        ("dcl_input_sgv {system_value=0x00010006} v0.x, vertex_id",
         "dcl_input_sgv v0.x, vertex_id", {3: 1 << 16}),
        ("sync_g_t {unnamed=0x00008000}", "sync_g_t", {0: 0x8000}),
        ("dcl_immediateConstantBuffer {payload=[0, 1]} { { 0, 0} }",
         "dcl_immediateConstantBuffer { { 0, 0} }", {3: 1}),
        ("dcl_indexrange o1.x {unnamed=0x100} 4", "dcl_indexrange o1.x 4", {1: 0x100}),
        ("dcl_constantbuffer CB0[0:0] {swizzle=xxxx}[3], immediateIndexed, space=0",
         "dcl_constantbuffer CB0[0:0][3], immediateIndexed, space=0", {1: 0xE40}),
        ("mov r0.x, cb0[r1.x {unnamed=0x400} + 1].x", "mov r0.x, cb0[r1.x + 1].x", {6: 0x400}),
    ],
)  # fmt: skip
def test_notes_change_only_their_field(noted: str, plain: str, changed: dict[int, int]) -> None:
    differences = [a ^ b for a, b in zip(dwords(noted), dwords(plain), strict=True)]
    assert {at: bits for at, bits in enumerate(differences) if bits} == changed


def test_whole_words() -> None:
    assert instruction("ret {words=[0x1, 2]}").words == (1, 2)
    assert instruction("mov {extended=[0x00000007]} r0.x, r1.x").extended == (7,)
    assert instruction("mov r0.x, -r1.x {extended=[0x80000001, 2]}").operands[1].extended == (
        0x8000_0001, 2,
    )  # fmt: skip
    assert instruction("fcall fp0[1] {unnamed=0x100}[2]").words == (2,)


def test_representations() -> None:
    source = instruction("mov r0.x, cb0[r1.x + 0].x {index1=IMMEDIATE32_PLUS_RELATIVE}").operands[1]
    assert source.indices[1].representation == IndexRepresentation.IMMEDIATE32_PLUS_RELATIVE


def test_the_length_bits_of_a_long_declaration() -> None:
    made = instruction("dcl_function_table {length=5, extended=[0]} ft0 = {fb0}")
    assert made.encode() == [145 | 5 << 24 | 1 << 31, 5, 0, 1, 0]


@pytest.mark.parametrize(
    ("text", "problem", "caret"),
    [
        ("mov r0.x, r1.x {moode=1}",
         "unknown field 'moode'; expected one of components, mode, type, mask, swizzle, select,"
         " index0, index1, index2, extended, unnamed",
         "                ^~~~~"),
        ("ret {saturate=1}",
         "unknown field 'saturate'; expected one of extended, words, unnamed",
         "     ^~~~~~~~"),
        ("dcl_temps {size=1} 4",
         "unknown field 'size'; expected one of count, extended, words, unnamed",
         "           ^~~~"),
        ("mov r0.x, r1.x {mode=1, mode=2}",
         "duplicate field 'mode'",
         "                        ^~~~"),
        ("mov r0.x, r1.x {components=FIVE}",
         "components: expected a number of 2 bits or one of ZERO, ONE, FOUR, N, got 'FIVE'",
         "                           ^~~~"),
        ("mov r0.x, r1.x {swizzle=xyq}",
         "swizzle: expected a number of 8 bits, got 'xyq'",
         "                        ^~~"),
        ("mov r0.x, r1.x {mode=4}",
         "expected 0 to 3 (2 bits), got 4",
         "                     ^"),
        ("mov r0.x, r1.x {mode=}",
         "expected a value, got '}'",
         "                     ^"),
        ("mov r0.x, r1.x {mode=1",
         "expected ',' or '}', got the end of the line",
         "                      ^"),
        ("mov r0.x, r1.x {unnamed=0x00000002}",
         "expected unnamed bits only, got 0x00000002",
         "                        ^~~~~~~~~~"),
        ("mov r0.x, r1.x {extended=5}",
         "extended: expected a list such as [0x1, 0x2], got '5'",
         "                         ^"),
        ("mov r0.x, r1.x {extended=[4294967296]}",
         "the number does not fit 32 bits",
         "                          ^~~~~~~~~~"),
        ("mov r0.x, r1.x {index0=5}",
         "expected a number from 0 to 4, got 5",
         "                       ^"),
        ("mov r0.x, l(1) {components=FOUR}",
         "the instruction cannot be encoded: operands[1].literal: expected 4 dwords, got 1",
         "^~~"),
        ("<unknown_235> 0x010000eb {words=[1]}",
         "expected the end of the line, got '{'",
         "                         ^"),
    ],
)  # fmt: skip
def test_mistakes(text: str, problem: str, caret: str) -> None:
    assert drawn(text) == (problem, caret)
