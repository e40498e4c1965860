"""The test vectors of every operation, run on every engine."""

import numpy as np
import pytest

from tests.programs.pica.lower.support import run, vector
from tests.programs.pica.lower.vectors import VECTORS, Vector
from unshade.programs.pica.tables.ops import OPS


@pytest.mark.heavy
@pytest.mark.parametrize("one", VECTORS, ids=lambda one: one.name)
def test_vector(one: Vector) -> None:
    found = run(one.code, before=one.before, c=one.c, i=one.i, b=one.b, v0=one.v0, v1=one.v1)
    wanted = vector(one.o0)
    np.testing.assert_array_equal(found["o0"], wanted)
    numbers = ~np.isnan(wanted)
    same_sign = np.signbit(found["o0"]) == np.signbit(wanted)
    assert (same_sign | (wanted == 0) | ~numbers).all()


def test_every_operation_has_a_vector() -> None:
    """Operations of geometry shaders are tested in test_geometry.py."""
    assert {one.name for one in VECTORS} == {op.name for op in OPS if not op.geometry}
