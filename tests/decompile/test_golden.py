"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held

test_shaders = held("tpf", "decompiled")
test_effects = held("sksl", "decompiled")
test_programs = held("shbin", "decompiled")
test_modules = held("spirv", "decompiled")
