"""Images of Vulkan: those that are only read, and those of cubes."""

from collections.abc import Sequence
from importlib.util import find_spec
from shutil import which
from typing import Any

import numpy as np
import pytest

import unshade
from unshade import UnsupportedError
from unshade.isa.source import Source

from .recompiled import FEW, outcome, translated_outcome

HEAD = """
OpCapability Shader
OpCapability ImageQuery
OpCapability ImageCubeArray
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpName %image "image"
OpDecorate %out Location 0
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 2
"""
TYPES = """
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %uint 2
%v3 = OpTypeVector %uint 3
%v4 = OpTypeVector %float 4
%u1 = OpConstant %uint 1
%two = OpConstantComposite %v2 %u1 %u1
%three = OpConstantComposite %v3 %u1 %u1 %u1
%out_v4 = OpTypePointer Output %v4
%out = OpVariable %out_v4 Output
"""
BODY = """
%of_image = OpTypePointer UniformConstant %type
%image = OpVariable %of_image UniformConstant
%main = OpFunction %void None %function
%begin = OpLabel
%whole = OpLoad %type %image
"""
END = """
OpStore %out %made
OpReturn
OpFunctionEnd
"""


def shader_of(dimension: str, place: str, body: Sequence[str], *decorations: str) -> Any:
    """Return a pixel shader whose body reads the image, or asks for its size."""
    type = f"%type = OpTypeImage %float {dimension} Rgba32f"
    read = f"%texel = OpImageRead %v4 %whole {place}"
    lines = [HEAD, *decorations, TYPES, type, BODY, read, *body, END]
    return unshade.assemble("\n".join(lines), "spirv")


PLAIN = ("%made = OpCopyObject %v4 %texel",)
SIZED = (
    "%size = OpImageQuerySize %v3 %whole",
    "%count = OpCompositeExtract %uint %size 2",
    "%number = OpConvertUToF %float %count",
    "%made = OpCompositeInsert %v4 %number %texel 3",
)
ONLY_READ = "OpDecorate %image NonWritable"


def test_an_image_that_is_only_read_remains_one() -> None:
    """A texture has another type of descriptor, and its size has levels."""
    shader = shader_of("2D 0 0 0 2", "%two", PLAIN, ONLY_READ)
    text = shader.decompile("glsl")
    assert "layout(set = 0, binding = 2, rgba32f) readonly uniform image2D image;" in text
    assert "imageLoad(image, ivec2(1))" in text
    made = shader.translate()
    assert "OpTypeImage %float 2D 0 0 0 2 Rgba32f" in made.disassemble()
    assert "NonWritable" in made.disassemble()
    assert made.verify() == []
    (resource,) = made.reflect().resources
    assert resource.descriptor == "storage_image"
    assert "Texture2D<float4> image" in shader.decompile("hlsl")


def test_images_of_cubes_are_arrays_of_faces_in_hlsl() -> None:
    text = shader_of("Cube 0 1 0 2", "%three", SIZED).decompile()
    assert "RWTexture2DArray<float4> image" in text


@pytest.mark.parametrize("decorations", [(), (ONLY_READ,)])
@pytest.mark.parametrize("array", [0, 1])
def test_sizes_of_cubes(array: int, decorations: tuple[str, ...]) -> None:
    """Vulkan counts the cubes of an array."""
    body = SIZED if array else PLAIN
    shader = shader_of(f"Cube 0 {array} 0 2", "%three", body, *decorations)
    made = shader.translate()
    assert made.verify() == []
    assert translated_outcome(shader, made, seeds=1, engines=("lockstep",), turns=FEW) == "equal"
    if array:
        texels = np.zeros((12, 2, 2, 4), "<f4")
        for each in (shader, made):
            kernel = unshade.kernel(each)
            found = kernel.shade((2, 2), **{kernel.bindings[0].name: texels})
            assert (found[kernel.outputs[0].label][..., 3] == 2).all()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
@pytest.mark.parametrize("dimension", ["Cube 0 1 0 2", "2D 0 1 0 2"])
def test_compilers_make_the_same_of_sizes(language: str, dimension: str) -> None:
    if language == "hlsl":
        pytest.importorskip("slangpy", reason="needs the extra [slang]")
    elif which("glslangValidator") is None:
        pytest.skip("needs glslangValidator")
    for decorations in ((), (ONLY_READ,)):
        shader = shader_of(dimension, "%three", SIZED, *decorations)
        text = shader.decompile(language, "exact")
        ended = outcome(shader, text, "pixel", seeds=1, language=language, turns=FEW)
        assert ended == "equal"


def test_a_texel_of_a_cube_texture_is_refused() -> None:
    """The module is invalid, and a call of it ends with an error of ours."""
    text = "\n".join([
        HEAD, TYPES, "%type = OpTypeImage %float Cube 0 1 0 1 Unknown", BODY,
        "%texel = OpImageFetch %v4 %whole %three", *PLAIN, END,
    ])  # fmt: skip
    kernel = unshade.kernel(unshade.assemble(text, "spirv"))
    texels = np.zeros((12, 2, 2, 4), "<f4")
    with pytest.raises(UnsupportedError, match="a texel of a cube texture cannot be fetched"):
        kernel.shade((2, 2), **{kernel.bindings[0].name: texels})


ARRAYS = """
OpCapability Shader
OpCapability Image1D
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
OpDecorate %lines DescriptorSet 0
OpDecorate %lines Binding 1
OpDecorate %planes DescriptorSet 0
OpDecorate %planes Binding 1
%line = OpTypeImage %float 1D 0 0 0 2 R32f
%plane = OpTypeImage %float 2D 0 0 0 2 Rg32f
%lines_4 = OpTypeArray %line %u4
%planes_4 = OpTypeArray %plane %u4
%of_lines = OpTypePointer UniformConstant %lines_4
%of_planes = OpTypePointer UniformConstant %planes_4
%of_line = OpTypePointer UniformConstant %line
%of_plane = OpTypePointer UniformConstant %plane
%lines = OpVariable %of_lines UniformConstant
%planes = OpVariable %of_planes UniformConstant
%main = OpFunction %void None %function
%begin = OpLabel
%p_line = OpAccessChain %of_line %lines %u1
%one = OpLoad %line %p_line
%texel = OpImageRead %v4 %one %u1
%p_plane = OpAccessChain %of_plane %planes %u1
%other = OpLoad %plane %p_plane
OpImageWrite %other %two %texel
OpStore %out %texel
OpReturn
OpFunctionEnd
"""


def test_arrays_of_images_of_one_binding_are_declared_with_their_types() -> None:
    lines = ARRAYS.split("\n")
    types = lines.index("%line = OpTypeImage %float 1D 0 0 0 2 R32f")
    lines[types:types] = [*TYPES.strip().split("\n"), "%u4 = OpConstant %uint 4"]
    text = unshade.assemble("\n".join(lines), "spirv").decompile()
    assert "RWTexture1D<float> set0_binding1[4];" in text
    assert "RWTexture2D<float2> set0_binding1_1[4];" in text
    assert "set0_binding1_1[1][uint2(1u, 1u)]" in text
    if find_spec("slangpy") is not None:
        unshade.compile(
            Source(text, "images.hlsl"), language="hlsl", stage="pixel", compiler="slang"
        )
