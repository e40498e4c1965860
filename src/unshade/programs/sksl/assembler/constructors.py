"""Checks of constructors in the source: `float4(a, b.xy, 1)`.

Source: SkSLConstructor.cpp and its neighbours of Skia's milestone 104.
"""

from ..tree import (
    ArrayDataType,
    ConstructorArray,
    ConstructorStruct,
    DataType,
    Expression,
    StructDataType,
    conversion_cost,
)
from .aggregates import (
    array_cast,
    coerce,
    compound_cast,
    compound_of,
    diagonal,
    has_literal_out_of_range,
    resized,
    scalar_cast,
    splat,
)
from .compilation import Compilation
from .messages import Position
from .type_rules import display, is_opaque, of_component, plain, same, sized
from .values import moved

__all__ = ["construct"]

SLICES = {2: "; use '.xy' instead", 3: "; use '.xyz' instead"}


def construct(
    c: Compilation, position: Position, type_: DataType, arguments: list[Expression]
) -> Expression | None:
    """Return a value constructed from arguments; None after reporting an error."""
    alike = len(arguments) == 1 and same(arguments[0].type, type_)
    if alike and not is_opaque(of_component(type_)):
        return moved(arguments[0], position)
    found = type_.resolved
    if found.is_scalar:
        return _scalar(c, position, type_, arguments)
    if found.is_vector or found.is_matrix:
        if len(arguments) == 1:
            handled, made = _from_one(c, position, type_, arguments[0])
            if handled:
                return made
        return _compound(c, position, type_, arguments)
    if isinstance(found, ArrayDataType) and found.columns > 0:
        return _array(c, position, found, arguments)
    if isinstance(found, StructDataType) and found.members:
        return _struct(c, position, found, arguments)
    c.error(position, f"cannot construct '{display(type_)}'")
    return None


def _scalar(
    c: Compilation, position: Position, type_: DataType, arguments: list[Expression]
) -> Expression | None:
    type_ = plain(type_)
    if len(arguments) != 1:
        c.error(
            position,
            f"invalid arguments to '{display(type_)}' constructor, "
            f"(expected exactly 1 argument, but found {len(arguments)})",
        )
        return None
    given = arguments[0]
    if not given.type.is_scalar:
        hint = ""
        if same(of_component(given.type), type_):
            if given.type.is_vector:
                hint = "; use '.x' instead"
            elif given.type.is_matrix:
                hint = "; use '[0][0]' instead"
        _refuse(c, position, type_, given, hint)
        return None
    if has_literal_out_of_range(c, type_, given):
        return None
    return scalar_cast(c, position, type_, given)


def _refuse(
    c: Compilation, position: Position, type_: DataType, given: Expression, hint: str = ""
) -> None:
    c.error(
        position,
        f"'{display(given.type)}' is not a valid parameter to '{display(type_)}' constructor{hint}",
    )


def _from_one(
    c: Compilation, position: Position, type_: DataType, given: Expression
) -> tuple[bool, Expression | None]:
    """Return whether a single argument is a special case, and the value."""
    new, old = type_.resolved, given.type.resolved
    slots = c.types.slots(new)
    component = of_component(new)
    if new.is_vector and old.is_vector and old.columns > slots and same(old.component, component):
        _refuse(c, position, type_, given, SLICES.get(slots, ""))
        return True, None
    if old.is_scalar:
        cast = _scalar(c, position, component, [given])
        if cast is None:
            return True, None
        return True, (diagonal if new.is_matrix else splat)(c, position, type_, cast)
    if old.is_vector and new.is_vector and old.columns == new.columns:
        return True, compound_cast(c, position, type_, given)
    if old.is_matrix and new.is_matrix:
        cast_type = sized(component, old.columns, old.rows)
        if c.settings.native and same(cast_type, type_):
            cast_type = type_  # which keeps the name of an alias
        cast = compound_cast(c, position, cast_type, given)
        return True, resized(c, position, type_, cast)
    if old.is_matrix and new.is_vector and new.columns == c.types.slots(old) == slots:
        vector = compound_of(c, position, sized(old.component, new.columns), [given])
        return True, compound_cast(c, position, type_, vector)
    return False, None


def _compound(
    c: Compilation, position: Position, type_: DataType, arguments: list[Expression]
) -> Expression | None:
    expected = c.types.slots(type_)
    actual = 0
    cast: list[Expression] = []
    for each in arguments:
        if not each.type.is_scalar and not each.type.is_vector:
            _refuse(c, position, type_, each)
            return None
        wanted = sized(of_component(type_), each.type.columns)
        made = construct(c, position, wanted, [each])
        if made is None:
            return None
        cast.append(made)
        actual += wanted.columns
    if actual != expected:
        c.error(
            position,
            f"invalid arguments to '{display(type_)}' constructor "
            f"(expected {expected} scalars, but found {actual})",
        )
        return None
    return compound_of(c, position, type_, cast)


def _count(c: Compilation, position: Position, type_: DataType, wanted: int, found: int) -> bool:
    if wanted != found:
        c.error(
            position,
            f"invalid arguments to '{display(type_)}' constructor "
            f"(expected {wanted} elements, but found {found})",
        )
    return wanted == found


def _array(
    c: Compilation, position: Position, type_: ArrayDataType, arguments: list[Expression]
) -> Expression | None:
    if c.strict:
        c.error(position, f"construction of array type '{display(type_)}' is not supported")
        return None
    is_cast = len(arguments) == 1 and isinstance(arguments[0].type.resolved, ArrayDataType)
    if is_cast and conversion_cost(arguments[0].type, type_) is not None:
        return array_cast(c, position, type_, arguments[0])
    if not _count(c, position, type_, type_.columns, len(arguments)):
        return None
    cast: list[Expression] = []
    for each in arguments:
        made = coerce(c, each, type_.component)
        if made is None:
            return None
        cast.append(made)
    return ConstructorArray(type=type_, arguments=cast, position=position)


def _struct(
    c: Compilation, position: Position, type_: StructDataType, arguments: list[Expression]
) -> Expression | None:
    if not _count(c, position, type_, len(type_.members), len(arguments)):
        return None
    cast: list[Expression] = []
    for each, member in zip(arguments, type_.members, strict=True):
        made = coerce(c, each, member.type)
        if made is None:
            return None
        cast.append(made)
    return ConstructorStruct(type=type_, arguments=cast, position=position)
