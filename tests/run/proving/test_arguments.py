"""Arguments that two kernels have in common, whatever their sources call them."""

import re

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.decompile.test_names import BLOCK
from tests.fixtures.counted_vertices import counted_vertices
from unshade.run.proving import prove
from unshade.run.proving.arguments import bindings_of, common
from unshade.run.proving.numbers import NumberSource

COPY = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpName %in "{0}"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %numbers ArrayStride 4
OpDecorate %words ArrayStride 4
OpMemberDecorate %In 0 Offset 0
OpMemberDecorate %Out 0 Offset 0
OpDecorate %In BufferBlock
OpDecorate %Out BufferBlock
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%0 = OpConstant %int 0
%v3 = OpTypeVector %uint 3
%numbers = OpTypeRuntimeArray %{1}
%words = OpTypeRuntimeArray %uint
%In = OpTypeStruct %numbers
%Out = OpTypeStruct %words
%p_in = OpTypePointer Uniform %In
%p_out = OpTypePointer Uniform %Out
%p_number = OpTypePointer Uniform %{1}
%p_word = OpTypePointer Uniform %uint
%in = OpVariable %p_in Uniform
%out = OpVariable %p_out Uniform
%in_v3 = OpTypePointer Input %v3
%id = OpVariable %in_v3 Input
%main = OpFunction %void None %function
%begin = OpLabel
%at = OpLoad %v3 %id
%lane = OpCompositeExtract %uint %at 0
%from = OpAccessChain %p_number %in %0 %lane
%number = OpLoad %{1} %from
%word = OpBitcast %uint %number
%to = OpAccessChain %p_word %out %0 %lane
OpStore %to {2}
OpReturn
OpFunctionEnd
"""


def test_variables_of_one_place_have_one_value() -> None:
    one = unshade.assemble(BLOCK, "spirv")
    other = unshade.assemble(
        BLOCK.replace('0 "N"', '0 "n_1"').replace('2 "t"', '2 "t_28"'), "spirv"
    )
    proof = prove(one, other)
    assert proof.equal
    assert proof.uncovered == []
    moved = BLOCK.replace('1 "Out"', '1 "b"').replace('2 "t"', '2 "c"')
    swapped = moved.replace("%12 = OpFAdd %v4 %11 %Out", "%12 = OpFAdd %v4 %11 %t")
    assert not prove(one, unshade.assemble(swapped, "spirv"))


@pytest.mark.parametrize(("first", "second"), [("float", "uint"), ("uint", "float")])
def test_elements_of_other_types_have_the_same_bits(first: str, second: str) -> None:
    one, other = (
        unshade.assemble(
            COPY.format(name, type, "%word" if type == "float" else "%number"), "spirv"
        )
        for name, type in (("values", first), ("words", second))
    )
    assert prove(one, other).equal


def test_uniforms_and_positions_of_sksl_have_partners() -> None:
    """A position of two components, and a bank of uniforms without a label."""
    for name in ("rounded", "noise"):
        shader = unshade.open(str(REPOSITORY / "examples" / f"{name}.skslb"))
        proof = prove(shader, shader.translate(), rounds=2)
        assert proof.equal
        assert proof.uncovered == []


STORED = """
OpCapability Shader
OpCapability StorageImageExtendedFormats
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 8 1
OpName %picture "picture"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %picture DescriptorSet 0
OpDecorate %picture Binding 0
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uint2 = OpTypeVector %uint 2
%uint3 = OpTypeVector %uint 3
%float4 = OpTypeVector %float 4
%image = OpTypeImage %float 2D 0 0 0 2 {format}
%p_image = OpTypePointer UniformConstant %image
%p_uint3 = OpTypePointer Input %uint3
%picture = OpVariable %p_image UniformConstant
%id = OpVariable %p_uint3 Input
%texel = OpConstant %float {0}
%other = OpConstant %float {1}
%all = OpConstantComposite %float4 {texel}
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%entry = OpLabel
%lane = OpLoad %uint3 %id
%place = OpVectorShuffle %uint2 %lane %lane 0 1
%target = OpLoad %image %picture
OpImageWrite %target %place %all
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("format", "channels"), [("Rgba32f", 4), ("R11fG11fB10f", 3), ("Rg32f", 2), ("R32f", 1)]
)
def test_channels_that_a_format_lacks_are_not_compared(format: str, channels: int) -> None:
    def stored(differs: int) -> unshade.Shader:
        names = ["%other" if at == differs else "%texel" for at in range(4)]
        text = STORED.replace("{format}", format).replace("{texel}", " ".join(names))
        return unshade.assemble(text.replace("{0}", "0.5").replace("{1}", "0.25"), "spirv")

    plain = stored(4)
    found = [prove(plain, stored(at), rounds=2).equal for at in range(4)]
    assert found == [at >= channels for at in range(4)]
    assert prove(plain, plain.translate(), rounds=2).equal


WRITTEN = """// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// moved                                 UAV  float2          2d             u0      1
//
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_input vThreadID.xy
dcl_thread_group 4, 4, 1
store_uav_typed u0.xyzw, vThreadID.xyyy, l(1.0, 2.0, 3.0, 4.0)
ret
"""


def test_channels_that_a_type_lacks_are_not_compared() -> None:
    """Compilers store the first component again in those that RWTexture2D<float2> lacks."""
    plain = unshade.assemble(WRITTEN, "dxcontainer")
    for number, equal in (("2.0", False), ("3.0", True)):
        other = unshade.assemble(WRITTEN.replace(number, "9.0"), "dxcontainer")
        assert prove(plain, other, rounds=2, lanes=16).equal is equal
    assert prove(plain, plain.translate(), rounds=2, lanes=16).equal


def test_vertices_count_from_the_first_of_the_draw_call_in_vulkan_alone() -> None:
    direct3d = unshade.loads(counted_vertices())
    vulkan = direct3d.translate()
    for pair in ((direct3d, vulkan), (vulkan, direct3d)):
        assert prove(*pair, rounds=4, lanes=16).equal
    wrong = vulkan.disassemble().replace("OpISub", "OpIAdd")
    assert not prove(direct3d, unshade.assemble(wrong, "spirv"), rounds=4, lanes=16).equal


def test_a_first_vertex_that_only_one_reads_is_0() -> None:
    """Compilers make SV_VertexID of Direct3D a difference of two inputs of Vulkan."""
    direct3d = unshade.loads(counted_vertices("%sum = add i32 %number, 0"))
    module = unshade.loads(counted_vertices()).translate().disassemble()
    module = re.sub(r"OpShiftLeftLogical %int (%\d+) %int_1", r"OpISub %int \1 \1", module)
    found = prove(direct3d, unshade.assemble(module, "spirv"), rounds=4, lanes=16)
    assert found.equal
    assert found.uncovered == ["only the second reads the input gl_BaseVertex"]


KINDS = {
    "buffer": (64, 4),
    "texture1d": (8, 4),
    "texture1darray": (2, 8, 4),
    "texture2d": (8, 8, 4),
    "texture2darray": (2, 8, 8, 4),
    "texture2dms(4)": (8, 8, 4, 4),
    "texture2dmsarray(4)": (2, 8, 8, 4, 4),
    "texture3d": (8, 8, 8, 4),
    "texturecube": (6, 8, 8, 4),
    "texturecubearray": (12, 8, 8, 4),
}


@pytest.mark.parametrize(("type", "dtype"), [("float", "f4"), ("uint", "u4"), ("sint", "i4")])
def test_textures_have_all_faces_layers_and_samples(type: str, dtype: str) -> None:
    """Layers, levels, samples and faces are read by number, so that the proof sees each."""
    four = ",".join([type] * 4)
    rows = [f"dcl_resource_{kind} ({four}) t{at}" for at, kind in enumerate(KINDS)]
    reads = []
    for at, kind in enumerate(KINDS):
        name, samples, _ = kind.partition("(")
        suffix = f"_indexable({name})({four}) r1.xyzw, r0.xyzw, t{at}.xyzw"
        if kind.startswith("texturecube"):
            reads.append(f"resinfo_uint r1.xyzw, l(0), t{at}.xyzw")
        else:
            reads.append(f"ldms{suffix}, l(0)" if samples else f"ld{suffix}")
        reads.append(f"store_raw u0.x, l({4 * at}), r1.x")
    text = "\n".join([
        "cs_5_0", "dcl_globalFlags refactoringAllowed", *rows, "dcl_uav_raw u0",
        "dcl_temps 2", "dcl_thread_group 1, 1, 1", "mov r0.xyzw, l(0,0,0,0)", *reads, "ret",
    ])  # fmt: skip
    kernel = unshade.kernel(unshade.assemble(text, "dxcontainer"))
    one, other = bindings_of(common(kernel, kernel), NumberSource(np.random.default_rng(1), 0))
    found = {name: value for name, value in one.items() if name.startswith("t")}
    assert [(each.shape, each.dtype.str[1:]) for each in found.values()] == [
        (shape, dtype) for shape in KINDS.values()
    ]
    assert all((other[name] == value).all() for name, value in found.items())
