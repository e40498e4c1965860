"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held

test_differences = held("tpf", "compared")
test_files = held("shbin", "compared")
test_parts = held("parts", "compared")
