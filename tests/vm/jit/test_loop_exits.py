"""Values that lanes take out of a loop in different iterations."""

import pytest

from tests.vm.engines import parsed, same, words
from unshade.ir.analysis.uniformity import uniformity
from unshade.ir.ops import OPS
from unshade.vm.jit.loop_exits import split_loop_exits
from unshade.vm.jit.tuning import width_of

COUNTER = """
kernel main pixel group 1 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
var @n i32
%0 = source item
%1 = load:i32 %t0[%0, i32 0]
loop {
  %2 = get @n
  %3 = ule i32 20, %2
  if %3 {
    break
  }
  %4 = ult %1, %2
  if %4 {
    break
  }
  %5 = iadd %2, i32 1
  set @n, %5
}
%6 = get @n
store %u0[%0, i32 0], %6
"""

NESTED = """
kernel main pixel group 1 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
var @n i32
var @m i32
var @sum i32
%0 = source item
%1 = load:i32 %t0[%0, i32 0]
loop {
  %2 = get @m
  %3 = ule i32 3, %2
  if %3 {
    break
  }
  set @n, %2
  loop {
    %4 = get @n
    %5 = ule %1, %4
    if %5 {
      break
    }
    switch %4 {
      case 5 {
        break
      }
      case default {
        %6 = get @sum
        %7 = iadd %6, i32 100
        set @sum, %7
      }
    }
    %8 = iadd %4, i32 1
    set @n, %8
    %9 = ult i32 9, %8
    if %9 {
      break
    }
  }
  %10 = get @n
  %11 = get @sum
  %12 = iadd %10, %11
  set @sum, %12
  %13 = iadd %2, i32 1
  set @m, %13
}
%14 = get @sum
store %u0[%0, i32 0], %14
"""


def test_a_counter_is_a_scalar_inside_the_loop() -> None:
    kernel = parsed(COUNTER)
    split = split_loop_exits(kernel)
    found = uniformity(split)
    uniform = [var.name for var, shape in found.variables.items() if shape.uniform]
    assert uniform == ["n"]
    assert [var.name for var in split.variables] == ["n", "n.left", "n.1"]
    assert not any(shape.uniform for shape in uniformity(kernel).variables.values())


def test_the_kernel_is_not_changed_in_place() -> None:
    kernel = parsed(COUNTER)
    before = list(kernel.values())
    assert split_loop_exits(kernel) is not kernel
    assert list(kernel.values()) == before
    assert [var.name for var in kernel.variables] == ["n"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%4 = ult %1, %2", "%4 = ieq %2, i32 7"),  # lanes leave together
        ("%5 = iadd %2, i32 1", "%5 = iadd %2, %1"),  # differs between lanes
        ("%6 = get @n\n", "%6 = iadd %1, i32 1\n"),  # not read after the loop
    ],
)
def test_other_variables_are_left_alone(old: str, new: str) -> None:
    kernel = split_loop_exits(parsed(COUNTER.replace(old, new)))
    assert sum(value.op is OPS.set for value in kernel.values()) == 1


@pytest.mark.heavy
@pytest.mark.parametrize("text", [COUNTER, NESTED])
def test_results(text: str) -> None:
    numbers = [each * 7 % 23 for each in range(70)]
    same(text, {"t0": words(*numbers), "u0": bytes(280)}, items=70)


def test_lanes_that_leave_a_loop_apart_share_fewer_registers() -> None:
    together = parsed(COUNTER.replace("%4 = ult %1, %2", "%4 = ieq %2, i32 7"))
    assert (width_of(parsed(COUNTER), 512), width_of(together, 512)) == (32, 64)
