"""Answers of the whole library that the sources of this folder take part in: tests/golden."""

from tests.golden import held, held_tables

test_parts = held(
    "parts",
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
)
test_containers = held("tpf", "edited", "damaged")
test_tables = held_tables(__file__)
