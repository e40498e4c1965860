"""A line of code becomes the dwords that print as it; an invalid one, an error with its place."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import drawn, dwords, instruction, refused
from tests.programs.tpf.text.test_text import DECLARATIONS, INSTRUCTIONS, Words
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.text import print_instruction

# Words that print as they do, but that no compiler writes so.
UNUSUAL = {
    "mov oDepth, r0.x",  # one component
    "mov r0.x, cb0[r1.y + 7].x",
    "dcl_constantbuffer CB1[2:5][3], dynamicIndexed, space=9",
    "dcl_sampler S1[2:2], mode_default, space=4",
    "dcl_resource_texture2dms(8) (float,float,float,float) T2[8:*], space=1",
}


@pytest.mark.parametrize(
    ("words", "text"), [each for each in INSTRUCTIONS + DECLARATIONS if each[1] not in UNUSUAL]
)
def test_printed_lines_assemble(words: Words, text: str) -> None:
    assert dwords(text) == words


@pytest.mark.parametrize(("words", "text"), INSTRUCTIONS + DECLARATIONS)
def test_assembled_lines_print_alike(words: Words, text: str) -> None:
    assert print_instruction(instruction(text)) == text


NOT_GENERAL = {"customdata", "fcall"}


@pytest.mark.parametrize(
    "name", [row.name for row in OPS if row.kind != "decl" and row.name not in NOT_GENERAL]
)
def test_every_operation_has_a_line(name: str) -> None:
    """Printed from the table, read by the table."""
    row = OPS[name]
    sample = {
        "D": "r0.xyzw", "N": "null", "f": "r1.xyzw", "i": "r1.x", "u": "r1.x", "d": "r1.xyzw",
        "c": "r1.x", "x": "r1.xyzw", "T": "t0.xyzw", "S": "s0", "U": "u0.xyzw", "W": "u0.xyzw",
        "R": "t0.xyzw", "v": "v0.xyzw", "M": "m0", "L": "fb0",
    }  # fmt: skip
    operands = ", ".join(sample[letter] for letter in row.operands)
    head = name + ("_nz" if row.test else "") + (" " if row.blank else "")
    text = f"{head} {operands}" if operands else head
    assert instruction(text).name == name
    assert print_instruction(instruction(text)) == text


@pytest.mark.parametrize(
    ("free", "text"),
    [
        ("mov  r0.x ,r1 . x", "mov r0.x, r1.x"),
        ("\tmov\tr0.x,\tr1.x\t", "mov r0.x, r1.x"),
        ("mov r0.x, r1.x\r", "mov r0.x, r1.x"),
        ("mov r0.x, r1.x// as it is", "mov r0.x, r1.x"),
        ("mov r0.x, cb0[ r1.x+4 ].x", "mov r0.x, cb0[r1.x + 4].x"),
        ("mov r0.x, cb0[r1.x].x", "mov r0.x, cb0[r1.x + 0].x"),
        ("mov r0.x, cb0[0x10].x", "mov r0.x, cb0[16].x"),
        ("mov r0.x, -| r1.x {min16f  as  def32} |", "mov r0.x, -|r1.x {min16f as def32}|"),
        ("sample_aoffimmi( -1, 2, 0 ) r0.x, r1.xyxx, t0.xyzw, s0",
         "sample_aoffimmi(-1,2,0) r0.x, r1.xyxx, t0.xyzw, s0"),
        ("add [ precise ( xy ) ] r0.xy, r1.xyxx, r2.xyxx",
         "add [precise(xy)] r0.xy, r1.xyxx, r2.xyxx"),
        ("dcl_constantbuffer cb0[4], immediateIndexed",
         "dcl_constantbuffer CB0[4], immediateIndexed"),
        ("dcl_input_ps_sgv v0.x, is_front_face", "dcl_input_ps_sgv constant v0.x, is_front_face"),
        ("dcl_input_ps linear   noperspective v0.x", "dcl_input_ps linear noperspective v0.x"),
        ("dcl_resource_structured t3, 16 ", "dcl_resource_structured t3, 16"),
        ("dcl_globalFlags", "dcl_globalFlags "),
        ("ret", "ret "),
    ],
)  # fmt: skip
def test_alternative_spellings(free: str, text: str) -> None:
    assert print_instruction(instruction(free)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("samplepos r0.x, t0.xyzw, r1.x", (0,)),
        ("samplepos r0.x, rasterizer.xxxy, r1.x", ()),
        ("sample_cl_s_indexable(texture2d)(float,float,float,float) "
         "r0.xyzw, null, r1.xyxx, t0.xyzw, s0, r1.z", (0,)),
        ("sample_d_cl_s_indexable(texture3d)(float,float,float,float) "
         "r0.xyzw, null, r1.xyxx, t0.xyzw, s0, r1.xyzx, r1.xyzx, r1.z", (0x2000,)),
        ("sample_cl_s_indexable(texturecube)(float,float,float,float) "
         "r0.xyzw, null, r1.xyxx, t0.xyzw, s0, r1.z", ()),
        ("sample_cl_s_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) "
         "r0.xyzw, null, r1.xyxx, t0.xyzw, s0, r1.z", ()),
    ],
)  # fmt: skip
def test_the_dword_left_by_compilers(text: str, words: tuple[int, ...]) -> None:
    assert instruction(text).words == words


def test_a_table_too_long_for_the_opcode_token() -> None:
    bodies = ", ".join(f"fb{number}" for number in range(200))
    made = instruction(f"dcl_function_table ft0 = {{{bodies}}}")
    words = made.encode()
    assert words[0] >> 31
    assert words[1] == len(words) == 204
    assert instruction(print_instruction(made)) == made


def test_raw_dwords() -> None:
    assert dwords("<unknown_235> 0x020000eb, 0xdeadbeef") == [0x020000EB, 0xDEADBEEF]
    assert print_instruction(instruction("<dwords> 0x0100003e")) == "ret "


@pytest.mark.parametrize(
    ("text", "problem", "caret"),
    [
        ("mvo r0.x, r1.x",
         "unknown instruction 'mvo'; did you mean mov?",
         "^~~"),
        ("add_satt r0.x, r1.x, r2.x",
         "unknown instruction 'add_satt'; did you mean add_sat?",
         "^~~~~~~~"),
        ("customdata",
         "unknown instruction 'customdata'",
         "^~~~~~~~~~"),
        ("dcl_uav_raw_opc u0",
         "unknown instruction 'dcl_uav_raw_opc'; did you mean dcl_uav_raw?",
         "^~~~~~~~~~~~~~~"),
        ("ps_5_0",
         "expected one profile, before the code",
         "^~~~~~"),
        ("if r0.x",
         "expected if_z or if_nz, got if",
         "^~"),
        ("<5>",
         "unknown instruction '<5>'",
         "^~~"),
        ("<unknown_235> 4294967296",
         "the number does not fit 32 bits",
         "              ^~~~~~~~~~"),
        ("<dwords> 0x02000036, 0",
         "invalid instruction: at 0x8, instructions[0].operands[1]: the operand exceeds"
         " its instruction",
         "^~~~~~~~~~~~~~~~~~~~~~"),
        ("<dwords> 0x0100003e, 0x0100003e",
         "expected one instruction, got 2",
         "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"),
        ("{",
         "expected an instruction, got '{'",
         "^"),
        ("ret 5",
         "expected the end of the line, got '5'",
         "    ^"),
        ("mov r0.x",
         "expected ',' and operand 2 of mov, which takes 2, got the end of the line",
         "        ^"),
        ("mov r0.x r1.x",
         "expected ',' and operand 2 of mov, which takes 2, got 'r1'",
         "         ^~"),
        ("mov r0.x, r1.x, r2.x",
         "mov: expected 2 operands, got more",
         "              ^"),
        ("fcall fp0",
         "expected '[' and the number of the function, got the end of the line",
         "         ^"),
    ],
)  # fmt: skip
def test_malformed_instructions(text: str, problem: str, caret: str) -> None:
    assert drawn(text) == (problem, caret)


def test_an_instruction_too_long_for_its_token() -> None:
    deep = "r0.x"
    for _ in range(62):
        deep = f"cb0[{deep} + 1][0].x"
    problem = refused(f"mov r0.x, {deep}").problem
    assert problem.startswith(
        "the instruction cannot be encoded: length: expected at most 127 dwords, got 253"
    )
