"""Inputs and outputs that have other components of one location, in languages and translations."""

import numpy as np
import pytest

import unshade
from unshade import UnsupportedError

from .recompiled import outcome, recompiled, translated_outcome

MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %a %b %o %z %w %position
OpName %a "a"
OpName %b "b"
OpName %o "o"
OpName %z "z"
OpName %w "w"
OpDecorate %a Location 0
OpDecorate %b Location 0
OpDecorate %b Component 2
OpDecorate %o Location 1
OpDecorate %z Location 1
OpDecorate %z Component 2
OpDecorate %w Location 1
OpDecorate %w Component 3
OpDecorate %position BuiltIn Position
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%in_v2 = OpTypePointer Input %v2
%out_v2 = OpTypePointer Output %v2
%out_v4 = OpTypePointer Output %v4
%out_float = OpTypePointer Output %float
%a = OpVariable %in_v2 Input
%b = OpVariable %in_v2 Input
%o = OpVariable %out_v2 Output
%z = OpVariable %out_float Output
%w = OpVariable %out_float Output
%position = OpVariable %out_v4 Output
%main = OpFunction %void None %function
%begin = OpLabel
%one = OpLoad %v2 %a
%two = OpLoad %v2 %b
%x = OpCompositeExtract %float %two 0
%y = OpCompositeExtract %float %two 1
%sum = OpFAdd %v2 %one %two
OpStore %o %sum
OpStore %z %y
OpStore %w %x
%whole = OpCompositeConstruct %v4 %one %two
OpStore %position %whole
OpReturn
OpFunctionEnd
"""


def shader() -> unshade.Shader:
    return unshade.assemble(MODULE, "spirv")


def test_hlsl_has_a_vector_for_a_location() -> None:
    found = shader().decompile()
    assert "float4 texcoord0 : TEXCOORD0," in found
    assert "out float4 out_texcoord1 : TEXCOORD1," in found
    assert "out_texcoord1 = float4(texcoord0.xy + texcoord0.zw, texcoord0.wz);" in found


def test_glsl_has_components() -> None:
    found = shader().decompile("glsl")
    assert "layout(location = 1) out vec2 o;" in found
    assert "layout(location = 1, component = 3) out float w;" in found


def test_parameters_of_several_types_are_refused() -> None:
    text = MODULE.replace("OpStore %z %y", "%n = OpBitcast %int %y\nOpStore %z %n")
    text = text.replace("%z = OpVariable %out_float", "%z = OpVariable %out_int")
    types = "%int = OpTypeInt 32 1\n%out_int = OpTypePointer Output %int\n%a = OpVariable"
    found = unshade.assemble(text.replace("%a = OpVariable", types), "spirv")
    with pytest.raises(UnsupportedError, match="o, z, w of location 1 have several types"):
        found.decompile()
    assert "layout(location = 1, component = 2) out int z;" in found.decompile("glsl")


def test_a_translation_computes_the_same_bits() -> None:
    found = shader()
    assert translated_outcome(found, found.translate(), seeds=2) == "equal"


@pytest.mark.slow
def test_recompiled_sources_compute_the_same_bits() -> None:
    found = shader()
    assert outcome(found, found.decompile("glsl"), "vertex", seeds=2, language="glsl") == "equal"
    made = recompiled(found.decompile(style="exact"), "vertex")
    numbers = np.arange(16, dtype="f4").reshape(4, 4)
    mine = unshade.kernel(found).transform({"a": numbers[:, :2], "b": numbers[:, 2:]})
    kernel = unshade.kernel(made)
    (row,) = kernel.inputs
    theirs = kernel.transform({row.label: numbers})
    together = np.column_stack([mine["o"], mine["z"], mine["w"]])
    assert (theirs["out_texcoord1"] == together).all()
