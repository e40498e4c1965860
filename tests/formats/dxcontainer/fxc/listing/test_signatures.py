"""Printing the tables of signatures."""

from __future__ import annotations

import pytest

from tests.formats.dxcontainer.fxc.listing.records import element
from unshade.formats.dxcontainer.fxc.listing import signatures
from unshade.formats.dxcontainer.fxc.listing.generation import GENERATIONS
from unshade.formats.dxcontainer.parts.signature import ProgramSignature, SignatureElement
from unshade.vocab.d3d import D3DMinPrecision, D3DName, RegisterComponentType, ShaderKind


def rows(
    *elements: SignatureElement,
    written: bool = False,
    stage: ShaderKind = ShaderKind.PIXEL,
    generation: str = "10.1",
) -> list[str]:
    found = signatures.lines(
        ProgramSignature(count=None, elements=list(elements)),
        "Input",
        stage,
        written,
        GENERATIONS[generation],
    )
    assert found[:3] == ["//", "// Input signature:", "//"]
    return found[3:]


def test_inputs() -> None:
    assert rows(
        element("SV_Position", value=D3DName.POSITION, rw=3),
        element("TEXCOORD", mask=12, rw=8, register=1, index=2),
        element("SV_IsFrontFace", 0, D3DName.IS_FRONT_FACE, RegisterComponentType.UINT32, 2, 1, 0),
    ) == [
        "// Name                 Index   Mask Register SysValue  Format   Used",
        "// -------------------- ----- ------ -------- -------- ------- ------",
        "// SV_Position              0   xyzw        0      POS   float   xy  ",
        "// TEXCOORD                 2     zw        1     NONE   float      w",
        "// SV_IsFrontFace           0   x           2    FFACE    uint       ",
        "//",
    ]


def test_outputs_are_used_where_written() -> None:
    assert rows(element("A", mask=7, rw=9), written=True)[2].endswith("    yz ")


def test_empty() -> None:
    assert rows()[2:] == ["// no Input"]


def test_format_column_of_9_29() -> None:
    assert rows(element("TEXCOORD"), generation="9.29") == [
        "// Name                 Index   Mask Register SysValue Format   Used",
        "// -------------------- ----- ------ -------- -------- ------ ------",
        "// TEXCOORD                 0   xyzw        0     NONE  float   xyzw",
        "//",
    ]


def test_streams() -> None:
    found = rows(element("A", stream=0), element("SV_RenderTargetArrayIndex", stream=1))
    assert found[2] == "// m0:A                     0   xyzw        0     NONE   float   xyzw"
    assert (
        found[3] == "// m1:SV_RenderTargetArrayIndex     0   xyzw        0     NONE   float   xyzw"
    )
    assert rows(element("A"))[2].startswith("// A  ")


NOWHERE = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("name", "tail"),
    [
        ("SV_Depth", "    N/A   oDepth    DEPTH   float    YES"),
        ("SV_COVERAGE", "    N/A    oMask COVERAGE   float    YES"),
        ("sv_depthgreaterequal", "    N/A oDepthGE  DEPTHGE   float    YES"),
        ("SV_DepthLessEqual", "    N/A oDepthLE  DEPTHLE   float    YES"),
        ("SV_StencilRef", "    N/A    oStencilRef STENCILREF   float    YES"),
    ],
)
def test_outputs_without_register(name: str, tail: str) -> None:
    found = rows(element(name, mask=1, rw=14, register=NOWHERE), written=True)[2]
    assert found == f"// {name:<20}     0{tail}"


def test_inputs_without_register() -> None:
    value = D3DName.PRIMITIVE_ID
    each = element("SV_PrimitiveID", 0, value, RegisterComponentType.UINT32, NOWHERE, 1, 0)
    assert rows(each)[2] == "// SV_PrimitiveID           0    N/A   primID   PRIMID    uint     NO"
    other = element("SV_SampleIndex", 0, D3DName.SAMPLE_INDEX, register=NOWHERE, mask=1, rw=1)
    assert rows(other)[2] == "// SV_SampleIndex           0    N/A  special   SAMPLE   float    YES"


def test_targets_are_known_by_name() -> None:
    each = element("SV_Target", rw=0)
    assert " TARGET " in rows(each, written=True)[2]
    assert " NONE " in rows(each, written=True, stage=ShaderKind.VERTEX)[2]
    assert " NONE " in rows(each)[2]


@pytest.mark.parametrize(
    ("precision", "word"),
    [
        (D3DMinPrecision.FLOAT_16, " min16f "),
        (D3DMinPrecision.FLOAT_2_8, " min2_8f "),
        (D3DMinPrecision.SINT_16, " min16i "),
        (D3DMinPrecision.UINT_16, " min16u "),
        (D3DMinPrecision.DEFAULT, "  float "),
    ],
)
def test_precisions(precision: D3DMinPrecision, word: str) -> None:
    assert word in rows(element("A", precision=precision))[2]
