"""The order of sums of three products."""

import numpy as np

from unshade.run.raster.sums import by_columns, in_turn

SMALL, BIG = 1.0, 2.0**53


def test_orders() -> None:
    """2^53 + 1 is rounded to 2^53: which numbers are added first shows."""
    assert in_turn([BIG, SMALL, -BIG]) == 0
    assert by_columns([BIG, SMALL, -BIG]) == 1
    assert in_turn([np.array([SMALL, BIG]), np.array([BIG, SMALL]), -BIG]).tolist() == [0, 0]


def test_the_start_decides_on_the_sign_of_zero() -> None:
    zeros = [np.float64(-0.0)] * 3
    assert np.signbit(in_turn(zeros))
    assert not np.signbit(in_turn(zeros, 0.0))
    assert not np.signbit(by_columns(zeros, 0.0))
