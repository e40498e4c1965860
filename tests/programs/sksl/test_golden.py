"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_listings = held(
    "sksl", "listing", "data", "fields", "facts", "findings", "code", "damaged", "invalid"
)
test_tables = held_tables(__file__)
