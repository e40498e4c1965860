"""Facts of programs, from texts with each kind of declaration."""

from __future__ import annotations

import pytest

from unshade.errors import UsageError
from unshade.model import Domain, Interpolation, Stage, SystemValue, Topology
from unshade.model.facts import ProgramFacts
from unshade.programs.tpf import Program
from unshade.vocab.slots import Direction, PortSlot, Rate, ResourceClass, ResourceSlot


def facts(*lines: str) -> ProgramFacts:
    return Program.assemble("\n".join([*lines, "ret", ""])).facts()


def test_identity() -> None:
    found = facts("gs_4_1")
    assert (found.code, found.entry_point, found.stage) == ("tpf", "main", Stage.GEOMETRY)
    assert (found.model, found.profile) == ("4.1", "gs_4_1")


def test_an_unknown_entry_point_is_refused() -> None:
    program = Program.assemble("ps_4_0\nret\n")
    assert program.facts("main") == program.facts()
    with pytest.raises(UsageError, match="no entry point 'other': expected one of main"):
        program.facts("other")
    with pytest.raises(UsageError, match="no entry point 'other'"):
        program.statistics("other")


def test_ports() -> None:
    found = facts(
        "ps_4_0",
        "dcl_input_ps linear noperspective v1.xy",
        "dcl_input_ps_siv linear v2.x, clip_distance",
        "dcl_output o0.xyzw",
        "dcl_output oDepth",
        "dcl_output oStencilRef",
    )
    first, second = found.inputs
    assert (first.label, first.components) == ("v1", "xy")
    assert first.slots == [PortSlot(Direction.INPUT, Rate.PIXEL, 1, at) for at in (0, 1)]
    assert first.interpolation == Interpolation.LINEAR_NOPERSPECTIVE
    assert first.system_value is None
    assert (second.system_value, second.path) == (
        SystemValue.CLIP_DISTANCE,
        "instructions[1].operands[0]",
    )
    assert [(each.slot.place, each.components) for each in found.outputs] == [
        (0, "xyzw"),
        (SystemValue.DEPTH, "x"),
        (SystemValue.STENCIL_REF, "x"),
    ]


def test_ports_of_a_hull_shader() -> None:
    found = facts(
        "hs_5_0",
        "hs_decls",
        "dcl_input_control_point_count 3",
        "dcl_output_control_point_count 4",
        "dcl_tessellator_domain domain_tri",
        "hs_control_point_phase",
        "dcl_input vOutputControlPointID",
        "dcl_input v[3][0].xyz",
        "dcl_output o1.xyz",
        "ret",
        "hs_fork_phase",
        "dcl_input vocp[4][1].xyz",
        "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor",
    )
    assert [each.slot for each in found.inputs] == [
        PortSlot(Direction.INPUT, Rate.CONTROL_POINT, 0)
    ]
    given = PortSlot(Direction.OUTPUT, Rate.CONTROL_POINT, 1)
    assert [each.slot for each in found.outputs] == [given]
    assert [each.slot for each in found.outputs_read] == [given]
    assert [each.label for each in found.outputs_read] == ["vocp1"]
    (factor,) = found.patch_constants
    assert factor.slot == PortSlot(Direction.OUTPUT, Rate.PATCH, 0)
    assert factor.system_value == SystemValue.FINAL_TRI_EDGE_TESSFACTOR
    assert [each.slot.place for each in found.builtins] == [SystemValue.OUTPUT_CONTROL_POINT_ID]
    assert found.tessellation is not None
    assert found.tessellation.domain == Domain.TRI
    assert found.tessellation.output_control_points == 4
    assert not found.passes_control_points


def test_a_hull_shader_without_control_point_code_passes_points_on() -> None:
    assert facts("hs_5_0", "hs_decls", "hs_join_phase").passes_control_points
    assert not facts("vs_5_0").passes_control_points


def test_resources_have_labels_and_paths() -> None:
    found = facts(
        "ps_5_1",
        "dcl_constantbuffer CB0[2:2][3], immediateIndexed, space=1",
        "dcl_resource_texture2d (float,float,float,float) T4[1:5], space=0",
    )
    buffer, texture = found.resources
    assert (buffer.label, buffer.path) == ("cb0", "instructions[0].operands[0]")
    assert buffer.slot == ResourceSlot(ResourceClass.CONSTANTS, 2, space=1)
    assert (texture.label, texture.path) == ("t4", "instructions[1].operands[0]")
    assert texture.slot == ResourceSlot(ResourceClass.READ, 1, count=5)
    (reached,) = found.constant_buffers
    assert (reached.resource, reached.size) == (0, 48)


def test_streams() -> None:
    found = facts(
        "gs_5_0",
        "dcl_inputprimitive triangle",
        "dcl_stream m0",
        "dcl_outputtopology pointlist",
        "dcl_output o0.xyzw",
        "dcl_stream m1",
        "dcl_outputtopology trianglestrip",
        "dcl_output o0.x",
        "dcl_maxout 6",
    )
    assert found.geometry is not None
    assert found.geometry.streams == [Topology.POINTLIST, Topology.TRIANGLESTRIP]
    assert [(each.slot.stream, each.components) for each in found.outputs] == [
        (0, "xyzw"),
        (1, "x"),
    ]


@pytest.mark.parametrize(
    ("lines", "features"),
    [
        (["ps_5_0"], []),
        (["ps_5_0", "dcl_globalFlags enableDoublePrecisionFloatOps"], ["Doubles"]),
        (["vs_5_0", "dcl_uav_raw u0"], ["UAVsAtEveryStage"]),
        (["cs_5_0", "dcl_uav_raw u9"], ["Max64UAVs"]),
        (["ps_5_1", "dcl_uav_typed_buffer_rov (uint,uint,uint,uint) U0[0:0], space=0"], ["ROVs"]),
        (["ps_5_0", "dcl_output oStencilRef"], ["StencilRef"]),
        (["ps_5_0", "dcl_input vInnerCoverage"], ["InnerCoverage"]),
        (
            ["vs_5_0", "dcl_output_siv o0.x, rendertarget_array_index"],
            ["ViewportAndRTArrayIndexFromAnyShader"],
        ),
        (["gs_5_0", "dcl_output_siv o0.x, rendertarget_array_index"], []),
    ],
)
def test_features(lines: list[str], features: list[str]) -> None:
    assert facts(*lines).features == features


def test_statistics_use_the_names_of_the_model() -> None:
    program = Program.assemble("ps_5_0\ndcl_temps 2\nmad r0.x, r0.x, r1.x, r0.x\nret\n")
    found = program.statistics()
    assert found.computed
    assert (found.instructions, found.temp_registers, found.float_instructions) == (2, 2, 1)
    assert program.statistics(version=(9, 29)).float_instructions == 0


DECLARED = (
    "ps_5_0",
    "dcl_constantbuffer CB0[2], immediateIndexed",
    "dcl_uav_structured_opc u1, 16",
    "dcl_input_ps linear v1.xy",
    "dcl_output o0.xyzw",
    "dcl_temps 2",
    "imm_atomic_alloc r0.x, u1",
)


def decoded() -> Program:
    """Return a program as read from a file, whose instructions are shared with others."""
    return Program.decode(Program.assemble("\n".join([*DECLARED, "ret", ""])).encode())


def test_interfaces_and_function_tables() -> None:
    found = facts(
        "ps_5_0",
        "dcl_function_body fb0",
        "dcl_function_body fb1",
        "dcl_function_table ft3 = {fb0, fb1}",
        "dcl_function_table ft5 = {fb1, fb0}",
        "dcl_interface fp2[3][2] = {ft3, ft5}",
    )
    assert found.function_tables == [3, 5]
    (slot,) = found.interfaces
    assert (slot.start, slot.span, slot.tables) == (2, 3, [3, 5])
    assert slot.table_labels == ["ft3", "ft5"]


def test_facts_belong_to_the_caller() -> None:
    first, second = decoded().facts(), decoded().facts()
    first.resources[0].resource.name = "edited"
    first.resources[1].resource.stride = 4
    first.constant_buffers[0].size = 0
    first.inputs[0].components = "w"
    first.inputs.clear()
    first.global_flags.append("edited")
    assert second == decoded().facts() != first


def test_facts_and_statistics_follow_edits() -> None:
    decoded().facts()
    edited = decoded()
    before = edited.statistics()
    edited.instructions[0].operands[0].indices[1].immediate = 5
    edited.instructions[2].operands[0].mask = 15
    edited.instructions[4].words = (7,)
    edited.insert(6, "add r0.x, r0.x, r1.x")
    found, counts = edited.facts(), edited.statistics()
    assert found.constant_buffers[0].size == 80
    assert (found.inputs[0].components, found.temp_registers) == ("xyzw", 7)
    assert (counts.instructions, before.instructions) == (3, 2)
    assert (counts.temp_registers, before.temp_registers) == (7, 2)
    assert (counts.float_instructions, before.float_instructions) == (1, 0)
    assert decoded().facts().constant_buffers[0].size == 32
    assert decoded().statistics() == before
