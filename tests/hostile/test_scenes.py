"""Seeded scenes with changed shaders and state: the same pictures on both engines, or errors."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest

from tests.hostile.scenes import compared_scene

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("first", [0, 1_000_000])
def test_both_engines_draw_the_same(first: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = Counter(compared_scene(first + each) for each in range(16))
    assert found["drawn"]


def test_a_place_beyond_the_range_of_floats_is_infinite() -> None:
    """An input of 3e38 times a share, in the pixel shader; it gave a warning of NumPy."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert {compared_scene(seed) for seed in (158, 161, 188)} <= {"drawn", "empty"}


@pytest.mark.parametrize("seed", [2753, 101_272])
def test_a_signalling_nan_is_a_nan(seed: int) -> None:
    """An output of a vertex, and a depth; NumPy warned when it became a double."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compared_scene(seed) in ("drawn", "empty")
