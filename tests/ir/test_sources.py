"""Sources: names, words, bounds."""

from __future__ import annotations

import pytest

from unshade.ir.sources import SOURCES, bound
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
