"""Implicit conversions between types, and the choice of an overload.

    cost        meaning
    None        impossible
    (0, n)      allowed; n steps up in priority, or in the list of a generic type
    (n, 0)      allowed where a program may lose precision: n steps down, float to half

Source: Type::coercionCost, FunctionDeclaration::determineFinalTypes and the search for the best
overload of Skia's milestone 104.
"""

from collections.abc import Iterable, Sequence

from .symbol import Symbol
from .symbols import FunctionDeclaration, NamedSymbol, OverloadSet
from .types import DataType, NumberKind, TypeKind, same_type

__all__ = ["Cost", "best_overload", "call_cost", "conversion_cost", "final_types"]

Cost = tuple[int, int] | None
FREE: Cost = (0, 0)


def conversion_cost(given: DataType, wanted: DataType) -> Cost:
    """Return the cost of converting a value to a type; None if it cannot be converted."""
    given, wanted = given.resolved, wanted.resolved
    if same_type(given, wanted):
        return FREE
    shaped = given.is_vector or given.is_matrix or given.kind is TypeKind.ARRAY
    if shaped and given.kind is wanted.kind:
        if given.columns != wanted.columns or given.rows != wanted.rows:
            return None
        return conversion_cost(given.component, wanted.component)
    if (
        given.is_scalar
        and wanted.is_scalar
        and NumberKind.BOOL not in (given.number, wanted.number)
    ):
        return _number_cost(given, wanted)
    if wanted.kind is TypeKind.GENERIC:
        for at, choice in enumerate(wanted.choices, 1):
            if same_type(given, choice):
                return 0, at
    return None


def _number_cost(given: DataType, wanted: DataType) -> Cost:
    if given.kind is TypeKind.LITERAL and given.number is NumberKind.SIGNED:
        return FREE
    if given.number is not wanted.number:
        return None
    up = wanted.priority - given.priority
    return (0, up) if up >= 0 else (-up, 0)


def final_types(
    function: FunctionDeclaration, given: Sequence[DataType]
) -> tuple[list[DataType], DataType] | None:
    """Return the types of the parameters and of the result for some arguments.

    The first generic parameter decides the types of all generic parameters. None if
    the arguments do not fit.
    """
    if len(function.parameters) != len(given):
        return None
    chosen: int | None = None
    found: list[DataType] = []
    for parameter, argument in zip(function.parameters, given, strict=True):
        wanted = parameter.type.resolved
        if wanted.kind is not TypeKind.GENERIC:
            found.append(parameter.type)
            continue
        if chosen is None:
            costs = (conversion_cost(argument, each) for each in wanted.choices)
            chosen = next((at for at, cost in enumerate(costs) if cost is not None), None)
            if chosen is None:
                return None
        found.append(wanted.choices[chosen])
    returns = function.returns
    if returns.resolved.kind is TypeKind.GENERIC:
        if chosen is None:
            return None
        returns = returns.resolved.choices[chosen]
    return found, returns


def call_cost(function: FunctionDeclaration, given: Sequence[DataType]) -> Cost:
    """Return the cost of converting the arguments of a call; None if they do not fit."""
    final = final_types(function, given)
    if final is None:
        return None
    loses, total = 0, 0
    for argument, wanted in zip(given, final[0], strict=True):
        cost = conversion_cost(argument, wanted)
        if cost is None:
            return None
        loses += cost[0]
        total += cost[1]
    return loses, total


def best_overload(
    function: Symbol, given: Sequence[DataType]
) -> FunctionDeclaration | OverloadSet | NamedSymbol | None:
    """Return the function that fits some arguments best, the first if several are equal.

    The set itself if no function fits, and None if the symbol is not a function.
    """
    if isinstance(function, FunctionDeclaration | NamedSymbol):
        return function
    if not isinstance(function, OverloadSet):
        return None
    return cheapest(function.functions, given) or function


def cheapest(
    functions: Iterable[FunctionDeclaration], given: Sequence[DataType]
) -> FunctionDeclaration | None:
    """Return the first function with the lowest cost; None if none fits."""
    best: tuple[tuple[int, int], FunctionDeclaration] | None = None
    for each in functions:
        cost = call_cost(each, given)
        if cost is not None and (best is None or cost < best[0]):
            best = cost, each
    return None if best is None else best[1]
