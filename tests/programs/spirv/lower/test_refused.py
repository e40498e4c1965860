"""Instructions that run, those that are no code, and those that are refused by name."""

import pytest

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
    [("MeshEXT", "mesh shaders"), ("TaskNV", "mesh shaders"), ("MissKHR", "ray tracing"),
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
