"""Masks of sets in kernels with a known answer."""

from tests.oracle.parsing import parse_kernel
from unshade.ir.analysis.liveness import liveness
from unshade.ir.analysis.uniformity import uniformity
from unshade.ir.ops import OPS

HEAD = "var @a i32\nvar @b i32\n%0 = source item\n%1 = ult %0, i32 3\n"


def masked(text: str) -> list[str]:
    """Return the names of variables whose sets need a mask."""
    kernel = parse_kernel(HEAD + text)
    found = liveness(kernel).masked
    return [repr(each.args[0].attr) for each in kernel.values() if each in found]


def test_a_read_after_the_if_needs_a_mask() -> None:
    text = """
if %1 {
  set @a, i32 1
  set @b, i32 2
  %2 = get @b
}
set @b, i32 3
%3 = get @a
%4 = get @b
"""
    assert masked(text) == ["1"]


def test_the_other_side_reads_the_old_value() -> None:
    text = """
set @a, i32 1
if %1 {
  set @a, i32 2
  %2 = get @a
} else {
  %3 = get @a
  set @a, i32 3
}
"""
    assert masked(text) == ["2"]


def test_both_sides_set_a_variable_read_after() -> None:
    text = "if %1 {\n set @a, i32 1\n} else {\n set @a, i32 2\n}\n%2 = get @a\n"
    assert masked(text) == ["2"]  # the first comes first, and may write all lanes


def test_lanes_read_after_a_loop_the_value_they_left_with() -> None:
    text = """
loop {
  set @a, i32 1
  %2 = get @b
  %3 = iadd %2, %0
  set @b, i32 2
  %4 = ult %3, i32 9
  if %4 {
    break
  }
}
%5 = get @a
"""
    assert masked(text) == ["1"]


def test_lanes_read_at_the_head_the_value_they_continued_with() -> None:
    text = """
loop {
  %2 = get @a
  set @a, i32 5
  if %1 {
    continue
  }
  set @a, i32 6
  set @b, i32 7
  %3 = get @b
  if %1 {
    break
  }
}
"""
    assert masked(text) == ["6"]


def test_lanes_that_end_read_nothing() -> None:
    assert masked("if %1 {\n return\n}\nset @a, i32 1\n%2 = get @a\n") == []


def test_other_cases_of_a_switch() -> None:
    text = """
switch %0 {
  case 1 {
    set @a, i32 1
  }
  case 2 {
    %2 = get @a
  }
}
%3 = get @b
"""
    assert masked(text) == ["1"]


def test_uniform_control_flow_needs_no_mask() -> None:
    text = """
%2 = source group_count.x
%3 = ieq %2, i32 1
if %3 {
  set @a, i32 1
}
%4 = get @a
"""
    kernel = parse_kernel(HEAD + text)
    assert len(liveness(kernel).masked) == 1
    assert uniformity(kernel).liveness.masked == set()


def test_dead_sets() -> None:
    text = "set @a, i32 1\nset @a, i32 2\n%2 = get @a\nset @a, i32 3\nloop {\n set @b, i32 4\n}\n"
    kernel = parse_kernel(HEAD + text)
    dead = liveness(kernel).dead
    assert [each.args[0].attr for each in kernel.values() if each in dead] == [1, 3, 4]


def test_variables_live_after_a_barrier() -> None:
    text = "set @a, i32 1\nbarrier group\nset @b, i32 1\n%2 = get @a\n%3 = get @b\n"
    kernel = parse_kernel(HEAD + text)
    (barrier,) = [each for each in kernel.values() if each.op is OPS.barrier]
    assert {var.name for var in liveness(kernel).after(barrier)} == {"a"}
