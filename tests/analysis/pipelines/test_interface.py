"""Outputs against inputs: each rule has a pair that breaks it, and pairs that work break none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import unshade
from tests.analysis.pipelines.modules import Rows, fragment, vertex
from tests.examples import EXAMPLES
from unshade.analysis.pipelines import stages_of
from unshade.formats.dxcontainer import DxContainer
from unshade.vocab.words import MinPrecision

SKINNING, PHONG = EXAMPLES / "skinning.dxbc", EXAMPLES / "phong.dxbc"


def changed(change: Callable[[Any], None], path: Any = PHONG, part: str = "ISGN") -> DxContainer:
    shader = DxContainer.open(path)
    change(shader[part].elements)
    return shader


def setting(at: int, **values: Any) -> Callable[[Any], None]:
    def change(elements: Any) -> None:
        for name, value in values.items():
            setattr(elements[at], name, value)

    return change


def test_a_pair_that_fits_has_no_findings() -> None:
    assert unshade.Pipeline(PHONG, SKINNING).check() == []
    assert unshade.Pipeline(EXAMPLES / "sheet.d.dxbc", EXAMPLES / "sheet.h.dxbc").check() == []
    assert unshade.Pipeline(EXAMPLES / "clay.vert.spv", EXAMPLES / "clay.frag.spv").check() == []


# Element 1 of phong's inputs is TEXCOORD1 v1.xy, 2 is TEXCOORD2 v2.x of a signed integer.
@pytest.mark.parametrize(
    ("values", "code", "number", "says"),
    [
        ({"index": 7}, "link.missing", 342, "requires Semantic/Index (TEXCOORD,7) as input"),
        ({"register": 3}, "link.register", 343, "TEXCOORD1 is o1.xy in vertex shader, v3.xy in"),
        ({"mask": 7}, "link.mask", 345, "'TEXCOORD' of the input stage has a hardware register"),
        ({"component_type": 1}, "link.type", 344, "float32 and uint32"),
        ({"system_value": 4}, "link.system-value", 346, "none and render_target_array_index"),
    ],
)
def test_direct3d_matches_by_semantic(
    values: dict[str, int], code: str, number: int, says: str
) -> None:
    shader = changed(setting(1, **values))
    vs = unshade.open(SKINNING)
    [found] = unshade.Pipeline(vs, shader).check()
    assert found.code == code
    assert found.message.startswith("Vertex Shader - Pixel Shader linkage error: Signatures")
    assert says in found.message
    assert found.reference.startswith(f"EXECUTION ERROR #{number}: DEVICE_SHADER_LINKAGE_")
    first, *others = found.places
    assert (first.stage, first.path) == ("pixel", "ISGN.elements[1]")
    spans = {each.path: each.offset for each in shader.spans()}
    assert first.offset == found.offset == spans["ISGN.elements[1].index"] - 4  # after the name
    if code == "link.missing":
        assert [(each.stage, each.offset) for each in others] == [("vertex", None)]
    else:
        [other] = others
        spans = {each.path: each.offset for each in vs.spans()}
        assert (other.stage, other.path) == ("vertex", "OSGN.elements[1]")
        assert other.offset == spans["OSGN.elements[1].index"] - 4


def test_a_value_that_is_never_written() -> None:
    vs = changed(setting(0, rw_mask=4), SKINNING, "OSGN")  # of an output: never written
    [found] = unshade.Pipeline(vs, PHONG).check()
    assert (found.code, found.reference[:20]) == ("link.never-written", "EXECUTION ERROR #347")
    assert found.message.endswith("z is never written")


def test_minimum_precisions() -> None:
    [vs], [ps] = stages_of(unshade.open(SKINNING)), stages_of(unshade.open(PHONG))
    ps.reflection.inputs[1].min_precision = MinPrecision.FLOAT_16
    [found] = unshade.Pipeline(vs, ps).check()
    assert (found.code, found.reference[:24]) == ("link.min-precision", "EXECUTION ERROR #3146050")
    assert found.message.endswith("default and float_16")
    vs.reflection.outputs[1].min_precision = MinPrecision.FLOAT_16
    assert unshade.Pipeline(vs, ps).check() == []


def test_members_of_blocks_have_the_same_type() -> None:
    def block(name: str, kind: str) -> str:
        return f"""
            OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint {name} %main "main" %block
            {"OpExecutionMode %main OriginUpperLeft" if name == "Fragment" else ""}
            OpDecorate %block Location 0
            OpDecorate %Block Block
            %void = OpTypeVoid
            %function = OpTypeFunction %void
            %float = OpTypeFloat 32
            %float2 = OpTypeVector %float 2
            %float4 = OpTypeVector %float 4
            %Block = OpTypeStruct %float4 {kind}
            %pointer = OpTypePointer {"Input" if name == "Fragment" else "Output"} %Block
            %block = OpVariable %pointer {"Input" if name == "Fragment" else "Output"}
            %main = OpFunction %void None %function
            %start = OpLabel
            OpReturn
            OpFunctionEnd
        """

    vs = unshade.assemble(block("Vertex", "%float4"), "spirv")
    state = {"features": ["maintenance4"]}
    ps = unshade.assemble(block("Fragment", "%float4"), "spirv")
    assert unshade.Pipeline(vs, ps, state=state).check() == []
    ps = unshade.assemble(block("Fragment", "%float2"), "spirv")
    found = unshade.Pipeline(vs, ps, state=state).check()
    assert [each.code for each in found] == ["link.type"]


def distances(storage: str, count: int, at: int) -> str:
    """Return a stage that has so many clip distances, and uses one of them."""
    model = "Vertex" if storage == "Output" else "Fragment"
    use = "OpStore %place %zero" if storage == "Output" else "%value = OpLoad %float %place"
    return f"""
        OpCapability Shader
        OpCapability ClipDistance
        OpMemoryModel Logical GLSL450
        OpEntryPoint {model} %main "main" %distances
        {"" if model == "Vertex" else "OpExecutionMode %main OriginUpperLeft"}
        OpDecorate %distances BuiltIn ClipDistance
        %void = OpTypeVoid
        %function = OpTypeFunction %void
        %float = OpTypeFloat 32
        %uint = OpTypeInt 32 0
        %zero = OpConstant %float 0
        %count = OpConstant %uint {count}
        %at = OpConstant %uint {at}
        %array = OpTypeArray %float %count
        %to_array = OpTypePointer {storage} %array
        %to_float = OpTypePointer {storage} %float
        %distances = OpVariable %to_array {storage}
        %main = OpFunction %void None %function
        %start = OpLabel
        %place = OpAccessChain %to_float %distances %at
        {use}
        OpReturn
        OpFunctionEnd
    """


@pytest.mark.parametrize(
    ("written", "read", "codes"),
    [((2, 1), (2, 1), []), ((2, 0), (2, 1), ["link.never-written"]),
     ((1, 0), (4, 3), ["link.never-written"])],
)  # fmt: skip
def test_distances_of_vulkan_are_written(
    written: tuple[int, int], read: tuple[int, int], codes: list[str]
) -> None:
    vs = unshade.assemble(distances("Output", *written), "spirv")
    ps = unshade.assemble(distances("Input", *read), "spirv")
    found = unshade.Pipeline(vs, ps).check()
    assert [(each.code, str(each.severity)) for each in found] == [(c, "warning") for c in codes]


def test_semantics_are_compared_in_any_case() -> None:
    assert unshade.Pipeline(SKINNING, changed(setting(1, name="texCoord"))).check() == []


def test_values_that_the_pipeline_generates_need_no_output() -> None:
    generated = {"name": "SV_IsFrontFace", "index": 0, "system_value": 9, "component_type": 1}
    assert unshade.Pipeline(SKINNING, changed(setting(2, **generated))).check() == []
    clip = {"name": "SV_ClipDistance", "index": 0, "system_value": 2}
    [found] = unshade.Pipeline(SKINNING, changed(setting(1, **clip))).check()
    assert found.code == "link.missing"


@pytest.mark.parametrize(
    ("outputs", "inputs", "codes"),
    [
        ({0: "float3", 1: "float2"}, {0: "float3", 1: "float2"}, []),
        ({0: "int2"}, {0: "uint2"}, ["link.type"]),
        ({0: "float3"}, {1: "float3"}, ["link.missing", "link.unused"]),
        ({0: "float2"}, {0: "float3"}, ["link.missing"]),
        ({0: "float2"}, {0: "int2"}, ["link.type"]),
        ({0: "float4"}, {0: "float3"}, ["link.vector-size"]),
        ({0: "float4"}, {0: "float"}, []),
        ({0: "float2", (0, 2): "float"}, {0: "float2", (0, 2): "float"}, []),
        ({0: "float2", (0, 2): "float"}, {0: "float3"}, []),
        ({0: "float2", (0, 2): "float"}, {0: "float2"}, ["link.unused"]),
        ({0: "float2", (0, 2): "int"}, {0: "float2", (0, 2): "float"}, ["link.type"]),
        ({}, {}, []),
    ],
)
def test_vulkan_matches_by_location_and_component(
    outputs: Rows, inputs: Rows, codes: list[str]
) -> None:
    found = unshade.Pipeline(vertex(outputs), fragment(inputs)).check()
    assert [each.code for each in found] == codes


def test_findings_of_vulkan_quote_valid_usage() -> None:
    vs, ps = vertex({0: "float2"}), fragment({0: "float2", 1: "float2"})
    [found] = unshade.Pipeline(vs, ps).check()
    assert found.reference == "VUID-RuntimeSpirv-OpEntryPoint-08743"
    assert found.message == "in1 reads location 1 x, which vertex shader does not write"
    place, before = found.places
    assert ps.to_bytes()[place.offset :][:2] == b"\x3b\x00"  # OpVariable
    assert before.stage == "vertex"
    assert found.to_dict()["places"] == [place.to_dict(), before.to_dict()]
