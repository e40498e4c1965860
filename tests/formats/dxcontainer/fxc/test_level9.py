"""Feature level 9 in a listing: its tables, its code, and edits of the code."""

from __future__ import annotations

import pytest

import unshade
from tests.programs.d3d9.programs import PIXEL_2_0, PIXEL_2_0_TEXT, packed
from unshade.errors import AssembleError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.part import DxPart
from unshade.formats.dxcontainer.parts.level9 import (
    ConstantMapping,
    Level9Kind,
    Level9Program,
    RuntimeConstant,
    SamplerMapping,
)
from unshade.isa.source import Source

BLANK = " "  # at line ends
PROGRAM = f"""\
ps_4_0
dcl_constantbuffer CB0[2], immediateIndexed
dcl_output o0.xyzw
mov o0.xyzw, cb0[1].xyzw
ret{BLANK}
// Approximately 2 instruction slots used
"""
SECTION = f"""\
//
// Constant buffer to DX9 shader constant mappings:
//
// Target Reg Buffer  Start Reg # of Regs        Data Conversion
// ---------- ------- --------- --------- ----------------------
// c0         cb0             1         1  ( FLT, FLT, FLT, FLT)
//
//
// Runtime generated constant mappings:
//
// Target Reg                               Constant Description
// ---------- --------------------------------------------------
// c9                              Vertex Shader position offset
//
//
// Sampler/Resource to DX9 shader sampler mappings:
//
// Target Sampler Source Sampler  Source Resource
// -------------- --------------- ----------------
// s0             s1              t2              {BLANK}
//
//
// Level9 shader bytecode:
//
{PIXEL_2_0_TEXT}
// approximately 3 instruction slots used (1 texture, 2 arithmetic)
"""


def container(tokens: bytes) -> DxContainer:
    shader = unshade.assemble(PROGRAM, "dxcontainer")
    assert isinstance(shader, DxContainer)
    value = Level9Program(
        size=0, minor=0, major=2, kind=Level9Kind.PIXEL, tokens=tokens,
        constants=[ConstantMapping(buffer=0, start=1, count=1, target=0, conversions=[0] * 4)],
        samplers=[SamplerMapping(sampler=1, texture=2, target=0)],
        runtime_constants=[RuntimeConstant(kind=0, target=9)],
    )  # fmt: skip
    shader.parts.insert(0, DxPart("Aon9", value))
    return DxContainer.loads(shader.to_bytes())


def test_tables_and_code_precede_the_program() -> None:
    shader = container(packed(*PIXEL_2_0))
    text = shader.disassemble()
    assert f"{SECTION}ps_4_0\n" in text
    lines = text.split("\n")
    paths = shader.line_paths()
    assert paths[lines.index("    mul r0, r0, c0.x")] == ("Aon9.tokens.instructions[4]",)
    assert paths[lines.index("mov o0.xyzw, cb0[1].xyzw")] == ("SHDR.instructions[2]",)


def test_tables_without_rows_and_malformed_code_are_left_out() -> None:
    shader = container(packed(*PIXEL_2_0))
    value = shader["Aon9"]
    value.constants, value.samplers, value.runtime_constants = [], [], []
    assert "mappings" not in shader.disassemble()
    assert "//\n// Level9 shader bytecode:\n//\n    ps_2_0\n" in shader.disassemble()
    assert "Level9" not in container(b"abcd").disassemble()


def test_an_unknown_conversion_is_its_number() -> None:
    shader = container(packed(*PIXEL_2_0))
    shader["Aon9"].constants[0].conversions = [0, 3, 0, 1]
    shader["Aon9"].runtime_constants[0].kind = 5
    assert "1         1      ( FLT, 3, FLT, 1)\n" in shader.disassemble()
    assert (
        "// c9                                                     kind 5\n" in shader.disassemble()
    )


def test_the_code_is_assembled_into_the_donor() -> None:
    donor = container(packed(*PIXEL_2_0))
    text = donor.disassemble()
    assert DxContainer.assemble([Source(text)], donor=donor).to_bytes() == donor.to_bytes()
    edited = text.replace("    mul r0, r0, c0.x\n", "    mad r0, r0, c0.x, c0.y\n")
    made = DxContainer.assemble([Source(edited)], donor=donor)
    assert "    mad r0, r0, c0.x, c0.y\n" in made.disassemble()
    assert made["SHDR"] == donor["SHDR"]
    assert made["Aon9"].constants == donor["Aon9"].constants
    assert made["Aon9"].size == donor["Aon9"].size + 4
    assert DxContainer.loads(made.to_bytes()).to_bytes() == made.to_bytes()


def test_errors_have_their_places() -> None:
    donor = container(packed(*PIXEL_2_0))
    text = donor.disassemble()
    line = text.split("\n").index("    mov oC0, r0") + 1
    with pytest.raises(AssembleError, match=f"{line}:9: expected a register of ps_2_0, got 'x'"):
        DxContainer.assemble([Source(text.replace("mov oC0, r0", "mov x0, r0"))], donor=donor)
    donor["Aon9"] = b"torn"
    with pytest.raises(AssembleError, match="expected a donor with a readable Aon9, or none"):
        DxContainer.assemble([Source(text)], donor=donor)


def test_a_listing_alone_has_all_of_the_part() -> None:
    """Tables and code make the part again; it comes first, as fxc writes it."""
    original = container(packed(*PIXEL_2_0))
    text = original.disassemble()
    wanted = original["Aon9"]
    del original["Aon9"]
    for donor in (None, original):
        made = DxContainer.assemble([Source(text)], donor=donor)
        assert SECTION in made.disassemble()
        assert made.parts[0].name == "Aon9"
        assert made["Aon9"].tokens == wanted.tokens
        again = DxContainer.loads(made.to_bytes())
        assert again["Aon9"].size == len(again.parts[0].data)
        assert {each.code for each in again.verify() if each.path.startswith("Aon9")} == {
            "aon9.register"  # the program has neither s1 nor t2
        }


@pytest.mark.parametrize(
    "wrong",
    ["c0 cb0 1 70000 ( FLT, FLT, FLT, FLT)", "c0 cb0 1 1 ( FLT, FLT, FLT, 256)", "c0 b0 1 1"],
)
def test_rows_of_tables_that_are_malformed(wrong: str) -> None:
    row = "c0         cb0             1         1  ( FLT, FLT, FLT, FLT)"
    text = container(packed(*PIXEL_2_0)).disassemble()
    line = text.split("\n").index(f"// {row}") + 1
    with pytest.raises(AssembleError, match=f"{line}:1: expected a row such as 'c0 cb0 0 4 "):
        DxContainer.assemble([Source(text.replace(row, wrong))])
