"""Tessellation shaders: patches of control points, barriers, points of patches."""

import numpy as np
import pytest

from unshade import Shader, UnsupportedError, assemble, kernel

from .graphics import module, same_everywhere

MODES = "OpExecutionMode %main OutputVertices 3"
DECORATIONS = """OpName %given "given"
OpName %made "made"
OpName %edge "edge"
OpDecorate %given Location 0
OpDecorate %made Location 0
OpDecorate %edge Location 1
OpDecorate %edge Patch
OpDecorate %outer BuiltIn TessLevelOuter
OpDecorate %outer Patch
OpDecorate %id BuiltIn InvocationId
OpDecorate %count BuiltIn PatchVertices
"""
GLOBALS = """%c32 = OpConstant %uint 32
%many = OpTypeArray %float %c32
%three = OpTypeArray %float %c3
%c4 = OpConstant %uint 4
%four = OpTypeArray %float %c4
%p_many = OpTypePointer Input %many
%p_three = OpTypePointer Output %three
%p_four = OpTypePointer Output %four
%p_float = OpTypePointer Output %float
%p_in = OpTypePointer Input %float
%p_int = OpTypePointer Input %int
%given = OpVariable %p_many Input
%made = OpVariable %p_three Output
%edge = OpVariable %p_float Output
%outer = OpVariable %p_four Output
%id = OpVariable %p_int Input
%count = OpVariable %p_int Input
%device = OpConstant %uint 4
"""
FIRST = """%i = OpLoad %int %id
%pi = OpAccessChain %p_in %given %i
%x = OpLoad %float %pi
%twice = OpFAdd %float %x %x
%po = OpAccessChain %p_float %made %i
OpStore %po %twice
"""
LEVELS = """%is0 = OpIEqual %bool %i %i0
OpSelectionMerge %done None
OpBranchConditional %is0 %one %done
%one = OpLabel
%n = OpLoad %int %count
%fn = OpConvertSToF %float %n
OpStore %edge %fn
%pl = OpAccessChain %p_float %outer %i1
OpStore %pl %f2
OpBranch %done
%done = OpLabel
"""
NEIGHBOUR = """OpControlBarrier %c2 %device %c0
%next = OpIAdd %int %i %i1
%other = OpSMod %int %next %i3
%pn = OpAccessChain %p_float %made %other
%y = OpLoad %float %pn
%sum = OpFAdd %float %y %x
OpControlBarrier %c2 %device %c0
OpStore %po %sum
"""


def control(code: str, functions: str = "") -> Shader:
    return module(
        "TessellationControl", code, interface="%given %made %edge %outer %id %count",
        decorations=DECORATIONS, globals=GLOBALS + functions, modes=MODES,
        capabilities="OpCapability Tessellation",
    )  # fmt: skip


def test_each_control_point_and_the_constants_of_a_patch() -> None:
    shader = control(FIRST + LEVELS)
    given = {"given": np.array([[1, 2, 3, 9], [4, 5, 6, 9]], "<f4")}
    found = same_everywhere(shader, lambda each: each.tessellate(given)["made"])
    assert found.tolist() == [[2, 4, 6], [8, 10, 12]]
    made = kernel(shader).tessellate(given)
    assert made["edge"].tolist() == [4, 4]  # points of each patch
    assert made["TessLevelOuter1"].tolist() == [2, 2]


def test_barriers_order_the_control_points() -> None:
    shader = control(FIRST + NEIGHBOUR)
    given = {"given": np.array([[1, 2, 3], [4, 5, 6]], "<f4")}
    found = same_everywhere(shader, lambda each: each.tessellate(given)["made"])
    assert found.tolist() == [[5, 8, 5], [14, 17, 14]]


LARGE = """%p0 = OpAccessChain %p_in %given %i0
%x0 = OpLoad %float %p0
%large = OpFOrdGreaterThan %bool %x0 %f2
"""
PATCHES = {"given": np.array([[1, 2, 3], [4, 5, 6]], "<f4")}


def test_barriers_in_branches_that_a_patch_takes_together() -> None:
    code = f"""{FIRST}{LARGE}OpSelectionMerge %after None
OpBranchConditional %large %inside %after
%inside = OpLabel
{NEIGHBOUR}OpBranch %after
%after = OpLabel
%found = OpPhi %float %twice %entry %sum %inside
OpControlBarrier %c2 %device %c0
%plus = OpFAdd %float %found %f1
OpStore %po %plus"""
    found = same_everywhere(control(code), lambda each: each.tessellate(PATCHES)["made"])
    assert found.tolist() == [[3, 5, 7], [15, 18, 15]]


def test_barriers_in_loops() -> None:
    """Each turn adds what the neighbour has; the first patch takes one turn, the other four."""
    code = f"""{FIRST}{LARGE}%turns = OpConvertFToS %int %x0
OpBranch %head
%head = OpLabel
%n = OpPhi %int %i0 %entry %more %following
%v = OpPhi %float %x %entry %sum %following
OpLoopMerge %after %following None
OpBranch %test
%test = OpLabel
%again = OpSLessThan %bool %n %turns
OpBranchConditional %again %body %after
%body = OpLabel
OpStore %po %v
OpControlBarrier %c2 %device %c0
%next = OpIAdd %int %i %i1
%other = OpSMod %int %next %i3
%pn = OpAccessChain %p_float %made %other
%y = OpLoad %float %pn
OpControlBarrier %c2 %device %c0
%sum = OpFAdd %float %v %y
OpBranch %following
%following = OpLabel
%more = OpIAdd %int %n %i1
OpBranch %head
%after = OpLabel
OpStore %po %v"""
    expected = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    for values, turns in zip(expected, (1, 4), strict=True):
        for _ in range(turns):
            values[:] = [values[at] + values[(at + 1) % 3] for at in range(3)]
    found = same_everywhere(control(code), lambda each: each.tessellate(PATCHES)["made"])
    assert found.tolist() == expected


def test_returns_before_a_barrier() -> None:
    code = f"""{FIRST}{LARGE}OpSelectionMerge %after None
OpBranchConditional %large %inside %after
%inside = OpLabel
OpReturn
%after = OpLabel
{NEIGHBOUR}"""
    found = same_everywhere(control(code), lambda each: each.tessellate(PATCHES)["made"])
    assert found.tolist() == [[5, 8, 5], [8, 10, 12]]


def test_pointers_with_indices_are_used_beyond_a_barrier() -> None:
    code = f"""{FIRST}{LARGE}%k = OpConvertFToS %int %x0
%which = OpSMod %int %k %i3
%chosen = OpAccessChain %p_float %made %which
OpControlBarrier %c2 %device %c0
%y = OpLoad %float %chosen
OpControlBarrier %c2 %device %c0
OpStore %po %y"""
    found = same_everywhere(control(code), lambda each: each.tessellate(PATCHES)["made"])
    assert found.tolist() == [[4] * 3, [10] * 3]


def test_workgroup_memory_is_refused() -> None:
    shared = (
        "%p_shared = OpTypePointer Workgroup %float\n%shared = OpVariable %p_shared Workgroup\n"
    )
    shader = control(f"{FIRST}OpStore %shared %x\n", shared)
    with pytest.raises(UnsupportedError, match="workgroup memory of a shader without workgroups"):
        kernel(shader)


def test_barriers_in_functions_that_are_called_are_refused() -> None:
    helper = (
        "%helper = OpFunction %void None %function\n%start = OpLabel\n"
        "OpControlBarrier %c2 %device %c0\nOpReturn\nOpFunctionEnd\n"
    )
    shader = control(f"{FIRST}%called = OpFunctionCall %void %helper", helper)
    with pytest.raises(UnsupportedError, match="a barrier in a function that is called"):
        kernel(shader)


def test_levels_that_are_only_initialised() -> None:
    text = control(FIRST).disassemble()
    variable = next(
        each for each in text.splitlines() if "= OpVariable %_ptr_Output__arr_float_uint_4" in each
    )
    levels = "%levels = OpConstantComposite %_arr_float_uint_4 %float_1 %float_2 %float_2 %float_1"
    shader = assemble(text.replace(variable, f"{levels}\n{variable} %levels"), "spirv")
    found = same_everywhere(shader, lambda each: each.tessellate(PATCHES)["TessLevelOuter1"])
    assert found.tolist() == [2, 2]


EVALUATION = module(
    "TessellationEvaluation",
    """%where = OpLoad %v3float %coord
%u = OpCompositeExtract %float %where 0
%v = OpCompositeExtract %float %where 1
%p1 = OpAccessChain %p_in %given %i1
%a = OpLoad %float %p1
%e = OpLoad %float %edge
%sum = OpFAdd %float %a %e
%made = OpCompositeConstruct %v4float %u %v %sum %f1
%po = OpAccessChain %p_out4 %gl %i0
OpStore %po %made""",
    interface="%given %edge %coord %gl",
    decorations="""OpName %given "given"
OpName %edge "edge"
OpDecorate %given Location 0
OpDecorate %edge Location 1
OpDecorate %edge Patch
OpDecorate %coord BuiltIn TessCoord
OpMemberDecorate %vertex 0 BuiltIn Position
OpDecorate %vertex Block""",
    globals="""%c32 = OpConstant %uint 32
%many = OpTypeArray %float %c32
%vertex = OpTypeStruct %v4float
%p_many = OpTypePointer Input %many
%p_in = OpTypePointer Input %float
%p_in3 = OpTypePointer Input %v3float
%p_vertex = OpTypePointer Output %vertex
%p_out4 = OpTypePointer Output %v4float
%given = OpVariable %p_many Input
%edge = OpVariable %p_in Input
%coord = OpVariable %p_in3 Input
%gl = OpVariable %p_vertex Output""",
    modes="OpExecutionMode %main Quads\nOpExecutionMode %main SpacingEqual\n"
    "OpExecutionMode %main VertexOrderCcw",
    capabilities="OpCapability Tessellation",
)  # fmt: skip


def test_points_of_patches() -> None:
    points = np.array([[0, 0], [0.5, 1]], "<f4")
    given = {"given": np.array([[1, 2, 3], [4, 5, 6]], "<f4")}
    constants = {"edge": np.array([10, 20], "<f4")}
    found = same_everywhere(
        EVALUATION, lambda each: each.evaluate(points, given, constants)["Position"]
    )
    assert found.tolist() == [
        [[0, 0, 12, 1], [0.5, 1, 12, 1]], [[0, 0, 25, 1], [0.5, 1, 25, 1]],
    ]  # fmt: skip


def test_built_ins_of_a_point_that_are_decorated_with_patch() -> None:
    """DXC decorates every built-in input of an evaluation shader with Patch."""
    text = EVALUATION.disassemble().replace(
        "OpDecorate %coord BuiltIn TessCoord",
        "OpDecorate %coord BuiltIn TessCoord\nOpDecorate %coord Patch",
    )
    shader = assemble(text, "spirv")
    points = np.array([[0, 0], [0.5, 1]], "<f4")
    given, constants = {"given": np.array([[1, 2, 3]], "<f4")}, {"edge": np.array([10], "<f4")}
    found = same_everywhere(
        shader, lambda each: each.evaluate(points, given, constants)["Position"]
    )
    assert found.tolist() == [[[0, 0, 12, 1], [0.5, 1, 12, 1]]]
    assert [row.label for row in kernel(shader).patch_constants.rows.values()] == ["edge"]


def test_more_control_points_than_a_patch_has() -> None:
    """An array for each would take 24 GiB."""
    text = EVALUATION.disassemble().replace("OpConstant %uint 32", "OpConstant %uint 2147483647")
    with pytest.raises(UnsupportedError, match="at most 32 control points, got 2147483647"):
        kernel(assemble(text, "spirv"))
