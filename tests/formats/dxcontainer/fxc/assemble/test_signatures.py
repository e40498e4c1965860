"""Parsing the tables of signatures."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.formats.dxcontainer.fxc.assemble.reading import commented, mistakes_in, read
from tests.formats.dxcontainer.fxc.listing.records import element
from unshade.formats.dxcontainer.fxc.listing import signatures
from unshade.formats.dxcontainer.fxc.listing.generation import GENERATIONS
from unshade.formats.dxcontainer.parts.signature import ProgramSignature
from unshade.vocab.d3d import D3DMinPrecision, D3DName, RegisterComponentType, ShaderKind

HEADS = """
Input signature:

Name                 Index   Mask Register SysValue  Format   Used
-------------------- ----- ------ -------- -------- ------- ------
"""
NOWHERE = 0xFFFFFFFF


ROWS = [
    element(),
    element("SV_Position", value=D3DName.POSITION, mask=15, rw=3),
    element("TEXCOORD", 12, register=31, mask=0b1101, rw=0b1001),
    element("A_NAME_LONGER_THAN_ITS_COLUMN", mask=6, rw=0),
    element("SV_PrimitiveID", 0, D3DName.PRIMITIVE_ID, RegisterComponentType.UINT32, NOWHERE, 1, 1),
    element("SV_PrimitiveID", 0, D3DName.PRIMITIVE_ID, RegisterComponentType.UINT32, NOWHERE, 1, 0),
    element(precision=D3DMinPrecision.FLOAT_16, mask=3, rw=1),
    element(precision=D3DMinPrecision.FLOAT_2_8),
    element(kind=RegisterComponentType.UINT32, precision=D3DMinPrecision.UINT_16),
    element(kind=RegisterComponentType.SINT32, precision=D3DMinPrecision.SINT_16),
    element(kind=RegisterComponentType.FLOAT64),
    element(value=99, kind=77, mask=0, rw=0),
]


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("title", ["Input", "Output", "Patch Constant"])
def test_printed_tables_are_parsed(generation: str, title: str) -> None:
    stage = ShaderKind.DOMAIN
    written = title == "Output"
    rows = deepcopy(ROWS)
    if written:  # components that a row does not have are never written
        for each in rows:
            each.rw_mask |= 15 & ~each.mask
    lines = signatures.lines(
        ProgramSignature(elements=rows), title, stage, written, GENERATIONS[generation]
    )
    assert read("\n".join(lines), stage).signatures == {title: ProgramSignature(elements=rows)}


def test_streams() -> None:
    rows = [element(rw=0), element("B", stream=3, rw=0)]
    lines = signatures.lines(
        ProgramSignature(elements=rows), "Output", ShaderKind.GEOMETRY, True, GENERATIONS["10.1"]
    )
    assert read("\n".join(lines), ShaderKind.GEOMETRY).signatures["Output"].elements == rows


def test_pixel_shader_outputs_by_name() -> None:
    found = read(
        commented("""
Output signature:

Name                 Index   Mask Register SysValue  Format   Used
-------------------- ----- ------ -------- -------- ------- ------
SV_TARGET                3   xyzw        3   TARGET    uint   xyzw
COLOR                    0   xyzw        4   TARGET   float   xyz
SV_Depth                 0    N/A   oDepth    DEPTH   float    YES
SV_Coverage              0    N/A    oMask COVERAGE    uint     NO
SV_StencilRef            0    N/A    oStencilRef STENCILREF    uint    YES
""")
    )
    uint = RegisterComponentType.UINT32
    assert found.signatures["Output"].elements == [
        element("SV_TARGET", 3, 0, uint, 3, 15, 0),
        element("COLOR", 0, D3DName.TARGET, register=4, mask=15, rw=8),
        element("SV_Depth", register=NOWHERE, mask=1, rw=14),
        element("SV_Coverage", kind=uint, register=NOWHERE, mask=1, rw=15),
        element("SV_StencilRef", kind=uint, register=NOWHERE, mask=1, rw=14),
    ]


def test_whitespace_is_free() -> None:
    text = commented(HEADS + "TEXCOORD 1 xy 2 NONE float x\nCOLOR 0 x  w 3 NONE float  w")
    assert read(text).signatures["Input"].elements == [
        element("TEXCOORD", 1, register=2, mask=3, rw=1),
        element("COLOR", register=3, mask=9, rw=8),
    ]


def test_no_rows() -> None:
    assert read(commented(HEADS + "no Input")).signatures == {
        "Input": ProgramSignature(elements=[])
    }
    assert read(commented(HEADS)).signatures == {"Input": ProgramSignature(elements=[])}


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("A x xy 0 NONE float xy", 6, "expected a semantic index, got 'x'"),
        ("A 4294967296 xy 0 NONE float xy", 6, "up to 4294967295, got 4294967296"),
        (f"A {'9' * 5000} xy 0 NONE float xy", 6, "up to 4294967295, got 9999999999"),
        ("A 0 yx 0 NONE float x", 8, "expected components, a selection of xyzw in this order"),
        ("A 0 xy NONE float x", 11, "expected a register, got 'NONE'"),
        ("A 0 N/A oDeth DEPTH float YES", 12, "'oDeth'; did you mean oDepth?"),
        ("A 0 N/A oDepth DEPTH float yes", 31, "unknown use 'yes'"),
        ("A 0 xy 0 POSITON float xy", 13, "unknown system value 'POSITON'"),
        ("A 0 xy 0 VERTD float xy", 13, "did you mean VERTID?"),
        ("A 0 xy 0 NONE flaot xy", 18, "unknown format 'flaot'; did you mean float?"),
        ("A 0 xy 0 NONE min16 xy", 18, "did you mean min16"),
        ("A 0 xy 0 NONE float xyz", 24, "expected components of the mask xy, got xyz"),
        ("A 0 xy 0 NONE float xy 5", 27, "expected components or the end of the line, got '5'"),
        ("A 0 xy 0", 12, "expected a system value, got the end of the line"),
        ("A", 5, "expected a semantic index, got the end of the line"),
        ("m1:B:C 0 xy 0 NONE float x", 8, "expected a semantic index, got ':'"),
    ],
)
def test_mistakes(line: str, column: int, problem: str) -> None:
    (found,) = mistakes_in(commented(HEADS + line))
    assert found[:2] == (5, column)
    assert problem in found[2]


def test_every_row_is_parsed() -> None:
    found = mistakes_in(commented(HEADS + "A\nB 0 xy 0 NONE float xy\nC"))
    assert [line for line, *_ in found] == [5, 7]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("Input signature:", 2, "a comment with the titles of the table's columns"),
        ("Input signature:\n\nName Mask\n----", 3, "'Name Index Mask Register SysValue Format"),
        (HEADS.replace("--", "=="), 4, "expected a rule of dashes and blanks below the titles"),
    ],
)
def test_a_signature_title_requires_a_signature(text: str, line: int, problem: str) -> None:
    (found,) = mistakes_in(commented(text) + "ps_5_0\n")
    assert found[0] == line
    assert problem in found[2]
