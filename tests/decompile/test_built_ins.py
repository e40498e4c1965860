"""Built-ins of SPIR-V: distances as registers of Direct3D, and those that have no counterpart."""

import re
from typing import Any

import pytest

import unshade
from unshade import UnsupportedError

from .recompiled import FEW, outcome, translated_outcome

DISTANCES = """
OpCapability Shader
OpCapability ClipDistance
OpCapability CullDistance
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in %clip %cull
OpDecorate %in Location 0
OpDecorate %clip BuiltIn ClipDistance
OpDecorate %cull BuiltIn CullDistance
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%i1 = OpConstant %int 1
%i5 = OpConstant %int 5
%u2 = OpConstant %uint 2
%u6 = OpConstant %uint 6
%six = OpTypeArray %float %u6
%two = OpTypeArray %float %u2
%in_float = OpTypePointer Input %float
%out_float = OpTypePointer Output %float
%out_six = OpTypePointer Output %six
%out_two = OpTypePointer Output %two
%in = OpVariable %in_float Input
%clip = OpVariable %out_six Output
%cull = OpVariable %out_two Output
%main = OpFunction %void None %function
%begin = OpLabel
%x = OpLoad %float %in
%last = OpAccessChain %out_float %clip %i5
OpStore %last %x
%y = OpFNegate %float %x
%other = OpAccessChain %out_float %cull %i1
OpStore %other %y
OpReturn
OpFunctionEnd
"""
READS = """
OpCapability Shader
OpCapability FragmentDensityEXT
OpExtension "SPV_EXT_fragment_invocation_density"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %size %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %size BuiltIn FragSizeEXT
OpDecorate %size Flat
OpDecorate %out Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%v2 = OpTypeVector %int 2
%in_v2 = OpTypePointer Input %v2
%out_v2 = OpTypePointer Output %v2
%size = OpVariable %in_v2 Input
%out = OpVariable %out_v2 Output
%main = OpFunction %void None %function
%begin = OpLabel
%x = OpLoad %v2 %size
OpStore %out %x
OpReturn
OpFunctionEnd
"""


def test_distances_are_vectors_in_hlsl() -> None:
    """Direct3D has two registers for distances, and Vulkan an array of them."""
    text = unshade.assemble(DISTANCES, "spirv").decompile()
    found = re.findall(r"out (\w+) \w+ : (SV_C\w+Distance\d?)", text)
    assert found == [
        ("float4", "SV_ClipDistance"), ("float2", "SV_ClipDistance1"),
        ("float2", "SV_CullDistance"),
    ]  # fmt: skip


@pytest.mark.slow
def test_distances_are_the_same_after_slang() -> None:
    pytest.importorskip("slangpy", reason="needs the extra [slang]")
    shader = unshade.assemble(DISTANCES, "spirv")
    text = shader.decompile(style="exact")
    assert outcome(shader, text, "vertex", seeds=2, turns=FEW) == "equal"


@pytest.mark.parametrize("language", ["hlsl", "glsl", "wgsl", "spirv"])
def test_a_built_in_without_a_counterpart_is_refused_by_its_name(language: str) -> None:
    """An input at a location would be something else, which nothing writes."""
    shader = unshade.assemble(READS, "spirv")
    make: Any = shader.decompile if language in ("hlsl", "glsl") else shader.translate
    with pytest.raises(UnsupportedError, match="built-in FragSizeEXT has no counterpart yet"):
        make(language)


@pytest.mark.parametrize(
    ("mode", "glsl", "hlsl"),
    [
        ("DepthGreater", "depth_greater", "SV_DepthGreaterEqual"),
        ("DepthLess", "depth_less", "SV_DepthLessEqual"),
    ],
)
def test_conservative_depth(mode: str, glsl: str, hlsl: str) -> None:
    module = READS.replace("FragSizeEXT", "FragDepth").replace("OpDecorate %size Flat\n", "")
    module = module.replace("OpCapability FragmentDensityEXT\n", "").replace("%v2", "%float")
    module = re.sub("OpExtension.*\n|%int = .*\n|OpDecorate %out Location 0\n", "", module)
    module = module.replace("%float = OpTypeVector %int 2", "%float = OpTypeFloat 32")
    module = module.replace("%size BuiltIn", "%out BuiltIn").replace(
        "OpDecorate %out", "OpDecorate %size Location 0\nOpDecorate %out"
    )
    module = module.replace(
        "OpExecutionMode %main OriginUpperLeft",
        "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main DepthReplacing\n"
        f"OpExecutionMode %main {mode}",
    )
    shader = unshade.assemble(module, "spirv")
    assert f"layout({glsl}) out float gl_FragDepth;" in shader.decompile("glsl")
    assert f" : {hlsl}" in shader.decompile()
    assert f"OpExecutionMode %main {mode}\n" in shader.translate().disassemble()


WAVES = """
OpCapability Shader
OpCapability GroupNonUniform
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %size %lane %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %size BuiltIn SubgroupSize
OpDecorate %size Flat
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
OpDecorate %lane Flat
OpDecorate %out Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%in_uint = OpTypePointer Input %uint
%out_uint = OpTypePointer Output %uint
%size = OpVariable %in_uint Input
%lane = OpVariable %in_uint Input
%out = OpVariable %out_uint Output
%main = OpFunction %void None %function
%begin = OpLabel
%x = OpLoad %uint %size
%y = OpLoad %uint %lane
%z = OpIMul %uint %x %y
OpStore %out %z
OpReturn
OpFunctionEnd
"""


def test_places_in_waves_are_no_inputs_with_locations() -> None:
    shader = unshade.assemble(WAVES, "spirv")
    assert "WaveGetLaneCount() * WaveGetLaneIndex()" in shader.decompile()
    assert "gl_SubgroupSize * gl_SubgroupInvocationID" in shader.decompile("glsl")
    assert not re.search(r"^layout.* in ", shader.decompile("glsl"), re.M)
    made = shader.translate()
    assert made.verify() == []
    assert translated_outcome(shader, made, seeds=1, engines=("lockstep",), turns=FEW) == "equal"
