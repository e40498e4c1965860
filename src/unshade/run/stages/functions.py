"""Functions of a library: an array for each parameter, a call for each row.

    float shade(float3 normal, inout int count)

    normal     float32 (n, 3)       what a call is given
    count      int32 (n,)           what it is given, and what it returns
    result     float32 (n,)         what it returns

Matrices are (n, rows, columns), arrays have their length as an axis, and structures are structured
arrays, or a dict of members for each. A value without the axis n is the same for all calls. Call
number i is lane i: functions with wave operations or derivatives see 32, or four, consecutive rows.

Source: ir.parameters.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ...errors import UsageError
from ...ir.parameters import FunctionParameter, ValueLayout
from ...vm.launch import Array
from ..binding.arguments import Arguments
from ..binding.numbers import as_array, converted, shown
from ..binding.results import Results
from ..binding.suggestions import suggestion
from ..execution import Execution
from ..lanes import RowLanes
from .points import check_count
from .vertices import run_ports

__all__ = [
    "ValueParameter", "argument_array", "call", "dtype_of_parameter", "in_memory_order",
    "parameter_words",
]  # fmt: skip

CALLS = "calls"


class ValueParameter(Protocol):
    """A parameter of a function: its name and the layout of its values."""

    @property
    def name(self) -> str: ...

    @property
    def layout(self) -> ValueLayout: ...


def call(
    execution: Execution, given: Mapping[Any, Any] | Sequence[Any], bindings: Mapping[Any, Any]
) -> Results:
    """Call a function for each row of its arguments, by name or in order."""
    program = execution.program
    arguments = Arguments(program.bindings, bindings)
    parameters = program.lowered.parameters
    values = _chosen(parameters, given)
    count = _count(values)
    lanes = 1 if count is None else count
    check_count(lanes, CALLS)
    memories: dict[Hashable, Array] = dict(arguments.memories)
    rows: list[tuple[FunctionParameter, Array]] = []
    for parameter in parameters:
        array = np.zeros(lanes, dtype_of_parameter(parameter.layout))
        if parameter.name in values:
            _, value = values[parameter.name]
            array[...] = in_memory_order(parameter.layout, value)
        memories[parameter.slot] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        rows.append((parameter, array))
    execution.begin()
    run_ports(execution, arguments, memories, {}, RowLanes(lanes))
    results = arguments.finish()
    for parameter, _ in rows:
        if parameter.written:
            kind = np.dtype(dtype_of_parameter(parameter.layout))
            made = memories[parameter.slot].view(kind.base if kind.subdtype else kind)
            made = made.reshape(lanes, *kind.shape)
            results.add((parameter.name,), _shown(parameter.layout, made, count is not None))
    return results


def dtype_of_parameter(layout: ValueLayout) -> np.dtype[Any]:
    """Return the dtype of a value in memory; transposed matrices have columns before rows."""
    base: np.dtype[Any]
    if layout.type is None:
        fields = {each.name: each for each in layout.members}
        base = np.dtype({
            "names": [*fields],
            "formats": [dtype_of_parameter(each.layout) for each in fields.values()],
            "offsets": [each.offset for each in fields.values()],
            "itemsize": layout.stride,
        })  # fmt: skip
    elif layout.type.kind == "b":
        base = np.dtype(np.bool_)
    else:
        letter = "u" if layout.unsigned else layout.type.kind
        base = np.dtype(f"<{letter}{layout.type.size}")
    shape = layout.shape
    if layout.transposed:
        shape = (*shape[:-2], shape[-1], shape[-2])
    return np.dtype((base, shape)) if shape else base


def parameter_words(parameter: ValueParameter) -> tuple[str, str, str]:
    """Return name, type and shape of a parameter: `normal`, `float32`, `(n, 3)`."""
    sizes = ", ".join(map(str, ("n", *parameter.layout.shape)))
    shape = f"({sizes}{'' if parameter.layout.shape else ','})"
    return parameter.name, _kind(parameter.layout), shape


def _kind(layout: ValueLayout) -> str:
    """Return the type of an element: `float32`, `{float32 position[3], float32 range}`."""
    if layout.type is not None:
        return str(dtype_of_parameter(layout).base)
    members = (
        f"{_kind(each.layout)} {each.name}{''.join(f'[{size}]' for size in each.layout.shape)}"
        for each in layout.members
    )
    return f"{{{', '.join(members)}}}"


def _text(parameter: FunctionParameter) -> str:
    return " ".join(parameter_words(parameter))


def _chosen(
    parameters: Sequence[FunctionParameter], given: Mapping[Any, Any] | Sequence[Any]
) -> dict[str, tuple[FunctionParameter, Array]]:
    """Return the arguments by name, as arrays of the parameters' types."""
    asked = [each for each in parameters if each.read]
    known = {each.name: each for each in asked}
    if not isinstance(given, Mapping):
        if isinstance(given, str | bytes) or not isinstance(given, list | tuple):
            raise UsageError(f"expected a dict or a list of arguments, got {shown(given)}")
        if len(given) > len(asked):
            raise UsageError(f"expected {len(asked)} arguments, got {len(given)}")
        given = dict(zip(known, given, strict=False))
    found = {}
    for name, value in given.items():
        parameter = known.get(name)
        if parameter is None:
            raise UsageError(f"unknown parameter {name!r}{suggestion(str(name), known)}")
        found[parameter.name] = parameter, argument_array(parameter, value)
    missing = [_text(each) for each in asked if each.name not in found]
    if missing:
        raise UsageError(f"missing argument {', '.join(missing)}")
    return found


def argument_array(parameter: ValueParameter, value: Any) -> Array:
    """Return a value of a parameter as an array, for one call or with an axis of calls."""
    kind = dtype_of_parameter(parameter.layout).base
    words = _kind(parameter.layout)
    if kind.names and not isinstance(value, np.ndarray):
        return _structures(parameter.layout, value, parameter.name)
    array = as_array(value, f"{parameter.name}: expected {words}")
    shape = parameter.layout.shape
    if array.ndim not in (len(shape), len(shape) + 1) or (
        array.shape[array.ndim - len(shape) :] != shape
    ):
        wanted = parameter_words(parameter)[2]
        raise UsageError(f"{parameter.name}: expected {words} {wanted}, got {array.shape}")
    if kind.names:
        if array.dtype.names != kind.names:
            names = ", ".join(kind.names)
            raise UsageError(f"{parameter.name}: expected a structured array of {names}")
        return array
    if kind.kind == "b":
        return array.astype(np.bool_)
    given = isinstance(value, np.ndarray) and array.dtype.kind != kind.kind
    if given and "f" in (array.dtype.kind, kind.kind):
        raise UsageError(f"{parameter.name}: expected {kind}, got {array.dtype}")
    return converted(array, kind, parameter.name)


def _structures(layout: ValueLayout, value: Any, where: str) -> Array:
    """Return structures from dicts of their members: one, or a list with one for each call."""
    depth = len(layout.shape)
    shape: tuple[int, ...] = ()
    inner = value
    while isinstance(inner, list | tuple):
        shape += (len(inner),)
        inner = inner[0] if inner else {}
    if len(shape) not in (depth, depth + 1) or shape[len(shape) - depth :] != layout.shape:
        wanted = f"expected a dict of {_kind(layout)}, or a list of them"
        raise UsageError(f"{where}: {wanted}, got {shown(value)}")
    made = np.zeros(shape, dtype_of_parameter(layout).base)
    for place in np.ndindex(shape):
        one = value
        for at, size in zip(place, (len(value), *shape[1:]) if shape else (), strict=True):
            if not isinstance(one, list | tuple) or len(one) != size:
                raise UsageError(f"{where}: expected lists of {size}, got {shown(one)}")
            one = one[at]
        label = where + "".join(f"[{at}]" for at in place)
        made[place] = _structure(layout, one, label)
    return made


def _structure(layout: ValueLayout, value: Any, where: str) -> Array:
    """Return one structure from a dict of its members."""
    if not isinstance(value, Mapping):
        raise UsageError(f"{where}: expected a dict of {_kind(layout)}, got {shown(value)}")
    members = {each.name: each.layout for each in layout.members}
    for name in value:
        if name not in members:
            raise UsageError(f"{where}: unknown member {name!r}{suggestion(str(name), members)}")
    missing = [name for name in members if name not in value]
    if missing:
        raise UsageError(f"{where}: {', '.join(missing)} missing")
    made = np.zeros((), dtype_of_parameter(layout).base)
    for name, inner in members.items():
        label = f"{where}.{name}"
        if inner.type is None:
            array = _structures(inner, value[name], label)
        else:
            kind = dtype_of_parameter(inner).base
            array = as_array(value[name], f"{label}: expected {kind}")
            array = in_memory_order(inner, converted(array, kind, label))
        if array.shape != made[name].shape:
            wanted = f"{' x '.join(map(str, inner.shape)) or 1} numbers"
            raise UsageError(f"{label}: expected {wanted}, got {shown(value[name])}")
        made[name] = array
    return made


def _count(values: Mapping[str, tuple[FunctionParameter, Array]]) -> int | None:
    """Return the number of rows; None if each value is the same for all calls."""
    counts = {
        name: len(array)
        for name, (parameter, array) in values.items()
        if array.ndim > len(parameter.layout.shape)
    }
    if len(set(counts.values())) > 1:
        lengths = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise UsageError(f"arrays of arguments differ in length: {lengths}")
    return next(iter(counts.values()), None)


def in_memory_order(layout: ValueLayout, array: Array) -> Array:
    """Return values with the axes of transposed matrices as in memory, or the reverse."""
    return np.swapaxes(array, -1, -2) if layout.transposed else array


def _shown(layout: ValueLayout, array: Array, rows: bool) -> Array:
    found = in_memory_order(layout, array)
    return found if rows else found[0]
