"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held

test_kernels = held("kernels", "executed")
test_effects = held("sksl", "jit")
test_shaders = held("tpf", "jit")
