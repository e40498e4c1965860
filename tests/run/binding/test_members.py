"""Members of buffers that are given by their own names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade import UsageError
from unshade.run.kernels import Kernel

# buffer In { float values[]; };  buffer Out { uint total; float doubled[]; } o;
# o.total = 7; o.doubled[i] = 2 * values[i];
TEXT = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 4 1 1
OpName %main "main"
OpName %In "In"
OpMemberName %In 0 "values"
OpName %Out "Out"
OpMemberName %Out 0 "total"
OpMemberName %Out 1 "{second}"
OpName %o "o"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %floats ArrayStride 4
OpDecorate %In BufferBlock
OpMemberDecorate %In 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %Out BufferBlock
OpMemberDecorate %Out 0 Offset 0
OpMemberDecorate %Out 1 Offset 4
OpDecorate %o DescriptorSet 0
OpDecorate %o Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uint3 = OpTypeVector %uint 3
%floats = OpTypeRuntimeArray %float
%In = OpTypeStruct %floats
%Out = OpTypeStruct %uint %floats
%to_in = OpTypePointer Uniform %In
%to_out = OpTypePointer Uniform %Out
%to_float = OpTypePointer Uniform %float
%to_uint = OpTypePointer Uniform %uint
%to_id = OpTypePointer Input %uint3
%in = OpVariable %to_in Uniform
%o = OpVariable %to_out Uniform
%id = OpVariable %to_id Input
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c7 = OpConstant %uint 7
%main = OpFunction %void None %function
%start = OpLabel
%all = OpLoad %uint3 %id
%i = OpCompositeExtract %uint %all 0
%from = OpAccessChain %to_float %in %c0 %i
%value = OpLoad %float %from
%twice = OpFAdd %float %value %value
%into = OpAccessChain %to_float %o %c1 %i
OpStore %into %twice
%number = OpAccessChain %to_uint %o %c0
OpStore %number %c7
OpReturn
OpFunctionEnd
"""
VALUES = np.arange(4, dtype="f4")
ZEROS = np.zeros(4, "f4")


@pytest.fixture
def kernel() -> Kernel:
    return opened()


def opened(second: str = "doubled") -> Kernel:
    return unshade.kernel(unshade.assemble(TEXT.format(second=second), "spirv"), engine="lockstep")


@pytest.mark.parametrize(
    "given",
    [
        {"In": VALUES, "o": {"total": 0, "doubled": ZEROS}},
        {"values": VALUES, "o": {"total": 0, "doubled": ZEROS}},
        {"values": VALUES, "total": 0, "doubled": ZEROS},
        {"set0_binding0": VALUES, "o": {"total": 0}, "doubled": ZEROS},
    ],
)
def test_members_have_names(given: dict[str, Any], kernel: Kernel) -> None:
    found = kernel.dispatch(1, given)["o"]
    assert found["total"] == 7
    assert found["doubled"].tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"values": VALUES, "doubled": ZEROS}, r"o \(set0_binding1\): uint total missing"),
        ({"values": VALUES, "In": VALUES}, r"In \(set0_binding0\) is given twice"),
        ({"In": VALUES, "o": {"total": 1}, "total": 1, "doubled": ZEROS}, "'total' is given twice"),
        ({"In": VALUES, "o": ZEROS, "total": 1}, "expected a dict beside 'total', got"),
        ({"valuse": VALUES}, "unknown name 'valuse'; did you mean values?"),
    ],
)
def test_members_are_refused(given: dict[str, Any], message: str, kernel: Kernel) -> None:
    with pytest.raises(UsageError, match=message):
        kernel.dispatch(1, given)


def test_a_name_of_two_buffers_is_ambiguous() -> None:
    with pytest.raises(UsageError, match=r"ambiguous name 'values': a variable of .*In.* and .*o"):
        opened("values").dispatch(1, values=VALUES)
