"""Loads of several words of an element by each lane: values, invalid accesses, what ends them."""

import pytest

from tests.vm.engines import parsed, same, words
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.layout import layout

pytestmark = pytest.mark.heavy

LOADS = """
kernel main compute group 16 1 1
memory %t0 buffer {stride}
memory %t1 buffer 4
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = load:i32 %t1[%0, i32 0]
%2 = load:i32 %t0[%1, i32 {first}]
%3 = load:f32 %t0[%1, i32 {second}]
%4 = load:i32 %t0[%1, i32 {third}]
%5 = bitcast:i32 %3
%6 = imul %2, i32 3
%7 = xor %5, %6
%8 = iadd %7, %4
store %u0[%0, i32 0], %8
"""
BRANCHES = """
kernel main compute group 16 1 1
memory %t0 buffer 16
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = imul %0, %0
%2 = ult %0, i32 5
if %2 {
  %3 = load:i32 %t0[%1, i32 0]
  %4 = load:i32 %t0[%1, i32 8]
  %5 = iadd %3, %4
  store %u0[%0, i32 0], %5
}
"""
WRITTEN = """
kernel main compute group 16 1 1
memory %u0 buffer 16 writable
%0 = source thread_id.x
%1 = xor %0, i32 5
%2 = load:i32 %u0[%1, i32 0]
store %u0[%1, i32 4], %2
%3 = load:i32 %u0[%1, i32 4]
%4 = iadd %2, %3
store %u0[%1, i32 8], %4
"""
PLACES = [n * 7 % 9 for n in range(16)]


def text_of(text: str, width: int = 16) -> str:
    """Return the LLVM text of a kernel."""
    kernel = parsed(text)
    return CompiledKernel(kernel, layout(kernel, True, True, width), quick=True).text


@pytest.mark.parametrize(("stride", "bytes_"), [
    (16, (0, 4, 12)), (16, (8, 8, 4)), (32, (16, 28, 20)), (32, (12, 16, 24)), (20, (0, 8, 16)),
    (12, (0, 4, 8)), (16, (4, 16, 8)), (18, (0, 4, 8)),
])  # fmt: skip
@pytest.mark.parametrize("count", [0, 1, 5, 9])
def test_words_of_elements(stride: int, bytes_: tuple[int, int, int], count: int) -> None:
    """Some elements are beyond the memory, some bytes beyond the element."""
    text = LOADS.format(stride=stride, first=bytes_[0], second=bytes_[1], third=bytes_[2])
    held = bytes(n * 37 % 251 for n in range(stride * count))
    same(text, {"t0": held, "t1": words(*PLACES), "u0": bytes(64)})


@pytest.mark.parametrize("place", [2**28, 2**31, 2**32 - 1])
def test_elements_far_away(place: int) -> None:
    text = LOADS.format(stride=16, first=0, second=4, third=8)
    places = [place - n if n % 2 else n % 3 for n in range(16)]
    same(text, {"t0": words(*range(1, 13)), "t1": words(*places), "u0": bytes(64)})


@pytest.mark.parametrize("count", [0, 3, 20])
def test_only_lanes_that_are_active_count(count: int) -> None:
    same(BRANCHES, {"t0": words(*range(4 * count)), "u0": bytes(64)})


def test_stores_come_between() -> None:
    same(WRITTEN, {"u0": words(*range(64))})


@pytest.mark.parametrize("width", [8, 16, 64])
def test_an_element_is_loaded_once(width: int) -> None:
    def loads(stride: int, *places: int) -> int:
        first, second, third = places
        text = text_of(LOADS.format(stride=stride, first=first, second=second, third=third), width)
        return text.count("load <4 x i32>") - others

    others = 0
    others = loads(12, 0, 4, 8)  # no whole block: each word by itself
    assert loads(32, 16, 28, 20) == width
    assert loads(32, 0, 16, 12) == width  # of bytes 0 and 12
    assert loads(18, 0, 4, 8) == loads(32, 0, 16, 32) == 0
