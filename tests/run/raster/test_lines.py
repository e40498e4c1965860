"""Lines: the pixels whose diamonds they leave, and rectangles on request."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_interpolation import PIXEL, VERTEX
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import Picture, draw

SIZE = 8
Place = tuple[int, int]


def lines(ends: list[tuple[Place, Place]], **options: Any) -> Picture:
    """Draw lines between places in steps, the values at their ends 0 and 1."""
    places = np.array(ends, np.float64).reshape(-1, 2) / 256 / SIZE * 2 - 1
    count = len(places)
    given = np.stack([places[:, 0], -places[:, 1], np.full(count, 0.5), np.ones(count)], axis=1)
    inputs = {"v0": given.astype("<f4"), "v1": np.tile(np.array([0, 1], "<f4"), len(ends))}
    return draw(
        assembled(VERTEX), assembled(PIXEL), inputs, None, (SIZE, SIZE), topology="line_list",
        depth_function=None, **options,
    )  # fmt: skip


def is_inside(x: Fraction, y: Fraction, upright: bool) -> bool:
    """Whether a place, from the centre of a pixel, is in its diamond."""
    size = abs(x) + abs(y)
    return size < 128 or (size == 128 and (y > 0 or (upright and x > 0 and y == 0)))


def leaves(first: Place, last: Place, x: int, y: int) -> bool:
    """Whether a line leaves the diamond of a pixel, by trying where it may enter or leave it."""
    (ax, ay), (bx, by) = ((px - 256 * x - 128, py - 256 * y - 128) for px, py in (first, last))
    upright = abs(by - ay) > abs(bx - ax)
    if is_inside(Fraction(bx), Fraction(by), upright):
        return False
    found = {Fraction(0), Fraction(1)}
    for sx, sy in itertools.product((1, -1), repeat=2):
        change = sx * (bx - ax) + sy * (by - ay)
        if change:
            found.add(Fraction(128 - sx * ax - sy * ay, change))
    shares = sorted(each for each in found if 0 <= each <= 1)
    shares += [(a + b) / 2 for a, b in itertools.pairwise(shares)]
    return any(is_inside(ax + (bx - ax) * t, ay + (by - ay) * t, upright) for t in shares)


@pytest.mark.slow
@pytest.mark.parametrize("far", [100, 600, 2000])
def test_a_line_covers_the_pixels_whose_diamonds_it_leaves(far: int) -> None:
    """Source: Direct3D 11.3 functional specification, section 3.4.3."""
    chance = np.random.default_rng(far)
    for _ in range(40):
        first = chance.integers(0, SIZE * 256, 2)
        if chance.random() < 0.3:
            first = first // 64 * 64  # on centres, corners and borders of diamonds
        last = np.clip(first + chance.integers(-far, far + 1, 2), 0, SIZE * 256 - 1)
        if chance.random() < 0.3:
            last = last // 64 * 64
        ends = (int(first[0]), int(first[1])), (int(last[0]), int(last[1]))
        found = lines([ends]).covered
        expected = [[leaves(*ends, x, y) for x in range(SIZE)] for y in range(SIZE)]
        assert found.tolist() == expected, ends


def test_a_strip_of_lines_covers_each_pixel_once() -> None:
    """The pixel in which one line ends is that in which the next one begins."""
    places = [(400, 380), (900, 400), (1420, 390), (1660, 1150), (900, 1660), (380, 900)]
    counts = sum(lines([pair]).covered.astype(int) for pair in itertools.pairwise(places))
    assert np.max(counts) == 1


def test_values_of_a_line_that_begins_behind_the_middle_of_a_pixel() -> None:
    found = lines([((192, 128), (1216, 128))])  # from 0.75 to 4.75 pixels
    assert found.covered[0].tolist() == [True] * 4 + [False] * 4
    values = found.targets["SV_Target"][0, :4, 0]
    assert values.tolist() == pytest.approx([-0.0625, 0.1875, 0.4375, 0.6875])


@pytest.mark.parametrize("samples", [2, 4, 8])
def test_aliased_lines_cover_all_samples_of_their_pixels(samples: int) -> None:
    """As without several samples; so do the edges of polygons."""
    ends = [((80, 1210), (1900, 333))]
    one = lines(ends, lines="aliased").covered
    several = lines(ends, lines="aliased", samples=samples).covered
    assert one.sum() == 7
    assert np.array_equal(several, np.repeat(one[..., np.newaxis], samples, axis=-1))


def test_lines_are_rectangles_on_request() -> None:
    ends = [((384, 384), (1408, 1408))]
    assert lines(ends).covered.sum() == 4
    assert lines(ends, lines="rectangular", samples=4).covered.sum() == 24
    assert lines(ends, samples=4).covered.sum() > 24
    with pytest.raises(UsageError, match="unknown line mode 'thin'; known: aliased, rectangular"):
        lines(ends, lines="thin")
