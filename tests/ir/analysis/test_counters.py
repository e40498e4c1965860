"""Ranges of variables that count up to a constant."""

import pytest

from tests.oracle.parsing import parse_kernel
from unshade.ir.analysis.counters import counters
from unshade.ir.analysis.ranges import ValueRange
from unshade.ir.analysis.uniformity import uniformity

HEAD = """
kernel main compute group 64 1 1
memory %t buffer 4
var @n i32
%0 = load:i32 %t[i32 0, i32 0]
"""


def loop(condition: str, step: str = "i32 1", start: str = "") -> str:
    """Return a loop that is left at its head; `step` is added."""
    return f"""{start}
loop {{
  %1 = get @n
  %2 = {condition}
  if %2 {{
    break
  }}
  %3 = iadd %1, {step}
  set @n, %3
}}
"""


def ranges(text: str) -> list[int]:
    """Return the largest number of each variable that has a range."""
    found = counters(parse_kernel(HEAD + text))
    assert all(each.low == 0 for each in found.values())
    return [each.high for each in found.values()]


@pytest.mark.parametrize(
    ("condition", "step", "most"),
    [
        ("ule i32 16, %1", "i32 1", [16]),
        ("ult i32 16, %1", "i32 1", [17]),
        ("ile i32 16, %1", "i32 4", [19]),
        ("ieq %1, i32 15", "i32 1", [15]),
        ("ieq %1, i32 15", "i32 2", []),  # may step over it
        ("ule %0, %1", "i32 1", []),
        ("ule %1, i32 16", "i32 1", []),  # leaves where it is small
        ("ule i32 16, %1", "%0", []),
        ("ule i32 16, %1", "i32 -1", []),
        ("ult i32 -1, %1", "i32 1", []),
    ],
)
def test_a_loop(condition: str, step: str, most: list[int]) -> None:
    assert ranges(loop(condition, step)) == most


def test_the_start_must_not_be_beyond_an_end_that_is_only_equal() -> None:
    assert ranges(loop("ieq %1, i32 15", start="set @n, i32 14")) == [15]
    assert ranges(loop("ieq %1, i32 15", start="set @n, i32 16")) == []
    assert ranges(loop("ule i32 15, %1", start="set @n, i32 16")) == [16]
    assert ranges(loop("ieq %1, i32 15", start="set @n, %0")) == []


def test_a_step_in_a_branch() -> None:
    text = """
loop {
  %1 = get @n
  %2 = ult %1, i32 8
  if %2 {
    %3 = iadd %1, i32 1
    set @n, %3
  } else {
    break
  }
}
"""
    assert ranges(text) == [8]
    assert ranges(text.replace("ult %1, i32 8", "ine %1, i32 8")) == [8]
    assert ranges(text.replace("ult %1", "ieq %1")) == []


def test_only_shared_variables_have_ranges() -> None:
    """In a lane that waits, a variable may go on."""
    text = loop("ule i32 16, %1")
    kernel = parse_kernel(HEAD + text)
    get = next(each for each in kernel.values() if each.op.name == "get")
    assert uniformity(kernel).ranges[get] == ValueRange(0, 16)
    apart = "  %8 = ult %9, %1\n  if %8 {\n    break\n  }\n"
    text = "%9 = source thread_id.x\n" + text.replace("  %3 =", apart + "  %3 =")
    kernel = parse_kernel(HEAD + text + "%4 = get @n\n")
    get = next(each for each in kernel.values() if each.op.name == "get")
    assert counters(kernel)
    assert uniformity(kernel).ranges[get].high == (1 << 32) - 1
