"""Loops, phis, switches, calls, and where lanes meet."""

from unshade.ir.ops import OPS

from .modules import run, shader

LOOP = """\
OpBranch %head
%head = OpLabel
%n = OpPhi %uint %x %entry %next %continue
%steps = OpPhi %uint %c0 %entry %more %continue
OpLoopMerge %done %continue None
%t = OpUGreaterThan %bool %n %c1
OpBranchConditional %t %body %done
%body = OpLabel
%odd = OpBitwiseAnd %uint %n %c1
%u = OpINotEqual %bool %odd %c0
OpSelectionMerge %continue None
OpBranchConditional %u %up %down
%up = OpLabel
%three = OpIMul %uint %n %c3
%a = OpIAdd %uint %three %c1
OpBranch %continue
%down = OpLabel
%b = OpShiftRightLogical %uint %n %c1
OpBranch %continue
%continue = OpLabel
%next = OpPhi %uint %a %up %b %down
%more = OpIAdd %uint %steps %c1
OpBranch %head
%done = OpLabel"""


def test_a_loop_with_phis() -> None:
    assert run(shader(LOOP, "%steps"), [1, 7, 27, 8]) == [0, 16, 111, 3]


SWITCH = """\
OpSelectionMerge %done None
OpSwitch %x %other 1 %one 2 %two 5 %two
%one = OpLabel
OpBranch %two
%two = OpLabel
%n = OpPhi %uint %c2 %entry %c3 %one
OpBranch %done
%other = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %n %two %c0 %other"""


def test_a_switch_with_a_case_that_falls_through() -> None:
    assert run(shader(SWITCH, "%y"), [1, 2, 5, 9]) == [3, 2, 2, 0]


PAIR = "%scope = OpConstant %uint 3\n%v4uint = OpTypeVector %uint 4"
BREAK = """\
OpBranch %head
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
OpLoopMerge %done %continue None
OpBranch %body
%body = OpLabel
%t = OpIEqual %bool %n %x
OpSelectionMerge %continue None
OpBranchConditional %t %leave %continue
%leave = OpLabel
%active = OpGroupNonUniformIAdd %uint %scope Reduce %c1
OpBranch %done
%continue = OpLabel
%next = OpIAdd %uint %n %c1
OpBranch %head
%done = OpLabel
%all = OpGroupNonUniformIAdd %uint %scope Reduce %c1
%four = OpIMul %uint %all %c4
%y = OpIAdd %uint %four %active"""


def test_lanes_leave_a_loop_by_iteration_and_meet_at_its_merge_block() -> None:
    """Lanes that leave together count each other; after the loop, all do."""
    assert run(shader(BREAK, "%y", globals=PAIR), [0, 2, 2, 3]) == [17, 18, 18, 17]


EARLY = """\
%early = OpFunction %uint None %fn
%given = OpFunctionParameter %uint
%first = OpLabel
%t = OpUGreaterThan %bool %given %c2
OpSelectionMerge %rest None
OpBranchConditional %t %large %rest
%large = OpLabel
OpReturnValue %given
%rest = OpLabel
%counted = OpGroupNonUniformIAdd %uint %scope Reduce %c1
OpReturnValue %counted
OpFunctionEnd"""


def test_calls_meet_after_their_returns() -> None:
    code = """\
%one = OpFunctionCall %uint %early %x
%all = OpGroupNonUniformIAdd %uint %scope Reduce %c1
%y = OpIAdd %uint %one %all"""
    module = shader(
        code, "%y", globals=PAIR + "\n%fn = OpTypeFunction %uint %uint", functions=EARLY
    )
    assert run(module, [1, 7, 2, 9]) == [6, 11, 6, 13]


COUNTER = """\
%counter = OpFunction %uint None %fn
%given = OpFunctionParameter %uint
%first = OpLabel
%sum = OpVariable %p_fn Function
%array = OpVariable %p_nine Function
%place = OpAccessChain %p_fn %array %given
%old = OpLoad %uint %sum
%more = OpIAdd %uint %old %given
OpStore %sum %more
%was = OpLoad %uint %place
%now = OpIAdd %uint %was %c1
OpStore %place %now
%twice = OpLoad %uint %sum
%both = OpIAdd %uint %twice %now
OpReturnValue %both
OpFunctionEnd"""
COUNTER_TYPES = """\
%p_fn = OpTypePointer Function %uint
%nine = OpConstant %uint 9
%nines = OpTypeArray %uint %nine
%p_nine = OpTypePointer Function %nines
%fn = OpTypeFunction %uint %uint"""
CALLS = """\
OpBranch %head
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
%total = OpPhi %uint %c0 %entry %sum1 %continue
OpLoopMerge %done %continue None
%t = OpULessThan %bool %n %c3
OpBranchConditional %t %continue %done
%continue = OpLabel
%one = OpFunctionCall %uint %counter %x
%sum1 = OpIAdd %uint %total %one
%next = OpIAdd %uint %n %c1
OpBranch %head
%done = OpLabel"""


def test_variables_of_a_function_begin_as_zero_in_each_call() -> None:
    module = shader(CALLS, "%total", globals=COUNTER_TYPES, functions=COUNTER)
    assert run(module, [1, 2, 3, 4]) == [6, 9, 12, 15]


def test_a_variable_that_is_stored_first_is_not_reset() -> None:
    """Only a variable that a call may read before it stores to it begins as zero."""
    first = "%old = OpLoad %uint %sum"
    stored = COUNTER.replace(first, f"OpStore %sum %given\n{first}")
    sets = []
    for functions in (COUNTER, stored):
        module = shader(CALLS, "%total", globals=COUNTER_TYPES, functions=functions)
        code = module.programs[0].lower().kernel
        sets.append(sum(each.op is OPS.set for each in code.values()))
    assert sets[0] == sets[1]  # one store instead of one zero


def test_functions_may_be_nested_32_calls_deep() -> None:
    """Each adds its number to what the next one returns."""
    functions = "\n".join(
        f"%f{i} = OpFunction %uint None %fu\n%q{i} = OpFunctionParameter %uint\n%e{i} = OpLabel\n"
        + (
            f"%p{i} = OpFunctionCall %uint %f{i - 1} %q{i}\n"
            if i
            else f"%p{i} = OpCopyObject %uint %q{i}\n"
        )
        + f"%r{i} = OpIAdd %uint %p{i} %n{i}\nOpReturnValue %r{i}\nOpFunctionEnd"
        for i in range(32)
    )
    numbers = "\n".join(f"%n{i} = OpConstant %uint {i}" for i in range(32))
    module = shader(
        "%s = OpFunctionCall %uint %f31 %x",
        "%s",
        globals=f"%fu = OpTypeFunction %uint %uint\n{numbers}",
        functions=functions,
    )
    assert run(module, [5, 1000, 0, 1]) == [501, 1496, 496, 497]
