"""Which fragments pass a depth test: those that would if they came one after the other."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UsageError
from unshade.run.raster import draw
from unshade.run.raster.depth import ORDERED, passing
from unshade.run.raster.states.depth_stencil import depth_stencil_state
from unshade.run.raster.states.words import Comparison

PASSES: dict[str | None, Callable[[float, float], bool]] = {
    None: lambda _new, _old: True, "always": lambda _new, _old: True,
    "never": lambda _new, _old: False, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge, "equal": operator.eq,
    "not_equal": operator.ne,
}  # fmt: skip


def one_by_one(
    function: str | None, depth: list[float], place: list[int], z: list[float], *, writes: bool
) -> dict[int, int]:
    """Return the fragment that each place shows in the end, and leave its depth in `depth`."""
    shown = {}
    for at, here in enumerate(place):
        if PASSES[function](z[at], depth[here]):
            shown[here] = at
            if writes:
                depth[here] = z[at]
    return shown


def test_each_place_shows_the_last_fragment_that_passes() -> None:
    """Four places, ten fragments each, of depths that are often equal."""
    assert set(PASSES) == {None, *Comparison}
    chance = np.random.default_rng(7)
    wrong = []
    for function, writes in ((each, flag) for each in PASSES for flag in (True, False)):
        for _ in range(6):
            depth = chance.integers(0, 4, 4) / 4
            place, z = chance.integers(0, 4, 40), chance.integers(0, 5, 40) / 4
            there = chance.random(40) < 0.8
            found = np.flatnonzero(passing(function, depth, place, z, there, writes))
            of = np.flatnonzero(there)
            after = depth.tolist()
            expected = one_by_one(
                function, after, place[of].tolist(), z[of].tolist(), writes=writes
            )
            if sorted(found) != sorted(of[at] for at in expected.values()):
                wrong.append((function, writes))
    assert wrong == []


def test_a_depth_that_is_no_number_passes_only_what_does_not_compare() -> None:
    nan, one = np.array([np.nan]), np.ones(1)
    place, shown = np.zeros(1, np.int64), np.ones(1, np.bool_)
    for function in PASSES:
        passes = function in (None, "always", "not_equal")
        for z, depth in ((nan, one), (one, nan)):
            assert passing(function, depth, place, z, shown, True).tolist() == [passes], function


def test_functions_go_by_the_names_of_direct3d_too() -> None:
    assert depth_stencil_state(None, None).function is None
    for name in Comparison:
        for given in (f"D3D11_COMPARISON_{name.upper()}", name.replace("_", " ").title()):
            assert depth_stencil_state(None, given).function == name
    assert {each for each in Comparison if each not in ORDERED} == {
        "never", "equal", "not_equal", "always",
    }  # fmt: skip
    with pytest.raises(UsageError, match="unknown depth function 'lesser'"):
        depth_stencil_state(None, "lesser")


@pytest.mark.parametrize(
    ("dtype", "state", "wanted"),
    [
        ("<f4", {"depth_clip_enable": False, "depth_clamp_enable": False}, [1.0, 0.0]),
        ("<f4", {"depthClampEnable": True}, [0.75, 0.25]),
        ("<f4", {"depth_clamp_enable": False, "depthRangeUnrestricted": True}, [2.0, -1.0]),
        ("<f4", {"depth_clamp_enable": True, "depthRangeUnrestricted": True}, [0.75, 0.25]),
        ("<u2", {"depth_clamp_enable": False, "depthRangeUnrestricted": True}, [0xFFFF, 0]),
    ],
)
def test_ranges_of_depths(dtype: str, state: dict[str, Any], wanted: list[float]) -> None:
    """Depths that a shader outputs, clamped to the viewport's, to 0 to 1, or not at all."""
    for number, depth in zip(("2.0", "-1.0"), wanted, strict=True):
        text = f"ps_5_0\ndcl_output oDepth\nmov oDepth, l({number})\nret"
        pixel = unshade.kernel(unshade.assemble(text))
        places = np.array([[-1, 3, 0.5, 1], [3, -1, 0.5, 1], [-1, -1, 0.5, 1]], "<f4")
        target = np.zeros((2, 2), dtype)
        draw(None, pixel, {"SV_Position": places}, None, (2, 2), depth=target,
             depth_function="always", rasterizer=state,
             viewports=(0, 0, 2, 2, 0.25, 0.75))  # fmt: skip
        assert target.tolist() == [[depth] * 2] * 2
