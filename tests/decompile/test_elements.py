"""Buffers of SPIR-V whose block is an array: sources have its elements."""

from importlib.util import find_spec

import pytest

import unshade
from unshade.decompile.elements import with_elements
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Memory, Space
from unshade.vocab.slots import ResourceClass, ResourceSlot

from .recompiled import outcome, translated_outcome

MODULE = """
OpCapability Shader
{capabilities}
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride {stride}
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Block BufferBlock
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 3
OpName %data "data"
OpName %Pair "Pair"
OpMemberName %Pair 0 "weight"
OpMemberName %Pair 1 "place"
OpMemberDecorate %Pair 0 Offset 0
OpMemberDecorate %Pair 1 Offset 4
OpMemberDecorate %Wide 0 Offset 0
OpMemberDecorate %Wide 1 Offset 8
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%uint2 = OpTypeVector %uint 2
%uint3 = OpTypeVector %uint 3
%float4 = OpTypeVector %float 4
%Pair = OpTypeStruct %float %uint
%Wide = OpTypeStruct %uint %uint2
%array = OpTypeRuntimeArray {element}
%Block = OpTypeStruct %array
%p_Block = OpTypePointer Uniform %Block
%p_element = OpTypePointer Uniform {element}
%p_uint = OpTypePointer Uniform %uint
%p_float = OpTypePointer Uniform %float
%p_uint3 = OpTypePointer Input %uint3
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%half = OpConstant %float 0.5
%data = OpVariable %p_Block Uniform
%id = OpVariable %p_uint3 Input
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%entry = OpLabel
%all = OpLoad %uint3 %id
%lane = OpCompositeExtract %uint %all 0
%next = OpIAdd %uint %lane %one
{code}
OpReturn
OpFunctionEnd
"""
SCALE = """%place = OpAccessChain %p_element %data %zero %lane
%from = OpAccessChain %p_element %data %zero %next
%given = OpLoad {element} %from
%result = {operation}
OpStore %place %result"""
MEMBERS = """%place = OpAccessChain %p_float %data %zero %lane %zero
%from = OpAccessChain %p_uint %data %zero %next %one
%given = OpLoad %uint %from
%result = OpConvertUToF %float %given
OpStore %place %result"""
FETCHED = """%first = OpAccessChain %p_float %data %zero %lane %two
%bits = OpLoad %float %first
%index = OpConvertFToU %uint %bits
%place = OpAccessChain %p_float %data %zero %index %one
OpStore %place %half"""


def module(element: str, stride: int, code: str, capabilities: str = "") -> unshade.Shader:
    text = MODULE.format(element=element, stride=stride, code=code, capabilities=capabilities)
    return unshade.assemble(text, "spirv")


def scaled(element: str, stride: int, operation: str) -> unshade.Shader:
    return module(element, stride, SCALE.format(element=element, operation=operation))


FLOATS = ("%float", 4, "OpFMul %float %given %half")
VECTORS = ("%float4", 16, "OpVectorTimesScalar %float4 %given %half")


def test_an_array_of_numbers_has_its_type() -> None:
    text = scaled(*FLOATS).decompile()
    assert "[[vk::binding(3, 0)]] RWStructuredBuffer<float> data;" in text
    assert "data[thread_id.x] = data[thread_id.x + 1u] * 0.5;" in text
    text = scaled(*FLOATS).decompile("glsl")
    assert "float data[];" in text
    assert "data[gl_GlobalInvocationID.x + 1u] * 0.5" in text


def test_an_array_of_vectors_has_vectors() -> None:
    text = scaled(*VECTORS).decompile()
    assert "RWStructuredBuffer<float4> data;" in text
    assert "data[thread_id.x] = data[thread_id.x + 1u] * 0.5;" in text
    assert "vec4 data[];" in scaled(*VECTORS).decompile("glsl")


def test_an_array_of_structures_has_members() -> None:
    text = module("%Pair", 8, MEMBERS).decompile()
    assert "struct Pair {\n    float weight;\n    uint place;\n};" in text
    assert "RWStructuredBuffer<Pair> data;" in text
    assert "data[thread_id.x].weight = float(data[thread_id.x + 1u].place);" in text


@pytest.mark.parametrize(
    ("element", "stride"),
    [("%float", 16), ("%float4", 32), ("%Pair", 16), ("%Wide", 16)],
)
def test_elements_with_padding_stay_words(element: str, stride: int) -> None:
    code = "" if element == "%float4" else " %zero" * (element != "%float")
    type = "%uint" if element == "%Wide" else "%float"
    code = f"%place = OpAccessChain %p_{type[1:]} %data %zero %lane{code or ''}\n"
    if element == "%float4":
        code = code.replace("%lane", "%lane %two")
    value = "%one" if type == "%uint" else "%half"
    assert (
        "RWByteAddressBuffer data;"
        in module(element, stride, f"{code}OpStore %place {value}").decompile()
    )


def test_a_place_that_may_wrap_around_stays_exact() -> None:
    shader = scaled(*VECTORS)
    slot = ResourceSlot(ResourceClass.WRITE, 3)
    for exact in (False, True):
        kernel = KernelIR()
        b = Builder(kernel)
        memory = Memory("data", Space.BUFFER, 4, writable=True, slot=slot, raw=True)
        kernel.memories.append(memory)
        number = b.load(memory, 1)
        place = b.iadd(b.imul(number, b.i32(4)), b.i32(2))
        access = b.load(memory, place)
        with_elements(kernel, shader.reflect(), exact)
        if exact:
            assert access.attr is memory
            continue
        assert access.attr.stride == 16
        assert access.args[0] is number
        assert [each.attr for each in (access.args[1], *number.args)] == [8, 0, 4]


def test_an_atomic_operation_of_another_sign_is_one_of_words() -> None:
    code = "%place = OpAccessChain %p_element %data %zero %lane\n"
    code += "%old = {} %uint %place %one %zero %one"
    signed = module("%uint", 4, code.format("OpAtomicSMin"))
    assert "RWByteAddressBuffer data;" in signed.decompile()
    plain = module("%uint", 4, code.format("OpAtomicUMin"))
    assert "InterlockedMin(data[thread_id.x], 1u);" in plain.decompile()


def test_atomic_elements_in_wgsl() -> None:
    code = "%place = OpAccessChain %p_element %data %zero %lane\n"
    code += "%old = OpAtomicUMin %uint %place %one %zero %one\nOpStore %place %old"
    text = module("%uint", 4, code).translate("wgsl")
    assert "data: array<atomic<u32>>;" in text
    assert "atomicStore(&data[global_invocation_id.x], " in text


def test_a_buffer_whose_length_is_read_stays_words() -> None:
    code = """%count = OpArrayLength %uint %data 0
%place = OpAccessChain %p_uint %data %zero %lane
OpStore %place %count"""
    assert "RWByteAddressBuffer data;" in module("%uint", 4, code).decompile()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize(
    "shader",
    [
        scaled(*FLOATS), scaled(*VECTORS), module("%Pair", 8, MEMBERS),
        module("%float4", 16, FETCHED),
    ],
    ids=["floats", "vectors", "structures", "fetched"],
)  # fmt: skip
def test_the_same_bits(shader: unshade.Shader) -> None:
    for to in ("hlsl", "glsl"):
        text = shader.decompile(to, "exact")
        assert outcome(shader, text, "compute", 16, 2, language=to) == "equal"
    assert translated_outcome(shader, shader.translate(), 16, 2) == "equal"


ALIASED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpName %words "words"
OpName %pairs "pairs"
OpName %to "to"
OpDecorate %uints ArrayStride 4
OpDecorate %uint2s ArrayStride 8
OpDecorate %one Block
OpDecorate %two Block
OpMemberDecorate %one 0 Offset 0
OpMemberDecorate %two 0 Offset 0
OpDecorate %words DescriptorSet 0
OpDecorate %words Binding 0
OpDecorate %words NonWritable
OpDecorate %pairs DescriptorSet 0
OpDecorate %pairs Binding 0
OpDecorate %pairs NonWritable
OpDecorate %to DescriptorSet 0
OpDecorate %to Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%uint3 = OpTypeVector %uint 3
%uints = OpTypeRuntimeArray %uint
%uint2s = OpTypeRuntimeArray %uint2
%one = OpTypeStruct %uints
%two = OpTypeStruct %uint2s
%p_one = OpTypePointer StorageBuffer %one
%p_two = OpTypePointer StorageBuffer %two
%p_uint = OpTypePointer StorageBuffer %uint
%p_uint2 = OpTypePointer StorageBuffer %uint2
%p_uint3 = OpTypePointer Input %uint3
%c0 = OpConstant %uint 0
%c2 = OpConstant %uint 2
%c9 = OpConstant %uint 9
%id = OpVariable %p_uint3 Input
%words = OpVariable %p_one StorageBuffer
%pairs = OpVariable %p_two StorageBuffer
%to = OpVariable %p_one StorageBuffer
%main = OpFunction %void None %fn
%start = OpLabel
%at = OpLoad %uint3 %id
%lane = OpCompositeExtract %uint %at 0
%place = OpAccessChain %p_uint %words %c0 %c9
%word = OpLoad %uint %place
%place2 = OpAccessChain %p_uint2 %pairs %c0 %c2
%pair = OpLoad %uint2 %place2
%x = OpCompositeExtract %uint %pair 0
%y = OpCompositeExtract %uint %pair 1
%diff = OpISub %uint %x %y
%sum = OpIAdd %uint %diff %word
%stored = OpAccessChain %p_uint %to %c0 %lane
OpStore %stored %sum
OpReturn
OpFunctionEnd
"""


def test_a_binding_that_is_seen_with_elements_of_two_types_stays_words() -> None:
    """Slang makes variables of one binding of a ByteAddressBuffer, each of another type."""
    shader = unshade.assemble(ALIASED, "spirv")
    text = shader.decompile()
    assert "Load<uint2>(16u)" in text or "Load2(16u)" in text or "Load<int2>(16u)" in text
    assert "(36u)" in text
    assert all(each in shader.decompile("glsl") for each in ("[4u]", "[5u]", "[9u]"))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_a_binding_that_is_seen_with_elements_of_two_types_has_the_same_bits() -> None:
    test_the_same_bits(unshade.assemble(ALIASED, "spirv"))


@pytest.mark.parametrize(
    ("swizzle", "loaded"),
    [
        ("xyxx", "t0.Load2(t * 4u)"),
        ("zwxx", "t0.Load2(t * 4u + 8u)"),
        ("yxxx", "t0.Load2(t * 4u).yx"),
        ("xzxx", "uint2(t0.Load(t * 4u), t0.Load(t * 4u + 8u))"),
    ],
)
def test_words_of_a_raw_buffer_that_follow_each_other_are_loaded_at_once(
    swizzle: str, loaded: str
) -> None:
    text = unshade.assemble(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
        "dcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group 64, 1, 1\n"
        f"ishl r1.x, vThreadID.x, l(4)\nld_raw r0.xy, r1.x, t0.{swizzle}\n"
        "store_raw u0.xy, r1.x, r0.xyzw\nret\n",
        "dxcontainer",
    )  # fmt: skip
    for style in ("readable", "exact"):
        assert f"u0.Store2(t * 4u, {loaded});" in text.decompile(style=style)
