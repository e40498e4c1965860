"""Primitives in clip space, cut at the sides of the view.

    -w <= x <= w    -w <= y <= w    0 <= z <= w          inside: what a viewport shows

A corner of a clipped primitive is stored as its shares of the original corners. Most primitives are
wholly inside, or wholly outside of one side; only the others are cut, side after side
(Sutherland-Hodgman). The viewport cuts pixels off, so x and y need only be cut far outside of the
view, where corners would leave the range of the rasteriser: the guard band.

Source: Direct3D 11.3 functional specification, section 15.4 (clipping).
"""

import numpy as np

from ...vm.launch import Array

SMALLEST = 1e-6  # w: what stands in the eye has no place on the screen
ROUNDED = 1.01  # how far beyond a side new corners may be by rounding, relative to the side


def doubles(numbers: Array) -> Array:
    """Return numbers as doubles; NumPy warns of signalling NaNs, which become quiet ones."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(np.float64)


def distances(clip: Array, guard: float = 1.0, depth: bool = True) -> Array:
    """Return the distance of corners (…, 4) from each side of the view, negative outside.

    Args:
        clip: Places in clip space.
        guard: Width and height of the guard band, in units of the view's.
        depth: Clip at the least and the greatest depth, too.
    """
    return np.stack(_sides(clip, guard, depth), axis=-1)


def _sides(clip: Array, guard: float, depth: bool) -> list[Array]:
    """Return the distances from each side, one array for each."""
    x, y, z, w = np.moveaxis(clip, -1, 0)
    wide = guard * w
    sides = [w - SMALLEST, wide + x, wide - x, wide + y, wide - y]
    return [*sides, z, w - z] if depth else sides


def clipped(
    clip: Array,
    triangles: Array,
    guard: float = 1.0,
    depth: bool = True,
    view: float = 1.0,
    planes: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Return the visible parts of triangles: numbers, shares (n, 3 corners, 3), and which are cut.

    Triangles outside of the view are removed; `view` is its size, relative to the size of the
    viewport. `planes` are distances of the corners from more sides, (corners, sides).
    """
    wide = doubles(clip)
    corners = [np.ascontiguousarray(each) for each in triangles.T]
    finite = np.isfinite(clip[:, 0])
    for at in (1, 2, 3):
        finite &= np.isfinite(clip[:, at])
    within = finite.copy()
    beyond = np.zeros(len(clip), np.uint8)  # a bit for each side
    with np.errstate(invalid="ignore"):
        for side in _sides(wide, guard, depth):
            within &= side >= 0
        for at, side in enumerate(_sides(wide, view, depth)):
            beyond |= (side < 0).astype(np.uint8) << np.uint8(at)
        if planes is not None:
            within &= np.all(planes >= 0, axis=1)
    good, whole = (each[corners[0]] & each[corners[1]] & each[corners[2]]
                   for each in (finite, within))  # fmt: skip
    outside = (beyond[corners[0]] & beyond[corners[1]] & beyond[corners[2]]) != 0
    whole &= ~outside
    numbers = [np.flatnonzero(whole)]
    shares = [np.tile(np.eye(3), (len(numbers[0]), 1, 1))]
    cut_numbers: list[int] = []
    cut_shares: list[Array] = []
    for number in np.flatnonzero(good & ~whole & ~outside):
        corners_of = triangles[number]
        inside = distances(wide[corners_of], guard, depth)
        if planes is not None:
            inside = np.concatenate([inside, planes[corners_of]], axis=1)
        piece = _cut(inside)
        for at in range(1, len(piece) - 1):
            cut_numbers.append(int(number))
            cut_shares.append(np.stack([piece[0], piece[at], piece[at + 1]]))
    if not cut_numbers:
        return numbers[0], shares[0], np.zeros(len(numbers[0]), np.bool_)
    cut, parts = np.array(cut_numbers), np.stack(cut_shares)
    placed = _placed(np.einsum("tcv,tvk->tck", parts, wide[triangles[cut]]), guard)
    numbers.append(cut[placed])
    shares.append(parts[placed])
    all_numbers, all_shares = np.concatenate(numbers), np.concatenate(shares)
    order = np.argsort(all_numbers, kind="stable")  # as they were given
    return all_numbers[order], all_shares[order], order >= len(numbers[0])


def _cut(inside: Array) -> list[Array]:
    """Return the corners of a clipped triangle; distances are linear in the shares."""
    corners = list(np.eye(3))
    for side in range(inside.shape[1]):
        kept: list[Array] = []
        far = [float(corner @ inside[:, side]) for corner in corners]
        for at, corner in enumerate(corners):
            before = at - 1
            if (far[at] >= 0) != (far[before] >= 0):
                t = far[before] / (far[before] - far[at])
                kept.append(corners[before] + (corner - corners[before]) * t)
            if far[at] >= 0:
                kept.append(corner)
        corners = kept
        if len(corners) < 3:
            return []
    return corners


def outline(numbers: Array, size: int) -> tuple[Array, Array]:
    """Return the edges (`size` 2) or corners (1) of polygons in triangles, as `clipped` makes them.

    The triangles of a polygon follow one another, with its number, and share its first corner. The
    result are the triangle of each part, and the corners (n, size) of it that are its ends.
    """
    new = np.ones(len(numbers), np.bool_)
    new[1:] = numbers[1:] != numbers[:-1]
    last = np.roll(new, -1)
    always = np.ones_like(new)
    there = [new, always, last] if size == 2 else [new, new, always]
    piece, slot = np.nonzero(np.stack(there, axis=1))
    ends = slot[:, np.newaxis] if size == 1 else np.stack([slot, (slot + 1) % 3], axis=1)
    return piece, ends


def clipped_lines(clip: Array, lines: Array, guard: float, depth: bool) -> tuple[Array, Array]:
    """Return the visible parts of lines: their numbers, and shares (n, 2 ends, 2)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = distances(doubles(clip), guard, depth)[lines]  # (n, end, side)
        first, last = ends[:, 0], ends[:, 1]
        where = first / (first - last)
        enters = np.where((first < 0) & (last >= 0), where, 0.0).max(axis=1)
        leaves = np.where((first >= 0) & (last < 0), where, 1.0).min(axis=1)
        shown = ~np.any((first < 0) & (last < 0), axis=1) & (enters < leaves)
        shown &= np.all(np.isfinite(clip), axis=-1)[lines].all(axis=1)
    numbers = np.flatnonzero(shown)
    places = np.stack([enters[shown], leaves[shown]], axis=1)
    parts = np.stack([1.0 - places, places], axis=-1)
    placed = _placed(np.einsum("lev,lvk->lek", parts, doubles(clip)[lines[numbers]]), guard)
    return numbers[placed], parts[placed]


def _placed(clip: Array, guard: float) -> Array:
    """Return which primitives (n, corners, 4) have corners on the screen or in its guard band.

    Where w of two corners differs by more than doubles resolve, a new corner between them is one of
    them, and may be in the eye.
    """
    w = clip[..., 3:]
    inside = (w > 0) & (np.abs(clip[..., :2]) <= guard * ROUNDED * w)
    return np.asarray(inside.all(axis=(1, 2)))


def shown_points(clip: Array, points: Array, depth: bool, view: float = 1.0) -> Array:
    """Return the numbers of the points (n, 1) that are in the view."""
    with np.errstate(invalid="ignore"):
        inside = np.all(distances(doubles(clip), view, depth) >= 0, axis=-1)
    inside &= np.all(np.isfinite(clip), axis=-1)
    return np.flatnonzero(inside[points[:, 0]])
