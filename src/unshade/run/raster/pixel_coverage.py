"""Triangles on the screen as quads of pixels.

A sample is covered if it is inside, or on a top or left edge: of two triangles that share an edge
just one covers it. A pixel with one sample has it at the centre. Corners are rounded to 1/256 of a
pixel first, and all is exact from there.

In conservative rasterisation, a pixel is covered with all its samples if its square overlaps the
triangle; or, underestimated, if the square is inside the triangle. A triangle without area covers
the pixels that it goes through, whose upper and left borders are theirs.

Source: Direct3D 11.3 functional specification, sections 3.4.2 (triangle rasterization rules) and
3.2.4 (fixed point); Microsoft's specification Conservative Rasterization (tier 3); Vulkan
specification, VK_EXT_conservative_rasterization.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...vm.launch import Array
from .state_words import ConservativeMode

STEPS = 256  # to a pixel
HALF = STEPS // 2
CHUNK = 1 << 19  # quads that are looked at together


@dataclass(slots=True)
class Quads:
    """Quads of pixels, four lanes each: the triangle, the position, and the covered samples.

    `edges` are the distances of pixel centres from the edge opposite of each corner, times the
    length of the edge; `slopes` their change for a step along x and y.
    """

    triangle: Array  # (q,)
    x: Array  # (q, 4)
    y: Array
    covered: Array  # (q, 4, samples)
    edges: Array  # (q, 4, 3)
    slopes: Array  # (q, 3, 2)

    def some(self, which: "Array | slice") -> "Quads":
        """Return some of the quads."""
        return Quads(
            self.triangle[which], self.x[which], self.y[which], self.covered[which],
            self.edges[which], self.slopes[which],
        )  # fmt: skip

    def weights(self, offset: Array | None = None) -> Array:
        """Return the weights of the corners (q, 4, 3), linear on the screen.

        `offset` is the place in steps from the centre of the pixel, for all (2,) or each (q, 4, 2).
        """
        total = self.edges[:, 0].sum(axis=-1)  # twice the area, wherever it is
        edges = self.edges
        if offset is not None:
            where = np.broadcast_to(offset, (*self.x.shape, 2))
            edges = edges + np.einsum("qci,qli->qlc", self.slopes, where)
        found: Array = edges / np.where(total == 0, 1, total)[:, np.newaxis, np.newaxis]
        if not total.all():
            found[total == 0] = [1, 0, 0]  # a triangle without area: its first corner
        return found

    @property
    def inside(self) -> Array:
        """True if all of a pixel's area is inside its triangle, for each pixel, (q, 4)."""
        reach = np.abs(self.slopes).sum(axis=-1) * (STEPS // 2)  # from the centre to a corner
        found: Array = (self.edges >= reach[:, np.newaxis, :]).all(axis=-1)
        has_area = self.edges[:, 0].sum(axis=-1) != 0
        return np.asarray(found & has_area[:, np.newaxis])

    def weight_slopes(self, axis: int) -> Array:
        """Return the change of these weights (q, 3) for a step of a pixel along x or y."""
        total = self.edges[:, 0].sum(axis=-1)
        found: Array = (
            self.slopes[..., axis] * STEPS / np.where(total == 0, 1, total)[:, np.newaxis]
        )
        return found


def fixed(screen: Array) -> Array:
    """Convert places on the screen (…, 2) to steps."""
    found: Array = np.rint(screen * STEPS).astype(np.int64)
    return found


def twice_area(corners: Array) -> Array:
    """Return twice the area of triangles (t, 3, 2) in steps: positive for clockwise triangles."""
    a, b, c = (corners[:, at] for at in range(3))
    found: Array = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (
        c[:, 0] - a[:, 0]
    )
    return found


def quads(
    corners: Array,
    limits: Array,
    offsets: Array,
    *,
    paired: bool = False,
    conservative: ConservativeMode = ConservativeMode.OFF,
) -> Iterator[Quads]:
    """Yield all quads that clockwise triangles touch, in the order of the triangles.

    Args:
        corners: Their corners in steps, (t, 3, 2).
        limits: Left, top, right and bottom of the area that each may cover in steps, (t, 4).
        offsets: The samples of a pixel in steps from its centre, (s, 2).
        paired: Whether each pair of triangles forms a parallelogram, where quads that both cover
            are merged.
        conservative: Which pixels triangles cover, instead of samples.
    """
    low = np.maximum(corners.min(axis=1), limits[:, :2]) // STEPS
    high = np.minimum(corners.max(axis=1), limits[:, 2:] - 1) // STEPS
    first = low // 2
    across = np.maximum(high // 2 - first + 1, 0)
    counts = across[:, 0] * across[:, 1]
    ends = np.cumsum(counts)
    start = 0
    while start < len(corners):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + CHUNK, side="right")))
        stop = min(stop + stop % 2, len(corners)) if paired else stop
        places = first, across, counts, slice(start, stop)
        made = _chunk(corners, limits, offsets, places, conservative)
        yield _joined(made) if paired else made
        start = stop


def _chunk(
    corners: Array,
    limits: Array,
    offsets: Array,
    places: tuple[Array, Array, Array, slice],
    conservative: ConservativeMode,
) -> Quads:
    first, across, counts, which = places
    number = np.arange(which.start, which.stop)
    triangle = np.repeat(number, counts[which])
    begin = np.repeat(np.cumsum(counts[which]) - counts[which], counts[which])
    local = np.arange(len(triangle)) - begin
    wide = across[triangle, 0]
    lane = np.arange(4)
    x = (2 * (first[triangle, 0] + local % np.maximum(wide, 1)))[:, np.newaxis] + (lane & 1)
    y = (2 * (first[triangle, 1] + local // np.maximum(wide, 1)))[:, np.newaxis] + (lane >> 1)
    px, py = x * STEPS + STEPS // 2, y * STEPS + STEPS // 2
    limit = limits[triangle][:, np.newaxis, :]
    sx, sy = px[..., np.newaxis] + offsets[:, 0], py[..., np.newaxis] + offsets[:, 1]
    covered = (sx >= limit[..., 0:1]) & (sx < limit[..., 2:3])
    covered &= (sy >= limit[..., 1:2]) & (sy < limit[..., 3:4])
    samples = conservative == ConservativeMode.OFF
    edges, slopes = [], []
    for at in range(3):  # the edge opposite of corner `at`
        a = corners[triangle, (at + 1) % 3]
        b = corners[triangle, (at + 2) % 3]
        dx, dy = b[:, :1] - a[:, :1], b[:, 1:] - a[:, 1:]
        edge = dx * (py - a[:, 1:]) - dy * (px - a[:, :1])
        if samples:
            least = np.where(
                (dy < 0) | ((dy == 0) & (dx > 0)), 0, 1
            )  # top or left: on it is inside
            moved = dx * offsets[:, 1] - dy * offsets[:, 0]
            covered &= edge[..., np.newaxis] + moved[:, np.newaxis, :] >= least[..., np.newaxis]
        edges.append(edge)
        slopes.append(np.concatenate([-dy, dx], axis=1))
    if not samples:
        whole = Quads(triangle, x, y, covered, np.stack(edges, axis=-1), np.stack(slopes, axis=1))
        pixels = whole.inside if conservative == ConservativeMode.UNDERESTIMATE else _touched(
            whole, corners[triangle]
        )  # fmt: skip
        inside = (px + HALF > limit[..., 0]) & (px - HALF < limit[..., 2])
        inside &= (py + HALF > limit[..., 1]) & (py - HALF < limit[..., 3])
        covered[:] = (pixels & inside)[..., np.newaxis]
        return whole.some(np.asarray(covered.any(axis=(1, 2))))
    some = covered.any(axis=(1, 2))
    return Quads(
        triangle[some], x[some], y[some], covered[some],
        np.stack([edge[some] for edge in edges], axis=-1),
        np.stack([slope[some] for slope in slopes], axis=1),
    )  # fmt: skip


def _touched(quad: Quads, corners: Array) -> Array:
    """Return which pixels (q, 4) overlap the triangles with these corners, (q, 3, 2).

    Two convex shapes overlap unless an axis along a side of one of them separates them.
    """
    has_area = quad.edges[:, 0].sum(axis=-1)[:, np.newaxis] != 0
    reach = np.abs(quad.slopes).sum(axis=-1)[:, np.newaxis, :] * HALF
    overlaps = (quad.edges + reach > 0).all(axis=-1)
    # Without area, a line: it may also go through the upper left corner, which is the pixel's.
    dx, dy = quad.slopes[..., 1][:, np.newaxis], -quad.slopes[..., 0][:, np.newaxis]
    above = (quad.edges + reach > 0) | ((quad.edges + reach == 0) & (dx <= 0) & (dy >= 0))
    below = (quad.edges - reach < 0) | ((quad.edges - reach == 0) & (dx >= 0) & (dy <= 0))
    found: Array = np.where(has_area, overlaps, (above & below).all(axis=-1))
    low, high = corners.min(axis=1), corners.max(axis=1)
    for axis, place in enumerate((quad.x, quad.y)):
        first = place * STEPS
        far, near = high[:, axis, np.newaxis], low[:, axis, np.newaxis]
        found &= (near < first + STEPS) & np.where(has_area, far > first, far >= first)
    return found


def _joined(quad: Quads) -> Quads:
    """Merge the quads of paired triangles, combining samples where both cover a quad."""
    if not len(quad.triangle):
        return quad
    keys = np.stack([quad.triangle // 2, quad.y[:, 0], quad.x[:, 0]])
    order = np.lexsort((quad.triangle, *keys[::-1]))
    again = np.concatenate([[False], np.all(keys[:, order][:, 1:] == keys[:, order][:, :-1], 0)])
    second = order[again]
    quad.covered[order[np.flatnonzero(again) - 1]] |= quad.covered[second]
    kept = np.ones(len(quad.triangle), np.bool_)
    kept[second] = False
    return quad.some(kept)
