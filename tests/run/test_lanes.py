"""Threads of a dispatch, by lane."""

import numpy as np
import pytest

from unshade.run.lanes import PixelLanes, PrimitiveLanes, QuadLanes, RowLanes, ThreadLanes
from unshade.vm.launch import Array


@pytest.mark.parametrize("quads", [False, True])
def test_each_thread_has_a_lane(quads: bool) -> None:
    lanes = ThreadLanes((4, 2, 3), (3, 2, 1), quads=quads)
    threads = [lanes.thread(lane) for lane in range(lanes.count)]
    assert sorted(threads) == [(x, y, z) for x in range(12) for y in range(4) for z in range(3)]
    assert [lanes.lane(each) for each in threads] == [*range(lanes.count)]
    assert lanes.numbers(*np.array(threads).T).tolist() == [*range(lanes.count)]
    assert lanes.lane((12, 0, 0)) is None
    assert lanes.lane((0, -1, 0)) is None


def test_threads_in_quads() -> None:
    lanes = ThreadLanes((4, 2, 1), (2, 1, 1), quads=True)
    assert [lanes.thread(lane)[:2] for lane in (2, 3, 4, 10)] == [(0, 1), (1, 1), (2, 0), (4, 1)]
    assert lanes.lane((1, 1)) == 3


def test_pixels_by_position_and_triangle() -> None:
    x, y = np.array([4, 5, 4, 4]), np.array([2, 2, 3, 2])
    plain = PixelLanes(x, y)
    assert plain.count == 4
    assert [plain.lanes(each).tolist() for each in ((4, 2), (5, 2), (4, 3), (5, 3))] == [
        [0, 3], [1], [2], [],
    ]  # fmt: skip
    assert [plain.lane(each) for each in ((4, 2), (2, 4), (4, 3))] == [0, None, 2]
    assert plain.lane((4, 2, 7)) == 0
    assert plain.thread(1) == (5, 2)
    meshed = PixelLanes(x, y, np.array([0, 0, 1, 6]))
    assert meshed.lanes((4, 2)).tolist() == [0, 3]
    assert [meshed.lane(each) for each in ((4, 2, 6), (4, 2, 0), (4, 2, 1))] == [3, 0, None]
    assert meshed.thread(3) == (4, 2, 6)


def test_rows_and_their_copies() -> None:
    lanes = RowLanes(3, 4)
    assert lanes.count == 12
    assert [lanes.lane((row,)) for row in (-1, 0, 2, 3)] == [None, 0, 8, None]
    assert [lanes.thread(lane) for lane in (0, 3, 4, 11)] == [(0,), (0,), (1,), (2,)]


def test_primitives_from_a_number_on() -> None:
    lanes = PrimitiveLanes(10, 3, 2)
    assert lanes.count == 6
    threads = [(row, number) for row in (10, 11, 12) for number in (0, 1)]
    assert [lanes.thread(lane) for lane in range(6)] == threads
    assert [lanes.lane(each) for each in threads] == [*range(6)]
    assert lanes.lane((11,)) == 2
    for outside in ((9, 0), (13, 0), (10, 2), (10, -1)):
        assert lanes.lane(outside) is None
    assert PrimitiveLanes(10, 3).thread(2) == (12,)


def test_pixels_of_quads() -> None:
    asked = []

    def quads() -> tuple[Array, Array, Array]:
        asked.append(1)
        return np.array([4, 8]), np.array([2, 6]), np.array([0, 3])

    lanes = QuadLanes(quads, 2)
    assert lanes.count == 8
    assert not asked
    assert [lanes.thread(at) for at in (0, 1, 2, 7)] == [(4, 2, 0), (5, 2, 0), (4, 3, 0), (9, 7, 3)]
    assert [lanes.lane(each) for each in ((5, 3), (8, 6, 3), (8, 6, 0))] == [3, 4, None]
    assert asked == [1]
