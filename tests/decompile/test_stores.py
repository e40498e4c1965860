"""Stores of vectors: whole, in parts, and to raw buffers that state the type of their words."""

import re

import pytest

import unshade

from .recompiled import outcome, translated_outcome

MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpName %a "a"
OpName %b "b"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %vectors ArrayStride 12
OpDecorate %words ArrayStride 12
OpMemberDecorate %A 0 Offset 0
OpMemberDecorate %B 0 Offset 0
OpMemberDecorate %B 1 Offset 4
OpDecorate %A Block
OpDecorate %B Block
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v3 = OpTypeVector %float 3
%u3 = OpTypeVector %uint 3
%vectors = OpTypeRuntimeArray %v3
%words = OpTypeRuntimeArray %v3
%A = OpTypeStruct %vectors
%B = OpTypeStruct %uint %words
%in_u3 = OpTypePointer Input %u3
%to_A = OpTypePointer StorageBuffer %A
%to_B = OpTypePointer StorageBuffer %B
%to_v3 = OpTypePointer StorageBuffer %v3
%to_float = OpTypePointer StorageBuffer %float
%to_uint = OpTypePointer StorageBuffer %uint
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%two = OpConstant %float 2
%id = OpVariable %in_u3 Input
%a = OpVariable %to_A StorageBuffer
%b = OpVariable %to_B StorageBuffer
%main = OpFunction %void None %function
%begin = OpLabel
%ids = OpLoad %u3 %id
%i = OpCompositeExtract %uint %ids 0
%p = OpAccessChain %to_v3 %a %0 %i
%old = OpLoad %v3 %p
%turned = OpVectorShuffle %v3 %old %old 2 1 0
%more = OpVectorTimesScalar %v3 %turned %two
OpStore %p %more
%q = OpAccessChain %to_v3 %b %1 %i
%kept = OpLoad %v3 %q
%sum = OpVectorTimesScalar %v3 %kept %two
%exchanged = OpVectorShuffle %v3 %sum %sum 1 2 0
OpStore %q %exchanged
%n = OpAccessChain %to_uint %b %0
%count = OpLoad %uint %n
%next = OpIAdd %uint %count %1
OpReturn
OpFunctionEnd
"""


def shader() -> unshade.Shader:
    return unshade.assemble(MODULE, "spirv")


def test_raw_buffers_of_spirv_state_the_type_of_their_words() -> None:
    found = shader().decompile()
    assert "RWByteAddressBuffer b;" in found
    assert re.search(r"b\.Store<float3>\(.*, \(b\.Load<float3>\(.*\) \* 2\.0\)\.yzx\);", found)
    assert "asfloat(" not in found
    assert "asuint(" not in found


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_parts_are_stored_after_all_are_computed(engine: str) -> None:
    """SPIR-V has no vector of three with a stride of 12, so its components are stored apart."""
    found = shader()
    assert translated_outcome(found, found.translate(), seeds=2, engines=[engine]) == "equal"
    assert re.search(r"let t_1: vec3f = .*\.zyx \* 2\.0;", found.translate("wgsl"))


@pytest.mark.slow
@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_recompiled_sources_compute_the_same_bits(to: str) -> None:
    found = shader()
    text = found.decompile(to, style="exact")
    assert outcome(found, text, "compute", seeds=2, language=to) == "equal"
