"""Vertices, control points and patch constants: arrays by semantic, and the memories of a kernel.

    POSITION  float32 (n, 3, 4)       n primitives of 3 vertices      element 3 * n + 2
    v0.x v0.y v0.z v0.w  v1.x …       where each stands: Points.ports

Source: ir.lowered.Points.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...ir.lowered import Points
from ...ir.sources import LANES
from ...model import SystemValue
from ...vm.launch import Array, dtype
from ...vocab.slots import Direction, PortSlot, Rate
from ..binding.arguments import Arguments
from ..execution import Execution
from ..lanes import PrimitiveLanes
from ..signature import (
    KernelSignature,
    Key,
    SignatureRow,
    as_rows,
    bits_of,
    missing_inputs,
    of_port,
)
from .vertices import chosen_rows, run_ports

BATCH = 1 << 26  # bytes of vertices that one call of an engine makes at most
Chosen = Mapping[Key, tuple[SignatureRow, Array]]


def new(points: Points, lanes: int) -> Array:
    """Return a zeroed memory for a number of lanes: (lanes, points, words)."""
    return np.zeros((lanes, points.count, points.stride // 4), "<u4")


def plain(array: Array) -> Array:
    """Return the bytes of a memory in one dimension, as engines expect them."""
    return array.reshape(-1).view(np.uint8)


def fill(
    points: Points, signature: KernelSignature, arrays: Mapping[Key, Array], lanes: int
) -> Array:
    """Return the memory filled with arrays (lanes, points, components) by semantic."""
    made = new(points, lanes)
    data = made.view(np.uint8)
    for key, array in arrays.items():
        for at, port in enumerate(signature.rows[key].ports):
            if port is not None:
                column = bits_of(port, np.ascontiguousarray(array[..., at]))
                first, size = points.ports[port], column.itemsize
                data[..., first : first + size] = column[..., np.newaxis].view(np.uint8)
    return made


def taken(points: Points, row: SignatureRow, words: Array) -> Array:
    """Return the array (…, components) of a semantic from memory (…, words)."""
    made = np.zeros((*words.shape[:-1], len(row.ports)), row.dtype)
    data = np.ascontiguousarray(words).view(np.uint8)
    for at, port in enumerate(row.ports):
        if port is not None:
            kind = dtype(port.type)
            first = points.ports[port]
            column = np.ascontiguousarray(data[..., first : first + kind.itemsize])
            made[..., at] = of_port(column.view(kind)[..., 0], row)
    return made


@dataclass(slots=True)
class GivenPrimitives:
    """Primitives or patches that a call supplies: their points by semantic, and their numbers."""

    chosen: Chosen
    arrays: dict[Key, Array]
    count: int
    numbers: Array


def given_primitives(
    execution: Execution, given: Mapping[Any, Any] | int, what: str, points: str
) -> GivenPrimitives:
    """Return the primitives or patches of a call: arrays of points, or how many without inputs."""
    program = execution.program
    chosen = chosen_rows(program.inputs, {} if isinstance(given, int) else given)
    count = given if isinstance(given, int) else common_length(chosen, points)
    if count is None:
        wanted = ", ".join(str(row) for row in program.inputs if row.asked)
        if not wanted:
            raise UsageError(f"this shader has no inputs: expected a number of {what}")
        raise UsageError(f"no arrays of {points}: expected {wanted}")
    check_count(count, what)
    arrays = shaped(chosen, count)
    complete((program.inputs, arrays))
    return GivenPrimitives(chosen, arrays, count, numbers(count, arrays, program.inputs))


def check_count(count: int, what: str) -> None:
    """Raise UsageError if a number of primitives, patches or calls cannot be run."""
    if not 0 <= count < LANES:
        raise UsageError(f"expected 0 to {LANES - 1} {what}, got {count}")


def common_length(chosen: Chosen, what: str) -> int | None:
    """Return the length of the arrays; None if each is one value for all."""
    counts: dict[str, int] = {}
    for row, value in chosen.values():
        full = 1 + bool(row.points) + (len(row.ports) > 1)
        if value.ndim >= full or _alone(row, value):
            counts[row.label] = len(value)
    if len(set(counts.values())) > 1:
        words = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise UsageError(f"arrays of {what} differ in length: {words}")
    return next(iter(counts.values()), None)


def shaped(chosen: Chosen, count: int) -> dict[Key, Array]:
    """Return arrays (count, points, components), or (count, components) for rows without points."""
    made = {}
    for key, (row, value) in chosen.items():
        lanes = (count, row.points) if row.points else (count,)
        if row.fewer:
            value = _padded(row, value)  # noqa: PLW2901
        made[key] = as_rows(row, value[:, np.newaxis] if _alone(row, value) else value, lanes)
    return made


def _padded(row: SignatureRow, value: Array) -> Array:
    """Return an array of points, padded with zeros for missing points."""
    missing = row.points - value.shape[1] if _has_points(row, value) else 0
    if missing <= 0:
        return value
    padding = [(0, 0)] * value.ndim
    padding[1] = 0, missing
    return np.pad(value, padding)


def _has_points(row: SignatureRow, value: Array) -> bool:
    if len(row.ports) > 1 or value.shape[2:] == (1,):  # one component may keep its axis
        return bool(row.points) and value.ndim == 3
    return bool(row.points) and value.ndim == 2


def points_given(chosen: Chosen, points: Points) -> int:
    """Return the number of points of each patch that a call supplies."""
    given = (value.shape[1] for row, value in chosen.values() if _has_points(row, value))
    return max(given, default=points.count) if points.fewer else points.count


def _alone(row: SignatureRow, value: Array) -> bool:
    """Return True if the axis of points is left out, since there is one point."""
    shape = value.shape
    components = len(row.ports)
    if row.points != 1:
        return False
    if components > 1:
        return len(shape) == 2
    return len(shape) == 1 and shape != (1,)  # that is one value for all


PRIMITIVE_NUMBER = PortSlot(Direction.INPUT, Rate.PRIMITIVE, SystemValue.PRIMITIVE_ID)


def numbers(count: int, arrays: Mapping[Key, Array], signature: KernelSignature) -> Array:
    """Return the number of each primitive or patch: as supplied, or from 0 on."""
    row = signature.by_meaning(SystemValue.PRIMITIVE_ID)
    if row is not None and row.key in arrays and not row.points:
        return arrays[row.key][:, 0].astype("<u4")
    return np.arange(count, dtype="<u4")


def complete(*given: tuple[KernelSignature, Mapping[Key, Array]]) -> None:
    """Raise UsageError if inputs that the shader needs are missing among the given arrays."""
    absent = [
        row
        for signature, arrays in given
        for row in signature
        if row.asked and row.key not in arrays
    ]
    if absent:
        raise missing_inputs(absent)


def of_points(signature: KernelSignature, arrays: Mapping[Key, Array]) -> dict[Key, Array]:
    """Return the arrays that have an axis of points."""
    return {key: array for key, array in arrays.items() if signature.rows[key].points}


def run_points(
    execution: Execution,
    arguments: Arguments,
    memories: Mapping[Any, Array],
    own: Mapping[Any, Array],
    lanes: PrimitiveLanes,
) -> dict[Hashable, Array]:
    """Run the lanes over their memories; return the bits of each output port. Input ports that are
    not in `own` are 0.
    """
    zero = np.zeros(lanes.count, "<u4")
    inputs = {
        port.key: own.get(port.key, zero).view(dtype(port.type))
        for port in execution.code(arguments).inputs
    }
    return run_ports(execution, arguments, memories, inputs, lanes)
