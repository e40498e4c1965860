"""Choice of the overload that a call means, and its arguments as arrays.

Shapes of arguments end with the shape of the parameter; axes before are the batch, and the batches
of all arguments are broadcast as NumPy does.

    float2 swirl(float2 p, float a)      p (480, 640, 2), a ()     ->  (480, 640, 2)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...compilers.signatures import DeclaredParameter
from ...errors import UnshadeError, UsageError
from ...tuples import NamedTuple
from ...vm.launch import Array
from ..binding.suggestions import suggestion
from .overloads import Overload, argument

AT_MOST = 8  # overloads that an error lists


class CalledOverload(NamedTuple):
    """The arguments of one call: arrays of the batch's shape and the parameter's, by position."""

    overload: Overload
    batch: tuple[int, ...]
    values: dict[int, Array]

    @property
    def given(self) -> list[DeclaredParameter]:
        """The parameters that have an argument."""
        return [self.overload.parameters[at].declared for at in self.values]


def chosen_call(
    overloads: Sequence[Overload], args: Sequence[Any], named: Mapping[str, Any]
) -> CalledOverload:
    """Return the call that the arguments mean.

    Of several overloads that take the arguments, the closest is chosen: first by the kinds of
    numbers, then the one whose parameters have most dimensions, then the overload with the fewest
    defaults.

    Raises:
        UsageError: No overload takes them, or several fit equally well; the message lists the
        overloads.
    """
    found: list[tuple[tuple[int, int, int], CalledOverload]] = []
    errors: list[UnshadeError] = []
    for each in overloads:
        if each.refusal is not None:
            errors.append(each.refusal)
            continue
        try:
            made = _arguments(each, args, named)
        except UsageError as error:
            errors.append(error)
            continue
        dimensions = sum(len(each.parameters[at].layout.shape) for at in made.values)
        left = len(each.parameters) - len(made.values)
        found.append(((_distance(made, args, named), -dimensions, left), made))
    if not found and len(overloads) == 1:
        raise errors[0]
    name = overloads[0].function.name
    if not found:
        raise UsageError(f"no overload of {name} takes these arguments{_listed(overloads)}")
    found.sort(key=lambda each: each[0])
    if len(found) > 1 and found[0][0] == found[1][0]:
        raise UsageError(f"several overloads of {name} take these arguments{_listed(overloads)}")
    return found[0][1]


def _listed(overloads: Sequence[Overload]) -> str:
    shown = [f"\n    {each}" for each in overloads[:AT_MOST]]
    more = f"\n    and {len(overloads) - AT_MOST} more" if len(overloads) > AT_MOST else ""
    return f":{''.join(shown)}{more}"


def _arguments(overload: Overload, args: Sequence[Any], named: Mapping[str, Any]) -> CalledOverload:
    name = overload.function.name
    asked = [(at, each) for at, each in enumerate(overload.parameters) if each.declared.read]
    if len(args) > len(asked):
        raise UsageError(f"{name}: expected {len(asked)} arguments, got {len(args)}")
    known = {each.name: at for at, each in asked}
    given = {at: value for (at, _), value in zip(asked, args, strict=False)}
    for key, value in named.items():
        if key not in known:
            raise UsageError(f"{name}: unknown parameter {key!r}{suggestion(key, list(known))}")
        if known[key] in given:
            raise UsageError(f"{name}: parameter {key} is given twice")
        given[known[key]] = value
    missing = [
        str(each.declared)
        for at, each in asked
        if at not in given and not each.declared.has_default
    ]
    if missing:
        raise UsageError(f"{name}: missing argument {', '.join(missing)}")
    last = max(given, default=-1)
    skipped = [each.name for at, each in asked if at not in given and at < last]
    if skipped:
        raise UsageError(f"{name}: {skipped[0]} has no value, but a parameter after it has one")
    values = {at: argument(overload.parameters[at], value) for at, value in sorted(given.items())}
    shapes = {
        at: array.shape[: array.ndim - len(overload.parameters[at].layout.shape)]
        for at, array in values.items()
    }
    try:
        batch = np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{overload.parameters[at].name} {x}" for at, x in shapes.items())
        raise UsageError(f"{name}: shapes cannot be broadcast: {listed}") from None
    return CalledOverload(overload, batch, values)


def _distance(call: CalledOverload, args: Sequence[Any], named: Mapping[str, Any]) -> int:
    """Return how far the kinds of the arguments are from the kinds of the parameters."""
    distance = 0
    names = {each.name: at for at, each in enumerate(call.overload.parameters)}
    asked = [at for at, each in enumerate(call.overload.parameters) if each.declared.read]
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
