"""Lines and points as pairs of triangles.

    point                 a square, as large as the vertex specifies
    line: rectangular     a rectangle, one pixel wide by default: strict lines of Vulkan
          quadrilateral   a rectangle of 1.4 pixels: Direct3D on targets of several samples
          aliased         a parallelogram, one pixel wide along the shorter axis; diamonds decide
                          its ends (diamonds.py): Direct3D, and bresenham in Vulkan
          smooth          all pixels that the rectangle touches (smooth_lines.py)

A wider aliased line repeats its pixels along the shorter axis, a whole number of times.

Source: Direct3D 11.3 functional specification, section 3.4 (rasterization rules); Vulkan
specification, Basic Line Segment Rasterization, and Bresenham Line Segment Rasterization.
"""

from typing import TYPE_CHECKING

import numpy as np

from ...vm.launch import Array
from .diamonds import line_ends
from .pixel_coverage import HALF, twice_area
from .smooth_lines import SMOOTH, SmoothLines
from .states.words import LineMode
from .stipple import LineLengths

if TYPE_CHECKING:
    from .screen_triangles import ScreenTriangles

OF_CORNERS = ("corners", "inverse", "z", "shares", "screen_shares")  # of a triangle
OF_TRIANGLES = (
    "is_front", "number", "vertices", "layer", "limits", "depths", "sprite", "stipple", "smooth",
)  # fmt: skip
# Corners of the two triangles that a line or a point becomes: the end, and the side of it.
LINE = np.array([[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]])
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]])


def widened(triangles: "ScreenTriangles", size: int) -> None:
    """Make two triangles of each primitive: lines if `size` is 2, points if it is 1."""
    if size == 1:
        half = np.rint(triangles.sprite[:, 2] * HALF).astype(np.int64)
        place = triangles.corners[:, :1] + SQUARE * half[:, np.newaxis, np.newaxis]
        corner = np.zeros(6, np.int64)
    else:
        place, corner = _of_lines(triangles)
    _make(triangles, place, corner)


def _of_lines(triangles: "ScreenTriangles") -> tuple[Array, Array]:
    """Return the corners of the triangles of each line, and the end that each has values of."""
    rasterizer = triangles.state.rasterizer
    aliased = rasterizer.line_mode == LineMode.ALIASED
    lengths = _begun_earlier(triangles) if aliased else None
    if rasterizer.line_stipple_enable:
        found = lengths or LineLengths.of_ends(triangles.corners[:, :2])
        triangles.stipple = found.rows(triangles.number, triangles.scene.strip_begins)
    if rasterizer.line_mode == LineMode.RECTANGULAR_SMOOTH:
        lines = SmoothLines.of_ends(triangles.corners[:, :2], rasterizer.wide)
        triangles.smooth = lines.rows
        return lines.touched(), SMOOTH
    along = triangles.corners[:, 1] - triangles.corners[:, 0]
    across = _along_axis(along, rasterizer.wide) if aliased else _across(along, rasterizer.wide)
    side = np.where(LINE[:, 1] == 0, -1, 1)
    ends = triangles.corners[:, :2][:, LINE[:, 0]]
    return ends + across[:, np.newaxis, :] * side[:, np.newaxis], LINE[:, 0]


def _make(triangles: "ScreenTriangles", place: Array, corner: Array) -> None:
    """Make triangles of each primitive, clockwise.

    Args:
        triangles: The primitives.
        place: The corners of the triangles of each in steps, (n, corners, 2).
        corner: Which corner of the primitive each of these has the values of, (corners,).
    """
    parts = len(corner) // 3
    count = len(place) * parts
    for name in OF_CORNERS:
        found = getattr(triangles, name)[:, corner]
        setattr(triangles, name, found.reshape(count, 3, *found.shape[2:]))
    for name in OF_TRIANGLES:
        setattr(triangles, name, np.repeat(getattr(triangles, name), parts, axis=0))
    triangles.corners = place.reshape(count, 3, 2)
    area = twice_area(triangles.corners)
    triangles.turn(np.flatnonzero(area != 0), area)


def _along_axis(along: Array, width: float) -> Array:
    """Return half the width of aliased lines (n, 2) in steps, along the shorter axis."""
    half = round(width * HALF)
    is_wide = np.abs(along[:, 0]) >= np.abs(along[:, 1])
    return np.where(is_wide[:, np.newaxis], [0, half], [half, 0])


def _across(along: Array, width: float) -> Array:
    """Return half the width of rectangles along lines (n, 2) in steps."""
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length == 0, 1, length)[:, np.newaxis]
    return np.rint(np.stack([-unit[:, 1], unit[:, 0]], axis=1) * (width * HALF)).astype(np.int64)


def _begun_earlier(triangles: "ScreenTriangles") -> LineLengths:
    """Begin lines at the middle of the pixel whose diamond they leave; stop in the last one."""
    found = line_ends(triangles.corners[:, :2], triangles.limits)
    triangles.limits = found.limits
    moved = np.flatnonzero(found.earlier)
    by = found.earlier[moved]

    def before(values: Array) -> Array:
        """Return the values, linear on the screen, before clipping."""
        first, second = values[moved, 0], values[moved, 1]
        made: Array = first + (first - second) * by.reshape(-1, *[1] * (first.ndim - 1))
        return made

    inverse = before(triangles.inverse)
    inverse[inverse == 0] = np.finfo(np.float32).tiny
    shares = before(triangles.shares * triangles.inverse[..., np.newaxis])
    triangles.corners[moved, 0] = np.rint(before(triangles.corners)).astype(np.int64)
    triangles.screen_shares[moved, 0] = before(triangles.screen_shares)
    triangles.shares[moved, 0] = shares / inverse[:, np.newaxis]
    triangles.z[moved, 0], triangles.inverse[moved, 0] = before(triangles.z), inverse
    return found.lengths
