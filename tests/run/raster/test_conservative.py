"""Conservative rasterisation: all pixels that a triangle touches, or those inside it as a whole."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import drawn, red
from tests.run.stages.test_primitives import assembled
from unshade.run.raster import Picture, PixelHistory, Rejection, draw
from unshade.vm.launch import Array

SIZE = 8
Place = tuple[int, int]
INNER = """\
ps_5_0
dcl_input vInnerCoverage
dcl_output o0.x
utof o0.x, vInnerCoverage.x
ret
"""


def filled(corners: list[Place], mode: str, **more: Any) -> Picture:
    """Draw triangles between places in steps, 256 to a pixel."""
    state = {"conservative_raster": mode}
    position = clip(corners)
    found = {"SV_Position": position}
    return draw(
        None, None, found, None, (SIZE, SIZE), rasterizer=state, depth_function=None, **more
    )


def clip(corners: list[Place]) -> Array:
    places = np.array(corners, np.float64) / 256 / SIZE * 2 - 1
    count = len(places)
    made = np.stack([places[:, 0], -places[:, 1], np.full(count, 0.5), np.ones(count)], axis=1)
    return made.astype("<f4")


def cut(polygon: list[tuple[Fraction, Fraction]], a: Place, b: Place) -> list[Any]:
    """Return the part of a polygon that is to the right of a line, as y points down."""

    def side(place: Any) -> Any:
        return (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0])

    kept: list[Any] = []
    for first, second in pairwise([*polygon, *polygon[:1]]):
        far, near = side(first), side(second)
        if far >= 0:
            kept.append(first)
        if (far > 0) != (near > 0) and far * near < 0:
            share = Fraction(far, far - near)
            kept.append(tuple(p + (q - p) * share for p, q in zip(first, second, strict=True)))
    return kept


def area(polygon: list[Any]) -> Fraction:
    ends = pairwise([*polygon, *polygon[:1]])
    return sum((a[0] * b[1] - b[0] * a[1] for a, b in ends), Fraction(0))


def shared(corners: list[Place], x: int, y: int) -> Fraction:
    """Return twice the area that a clockwise triangle has of a pixel, exactly."""
    square = [(256 * (x + i), 256 * (y + j)) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    polygon: list[Any] = [(Fraction(a), Fraction(b)) for a, b in square]
    for a, b in pairwise([*corners, *corners[:1]]):
        polygon = cut(polygon, a, b) if polygon else []
    return area(polygon) if polygon else Fraction(0)


def clockwise(chance: np.random.Generator) -> list[Place]:
    while True:
        places = chance.integers(0, SIZE * 256, (3, 2))
        if chance.random() < 0.5:
            places = places // 256 * 256  # on the borders of pixels
        corners = [(int(x), int(y)) for x, y in places]
        twice = area(corners)
        if twice:
            return corners if twice > 0 else corners[::-1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_pixels_that_a_triangle_shares_and_those_that_it_fills(seed: int) -> None:
    """Microsoft's Conservative Rasterization: any coverage; inner coverage: the whole pixel."""
    chance = np.random.default_rng(seed)
    for _ in range(12):
        corners = clockwise(chance)
        parts = np.array([[shared(corners, x, y) for x in range(SIZE)] for y in range(SIZE)])
        assert np.array_equal(filled(corners, "on").covered, parts > 0), corners
        assert np.array_equal(filled(corners, "underestimate").covered, parts == 2 * 256**2), (
            corners
        )


def test_all_samples_of_a_touched_pixel_are_covered() -> None:
    mode = "VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT"
    state: dict[str, Any] = {"rasterizer": {"conservativeRasterizationMode": mode}}
    found = drawn(clip([(10, 10), (40, 10), (10, 40)]), 1.0, SIZE, samples=4, **state)
    assert found.covered[0, 0].all()
    assert found.covered.sum() == 4


@pytest.mark.parametrize(
    ("corners", "pixels"),
    [
        ([(300, 300)] * 3, {(1, 1)}),  # a point
        ([(512, 512)] * 3, {(2, 2)}),  # the corner of four pixels is that of the lower right one
        ([(256, 512), (700, 512), (300, 512)], {(1, 2), (2, 2)}),  # along a border
        ([(100, 100), (700, 700), (300, 300)], {(0, 0), (1, 1), (2, 2)}),  # through corners
        ([(100, 412), (412, 100), (256, 256)], {(0, 1), (1, 1), (1, 0)}),
    ],
)
def test_a_triangle_without_area_covers_the_pixels_that_it_goes_through(
    corners: list[Place], pixels: set[Place]
) -> None:
    """Tiers 2 and 3: degenerate triangles are not left out, and cover at least one pixel."""
    rows, columns = np.nonzero(filled(corners, "on").covered)
    assert {*zip(columns.tolist(), rows.tolist(), strict=True)} == pixels
    assert not filled(corners, "on", cull="back").covered.any()
    assert not filled(corners, "underestimate").covered.any()
    assert not filled(corners, "off").covered.any()


def test_values_of_a_triangle_without_area_are_those_of_its_first_vertex() -> None:
    corners = clip([(300, 300)] * 3)
    values = np.array([[3.0] * 4, [5.0] * 4, [7.0] * 4])
    more: dict[str, Any] = {"rasterizer": {"ConservativeRaster": True}}
    assert red(drawn(corners, values, SIZE, **more))[1][1] == 3.0


def test_a_scissor_in_a_conservative_draw() -> None:
    found = filled([(0, 0), (2048, 0), (0, 2048)], "on", scissors=(1, 2, 3, 4)).covered
    rows, columns = np.nonzero(found)
    assert {*rows} == {2, 3}
    assert {*columns} == {1, 2}


def test_lines_and_points_are_drawn_as_ever() -> None:
    corners = [(300, 300), (1500, 700)]
    for topology in ("line_list", "point_list"):
        on, off = (filled(corners, mode, topology=topology).covered for mode in ("on", "off"))
        assert np.array_equal(on, off)


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_a_pixel_shader_knows_which_pixels_are_inside(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    corners = [(0, 0), (2048, 0), (0, 2048)]
    on: dict[str, Any] = {"rasterizer": {"conservative_raster": "on"}}
    found = draw(
        None, assembled(INNER, engine), {"SV_Position": clip(corners)}, None, (SIZE, SIZE), **on
    )
    inner = filled(corners, "underestimate").covered
    assert np.array_equal(found.targets["SV_Target"] > 0, inner)
    assert found.covered.sum() == 36
    assert inner.sum() == 28


def test_a_culled_triangle_without_area_is_in_the_history() -> None:
    history = PixelHistory(1, 1)
    filled([(300, 300)] * 3, "on", cull="back", history=history)
    assert [each.reason for each in history.fragments] == [Rejection.FACE]
