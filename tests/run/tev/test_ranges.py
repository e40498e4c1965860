"""Integers of a description: the largest one is taken, the next one is not."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import reduce
from typing import Any

import pytest

from tests.run.tev.test_hostile_descriptions import WHOLE
from unshade.errors import UsageError
from unshade.run.tev import FragmentStage

RANGES: list[tuple[tuple[Any, ...], int]] = [
    (("buffer_color", 3), 255),
    (("fog", "color", 0), 255),
    (("alpha_test", "reference"), 255),
    (("lighting", "lights", 0, "diffuse", 2), 255),
    (("lighting", "configuration"), 7),
    (("lighting", "bump_texture"), 3),
    (("lighting", "shadow_texture"), 3),
    (("procedural_texture", "colors", 1, 3), 255),
    (("procedural_texture", "offset"), 254),  # of two colours of 256
    (("procedural_texture", "width"), 255),
    (("procedural_texture", "coordinates"), 2),
    (("procedural_texture", "lod_min"), 15),
    (("procedural_texture", "lod_max"), 15),
    (("procedural_texture", "level_offsets", 0), 255),
    (("procedural_texture", "level_offsets", 2), 255),
]


def changed(path: tuple[Any, ...], value: object) -> dict[str, Any]:
    made: dict[str, Any] = deepcopy(WHOLE)
    *outer, last = path
    get: Callable[[Any, Any], Any] = lambda held, key: held[key]  # noqa: E731
    reduce(get, outer, made)[last] = value
    return made


@pytest.mark.parametrize(("path", "most"), RANGES)
def test_the_largest_integer_is_taken(path: tuple[Any, ...], most: int) -> None:
    FragmentStage.of(changed(path, most))
    FragmentStage.of(changed(path, 0 if path[-1] != "width" else 1))
    for value in (most + 1, -1):
        with pytest.raises(UsageError, match=r"expected"):
            FragmentStage.of(changed(path, value))
