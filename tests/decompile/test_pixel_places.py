"""Source of inputs at other places of the pixel, and at the vertices of the primitive."""

import re
import shutil
from importlib.util import find_spec

import pytest

import unshade
from unshade.errors import UnsupportedError

from .recompiled import outcome, recompiled

BYTECODE = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xyzw
dcl_input_ps linear noperspective v1.xy
dcl_input_ps constant v2.xy
dcl_input_ps linear centroid v3.xyz
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 2
eval_snapped r0.xyzw, v0.xyzw, v2.xyxx
eval_sample_index r1.xyzw, v0.wzyx, v2.x
add o0.xyzw, r0.xyzw, r1.xyzw
eval_centroid r0.xy, v1.xyxx
eval_snapped r0.zw, v3.xxxz, l(3, 8, 0, 0)
mov o1.xyzw, r0.xyzw
ret
"""
MODULE = """
OpCapability Shader
OpCapability InterpolationFunction
OpCapability FragmentBarycentricKHR
OpExtension "SPV_KHR_fragment_shader_barycentric"
%std = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %offset %corners %place %flat %o
OpExecutionMode %main OriginUpperLeft
OpName %uv "uv"
OpName %offset "offset"
OpName %corners "corners"
OpName %flat "flat"
OpName %o "o"
OpDecorate %uv Location 0
OpDecorate %uv NoPerspective
OpDecorate %offset Location 1
OpDecorate %corners Location 2
OpDecorate %corners PerVertexKHR
OpDecorate %flat Location 3
OpDecorate %flat PerVertexKHR
OpDecorate %place BuiltIn BaryCoordNoPerspKHR
OpDecorate %o Location 0
%void = OpTypeVoid
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%float3 = OpTypeVector %float 3
%int = OpTypeInt 32 1
%three = OpConstant %int 3
%one = OpConstant %int 1
%two = OpConstant %int 2
%quarter = OpConstant %float 0.25
%half = OpConstant %float -0.5
%chosen = OpConstantComposite %float2 %quarter %half
%array = OpTypeArray %float2 %three
%ints = OpTypeArray %int %three
%in2 = OpTypePointer Input %float2
%in3 = OpTypePointer Input %float3
%inc = OpTypePointer Input %array
%ini = OpTypePointer Input %ints
%in = OpTypePointer Input %int
%out = OpTypePointer Output %float2
%uv = OpVariable %in2 Input
%offset = OpVariable %in2 Input
%corners = OpVariable %inc Input
%flat = OpVariable %ini Input
%place = OpVariable %in3 Input
%o = OpVariable %out Output
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%entry = OpLabel
%given = OpLoad %float2 %offset
%at = OpExtInst %float2 %std InterpolateAtOffset %uv {}
%at2 = OpExtInst %float2 %std InterpolateAtSample %uv %two
%at3 = OpExtInst %float2 %std InterpolateAtCentroid %uv
%p1 = OpAccessChain %in2 %corners %one
%c1 = OpLoad %float2 %p1
%p2 = OpAccessChain %in %flat %two
%c2 = OpLoad %int %p2
%n = OpConvertSToF %float %c2
%bary = OpLoad %float3 %place
%w = OpCompositeExtract %float %bary 2
%a = OpFAdd %float2 %at %at2
%b = OpFAdd %float2 %a %at3
%c = OpVectorTimesScalar %float2 %c1 %w
%d = OpFAdd %float2 %b %c
%e = OpVectorTimesScalar %float2 %d %n
OpStore %o %e
OpReturn
OpFunctionEnd
"""


def bytecode() -> unshade.Shader:
    return unshade.assemble(BYTECODE, "dxcontainer")


def module(offset: str = "%chosen") -> unshade.Shader:
    return unshade.assemble(MODULE.format(offset), "spirv")


def test_hlsl_of_bytecode_has_the_functions_that_it_was_compiled_from() -> None:
    text = bytecode().decompile()
    assert "EvaluateAttributeSnapped(texcoord0, asint(texcoord2))" in text
    assert "EvaluateAttributeAtSample(texcoord0, asint(texcoord2.x)).wzyx" in text
    assert "EvaluateAttributeCentroid(texcoord1)" in text
    assert "EvaluateAttributeSnapped(texcoord3, int2(3, 8)).xz" in text
    assert text.count("#define EvaluateAttributeCentroid EvaluateAttributeAtCentroid") == 1


def test_glsl_has_offsets_in_pixels_of_four_bits() -> None:
    text = bytecode().decompile("glsl")
    assert "vec2((floatBitsToInt(texcoord2) << 28) >> 28) * 0.0625" in text
    assert "interpolateAtOffset(texcoord3, vec2(0.1875, -0.5)).xz" in text
    assert "interpolateAtCentroid(texcoord1)" in text


def test_values_at_vertices_are_an_array_or_a_function() -> None:
    glsl, hlsl = module().decompile("glsl"), module().decompile("hlsl")
    assert "layout(location = 2) pervertexEXT in vec2 corners[3];" in glsl
    assert "layout(location = 3) pervertexEXT in int flat_1[3];" in glsl
    assert "corners[1] * gl_BaryCoordNoPerspEXT.z" in glsl
    assert glsl.count("location = 2") == glsl.count("location = 3") == 1
    assert "nointerpolation float2 corners : TEXCOORD2" in hlsl
    assert re.search(r"GetAttributeAtVertex\(corners, 1\) \* \w+\.z", hlsl)
    assert re.search(r"noperspective float3 \w+ : SV_Barycentrics1\b", hlsl)


def test_hlsl_takes_offsets_in_sixteenths_only() -> None:
    assert "EvaluateAttributeSnapped(uv, int2(4, -8))" in module().decompile("hlsl")
    assert "interpolateAtOffset(uv, offset)" in module("%given").decompile("glsl")
    with pytest.raises(UnsupportedError, match="offsets in sixteenths of a pixel, from -8 to 7"):
        module("%given").decompile("hlsl")


def test_wgsl_refuses_them_by_name() -> None:
    with pytest.raises(UnsupportedError, match=r"no function for an input at another place.*line"):
        bytecode().translate("wgsl")


def test_a_chosen_register_at_another_place_is_refused() -> None:
    text = BYTECODE.replace("dcl_temps", "dcl_indexrange v0.xyzw 2\ndcl_temps").replace(
        "eval_centroid r0.xy, v1.xyxx", "eval_centroid r0.xy, v[r0.x + 0].xyxx"
    )
    with pytest.raises(UnsupportedError, match="an input at another place of the pixel"):
        unshade.assemble(text, "dxcontainer").decompile()


@pytest.mark.parametrize("shader", [bytecode(), module(), module("%given")])
def test_translations_compute_the_same_bits(shader: unshade.Shader) -> None:
    assert unshade.prove(shader, shader.translate("spirv"), rounds=8).verdict == "equal"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_recompiled_hlsl_computes_the_same_bits() -> None:
    assert outcome(bytecode(), bytecode().decompile(style="exact"), "pixel", 64, 2) == "equal"
    made = recompiled(module().decompile(style="exact"), "pixel", flush=False)
    assert unshade.prove(module(), made, rounds=8).verdict == "equal"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslangValidator")
@pytest.mark.parametrize("shader", [bytecode(), module(), module("%given")])
def test_recompiled_glsl_computes_the_same_bits(shader: unshade.Shader) -> None:
    made = recompiled(shader.decompile("glsl", "exact"), "pixel", "glsl")
    assert unshade.prove(shader, made, rounds=8).verdict == "equal"
