"""Rules for comparing numbers."""

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.testing import approx_ulp, assert_close

INF, NAN, MOST = np.inf, np.nan, np.finfo(np.float32).max
F = np.float32


@pytest.mark.parametrize(
    ("actual", "expected", "rules", "close"),
    [
        (NAN, NAN, {}, True),
        (NAN, 1.0, {"ulp": INF}, False),
        (1.0, NAN, {"ulp": INF}, False),
        (NAN, 1.0, {"nan": "ignored"}, True),
        (1.0, NAN, {"nan": "ignored"}, True),
        (2.0, 1.0, {"nan": "ignored"}, False),
        (NAN, NAN, {"nan": "none"}, False),
        (1.0, NAN, {"nan": "none", "ulp": INF}, True),
        (INF, INF, {}, True),
        (-INF, INF, {"ulp": INF}, False),
        (INF, MOST, {}, False),
        (MOST, INF, {}, False),
        (INF, MOST, {"infinity": "next", "ulp": 1}, True),
        (INF, MOST, {"infinity": "next", "ulp": 0}, False),
        (INF, 1.0, {"infinity": "ignored"}, True),
        (1.0, -INF, {"infinity": "ignored"}, True),
        (INF, 1e39, {}, True),  # rounds to an infinity
        (0.0, -0.0, {"ulp": 0}, True),
        (1e-9, 0.0, {"absolute": 1e-8}, True),
        (1e-7, 0.0, {"absolute": 1e-8}, False),
    ],
)
def test_rules(actual: float, expected: float, rules: dict[str, object], close: bool) -> None:
    if close:
        assert_close(F(actual), expected, **rules)  # type: ignore[arg-type]
    else:
        with pytest.raises(AssertionError):
            assert_close(F(actual), expected, **rules)  # type: ignore[arg-type]


def test_the_type_of_the_result_decides_the_distance() -> None:
    one = np.nextafter(F(1), F(2))
    assert_close(one, 1.0, ulp=1)
    with pytest.raises(AssertionError):
        assert_close(np.float64(one), 1.0, ulp=1)
    assert_close(np.float16(1.001), 1.0, ulp=1)


def test_the_message_lists_places_and_distances() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_close(np.array([1, 2, NAN], F), [1.0, 3.0, 4.0], ulp=2)
    assert str(caught.value).split("\n") == [
        "float32 (3,) is not float64 (3,) ± 2 ulp",
        "2 of 3 differ by more than 2 ulp",
        "[1] is 2.0, expected 3.0: 4.1943e+06 ulp",
        "[2] is nan, expected 4.0: inf ulp",
    ]


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(UsageError, match=r"nan: expected one of same, ignored, none, got 'equal'"):
        assert_close(1.0, 1.0, nan="equal")
    with pytest.raises(UsageError, match="infinity: expected one of same, next, ignored"):
        approx_ulp(1.0, infinity="far")


def test_integers_have_to_be_equal() -> None:
    assert_close(np.array([1, 2]), [1, 2])
    with pytest.raises(AssertionError):
        assert_close(np.array([1, 2]), [1, 3], ulp=100)
