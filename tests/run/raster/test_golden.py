"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held

test_scenes = held("scenes", "drawn", "drawn_by_jit", "history")
