"""Triangles on the screen as quads of pixels.

A pixel is covered if its centre is inside, or on a top or left edge: of two triangles that share an
edge just one covers it. Corners are rounded to 1/256 of a pixel first, and all is exact from there.

Source: Direct3D 11.3 functional specification, sections 3.4.2 (triangle rasterization rules) and
3.2.4 (fixed point).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...vm.launch import Array

STEPS = 256  # to a pixel
CHUNK = 1 << 19  # quads that are looked at together


@dataclass(slots=True)
class Quads:
    """Quads of pixels, four lanes each: which triangle, where, and the weights of its corners."""

    triangle: Array  # (q,)
    x: Array  # (q, 4)
    y: Array
    covered: Array
    weights: Array  # (q, 4, 3): linear on the screen

    def some(self, which: "Array | slice") -> "Quads":
        """Return some of the quads."""
        return Quads(
            self.triangle[which], self.x[which], self.y[which], self.covered[which],
            self.weights[which],
        )  # fmt: skip


def fixed(screen: Array) -> Array:
    """Convert places on the screen (…, 2) to steps."""
    found: Array = np.rint(screen * STEPS).astype(np.int64)
    return found


def twice_area(corners: Array) -> Array:
    """Return twice the area of triangles (t, 3, 2) in steps: positive for clockwise ones."""
    a, b, c = (corners[:, at] for at in range(3))
    found: Array = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (
        c[:, 0] - a[:, 0]
    )
    return found


def quads(corners: Array, width: int, height: int) -> Iterator[Quads]:
    """Yield all quads that clockwise triangles (t, 3, 2) touch, in the order of the triangles."""
    low = np.maximum(corners.min(axis=1) // STEPS, 0)
    high = np.minimum(corners.max(axis=1) // STEPS, [width - 1, height - 1])
    first = low // 2
    across = np.maximum(high // 2 - first + 1, 0)
    counts = across[:, 0] * across[:, 1]
    ends = np.cumsum(counts)
    start = 0
    while start < len(corners):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + CHUNK, side="right")))
        yield _chunk(corners, first, across, counts, slice(start, stop), (width, height))
        start = stop


def _chunk(
    corners: Array, first: Array, across: Array, counts: Array, which: slice, size: tuple[int, int]
) -> Quads:
    number = np.arange(which.start, which.stop)
    triangle = np.repeat(number, counts[which])
    begin = np.repeat(np.cumsum(counts[which]) - counts[which], counts[which])
    local = np.arange(len(triangle)) - begin
    wide = across[triangle, 0]
    lane = np.arange(4)
    x = (2 * (first[triangle, 0] + local % np.maximum(wide, 1)))[:, np.newaxis] + (lane & 1)
    y = (2 * (first[triangle, 1] + local // np.maximum(wide, 1)))[:, np.newaxis] + (lane >> 1)
    px, py = x * STEPS + STEPS // 2, y * STEPS + STEPS // 2
    covered = (x < size[0]) & (y < size[1])
    edges = []
    for at in range(3):  # the edge opposite of corner `at`
        a = corners[triangle, (at + 1) % 3]
        b = corners[triangle, (at + 2) % 3]
        dx, dy = b[:, :1] - a[:, :1], b[:, 1:] - a[:, 1:]
        edge = dx * (py - a[:, 1:]) - dy * (px - a[:, :1])
        top_or_left = (dy < 0) | ((dy == 0) & (dx > 0))
        covered &= edge >= np.where(top_or_left, 0, 1)
        edges.append(edge)
    some = covered.any(axis=1)
    kept = [edge[some] for edge in edges]
    total = kept[0] + kept[1] + kept[2]
    weights = np.stack(kept, axis=-1) / np.where(total == 0, 1, total)[..., np.newaxis]
    return Quads(triangle[some], x[some], y[some], covered[some], weights)
