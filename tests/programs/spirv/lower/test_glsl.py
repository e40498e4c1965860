"""GLSL.std.450 on single components, against NumPy; every engine has the same bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.programs.spirv.lower.glsl_functions import apply
from unshade.programs.spirv.lower.glsl_table import COMPONENTS, PAIRS
from unshade.programs.spirv.tables.numbers import GlslStd450

Array = npt.NDArray[Any]
INF, NAN = float("inf"), float("nan")
SPECIAL = (0.0, -0.0, INF, -INF, NAN)


def one(number: int, *given: Any, result: str = "") -> Array:
    """Return a function of components for each element."""
    arrays = [np.asarray(each) for each in given]
    kind = result or arrays[0].dtype.str
    (found,) = apply(lambda b, values: [COMPONENTS[number](b, *values)], arrays, [kind])
    return found


def f32(*numbers: float) -> Array:
    return np.array(numbers, "<f4")


def f64(*numbers: float) -> Array:
    return np.array(numbers, "<f8")


def ulps(found: Array, exact: Array) -> float:
    """Return the greatest error, in units of the last place of a 32-bit float."""
    unit = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(exact), 2.0**-126))) - 23)
    return float((np.abs(found.astype("<f8") - exact) / unit).max())


# fmt: off
CLOSE: list[tuple[str, Callable[[Array], Array], float, tuple[float, float]]] = [
    # name     exact                       ulp  range
    ("Exp",   np.exp,                        90, (-80, 80)),
    ("Log",   np.log,                         3, (2, 1e30)),
    ("Asinh", np.arcsinh,                     4, (-50, 50)),
    ("Acosh", np.arccosh,                     4, (1, 50)),
    ("Atanh", np.arctanh,                     4, (-0.999, 0.999)),
    ("Radians", lambda x: x * (np.pi / 180),  1, (-1000, 1000)),
    ("Degrees", lambda x: x * (180 / np.pi),  1, (-10, 10)),
]
# fmt: on


@pytest.mark.parametrize(("name", "exact", "most", "ends"), CLOSE, ids=[row[0] for row in CLOSE])
def test_results_are_close(
    name: str, exact: Callable[[Array], Array], most: float, ends: tuple[float, float]
) -> None:
    x = np.linspace(*ends, 1000).astype("<f4")
    assert ulps(one(getattr(GlslStd450, name), x), exact(x.astype("<f8"))) <= most


def test_small_and_large_arguments_of_inverse_hyperbolics() -> None:
    x = f32(1e-30, 1e-6, -1e-6, 1e20, -3e38)
    assert ulps(one(GlslStd450.Asinh, x), np.arcsinh(x.astype("<f8"))) <= 3
    x = f32(1.0001, 1.5, 1e20)
    assert ulps(one(GlslStd450.Acosh, x), np.arccosh(x.astype("<f8"))) <= 4
    assert one(GlslStd450.Acosh, f32(1.0, INF)).tolist() == [0, INF]
    assert one(GlslStd450.Atanh, f32(1.0, -1.0)).tolist() == [INF, -INF]


def test_atan2_has_every_quadrant() -> None:
    numbers = [0.0, -0.0, 1.0, -1.0, 0.3, -2e30, 1e-30, INF, -INF]
    y, x = (each.reshape(-1).astype("<f4") for each in np.meshgrid(numbers, numbers))
    found = one(GlslStd450.Atan2, y, x)
    np.testing.assert_allclose(found, np.arctan2(y, x), rtol=3e-7, atol=1e-37)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(y))


def test_atan2_of_a_nan_is_a_nan() -> None:
    numbers = [0.0, -0.0, 1.0, -INF, NAN]
    y, x = f32(*numbers, *[NAN] * 5), f32(*[NAN] * 5, *numbers)
    assert np.isnan(one(GlslStd450.Atan2, y, x)).all()


def test_minimum_and_maximum_give_the_number() -> None:
    x, y = f32(NAN, 1, 2, NAN), f32(3, NAN, 1, NAN)
    assert str(one(GlslStd450.FMin, x, y).tolist()) == "[3.0, 1.0, 1.0, nan]"
    assert str(one(GlslStd450.NMax, x, y).tolist()) == "[3.0, 1.0, 2.0, nan]"
    low, high = f32(0, 0, 0), f32(1, 1, 1)
    assert one(GlslStd450.FClamp, f32(NAN, 7, -7), low, high).tolist() == [0, 1, 0]


def test_signs() -> None:
    assert one(GlslStd450.FSign, f32(-3, 0, 5, NAN)).tolist() == [-1, 0, 1, 0]
    assert one(GlslStd450.SSign, np.array([-3, 0, 5, -(1 << 15)], "<i2")).tolist() == [-1, 0, 1, -1]
    assert one(GlslStd450.SAbs, np.array([-3, 4], "<i8")).tolist() == [3, 4]


def test_bit_numbers() -> None:
    x = np.array([0, 1, 0x8000_0000, 0x00F0], "<u4")
    assert one(GlslStd450.FindILsb, x, result="<i4").tolist() == [-1, 0, 31, 4]
    assert one(GlslStd450.FindUMsb, x, result="<i4").tolist() == [-1, 0, 31, 7]
    signed = np.array([0, -1, 1, -2, -(1 << 31)], "<i4")
    assert one(GlslStd450.FindSMsb, signed).tolist() == [-1, -1, 0, 0, 30]


def test_steps() -> None:
    edge, x = f32(1, 1, 1), f32(0.5, 1, 2)
    assert one(GlslStd450.Step, edge, x).tolist() == [0, 1, 1]
    low, high = f32(0, 0, 0), f32(2, 2, 2)
    assert one(GlslStd450.SmoothStep, low, high, f32(-1, 1, 3)).tolist() == [0, 0.5, 1]
    assert one(GlslStd450.FMix, f32(1), f32(3), f32(0.25)).tolist() == [1.5]


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<f8"])
def test_frexp_and_ldexp_are_inverse(kind: str) -> None:
    info = np.finfo(kind)
    numbers = [1.0, -1.5, 0.1, 1000, info.max, info.tiny, info.smallest_subnormal, 0.0, -0.0, INF]
    x = np.array([*numbers, -info.smallest_subnormal * 3], kind)
    significand, exponent = apply(
        lambda b, values: PAIRS[GlslStd450.Frexp](b, values[0]), [x], [kind, "<i4"]
    )
    wanted = np.frexp(x)
    np.testing.assert_array_equal(significand, wanted[0])
    np.testing.assert_array_equal(exponent, np.where(np.isfinite(x), wanted[1], 0))
    np.testing.assert_array_equal(one(GlslStd450.Ldexp, significand, exponent), x)


@pytest.mark.parametrize("exponents", ["<i1", "<i2", "<i4", "<i8"])
@pytest.mark.parametrize("kind", ["<f4", "<f8"])
def test_ldexp_rounds_once(kind: str, exponents: str) -> None:
    ends = np.iinfo(exponents)
    most = min(ends.max, 3000)
    steps = np.array([0, 1, -1, 100, -126, most, -most, ends.min, ends.max], exponents)
    e, x = np.meshgrid(steps, np.array([1.0, -1.7, 1 + 2.0**-20, 3e-39, *SPECIAL], kind))
    e, x = e.reshape(-1), x.reshape(-1)
    with np.errstate(all="ignore"):
        wanted = np.ldexp(x, np.clip(e.astype("<i8"), -5000, 5000).astype("<i4"))
    np.testing.assert_array_equal(one(GlslStd450.Ldexp, x, e), wanted)


def test_ldexp_of_subnormal_results_rounds_once() -> None:
    x = f64(1 + 2.0**-52, 1.5 + 2.0**-30, 1.0)
    e = np.array([-1040, -1074, -1075], "<i4")
    np.testing.assert_array_equal(one(GlslStd450.Ldexp, x, e), np.ldexp(x, e))


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<f8"])
def test_modf_keeps_the_sign(kind: str) -> None:
    x = np.array([1.5, -1.5, -2.0, 0.25, INF, -INF], kind)
    rest, whole = apply(lambda b, values: PAIRS[GlslStd450.Modf](b, values[0]), [x], [kind, kind])
    assert rest.tolist() == [0.5, -0.5, 0, 0.25, 0, 0]
    assert whole.tolist() == [1, -1, -2, 0, INF, -INF]
    assert np.signbit(rest).tolist() == np.signbit(x).tolist()


def test_every_number_has_one_function() -> None:
    from unshade.programs.spirv.lower.glsl_table import VECTORS

    known = {*COMPONENTS, *PAIRS, *VECTORS}
    rest = {GlslStd450.Determinant, GlslStd450.MatrixInverse, GlslStd450.IMix}
    rest |= {
        GlslStd450.InterpolateAtCentroid,
        GlslStd450.InterpolateAtSample,
        GlslStd450.InterpolateAtOffset,
    }
    assert known | rest == set(range(1, 82))
    assert not known & rest
