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

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from .states.words import ConservativeMode

BITS = 8
STEPS = 1 << BITS  # to a pixel
HALF = STEPS // 2
LANES = np.array([[0, 0], [STEPS, 0], [0, STEPS], [STEPS, STEPS]])  # from the first of a quad
CHUNK = 1 << 17  # quads that are looked at together: their numbers fit into caches


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
    chunks = chunks_of(corners, limits, paired=paired)
    for start, stop, _ in chunks:
        places = chunks.first, chunks.across, chunks.counts, slice(start, stop)
        made = _chunk(corners, limits, offsets, places, conservative)
        yield _joined(made) if paired else made


class Chunks:
    """Triangles that are looked at together: their numbers from the first on, and of their quads.

    `first` is the first quad around each triangle, in quads; `across` how many there are along both
    axes, `counts` all of them.
    """

    def __init__(self, first: Array, across: Array, counts: Array, *, paired: bool = False) -> None:
        self.first = first
        self.across = across
        self.counts = counts
        self._paired = paired

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield the first and the last triangle, which is not in it, and the number of quads."""
        ends, count = np.cumsum(self.counts), len(self.counts)
        start = done = 0
        while start < count:
            stop = max(start + 1, int(np.searchsorted(ends, done + CHUNK, side="right")))
            stop = min(stop + stop % 2, count) if self._paired else stop
            end = int(ends[stop - 1])
            yield start, stop, end - done
            start, done = stop, end


def chunks_of(corners: Array, limits: Array, *, paired: bool = False) -> Chunks:
    """Return the chunks of triangles with these corners and limits."""
    first, across = (np.empty((len(corners), 2), np.int64) for _ in range(2))
    for axis in (0, 1):  # columns of their own take less time
        a, b, c = (corners[:, at, axis] for at in range(3))
        low = np.maximum(np.minimum(np.minimum(a, b), c), limits[:, axis]) >> BITS
        high = np.minimum(np.maximum(np.maximum(a, b), c), limits[:, 2 + axis] - 1) >> BITS
        first[:, axis] = low >> 1
        across[:, axis] = np.maximum((high >> 1) - first[:, axis] + 1, 0)
    return Chunks(first, across, across[:, 0] * across[:, 1], paired=paired)


def _chunk(
    corners: Array,
    limits: Array,
    offsets: Array,
    places: tuple[Array, Array, Array, slice],
    conservative: ConservativeMode,
) -> Quads:
    """Return the quads that some of the triangles touch.

    Products of corners are made once for each triangle: from quad to quad and from lane to lane,
    a distance from an edge grows by its slopes. All numbers are whole, so that the order of sums
    does not matter.
    """
    first, across, counts, which = places
    here = corners[which]  # (t, 3, 2)
    # The edge opposite of each corner, (t, 3): from the next corner to the one after it.
    a, b = here[:, [1, 2, 0]], here[:, [2, 0, 1]]
    dx, dy = b[..., 0] - a[..., 0], b[..., 1] - a[..., 1]
    slopes = np.stack([-dy, dx], axis=-1)  # (t, 3, 2)
    centre = 2 * STEPS * first[which] + HALF
    start = dx * (centre[:, 1:] - a[..., 1]) - dy * (centre[:, :1] - a[..., 0])
    samples = conservative == ConservativeMode.OFF
    if samples:  # the least distance that is inside: 0 on a top or left edge
        least = ((dy > 0) | ((dy == 0) & (dx <= 0))).astype(start.dtype)
    else:
        least = -HALF * (np.abs(dx) + np.abs(dy))  # of any pixel that the edge goes through
    furthest = [slopes @ (offset + lane) for lane in LANES for offset in offsets]
    reach = start - least + np.maximum.reduce(furthest)

    triangle = np.repeat(np.arange(len(here)), counts[which])
    begin = np.repeat(np.cumsum(counts[which]) - counts[which], counts[which])
    down, right = np.divmod(np.arange(len(triangle)) - begin, across[which][triangle, 0])
    steps = slopes * (2 * STEPS)
    edge = [steps[:, at, 0][triangle] * right + steps[:, at, 1][triangle] * down
            for at in range(3)]  # fmt: skip
    near = np.ones(len(triangle), np.bool_)
    for at in range(3):
        near &= edge[at] + reach[:, at][triangle] >= 0
    kept = np.flatnonzero(near)
    triangle, right, down = triangle[kept], right[kept], down[kept]
    number = triangle + which.start
    x = (2 * (first[number, 0] + right))[:, np.newaxis] + (np.arange(4) & 1)
    y = (2 * (first[number, 1] + down))[:, np.newaxis] + (np.arange(4) >> 1)
    of_quads = slopes[triangle]
    edges = np.stack([each[kept] for each in edge], axis=-1) + start[triangle]
    edges = edges[:, np.newaxis] + np.stack([slopes @ lane for lane in LANES], axis=1)[triangle]
    whole = Quads(number, x, y, np.empty(0, np.bool_), edges, of_quads)
    if samples:
        covered = _within(corners, limits, which, whole, offsets)
        bounds = least[triangle][:, np.newaxis]
        for at, offset in enumerate(offsets):
            moved = edges + (slopes @ offset)[triangle][:, np.newaxis] if offset.any() else edges
            inside = moved >= bounds
            covered[..., at] &= inside[..., 0] & inside[..., 1] & inside[..., 2]
    else:
        pixels = whole.inside if conservative == ConservativeMode.UNDERESTIMATE else _touched(
            whole, corners[number]
        )  # fmt: skip
        limit = limits[number][:, np.newaxis, :]
        px, py = x * STEPS + HALF, y * STEPS + HALF
        inside = (px + HALF > limit[..., 0]) & (px - HALF < limit[..., 2])
        inside &= (py + HALF > limit[..., 1]) & (py - HALF < limit[..., 3])
        covered = np.repeat((pixels & inside)[..., np.newaxis], len(offsets), axis=-1)
    whole.covered = covered
    return whole.some(np.flatnonzero(has_samples(covered)))


def has_samples(covered: Array) -> Array:
    """Return which quads have covered samples, (q, 4, samples) of them."""
    count, lanes, samples = covered.shape
    words = np.ascontiguousarray(covered).reshape(count, lanes * samples).view("<u4")
    found = words[:, 0] != 0
    for at in range(1, words.shape[1]):
        found |= words[:, at] != 0
    return np.asarray(found)


def _within(corners: Array, limits: Array, which: slice, quad: Quads, offsets: Array) -> Array:
    """Return which samples are within the limits of their triangles, (q, 4, samples)."""
    shape = (*quad.x.shape, len(offsets))
    low, high = corners[which].min(axis=1), corners[which].max(axis=1)
    if (low >= limits[which, :2]).all() and (high < limits[which, 2:]).all():
        return np.ones(shape, np.bool_)  # all that is inside of the triangles
    limit = limits[quad.triangle][:, np.newaxis, :]
    covered = np.empty(shape, np.bool_)
    for at, (right, down) in enumerate(offsets):
        x, y = quad.x * STEPS + HALF + right, quad.y * STEPS + HALF + down
        covered[..., at] = (x >= limit[..., 0]) & (x < limit[..., 2])
        covered[..., at] &= (y >= limit[..., 1]) & (y < limit[..., 3])
    return covered


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
