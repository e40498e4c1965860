"""Threads of a dispatch, by lane."""

import pytest

from unshade.run.stages.lanes import ThreadLanes


@pytest.mark.parametrize("quads", [False, True])
def test_each_thread_has_a_lane(quads: bool) -> None:
    lanes = ThreadLanes((4, 2, 3), (3, 2, 1), quads=quads)
    threads = [lanes.thread(lane) for lane in range(lanes.count)]
    assert sorted(threads) == [(x, y, z) for x in range(12) for y in range(4) for z in range(3)]
    assert [lanes.lane(each) for each in threads] == [*range(lanes.count)]
    assert lanes.lane((12, 0, 0)) is None
    assert lanes.lane((0, -1, 0)) is None


def test_threads_in_quads() -> None:
    lanes = ThreadLanes((4, 2, 1), (2, 1, 1), quads=True)
    assert [lanes.thread(lane)[:2] for lane in (2, 3, 4, 10)] == [(0, 1), (1, 1), (2, 0), (4, 1)]
    assert lanes.lane((1, 1)) == 3
