"""Built-ins of Vulkan: the stages and capabilities that each needs, with the number of the rule."""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import InstructionFinding, validate

CAPABILITIES = ("Shader", "Geometry", "Tessellation", "MultiViewport")
STAGES = {
    "Vertex": "",
    "Geometry": "OpExecutionMode %main Triangles OpExecutionMode %main OutputTriangleStrip"
    " OpExecutionMode %main OutputVertices 3 OpExecutionMode %main Invocations 1",
    "TessellationEvaluation": "OpExecutionMode %main Triangles"
    " OpExecutionMode %main SpacingEqual OpExecutionMode %main VertexOrderCcw",
}


def reported(stage: str, builtin: str, *more: str) -> list[tuple[str, str]]:
    """Return the messages and rules about a stage that writes a built-in of the type int."""
    capabilities = " ".join(f"OpCapability {each}" for each in (*CAPABILITIES, *more))
    text = f"""{capabilities}
    OpExtension "SPV_EXT_shader_viewport_index_layer"
    OpMemoryModel Logical GLSL450
    OpEntryPoint {stage} %main "main" %v
    {STAGES[stage]}
    OpDecorate %v BuiltIn {builtin}
    {{types}} %int = OpTypeInt 32 1
    %number = OpConstant %int 1
    %pointer = OpTypePointer Output %int
    %v = OpVariable %pointer Output
    {{main}} OpStore %v %number {{end}}"""
    module = assemble(Source(text_of(text)), target="vulkan1.3")
    found = [*validate(module, "vulkan1.3")]
    assert all(isinstance(each, InstructionFinding) for each in found)
    return [(each.message, getattr(each, "vuid", "")) for each in found]


@pytest.mark.parametrize(
    ("builtin", "capability", "rule"),
    [("Layer", "ShaderLayer", 4273), ("ViewportIndex", "ShaderViewportIndex", 4405)],
)
def test_stages_before_the_geometry_need_a_capability_for_layers_and_viewports(
    builtin: str, capability: str, rule: int
) -> None:
    vuid = f"VUID-{builtin}-{builtin}-{rule:05}"
    needed = "needs ShaderViewportIndexLayerEXT"
    for stage in ("Vertex", "TessellationEvaluation"):
        message = f"OpStore: {builtin} of {stage} {needed}"
        assert reported(stage, builtin) == [(message, vuid)]
        assert reported(stage, builtin, capability) == []
        assert reported(stage, builtin, "ShaderViewportIndexLayerEXT") == []
    other = "ShaderViewportIndex" if builtin == "Layer" else "ShaderLayer"
    assert reported("Vertex", builtin, other) == [(f"OpStore: {builtin} of Vertex {needed}", vuid)]
    assert reported("Geometry", builtin) == []


MESH = """OpCapability MeshShadingEXT
    OpCapability MultiViewport
    OpCapability FragmentShadingRateKHR
    OpExtension "SPV_EXT_mesh_shader"
    OpExtension "SPV_KHR_fragment_shading_rate"
    OpMemoryModel Logical GLSL450
    OpEntryPoint MeshEXT %main "main" %v
    OpExecutionMode %main LocalSize 1 1 1
    OpExecutionMode %main OutputVertices 3
    OpExecutionMode %main OutputPrimitivesEXT 1
    OpExecutionMode %main OutputTrianglesEXT
    OpDecorate %v BuiltIn {builtin}
    {decoration}
    {{types}} %int = OpTypeInt 32 1
    %array = OpTypeArray %{type} %one
    %pointer = OpTypePointer Output %array
    %inner = OpTypePointer Output %{type}
    %value = OpConstantNull %{type}
    %v = OpVariable %pointer Output
    {{main}} %place = OpAccessChain %inner %v %zero OpStore %place %value {{end}}"""


@pytest.mark.parametrize(
    ("builtin", "type", "rule"),
    [
        ("CullPrimitiveEXT", "bool", 7038),
        ("Layer", "int", 7039),
        ("PrimitiveId", "int", 7040),
        ("PrimitiveShadingRateKHR", "int", 7059),
        ("ViewportIndex", "int", 7060),
    ],
)
def test_what_a_mesh_writes_of_a_primitive_is_decorated(builtin: str, type: str, rule: int) -> None:
    def found(decoration: str) -> list[tuple[str, str]]:
        text = MESH.format(builtin=builtin, type=type, decoration=decoration)
        module = assemble(Source(text_of(text)), target="vulkan1.3")
        return [(each.message, getattr(each, "vuid", "")) for each in validate(module, "vulkan1.3")]

    assert found("OpDecorate %v PerPrimitiveEXT") == []
    ((message, vuid),) = found("")
    assert message.endswith(f": {builtin} of a mesh needs the decoration PerPrimitiveEXT")
    assert vuid == f"VUID-{builtin}-{builtin}-{rule:05}"
