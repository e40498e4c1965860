"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_differences = held("tpf", "compared")
test_files = held("shbin", "compared")
test_parts = held("parts", "compared")
test_tables = held_tables(__file__)
