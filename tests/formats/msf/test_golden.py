"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_files = held(
    "msf", "listing", "data", "fields", "facts", "overview", "findings", "edited", "damaged"
)
test_tables = held_tables(__file__)
