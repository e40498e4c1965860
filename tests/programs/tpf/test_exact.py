"""Exact text: native text, with notes where that is not enough, that reproduces the program."""

from __future__ import annotations

import random
import re
import struct
from pathlib import Path

import pytest

import unshade
from tests.examples import CONTAINERS, each_container
from tests.fixtures import blog_vs_4_0 as blog
from tests.programs.tpf.text.test_text import (
    CB,
    DECLARATIONS,
    INSTRUCTIONS,
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
from unshade.errors import FormatError, LimitError, UsageError
from unshade.programs.tpf import Program, exact
from unshade.programs.tpf.tables.enumerations import OperandType
from unshade.programs.tpf.text.literals import Library
from unshade.programs.tpf.text.style import Style

MORE = 1 << 31


def made(*instructions: Words, version: int = 0x50, trailing: bytes = b"") -> Program:
    words = [word for each in instructions for word in each]
    data = struct.pack(f"<{len(words) + 2}I", version, len(words) + 2, *words) + trailing
    program = Program.decode(data)
    assert program.encode() == data
    return program


def lines(program: Program, style: Style | None = None) -> list[str]:
    """Return the exact text without its heading, checked to reproduce the program."""
    text = program.disassemble("exact", style=style)
    heading, *rest = text.rstrip("\n").split("\n")
    assert heading == "// unshade tpf exact 1"
    assert Program.assemble(text).encode() == program.encode()
    assert Program.assemble(text).disassemble("exact", style=style) == text
    return rest


def line(words: Words) -> str:
    return "\n".join(lines(made(words))[1:])


@pytest.mark.parametrize(("words", "text"), INSTRUCTIONS + DECLARATIONS)
def test_every_printed_line_round_trips(words: Words, text: str) -> None:
    shown = line(words)
    assert shown.split(" {")[0].startswith(text.split(" ", maxsplit=1)[0])


@each_container
def test_notes_only_in_files_of_other_compilers_than_fxc(path: Path) -> None:
    """vkd3d gives declared resources a component, which no listing shows."""
    (program,) = unshade.open(path).programs
    assert isinstance(program, Program)
    for each in lines(program):
        declared = each.startswith(("dcl_resource", "dcl_uav"))
        assert bool(re.search(r"\{\w+=", each)) == declared
        assert ("{components=ONE}" in each) == declared


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (floats(0.5), "l(0.500000)"),
        (floats(1 / 3), "l(0.33333334)"),
        (floats(1e-7), "l(1e-07)"),
        (floats(-0.0), "l(-0.000000)"),
        (floats(-1e-20), "l(-1e-20)"),
        (literal(1), "l(1e-45)"),
        (literal(0x7F80_0000), "l(inf)"),
        (literal(0x7FC0_0000), "l(nan)"),
        (literal(0xFFC0_0000), "l(-nan(ind))"),
        (literal(0x7FC0_0001), "l(0x7fc00001)"),
        (literal(0xFF80_0001), "l(0xff800001)"),
        (floats(16777217.0), "l(16777216.000000)"),
        (floats(1234.5677), "l(1234.567749)"),
        (floats(123456.789), "l(123456.789062)"),
    ],
)
def test_floats(words: Words, text: str) -> None:
    assert line(op("add", r(0, mask="x"), r(1, pick="x"), words)) == f"add r0.x, r1.x, {text}"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (literal(1), "l(1)"),
        (literal(0x0080_0001), "l(1.1754945e-38)"),
        (literal(0x8000_0001), "l(0x80000001)"),
        (floats(1 / 3, 1, 0, -2), "l(0.33333334,1.000000,0,-2.000000)"),
    ],
)
def test_copied_literals(words: Words, text: str) -> None:
    assert line(op("mov", r(0, mask="x"), words)) == f"mov r0.x, {text}"


def test_doubles() -> None:
    third = struct.unpack("<2I", struct.pack("<d", 1 / 3))
    shown = line(op("dmov", r(0, mask="xy"), [0x5002, *third, 1, 0x7FF8_0000]))
    assert shown == "dmov r0.xy, d(0.3333333333333333l, 0x7ff8000000000001)"


def test_tables_and_factors() -> None:
    assert line(custom(3, *floats(1 / 3)[1:], 1, 0x0080_0000, 0x7FC0_0001)) == (
        "dcl_immediateConstantBuffer { { 0.33333334, 1, 1.1754944e-38, 0x7fc00001} }"
    )
    assert line(op("dcl_hs_max_tessfactor", floats(1 / 3)[1:])) == (
        "dcl_hs_max_tessfactor l(0.33333334)"
    )


@pytest.mark.parametrize("library", Library)
def test_every_generation(library: Library) -> None:
    style = Style(False, True, False, library)
    numbers = floats(0.0078125, 1e30, 3.3, -1e-9)
    program = made(
        op("add", r(0, mask="x"), r(1, pick="x"), numbers),
        op("dcl_input_ps_sgv", register(OperandType.INPUT, 0, mask="x"), [9], controls=2),
    )
    shown = lines(program, style)
    assert shown[2] == "dcl_input_ps_sgv {interpolation=LINEAR} v0.x, is_front_face"


# ---------------------------------------------------------------- notes


T = OperandType
X0, X1 = r(0, mask="x"), r(1, pick="x")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        # operands
        (op("mov", register(T.OUTPUT_DEPTH), X1), "mov oDepth {components=ZERO}, r1.x"),
        (op("mov", [3, *X1]), "mov r {components=N}, r1.x"),
        (op("mov", X0, r(1, mask="xy")), "mov r0.x, r1.xy {mode=MASK}"),
        (op("mov", r(0, pick="wzyx"), X1), "mov r0.wzyx {mode=SWIZZLE}, r1.x"),
        (op("mov", X0, r(1, mask="x")), "mov r0.x, r1.x {mode=MASK}"),
        (op("mov", r(0, pick="x"), X1), "mov r0.x {mode=SELECT_1}, r1.x"),
        (op("mov", [0x0010_000E, 0], X1), "mov r0 {mode=3}, r1.x"),
        (op("mov", [X0[0] | 0x800, 0], X1), "mov r0.x {unnamed=0x00000800}, r1.x"),
        (op("mov", X0, [X1[0] | 1 << 25, 1]), "mov r0.x, r1.x {index1=IMMEDIATE64}"),
        (op("mov", X0, [X1[0] | 1 << 22, 1, 0]), "mov r0.x, r1.x {index0=IMMEDIATE64}"),
        (op("mov", X0, with_number(register(CB, 0, r(1, pick="y"), pick="x"), 1, 0)),
         "mov r0.x, cb0[r1.y + 0].x {index1=IMMEDIATE32_PLUS_RELATIVE}"),
        (op("mov", X0, register(CB, 0, [X1[0] | 0x400, 1], pick="x")),
         "mov r0.x, cb0[r1.x {unnamed=0x00000400} + 0].x"),
        (op("mov", X0, modified(X1)), "mov r0.x, r1.x {extended=[0x00000001]}"),
        (op("mov", X0, modified(X1, modifier=0x81)), "mov r0.x, r1.x {extended=[0x00002041]}"),
        (op("mov", X0, [X1[0] | MORE, 1 | MORE, 1 << 6, 1]),
         "mov r0.x, r1.x {extended=[0x80000001, 0x00000040]}"),
        (op("mov", X0, [0x4E46, 1, 2, 3, 4]),
         "mov r0.x, l(1,2,3,4) {mode=SWIZZLE, swizzle=xyzw}"),
        (op("mov", X0, [0x4003]), "mov r0.x, l() {components=N}"),
        (op("mov", X0, [0x10_4001, 7, 3]), "mov r0.x, l(7)[3]"),
        (op("dcl_sampler", register(T.SAMPLER, 1, 2, 2), [4]),
         "dcl_sampler S1[2:2] {components=ZERO}, mode_default, space=4"),
        # instructions
        (op("ret", controls=1 << 12), "ret {unnamed=0x00800000}"),
        (op("add", X0, X1, X1, controls=1), "add {unnamed=0x00000800} r0.x, r1.x, r1.x"),
        (op("sync", controls=0b1_0011), "sync_g_t {unnamed=0x00008000}"),
        (op("sync", controls=0b1100), "sync_sat_uglobal"),
        (op("mov", X0, X1, [5]), "mov {words=[0x00000005]} r0.x, r1.x"),
        (op("samplepos", X0, register(T.RESOURCE, 0, pick="xyzw"), X1),
         "samplepos {words=[]} r0.x, t0.xyzw, r1.x"),
        (op("mov", X0, X1, extensions=[0]), "mov {extended=[0x00000000]} r0.x, r1.x"),
        (op("sample", X0, X1, register(7, 0, pick="xyzw"), register(6, 0),
            extensions=[2 | 3 << 6 | 4 << 11]),
         "sample_indexable(texture2d) {extended=[0x000020c2]} r0.x, r1.x, t0.xyzw, s0"),
        (op("dcl_resource", register(T.RESOURCE, 0), [0x1_5555], controls=3 | 2 << 5),
         "dcl_resource_texture2d {sample_count=2, return_type=0x00015555}"
         " (float,float,float,float) t0"),
        (op("dcl_input_sgv", register(T.INPUT, 0, mask="x"), [6 | 1 << 16]),
         "dcl_input_sgv {system_value=0x00010006} v0.x, vertex_id"),
        (op("dcl_function_table", [0, 5, 1, 2]),
         "dcl_function_table {count=0x00000005} ft0 = {fb1, fb2}"),
        (op("dcl_globalFlags", controls=1 << 10),
         "dcl_globalFlags {unnamed=0x00200000} "),
        (op("dcl_constantbuffer", register(CB, 0, 4, pick="xyzw"), [7, 9]),
         "dcl_constantbuffer {size=0x00000007} CB0[4], immediateIndexed, space=9"),
        ([145 | 9 << 24 | MORE, 5, 0, 1, 3],
         "dcl_function_table {length=9, extended=[0x00000005]} ft0 = {fb3}"),
        # custom data
        (custom(2, 1, 2),
         "undecipherable custom data {payload=[0x00000001, 0x00000002]}"),
        (custom(0, 0x6F6C_6C61, 0),
         "undecipherable custom data {custom_class=COMMENT, payload=[0x6f6c6c61, 0x00000000]}"),
        (custom(99), "undecipherable custom data {custom_class=99, payload=[]}"),
        (custom(3, 1, 2, 3, 4, 5),
         "dcl_immediateConstantBuffer { { 1, 2, 3, 4},\n                              { 5} }"),
        (custom(4, 0x0020_0102, 1, 1, 0, 0, 7),
         'printf {payload=[0x00200102, 0x00000001, 0x00000001, 0x00000000, 0x00000000,'
         ' 0x00000007]} "."'),
        # what has no name
        ([235 | 2 << 24, 0xDEAD_BEEF], "<unknown_235> 0x020000eb, 0xdeadbeef"),
        ([107 | 2 << 24 | MORE, 1], "<unknown_107> 0x8200006b, 0x00000001"),
    ],
)  # fmt: skip
def test_notes(words: Words, text: str) -> None:
    assert line(words) == text


def test_the_program() -> None:
    program = made(op("endif"), version=0x0063_FF12, trailing=b"\x00\xab")
    assert lines(program) == [
        "<99>_1_2 {unnamed=0x0000ff00, trailing=00ab, unbalanced=1}",
        "endif ",
    ]


def test_registers_inside_registers_are_printed_in_full() -> None:
    deep = r(0, pick="x")
    for _ in range(40):
        deep = register(T.TEMP, deep, pick="x")
    shown = line(op("mov", X0, deep))
    assert shown == f"mov r0.x, {'r[' * 40}r0.x{' + 0].x' * 40}"


def test_inexpressible_instructions_are_dwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_words", lambda text: None)
    monkeypatch.setattr(exact, "read_one", lambda text: None)
    assert exact.line(made(op("ret")).instructions[0], Style()) == "<dwords> 0x0100003e"
    assert Program.assemble("ps_5_0\n<dwords> 0x0100003e").disassemble() == "ps_5_0\nret \n"


def test_other_dialects() -> None:
    with pytest.raises(
        UsageError, match="unknown dialect 'exakt' of tpf: expected native or exact"
    ):
        made().disassemble("exakt")


# ---------------------------------------------------------------- damaged programs


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return a program with bits or whole dwords changed after the header."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    for _ in range(chance.choice((1, 2, 4, 10, 30))):
        at = chance.randrange(2, len(words))
        words[at] = chance.choice((
            words[at] ^ 1 << chance.randrange(32),
            words[chance.randrange(2, len(words))],
            chance.getrandbits(32),
            chance.choice((0, 1, 2, 0x7FC0_0001, 0x8000_0000, 0xFFFF_FFFF)),
        ))  # fmt: skip
    if chance.random() < 0.1:
        words[0] = chance.getrandbits(32)
    words[1] -= chance.choice((0, 0, 0, 1, 2))
    return struct.pack(f"<{len(words)}I", *words) + b"odd"[: chance.choice((0, 0, 1, 3))]


def check_damaged(seed: int, count: int) -> int:
    """Check that exact text reproduces damaged programs; return the number decoded."""
    chance = random.Random(seed)
    whole = [unshade.open(path).programs[0] for path in CONTAINERS]
    whole.append(unshade.loads(blog.build()).programs[0])
    for cases in (INSTRUCTIONS, DECLARATIONS):
        whole.append(made(*[words for words, _ in cases]))
    sources = [each.encode() for each in whole if isinstance(each, Program)]
    weights = [1 / len(data) for data in sources]  # as many bytes of each
    found = 0
    for whole_data in chance.choices(sources, weights, k=count):
        data = damaged(whole_data, chance)
        try:
            program = Program.decode(data)
        except (FormatError, LimitError):
            continue
        found += 1
        text = program.disassemble("exact", style=Style(library=chance.choice(list(Library))))
        assert "<dwords>" not in text, data.hex()
        assert Program.assemble(text).encode() == data, data.hex()
    return found


def test_damaged_programs() -> None:
    assert check_damaged(1, 30) > 2
