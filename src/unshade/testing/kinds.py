"""Kinds of values that a parameter is tested with.

    any          all numbers of the type, NaN, infinities and subnormals too
    finite       all but NaN and infinities
    fraction     0 to 1
    direction    vectors of length 1
    rotation     2 x 2, 3 x 3 and 4 x 4 matrices of rotations; vectors of 4 are quaternions
    colour       fractions; the values of a texture or of a light, and alpha
    (-1, 10)     numbers from -1 to 10

A batch is seeded, and begins with simple values. A failing case is simplified by replacing numbers
with simpler ones: a direction is replaced as a whole, by an axis.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..errors import UsageError
from ..ir.parameters import ValueLayout
from ..run.proving.numbers import edge_values, seeded
from ..run.source_functions.overloads import OverloadParameter
from ..run.stages.functions import dtype_of_parameter
from ..vm.launch import Array

__all__ = ["KINDS", "ValueKinds", "batch", "checked_kind", "parts", "simpler"]

KINDS = ("any", "finite", "fraction", "direction", "rotation", "colour")
ValueKinds: TypeAlias = str | tuple[float, float]
WHOLE = ("direction", "rotation")  # kinds whose numbers depend on each other
SHARES = 4  # of a batch: simple numbers, then edge values among them, edge values, any bits
DIGITS = (0, 1, 2, 4)  # decimals of simpler numbers
SIMPLE = (0, 1, -1)
HALVES = 9  # steps from half of a number to nearly the number itself
LARGEST = 1e30
MOST_ROWS = 4


def checked_kind(parameter: OverloadParameter, kind: Any) -> ValueKinds:
    """Return the kind of a parameter's values; UsageError if the type has no such values."""
    layout = parameter.layout
    words = f"{parameter.name}: {parameter.declared.type}"
    if isinstance(kind, tuple) and len(kind) == 2 and layout.type is not None:
        low, high = kind
        if not low <= high:
            raise UsageError(f"{parameter.name}: expected (least, most), got {kind!r}")
        return low, high
    if not isinstance(kind, str) or kind not in KINDS:
        listed = ", ".join(KINDS)
        raise UsageError(f"{parameter.name}: expected (least, most) or {listed}, got {kind!r:.40}")
    floats = layout.type is not None and layout.type.kind == "f"
    if kind not in ("any", "finite") and not floats:
        raise UsageError(f"{words} has no values of the kind {kind}")
    if kind == "direction" and not layout.shape:
        raise UsageError(f"{words} is no vector, which directions are")
    if kind == "rotation" and not _is_rotation(layout.shape):
        raise UsageError(f"{words} is neither a square matrix nor a vector of 4")
    return kind


def _is_rotation(shape: tuple[int, ...]) -> bool:
    square = len(shape) >= 2 and shape[-1] == shape[-2] and 2 <= shape[-1] <= MOST_ROWS
    return square or shape[-1:] == (4,)


# ---------------------------------------------------------------- batches


def batch(layout: ValueLayout, kind: ValueKinds, count: int, chance: np.random.Generator) -> Array:
    """Return values of a parameter; an axis of cases comes first."""
    dtype = dtype_of_parameter(layout).base
    shape = (count, *layout.shape)
    if dtype.names:
        made = np.zeros(shape, dtype)
        for each in layout.members:
            inner = batch(each.layout, kind, made.size, chance)
            inner = inner.reshape((*shape, *each.layout.shape))
            made[each.name] = np.swapaxes(inner, -1, -2) if each.layout.transposed else inner
        return made
    if isinstance(kind, tuple):
        return _between(*kind, dtype, shape, chance)
    match kind:
        case "fraction" | "colour":
            return _between(0.0, 1.0, dtype, shape, chance)
        case "direction":
            return _directions(shape, chance).astype(dtype)
        case "rotation" if len(layout.shape) >= 2 and shape[-1] == shape[-2]:
            return _rotations(shape, chance).astype(dtype)
        case "rotation":
            return _directions(shape, chance).astype(dtype)
    found = _numbers(dtype, shape, chance)
    if kind == "finite" and dtype.kind == "f":
        found = np.where(np.isfinite(found), found, dtype.type(1))
    return found


def _numbers(dtype: np.dtype[Any], shape: tuple[int, ...], chance: np.random.Generator) -> Array:
    """Return numbers: simple ones, edge values among them, edge values, and random bits."""
    found = seeded(chance, 1, dtype, shape)
    share = -(-shape[0] // SHARES)
    rest = shape[1:]
    found[share : 2 * share] = seeded(chance, 2, dtype, (len(found[share : 2 * share]), *rest))
    edges = edge_values(dtype)
    place = found[2 * share : 3 * share]
    place[...] = chance.choice(edges, place.shape)
    place = found[3 * share :]
    if dtype.kind == "b":
        return found
    bits = chance.integers(0, 256, (*place.shape, dtype.itemsize), dtype=np.uint8)
    place[...] = bits.view(dtype)[..., 0]
    first = min(len(edges), share)
    found[:first] = edges[:first].reshape((first, *(1 for _ in rest)))
    return found


def _between(
    low: float,
    high: float,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    chance: np.random.Generator,
) -> Array:
    """Return numbers of a range: its ends first, then uniform ones."""
    if dtype.kind in "iu":
        found = chance.integers(int(low), int(high), shape, endpoint=True).astype(dtype)
    else:
        with np.errstate(over="ignore"):
            found = (low + (high - low) * chance.random(shape)).astype(dtype)
        found = np.clip(found, dtype.type(low), dtype.type(high))
    found[:1], found[1:2] = dtype.type(low), dtype.type(high)
    ends = chance.random(shape) < 1 / 16
    return np.where(ends, chance.choice(found[:2].reshape(-1), shape), found)


def _directions(shape: tuple[int, ...], chance: np.random.Generator) -> Array:
    """Return vectors of length 1: the axes first."""
    found = chance.standard_normal(shape)
    size = shape[-1]
    axes = np.concatenate([np.eye(size), -np.eye(size)])
    first = min(len(axes), shape[0])
    found[:first] = axes[:first].reshape((first, *(1 for _ in shape[1:-1]), size))
    made: Array = found / np.linalg.norm(found, axis=-1, keepdims=True)
    return made


def _rotations(shape: tuple[int, ...], chance: np.random.Generator) -> Array:
    """Return matrices of rotations: the identity first."""
    found, _ = np.linalg.qr(chance.standard_normal(shape))
    mirrored = np.linalg.det(found) < 0
    found[..., 0] = np.where(mirrored[..., np.newaxis], -found[..., 0], found[..., 0])
    found[:1] = np.eye(shape[-1])
    made: Array = found
    return made


# ---------------------------------------------------------------- simpler values


def parts(
    layout: ValueLayout, kind: ValueKinds, at: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], ValueLayout]]:
    """Yield the places of a value that are replaced independently, with their layouts."""
    if layout.members:
        for place in np.ndindex(layout.shape):
            for each in layout.members:
                yield from parts(each.layout, kind, (*at, *place, each.name))
        return
    depth = len(layout.shape)
    if kind in WHOLE:
        depth -= 1 + (kind == "rotation" and depth >= 2 and layout.shape[-1] == layout.shape[-2])
    for place in np.ndindex(layout.shape[:depth]):
        yield (*at, *place), layout._replace(shape=layout.shape[depth:])


def simpler(value: Any, kind: ValueKinds) -> Sequence[Any]:
    """Return values in place of one, the simplest first, and the value itself last."""
    array = np.asarray(value)
    if array.ndim:
        first: list[Any] = [np.eye(len(array), dtype=array.dtype)]
        if array.ndim == 1:
            first = [*first[0], *-first[0]]
        return [*first, value]
    dtype = array.dtype
    low, high = (0.0, 1.0) if kind in ("fraction", "colour") else (-np.inf, np.inf)
    ends: list[float] = []
    if isinstance(kind, tuple):
        low, high = kind
        ends = [low, high]
    if dtype.kind in "iu":
        low, high = max(low, np.iinfo(dtype).min), min(high, np.iinfo(dtype).max)
    found: list[Any] = []
    for each in [*SIMPLE, *ends, *_smaller(array)]:
        if not low <= each <= high:
            continue
        made = dtype.type(each)
        if made == array:
            break
        if made not in found:
            found.append(made)
    return [*found, array[()]]


def _smaller(array: Array) -> Iterator[float]:
    """Yield numbers of few digits between 0 and a number, then some nearer to it."""
    if array.dtype.kind == "b" or np.isnan(array):
        return
    whole = array.dtype.kind in "iu"
    sign = -1 if array < 0 else 1
    size: Any = abs(int(array)) if whole else abs(float(array))
    most: Any = size if whole else min(size, float(np.finfo(array.dtype).max))
    step = 10
    while step < most and step < LARGEST:
        yield sign * step
        step *= 10
    for shift in range(1, HALVES):
        part = most - (most >> shift) if whole else most * (1 - 0.5**shift)
        yield sign * part if whole else round(sign * part)
    if not whole:
        yield from (round(sign * most, digits) for digits in DIGITS)
        yield sign * most
