"""Hypothesis strategies for the parameters of a function.

    @given(arguments(noise.fbm))
    def test_fbm(case):
        assert 0 <= noise.fbm(**case) <= 1

Every call of such a test is a call of one element; `check` calls a batch of 10,000.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError, not_installed
from ..ir.parameters import ValueLayout
from ..run.source_functions.callables import ShaderFunction
from ..run.source_functions.overloads import Overload
from ..run.stages.functions import dtype_of_parameter
from ..vm.launch import Array
from .kinds import ValueKinds, checked_kind

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["arguments", "chosen_overload", "kinds_of", "need_hypothesis"]

SMALLEST = 1e-3  # length of a vector that is made a direction


def need_hypothesis(what: str) -> Any:
    """Return the module of strategies; UnsupportedError if Hypothesis is not installed."""
    try:
        import hypothesis.strategies
    except ImportError:
        raise not_installed(what, "Hypothesis", "testing") from None
    return hypothesis.strategies


def arguments(
    function: ShaderFunction,
    given: Mapping[str, ValueKinds] | None = None,
    *,
    overload: int | None = None,
) -> "SearchStrategy[dict[str, Any]]":
    """Return a Hypothesis strategy for the arguments of one call, by name.

    Args:
        function: A function of `unshade.functions`.
        given: The kinds of values of parameters: `any`, the default, `finite`, `fraction`,
            `direction`, `rotation`, `colour`, or (least, most).
        overload: The number of the overload, of a function with several.

    Raises:
        UsageError: There is no such parameter or overload, or a type has no values of a kind.
        UnsupportedError: Hypothesis is not installed.
    """
    st = need_hypothesis("a strategy")
    chosen = chosen_overload(function, overload)
    kinds = kinds_of(chosen, given or {})
    made = {
        each.name: _values(st, each.layout, kinds[each.name])
        for each in chosen.parameters
        if each.declared.read
    }
    found: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(made)
    return found


def chosen_overload(function: ShaderFunction, overload: int | None) -> Overload:
    """Return an overload; UsageError lists them if none is chosen and there are several."""
    found = function.overloads
    if overload is None and len(found) > 1:
        listed = "".join(f"\n    {at}: {each}" for at, each in enumerate(found))
        raise UsageError(f"several overloads of {function.name}; name one by overload={listed}")
    if not 0 <= (overload or 0) < len(found):
        raise UsageError(f"overload: expected 0 to {len(found) - 1}, got {overload}")
    chosen = found[overload or 0]
    if chosen.refusal is not None:
        raise chosen.refusal
    return chosen


def kinds_of(overload: Overload, given: Mapping[str, Any]) -> dict[str, ValueKinds]:
    """Return the kind of values of each parameter that is read."""
    asked = {each.name: each for each in overload.parameters if each.declared.read}
    for name in given:
        if name not in asked:
            listed = ", ".join(asked) or "none"
            name_of = overload.function.name
            raise UsageError(f"{name_of}: no parameter {name!r} to give; known: {listed}")
    return {name: checked_kind(each, given.get(name, "any")) for name, each in asked.items()}


def _values(st: Any, layout: ValueLayout, kind: ValueKinds) -> Any:
    """Return a strategy for values of a layout."""
    if kind in ("direction", "rotation"):
        return _whole(st, layout, str(kind))
    dtype = dtype_of_parameter(layout).base
    if layout.members:
        members = {each.name: _values(st, each.layout, kind) for each in layout.members}
        one = st.fixed_dictionaries(members)
        return _array(st, one, layout.shape, None)
    return _array(st, _scalars(st, dtype, kind), layout.shape, dtype)


def _array(st: Any, one: Any, shape: tuple[int, ...], dtype: np.dtype[Any] | None) -> Any:
    for size in reversed(shape):
        one = st.lists(one, min_size=size, max_size=size)
    if dtype is None:
        return one
    kind = dtype
    return one.map(lambda value: np.array(value, kind)[()])


def _scalars(st: Any, dtype: np.dtype[Any], kind: ValueKinds) -> Any:
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        low, high = kind if isinstance(kind, tuple) else (limits.min, limits.max)
        return st.integers(int(low), int(high))
    width = 8 * dtype.itemsize
    if isinstance(kind, tuple) or kind in ("fraction", "colour"):
        low, high = kind if isinstance(kind, tuple) else (0.0, 1.0)
        least, most = float(dtype.type(low)), float(dtype.type(high))
        return st.floats(least, most, width=width)
    return st.floats(width=width, allow_nan=kind == "any", allow_infinity=kind == "any")


def _whole(st: Any, layout: ValueLayout, kind: str) -> Any:
    """Return a strategy for directions and rotations, which are made of arbitrary vectors."""
    shape, dtype = layout.shape, dtype_of_parameter(layout).base
    square = kind == "rotation" and len(shape) >= 2 and shape[-1] == shape[-2]
    count = int(np.prod(shape))
    numbers = st.lists(st.floats(-1, 1, width=32), min_size=count, max_size=count)

    def made(values: list[float]) -> Array:
        array = np.array(values, np.float64).reshape(shape)
        if not square:
            length: Array = np.linalg.norm(array, axis=-1, keepdims=True)
            axis = np.eye(1, shape[-1])[0]
            near = np.where(length < SMALLEST, axis, array / np.maximum(length, SMALLEST))
            return near.astype(dtype)
        found, _ = np.linalg.qr(array + np.eye(shape[-1]) * 2)
        mirrored = np.linalg.det(found) < 0
        found[..., 0] = np.where(mirrored[..., np.newaxis], -found[..., 0], found[..., 0])
        return np.asarray(found.astype(dtype))

    return numbers.map(made)
