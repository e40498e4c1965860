"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_shaders = held("tpf", "lockstep", "jit", "traced")
test_modules = held("spirv", "lockstep", "traced")
test_tables = held_tables(__file__)
