"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_scenes = held("scenes", "drawn", "drawn_by_jit", "history")
test_tables = held_tables(__file__)
