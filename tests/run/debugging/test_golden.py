"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_traces = held("tpf", "traced", "stopped")
test_effects = held("sksl", "traced", "stopped")
test_modules = held("spirv", "traced", "stopped")
test_tables = held_tables(__file__)
