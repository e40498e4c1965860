"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_shaders = held("tpf", "lockstep")
test_modules = held("spirv", "lockstep")
test_tables = held_tables(__file__)
