"""Choice of the overload that a call means, and its arguments as arrays.

Shapes of arguments end with the shape of the parameter; axes before are the batch, and the batches
of all arguments are broadcast as NumPy does.

    float2 swirl(float2 p, float a)      p (480, 640, 2), a ()     ->  (480, 640, 2)
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compilers.signatures import DeclaredFunction, DeclaredParameter
from ...errors import UsageError
from ...ir.parameters import ValueLayout
from ...vm.launch import Array
from ..binding.numbers import as_array, converted
from ..binding.suggestions import suggestion
from ..stages.functions import argument_array, dtype_of_parameter
from .wrapper import layout_of, refusal

AT_MOST = 8  # overloads that an error lists


class Valued(NamedTuple):
    """The name and layout of a parameter."""

    name: str
    layout: ValueLayout


class CalledOverload(NamedTuple):
    """The arguments of one call: arrays of the batch's shape and the parameter's, by position."""

    function: DeclaredFunction
    batch: tuple[int, ...]
    values: dict[int, Array]

    @property
    def given(self) -> list[DeclaredParameter]:
        """The parameters that have an argument."""
        return [self.function.parameters[at] for at in self.values]


def chosen_call(
    overloads: Sequence[DeclaredFunction], args: Sequence[Any], named: Mapping[str, Any]
) -> CalledOverload:
    """Return the call that the arguments mean.

    Of several overloads that take the arguments, the closest is chosen: first by the kinds of
    numbers, then the one whose parameters have most dimensions, then that with least defaults left.

    Raises:
        UsageError: No overload takes them, or several do equally well; lists the overloads.
    """
    found: list[tuple[tuple[int, int, int], CalledOverload]] = []
    errors = []
    for each in overloads:
        try:
            made = _arguments(each, args, named)
        except UsageError as error:
            errors.append(error)
            continue
        dimensions = sum(len(each.parameters[at].type.shape) for at in made.values)
        left = len(each.parameters) - len(made.values)
        found.append(((_distance(made, args, named), -dimensions, left), made))
    if not found and len(overloads) == 1:
        raise errors[0]
    name = overloads[0].name
    if not found:
        raise UsageError(f"no overload of {name} takes these arguments{_listed(overloads)}")
    found.sort(key=lambda each: each[0])
    if len(found) > 1 and found[0][0] == found[1][0]:
        raise UsageError(f"several overloads of {name} take these arguments{_listed(overloads)}")
    return found[0][1]


def _listed(overloads: Sequence[DeclaredFunction]) -> str:
    shown = [f"\n    {each}" for each in overloads[:AT_MOST]]
    more = f"\n    and {len(overloads) - AT_MOST} more" if len(overloads) > AT_MOST else ""
    return f":{''.join(shown)}{more}"


def _arguments(
    function: DeclaredFunction, args: Sequence[Any], named: Mapping[str, Any]
) -> CalledOverload:
    for each in (*function.parameters, *_result(function)):
        why = refusal(each.type)
        if why:
            raise UsageError(f"{function.name}: {each.name}: {why}")
    asked = [(at, each) for at, each in enumerate(function.parameters) if each.read]
    if len(args) > len(asked):
        raise UsageError(f"{function.name}: expected {len(asked)} arguments, got {len(args)}")
    known = {each.name: at for at, each in asked}
    given = {at: value for (at, _), value in zip(asked, args, strict=False)}
    for name, value in named.items():
        if name not in known:
            raise UsageError(
                f"{function.name}: unknown parameter {name!r}{suggestion(name, list(known))}"
            )
        if known[name] in given:
            raise UsageError(f"{function.name}: parameter {name} is given twice")
        given[known[name]] = value
    missing = [str(each) for at, each in asked if at not in given and not each.has_default]
    if missing:
        raise UsageError(f"{function.name}: missing argument {', '.join(missing)}")
    last = max(given, default=-1)
    skipped = [each.name for at, each in asked if at not in given and at < last]
    if skipped:
        raise UsageError(f"{function.name}: {skipped[0]} has to be given with what follows it")
    values = {at: _argument(function.parameters[at], value) for at, value in sorted(given.items())}
    shapes = {at: _batch(function.parameters[at], array) for at, array in values.items()}
    try:
        batch = np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{function.parameters[at].name} {x}" for at, x in shapes.items())
        raise UsageError(f"{function.name}: shapes cannot be broadcast: {listed}") from None
    return CalledOverload(function, batch, values)


def _result(function: DeclaredFunction) -> list[DeclaredParameter]:
    return [] if function.result is None else [DeclaredParameter("result", function.result)]


def _argument(parameter: DeclaredParameter, value: Any) -> Array:
    """Return an argument as an array that ends with the parameter's shape."""
    layout = layout_of(parameter.type)
    valued = Valued(parameter.name, layout)
    kind = np.dtype(dtype_of_parameter(layout)).base
    if kind.names and not isinstance(value, np.ndarray):
        return argument_array(valued, value)
    array = as_array(value, f"{parameter.name}: expected {parameter.type}")
    if not isinstance(value, np.ndarray) and kind.kind in "iuf":
        array = converted(array, kind, parameter.name)
    depth = len(layout.shape)
    if array.ndim < depth or array.shape[array.ndim - depth :] != layout.shape:
        raise UsageError(
            f"{parameter.name}: expected {parameter.type}, an array whose shape ends with"
            f" {layout.shape}, got {array.shape}"
        )
    batch = array.shape[: array.ndim - depth]
    rows = argument_array(valued, array.reshape((-1, *layout.shape)))
    return rows.reshape((*batch, *layout.shape))


def _batch(parameter: DeclaredParameter, array: Array) -> tuple[int, ...]:
    return array.shape[: array.ndim - len(parameter.type.shape)]


def _distance(call: CalledOverload, args: Sequence[Any], named: Mapping[str, Any]) -> int:
    """Return how far the kinds of the arguments are from the kinds of the parameters."""
    distance = 0
    names = {each.name: at for at, each in enumerate(call.function.parameters)}
    asked = [at for at, each in enumerate(call.function.parameters) if each.read]
    places = [*zip(asked, args, strict=False), *((names[x], y) for x, y in named.items())]
    for at, value in places:
        wanted = call.values[at].dtype
        array = np.asarray(value)
        if array.dtype == wanted:
            continue
        exact = isinstance(value, np.ndarray | np.generic)
        distance += 1 if array.dtype.kind == wanted.kind and not exact else 2
        distance += 4 * (array.dtype.kind != wanted.kind)
        distance += wanted.itemsize != 4  # float and int are what a literal is
    return distance
