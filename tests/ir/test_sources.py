"""Sources: names, words, bounds."""

from __future__ import annotations

import pytest

from unshade.ir.sources import SOURCES, bound, flattened, lane_in_group, thread_in_group
from unshade.vocab.words import SystemValue


def test_a_name_is_a_word_and_an_axis() -> None:
    for name, source in SOURCES.items():
        assert source.name == name
    assert SOURCES["thread_id.y"].word == SystemValue.THREAD_ID
    assert [SOURCES[f"thread_id.{axis}"].axis for axis in "xyz"] == [0, 1, 2]
    assert SOURCES["wave_lane"].axis is None


def test_another_word_keeps_the_axis() -> None:
    assert SOURCES["thread_group_id.z"].of("vThreadGroupID") == "vThreadGroupID.z"
    assert SOURCES["thread_id_in_group_flattened"].of("any.text") == "any.text"


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("thread_id_in_group.x", 8),
        ("thread_id_in_group.z", 2),
        ("thread_id_in_group_flattened", 64),
        ("thread_id.x", 1 << 28),
        ("group_count.y", 1 << 28),
        ("item", 1 << 32),
        ("wave_size", 129),
        ("helper", 2),
    ],
)
def test_bounds(name: str, most: int) -> None:
    assert bound(name, (8, 4, 2)) == most


def test_shared_sources() -> None:
    shared = {each.word for each in SOURCES.values() if each.shared}
    assert shared == {"group_count", "wave_size"}


@pytest.mark.parametrize("quads", [False, True])
@pytest.mark.parametrize("group", [(4, 2, 1), (2, 2, 1), (2, 6, 3), (8, 4, 2)])
def test_threads_of_a_group(group: tuple[int, int, int], quads: bool) -> None:
    x, y, z = group
    threads = [thread_in_group(lane, group, quads) for lane in range(x * y * z)]
    assert [lane_in_group(each, group, quads) for each in threads] == [*range(x * y * z)]
    assert all(0 <= a < x and 0 <= b < y and 0 <= c < z for a, b, c in threads)
    numbers = [flattened(lane, group, quads) for lane in range(x * y * z)]
    assert numbers == [(c * y + b) * x + a for a, b, c in threads]
    if not quads:
        assert numbers == [*range(x * y * z)]


def test_quads_are_four_lanes_in_a_row() -> None:
    found = [thread_in_group(lane, (4, 4, 1), True)[:2] for lane in range(12)]
    first = [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert found == [*first, *((x + 2, y) for x, y in first), *((x, y + 2) for x, y in first)]
