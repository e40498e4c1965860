"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_containers = held("parts", "page")
test_shaders = held("tpf", "page")
test_dxil = held("dxil", "page")
test_modules = held("spirv", "page")
test_files = held("shbin", "page")
test_effects = held("sksl", "page")
test_tables = held_tables(__file__)
