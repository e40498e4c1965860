"""Conversion of arguments to the expected type, and the errors of what does not fit."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures.ramp import ramp
from tests.run.examples import kernel
from unshade import ResultError, UsageError
from unshade.run import Sampler
from unshade.run.binding.numbers import converted
from unshade.run.kernels import Kernel

X = np.arange(64, dtype=np.float32)


def pixels() -> Kernel:
    return unshade.kernel(unshade.loads(ramp()), engine="lockstep")


def saxpy(**given: Any) -> Any:
    """2 * X + 1, or what the arguments make of it."""
    given = {"X": X, "Y": np.ones(64, np.float32), **given}
    if "P" not in given:
        given.setdefault("a", 2.0)
    return kernel("saxpy.dxbc").dispatch(1, **given)["Y"]


@pytest.mark.parametrize(
    "constants",
    [
        [2.0, 0, 0],
        (2, 0),
        np.array([2.0, 0, 0, 0]),
        np.array([2, 0, 0, 0]),
        np.array([2, 0], np.int32),
        np.array([2, 0], np.float16),
        np.array([[2, 0], [0, 0]], np.float32),
        np.array((2, 0), [("a", "<f8"), ("n", "<i8")]),
        np.array([2, 0], np.float32).view(np.uint8),
        np.array([2, 0], np.float32).view(np.uint32),
    ],
)
def test_numbers_for_constants_take_the_type_of_their_variable(constants: Any) -> None:
    assert saxpy(P=constants)[:3].tolist() == [1, 3, 5]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.float32])
def test_words_are_known_by_the_bits_of_another_type(dtype: type) -> None:
    mandel = kernel("mandel.dxbc")
    words = np.array([-2, -1.5, 0.5, 0.25, 0], np.float32)
    words.view(np.uint32)[4] = 8  # as a float a subnormal number
    numbers = [-2, -1.5, 0.5, 0.25, 8]
    wanted = mandel.dispatch(1, P=numbers, u0=np.zeros(64, np.uint32))["u0"]
    found = mandel.dispatch(1, P=words.view(dtype), u0=np.zeros(64, np.uint32))["u0"]
    assert found.tolist() == wanted.tolist()
    assert wanted.any()


def test_an_axis_of_one_keeps_its_shape() -> None:
    y = np.ones((64, 1), np.float32)
    assert saxpy(Y=y) is y
    assert y[:3, 0].tolist() == [1, 3, 5]


def test_numbers_take_the_type_at_their_offset() -> None:
    mandel = kernel("mandel.dxbc")
    x0, y0, dx, dy, width = (0.0, 0.0, 0.0, 0.0, 8)
    out = {"u0": np.zeros(64, np.uint32)}
    names = {"_21_x0": x0, "_21_y0": y0, "_21_dx": dx, "_21_dy": dy, "_21_w": width}
    wanted = mandel.dispatch(1, P=names, **out)["u0"].copy()
    assert wanted.any()
    found = mandel.dispatch(1, P=[x0, y0, dx, dy, width], u0=np.zeros(64, np.uint32))["u0"]
    assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"P": 5}, r"P \(cb0\): expected at least 2 numbers, got 1; it takes a dict"),
        ({"P": [2, 0.5]}, r"P \(cb0\).n: expected integers, got 0.5"),
        ({"P": np.zeros(32, np.float32)}, "expected at most 4 numbers, got 32"),
        ({"P": np.array([2, 0], np.uint32)}, r"P \(cb0\).a: expected float32, got uint32"),
        ({"P": {"a": 1e39}}, r"P \(cb0\).a: 1e\+39 does not fit in a float32"),
        ({"a": 1e39}, r"P \(cb0\).a: 1e\+39 does not fit in a float32"),
        ({"P": np.array(2, [("q", "<i4")])}, "has no variable 'q'"),
        ({"X": [1, None]}, r"X \(t0\): expected \(n,\) float32, got \[1, None\]"),
        ({"X": 3.0}, r"X \(t0\): expected \(n,\) float32, got 3.0"),
        ({"X": ["1"]}, r"X \(t0\): expected \(n,\) float32, got"),
        ({"X": [1e39]}, r"1e\+39 does not fit in a float32"),
        ({"X": np.ones((64, 4), np.float32)}, r"\(64, 4\) float32; use array.reshape\(-1\)"),
        ({"X": np.zeros(64, [("q", "<i4")])}, r"use the dtype of kernel.dtype\('X'\)"),
    ],
)  # fmt: skip
def test_unsuitable_values_are_refused_by_binding(given: dict[str, Any], words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UsageError, match=words):
            saxpy(**given)


class Awkward:
    """An object whose conversion fails in a way of its own."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("not today")


CALLS: list[Callable[[], object]] = [
    lambda: kernel("saxpy.dxbc").dispatch(1.5, a=1, X=X, Y=X),  # type: ignore[arg-type]
    lambda: kernel("saxpy.dxbc").dispatch(None, a=1, X=X, Y=X),  # type: ignore[arg-type]
    lambda: kernel("saxpy.dxbc").dispatch("1", a=1, X=X, Y=X),  # type: ignore[arg-type]
    lambda: saxpy(X=Awkward()),
    lambda: saxpy(P=Awkward()),
    lambda: kernel("skinning.dxbc").transform({"TEXCOORD0": [[1, 2], [3]]}),
    lambda: kernel("skinning.dxbc").transform(None),  # type: ignore[arg-type]
    lambda: kernel("skinning.dxbc").transform([1, 2]),  # type: ignore[arg-type]
    lambda: pixels().shade((4.5, 4)),
    lambda: pixels().shade(None),
    lambda: Sampler(None),  # type: ignore[arg-type]
    lambda: Sampler(3),  # type: ignore[arg-type]
    lambda: unshade.kernel("x.dxbc"),  # type: ignore[arg-type]
    lambda: unshade.kernel(b"DXBC"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("call", CALLS)
def test_only_own_exceptions_leave(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        call()


def test_a_program_that_cannot_be_run_is_not_asked_which_entry_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shader = unshade.open(REPOSITORY / "examples" / "reverse.shbin")
    monkeypatch.setattr(type(shader.programs[0]), "takes", None)
    with pytest.raises(unshade.UnsupportedError, match="shbin cannot be run yet"):
        unshade.kernel(shader)


@pytest.mark.parametrize(
    ("given", "to", "expected"),
    [
        (np.array([1.0, -2.0]), "<i4", [1, -2]),
        (np.array([2**32 - 1]), "<i4", [-1]),
        (np.array([-1]), "<u4", [2**32 - 1]),
        (np.array([2.0**63]), "<u8", [2**63]),
        (np.array([True]), "<f4", [1.0]),
        (np.array([np.inf]), "<f4", [np.inf]),
        (np.array([], object), "<f4", []),
    ],
)
def test_numbers_are_converted_where_they_fit(given: Any, to: str, expected: list[float]) -> None:
    assert converted(given, to, "it").tolist() == expected


@pytest.mark.parametrize(
    ("given", "to", "words"),
    [
        ([0.5], "<i4", "it: expected integers, got 0.5"),
        ([np.nan], "<i4", "it: expected integers, got nan"),
        ([2**32], "<u4", "it: 4294967296 does not fit in 32 bits"),
        ([-(2**31) - 1], "<u4", "it: -2147483649 does not fit in 32 bits"),
        ([1e300], "<f4", r"it: 1e\+300 does not fit in a float32"),
        (["a"], "<f4", "it: expected numbers"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(given: Any, to: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        converted(np.array(given), to, "it")


def test_results_are_found_by_semantic_in_any_case() -> None:
    found = pixels().shade((4, 2))
    for name in ("SV_Target", "SV_TARGET", "sv_target0", "SV_Target0"):
        assert found[name] is found["SV_Target"]
        assert name in found
    with pytest.raises(KeyError, match=r"^'u1' was not written; known: ") as raised:
        found["u1"]
    assert isinstance(raised.value, ResultError)
    assert raised.value.name == "u1"


@pytest.mark.slow
def test_run_and_raster_are_there_without_an_import_of_their_own() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(REPOSITORY / 'src')!r})\n"
        "import unshade; unshade.run.Texture; print(unshade.run.raster.draw.__name__)"
    )
    made = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert made.stdout == "draw\n", made.stderr
