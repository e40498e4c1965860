"""Instructions that run, those that are no code, and those that are refused by name."""

from collections.abc import Callable

import pytest

import unshade
from tools.pages.spirv import is_no_code
from unshade import UnsupportedError, assemble, kernel
from unshade.programs.spirv.lower import HANDLERS
from unshade.programs.spirv.lower.refused import reason_of
from unshade.programs.spirv.tables.grammar import grammar

from .modules import shader


def test_every_instruction_runs_is_no_code_or_has_a_reason() -> None:
    for op in grammar().core.by_code.values():
        known = op.code in HANDLERS or is_no_code(op.name)
        assert known or reason_of(op.name) is not None, op.name


def test_the_reason_is_in_the_error() -> None:
    code = "%y = OpReadClockKHR %ulong %c3"
    globals_ = "%ulong = OpTypeInt 64 0"
    with pytest.raises(UnsupportedError, match=r"OpReadClockKHR cannot be run: the device"):
        kernel(shader(code, "%x", globals=globals_))


@pytest.mark.parametrize(
    ("model", "reason"),
    [("MeshNV", "an extension of a vendor"), ("TaskNV", "an extension of a vendor"),
     ("MissKHR", "ray tracing"),
     ("Kernel", "OpenCL kernels")],
)  # fmt: skip
def test_the_reason_of_a_stage_is_in_the_error(model: str, reason: str) -> None:
    text = f"""OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main"
%void = OpTypeVoid
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
    with pytest.raises(UnsupportedError, match=f"main: {model} cannot be run: {reason}"):
        kernel(assemble(text, format="spirv"))


@pytest.mark.parametrize("type_", ["AccelerationStructureKHR", "RayQueryKHR"])
def test_the_reason_of_a_type_is_in_the_error(type_: str) -> None:
    globals_ = f"""%rays = OpType{type_}
%p_rays = OpTypePointer UniformConstant %rays
%scene = OpVariable %p_rays UniformConstant"""
    code = "%y = OpLoad %rays %scene"
    decorations = "OpDecorate %scene DescriptorSet 0\nOpDecorate %scene Binding 2"
    with pytest.raises(UnsupportedError, match=f"OpType{type_} cannot be run: ray tracing"):
        kernel(shader(code, "%x", globals=globals_, decorations=decorations))


BY_ADDRESS = """OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpCapability Int64
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main" %push
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %Push Block
OpMemberDecorate %Push 0 Offset 0
OpMemberDecorate %Push 1 Offset 8
OpMemberDecorate %Push 2 Offset 16
OpDecorate %Data Block
OpMemberDecorate %Data 0 Offset 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%pair = OpTypeVector %uint 2
%Data = OpTypeStruct %uint
%address = OpTypePointer PhysicalStorageBuffer %Data
%word = OpTypePointer PhysicalStorageBuffer %uint
%Push = OpTypeStruct %address %ulong %pair
%block = OpTypePointer PushConstant %Push
%push = OpVariable %block PushConstant
%at_pointer = OpTypePointer PushConstant %address
%at_long = OpTypePointer PushConstant %ulong
%at_pair = OpTypePointer PushConstant %pair
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%main = OpFunction %void None %function
%entry = OpLabel
"""


@pytest.mark.parametrize("call", [kernel, lambda shader: shader.decompile(),
                                  lambda shader: shader.translate("wgsl")])  # fmt: skip
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("%p = OpAccessChain %at_pointer %push %c0\n%d = OpLoad %address %p",
         "OpLoad: pointers in blocks"),
        ("%p = OpAccessChain %at_long %push %c1\n%n = OpLoad %ulong %p\n"
         "%d = OpConvertUToPtr %address %n", "OpConvertUToPtr"),
        ("%p = OpAccessChain %at_pair %push %c2\n%n = OpLoad %pair %p\n"
         "%d = OpBitcast %address %n", "OpBitcast: to a pointer"),
    ],
)  # fmt: skip
def test_buffers_by_address_are_named(
    call: Callable[[unshade.Shader], object], code: str, words: str
) -> None:
    text = (
        f"{BY_ADDRESS}{code}\n%w = OpAccessChain %word %d %c0\nOpStore %w %c1 Aligned 4\n"
        "OpReturn\nOpFunctionEnd\n"
    )
    shader = assemble(text, "spirv", target="vulkan1.2")
    reason = r"no memory is bound at an address \(`buffer_reference` in GLSL\)"
    with pytest.raises(UnsupportedError, match=rf"{words} cannot be run: {reason}"):
        call(shader)
