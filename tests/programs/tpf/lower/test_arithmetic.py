"""Arithmetic instructions, compared with values computed from the documented rules."""

import pytest

from tests.programs.tpf.lower import double_vectors, float_vectors, integer_vectors
from tests.programs.tpf.lower.vectors import Vector, check

VECTORS = [*float_vectors.VECTORS, *integer_vectors.VECTORS, *double_vectors.VECTORS]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_vector(vector: Vector) -> None:
    check(vector)
