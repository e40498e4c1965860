"""Samples: their number in a texel or a pixel of the target, and their positions.

    sampleinfo r0.x, rasterizer.x            samples of a pixel of the target: memory "rasterizer"
    sampleinfo_uint r0.x, t0.x               samples of a texel
    samplepos r0.xy, rasterizer.xyxx, r1.x   from the centre of the pixel: memory "samplepos"

Both return a vector whose other components are 0; the swizzle of the source chooses among them.

Source: Direct3D 11.3 functional specification, sections 22.4.21 and 22.4.22; the standard sample
positions are those that Vulkan's specification lists for the same patterns.
"""

import struct

from ...vocab.slots import Exchange
from ..builder import Builder, constant
from ..kernel import Value
from ..lowered import RASTERIZER
from ..memory import Memory, Space
from ..types import F32, I32

__all__ = ["POSITIONS", "TABLE", "of_target", "offset", "position", "row_of"]

TABLE = "samplepos"

# Sample positions in sixteenths of a pixel, by the number of samples.
POSITIONS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(4, 4), (-4, -4)],
    4: [(-2, -6), (6, -2), (-6, 2), (2, 6)],
    8: [(1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)],
    16: [
        (1, 1), (-1, -3), (-3, 2), (4, -1), (-5, -2), (2, 5), (5, 3), (3, -5),
        (-2, 6), (0, -7), (-4, -6), (-6, 4), (-8, 0), (7, -4), (6, 7), (-7, -8),
    ],
}  # fmt: skip


def of_target(b: Builder) -> Value:
    """Return the number of samples of a pixel of the target, as set by the caller."""
    memory = _declared(b, RASTERIZER)
    if memory is None:
        memory = b.memory(RASTERIZER, Space.CONSTANT, 4, slot=Exchange.SAMPLE_COUNT)
    return b.load(memory, 0, 0)


def row_of(b: Builder, number: Value, count: Value) -> Value:
    """Return the row of a sample in the table; 0, the centre, if it does not exist."""
    found: Value = b.select(b.ult(number, count), b.iadd(count, number), constant(0, I32))
    return found


def position(b: Builder, row: Value, axis: int) -> Value:
    """Return x or y of a row of the table, in pixels."""
    return b.load(_table(b), row, 4 * axis, F32)


def offset(b: Builder, number: Value) -> list[Value]:
    """Append the place of a sample of the target, x and y in pixels from the centre."""
    row = row_of(b, number, of_target(b))
    return [position(b, row, axis) for axis in range(2)]


def _declared(b: Builder, name: str) -> Memory | None:
    return next((each for each in b.kernel.memories if each.name == name), None)


def _table(b: Builder) -> Memory:
    """Return the table of positions: n samples are at rows n and following; row 0 is the centre."""
    found = _declared(b, TABLE)
    if found is None:
        rows = [(0, 0)] * 32
        for count, places in POSITIONS.items():
            rows[count : 2 * count] = places
        data = b"".join(struct.pack("<2f", x / 16, y / 16) for x, y in rows)
        found = b.memory(TABLE, Space.TABLE, 8, len(rows), data=data, internal=True)
    return found
