"""Bindings of SPIR-V in HLSL: attributes, or the registers that compilers map to them."""

import shutil

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.isa.source import Source
from unshade.run.proving import prove

SAMPLED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %color
OpExecutionMode %main OriginUpperLeft
OpName %albedo "albedo"
OpName %Scene "Scene"
OpMemberName %Scene 0 "tint"
OpName %scene "scene"
OpName %uv "uv"
OpName %color "color"
OpDecorate %uv Location 0
OpDecorate %color Location 0
OpDecorate %albedo DescriptorSet 1
OpDecorate %albedo Binding 7
OpDecorate %scene DescriptorSet 2
OpDecorate %scene Binding 3
OpDecorate %Scene Block
OpMemberDecorate %Scene 0 Offset 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%p_sampled = OpTypePointer UniformConstant %sampled
%albedo = OpVariable %p_sampled UniformConstant
%Scene = OpTypeStruct %v4
%p_scene = OpTypePointer Uniform %Scene
%p_v4 = OpTypePointer Uniform %v4
%scene = OpVariable %p_scene Uniform
%in_v2 = OpTypePointer Input %v2
%out_v4 = OpTypePointer Output %v4
%uv = OpVariable %in_v2 Input
%color = OpVariable %out_v4 Output
%main = OpFunction %void None %function
%begin = OpLabel
%at = OpLoad %v2 %uv
%texture = OpLoad %sampled %albedo
%texel = OpImageSampleImplicitLod %v4 %texture %at
%p = OpAccessChain %p_v4 %scene %zero
%tint = OpLoad %v4 %p
%product = OpFMul %v4 %texel %tint
OpStore %color %product
OpReturn
OpFunctionEnd
"""


def test_a_combined_sampler_is_a_texture_and_a_sampler_of_one_binding() -> None:
    text = unshade.assemble(SAMPLED, "spirv").decompile()
    combined = "[[vk::binding(7, 1)]] [[vk::combinedImageSampler]]"
    assert f"{combined} Texture2D<float4> albedo;" in text
    assert f"{combined} SamplerState albedo_sampler;" in text
    assert "[[vk::binding(3, 2)]] cbuffer Scene {" in text
    assert "register(" not in text


def test_bindings_that_compilers_give_to_registers_are_registers() -> None:
    moved = unshade.open(str(REPOSITORY / "examples" / "phong.dxbc")).translate()
    text = moved.decompile()
    assert "vk::binding" not in text
    wanted = unshade.open(str(REPOSITORY / "examples" / "phong.dxbc")).decompile()
    for each in (line for line in wanted.splitlines() if ": register(" in line):
        assert each.split(" : ")[-1] in text
    assert "register(t" in text
    assert "register(s" in text


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["slang", "glslangValidator"])
def test_compilers_keep_the_bindings(compiler: str) -> None:
    if compiler == "slang":
        pytest.importorskip("slangpy")
    elif shutil.which(compiler) is None:
        pytest.skip("needs glslang-tools")
    shader = unshade.assemble(SAMPLED, "spirv")
    made = unshade.compile(
        Source(shader.decompile(), "decompiled.hlsl"), language="hlsl", stage="pixel",
        entry="main", compiler=compiler, debug=False,
    )  # fmt: skip
    places = {each.name: (each.space, each.register) for each in made.reflect().resources}
    assert {*places.values()} == {(1, 7), (2, 3)}
    proof = prove(shader, made)
    assert proof.equal
    assert proof.uncovered == []
