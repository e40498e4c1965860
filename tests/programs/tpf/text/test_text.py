"""Lines of the listing, from tokens written by hand."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

import unshade
from tests.examples import CONTAINERS
from unshade.programs.tpf import Index, Instruction, Operand, Program
from unshade.programs.tpf.tables.enumerations import OperandType
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.tables.spellings import UNVERIFIED
from unshade.programs.tpf.tables.tokens import VersionToken
from unshade.programs.tpf.text import DEEPEST, disassemble, print_instruction
from unshade.programs.tpf.text.literals import Library
from unshade.programs.tpf.text.style import Style

PS_5_0 = 0x0000_0050
MORE = 1 << 31

Words = list[int]


def register(kind: int, *indices: int | Words, pick: str = "", mask: str = "") -> Words:
    """An operand. `mask` makes a destination; `pick` a swizzle or, with one letter, a scalar. An
    index in a list is relative: the words of an operand.
    """
    token = kind << 12 | len(indices) << 20
    if mask:
        token |= 2 | sum(1 << 4 + "xyzw".index(letter) for letter in mask)
    elif len(pick) == 4:
        token |= 2 | 1 << 2 | sum("xyzw".index(c) << 4 + 2 * at for at, c in enumerate(pick))
    elif pick:
        token |= 2 | 2 << 2 | "xyzw".index(pick) << 4
    tail: Words = []
    for at, index in enumerate(indices):
        if isinstance(index, int):
            tail.append(index)
        else:
            token |= 2 << 22 + 3 * at
            tail += index
    return [token, *tail]


def with_number(operand: Words, at: int, number: int) -> Words:
    """Return the operand with `number` added to its first relative index, `at`."""
    first = 1 + at
    return [operand[0] | 1 << 22 + 3 * at, *operand[1:first], number, *operand[first:]]


def r(number: int, pick: str = "", mask: str = "") -> Words:
    return register(OperandType.TEMP, number, pick=pick, mask=mask)


def literal(*words: int) -> Words:
    return [(1 if len(words) == 1 else 2) | OperandType.IMMEDIATE32 << 12, *words]


def floats(*values: float) -> Words:
    return literal(*struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values)))


def extended(operand: Words, token: int) -> Words:
    return [operand[0] | MORE, token, *operand[1:]]


def modified(operand: Words, modifier: int = 0, precision: int = 0, nonuniform: int = 0) -> Words:
    return extended(operand, 1 | modifier << 6 | precision << 14 | nonuniform << 17)


def op(name: str, *tail: Words, controls: int = 0, extensions: Sequence[int] = ()) -> Words:
    """Return an instruction; `controls` are bits 11 to 23."""
    row = OPS[name]
    words = [word for each in tail for word in each]
    chain = [word | MORE for word in extensions]
    if chain:
        chain[-1] ^= MORE
    length = 1 + len(chain) + len(words)
    return [row.code | controls << 11 | length << 24 | (MORE if chain else 0), *chain, *words]


def custom(kind: int, *payload: int) -> Words:
    return [53 | kind << 11, len(payload) + 2, *payload]


def lines(*instructions: Words, version: int = PS_5_0, style: Style | None = None) -> list[str]:
    words = [word for each in instructions for word in each]
    data = struct.pack(f"<{len(words) + 2}I", version, len(words) + 2, *words)
    program = Program.decode(data)
    assert program.encode() == data
    return disassemble(program, style or Style())


def line(instruction: Words, style: Style | None = None) -> str:
    (text,) = lines(instruction, style=style)[1:]
    return text


SAT, PRECISE_X, PRECISE_ALL, NZ = 1 << 2, 1 << 8, 15 << 8, 1 << 7
T0 = register(OperandType.RESOURCE, 0, pick="xyzw")
S0 = register(OperandType.SAMPLER, 0)
OFFSETS = 1 | 15 << 9 | 2 << 13  # -1, 2, 0
TEXTURE2D = 2 | 3 << 6
STRUCTURES = 2 | 12 << 6 | 32 << 11
FLOAT4 = 3 | 5 << 6 | 5 << 10 | 5 << 14 | 5 << 18
U0 = register(OperandType.UNORDERED_ACCESS_VIEW, 0)
CB = OperandType.CONSTANT_BUFFER


# fmt: off
INSTRUCTIONS: list[tuple[Words, str]] = [
    # destinations and sources
    (op("mov", r(0, mask="xyzw"), r(1, pick="xyzx")), "mov r0.xyzw, r1.xyzx"),
    (op("mov", r(0, mask="yw"), r(1, pick="z")), "mov r0.yw, r1.z"),
    (op("add", r(0, mask="x"), modified(r(1, pick="x"), 1), modified(r(2, pick="y"), 2)),
     "add r0.x, -r1.x, |r2.y|"),
    (op("mul", r(0, mask="x"), modified(r(1, pick="xxxx"), 3), floats(0.5)),
     "mul r0.x, -|r1.xxxx|, l(0.500000)"),
    # indices
    (op("mov", r(0, mask="x"), register(CB, 0, 4, pick="x")), "mov r0.x, cb0[4].x"),
    (op("mov", r(0, mask="x"), register(CB, 1, 0, 4, pick="x")), "mov r0.x, CB1[0][4].x"),
    (op("mov", r(0, mask="x"), register(CB, 0, r(1, pick="y"), pick="x")),
     "mov r0.x, cb0[r1.y + 0].x"),
    (op("mov", r(0, mask="x"),
        with_number(register(CB, 0, r(1, pick="y"), pick="x"), 1, 7)),
     "mov r0.x, cb0[r1.y + 7].x"),
    (op("mov", r(0, mask="x"), register(CB, r(2, pick="x"), r(1, pick="y"), pick="x")),
     "mov r0.x, cb[r2.x + 0][r1.y + 0].x"),
    (op("mov", register(OperandType.INDEXABLE_TEMP, 0, 3, mask="xy"), r(1, pick="xyxx")),
     "mov x0[3].xy, r1.xyxx"),
    (op("mov", register(OperandType.OUTPUT, r(0, pick="y"), mask="x"), r(1, pick="x")),
     "mov o[r0.y + 0].x, r1.x"),
    (op("mov", r(0, mask="x"), register(OperandType.INPUT, 2, 1, pick="x")),
     "mov r0.x, v[2][1].x"),
    (op("mov", r(0, mask="x"), register(OperandType.INPUT_CONTROL_POINT, 2, 1, pick="x")),
     "mov r0.x, vicp[2][1].x"),
    (op("mov", r(0, mask="x"), register(OperandType.INPUT_PATCH_CONSTANT, 9, pick="x")),
     "mov r0.x, vpc9.x"),
    (op("mov", r(0, mask="x"),
        register(OperandType.IMMEDIATE_CONSTANT_BUFFER, r(0, pick="x"), pick="yyyy")),
     "mov r0.x, icb[r0.x + 0].yyyy"),
    (op("mov", r(0, mask="x"), register(OperandType.THIS_POINTER, 0, pick="y")),
     "mov r0.x, this[0].y"),
    (op("mov", register(OperandType.OUTPUT_DEPTH), r(0, pick="x")), "mov oDepth, r0.x"),
    # literals go by their place
    (op("iadd", r(0, mask="x"), literal(1), literal(0xFFFF_FFFF)), "iadd r0.x, l(1), l(-1)"),
    (op("add", r(0, mask="xy"), r(0, pick="xyxx"), floats(1, 2, 0, 0)),
     "add r0.xy, r0.xyxx, l(1.000000, 2.000000, 0.000000, 0.000000)"),
    (op("mov", r(0, mask="xyz"), literal(0x3F80_0000, 2, 0x8000_0000, 0)),
     "mov r0.xyz, l(1.000000,2,-0.000000,0)"),
    (op("movc", r(0, mask="x"), r(0, pick="x"), literal(0x3F80_0000), literal(0)),
     "movc r0.x, r0.x, l(1.000000), l(0)"),
    (op("and", r(0, mask="x"), r(0, pick="x"), literal(0x3F80_0000)),
     "and r0.x, r0.x, l(0x3f800000)"),
    (op("store_raw", register(OperandType.THREAD_GROUP_SHARED_MEMORY, 0, mask="x"), literal(4),
        floats(1.5)),
     "store_raw g0.x, l(4), l(1.500000)"),
    (op("dadd", r(0, mask="xy"), r(0, pick="xyxy"), [0x5002, 0, 0x3FE0_0000, 0, 0x4000_0000]),
     "dadd r0.xy, r0.xyxy, d(0.500000l, 2.000000l)"),
    (op("dmov", r(0, mask="xy"), [0x5001, 7]), "dmov r0.xy, d(0x00000007)"),
    (op("gather4_po", r(0, mask="x"), floats(0.5, 0.5, 0, 0), r(0, pick="xyxx"), T0, S0),
     "gather4_po r0.x, l(0x3f000000, 0x3f000000, 0, 0), r0.xyxx, t0.xyzw, s0"),
    # suffixes of the mnemonic
    (op("add", r(0, mask="x"), r(1, pick="x"), r(2, pick="x"), controls=SAT | PRECISE_X),
     "add_sat [precise(x)] r0.x, r1.x, r2.x"),
    (op("mad", *[r(0, mask="x"), *[r(1, pick="x")] * 3], controls=PRECISE_ALL),
     "mad [precise] r0.x, r1.x, r1.x, r1.x"),
    (op("discard", r(0, pick="x"), controls=NZ), "discard_nz r0.x"),
    (op("discard", literal(0)), "discard_z l(0)"),
    (op("imul", register(OperandType.NULL), r(0, mask="x"), r(1, pick="x"), literal(3)),
     "imul null, r0.x, r1.x, l(3)"),
    (op("sample", r(0, mask="xyzw"), r(1, pick="xyxx"), T0, S0,
        extensions=[OFFSETS, TEXTURE2D, FLOAT4]),
     "sample_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) "
     "r0.xyzw, r1.xyxx, t0.xyzw, s0"),
    (op("sample", r(0, mask="x"), r(1, pick="xyxx"), T0, S0, extensions=[OFFSETS]),
     "sample_aoffimmi(-1,2,0) r0.x, r1.xyxx, t0.xyzw, s0"),
    (op("ld_structured", r(0, mask="x"), r(0, pick="x"), literal(4), T0,
        extensions=[STRUCTURES, FLOAT4]),
     "ld_structured_indexable(structured_buffer, stride=32)(float,float,float,float) "
     "r0.x, r0.x, l(4), t0.xyzw"),
    (op("resinfo", r(0, mask="xy"), literal(0), T0, controls=2, extensions=[TEXTURE2D, FLOAT4]),
     "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xy, l(0), t0.xyzw"),
    (op("resinfo", r(0, mask="xy"), literal(0), T0, controls=1),
     "resinfo_rcpfloat r0.xy, l(0), t0.xyzw"),
    (op("sampleinfo", r(0, mask="x"), T0, controls=1), "sampleinfo_uint r0.x, t0.xyzw"),
    (op("sync", controls=0b0011), "sync_g_t"),
    (op("sync", controls=0b0100), "sync_sat_ugroup"),
    (op("sync", controls=0b1001), "sync_uglobal_t"),
    # a dword that no operand takes is not printed
    (op("samplepos", r(0, mask="x"), T0, r(1, pick="x"), [0]), "samplepos r0.x, t0.xyzw, r1.x"),
    (op("imm_atomic_alloc", r(0, mask="x"), U0), "imm_atomic_alloc r0.x, u0"),
    (op("atomic_umin", register(OperandType.UNORDERED_ACCESS_VIEW, 3, 5), literal(0),
        r(0, pick="z")),
     "atomic_umin U3[5], l(0), r0.z"),
    (op("mov", r(0, mask="x"), modified(r(1, pick="x"), nonuniform=1)),
     "mov r0.x, r1.x { nonuniform }"),
    # precision: stated for what differs from 32 bits, "as" where it is converted
    (op("add", modified(r(0, mask="x"), precision=1), modified(r(1, pick="x"), precision=1),
        floats(2)),
     "add r0.x {min16f}, r1.x {min16f}, l(2.000000) {def32 as min16f}"),
    (op("mov", r(0, mask="x"), modified(r(1, pick="x"), precision=2)),
     "mov r0.x, r1.x {min2_8f as def32}"),
    (op("mov", r(0, mask="x"), modified(r(1, pick="x"), 3, 1)),
     "mov r0.x, -|r1.x {min16f as def32}|"),
    (op("utof", modified(r(0, mask="x"), precision=1), modified(r(1, pick="x"), precision=5)),
     "utof r0.x {min16f}, r1.x {min16u}"),
    # flow
    (op("ret"), "ret "),
    (op("case", literal(7)), "case l(7)"),
    (op("fcall", [2], register(OperandType.INTERFACE, 0, 1)), "fcall fp0[1][2]"),
    (op("label", register(OperandType.FUNCTION_BODY, 3)), "label fb3"),
    (op("emit_stream", register(OperandType.STREAM, 1)), "emit_stream m1"),
]
# fmt: on


@pytest.mark.parametrize(("words", "text"), INSTRUCTIONS)
def test_instruction(words: Words, text: str) -> None:
    assert line(words) == text


T_RANGE = register(OperandType.RESOURCE, 2, 8, 0xFFFF_FFFF)
FLOATS, UNUSED = 0x5555, 0x9987


# fmt: off
DECLARATIONS: list[tuple[Words, str]] = [
    (op("dcl_globalFlags", controls=0b1_0000_0001),
     "dcl_globalFlags refactoringAllowed | allResourcesBound"),
    (op("dcl_constantbuffer", register(CB, 0, 4, pick="xyzw")),
     "dcl_constantbuffer CB0[4], immediateIndexed"),
    (op("dcl_constantbuffer", register(CB, 1, 2, 5, pick="xyzw"), [3, 9], controls=1),
     "dcl_constantbuffer CB1[2:5][3], dynamicIndexed, space=9"),
    (op("dcl_sampler", S0, controls=1), "dcl_sampler s0, mode_comparison"),
    (op("dcl_sampler", register(OperandType.SAMPLER, 1, 2, 2), [4]),
     "dcl_sampler S1[2:2], mode_default, space=4"),
    (op("dcl_resource", register(OperandType.RESOURCE, 0), [FLOATS], controls=3),
     "dcl_resource_texture2d (float,float,float,float) t0"),
    (op("dcl_resource", T_RANGE, [FLOATS, 1], controls=4 | 8 << 5),
     "dcl_resource_texture2dms(8) (float,float,float,float) T2[8:*], space=1"),
    (op("dcl_resource", register(OperandType.RESOURCE, 0), [UNUSED], controls=1),
     "dcl_resource_buffer (double,<continued>,<unused>,<unused>) t0"),
    (op("dcl_resource_raw", register(OperandType.RESOURCE, 3)), "dcl_resource_raw t3"),
    (op("dcl_resource_structured", register(OperandType.RESOURCE, 3), [16]),
     "dcl_resource_structured t3, 16"),
    (op("dcl_uav_typed", U0, [FLOATS], controls=3 | 1 << 5 | 1 << 6),
     "dcl_uav_typed_texture2d_glc_rov (float,float,float,float) u0"),
    (op("dcl_uav_raw", U0, controls=1 << 5), "dcl_uav_raw_glc u0"),
    (op("dcl_uav_structured", U0, [32], controls=1 << 12), "dcl_uav_structured_opc u0, 32"),
    (op("dcl_tgsm_raw", register(OperandType.THREAD_GROUP_SHARED_MEMORY, 0), [64]),
     "dcl_tgsm_raw g0, 64"),
    (op("dcl_tgsm_structured", register(OperandType.THREAD_GROUP_SHARED_MEMORY, 1), [8, 3]),
     "dcl_tgsm_structured g1, 8, 3"),
    (op("dcl_input", register(OperandType.INPUT, 3, 0, mask="xy")), "dcl_input v[3][0].xy"),
    (op("dcl_input", register(OperandType.INPUT_PRIMITIVEID)), "dcl_input vPrim"),
    (op("dcl_input_sgv", register(OperandType.INPUT, 0, mask="x"), [6]),
     "dcl_input_sgv v0.x, vertex_id"),
    (op("dcl_input_ps", modified(register(OperandType.INPUT, 1, mask="x"), precision=1),
        controls=4),
     "dcl_input_ps linear noperspective v1.x {min16f}"),
    (op("dcl_input_ps_siv", register(OperandType.INPUT, 0, mask="xy"), [1], controls=7),
     "dcl_input_ps_siv linear noperspective sample v0.xy, position"),
    (op("dcl_input_ps_sgv", register(OperandType.INPUT, 0, mask="x"), [9], controls=1),
     "dcl_input_ps_sgv constant v0.x, is_front_face"),
    (op("dcl_output", register(OperandType.OUTPUT, 0, mask="xyzw")), "dcl_output o0.xyzw"),
    (op("dcl_output_siv", register(OperandType.OUTPUT, 0, mask="x"), [22]),
     "dcl_output_siv o0.x, finalLineDensityTessFactor"),
    (op("dcl_indexrange", register(OperandType.OUTPUT, 1, mask="x"), [4]),
     "dcl_indexrange o1.x 4"),
    (op("dcl_temps", [13]), "dcl_temps 13"),
    (op("dcl_indexableTemp", [0, 8, 4]), "dcl_indexableTemp x0[8], 4"),
    (op("dcl_thread_group", [8, 4, 1]), "dcl_thread_group 8, 4, 1"),
    (op("dcl_maxout", [3]), "dcl_maxout 3"),
    (op("dcl_gsinstances", [4]), "dcl_gsinstances 4"),
    (op("dcl_outputtopology", controls=5), "dcl_outputtopology trianglestrip "),
    (op("dcl_inputprimitive", controls=7), "dcl_inputprimitive triangleadj "),
    (op("dcl_inputprimitive", controls=10), "dcl_inputprimitive patch3 "),
    (op("dcl_stream", register(OperandType.STREAM, 0)), "dcl_stream m0"),
    (op("dcl_input_control_point_count", controls=32), "dcl_input_control_point_count 32"),
    (op("dcl_tessellator_domain", controls=3), "dcl_tessellator_domain domain_quad"),
    (op("dcl_tessellator_partitioning", controls=3),
     "dcl_tessellator_partitioning partitioning_fractional_odd"),
    (op("dcl_tessellator_output_primitive", controls=4),
     "dcl_tessellator_output_primitive output_triangle_ccw"),
    (op("dcl_hs_max_tessfactor", [0x4280_0000]), "dcl_hs_max_tessfactor l(64.000000)"),
    (op("dcl_hs_fork_phase_instance_count", [4]), "dcl_hs_fork_phase_instance_count 4"),
    (op("dcl_function_body", [2]), "dcl_function_body fb2"),
    (op("dcl_function_table", [1, 2, 0, 2]), "dcl_function_table ft1 = {fb0, fb2}"),
    (op("dcl_interface", [0, 6, 1 << 16 | 2, 0, 1]), "dcl_interface fp0[1][6] = {ft0, ft1}"),
    (op("dcl_interface", [3, 1, 3 << 16 | 1, 6], controls=1),
     "dcl_interface_dynamicindexed fp3[3][1] = {ft6}"),
    # numbers without a meaning, and dwords that are not there
    (op("dcl_resource", register(OperandType.RESOURCE, 0), [0], controls=31),
     "dcl_resource_<31> (<0>,<0>,<0>,<0>) t0"),
    (op("dcl_input_sgv", register(OperandType.INPUT, 0, mask="x"), [99]),
     "dcl_input_sgv v0.x, <99>"),
    (op("dcl_input_sgv", register(OperandType.INPUT, 0, mask="x")),
     "dcl_input_sgv v0.x, <none>"),
    (op("dcl_temps"), "dcl_temps <none>"),
    (op("dcl_hs_max_tessfactor"), "dcl_hs_max_tessfactor <none>"),
]
# fmt: on


@pytest.mark.parametrize(("words", "text"), DECLARATIONS)
def test_declaration(words: Words, text: str) -> None:
    assert line(words) == text


def test_older_generations() -> None:
    style = Style.for_creator("Microsoft (R) HLSL Shader Compiler 9.30.9200.20714")
    buffer = op("dcl_constantbuffer", register(CB, 0, 4, pick="xyzw"))
    assert line(buffer, style) == "dcl_constantbuffer cb0[4], immediateIndexed"
    structured = op("dcl_resource_structured", register(OperandType.RESOURCE, 3), [16])
    assert line(structured, style) == "dcl_resource_structured t3, 16 "
    face = op("dcl_input_ps_sgv", register(OperandType.INPUT, 0, mask="x"), [9], controls=1)
    assert line(face, style) == "dcl_input_ps_sgv v0.x, is_front_face"


@pytest.mark.parametrize(
    ("creator", "model", "library"),
    [
        ("Microsoft (R) HLSL Shader Compiler 9.29.952.3111", (4, 0), Library.COMPILER_46),
        ("Microsoft (R) HLSL Shader Compiler 9.30.9200.20714", (5, 0), Library.COMPILER_46),
        ("Microsoft (R) HLSL Shader Compiler 6.3.9600.16384", (5, 0), Library.MSVCRT),
        ("Microsoft (R) HLSL Shader Compiler 10.1", (4, 0), Library.UCRT_19041),
        ("another compiler", (5, 1), Library.UCRT_19041),
        (None, (5, 1), Library.UCRT_19041),
        (None, (4, 0), Library.UCRT),
    ],
)
def test_library_of_a_creator(
    creator: str | None, model: tuple[int, int], library: Library
) -> None:
    assert Style.for_creator(creator, model).library == library
    assert Style.for_creator(creator, model, library=Library.MSVCRT).library == Library.MSVCRT


def test_blocks_are_indented() -> None:
    scalar = r(0, pick="x")
    assert lines(
        op("loop"),
        op("switch", scalar),
        op("case", literal(1)),
        op("if", scalar, controls=NZ),
        op("break"),
        op("else"),
        op("discard", scalar),
        op("endif"),
        op("default"),
        op("endswitch"),
        op("endloop"),
        op("label", register(OperandType.FUNCTION_BODY, 0)),
        op("ret"),
    ) == [
        "ps_5_0",
        "loop ",
        "  switch r0.x",
        "    case l(1)",
        "    if_nz r0.x",
        "      break ",
        "    else ",
        "      discard_z r0.x",
        "    endif ",
        "    default ",
        "  endswitch ",
        "endloop ",
        "label fb0",
        "ret ",
    ]


def test_unbalanced_blocks() -> None:
    assert lines(op("endif"), op("endloop"), op("ret"))[1:] == ["endif ", "endloop ", "ret "]
    text = lines(*[op("loop")] * 1000, op("ret"))[-1]
    assert text == "  " * DEEPEST + "ret "


def test_constant_table() -> None:
    rows = (0x3F80_0000, 0, 0, 0x8000_0000, 7, 0x4000_0000, 0xFFFF_FFFF, 0)
    assert lines(custom(3, *rows))[1:] == [
        "dcl_immediateConstantBuffer { { 1.000000, 0, 0, -0.000000},",
        "                              { 7, 2.000000, -1, 0} }",
    ]


def test_debug_messages() -> None:
    text = b'f = "%f"\n\x07'
    padded = text.ljust(len(text) // 4 * 4 + 4, b"\0")
    operand = r(0, pick="x")
    words = [0x0020_0102, 1, len(text), 1, len(operand), *operand]
    words += struct.unpack(f"<{len(padded) // 4}I", padded)
    assert line(custom(4, *words)) == 'printf "f = "%f"\\n.", r0.x'


@pytest.mark.parametrize(
    "words",
    [
        custom(0, 0x6F6C_6C61),
        custom(2),
        custom(4),
        custom(4, 0x0020_0102, 1, 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF),
        custom(4, 0x0020_0102, 1, 0, 1, 1, 0x0010_0002),
        custom(4, 99, 1, 0, 0, 0, 0),
        custom(0x1F_FFFF, 1, 2, 3),
    ],
)
def test_other_custom_data(words: Words) -> None:
    assert line(words) == "undecipherable custom data"


def test_unknown_opcodes() -> None:
    words = [235 | 3 << 24, 1, 0xDEAD_BEEF]
    assert line(words) == "<unknown_235> 0x030000eb, 0x00000001, 0xdeadbeef"
    assert line([107 | 1 << 24]) == "<unknown_107> 0x0100006b"


def test_operands_of_unknown_files() -> None:
    assert line(op("mov", r(0, mask="x"), register(200, 1, pick="x"))) == "mov r0.x, <200>1.x"


def test_literals_in_unusual_places() -> None:
    indexed = [literal(5)[0] | 1 << 20, 5, 3]
    assert line(op("mov", r(0, mask="x"), indexed)) == "mov r0.x, l(5)[3]"
    assert line(op("dcl_resource_raw", literal(5))) == "dcl_resource_raw l(5)"


@pytest.mark.slow
def test_nesting_of_operands_is_bounded() -> None:
    operand = Operand(r(0, pick="x")[0], indices=[Index(0)])
    for _ in range(5000):
        operand = Operand(r(0, pick="x")[0], indices=[Index(0, operand)])
    text = print_instruction(Instruction(OPS["emit_stream"].code, [operand]))
    assert text.count("[") < 20


def test_undecoded_instructions() -> None:
    mov = OPS["mov"].code
    assert print_instruction(Instruction(mov)) == "mov"
    zero = Operand(r(0, pick="x")[0], indices=[Index(0)])
    assert print_instruction(Instruction(mov, [zero] * 3)) == "mov r0.x, r0.x, r0.x"
    assert print_instruction(Instruction(OPS["dcl_input"].code)) == "dcl_input"
    assert print_instruction(Instruction(OPS["fcall"].code, [zero])) == "fcall r0.x[<none>]"


def test_profile() -> None:
    assert lines(version=0x0005_0051) == ["cs_5_1"]
    assert disassemble(Program(VersionToken(0x00FF_0040))) == ["<255>_4_0"]


def test_one_instruction_is_printed_as_in_the_program() -> None:
    words = op("add", r(0, mask="x"), r(1, pick="x"), floats(0.1))
    data = struct.pack(f"<{len(words) + 2}I", PS_5_0, len(words) + 2, *words)
    program = Program.decode(data)
    assert disassemble(program)[1:] == [print_instruction(program.instructions[0])]


def test_unverified_spellings_are_unique() -> None:
    spellings = [spelling for spelling, _ in UNVERIFIED]
    assert len(set(spellings)) == len(spellings)
    assert all(evidence for _, evidence in UNVERIFIED)


@pytest.mark.parametrize("path", CONTAINERS[::4], ids=lambda path: path.stem)
def test_an_instruction_is_its_line(path: Path) -> None:
    (code,) = unshade.open(path).programs
    lines = [line.strip() for line in code.disassemble().splitlines()[1:]]
    printed = [line.strip() for each in code.instructions for line in str(each).split("\n")]
    assert printed == lines


def test_incomplete_instructions_have_a_text() -> None:
    assert "that cannot be printed" in str(Instruction.__new__(Instruction))
    assert str(Operand.__new__(Operand)).startswith("that cannot be printed")
    assert str(Instruction.make("loop")) == "loop"
