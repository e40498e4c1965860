"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_shaders = held("tpf", "decompiled", "translated")
test_effects = held("sksl", "decompiled", "translated")
test_programs = held("shbin", "decompiled", "translated")
test_modules = held("spirv", "decompiled", "translated")
test_dxil = held("dxil", "decompiled", "translated")
test_tables = held_tables(__file__)
