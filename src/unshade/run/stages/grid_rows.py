"""A grid of pixels whose lanes are in rows, for shaders whose pixels are independent.

    lane   0 1 2 3 …       row 0: (0, 0) (1, 0) (2, 0) …
           w w+1 …         row 1

Without quads nothing has to be reordered: positions are repeated rows, and the outputs of all lanes
are the picture.
"""

from collections.abc import Hashable, Mapping

import numpy as np

from ...model import SystemValue
from ...vm.launch import Array, Launch, dtype
from ..binding.arguments import Arguments
from ..execution import Execution
from ..lanes import Thread
from ..signature import Key, SignatureRow, bits, bits_of

__all__ = ["RowOrder", "shade_rows"]

BAND = 1 << 16  # pixels that are run at once, between two reports of progress
MOST = 1 << 20  # the same without reports


class RowOrder:
    """Pixels of some rows of a grid, in order."""

    def __init__(self, width: int, first: int, last: int) -> None:
        self.width = width
        self.first = first
        self.last = last

    @property
    def count(self) -> int:
        return self.width * (self.last - self.first)

    def lane(self, thread: Thread) -> int | None:
        """Return the lane of a pixel (x, y)."""
        x, y = (*thread, 0)[:2]
        inside = 0 <= x < self.width and self.first <= y < self.last
        return x + (y - self.first) * self.width if inside else None

    def lanes(self, thread: Thread) -> Array:
        """Return the lane of a pixel as an array."""
        lane = self.lane(thread)
        return np.array([] if lane is None else [lane], np.intp)

    def thread(self, lane: int) -> Thread:
        """Return the pixel of a lane."""
        y, x = divmod(lane, self.width)
        return x, y + self.first


def shade_rows(
    execution: Execution,
    arguments: Arguments,
    size: tuple[int, int],
    grids: Mapping[Key, Array],
    defaults: Mapping[Key, Array],
) -> dict[Hashable, Array]:
    """Run a pixel shader over a grid; return the bits of each output port, row by row.

    Args:
        execution: the shader.
        arguments: its bindings.
        size: width and height.
        grids: inputs as (height, width, components).
        defaults: inputs that are the same for every pixel, as (1, components).
    """
    width, height = size
    ports = execution.code(arguments).outputs
    outputs = {port.key: np.zeros(width * height, dtype(port.type)) for port in ports}
    band = MOST if execution.progress is None else BAND
    step = max(1, band // width)
    for first in range(0, height, step):
        lanes = RowOrder(width, first, min(first + step, height))
        inputs: dict[Hashable, Array] = {}
        for row in execution.program.inputs:
            if row.key in grids:
                given = grids[row.key][first : lanes.last]
                inputs.update(bits(row, given.reshape(lanes.count, -1)))
            elif row.key in defaults:
                inputs.update(bits(row, np.repeat(defaults[row.key], lanes.count, axis=0)))
            elif row.needed:
                inputs.update(_places(row, lanes, size))
        start = first * width
        part = {key: each[start : start + lanes.count] for key, each in outputs.items()}
        launch = Launch(
            arguments.memories, items=lanes.count, inputs=inputs, outputs=part,
            budget=execution.budget,
        )  # fmt: skip
        execution.launch(arguments, launch, lanes)
        if execution.progress is not None:
            execution.progress(lanes.last * width, height * width)
    return outputs


def _places(row: SignatureRow, lanes: RowOrder, size: tuple[int, int]) -> dict[Hashable, Array]:
    """Return an input as a full-screen triangle would interpolate it: see `stages`."""
    shape = lanes.last - lanes.first, lanes.width
    across = np.arange(lanes.width)[np.newaxis, :] + 0.5
    down = np.arange(lanes.first, lanes.last)[:, np.newaxis] + 0.5
    if row.meaning != SystemValue.POSITION:
        across, down = across / size[0], down / size[1]
    found: dict[Hashable, Array] = {}
    for port, column in zip(row.ports, columns_of(row, across, down), strict=False):
        if port is not None:
            narrow = np.asarray(column).astype(row.dtype)
            found[port.key] = bits_of(port, np.broadcast_to(narrow, shape).reshape(-1))
    return found


def is_unknown(row: SignatureRow) -> bool:
    """Return whether an input is a built-in of unknown meaning, which has no default."""
    return row.needed and row.meaning is not None and row.meaning not in {*SystemValue}


def columns_of(row: SignatureRow, x: Array, y: Array) -> list[Array | float]:
    """Return the components of an input of a full-screen triangle, at x and y.

    For a position, coordinates are in pixels; for other inputs, they run from 0 to 1 over the grid.
    The triangle has corners at (0, 0), (2, 0) and (0, 2), which are the values of an input at its
    vertices.
    """
    if row.vertex is not None:
        x, y = (np.array(2.0 * (row.vertex == vertex)) for vertex in (1, 2))
    if row.meaning in (SystemValue.BARYCENTRICS, SystemValue.BARYCENTRICS_NOPERSPECTIVE):
        columns: list[Array | float] = [1 - (x + y) / 2, x / 2, y / 2]
        return [columns[each] for each in row.components]
    columns = [x, y, 0.0, 1.0]
    chosen = row.components if row.meaning == SystemValue.POSITION else range(len(row.ports))
    return [columns[each] for each in chosen]
