"""Vertices and pixels as lanes.

A grid is divided into quads of 2 x 2 pixels, so that differences between them are derivatives;
pixels beyond an odd edge are helper lanes.

    lane   0 1 2 3   4 5 6 7        quad 0: (0, 0) (1, 0) (0, 1) (1, 1)   quad 1: (2, 0) …
"""

from collections.abc import Hashable, Mapping
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from ..model import SystemValue
from ..vm.launch import Array, Launch, Report, dtype
from ..vm.prepare import COVERED
from ..vocab.slots import PortSlot
from .arguments import Arguments, Results
from .lanes import Lanes, PixelLanes, RowLanes
from .numbers import shown
from .signature import KernelSignature, Key, SignatureRow, array_of, as_rows, bits, typed

if TYPE_CHECKING:
    from .runner import Runner

BAND = 1 << 16  # pixels that are run at once, between two reports of progress
FRONT = 0xFFFF_FFFF


def transform(
    kernel: "Runner", given: Mapping[Any, Any] | int, bindings: Mapping[Any, Any]
) -> Results:
    """Run a vertex shader over arrays, or over a number of vertices without inputs."""
    arguments = Arguments(kernel.bindings, bindings)
    rows = chosen_rows(kernel.inputs, {} if isinstance(given, int) else given)
    count = given if isinstance(given, int) else _count(kernel.inputs, rows)
    if count < 0:
        raise UsageError(f"expected a number of vertices, got {count}")
    arrays = {key: as_rows(row, value, (count,)) for key, (row, value) in rows.items()}
    for row in kernel.inputs:
        if row.key in arrays or not row.needed:
            continue
        if row.meaning == SystemValue.VERTEX_ID:
            arrays[row.key] = np.arange(count, dtype=row.dtype)[:, np.newaxis]
        elif row.meaning == SystemValue.INSTANCE_ID:
            arrays[row.key] = np.zeros((count, 1), row.dtype)
        else:
            raise UsageError(f"missing input {row}")
    kernel.report = Report(kernel.engine)
    outputs = run_lanes(kernel, arguments, arrays, RowLanes(count))
    results = arguments.finish()
    for row in kernel.outputs:
        add_row(results, row, array_of(row, outputs, count))
    return results


def shade(
    kernel: "Runner", where: Any, given: Mapping[Any, Any] | None, bindings: Mapping[Any, Any]
) -> Results:
    """Run a pixel shader over a grid, or over arrays of inputs."""
    arguments = Arguments(kernel.bindings, bindings)
    kernel.report = Report(kernel.engine)
    if isinstance(where, Mapping):
        if given is not None:
            raise UsageError(
                "inputs are given twice; for a grid, use shade((width, height), inputs)"
            )
        return _alone(kernel, arguments, where)
    width, height = grid_size(where)
    return _grid(kernel, arguments, width, height, given or {})


def grid_size(given: Any) -> tuple[int, int]:
    """Return a width and a height; UsageError if they cannot be drawn."""
    try:
        width, height = (index(each) for each in given)
    except (TypeError, ValueError):
        raise UsageError(
            f"expected a grid (width, height) of integers, or a dict of inputs, got {shown(given)}"
        ) from None
    if not (0 < width <= 1 << 15 and 0 < height <= 1 << 15):
        raise UsageError(f"expected 1 to 32768 pixels along each axis, got {width} x {height}")
    return width, height


# ---------------------------------------------------------------- pieces


def chosen_rows(
    signature: KernelSignature, given: Mapping[Any, Any]
) -> dict[Key, tuple[SignatureRow, Array]]:
    """Return the rows that a call supplies, with their arrays, by semantic."""
    chosen: dict[Key, tuple[SignatureRow, Array]] = {}
    if not isinstance(given, Mapping):
        raise UsageError(f"inputs: expected a dict of arrays by semantic, got {shown(given)}")
    for name, value in given.items():
        row = signature.find(name if isinstance(name, PortSlot) else str(name))
        if row.key in chosen:
            raise UsageError(f"{row.label} is given twice")
        chosen[row.key] = row, typed(row, value)
    return chosen


def _count(signature: KernelSignature, rows: Mapping[Key, tuple[SignatureRow, Array]]) -> int:
    """Return the number of rows of the arrays, which must be the same in all of them."""
    several = {
        row.label: len(array)
        for row, array in rows.values()
        if array.ndim > 1 or (array.ndim and len(row.ports) == 1)
    }
    if not several:
        wanted = ", ".join(str(row) for row in signature if row.asked)
        if not wanted:
            raise UsageError(
                "this shader has no inputs: expected a number of vertices, or (width, height)"
            )
        raise UsageError(f"no arrays of inputs: expected {wanted}")
    if len(set(several.values())) > 1:
        lengths = ", ".join(f"{name} {count}" for name, count in several.items())
        raise UsageError(f"arrays of inputs differ in length: {lengths}")
    return next(iter(several.values()))


def run_lanes(
    kernel: "Runner",
    arguments: Arguments,
    arrays: Mapping[Key, Array],
    lanes: Lanes,
    helpers: Array | None = None,
) -> dict[Hashable, Array]:
    """Run lanes over arrays (lanes, components) of inputs; return the bits of each output."""
    inputs: dict[Hashable, Array] = {}
    for key, array in arrays.items():
        inputs.update(bits(kernel.inputs.rows[key], array))
    return run_ports(kernel, arguments, arguments.memories, inputs, lanes, helpers)


def run_ports(
    kernel: "Runner",
    arguments: Arguments,
    memories: Mapping[Any, Array],
    inputs: Mapping[Any, Array],
    lanes: Lanes,
    helpers: Array | None = None,
) -> dict[Hashable, Array]:
    """Run lanes over the bits of each input port; return those of each output port."""
    count = lanes.count
    ports = kernel.code(arguments).outputs
    outputs = {port.key: np.zeros(count, dtype(port.type)) for port in ports}
    launch = Launch(
        memories, items=count, inputs=inputs, outputs=outputs, helpers=helpers, budget=kernel.budget
    )
    kernel.launch(arguments, launch, lanes)
    return outputs


def add_row(results: Results, row: SignatureRow, array: Array) -> None:
    """Add an output under its semantic; a single component has no axis of its own."""
    single = array[..., 0] if array.shape[-1] == 1 else array
    results.add(row.names, single, semantic=True, slots=row.slots)


def _covered(outputs: dict[Hashable, Array], count: int) -> Array:
    found = outputs.get(COVERED)
    return np.ones(count, np.bool_) if found is None else found.astype(np.bool_)


# ---------------------------------------------------------------- pixels that stand alone


def _alone(kernel: "Runner", arguments: Arguments, given: Mapping[Any, Any]) -> Results:
    rows = chosen_rows(kernel.inputs, given)
    count = _count(kernel.inputs, rows)
    arrays = {key: as_rows(row, value, (count,)) for key, (row, value) in rows.items()}
    for row in kernel.inputs:
        if row.key not in arrays and row.needed:
            default = _default(row, count, kernel.samples)
            if default is None:
                raise UsageError(f"missing input {row}")
            arrays[row.key] = default
    copies, helpers = 1, None
    if any(value.op.convergent for value in kernel.code(arguments).values()):
        copies = 4  # a quad each: its neighbours see the same
        arrays = {name: np.repeat(array, 4, axis=0) for name, array in arrays.items()}
        helpers = np.arange(copies * count) % 4 != 0
    outputs = run_lanes(kernel, arguments, arrays, RowLanes(count, copies), helpers)
    outputs = {name: array[::copies] for name, array in outputs.items()}
    results = arguments.finish()
    for row in kernel.outputs:
        add_row(results, row, array_of(row, outputs, count))
    results.add(("covered",), _covered(outputs, count))
    return results


def _default(row: SignatureRow, count: int, samples: int) -> Array | None:
    """Return the default of a system value: a pixel is fully covered, with all its samples."""
    usual = {
        SystemValue.IS_FRONT_FACE: FRONT, SystemValue.PRIMITIVE_ID: 0, SystemValue.SAMPLE_INDEX: 0,
        SystemValue.COVERAGE: (1 << samples) - 1, SystemValue.INNER_COVERAGE: 1,
        SystemValue.INSTANCE_ID: 0, SystemValue.RENDER_TARGET_ARRAY_INDEX: 0,
        SystemValue.VIEWPORT_ARRAY_INDEX: 0,
    }  # fmt: skip
    number = usual.get(row.meaning)  # type: ignore[call-overload]
    if number is None:
        return None
    made = np.full((count, len(row.ports)), number, "<u4")
    return made.view(row.dtype)


# ---------------------------------------------------------------- a grid


def quads(width: int, first: int, last: int) -> tuple[Array, Array]:
    """Return x and y of the pixels of rows `first` to `last`, quad by quad, both made even."""
    across, down = (width + 1) // 2, (last - first + 1) // 2
    lane = np.arange(4 * across * down)
    quad = lane // 4
    x = quad % across * 2 + (lane & 1)
    y = quad // across * 2 + (lane >> 1 & 1) + first
    return x, y


def _grid(
    kernel: "Runner", arguments: Arguments, width: int, height: int, given: Mapping[Any, Any]
) -> Results:
    rows = chosen_rows(kernel.inputs, given)
    grids = {key: as_rows(row, value, (height, width)) for key, (row, value) in rows.items()}
    made = {row.key: np.zeros((height, width, len(row.ports)), row.dtype) for row in kernel.outputs}
    covered = np.zeros((height, width), np.bool_)
    step = max(2, BAND // width // 2 * 2)
    for first in range(0, height, step):
        last = min(first + step, height)
        x, y = quads(width, first, last)
        inside = (x < width) & (y < height)
        arrays = {}
        for row in kernel.inputs:
            if row.key in grids:
                arrays[row.key] = grids[row.key][
                    np.minimum(y, height - 1), np.minimum(x, width - 1)
                ]
            elif row.needed:
                arrays[row.key] = _of_the_grid(row, x, y, width, height, kernel.samples)
        helpers = None if inside.all() else ~inside
        outputs = run_lanes(kernel, arguments, arrays, PixelLanes(x, y), helpers)
        x, y = x[inside], y[inside]
        for row in kernel.outputs:
            made[row.key][y, x] = array_of(row, outputs, len(inside))[inside]
        covered[y, x] = _covered(outputs, len(inside))[inside]
        if kernel.progress is not None:
            kernel.progress(last * width, height * width)
    results = arguments.finish()
    for row in kernel.outputs:
        add_row(results, row, made[row.key])
    results.add(("covered",), covered)
    return results


def _of_the_grid(
    row: SignatureRow, x: Array, y: Array, width: int, height: int, samples: int
) -> Array:
    """Return an input of pixels as a full-screen triangle would interpolate it."""
    default = _default(row, len(x), samples)
    if default is not None:
        return default
    if row.meaning == SystemValue.POSITION:
        columns = [x + 0.5, y + 0.5, np.zeros(len(x)), np.ones(len(x))]
        columns = [columns[each] for each in row.components]
    else:
        columns = [(x + 0.5) / width, (y + 0.5) / height, np.zeros(len(x)), np.ones(len(x))]
    return np.stack(columns[: len(row.ports)], axis=1).astype(row.dtype)
