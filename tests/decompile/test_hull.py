"""Hull shaders: the function of a control point, and the one for the constants of the patch."""

from importlib.util import find_spec

import pytest

import unshade
from tests.corpus import REPOSITORY

from .recompiled import FEW, outcome

SHEET = REPOSITORY / "examples" / "sheet.h.dxbc"
DECLARED = """
//
// Patch Constant signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TessFactor            0   x           0  TRIEDGE   float   x
// SV_TessFactor            1   x           1  TRIEDGE   float   x
// SV_TessFactor            2   x           2  TRIEDGE   float   x
// SV_InsideTessFactor      0   x           3   TRIINT   float   x
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// CORNER                   0   xyzw        0     NONE   float   xyzw
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// CORNER                   0   xyzw        0     NONE   float   xyzw
//
hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
"""
POINT = """
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[3][0].xyzw
dcl_output o0.xyzw
dcl_temps 1
{}
ret
"""
EDGES = """
hs_fork_phase
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_input vicp[3][0].xyzw
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
dcl_indexrange o0.x 3
mov r0.x, vForkInstanceID.x
mov o[r0.x + 0].x, vicp[r0.x + 0][0].w
ret
"""
INSIDE = """
hs_join_phase
dcl_input vpc0.x
dcl_input vpc1.x
dcl_input vocp[3][0].xyzw
dcl_output_siv o3.x, finalTriInsideTessFactor
dcl_temps 1
{}
ret
"""
COPIED = POINT.format("mov r0.x, vOutputControlPointID\nmov o0.xyzw, v[r0.x + 0][0].xyzw")
JOINED = INSIDE.format("add r0.x, vpc0.x, vpc1.x\nadd o3.x, r0.x, vocp[2][0].y")


def hull(*phases: str) -> str:
    text = DECLARED + "".join(phases)
    return unshade.assemble(text, "dxcontainer").decompile(style="exact")


def test_a_control_point_and_the_patch_have_a_function_each() -> None:
    text = hull(COPIED, EDGES, JOINED)
    first, second = text.split("\n\n[domain")
    assert "PatchConstants patch_constants(InputPatch<Vertex, 3> vertices, OutputPatch" in first
    assert "OutputControlPointID" not in first
    assert "ControlPoint main(InputPatch<Vertex, 3> vertices, uint" in second
    assert " = vertices[control_point_id].corner;" in second
    for each in (
        '("tri")]', '[partitioning("fractional_odd")]', '[outputtopology("triangle_cw")]',
        "[outputcontrolpoints(3)]", '[patchconstantfunc("patch_constants")]',
    ):  # fmt: skip
        assert each in second


def test_instances_of_a_phase_are_written_one_after_the_other() -> None:
    text = hull(COPIED, EDGES, JOINED)
    for number in range(3):
        assert f"constants.tessFactor[{number}] = vertices[{number}].corner.w;" in text


def test_a_phase_reads_what_others_wrote() -> None:
    text = hull(COPIED, EDGES, JOINED)
    total = "constants.tessFactor[0] + constants.tessFactor[1]"
    assert f"constants.insideTessFactor = {total} + points[2].corner.y;" in text


def test_the_functions_share_no_registers() -> None:
    """What a register holds at the start of a phase is undefined in Direct3D."""
    point = POINT.format("mov r0.x, vOutputControlPointID\nmov o0.xyzw, r0.xxxx")
    text = hull(point, EDGES, INSIDE.format("mov o3.x, r0.x"))
    assert "control_point_id" not in text.split("[domain")[0]


def test_a_control_point_phase_that_writes_nothing_is_the_first_function() -> None:
    text = hull(POINT.format("mov r0.x, vOutputControlPointID"), EDGES, JOINED)
    assert "constants.tessFactor[2] = vertices[2].corner.w;" in text.split("[domain")[0]
    assert "ControlPoint main(InputPatch<Vertex, 3> vertices)\n" in text.split("[domain")[1]


def test_a_return_in_the_middle_returns_the_point() -> None:
    lines = (
        "mov o0.xyzw, l(1,1,1,1)\nmov r0.x, vOutputControlPointID\nif_nz r0.x\nret\nendif\n"
        "mov o0.xyzw, l(2,2,2,2)"
    )
    text = hull(POINT.format(lines), EDGES, JOINED).split("[domain")[1]
    assert text.count("return control_point;") == 2


CHOSEN = INSIDE.format("ftou r0.x, vpc0.x\nmov o[r0.x + 0].x, l(1.0)").replace(
    "dcl_output_siv o3.x, finalTriInsideTessFactor", "dcl_output o0.x\ndcl_indexrange o0.x 3"
)
REGISTERS = POINT.replace("dcl_input v[3][0].xyzw", "dcl_input v[3][0].xyzw\ndcl_input v[3][1].xy")


def test_a_store_to_a_register_that_is_computed_is_a_choice() -> None:
    text = hull(COPIED, EDGES, CHOSEN)
    for number in range(3):
        assert (
            f"    if (t == {number}u) {{\n        constants.tessFactor[{number}] = 1.0;\n    }}\n"
        ) in text


def test_a_load_from_a_register_that_is_computed_is_a_choice() -> None:
    """Registers before the first of the index are outside of its range in readable source."""
    lines = "mov r0.x, v[0][0].x\nmov o0.xyzw, v[1][r0.x + {}].xyzw"
    both = hull(REGISTERS.format(lines.format(0)), EDGES, JOINED).split("[domain")[1]
    assert "vertices[1].v1" in both
    assert "vertices[1].corner" in both
    text = DECLARED + REGISTERS.format(lines.format(1)) + EDGES + JOINED
    shader = unshade.assemble(text, "dxcontainer")
    exact, readable = (
        shader.decompile(style=style).split("[domain")[1] for style in ("exact", "readable")
    )
    assert "vertices[1].corner" in exact
    assert "vertices[1].v1" in readable
    assert "vertices[1].corner" not in readable


def test_control_points_without_a_phase_pass_through() -> None:
    text = unshade.open(str(SHEET)).decompile(style="exact")
    assert "    ControlPoint control_point = (ControlPoint)0;\n" in text
    assert "    control_point.position = vertices[control_point_id].position;\n" in text


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_recompiled_source_computes_the_same_bits() -> None:
    shader = unshade.open(str(SHEET))
    assert outcome(shader, shader.decompile(style="exact"), "hull", seeds=2, turns=FEW) == "equal"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_a_recompiled_choice_of_registers_computes_the_same_bits() -> None:
    shader = unshade.assemble(DECLARED + COPIED + EDGES + CHOSEN, "dxcontainer")
    assert outcome(shader, shader.decompile(style="exact"), "hull", seeds=2, turns=FEW) == "equal"
