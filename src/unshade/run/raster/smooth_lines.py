"""Smooth lines: rectangles whose share of each pixel is a factor of alpha.

    before   line   after      three parallelograms, whose pixels are all that the line may touch

Values beyond the ends of a line are those of its ends. The share of a pixel is counted at 16 x 16
places of it; the specification leaves both to the implementation.

Source: Vulkan specification, Smooth Lines, and Multisample Coverage.
"""

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from .pixel_coverage import HALF, STEPS, Quads

FINE = 16  # places along an axis of a pixel
COLUMNS = 6  # start x, y; direction x, y; length and half the width, all in steps
# The ends that the corners of six triangles have, and on which side of the line they are.
ENDS = np.array([[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]])
PARTS = 3
SMOOTH = np.concatenate([np.full(6, 0), ENDS[:, 0], np.full(6, 1)])  # the values of each corner


@dataclass(slots=True)
class SmoothLines:
    """Lines as rows (n, COLUMNS)."""

    rows: Array

    @classmethod
    def of_ends(cls, ends: Array, width: float) -> "SmoothLines":
        """Return the lines between places in steps, (n, 2 ends, 2), and of a width in pixels."""
        along = (ends[:, 1] - ends[:, 0]).astype(np.float64)
        length = np.hypot(along[:, 0], along[:, 1])
        unit = along / np.where(length == 0, 1, length)[:, np.newaxis]
        half = np.full(len(ends), width * HALF)
        parts = [ends[:, 0], unit, length[:, np.newaxis], half[:, np.newaxis]]
        return cls(np.concatenate(parts, axis=1))

    def touched(self) -> Array:
        """Return the corners of six triangles for each line in steps, (n, 18, 2)."""
        start, unit, length, half = np.split(self.rows, [2, 4, 5], axis=1)
        reach = np.abs(unit).sum(axis=1, keepdims=True) * HALF  # of a pixel from its centre
        places = np.concatenate([-reach, 0 * length, length, length + reach], axis=1)
        side = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * (half + reach)
        made = []
        for part in range(PARTS):
            for end, which in ENDS:
                there = start + unit * places[:, part + end, np.newaxis]
                made.append(there + side * (1 if which else -1))
        found: Array = np.rint(np.stack(made, axis=1)).astype(np.int64)
        return found


def shares(rows: Array, quad: Quads) -> Array:
    """Return the part of each pixel's area that is inside of its line, (q, 4).

    `rows` are those of `SmoothLines`, of each quad.
    """
    x0, y0, ux, uy, length, half = (each[:, np.newaxis] for each in rows.T)
    x, y = quad.x * STEPS + HALF - x0, quad.y * STEPS + HALF - y0
    along, across = x * ux + y * uy, y * ux - x * uy
    steps = (np.arange(FINE) + 0.5) * (STEPS / FINE) - HALF
    count = np.zeros(quad.x.shape, np.int64)
    for dx in steps:
        for dy in steps:
            far = along + (dx * ux + dy * uy)
            count += (far >= 0) & (far < length) & (np.abs(across + (dy * ux - dx * uy)) < half)
    return np.asarray(count / FINE**2)
