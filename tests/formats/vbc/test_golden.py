"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_files = held(
    "vbc",
    "listing",
    "data",
    "fields",
    "facts",
    "overview",
    "findings",
    "code",
    "edited",
    "damaged",
    "texts",
    "invalid",
    "page",
)
test_tables = held_tables(__file__)
