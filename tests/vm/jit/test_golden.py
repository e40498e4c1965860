"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_kernels = held("kernels", "executed")
test_effects = held("sksl", "jit")
test_shaders = held("tpf", "jit")
test_tables = held_tables(__file__)
