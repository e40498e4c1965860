"""Tables of the sources of this folder: tests/golden."""

from tests.golden import held_tables

test_tables = held_tables(__file__)
