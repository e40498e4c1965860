"""Specialisation constants, push constants, the size of a workgroup."""

import numpy as np
import pytest

import unshade

from .modules import run, shader

CONSTANTS = """\
%size = OpSpecConstant %uint 4
%scale = OpSpecConstant %float 1.5
%twice = OpSpecConstantOp %uint IMul %size %c2
%more = OpSpecConstantOp %uint IAdd %twice %c1
%array = OpTypeArray %uint %more
%p_array = OpTypePointer Function %array
%p_fn = OpTypePointer Function %uint
"""
DECORATED = 'OpDecorate %size SpecId 10\nOpDecorate %scale SpecId 3\nOpName %scale "SCALE"'
CODE = """\
%at = OpAccessChain %p_fn %a %x
OpStore %at %c3
%last = OpAccessChain %p_fn %a %more
%outside = OpLoad %uint %last
%inside = OpLoad %uint %at
%f = OpConvertUToF %float %inside
%g = OpFMul %float %f %scale
%h = OpConvertFToU %uint %g
%y = OpIAdd %uint %h %more"""


def module() -> unshade.Shader:
    return shader(
        CODE, "%y", globals=CONSTANTS, decorations=DECORATED,
        variables="%a = OpVariable %p_array Function",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("constants", "expected"),
    [
        ({}, [9 + 4, 9 + 4, 9, 9]),
        ({10: 6}, [13 + 4, 13 + 4, 13 + 4, 13]),
        ({"SCALE": 4, 10: 4}, [9 + 12, 9 + 12, 9, 9]),
    ],
)
def test_constants_by_number_and_by_name(constants: dict[object, int], expected: list[int]) -> None:
    assert run(module(), [0, 8, 12, 13], constants=constants) == expected


def test_unknown_constants_are_named() -> None:
    with pytest.raises(unshade.UsageError, match="no such specialisation constant: 'SIZE'"):
        unshade.kernel(module(), constants={"SIZE": 3})


def test_push_constants_by_member() -> None:
    globals = """\
%pushed = OpTypeStruct %uint %float
%p_pushed = OpTypePointer PushConstant %pushed
%p_push = OpTypePointer PushConstant %uint
%p_pushf = OpTypePointer PushConstant %float
%pc = OpVariable %p_pushed PushConstant
"""
    decorations = """\
OpDecorate %pushed Block
OpMemberDecorate %pushed 0 Offset 4
OpMemberDecorate %pushed 1 Offset 12
OpName %pc "pc"
OpMemberName %pushed 0 "base"
OpMemberName %pushed 1 "factor"
"""
    code = """\
%p = OpAccessChain %p_push %pc %c0
%base = OpLoad %uint %p
%q = OpAccessChain %p_pushf %pc %c1
%factor = OpLoad %float %q
%f = OpConvertUToF %float %x
%g = OpFMul %float %f %factor
%h = OpConvertFToU %uint %g
%y = OpIAdd %uint %h %base"""
    found = shader(code, "%y", globals=globals, decorations=decorations)
    pushed = {"base": 100, "factor": 2.5}
    assert run(found, [1, 2, 3, 4], bindings={"push": pushed}) == [102, 105, 107, 110]
    words = np.zeros(16, np.uint8)
    words[4:8].view(np.uint32)[:] = 100
    words[12:16].view(np.float32)[:] = 2.5
    assert run(found, [1, 2, 3, 4], bindings={"pc": words}) == [102, 105, 107, 110]


def test_the_size_of_a_workgroup_may_be_a_constant() -> None:
    decorations = "OpDecorate %size SpecId 0\nOpDecorate %all BuiltIn WorkgroupSize"
    globals = "%size = OpSpecConstant %uint 2\n%all = OpSpecConstantComposite %v3uint %size %c1 %c1"
    code = "%s = OpCompositeExtract %uint %all 0\n%y = OpIAdd %uint %s %i"
    found = shader(code, "%y", globals=globals, decorations=decorations)
    assert unshade.kernel(found).group == (2, 1, 1)
    assert unshade.kernel(found, constants={0: 4}).group == (4, 1, 1)
    assert run(found, [0] * 4, constants={0: 4}) == [4, 5, 6, 7]
    assert run(found, [0] * 4) == [2, 3, 0, 0]
