"""Triangles in clip space, cut at the sides of the view.

    -w <= x <= w    -w <= y <= w    0 <= z <= w          inside: what a viewport shows

A corner of a clipped triangle is stored as its shares of the original three corners. Most triangles
are wholly inside, or wholly outside of one side; only the others are cut, side after side
(Sutherland-Hodgman).
"""

import numpy as np

from ...vm.launch import Array

SMALLEST = 1e-6  # w: what stands in the eye has no place on the screen


def distances(clip: Array) -> Array:
    """Return the distance of corners (…, 4) from each side of the view, negative outside."""
    x, y, z, w = np.moveaxis(clip, -1, 0)
    return np.stack([w - SMALLEST, w + x, w - x, w + y, w - y, z, w - z], axis=-1)


def clipped(clip: Array, triangles: Array) -> tuple[Array, Array]:
    """Return the visible parts of triangles: their numbers, and shares (n, 3 corners, 3)."""
    inside = distances(clip.astype(np.float64))[triangles]  # (t, corner, side)
    with np.errstate(invalid="ignore"):
        finite = np.asarray(np.all(np.isfinite(clip), axis=-1))
        good = np.all(finite[triangles], axis=1)
        whole = good & np.all(inside >= 0, axis=(1, 2))
        outside = np.any(np.all(inside < 0, axis=1), axis=1)
    numbers = [np.flatnonzero(whole)]
    shares = [np.broadcast_to(np.eye(3), (len(numbers[0]), 3, 3))]
    cut_numbers: list[int] = []
    cut_shares: list[Array] = []
    for number in np.flatnonzero(good & ~whole & ~outside):
        piece = _cut(inside[number])
        for at in range(1, len(piece) - 1):
            cut_numbers.append(int(number))
            cut_shares.append(np.stack([piece[0], piece[at], piece[at + 1]]))
    if cut_numbers:
        numbers.append(np.array(cut_numbers))
        shares.append(np.stack(cut_shares))
    all_numbers, all_shares = np.concatenate(numbers), np.concatenate(shares)
    order = np.argsort(all_numbers, kind="stable")  # as they were given
    return all_numbers[order], all_shares[order]


def _cut(inside: Array) -> list[Array]:
    """Return the corners of what remains of one triangle; distances are linear in the shares."""
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
