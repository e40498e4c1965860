"""Source of programs of SPIR-V, PICA200 and SkSL: their interfaces, buffers, and the same bits."""

import re
from importlib.util import find_spec

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures.counted_vertices import counted_vertices
from unshade.decompile.hlsl.target import Hlsl
from unshade.decompile.tree import ScalarKind, TermType

from .recompiled import FEW, outcome, translated_outcome

EXAMPLES = REPOSITORY / "examples"
HEAD = """
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformBallot
{imports}
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id {interface}
OpExecutionMode %main LocalSize 32 1 1
OpName %main "main"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Block BufferBlock
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 3
OpName %data "data"
{decorations}
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%uint3 = OpTypeVector %uint 3
%uint4 = OpTypeVector %uint 4
%array = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %array
%p_Block = OpTypePointer Uniform %Block
%p_uint = OpTypePointer Uniform %uint
%p_uint3 = OpTypePointer Input %uint3
%p_in = OpTypePointer Input %uint
%zero = OpConstant %uint 0
%three = OpConstant %uint 3
%data = OpVariable %p_Block Uniform
%id = OpVariable %p_uint3 Input
{declarations}
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%entry = OpLabel
%all = OpLoad %uint3 %id
%lane = OpCompositeExtract %uint %all 0
%place = OpAccessChain %p_uint %data %zero %lane
%given = OpLoad %uint %place
{code}
OpStore %place %result
OpReturn
OpFunctionEnd
"""


def module(
    code: str, interface: str = "", decorations: str = "", declarations: str = "", imports: str = ""
) -> unshade.Shader:
    """Return a compute shader that changes the words of a buffer."""
    text = HEAD.format(
        code=code,
        interface=interface,
        decorations=decorations,
        declarations=declarations,
        imports=imports,
    )
    return unshade.assemble(text, "spirv")


def source(code: str, **more: str) -> str:
    return module(code, **more).decompile(style="exact")


def test_a_buffer_of_words_has_elements() -> None:
    text = source("%result = OpIAdd %uint %given %three")
    assert "[[vk::binding(3, 0)]] RWStructuredBuffer<uint> data;" in text
    assert "data[thread_id.x] += 3u;" in text


def test_each_element_of_an_array_of_buffers_is_its_own() -> None:
    many = {
        "decorations": "OpDecorate %many DescriptorSet 1\nOpDecorate %many Binding 5\n"
        "OpDecorate %row Block\nOpMemberDecorate %row 0 Offset 0",
        "declarations": "%row = OpTypeStruct %uint\n%two = OpConstant %uint 2\n"
        "%rows = OpTypeArray %row %two\n%ptr_rows = OpTypePointer Uniform %rows\n"
        "%many = OpVariable %ptr_rows Uniform\n"
        "%one = OpConstant %uint 1",
    }
    code = (
        "%member = OpAccessChain %p_uint %many %one %zero\n%word = OpLoad %uint %member\n"
        "%result = OpIAdd %uint %given %word"
    )
    shader = module(code, **many)
    assert "[1].rows[0].x" in shader.decompile("glsl", "exact")
    assert translated_outcome(shader, shader.translate(), 64, 1) == "equal"


def test_results_that_vulkan_leaves_undefined_are_not_counted() -> None:
    text = source("%result = OpUMod %uint %three %given")
    assert "Interlocked" not in text
    assert "3u % data[" in text


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("OpGroupNonUniformIAdd %uint %three Reduce %given", "WaveActiveSum("),
        ("OpGroupNonUniformUMin %uint %three Reduce %given", "WaveActiveMin("),
        ("OpGroupNonUniformBitwiseXor %uint %three Reduce %given", "WaveActiveBitXor("),
        ("OpGroupNonUniformIAdd %uint %three ExclusiveScan %given", "WavePrefixSum("),
        ("OpGroupNonUniformBroadcastFirst %uint %three %given", "WaveReadLaneFirst("),
    ],
)
def test_operations_of_a_wave(code: str, call: str) -> None:
    assert call in source(f"%result = {code}")


def test_an_inclusive_scan_adds_the_own_value() -> None:
    text = source("%result = OpGroupNonUniformIAdd %uint %three InclusiveScan %given")
    assert "uint t = data[thread_id.x];" in text
    assert "WavePrefixSum(t) + t" in text


def test_a_scan_that_hlsl_has_not_is_refused() -> None:
    with pytest.raises(
        unshade.UnsupportedError, match=r"a scan of umax cannot be decompiled yet \(line \d+\)"
    ):
        source("%result = OpGroupNonUniformUMax %uint %three InclusiveScan %given")


def test_the_size_of_a_wave_is_a_call() -> None:
    text = source(
        "%size = OpLoad %uint %wave\n%result = OpIAdd %uint %size %given",
        interface="%wave", decorations="OpDecorate %wave BuiltIn SubgroupSize",
        declarations="%wave = OpVariable %p_in Input",
    )  # fmt: skip
    assert "data[thread_id.x] += WaveGetLaneCount();" in text


def test_zeros_above_the_highest_bit_are_a_function() -> None:
    text = source(
        "%one = OpExtInst %uint %glsl FindUMsb %given\n%result = OpIAdd %uint %one %three",
        imports='%glsl = OpExtInstImport "GLSL.std.450"',
    )  # fmt: skip
    assert "leading_zeros(" in text
    assert "return x == 0u ? 32u : 31u - firstbithigh(x);" in text


def test_places_of_words_are_written_where_they_are_used() -> None:
    text = unshade.open(str(EXAMPLES / "particles.spv")).decompile()
    assert "particles.Store<float3>(t * 4u + 32u, t_1);" in text
    assert "uint3 t_" not in text


def test_words_without_an_address_are_beyond_the_buffer() -> None:
    shader = module(
        "%far = OpIMul %uint %given %three\n"
        "%at = OpAccessChain %p_uint %data %zero %far\n"
        "%result = OpLoad %uint %at"
    )
    text = shader.decompile(style="exact")
    assert "= data[data[thread_id.x] * 3u];" in text  # an element, which has no address to wrap
    assert "0x3fffffffu" not in text
    assert "0x3fffffffu" not in shader.decompile()
    assert "0x3fffffffu" not in shader.decompile("glsl", style="exact")


def test_an_operation_of_a_wave_stays_before_a_choice() -> None:
    """HLSL 2021 and GLSL evaluate one operand of a choice only, in fewer lanes."""
    text = source(
        "%low = OpULessThan %bool %given %three\n"
        "%sum = OpGroupNonUniformIAdd %uint %three Reduce %given\n"
        "%result = OpSelect %uint %low %sum %three"
    )
    assert re.search(r"uint (\w+) = WaveActiveSum\(\w+\);\n.* \? \1 : 3u", text)


@pytest.mark.parametrize(
    ("language", "words"),
    [("hlsl", "QuadReadLaneAt({}, 2u)"), ("glsl", "subgroupQuadBroadcast({}, 2u)")],
)
def test_a_lane_of_the_quad_is_read_by_its_number(language: str, words: str) -> None:
    code = "%result = OpGroupNonUniformQuadBroadcast %uint %three %given %two"
    shader = module(
        code, declarations="%two = OpConstant %uint 2", imports="OpCapability GroupNonUniformQuad"
    )
    text = shader.decompile(language)
    assert re.search(re.escape(words).replace(r"\{\}", r"[\w.\[\]*() ]+"), text)
    assert "OpGroupNonUniformQuadBroadcast" in shader.translate(target="vulkan1.3").disassemble()


def test_values_have_the_names_of_the_listing() -> None:
    text = source(
        "%twice = OpIAdd %uint %given %given\n%result = OpIMul %uint %twice %twice",
        decorations='OpName %twice "twice"',
    )  # fmt: skip
    assert "uint twice = " in text
    assert "= twice * twice;" in text


def test_literals_of_halves_have_a_suffix() -> None:
    text = source(
        "%half_of = OpConvertUToF %half %given\n%more = OpFMul %half %half_of %c\n"
        "%result = OpConvertFToU %uint %more",
        imports="OpCapability Float16",
        declarations="%half = OpTypeFloat 16\n%c = OpConstant %half 0x1.8p+0",
    )  # fmt: skip
    assert "* 1.5h" in text


HALF = {
    "imports": "OpCapability Float16\nOpCapability Int16",
    "declarations": (
        "%half = OpTypeFloat 16\n%short = OpTypeInt 16 0\n%c = OpConstant %half 0x1.8p+0"
    ),
}
DOUBLES = {
    "imports": "OpCapability Float64\nOpCapability Int64",
    "declarations": (
        "%double = OpTypeFloat 64\n%long = OpTypeInt 64 0\n%double2 = OpTypeVector %double 2\n"
        "%long2 = OpTypeVector %long 2\n%bits = OpConstant %long 0x4000000000000000\n"
        "%infinity = OpConstant %double 0x1p+1024"
    ),
}
CASTS = (
    (HALF, "asfloat16(", """
        %narrow = OpUConvert %short %given
        %cast = OpBitcast %half %narrow
        %sum = OpFAdd %half %cast %c
        %back = OpBitcast %short %sum
        %result = OpUConvert %uint %back"""),
    (DOUBLES, "asdouble(uint(x), uint(x >> 32))", """
        %wide = OpUConvert %long %given
        %all_bits = OpBitwiseOr %long %wide %bits
        %cast = OpBitcast %double %all_bits
        %sum = OpFAdd %double %cast %cast
        %back = OpBitcast %long %sum
        %result = OpUConvert %uint %back"""),
    (DOUBLES, "double2(double_of_bits(", """
        %wide = OpUConvert %long %given
        %one = OpBitwiseOr %long %wide %bits
        %other = OpBitwiseXor %long %wide %bits
        %pair = OpCompositeConstruct %long2 %one %other
        %cast = OpBitcast %double2 %pair
        %sum = OpFAdd %double2 %cast %cast
        %back = OpBitcast %long2 %sum
        %first = OpCompositeExtract %long %back 0
        %second = OpCompositeExtract %long %back 1
        %both = OpBitwiseXor %long %first %second
        %result = OpUConvert %uint %both"""),
    (DOUBLES, "asdouble(0x0u, 0x7ff00000u)", """
        %wide = OpUConvert %long %given
        %all_bits = OpBitwiseOr %long %wide %bits
        %cast = OpBitcast %double %all_bits
        %less = OpFOrdLessThan %bool %cast %infinity
        %result = OpSelect %uint %less %zero %three"""),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("given", "words", "code"), CASTS)
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_bits_of_halves_and_doubles_are_cast(given: dict[str, str], words: str, code: str) -> None:
    shader = module(code, **given)
    text = shader.decompile(style="exact")
    assert words in text
    assert outcome(shader, text, "compute", seeds=2) == "equal"


def test_casts_of_vectors_of_doubles_are_overloads() -> None:
    target = Hlsl(exact=True)
    double, long = (TermType(each, 64, 2) for each in (ScalarKind.FLOAT, ScalarKind.INT))
    assert target.bits(double, "x", long) == "double_of_bits(uint64_t2(x))"
    assert target.bits(long, "y", double) == "int64_t2(bits_of_double(y))"
    assert target.casts["double_of_bits2"] == (
        "double2 double_of_bits(uint64_t2 x) {\n"
        "    return double2(double_of_bits(x.x), double_of_bits(x.y));\n}"
    )


def test_push_constants_are_a_buffer_with_an_attribute() -> None:
    text = unshade.open(str(EXAMPLES / "particles.spv")).decompile()
    assert (
        "[[vk::push_constant]]\n"
        "cbuffer step_1 {\n"
        "    float3 gravity;\n"
        "    float seconds;\n"
        "};\n" in text
    )


def test_inputs_of_vulkan_have_semantics_by_location() -> None:
    text = unshade.open(str(EXAMPLES / "clay.vert.spv")).decompile()
    assert "float3 inPosition : TEXCOORD0," in text
    assert "float3 inNormal : TEXCOORD1," in text
    assert "out float4 out_gl_Position : SV_Position" in text


def test_registers_of_the_pica200_are_buffers() -> None:
    text = unshade.open(str(EXAMPLES / "lit.shbin")).decompile()
    assert "cbuffer c : register(b0) {\n    row_major float4x4 modelViewProjection" in text
    assert "out_position = mul(modelViewProjection, position);" in text
    assert "cbuffer b : register(b2) {\n    bool showNormals;" in text
    assert "out float4 out_color : COLOR" in text


def test_products_of_the_pica200_are_a_function() -> None:
    shader = unshade.open(str(EXAMPLES / "lit.shbin"))
    text = shader.decompile(style="exact")
    assert "product(modelViewProjection[0], position);" in text
    assert "found == found ? found : a == a ? b == b ? (float4)0 : found : found;" in text
    assert "product(vec4 a, vec4 b)" in shader.decompile(to="glsl", style="exact")


@pytest.mark.parametrize(("to", "line"), [("hlsl", "    float4 fill;"), ("glsl", "    vec4 fill;")])
def test_uniforms_of_sksl_that_are_halves_keep_their_names(to: str, line: str) -> None:
    text = unshade.open(str(EXAMPLES / "rounded.skslb")).decompile(to)
    assert line in text.splitlines()
    assert "rows" not in text


def test_uniforms_of_sksl_are_a_buffer() -> None:
    text = unshade.open(str(EXAMPLES / "plasma.skslb")).decompile()
    assert "cbuffer uniforms : register(b0) {" in text
    assert ") : SV_Target0" in text


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize(
    ("name", "stage"),
    [("particles.spv", "compute"), ("clay.frag.spv", "pixel"), ("clay.vert.spv", "vertex"),
     ("lit.shbin", "vertex"), ("plasma.skslb", "pixel"), ("saxpy6.dxil", "compute")],
)  # fmt: skip
def test_recompiled_source_computes_the_same_bits(name: str, stage: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    assert outcome(shader, shader.decompile(style="exact"), stage, seeds=2, turns=FEW) == "equal"


COUNTED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %number %position
OpName %number "number"
OpDecorate %number BuiltIn VertexIndex
OpDecorate %position BuiltIn Position
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%in_int = OpTypePointer Input %int
%out_v4 = OpTypePointer Output %v4
%number = OpVariable %in_int Input
%position = OpVariable %out_v4 Output
%main = OpFunction %void None %function
%begin = OpLabel
%count = OpLoad %int %number
%x = OpConvertSToF %float %count
%whole = OpCompositeConstruct %v4 %x %x %x %x
OpStore %position %whole
OpReturn
OpFunctionEnd
"""


def test_numbers_of_vertices_of_vulkan_are_told_apart() -> None:
    """Vulkan counts vertices and instances from the first of the draw call, HLSL from 0."""
    text = unshade.assemble(COUNTED, "spirv").decompile()
    note = "// of Vulkan, from the first vertex of the draw call; SV_VertexID is from 0"
    assert f"    {note}\n    int number : SV_VertexID" in text
    assert "SV_VertexID is" not in unshade.assemble(COUNTED, "spirv").decompile("glsl")
    text = unshade.open(str(EXAMPLES / "skinning.dxbc")).decompile("glsl")
    assert "// gl_InstanceIndex is from the first instance of the draw call; SV_InstanceID" in text


def test_the_first_vertex_is_added_where_the_program_has_it() -> None:
    module = COUNTED
    for line, more in (
        ("OpCapability Shader", "OpCapability DrawParameters"),
        ("OpDecorate %position BuiltIn Position", "OpDecorate %first BuiltIn BaseVertex"),
        ("%number = OpVariable %in_int Input", "%first = OpVariable %in_int Input"),
        ("%count = OpLoad %int %number",
         "%base = OpLoad %int %first\n%own = OpISub %int %count %base"),
    ):  # fmt: skip
        module = module.replace(line, f"{line}\n{more}")
    module = module.replace('%main "main"', '%main "main" %first')
    module = module.replace("OpConvertSToF %float %count", "OpConvertSToF %float %own")
    text = unshade.assemble(module, "spirv").decompile()
    base = re.search(r"int (\w+) : SV_StartVertexLocation", text)
    assert base is not None
    assert f"{{\n    number += {base[1]};\n" in text


def test_the_first_vertex_is_subtracted_where_the_program_has_it() -> None:
    """Direct3D counts vertices from 0, Vulkan from the first of the draw call."""
    shader = unshade.loads(counted_vertices())
    text = shader.decompile("glsl", "exact")
    assert "    int vertexID = gl_VertexIndex - gl_BaseVertex;\n" in text
    assert "is from the first vertex" not in text
    assert translated_outcome(shader, shader.translate(), seeds=2, turns=FEW) == "equal"
    assert "of Vulkan" not in shader.decompile()


SEMANTICS = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %first %second %out
OpExecutionMode %main OriginUpperLeft
OpName %first "in.var.TEXCOORD1"
OpName %second "in.var.TEXCOORD0"
OpName %out "out.var.SV_Target0"
OpDecorate %first Location 0
OpDecorate %second Location 1
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%p_in = OpTypePointer Input %float4
%p_out = OpTypePointer Output %float4
%first = OpVariable %p_in Input
%second = OpVariable %p_in Input
%out = OpVariable %p_out Output
%main = OpFunction %void None %fn
%start = OpLabel
%b = OpLoad %float4 %second
%a = OpLoad %float4 %first
%rest = OpFSub %float4 %b %a
OpStore %out %rest
OpReturn
OpFunctionEnd
"""


DUAL = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %first %second
OpExecutionMode %main OriginUpperLeft
OpDecorate %first Location 0
OpDecorate %second Location 0
OpDecorate %second Index 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%p_out = OpTypePointer Output %float
%half = OpConstant %float 0.5
%two = OpConstant %float 2
%first = OpVariable %p_out Output
%second = OpVariable %p_out Output
%main = OpFunction %void None %fn
%start = OpLabel
OpStore %first %half
OpStore %second %two
OpReturn
OpFunctionEnd
"""


def test_sources_of_a_blend_are_two_targets_of_direct3d_and_one_location_of_vulkan() -> None:
    text = unshade.assemble(DUAL, "spirv").decompile()
    assert "[[vk::location(0)]] [[vk::index(0)]] out float out0 : SV_Target0," in text
    assert "[[vk::location(0)]] [[vk::index(1)]] out float out0_1 : SV_Target1)" in text


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_recompiled_sources_of_a_blend_stay_apart(to: str) -> None:
    shader = unshade.assemble(DUAL, "spirv")
    text = shader.decompile(to, "exact")
    assert outcome(shader, text, "pixel", language=to, seeds=2, turns=FEW) == "equal"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_inputs_are_joined_by_location_and_not_by_their_former_semantic() -> None:
    """In HLSL, TEXCOORD1 and TEXCOORD0 of a module have the semantics of their locations."""
    shader = unshade.assemble(SEMANTICS, "spirv")
    text = shader.decompile("hlsl", "exact")
    assert re.search(r"in_var_TEXCOORD0 : TEXCOORD1\b", text)
    assert outcome(shader, text, "pixel", 64, 1) == "equal"
