"""Variables with one set and binding that no descriptor can be, as the API refuses them."""

from __future__ import annotations

import pytest

from tests.programs.spirv.lower.test_sharing import shader
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate

KINDS = {
    "uniform": "uniform buffer", "read": "storage buffer", "texture": "sampled image",
    "texels": "uniform texel buffer", "image": "storage image",
}  # fmt: skip


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_two_types_of_descriptor_at_one_binding(first: str, second: str) -> None:
    for target in ("vulkan1.3", "spv1.6"):
        found = [
            each.message
            for each in shader(first, second).verify(target=target)
            if each.code == "spirv.descriptor"
        ]
        message = (
            "OpVariable: expected one type of descriptor at set 0, binding 0, got"
            f" {KINDS[first]} %a and {KINDS[second]} %b"
        )
        assert len(found) == (first != second)
        assert found in ([], [message])
    codes = {each.code for each in shader(first, second).verify(target="opengl4.5")}
    assert "spirv.descriptor" not in codes


BODY = """
OpCapability Shader
OpCapability RuntimeDescriptorArray
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %one "one" %a %b
OpEntryPoint GLCompute %two "two" %a %b
OpExecutionMode %one LocalSize 1 1 1
OpExecutionMode %two LocalSize 1 1 1
OpDecorate %a DescriptorSet 3
OpDecorate %b DescriptorSet 3
OpDecorate %a Binding 5
OpDecorate %b Binding 5
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%images = OpTypeRuntimeArray %image
%samplers = OpTypeRuntimeArray %sampler
%combined = OpTypeSampledImage %image
%combinations = OpTypeRuntimeArray %combined
%pimage = OpTypePointer UniformConstant %image
%psampler = OpTypePointer UniformConstant %sampler
%pcombined = OpTypePointer UniformConstant %combined
%pimages = OpTypePointer UniformConstant %images
%pcombinations = OpTypePointer UniformConstant %combinations
%a = OpVariable %p{first} UniformConstant
%b = OpVariable %p{second} UniformConstant
%one = OpFunction %void None %fn
%l = OpLabel
{body}
OpReturn
OpFunctionEnd
%two = OpFunction %void None %fn
%m = OpLabel
{other}
OpReturn
OpFunctionEnd
"""
LOADS = "%x{0} = OpCopyObject %p{1} %a", "%y{0} = OpCopyObject %p{1} %b"


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ("image", "sampler", False),  # a combined image sampler is both
        ("sampler", "image", False),
        ("image", "combined", True),
        ("sampler", "combined", True),
        ("images", "combinations", False),  # elements of a mutable descriptor
        ("images", "combined", True),
    ],
)
def test_images_and_samplers(first: str, second: str, is_found: bool) -> None:
    both = "\n".join([LOADS[0].format(1, first), LOADS[1].format(1, second)])
    apart = LOADS[0].format(1, first), LOADS[1].format(2, second)
    for body, other, expected in [(both, "", is_found), ("", both, is_found), (*apart, False)]:
        text = BODY.format(first=first, second=second, body=body, other=other)
        found = validate(assemble(Source(text), target="spv1.5"), "vulkan1.2")
        assert [each.code for each in found] == ["spirv.descriptor"] * expected
