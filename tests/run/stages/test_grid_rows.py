"""Grids of pixels that do not see each other: lanes in rows, any size, the same places."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import unshade
from unshade.run.execution import Execution
from unshade.run.stages import grid_rows
from unshade.run.stages.grid import _grid_of as grid_of
from unshade.run.stages.grid_rows import RowOrder
from unshade.vm.prepared import traits_of

PLACE = "half4 main(float2 p) { return half4(half2(p), 0, 1); }"
FILTER = "half4 main(half4 color) { return color.abgr; }"


def kernel(text: str, kind: str = "runtime_shader") -> unshade.run.kernels.Kernel:
    return unshade.kernel(unshade.assemble(text, "sksl", kind=kind), engine="lockstep")


def test_lanes_are_in_rows() -> None:
    order = RowOrder(5, 2, 4)
    assert order.count == 10
    assert order.lane((3, 3)) == 8
    assert order.thread(8) == (3, 3)
    assert order.lane((3, 4)) is None
    assert order.lane((5, 3)) is None
    assert order.lanes((0, 2)).tolist() == [0]


def test_a_grid_in_several_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_rows, "BAND", 10)
    found, seen = kernel(PLACE), []
    found.progress = lambda done, total: seen.append((done, total))
    colours = found.shade((5, 3))["main"]
    y, x = np.mgrid[0:3, 0:5]
    assert np.array_equal(colours[..., :2], np.stack([x + 0.5, y + 0.5], -1))
    assert seen == [(10, 15), (15, 15)]


def test_arrays_of_inputs_are_taken_row_by_row() -> None:
    colours = np.random.default_rng(1).random((3, 5, 4), "f4")
    found = kernel(FILTER, "runtime_color_filter").shade((5, 3), {"color": colours})
    assert np.array_equal(found["main"], colours[..., ::-1])
    assert found["covered"].shape == (3, 5)


def test_pixels_that_see_each_other_are_in_quads() -> None:
    plain = kernel(PLACE).lowered.kernel
    slope = kernel("#version 300\nhalf4 main(float2 p) { return half4(dFdx(p.x)); }")
    assert traits_of(plain).independent
    assert not traits_of(slope.lowered.kernel).independent
    assert (slope.shade((3, 3))["main"] == 1).all()


def test_a_pixel_is_traced() -> None:
    debugger = kernel(PLACE).debug((4, 2))
    debugger.shade((5, 3))
    reads = [each.as_float for entry in debugger.trace.entries for each in entry.reads]
    assert reads[:2] == [4.5, 2.5]


@pytest.mark.fast
@pytest.mark.parametrize(
    ("mask", "covered"),
    [
        (None, [[1, 1, 1, 1], [1, 1, 1, 1]]),
        ([[0b0110, 0b11001]], [[0, 1, 1, 0], [1, 0, 0, 1]]),  # SV_Coverage
        ([[True, False]], [[1, 1, 1, 1], [0, 0, 0, 0]]),
        ([[[1], [0]]], [[1, 1, 1, 1], [0, 0, 0, 0]]),
        ([[[0, 2, 0, 0], [1, 1, 0, 1]]], [[0, 1, 0, 0], [1, 1, 0, 1]]),
    ],
)
def test_samples_that_a_mask_covers(mask: object, covered: list[list[int]]) -> None:
    """Bits of samples for each pixel, or a truth value for each pixel or sample."""
    execution = cast(Execution, SimpleNamespace(samples=4))
    found = grid_of(execution, (2, 1), (3, 5), None if mask is None else np.array(mask))
    assert (found.width, found.height, found.x, found.y) == (2, 1, 3, 5)
    assert found.covered.tolist() == [[[bool(each) for each in pixel] for pixel in covered]]
    assert found.whole == (mask is None)
    with pytest.raises(unshade.UsageError, match=r"mask: expected an array \(1, 2\) of bits"):
        grid_of(execution, (2, 1), None, np.ones((2, 2)))
