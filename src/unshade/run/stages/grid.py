"""Pixels of a grid as lanes.

A grid is divided into quads of 2 x 2 pixels that begin at even places, so that differences between
them are derivatives; pixels beyond an edge, and pixels that a mask leaves out, are helper lanes.

    lane   0 1 2 3   4 5 6 7        quad 0: (0, 0) (1, 0) (0, 1) (1, 1)   quad 1: (2, 0) …

A shader with per-sample inputs runs for each sample of a pixel, in quads of one sample each. If
pixels are independent, lanes are in rows (grid_rows).
"""

from collections.abc import Collection, Hashable, Mapping
from operator import index
from typing import Any

import numpy as np

from ...dataclass import dataclass, replace
from ...errors import UsageError
from ...ir.library.sample_positions import POSITIONS
from ...model import SystemValue
from ...vm.launch import Array
from ...vm.prepared import traits_of
from ...vocab.slots import Exchange, PortPart
from ...vocab.words import Interpolation
from ..binding.arguments import Arguments
from ..binding.numbers import as_array, shown
from ..binding.results import Results
from ..execution import Execution
from ..lanes import PixelLanes
from ..signature import Key, SignatureRow, array_of, as_rows, bits_of, missing_inputs
from .grid_rows import columns_of, is_unknown, shade_rows
from .places import SLOPES
from .vertices import (
    add_row,
    chosen_rows,
    covered_of,
    default_of,
    grid_size,
    run_lanes,
    shade_alone,
)

BAND = 1 << 16  # pixels that are run at once, between two reports of progress
CENTROID = frozenset({
    Interpolation.LINEAR_CENTROID, Interpolation.LINEAR_NOPERSPECTIVE_CENTROID,
})  # fmt: skip
SAMPLED = frozenset({Interpolation.LINEAR_SAMPLE, Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE})


def shade(
    execution: Execution,
    where: Any,
    given: Mapping[Any, Any] | None,
    bindings: Mapping[Any, Any],
    origin: Any = None,
    mask: Any = None,
) -> Results:
    """Run a pixel shader over a grid, over arrays of inputs, or over a number of pixels."""
    arguments = Arguments(execution.program.bindings, bindings)
    execution.begin()
    if not isinstance(where, Mapping | int):
        return _shade(execution, arguments, _grid_of(execution, where, origin, mask), given or {})
    if given is not None:
        raise UsageError("inputs are given twice; for a grid, use shade((width, height), inputs)")
    if origin is not None or mask is not None:
        raise UsageError("expected a grid (width, height) for an origin or a mask")
    return shade_alone(execution, arguments, where)


def runs_per_sample(execution: Execution) -> bool:
    """Return whether a pixel shader runs for each sample, because it uses per-sample inputs."""
    return execution.samples > 1 and any(
        row.needed
        and (
            row.meaning in (SystemValue.SAMPLE_INDEX, SystemValue.SAMPLE_POSITION)
            or row.interpolation in SAMPLED
        )
        for row in execution.program.inputs
    )


@dataclass(slots=True)
class _Grid:
    """A grid: its size, the pixel of its first corner, and the covered samples of each pixel."""

    width: int
    height: int
    x: int
    y: int
    covered: Array  # (height, width, samples)

    @property
    def whole(self) -> bool:
        """True if all pixels of the grid are covered."""
        return bool(self.covered.all())


def _grid_of(execution: Execution, where: Any, origin: Any, mask: Any) -> _Grid:
    """Return the grid of a call; UsageError if an argument does not fit."""
    width, height = grid_size(where)
    try:
        x, y = (index(each) for each in (origin if origin is not None else (0, 0)))
    except (TypeError, ValueError):
        raise UsageError(f"origin: expected two integers, got {shown(origin)}") from None
    if min(x, y) < 0 or max(x, y) > 1 << 16:
        raise UsageError(f"origin: expected 0 to 65536 along each axis, got {shown(origin)}")
    samples = execution.samples
    shape = (height, width, samples)
    if mask is None:
        return _Grid(width, height, x, y, np.broadcast_to(np.True_, shape))
    given = as_array(mask, "mask: expected an array")
    if given.shape == shape[:2]:
        given = given[..., np.newaxis]
        if given.dtype.kind in "iu":  # the bits of samples, as in SV_Coverage
            given = given >> np.arange(samples) & 1
    if given.shape not in (shape, (height, width, 1)) or given.dtype.kind not in "biu":
        raise UsageError(
            f"mask: expected an array {shape[:2]} of bits, or {shape} of truth values, got"
            f" {given.shape} {given.dtype}"
        )
    return _Grid(width, height, x, y, np.broadcast_to(given.astype(np.bool_), shape))


def quads(left: int, right: int, first: int, last: int) -> tuple[Array, Array]:
    """Return x and y of the pixels of a rectangle, quad by quad; its corners are made even."""
    left, first = left & ~1, first & ~1
    across, down = (right - left + 1) // 2, (last - first + 1) // 2
    lane = np.arange(4 * across * down)
    quad = lane // 4
    x = quad % across * 2 + (lane & 1) + left
    y = quad // across * 2 + (lane >> 1 & 1) + first
    return x, y


def _shade(
    execution: Execution, arguments: Arguments, grid: _Grid, given: Mapping[Any, Any]
) -> Results:
    program = execution.program
    rows = chosen_rows(program.inputs, given)
    width, height = grid.width, grid.height
    several = runs_per_sample(execution)
    shape = (height, width, execution.samples) if several else (height, width)
    grids = {key: _per_sample(row, value, shape) for key, (row, value) in rows.items()}
    absent = [row for row in program.inputs if row.key not in grids and is_unknown(row)]
    if absent:
        raise missing_inputs(absent)
    plain = not (several or grid.x or grid.y) and grid.whole
    code = execution.code(arguments)
    if plain and traits_of(code).independent and not any(port.internal for port in code.inputs):
        return _in_rows(execution, arguments, grid, grids)
    made = {row.key: np.zeros((*shape, len(row.ports)), row.dtype) for row in program.outputs}
    covered = np.zeros(shape, np.bool_)
    step = max(2, BAND // width // 2 * 2)
    bottom = grid.y + height
    for top in range(grid.y & ~1, bottom, step):
        x, y = quads(grid.x, grid.x + width, max(top, grid.y), min(top + step, bottom))
        for sample in range(execution.samples) if several else (-1,):
            band = _Band(grid, x, y, execution.samples, sample)
            place = (*band.place, max(sample, 0)) if several else band.place
            arrays = {
                row.key: band.given(grids[row.key]) if row.key in grids else band.input(row)
                for row in program.inputs
                if row.key in grids or row.needed
            }
            helpers = None if band.shown.all() else ~band.shown
            own = band.own(execution, arguments, grids)
            outputs = run_lanes(execution, arguments, arrays, PixelLanes(x, y), helpers, own)
            shown = band.shown
            at = tuple(each[shown] if isinstance(each, np.ndarray) else each for each in place)
            for row in program.outputs:
                made[row.key][at] = array_of(row, outputs, len(x))[shown]
            covered[at] = covered_of(outputs, len(x))[shown]
        if execution.progress is not None:
            execution.progress((min(top + step, bottom) - grid.y) * width, height * width)
    results = arguments.finish()
    for row in program.outputs:
        add_row(results, row, made[row.key])
    results.add(("covered",), covered)
    return results


def _in_rows(
    execution: Execution, arguments: Arguments, grid: _Grid, grids: Mapping[Key, Array]
) -> Results:
    """Shade a grid of independent pixels."""
    program = execution.program
    defaults = {}
    for row in program.inputs:
        default = default_of(row, 1, execution.samples)
        if row.needed and default is not None:
            defaults[row.key] = default
    given = {key: array[:, :, 0] for key, array in grids.items()}
    outputs = shade_rows(execution, arguments, (grid.width, grid.height), given, defaults)
    results = arguments.finish()
    count = grid.width * grid.height
    for row in program.outputs:
        found = array_of(row, outputs, count).reshape(grid.height, grid.width, -1)
        add_row(results, row, found)
    covered = covered_of(outputs, count).reshape(grid.height, grid.width)
    results.add(("covered",), covered)
    return results


def _per_sample(row: SignatureRow, value: Array, shape: tuple[int, ...]) -> Array:
    """Return an input of a grid as (height, width, samples or 1, components)."""
    several = value.ndim > 3 or (value.ndim == 3 and len(row.ports) == 1 and value.shape == shape)
    array = as_rows(row, value, shape if several else shape[:2])
    return array if array.ndim == 4 else array[:, :, np.newaxis]


class _Band:
    """Some quads of a grid; with per-sample lanes, all quads are of one sample."""

    def __init__(self, grid: _Grid, x: Array, y: Array, samples: int, sample: int) -> None:
        self.grid = grid
        self.x, self.y = x, y
        self.sample = sample
        column, line = x - grid.x, y - grid.y
        inside = (column >= 0) & (column < grid.width) & (line >= 0) & (line < grid.height)
        self.place = (np.clip(line, 0, grid.height - 1), np.clip(column, 0, grid.width - 1))
        self.covered = grid.covered[self.place] & inside[:, np.newaxis]
        self.shown = self.covered.any(axis=1) if sample < 0 else self.covered[:, sample]
        self.samples = samples
        self.positions = np.array(POSITIONS[samples]) / 16

    def given(self, array: Array) -> Array:
        """Return an input that a call supplies, (lanes, components)."""
        sample = max(self.sample, 0) if array.shape[2] > 1 else 0
        found: Array = array[(*self.place, sample)]
        return found

    def offset(self, interpolation: Interpolation | None) -> Array:
        """Return how far from the centre of its pixel an input is evaluated, (lanes, 2)."""
        count = len(self.x)
        if interpolation in SAMPLED and self.sample >= 0:
            return np.broadcast_to(self.positions[self.sample], (count, 2))
        if interpolation in CENTROID:
            return self.centroid
        return np.zeros((count, 2))

    @property
    def centroid(self) -> Array:
        """The first covered sample of partly covered pixels, the centre of other pixels."""
        partly = self.covered.any(axis=1) & ~self.covered.all(axis=1)
        first = self.positions[self.covered.argmax(axis=1)]
        return np.where(partly[:, np.newaxis], first, 0.0)

    def input(self, row: SignatureRow) -> Array:
        """Return an input of pixels as a full-screen triangle would interpolate it."""
        count = len(self.x)
        if row.meaning == SystemValue.COVERAGE and not self.grid.whole:
            bits = self.covered << np.arange(self.samples)
            masks = bits.sum(axis=1) if self.sample < 0 else bits[:, self.sample]
            return np.asarray(masks.astype("<u4")[:, np.newaxis].view(row.dtype))
        if row.meaning == SystemValue.SAMPLE_INDEX and self.sample >= 0:
            return np.full((count, 1), self.sample, "<u4").view(row.dtype)
        if row.meaning == SystemValue.SAMPLE_POSITION:
            place = np.broadcast_to(self.positions[max(self.sample, 0)] + 0.5, (count, 2))
            return place[:, row.components].astype(row.dtype)
        default = default_of(row, count, self.samples)
        if default is not None:
            if row.meaning == SystemValue.COVERAGE and self.sample >= 0:
                return np.full((count, 1), 1 << self.sample, "<u4").view(row.dtype)
            return default
        return self._linear(row, self.offset(row.interpolation)).astype(row.dtype)

    def _linear(self, row: SignatureRow, offset: Array) -> Array:
        """Return an input that is linear over the grid, at an offset from the centre of pixels."""
        x, y = (each + 0.5 + offset[..., axis] for axis, each in enumerate((self.x, self.y)))
        if row.meaning != SystemValue.POSITION:
            x, y = (x - self.grid.x) / self.grid.width, (y - self.grid.y) / self.grid.height
        columns = [np.broadcast_to(each, x.shape) for each in columns_of(row, x, y)]
        return np.stack(columns, axis=1)

    def own(
        self, execution: Execution, arguments: Arguments, given: Collection[Key]
    ) -> dict[Hashable, Array]:
        """Return the data for evaluating inputs at other places.

        The data are the place of the centroid, and the inputs that are not `given`, which are
        linear.
        """
        found: dict[Hashable, Array] = {}
        for port in execution.code(arguments).inputs:
            slot = port.slot
            if slot is not None and slot.place is Exchange.CENTROID:
                found[port.key] = bits_of(port, self.centroid[:, slot.component])
            elif slot is not None and slot.part is not PortPart.VALUE:
                declared = slot.of(PortPart.VALUE)
                for row in execution.program.inputs:
                    if declared in row.places and row.key not in given:
                        values = self._of_part(row, slot.part)[:, row.places.index(declared)]
                        found[port.key] = bits_of(port, np.ascontiguousarray(values))
        return found

    def _of_part(self, row: SignatureRow, part: PortPart) -> Array:
        """Return an input at the centre of pixels, or its derivatives."""
        if part is PortPart.CENTRE:
            return self.input(replace(row, interpolation=None))
        if default_of(row, 1, self.samples) is not None:
            return np.zeros((len(self.x), len(row.ports)), row.dtype)
        here, there = (self._linear(row, at) for at in (np.zeros(2), np.eye(2)[SLOPES.index(part)]))
        return np.asarray((there - here).astype(row.dtype))
