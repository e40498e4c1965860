"""Resources and push constants against pipeline layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.pipelines import layout_of
from unshade.errors import UsageError

FRAGMENT = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %colour
OpExecutionMode %main OriginUpperLeft
OpName %textures "textures"
OpName %push "push"
OpDecorate %colour Location 0
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 16
OpDecorate %textures DescriptorSet 1
OpDecorate %textures Binding 2
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%zero = OpConstant %uint 0
%three = OpConstant %uint 3
%place = OpConstantNull %float2
%Block = OpTypeStruct %float4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%array = OpTypeArray %sampled %three
%to_array = OpTypePointer UniformConstant %array
%to_sampled = OpTypePointer UniformConstant %sampled
%to_block = OpTypePointer PushConstant %Block
%to_pushed = OpTypePointer PushConstant %float4
%to_colour = OpTypePointer Output %float4
%textures = OpVariable %to_array UniformConstant
%push = OpVariable %to_block PushConstant
%colour = OpVariable %to_colour Output
%main = OpFunction %void None %function
%start = OpLabel
%one = OpAccessChain %to_sampled %textures %zero
%texture = OpLoad %sampled %one
%texel = OpImageSampleImplicitLod %float4 %texture %place
%at = OpAccessChain %to_pushed %push %zero
%pushed = OpLoad %float4 %at
%sum = OpFAdd %float4 %texel %pushed
OpStore %colour %sum
OpReturn
OpFunctionEnd
"""
TEXTURES = {"binding": 2, "type": "combined_image_sampler", "count": 3, "stages": ["fragment"]}
PUSHED = [{"offset": 0, "size": 32, "stages": "fragment"}]


def layout(push: Any = PUSHED, **changed: Any) -> dict[str, Any]:
    return {"sets": [None, [{**TEXTURES, **changed}]], "push_constants": push}


def made(given: Any) -> unshade.Pipeline:
    return unshade.Pipeline(unshade.assemble(FRAGMENT, "spirv"), layout=given)


def check(given: Any) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in made(given).check()]


@pytest.mark.parametrize(
    "given",
    [
        layout(),
        layout(count=8, stages=["vertex", "pixel"]),
        layout(type="VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER",
               stages="VK_SHADER_STAGE_FRAGMENT_BIT"),
        layout(stages=["all_graphics"]),
        layout(type="mutable"),
        layout([{"offset": 16, "size": 16}]),
    ],
)  # fmt: skip
def test_a_layout_that_has_everything(given: Any) -> None:
    assert check(given) == []


WHAT = "textures (set 1, binding 2)"
GONE = f"{WHAT} of the fragment shader is not in the layout"


@pytest.mark.parametrize(
    ("given", "code", "says"),
    [
        (layout(binding=3), "layout.binding", GONE),
        ({**layout(), "sets": []}, "layout.binding", GONE),
        (layout(stages=["vertex"]), "layout.binding",
         f"{WHAT} of the fragment shader is for vertex in the layout"),
        (layout(type="sampled_image"), "layout.type",
         f"{WHAT} is combined_image_sampler in the fragment shader, sampled_image in the layout"),
        (layout(count=2), "layout.count",
         f"{WHAT} has 3 descriptors in the fragment shader, 2 in the layout"),
        (layout([]), "layout.push-constants",
         "push constants push of the fragment shader are bytes 16 to 31, the layout has none"),
        (layout([{"size": 24}]), "layout.push-constants",
         "push constants push of the fragment shader are bytes 16 to 31, the layout has 0 to 23"),
        (layout([{"size": 32, "stages": "vertex"}]), "layout.push-constants",
         "push constants push of the fragment shader are bytes 16 to 31, the layout has none"),
    ],
)  # fmt: skip
def test_each_rule_is_broken_by_a_layout(given: Any, code: str, says: str) -> None:
    assert check(given) == [(code, says)]


def test_findings_quote_the_kind_of_pipeline(tmp_path: Path) -> None:
    path = tmp_path / "layout.json"
    path.write_text(json.dumps({"sets": [[]]}))
    found = unshade.Pipeline(EXAMPLES / "particles.spv", layout=path).check()
    assert {(each.code, each.reference) for each in found} == {
        ("layout.binding", "VUID-VkComputePipelineCreateInfo-layout-07988"),
        ("layout.push-constants", "VUID-VkComputePipelineCreateInfo-layout-07987"),
    }
    assert all(each.offset for each in found if each.code == "layout.binding")
    [one] = made(layout(count=1)).check()
    assert one.reference == "VUID-VkGraphicsPipelineCreateInfo-layout-07991"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], r"layout: expected an object, got \[\]"),
        ({"set": []}, "layout: unknown key 'set'; did you mean sets"),
        ({"sets": {}}, r"layout.sets: expected a list, got \{\}"),
        ({"sets": [[{"binding": 1}]]}, r"layout.sets\[0\]\[0\]: expected the key 'type'"),
        (layout(type="sampler2D"), r"layout.sets\[1\]\[0\].type: unknown word 'sampler2d'"),
        (layout(stages=["pixl"]), r"stages\[0\]: unknown word 'pixl'; did you mean pixel"),
        (layout(count=-1), r"count: expected an integer of at least 0, got -1"),
        (layout(count=True), r"count: expected an integer of at least 0, got True"),
        (layout([{}]), r"layout.push_constants\[0\]: expected the key 'size'"),
        ({"sets": [[TEXTURES, TEXTURES]]}, r"sets\[0\]\[1\].binding: 2 is listed twice"),
    ],
)
def test_data_that_is_no_layout(given: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        layout_of(given)


def test_layouts_belong_to_vulkan(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="layout: expected stages of Vulkan, got direct3d"):
        unshade.Pipeline(EXAMPLES / "phong.dxbc", layout={})
    path = tmp_path / "layout.json"
    path.write_text("{")
    with pytest.raises(UsageError, match=r"layout.json: invalid JSON: "):
        unshade.Pipeline(EXAMPLES / "clay.frag.spv", layout=path)
