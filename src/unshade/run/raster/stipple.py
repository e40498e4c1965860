"""Stippled lines: a pattern of 16 bits decides which parts of a line are drawn.

    counter     0 at the start of a line; of a strip only at its start, for it goes on
    aliased     counts the pixels of a line
    others      counts pieces of one pixel's length along the line; a piece that a segment of a
                strip does not complete goes on in the next one
    drawn       where bit (counter // factor) % 16 of the pattern is 1

A line that is clipped counts from its first visible point. That a piece goes on is the way that
Vulkan prefers but does not demand.

Source: Vulkan specification, Line Stipple.
"""

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from .pixel_coverage import HALF, STEPS, Quads
from .states.rasterizer import RasterizerState

BITS = 16
COLUMNS = 5  # start x, y; direction x, y; the length before the start, in pixels


@dataclass(slots=True)
class LineLengths:
    """Starts of lines in steps (n, 2), directions (n, 2), and lengths in pixels (n,)."""

    start: Array
    along: Array
    length: Array

    @classmethod
    def of_ends(cls, ends: Array) -> "LineLengths":
        """Return those of lines from and to places in steps, (n, 2 ends, 2)."""
        along = (ends[:, 1] - ends[:, 0]).astype(np.float64)
        length = np.hypot(along[:, 0], along[:, 1])
        unit = along / np.where(length == 0, 1, length)[:, np.newaxis]
        return cls(ends[:, 0].astype(np.float64), unit, length / STEPS)

    def rows(self, number: Array, begins: Array) -> Array:
        """Return a row (COLUMNS) for each line.

        Args:
            number: The primitive of each line.
            begins: Whether a primitive begins anew, of each primitive.
        """
        whole = np.zeros(len(begins))
        np.add.at(whole, number, self.length)
        before = np.cumsum(whole) - whole
        first = np.maximum.accumulate(np.where(begins, np.arange(len(begins)), 0))
        before -= before[first]
        made: Array = np.concatenate([self.start, self.along, before[number, np.newaxis]], axis=1)
        return made


def drawn(rows: Array, quad: Quads, offset: Array, state: RasterizerState) -> Array:
    """Return which places of quads the pattern lets through, (q, 4).

    Args:
        rows: What `LineLengths.rows` returned, of each quad.
        quad: The quads.
        offset: The place in steps from the centre of each pixel.
        state: Factor and pattern.
    """
    each = rows[:, np.newaxis]
    x = quad.x * STEPS + HALF + offset[0] - each[..., 0]
    y = quad.y * STEPS + HALF + offset[1] - each[..., 1]
    length = (x * each[..., 2] + y * each[..., 3]) / STEPS
    counter = np.floor(np.maximum(length, 0) + each[..., 4]).astype(np.int64)
    bit = counter // state.line_stipple_factor % BITS
    made: Array = (state.line_stipple_pattern >> bit & 1) == 1
    return made


def strip_begins(corners: Array) -> Array:
    """Return which lines of a shader's strips do not go on where the line before ended."""
    begins = np.ones(len(corners), np.bool_)
    begins[1:] = corners[1:, 0] != corners[:-1, -1]
    return begins
