"""What lanes do to each other in lock-step: quads and waves whose lanes have parted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.vm.engines import parsed, run
from unshade.vm.lockstep import Lockstep

SWAP = """
kernel main pixel group 1 1 1
out %o0 i32
%0 = source item
%1 = iadd %0, i32 100
%2 = and %0, i32 15
%3 = ilt %2, i32 LEAST
if %3 {
  output %o0, i32 7
} else {
  %4 = quad_swap WAY, %1
  output %o0, %4
}
"""


def outputs(text: str, items: int, helpers: Sequence[bool] = ()) -> list[int]:
    _, found, _ = run(Lockstep(), parsed(text), {}, items=items, helpers=helpers)
    return found["o0"]


@pytest.mark.parametrize("way", [1, 2, 3])
def test_a_lane_has_the_value_of_its_partner_in_the_quad(way: int) -> None:
    text = SWAP.replace("WAY", str(way)).replace("LEAST", "0")
    assert outputs(text, 12) == [100 + (at ^ way) for at in range(12)]


@pytest.mark.parametrize("way", [1, 2, 3])
@pytest.mark.parametrize("least", [1, 2, 3, 5])
def test_a_lane_whose_partner_is_elsewhere_keeps_its_value(way: int, least: int) -> None:
    """The first lanes have left: they run another branch."""
    text = SWAP.replace("WAY", str(way)).replace("LEAST", str(least))
    assert outputs(text, 8) == [
        7 if at < least else 100 + (at ^ way if (at ^ way) >= least else at) for at in range(8)
    ]


def test_an_incomplete_quad() -> None:
    assert outputs(SWAP.replace("WAY", "2").replace("LEAST", "0"), 6) == [
        102, 103, 100, 101, 104, 105
    ]  # fmt: skip


WAVE = """
kernel main pixel group 1 1 1 wave 8
out %o0 i32
%0 = source item
%1 = imul %0, i32 5
%2 = and %1, i32 7
%3 = source wave_lane
%4 = and %3, i32 MASK
%5 = ieq %4, i32 0
%6 = iadd %3, i32 2
%7 = ilt %2, i32 3
if %5 {
  RESULT
} else {
  output %o0, i32 -1
}
"""
TRUTH = "%8 = {}\n%9 = select %8, i32 1, i32 0\noutput %o0, %9"
WORD = "%8 = {}\noutput %o0, %8"
SIZE, ITEMS = 8, 20  # the last wave has four lanes
Lanes = dict[int, int]  # the values of the lanes that take part


def first(lanes: Lanes) -> int:
    return lanes[min(lanes)]


def sums(lanes: Lanes, lane: int, *, own: bool) -> int:
    return sum(value for at, value in lanes.items() if at < lane or (own and at == lane))


@pytest.mark.parametrize("mask", [0, 1, 2, 3, 5])
@pytest.mark.parametrize(
    ("form", "operation", "expected"),
    [
        (TRUTH, "wave_elect", lambda lanes, at: int(at == min(lanes))),
        (TRUTH, "wave_all %7", lambda lanes, at: int(all(each < 3 for each in lanes.values()))),
        (TRUTH, "wave_any %7", lambda lanes, at: int(any(each < 3 for each in lanes.values()))),
        (TRUTH, "wave_equal %2", lambda lanes, at: int(len({*lanes.values()}) == 1)),
        (WORD, "wave_first %2", lambda lanes, at: first(lanes)),
        (WORD, "wave_read %2, %6", lambda lanes, at: lanes.get(at + 2, lanes[at])),
        (WORD, "wave_read %2, i32 0", lambda lanes, at: lanes.get(0, lanes[at])),
        (WORD, "wave_ballot %7",
         lambda lanes, at: sum(1 << each for each, value in lanes.items() if value < 3)),
        (WORD, "wave_ballot word 1, %7", lambda lanes, at: 0),
        (WORD, "wave_reduce iadd, %2", lambda lanes, at: sum(lanes.values())),
        (WORD, "wave_reduce umax, %2", lambda lanes, at: max(lanes.values())),
        (WORD, "wave_reduce iadd cluster 4, %2",
         lambda lanes, at: sum(value for each, value in lanes.items() if each // 4 == at // 4)),
        (WORD, "wave_scan iadd, %2", lambda lanes, at: sums(lanes, at, own=True)),
        (WORD, "wave_before iadd, %2", lambda lanes, at: sums(lanes, at, own=False)),
    ],
)  # fmt: skip
def test_lanes_that_have_not_left_take_part_in_a_wave(
    form: str, operation: str, expected: Callable[[Lanes, int], int], mask: int
) -> None:
    text = WAVE.replace("MASK", str(mask)).replace("RESULT", form.format(operation))
    wanted = []
    for wave in range(0, ITEMS, SIZE):
        there = range(min(SIZE, ITEMS - wave))
        lanes = {at: (wave + at) * 5 & 7 for at in there if not at & mask}
        wanted += [expected(lanes, at) if at in lanes else 0xFFFF_FFFF for at in there]
    assert outputs(text, ITEMS) == wanted


def test_helpers_take_part_where_they_are_asked_to() -> None:
    """Lane 2 is a helper: it has no output, and its value counts only with `helpers`."""
    helping = [at == 2 for at in range(SIZE)]
    for word, total in (("", 28 - 2), ("helpers ", 28)):
        operation = f"wave_reduce iadd {word.strip()}".strip() + ", %0"
        text = f"""
kernel main pixel group 1 1 1 wave 8
out %o0 i32
%0 = source item
%1 = {operation}
output %o0, %1
"""
        found = outputs(text, SIZE, helpers=helping)
        assert [each for at, each in enumerate(found) if at != 2] == [total] * 7
