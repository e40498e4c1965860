"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_listings = held("d3d9", "listing", "data", "fields", "findings", "code", "invalid", "texts")
test_tables = held_tables(__file__)
