"""Uniform loads that share a bounds test: values, invalid accesses, and what ends a run."""

import pytest

from tests.vm.engines import parsed, same, words
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.layout import layout

pytestmark = pytest.mark.heavy

CONSTANTS = """
kernel main compute group 16 1 1
memory %cb0 constant 16
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = load:i32 %cb0[i32 1, i32 0]
%2 = load:i32 %cb0[i32 3, i32 12]
%3 = load:i32 %cb0[i32 0, i32 4]
%4 = load:i32 %cb0[i32 3, i32 0]
%5 = iadd %1, %2
%6 = imul %3, %4
%7 = xor %5, %6
%8 = iadd %7, %0
store %u0[%0, i32 0], %8
"""
STRUCTURES = """
kernel main compute group 16 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
var @n i32
var @sum i32
%0 = source thread_id.x
loop {
  %1 = get @n
  %2 = ule i32 5, %1
  if %2 {
    break
  }
  %3 = ishl %1, i32 2
  %4 = load:i32 %t0[%3, i32 0]
  %5 = iadd %3, i32 3
  %6 = load:i32 %t0[%5, i32 0]
  %7 = iadd %3, i32 1
  %8 = load:i32 %t0[%7, i32 0]
  %9 = imul %4, %6
  %10 = iadd %9, %8
  %11 = get @sum
  %12 = iadd %11, %10
  %13 = imul %12, %0
  %14 = iadd %12, %13
  set @sum, %14
  %15 = iadd %1, i32 1
  set @n, %15
}
%16 = get @sum
store %u0[%0, i32 0], %16
"""
WRITTEN = """
kernel main compute group 1 1 1
memory %u0 buffer 4 writable
%0 = load:i32 %u0[i32 0, i32 0]
%1 = load:i32 %u0[i32 2, i32 0]
%2 = iadd %0, %1
store %u0[i32 9, i32 0], %2
store %u0[i32 1, i32 0], %2
%3 = load:i32 %u0[i32 1, i32 0]
%4 = load:i32 %u0[i32 9, i32 0]
%5 = imul %3, i32 100
%6 = iadd %5, %4
store %u0[i32 0, i32 0], %6
"""
WRAPPED = """
kernel main compute group 8 1 1
memory %cb0 constant 4
memory %t0 buffer 4
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = load:i32 %cb0[i32 0, i32 0]
%2 = load:i32 %t0[%1, i32 0]
%3 = iadd %1, i32 2
%4 = load:i32 %t0[%3, i32 0]
%5 = imul %2, i32 100
%6 = iadd %5, %4
store %u0[%0, i32 0], %6
"""


def text_of(text: str) -> str:
    """Return the LLVM text of a kernel."""
    kernel = parsed(text)
    return CompiledKernel(kernel, layout(kernel, True, True, 16), quick=True).text


@pytest.mark.parametrize("count", range(6))
def test_each_load_of_a_run_is_valid_by_itself(count: int) -> None:
    numbers = [7 * n + 1 for n in range(4 * count)]
    same(CONSTANTS, {"cb0": words(*numbers), "u0": bytes(64)})


@pytest.mark.parametrize("count", [0, 1, 2, 4, 17, 18, 19, 20])
def test_elements_relative_to_a_value(count: int) -> None:
    same(STRUCTURES, {"t0": words(*range(3, 3 + count)), "u0": bytes(64)})


def test_a_run_has_one_test() -> None:
    for text, loads in ((CONSTANTS, 4), (STRUCTURES, 3)):
        once = text_of(text)
        one = "\n".join(line for line in once.splitlines() if "label %inside" in line)
        assert one.count("label %inside") == 1
        usual = once[once.index("\nplaced") :]
        assert usual.count("label %none") == 0
        assert usual.count("load i32") >= loads


@pytest.mark.parametrize("count", [3, 9, 10])
def test_stores_end_a_run(count: int) -> None:
    found = same(WRITTEN, {"u0": words(*range(1, 1 + count))})
    last = 4 if count > 9 else 0
    assert found["u0"][:4] == words(4 * 100 + last)


def test_memories_may_be_the_same_array() -> None:
    """A load of a constant buffer after a store is not tested before it either."""
    text = WRITTEN.replace("memory %u0 buffer", "memory %cb0 constant 4\nmemory %u0 buffer")
    moved = text.replace("%4 = load:i32 %u0[i32 9", "%4 = load:i32 %cb0[i32 9")
    memories = {"cb0": words(*range(20, 23)), "u0": words(*range(1, 11))}
    assert same(moved, memories)["u0"][:4] == words(400)


@pytest.mark.parametrize("start", [0, 5, 7, 2**31 - 1, 2**32 - 2, 2**32 - 1])
def test_elements_that_wrap_around(start: int) -> None:
    same(WRAPPED, {"cb0": words(start), "t0": words(*range(11, 19)), "u0": bytes(32)})
