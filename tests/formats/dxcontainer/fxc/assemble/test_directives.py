"""Signatures in listings of vkd3d-compiler."""

from __future__ import annotations

import pytest

from unshade import AssembleError, assemble
from unshade.formats.dxcontainer.parts.signature import SignatureElement

CODE = "dcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret\n"
LISTING = """\
ps_5_0
.input
.param SV_POSITION.xyzw, v0, float, POS
.param TEXCOORD12.xyz, v3.xz, float
.param A.w, v4.w, uint, NONE, UINT_16
.output
.param SV_TARGET.xyzw, o0.xyz, float, TARGET
.param SV_Depth, oDepth, float, DEPTH
.text
"""
NOWHERE = 0xFFFFFFFF


def rows(listing: str, *names: str) -> list[SignatureElement]:
    shader = assemble(listing)
    part = next(each for each in shader.parts if each.name in names)
    found: list[SignatureElement] = part.value.elements
    return found


def test_inputs() -> None:
    position, coordinates, small = rows(LISTING + CODE, "ISG1")
    assert (position.name, position.index, position.register) == ("SV_POSITION", 0, 0)
    assert (position.system_value, position.mask, position.rw_mask) == (1, 15, 0)
    assert (coordinates.name, coordinates.index, coordinates.register) == ("TEXCOORD", 12, 3)
    assert (coordinates.mask, coordinates.rw_mask) == (7, 5)
    assert coordinates.component_type == 3
    assert (small.name, small.mask, small.component_type, small.min_precision) == ("A", 8, 1, 5)


def test_outputs() -> None:
    target, depth = rows(LISTING + CODE, "OSG1")
    assert (target.system_value, target.mask, target.rw_mask) == (0, 15, 8)
    assert (depth.name, depth.register, depth.mask, depth.rw_mask) == ("SV_Depth", NOWHERE, 1, 14)


def test_streams() -> None:
    text = "gs_5_0\n.output\n.param TEXCOORD.x, o0.x, float, NONE, NONE, m2\n.text\nret\n"
    assert rows(text, "OSG5")[0].stream == 2


def test_a_signature_that_is_not_printed_is_empty() -> None:
    """Not one that is made from the declarations."""
    assert rows("ps_5_0\n.output\n.text\ndcl_input_ps linear v1.xy\n" + CODE, "ISGN") == []
    assert [row.name for row in rows("ps_5_0\ndcl_input_ps linear v1.xy\n" + CODE, "ISGN")] == [
        "TEXCOORD"
    ]


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        (".param A.xy", 12, "expected ',', got the end of the line"),
        (".param A.xy, r0", 14, "expected a register, v# or o#, got 'r0'"),
        (".param A.xy, v0, real", 18, "unknown component type 'real'"),
        (".param A.xy, v0, float, POSITION", 25, "unknown system value 'POSITION'"),
        (".param A.xy, v0, float, POS, HALF", 30, "unknown precision 'HALF'"),
        (".param A.xy, v0, float, POS, NONE, m4", 36, "expected a stream, m0 to m3, got 'm4'"),
        (".param .xy, v0", 8, "expected a semantic, such as TEXCOORD0.xy, got '.'"),
    ],
)  # fmt: skip
def test_mistakes(line: str, column: int, problem: str) -> None:
    with pytest.raises(AssembleError) as caught:
        assemble(f"ps_5_0\n.input\n{line}\n.text\n{CODE}")
    assert not caught.value.others
    assert (caught.value.line, caught.value.column, caught.value.problem) == (3, column, problem)


def test_a_row_without_a_signature() -> None:
    with pytest.raises(AssembleError, match=r"expected \.input before \.param"):
        assemble(f"ps_5_0\n.param A.xy, v0\n{CODE}")


def test_other_models_are_one_error() -> None:
    """The lines of a Direct3D 9 listing are not read as Shader Model 4."""
    with pytest.raises(AssembleError) as caught:
        assemble("ps_2_0\ndef c0 = 1.00000000e+00, 0.0, 0.0, 1.0\nmov oC0, c0\n", "dxcontainer")
    assert [each.problem for each in caught.value.errors] == [
        "expected a shader model of 4.0, 4.1, 5.0, 5.1, got 2.0"
    ]


def test_reflection_shows_a_signature_as_it_is_in_the_file() -> None:
    """Not what the code declares, even if the part has no rows."""
    code = "dcl_input_ps linear v1.xy\n" + CODE
    for text, inputs in (
        ("ps_5_0\n.input\n.output\n.text\n", []),
        ("ps_5_0\n.input\n.param COLOR3.xy, v1.xy, float\n.output\n.text\n", ["COLOR3"]),
        ("ps_5_0\n", ["TEXCOORD1"]),
    ):
        found = assemble(text + code).reflect().inputs
        assert [f"{each.semantic}{each.index}" for each in found] == inputs
