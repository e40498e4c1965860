"""Aliased lines: a line covers the pixels whose diamonds it leaves, from its start to its end.

    |x - centre| + |y - centre| < half a pixel; of its border the lower two edges with the corner
    between them, and for lines that are rather vertical the right corner

Where a line crosses the middle of a column (of a row, if it is rather vertical) it is in the
diamond of a pixel. A line therefore covers one pixel in each column that it crosses, and only its
ends need care: if it starts behind the middle but in the diamond, it also covers that pixel; if it
ends there, it does not.

Source: Direct3D 11.3 functional specification, section 3.4.3 (aliased line rasterization rules).
"""

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from .pixel_coverage import HALF, STEPS
from .stipple import LineLengths


@dataclass(slots=True)
class LineEnds:
    """The ends of lines: the share of its length by which each begins earlier, and its limits.

    `lengths` count the pixels of lines along their longer axis.
    """

    earlier: Array  # (n,)
    limits: Array  # (n, 4)
    lengths: LineLengths


def line_ends(ends: Array, limits: Array) -> LineEnds:
    """Return how lines from and to places in steps (n, 2 ends, 2) cover the pixels of their ends.

    `limits` are left, top, right and bottom of the area that each may cover.
    """
    along = ends[:, 1] - ends[:, 0]
    axis = np.where(np.abs(along[:, 0]) >= np.abs(along[:, 1]), 0, 1)
    row = np.arange(len(ends))
    length = along[row, axis]
    forward = length > 0
    starts_behind, start = _behind(ends[:, 0], axis, forward)
    ends_behind, end = _behind(ends[:, 1], axis, forward)
    moved = np.where(starts_behind, ends[row, 0, axis] - start, 0)
    found = limits.copy()
    for side, those in ((0, ends_behind & ~forward), (2, ends_behind & forward)):
        which = row[those]
        nearer = np.minimum if side else np.maximum
        at = which, axis[those] + side
        found[at] = nearer(found[at], end[those])
    lengths = _lengths(
        axis, forward, np.where(starts_behind, start, ends[row, 0, axis]),
        np.where(ends_behind, end, ends[row, 1, axis]),
    )  # fmt: skip
    return LineEnds(moved / np.where(length == 0, 1, length), found, lengths)


def _lengths(axis: Array, forward: Array, start: Array, stop: Array) -> LineLengths:
    """Return the pixels of lines whose middles lie between places along the longer axis."""
    first, last = (-(-(place - HALF) // STEPS) for place in (start, stop))
    row = np.arange(len(axis))
    begin, along = np.zeros((len(axis), 2)), np.zeros((len(axis), 2))
    begin[row, axis] = first * STEPS  # of a forward line the left, else the right border
    along[row, axis] = np.where(forward, 1, -1)
    return LineLengths(begin, along, np.abs(last - first).astype(np.float64))


def _behind(place: Array, axis: Array, forward: Array) -> tuple[Array, Array]:
    """Return which places are in a diamond, behind the middle of the pixel; and that middle.

    A middle is the least coordinate that the parallelogram of a forward line covers, and the least
    that the parallelogram of a backward line does not cover.
    """
    column = np.where(axis == 0, place[:, 0] // STEPS, -(-place[:, 0] // STEPS) - 1)
    pixel = np.stack([column, -(-place[:, 1] // STEPS) - 1], axis=1)
    centre = pixel * STEPS + HALF
    x, y = (place - centre).T
    size = np.abs(x) + np.abs(y)
    inside = (size < HALF) | ((size == HALF) & (y > 0))
    inside |= (axis == 1) & (x == HALF) & (y == 0)
    row = np.arange(len(place))
    far = (place - centre)[row, axis]
    behind = inside & np.where(forward, far > 0, far <= 0)
    return behind, centre[row, axis] + np.where(forward, 0, 1)
