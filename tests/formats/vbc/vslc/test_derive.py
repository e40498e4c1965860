"""Inputs, outputs, tables, uniform blocks and subpass inputs that modules declare."""

from __future__ import annotations

import pytest

from unshade.formats.vbc.records import BaseType, StageVariable
from unshade.formats.vbc.vslc.derive import Derived, derive
from unshade.programs.spirv import Program

MODELS = {
    "vert": "Vertex", "tesc": "TessellationControl", "tese": "TessellationEvaluation",
    "geom": "Geometry", "frag": "Fragment",
}  # fmt: skip
TYPES = """
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%three = OpConstant %uint 3
%four = OpConstant %uint 4
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%m2 = OpTypeMatrix %v2 2
%scalars = OpTypeArray %float %three
%integers = OpTypeArray %int %four
%nested = OpTypeArray %integers %three
"""


def declared(stage: str, variables: str, decorations: str = "", more: str = "") -> Derived:
    """Return what a module of a stage declares."""
    text = f"""OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint {MODELS[stage]} %main "main"
{decorations}
{TYPES}
{more}
{variables}
%main = OpFunction %void None %fn
%start = OpLabel
OpReturn
OpFunctionEnd
"""
    return derive({stage: Program.assemble(text, target="spv1.5")})


def variable(kind: str, storage: str, name: str = "a") -> str:
    return f"%p_{name} = OpTypePointer {storage} %{kind}\n%{name} = OpVariable %p_{name} {storage}"


@pytest.mark.parametrize(
    ("kind", "locations"),
    [
        ("float", {2: "FLOAT"}),
        ("v4", {2: "FLOAT"}),
        ("m2", {2: "FLOAT", 3: "FLOAT"}),
        ("scalars", {2: "FLOAT", 3: "FLOAT", 4: "FLOAT"}),
        ("integers", dict.fromkeys(range(2, 6), "SIGNED")),
    ],
)
@pytest.mark.parametrize("stage", MODELS)
@pytest.mark.parametrize("storage", ["Input", "Output"])
@pytest.mark.parametrize("patch", [False, True])
def test_locations(
    kind: str, locations: dict[int, str], stage: str, storage: str, patch: bool
) -> None:
    """Inputs of stages with several vertices have an array of them around, but those of a patch.

    Source: Vulkan specification, Shader Interfaces, "Interface Matching": the outermost dimension
    is that of the vertices, and takes no locations.
    """
    decorations = "OpDecorate %a Location 2" + ("\nOpDecorate %a Patch" if patch else "")
    found = declared(stage, variable(kind, storage), decorations)
    by_stage = found.read if storage == "Input" else found.written
    several = stage in ("tesc", "tese", "geom") if storage == "Input" else stage == "tesc"
    if several and not patch and kind in ("scalars", "integers"):
        locations = {2: locations[2]}
    assert by_stage == {stage: locations}
    assert (found.written if storage == "Input" else found.read) == {stage: {}}


def test_arrays_of_arrays_of_vertices() -> None:
    found = declared("geom", variable("nested", "Input"), "OpDecorate %a Location 1")
    assert found.read == {"geom": dict.fromkeys(range(1, 5), "SIGNED")}


def test_variables_without_a_location_have_none() -> None:
    found = declared("vert", variable("v4", "Input"), "OpDecorate %a BuiltIn Position")
    assert (found.read, found.inputs) == ({"vert": {}}, [])


@pytest.mark.parametrize("stage", MODELS)
@pytest.mark.parametrize("storage", ["Input", "Output"])
def test_vertex_inputs_and_fragment_outputs(stage: str, storage: str) -> None:
    found = declared(stage, variable("v4", storage), "OpDecorate %a Location 3")
    row = StageVariable(location=3, base=BaseType.FLOAT, rows=4)
    assert found.inputs == ([row] if (stage, storage) == ("vert", "Input") else [])
    assert found.outputs == ([row] if (stage, storage) == ("frag", "Output") else [])


IMAGES = """
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%many = OpConstant %uint 77
%table = OpTypeArray %sampled %many
"""


@pytest.mark.parametrize("binding", range(6))
@pytest.mark.parametrize("space", range(3))
def test_tables_are_the_five_bindings_of_set_0(binding: int, space: int) -> None:
    decorations = f"OpDecorate %a DescriptorSet {space}\nOpDecorate %a Binding {binding}"
    found = declared("frag", variable("table", "UniformConstant"), decorations, IMAGES)
    names = ["samplers", "images", "buffers", "ro_texels", "rw_texels"]
    named = space == 0 and binding < 5
    assert found.tables == ({("frag", names[binding]): 77} if named else {})


def test_a_single_resource_is_no_table() -> None:
    decorations = "OpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 0"
    found = declared("frag", variable("sampled", "UniformConstant"), decorations, IMAGES)
    assert found.tables == {}


BLOCK = "%block = OpTypeStruct %float %v4 %scalars\n%outer = OpTypeStruct %block"
LAYOUT = """OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpMemberDecorate %block 2 Offset 32
OpMemberDecorate %outer 0 Offset 0
OpDecorate %scalars ArrayStride 4
OpDecorate %outer Block
OpName %block "Globals"
OpMemberName %block 0 "gain"
OpMemberName %block 2 "weights"
"""


@pytest.mark.parametrize(
    ("space", "binding", "there"), [(1, 0, True), (1, 1, False), (0, 0, False), (2, 0, False)]
)
def test_the_uniform_block_is_binding_0_of_set_1(space: int, binding: int, there: bool) -> None:
    decorations = f"{LAYOUT}OpDecorate %a DescriptorSet {space}\nOpDecorate %a Binding {binding}"
    found = declared("vert", variable("outer", "Uniform"), decorations, BLOCK)
    assert len(found.uniforms) == there
    for block in found.uniforms:
        assert (block.stage, block.used, block.size) == ("vert", False, 44)
        assert [(each.name, each.offset, each.rows, each.count) for each in block.members] == [
            ("gain", 0, 1, 1), ("", 16, 4, 1), ("weights", 32, 1, 3)
        ]  # fmt: skip
