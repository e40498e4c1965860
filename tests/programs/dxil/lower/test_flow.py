"""Control flow, memory that a program declares, and operations over waves."""

import struct
from typing import Any

import pytest

from unshade.errors import UnsupportedError
from unshade.ir.kernel import DEEPEST, height
from unshade.ir.memory import Space
from unshade.programs.dxil.model.instructions import (
    BinaryInst,
    BranchInst,
    CompareInst,
    ExtractValueInst,
)

from .support import compute, load, lowered, run, store

COLLATZ = (
    load("x")
    + """
  br label %head
head:
  %n = phi i32 [ %x, %0 ], [ %next, %body ]
  %i = phi i32 [ 0, %0 ], [ %j, %body ]
  %done = icmp eq i32 %n, 1
  br i1 %done, label %end, label %step
step:
  %low = and i32 %n, 1
  %odd = icmp ne i32 %low, 0
  %half = lshr i32 %n, 1
  %tri = mul i32 %n, 3
  %up = add i32 %tri, 1
  %next = select i1 %odd, i32 %up, i32 %half
  %j = add i32 %i, 1
  br label %body
body:
  br label %head
end:"""
    + store("%i")
)


def test_loops_end_lane_by_lane() -> None:
    assert [*run(compute(COLLATZ, threads=4), [1, 2, 3, 27])] == [0, 1, 7, 111]


def test_switches_meet_at_the_end() -> None:
    body = (
        load("x")
        + """
  switch i32 %x, label %d [
    i32 1, label %a
    i32 2, label %b
    i32 3, label %a
  ]
a:
  br label %e
b:
  br label %e
d:
  br label %e
e:
  %r = phi i32 [ 10, %a ], [ 20, %b ], [ 30, %d ]
  %s = call i32 @dx.op.waveActiveOp.i32(i32 119, i32 1, i8 0, i8 0)
  %t = add i32 %r, %s"""
        + store("%t")
    )
    assert [*run(compute(body, threads=4), [1, 2, 3, 4])] == [14, 24, 14, 34]


def test_functions_are_inlined() -> None:
    function = """
define internal i32 @twice(i32 %a) {
  %big = icmp ugt i32 %a, 9
  br i1 %big, label %yes, label %no
yes:
  ret i32 0
no:
  %r = shl i32 %a, 1
  ret i32 %r
}
"""
    body = (
        load("x") + "\n  %y = call i32 @twice(i32 %x)\n  %z = call i32 @twice(i32 %y)" + store("%z")
    )
    assert [*run(compute(body, threads=4, before=function), [1, 4, 9, 10])] == [4, 16, 0, 0]


@pytest.mark.parametrize("calls", [1, 20])
def test_a_called_function_is_nested_as_deep_as_its_calls_leave(calls: int) -> None:
    """Each call is a region, and the branches of the last one take what is left."""
    branches = 200
    tests = "\n".join(
        f"c{i}:\n  %t{i} = icmp ugt i32 %a, {i}\n  br i1 %t{i}, label %c{i + 1}, label %n{i}"
        for i in range(branches)
    )
    returns = "\n".join(f"n{i}:\n  ret i32 {i}" for i in range(branches))
    functions = [
        f"define internal i32 @f0(i32 %a) {{\n  br label %c0\n{tests}\n"
        f"c{branches}:\n  ret i32 1000\n{returns}\n}}",
        *(
            f"define internal i32 @f{i}(i32 %a) {{\n"
            f"  %r = call i32 @f{i - 1}(i32 %a)\n  ret i32 %r\n}}"
            for i in range(1, calls)
        ),
    ]
    body = load("x") + f"\n  %r = call i32 @f{calls - 1}(i32 %x)" + store("%r")
    code = compute(body, threads=4, before="\n".join(functions))
    assert DEEPEST - 4 <= height(lowered(code).kernel.body) <= DEEPEST
    assert [*run(code, [0, 5, 250, 199])] == [0, 5, 1000, 199]


def test_recursion_is_refused() -> None:
    function = """
define internal i32 @f(i32 %a) {
  %r = call i32 @f(i32 %a)
  ret i32 %r
}
"""
    body = load("x") + "\n  %y = call i32 @f(i32 %x)" + store("%y")
    with pytest.raises(UnsupportedError, match=r"line \d+: f calls itself"):
        lowered(compute(body, before=function))


def test_arrays_of_a_lane() -> None:
    body = (
        load("x")
        + """
  %a = alloca [4 x i32]
  %p = getelementptr [4 x i32], [4 x i32]* %a, i32 0, i32 %x
  store i32 7, i32* %p
  %q = getelementptr [4 x i32], [4 x i32]* %a, i32 0, i32 2
  %v = load i32, i32* %q
  %s = alloca i32
  store i32 %v, i32* %s
  %w = load i32, i32* %s"""
        + store("%w")
    )
    # An index outside writes nothing.
    assert [*run(compute(body, threads=4), [0, 2, 3, 4])] == [0, 7, 0, 0]


def test_shared_and_constant_memory() -> None:
    before = """
@g = internal addrspace(3) global [2 x i32] zeroinitializer
@t = internal unnamed_addr constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]
@s = internal global i32 3
"""
    body = """
  %p = getelementptr [4 x i32], [4 x i32]* @t, i32 0, i32 %lane
  %v = load i32, i32* %p
  %s = load i32, i32* @s
  %w = mul i32 %v, %s
  %q = getelementptr [2 x i32], [2 x i32] addrspace(3)* @g, i32 0, i32 1
  %old = atomicrmw add i32 addrspace(3)* %q, i32 %w seq_cst
  call void @dx.op.barrier(i32 80, i32 9)
  %sum = load i32, i32 addrspace(3)* getelementptr inbounds ([2 x i32],\
 [2 x i32] addrspace(3)* @g, i32 0, i32 1)""" + store("%sum")
    assert [*run(compute(body, threads=4, before=before))] == [78] * 4


def test_memories_of_a_program() -> None:
    """Traces show all of them: each is declared in the program."""
    before = """
@g = internal addrspace(3) global [2 x i32] zeroinitializer
@t = internal unnamed_addr constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]
@s = internal global i32 3
"""
    body = (
        load("x")
        + """
  %a = alloca [5 x i32]
  %pa = getelementptr [5 x i32], [5 x i32]* %a, i32 0, i32 %x
  store i32 7, i32* %pa
  %pt = getelementptr [4 x i32], [4 x i32]* @t, i32 0, i32 %x
  %v = load i32, i32* %pt
  store i32 %v, i32* @s
  %pg = getelementptr [2 x i32], [2 x i32] addrspace(3)* @g, i32 0, i32 1
  %old = atomicrmw add i32 addrspace(3)* %pg, i32 %v seq_cst"""
        + store("%old")
    )
    found = lowered(compute(body, before=before)).kernel.memories
    assert {
        each.name: (each.space, each.stride, each.count, each.writable, each.internal)
        for each in found
    } == {
        "t0": (Space.BUFFER, 4, None, False, False),
        "u1": (Space.BUFFER, 4, None, True, False),
        "%a": (Space.LOCAL, 4, 5, True, False),
        "t": (Space.TABLE, 4, 4, False, False),
        "s": (Space.LOCAL, 4, 1, True, False),
        "g": (Space.SHARED, 4, 2, True, False),
    }
    data = {each.name: each.data for each in found if each.data}
    assert data == {"t": struct.pack("<4I", 5, 6, 7, 8)}


def test_parts_of_a_wave() -> None:
    body = (
        load("x")
        + """
  %m = call %dx.types.fouri32 @dx.op.waveMatch.i32(i32 165, i32 %x)
  %a = extractvalue %dx.types.fouri32 %m, 0
  %b = extractvalue %dx.types.fouri32 %m, 1
  %c = extractvalue %dx.types.fouri32 %m, 2
  %d = extractvalue %dx.types.fouri32 %m, 3
  %p = call i32 @dx.op.waveMultiPrefixOp.i32(i32 166, i32 %x, i32 %a, i32 %b, i32 %c, i32 %d,\
 i8 0, i8 0)
  %s = shl i32 %p, 8
  %r = or i32 %s, %a"""
        + store("%r")
    )
    found = run(compute(body, threads=4), [3, 5, 3, 3])
    assert [*found] == [0b1101, 0b0010, 0x30D, 0x60D]


PREFIX = """
  %v = and i32 %x, 255
  %m = lshr i32 %x, 8
  %p = call i32 @dx.op.waveMultiPrefixOp.i32(i32 166, i32 %v, i32 %m, i32 0, i32 0, i32 0,\
 i8 0, i8 0)
"""


def test_masks_of_parts_ignore_lanes_that_are_not_there() -> None:
    """Shader Model 6.5: bits beyond the width of the wave, or of inactive lanes, count as 0."""
    found = run(
        compute(load("x") + PREFIX + store("%p"), threads=4), [0xF03, 0x1F05, 0xFF03, 0xFFFFFF02]
    )
    assert [*found] == [0, 3, 8, 11]
    body = f"""{load("x")}
  %odd = icmp eq i32 %x, 0
  br i1 %odd, label %after, label %taken
taken:{PREFIX}
{store("%p")}
  br label %after
after:"""
    given = [0xF03, 0, 0xD05, 0x1F02]  # the second lane is inactive
    assert [*run(compute(body, threads=4), given)] == [0, 0, 3, 8]


def test_quads() -> None:
    body = (
        load("x")
        + """
  %a = call i32 @dx.op.quadOp.i32(i32 123, i32 %x, i8 0)
  %b = call i32 @dx.op.quadOp.i32(i32 123, i32 %x, i8 2)
  %c = call i32 @dx.op.quadReadLaneAt.i32(i32 122, i32 %x, i32 3)
  %d = shl i32 %b, 4
  %e = shl i32 %c, 8
  %f = or i32 %a, %d
  %g = or i32 %f, %e"""
        + store("%g")
    )
    assert [*run(compute(body, threads=4), [1, 2, 3, 4])] == [0x442, 0x431, 0x424, 0x413]


@pytest.mark.parametrize(
    ("more", "options", "size"),
    [("", {}, 32), ("", {"wave_size": 8}, 8), (", i32 11, !10", {"wave_size": 8}, 64)],
)
def test_the_size_of_waves(more: str, options: dict[str, Any], size: int) -> None:
    extra = "\n!10 = !{i32 64}\n" if more else ""
    body = "\n  %n = call i32 @dx.op.waveGetLaneCount(i32 112)" + store("%n", 0)
    code = compute(body, more=more, after=extra)
    assert run(code, **options)[0] == size


def test_what_is_refused_is_named() -> None:
    body = "\n  %n = call i32 @dx.op.rayQuery_StateScalar.i32(i32 184, i32 0)" + store("%n", 0)
    with pytest.raises(UnsupportedError, match=r"line \d+: RayQuery_CommittedStatus cannot be run"):
        lowered(compute(body))


def test_small_arrays_are_variables() -> None:
    body = (
        load("x")
        + """
  %a = alloca [3 x i32]
  %p = getelementptr [3 x i32], [3 x i32]* %a, i32 0, i32 1
  store i32 5, i32* %p
  %q = getelementptr [3 x i32], [3 x i32]* %a, i32 0, i32 2
  store i32 6, i32* %q
  %r = getelementptr [3 x i32], [3 x i32]* %a, i32 0, i32 %x
  %v = load i32, i32* %r"""
        + store("%v")
    )
    code = compute(body, threads=4)
    assert [*run(code, [0, 1, 2, 3])] == [0, 5, 6, 0]
    kernel = lowered(code).kernel
    assert [each.name for each in kernel.memories] == ["t0", "u1"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "\n  %n = call float @dx.op.unary.f32(i32 35, float 1.0)" + store("%n", 0, "float"),
            r"line \d+: FMax: expected 2 operands, got 1",
        ),
        (
            load("x") + "\n  %n = call i32 @dx.op.unary.i32(i32 13, i32 %x)" + store("%n", 0),
            r"line \d+: Sin: expected a value of half or float, got i32",
        ),
        (
            load("x") + "\n  %c = icmp eq i32 %x, 0"
            "\n  %n = call i1 @dx.op.viewID.i1(i32 138)\n  %m = select i1 %n, i32 %x, i32 1"
            + store("%m", 0),
            r"line \d+: ViewID: expected a value of i32, got i1",
        ),
        (
            load("x", type="float")
            + "\n  %n = call float @dx.op.waveActiveBit.f32(i32 120, float %x, i8 0)"
            + store("%n", 0, "float"),
            r"line \d+: WaveActiveBit: expected a value of i8, i16, i32 or i64, got float",
        ),
    ],
)
def test_malformed_calls_are_refused(body: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        lowered(compute(body))


def test_an_operation_on_a_structure_and_a_number_is_refused() -> None:
    """LLVM's text cannot say this, but records can."""
    code = compute(load("x") + "\n  %n = add i32 %x, %x" + store("%n", 0))
    function = code.module.function("main")
    assert function is not None
    made = [each for each in function.instructions if isinstance(each, BinaryInst)][-1]
    part = made.left
    assert isinstance(part, ExtractValueInst)
    made.left = part.aggregate
    with pytest.raises(UnsupportedError, match="expected vectors of the same number of elements"):
        lowered(code)


def test_a_branch_on_a_number_is_refused() -> None:
    """LLVM's text cannot say this, but records can."""
    code = compute(COLLATZ)
    function = code.module.function("main")
    assert function is not None
    branches = [each for each in function.instructions if isinstance(each, BranchInst)]
    branch = next(each for each in branches if each.condition is not None)
    compare = branch.condition
    assert isinstance(compare, CompareInst)
    branch.condition = compare.left
    with pytest.raises(UnsupportedError, match="expected a condition of i1, got i32"):
        lowered(code)


def test_calls_without_arguments_are_refused() -> None:
    code = compute("\n  %n = call i32 @f(i32 1)" + store("%n", 0), before=FUNCTION)
    function = code.module.function("f")
    assert function is not None
    function.arguments.clear()
    with pytest.raises(UnsupportedError, match=r"line \d+: f: expected 0 arguments"):
        lowered(code)


FUNCTION = """
define internal i32 @f(i32 %a) {
  ret i32 2
}
"""


def test_a_value_that_is_used_before_it_is_defined_is_refused() -> None:
    text = load("x") + store("%y") + "\n  %y = add i32 %x, 1"
    with pytest.raises(UnsupportedError, match="a value is used where it is not defined"):
        lowered(compute(text))
