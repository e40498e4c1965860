"""Stippled lines, by the section Line Stipple of the Vulkan specification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_interpolation import PIXEL, VERTEX
from tests.run.stages.test_primitives import assembled
from unshade.errors import UsageError
from unshade.run.raster import RasterizerState, draw

SIZE = 16
STIPPLE = {
    "stippledLineEnable": True, "lineStippleFactor": 2, "lineStipplePattern": 0b0101_0101_0101_0101,
}  # fmt: skip
MODES = ("bresenham", "rectangular")


def rows(
    places: Sequence[tuple[float, float]], indices: Any = None, size: int = SIZE, **options: Any
) -> list[str]:
    """Draw lines between places in pixels; return the rows of covered pixels."""
    x, y = np.array(places, np.float64).T / size * 2 - 1
    given = np.stack([x, -y, np.full(len(x), 0.5), np.ones(len(x))], axis=1)
    inputs = {"v0": given.astype("<f4"), "v1": np.zeros(len(x), "<f4")}
    picture = draw(assembled(VERTEX), assembled(PIXEL), inputs, indices, (size, size), **options)
    covered = picture.covered if picture.covered.ndim == 2 else picture.covered[..., 0]
    return ["".join(".#"[each] for each in row) for row in covered.tolist()]


@pytest.mark.parametrize("mode", MODES)
def test_each_bit_lasts_as_long_as_the_factor(mode: str) -> None:
    """Both ways along a row, from the start of each line of a list."""
    state = STIPPLE | {"lineRasterizationMode": mode}
    ends = [(0, 2.5), (16, 2.5), (16, 4.5), (1, 4.5)]
    found = rows(ends, topology="line_list", rasterizer=state)
    assert found[2] == "##..##..##..##.."
    assert found[4] == "..##..##..##..##"


@pytest.mark.parametrize("mode", MODES)
def test_the_counter_goes_on_in_a_strip(mode: str) -> None:
    """13 pixels to the right, 8 down, 12 to the left; the corners are counted once each."""
    state = STIPPLE | {"lineRasterizationMode": mode}
    ends = [(0, 2.5), (13, 2.5), (13, 10.5), (1, 10.5)]
    found = rows(ends, topology="line_strip", rasterizer=state)
    assert found[2] == "##..##..##..#..."
    assert [row[12] for row in found[3:10]] == list("..##..#")
    assert found[10] == ".#..##..##..#..."
    alone = rows(ends, [[0, 1], [1, 2], [2, 3]], topology="line_list", rasterizer=state)
    assert alone[10] == "...##..##..##..."


def test_a_strip_that_begins_anew_counts_from_0() -> None:
    """The place where the first strip stops is where the second begins."""
    ends = [(0, 2.5), (5, 2.5), (16, 2.5)]
    state = STIPPLE | {"lineRasterizationMode": "bresenham"}
    whole, cut = (
        rows(ends, np.array(each, np.uint32), topology="line_strip", rasterizer=state)[2]
        for each in ([0, 1, 2], [0, 1, 0xFFFF_FFFF, 1, 2])
    )
    assert whole == "##..##..##..##.."
    assert cut == "##..#" + "##..##..##."


def test_unit_lengths_of_a_slope() -> None:
    """A diagonal of 22.6 pixels: Bresenham counts 16 pixels, the rectangle its lengths."""
    ends = [(0, 0), (16, 16)]
    state = STIPPLE | {"lineStippleFactor": 1}
    found = {
        mode: "".join(
            row[at] for at, row in enumerate(rows(
                ends, topology="line_list", rasterizer=state | {"lineRasterizationMode": mode}
            ))
        )
        for mode in MODES
    }  # fmt: skip
    assert found["bresenham"] == "#." * 8
    lengths = [int((at + 0.5) * 2**0.5) for at in range(SIZE)]
    assert found["rectangular"] == "".join(".#"[length % 2 == 0] for length in lengths)


def test_samples_have_their_own_lengths() -> None:
    """A gap of one pixel's length at half a pixel: some of its samples are drawn."""
    x = np.array([0.5, 8.5]) / 4 - 1
    given = np.stack([x, np.full(2, 0.4), np.full(2, 0.5), np.ones(2)], axis=1).astype("<f4")
    state = {"lineRasterizationMode": "rectangular", "stippledLineEnable": True,
             "lineStipplePattern": 0x5555}  # fmt: skip
    picture = draw(
        assembled(VERTEX), assembled(PIXEL), {"v0": given, "v1": np.zeros(2, "<f4")}, None, (8, 8),
        topology="line_list", samples=4, rasterizer=state,
    )  # fmt: skip
    row = picture.covered[2]
    assert row[2].any()
    assert not row[2].all()


def test_edges_of_wireframes_count_each_from_0() -> None:
    triangle = [(0, 0.5), (16, 0.5), (0.5, 16)]
    state = STIPPLE | {"polygonMode": "line", "lineRasterizationMode": "bresenham"}
    found = rows(triangle, topology="triangle_list", rasterizer=state)
    assert found[0].startswith("##..##..##..##")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("line_stipple_factor", 0, "line_stipple_factor: expected 1 to 256, got 0"),
        ("line_stipple_factor", 1.5, "line_stipple_factor: expected 1 to 256, got 1.5"),
        ("line_stipple_pattern", 0x10000, "line_stipple_pattern: expected 0 to 65535, got 65536"),
        ("line_stipple_enable", "on", "line_stipple_enable: expected True or False, got 'on'"),
    ],
)
def test_values_that_do_not_fit(field: str, value: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        RasterizerState(**{field: value})
