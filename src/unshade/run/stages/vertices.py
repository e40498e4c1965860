"""Vertices and separate pixels as lanes: arrays in, lanes, arrays out."""

from collections.abc import Hashable, Mapping
from operator import index
from typing import Any

import numpy as np

from ...errors import UsageError
from ...model import SystemValue
from ...vm.launch import Array, Launch, dtype
from ...vm.prepare import COVERED
from ...vm.prepared import traits_of
from ...vocab.slots import PortSlot
from ..binding.arguments import Arguments
from ..binding.numbers import shown
from ..binding.results import Results
from ..execution import Execution
from ..lanes import Lanes, PixelLanes, RowLanes
from ..signature import (
    ZERO,
    KernelSignature,
    Key,
    SignatureRow,
    array_of,
    as_rows,
    bits,
    missing_inputs,
    typed,
)
from .places import add_places

FRONT = 0xFFFF_FFFF
VERTICES = 3  # of a primitive, as a pixel shader sees it


def transform(
    execution: Execution, given: Mapping[Any, Any] | int, bindings: Mapping[Any, Any]
) -> Results:
    """Run a vertex shader over arrays, or over a number of vertices without inputs."""
    program = execution.program
    arguments = Arguments(program.bindings, bindings)
    rows = chosen_rows(program.inputs, {} if isinstance(given, int) else given)
    count = given if isinstance(given, int) else row_count(program.inputs, rows)
    if count < 0:
        raise UsageError(f"expected a number of vertices, got {count}")
    arrays = {key: as_rows(row, value, (count,)) for key, (row, value) in rows.items()}
    absent = []
    for row in program.inputs:
        if row.key in arrays or not row.needed:
            continue
        if row.meaning == SystemValue.VERTEX_ID:
            arrays[row.key] = np.arange(count, dtype=row.dtype)[:, np.newaxis]
        elif row.meaning == SystemValue.INSTANCE_ID:
            arrays[row.key] = np.zeros((count, 1), row.dtype)
        elif row.meaning in ZERO:
            arrays[row.key] = np.zeros((count, len(row.ports)), row.dtype)
        else:
            absent.append(row)
    if absent:
        raise missing_inputs(absent)
    execution.begin()
    outputs = run_lanes(execution, arguments, arrays, RowLanes(count))
    results = arguments.finish()
    for row in program.outputs:
        add_row(results, row, array_of(row, outputs, count))
    return results


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
        found = signature.find(name if isinstance(name, PortSlot) else str(name))
        for row, array in _by_vertex(signature, found, typed(found, value)):
            if row.key in chosen:
                raise UsageError(f"{row.label} is given twice")
            chosen[row.key] = row, array
    return chosen


def _by_vertex(
    signature: KernelSignature, row: SignatureRow, array: Array
) -> list[tuple[SignatureRow, Array]]:
    """Return the rows that an array is for: one, or one for each vertex of the primitive.

    An input that a pixel shader reads at the vertices has an axis of vertices before its
    components.
    """
    rows = [
        each for each in signature if each.vertex is not None and each.interpolated.key == row.key
    ]
    if row.needed or not rows:
        return [(row, array)]
    components = len(row.ports)
    axis = -1 if components == 1 and array.shape[-1:] != (1,) else -2
    if array.ndim < -axis or array.shape[axis] != VERTICES:
        raise UsageError(
            f"{row.label}: expected values of {VERTICES} vertices, (…, {VERTICES}, {components}),"
            f" got {array.shape}; or {', '.join(each.label for each in rows)}"
        )
    return [(each, array.take(each.vertex or 0, axis)) for each in rows]


def row_count(
    signature: KernelSignature,
    rows: Mapping[Key, tuple[SignatureRow, Array]],
    without: str = "a number of vertices",
) -> int:
    """Return the number of rows of the arrays, which must be equal for all arrays.

    Single values are of one row, if no array is given.
    `without` names, for the error message, the argument that a shader without inputs takes.
    """
    several = {
        row.label: len(array)
        for row, array in rows.values()
        if array.ndim > 1 or (array.ndim and len(row.ports) == 1)
    }
    if not several and rows:
        return 1
    if not several:
        wanted = ", ".join(str(row) for row in signature if row.asked)
        if not wanted:
            raise UsageError(f"this shader has no inputs: expected {without}")
        raise UsageError(f"no arrays of inputs: expected {wanted}")
    if len(set(several.values())) > 1:
        lengths = ", ".join(f"{name} {count}" for name, count in several.items())
        raise UsageError(f"arrays of inputs differ in length: {lengths}")
    return next(iter(several.values()))


def run_lanes(
    execution: Execution,
    arguments: Arguments,
    arrays: Mapping[Key, Array],
    lanes: Lanes,
    helpers: Array | None = None,
    own: Mapping[Any, Array] | None = None,
) -> dict[Hashable, Array]:
    """Run lanes over arrays (lanes, components) of inputs; return the bits of each output.

    `own` are inputs of ports that no array has; places.py describes those for other places in a
    pixel where they are absent.
    """
    inputs: dict[Hashable, Array] = dict(own or {})
    for key, array in arrays.items():
        inputs.update(bits(execution.program.inputs.rows[key], array))
    ports = execution.code(arguments).inputs
    add_places(ports, inputs, lanes.count, quads=isinstance(lanes, PixelLanes))
    return run_ports(execution, arguments, arguments.memories, inputs, lanes, helpers)


def run_ports(
    execution: Execution,
    arguments: Arguments,
    memories: Mapping[Any, Array],
    inputs: Mapping[Any, Array],
    lanes: Lanes,
    helpers: Array | None = None,
) -> dict[Hashable, Array]:
    """Run lanes over the bits of the input ports; return the bits of each output port."""
    count = lanes.count
    ports = execution.code(arguments).outputs
    outputs = {port.key: np.zeros(count, dtype(port.type)) for port in ports}
    launch = Launch(
        memories, items=count, inputs=inputs, outputs=outputs, helpers=helpers,
        budget=execution.budget,
    )  # fmt: skip
    execution.launch(arguments, launch, lanes)
    return outputs


def add_row(results: Results, row: SignatureRow, array: Array) -> None:
    """Add an output under its semantic; a single component has no axis of components."""
    alone = array.shape[-1] == 1
    results.add(
        result_names(row), array[..., 0] if alone else array,
        semantic=True, slots=row.places, shared=row.shared_slots, alone=alone,
    )  # fmt: skip


def result_names(row: SignatureRow) -> tuple[str, ...]:
    """Return the names of an output among results: its register's, its others, its own."""
    register = row.label_of_register
    also = (register,) if row.by_register and register and register not in row.names else ()
    return (*also, *row.names)


def covered_of(outputs: dict[Hashable, Array], count: int) -> Array:
    """Return which lanes were not discarded."""
    found = outputs.get(COVERED)
    return np.ones(count, np.bool_) if found is None else found.astype(np.bool_)


# ---------------------------------------------------------------- pixels that stand alone


def shade_alone(
    execution: Execution, arguments: Arguments, given: Mapping[Any, Any] | int
) -> Results:
    """Run a pixel shader over arrays of inputs, or over a number of pixels without inputs."""
    program = execution.program
    rows = chosen_rows(program.inputs, {} if isinstance(given, int) else given)
    without = "a grid (width, height) or a number of pixels"
    count = given if isinstance(given, int) else row_count(program.inputs, rows, without)
    if count < 0:
        raise UsageError(f"expected a number of pixels, got {count}")
    arrays = {key: as_rows(row, value, (count,)) for key, (row, value) in rows.items()}
    absent = []
    for row in program.inputs:
        if row.key not in arrays and row.needed:
            default = default_of(row, count, execution.samples)
            if default is None:
                absent.append(row)
            else:
                arrays[row.key] = default
    if absent:
        raise missing_inputs(absent)
    copies, helpers = 1, None
    if traits_of(execution.code(arguments)).convergent:
        copies = 4  # a quad each: its neighbours see the same
        arrays = {name: np.repeat(array, 4, axis=0) for name, array in arrays.items()}
        helpers = np.arange(copies * count) % 4 != 0
    outputs = run_lanes(execution, arguments, arrays, RowLanes(count, copies), helpers)
    outputs = {name: array[::copies] for name, array in outputs.items()}
    results = arguments.finish()
    for row in program.outputs:
        add_row(results, row, array_of(row, outputs, count))
    results.add(("covered",), covered_of(outputs, count))
    return results


def default_of(row: SignatureRow, count: int, samples: int) -> Array | None:
    """Return the default of a system value: a pixel is fully covered, with all its samples."""
    usual = {
        SystemValue.IS_FRONT_FACE: FRONT, SystemValue.PRIMITIVE_ID: 0, SystemValue.SAMPLE_INDEX: 0,
        SystemValue.COVERAGE: (1 << samples) - 1, SystemValue.INNER_COVERAGE: 1,
        SystemValue.INSTANCE_ID: 0, SystemValue.RENDER_TARGET_ARRAY_INDEX: 0,
        SystemValue.VIEWPORT_ARRAY_INDEX: 0, SystemValue.SHADINGRATE: 0,
    }  # fmt: skip
    if row.meaning in (SystemValue.SAMPLE_POSITION, SystemValue.POINT_COORD):
        return np.full((count, len(row.ports)), 0.5, row.dtype)
    number = 0 if row.meaning in ZERO else usual.get(row.meaning)  # type: ignore[call-overload]
    if number is None:
        return None
    made = np.full((count, len(row.ports)), number, "<u4")
    return made.view(row.dtype)
