"""Specialisation constants stay what they are, in each language."""

import shutil
import subprocess
from pathlib import Path

import pytest

import unshade
from unshade.run.proving import prove

MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 1 1 1
OpName %N "N"
OpName %S "S"
OpName %F "F"
OpName %size "size"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %N SpecId 0
OpDecorate %S SpecId 1
OpDecorate %F SpecId 2
OpDecorate %size SpecId 3
OpDecorate %x SpecId 10
OpDecorate %group BuiltIn WorkgroupSize
OpDecorate %words ArrayStride 4
OpMemberDecorate %Out 0 Offset 0
OpDecorate %Out BufferBlock
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%bool = OpTypeBool
%0 = OpConstant %int 0
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%N = OpSpecConstant %uint 4
%S = OpSpecConstant %float 1.5
%F = OpSpecConstantTrue %bool
%size = OpSpecConstant %uint 8
%x = OpSpecConstant %uint 2
%v3 = OpTypeVector %uint 3
%group = OpSpecConstantComposite %v3 %x %u1 %u1
%more = OpSpecConstantOp %uint IMul %N %u3
%array = OpTypeArray %uint %size
%p_array = OpTypePointer Function %array
%p_element = OpTypePointer Function %uint
%words = OpTypeRuntimeArray %uint
%Out = OpTypeStruct %words
%p_out = OpTypePointer Uniform %Out
%p_word = OpTypePointer Uniform %uint
%out = OpVariable %p_out Uniform
%in_v3 = OpTypePointer Input %v3
%id = OpVariable %in_v3 Input
%main = OpFunction %void None %function
%begin = OpLabel
%kept = OpVariable %p_array Function
%at = OpLoad %v3 %id
%lane = OpCompositeExtract %uint %at 0
%place = OpUMod %uint %lane %u3
%element = OpAccessChain %p_element %kept %place
OpStore %element %more
%float_N = OpConvertUToF %float %N
%scaled = OpFMul %float %float_N %S
%whole = OpConvertFToU %uint %scaled
%read = OpLoad %uint %element
%chosen = OpSelect %uint %F %whole %read
%sum = OpIAdd %uint %chosen %read
%to = OpAccessChain %p_word %out %0 %lane
OpStore %to %sum
OpReturn
OpFunctionEnd
"""
CONSTANTS: dict[str | int, object] = {0: 7, 1: 2.5, 2: False}


@pytest.fixture(scope="module")
def shader() -> unshade.Shader:
    return unshade.assemble(MODULE, "spirv")


def test_hlsl_has_constants_with_their_ids(shader: unshade.Shader) -> None:
    text = shader.decompile()
    assert "[[vk::constant_id(0)]] const uint N = 4u;" in text
    assert "[[vk::constant_id(1)]] const float S = 1.5;" in text
    assert "[[vk::constant_id(2)]] const bool F = true;" in text
    assert "N * 3u" in text


def test_what_the_code_depends_on_is_told(shader: unshade.Shader) -> None:
    text = shader.decompile()
    assert "// specialisation constant 3: uint size = 8, fixed in the code" in text
    size = "// specialisation constant 10: uint = 2, fixed in the size of the thread group (x)"
    assert size in text
    assert size not in shader.decompile("glsl")


def test_glsl_has_constants_and_the_size_of_the_group(shader: unshade.Shader) -> None:
    text = shader.decompile("glsl")
    assert "layout(constant_id = 0) const uint N = 4u;" in text
    sizes = "local_size_x = 2, local_size_y = 1, local_size_z = 1, local_size_x_id = 10"
    assert f"layout({sizes}) in;" in text


def test_wgsl_has_overrides(shader: unshade.Shader) -> None:
    text = shader.translate("wgsl")
    assert "@id(1) override S: f32 = 1.5;" in text
    assert "@id(2) override F: bool = true;" in text
    assert "@id(10) override group_x: u32 = 2u;" in text
    assert "@workgroup_size(group_x, 1, 1)" in text


@pytest.mark.parametrize("given", [{}, CONSTANTS])
def test_a_translation_can_be_specialised(shader: unshade.Shader, given: dict[int, object]) -> None:
    made = shader.translate()
    rows = {each.id: (each.type, each.default) for each in made.reflect().specialisation_constants}
    wanted = {0: ("uint", 4), 1: ("float", 1.5), 2: ("bool", True), 10: ("uint", 2)}
    assert rows == wanted
    results = [
        unshade.kernel(each, constants=given).dispatch((2, 1, 1), set0_binding1=bytes(16))
        for each in (shader, made)
    ]
    first, second = ([bytes(each) for each in found.values()] for found in results)
    assert first == second


def test_a_value_that_is_given_is_fixed(shader: unshade.Shader) -> None:
    text = shader.decompile(constants={"N": 5})
    assert "constant_id(0)" not in text
    assert "// specialisation constant 0: uint N = 5, fixed in the code" in text
    assert "15u" in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
def test_compilers_keep_the_ids(shader: unshade.Shader, language: str, tmp_path: Path) -> None:
    path = tmp_path / f"made.{language}"
    path.write_text(shader.decompile(language))
    made = tmp_path / "made.spv"
    options = ["-D", "-e", "main"] if language == "hlsl" else []
    subprocess.run(
        ["glslangValidator", "-V", *options, "-S", "comp", str(path), "-o", str(made)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    again = unshade.open(str(made))
    ids = {each.id for each in again.reflect().specialisation_constants}
    assert ids == {0, 1, 2} | ({10} if language == "glsl" else set())
    assert prove(shader, again).equal


def test_constants_of_one_id_keep_their_defaults() -> None:
    """glslang makes two of `constant_id = 0` and `local_size_x_id = 0`."""
    shared = MODULE.replace("OpDecorate %x SpecId 10", "OpDecorate %x SpecId 0")
    shader = unshade.assemble(shared, "spirv")
    made = shader.translate()
    for each in (shader, made):
        found = {(row.id, row.default) for row in each.reflect().specialisation_constants}
        assert {(0, 4), (0, 2)} <= found
        assert unshade.kernel(each).group == (2, 1, 1)
    text = shader.decompile("glsl")
    assert "layout(constant_id = 0) const uint N = 4u;" in text
    assert "local_size_x = 2" in text
    assert "local_size_x_id = 0" in text
    with pytest.raises(unshade.UnsupportedError, match="constant 0 has two defaults"):
        shader.translate("wgsl")
