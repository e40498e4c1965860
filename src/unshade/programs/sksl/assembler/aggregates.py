"""Making of vectors, matrices, arrays and structs, and implicit conversions.

Expressions are simplified: `half4(half4(x))`, `float2(one, two)` of constants, casts of constants.
The types fit here; `constructors` checks the constructors in the source.

Source: SkSLConstructor*.cpp and Type::coerceExpression of Skia's milestone 104.
"""

import math
from collections.abc import Callable

from ..tree import (
    ArrayDataType,
    ConstructorArray,
    ConstructorArrayCast,
    ConstructorCompound,
    ConstructorCompoundCast,
    ConstructorDiagonalMatrix,
    ConstructorMatrixResize,
    ConstructorScalarCast,
    ConstructorSplat,
    DataType,
    Expression,
)
from .compilation import Compilation
from .messages import Position, after
from .type_rules import display, is_integer, of_component, range_of, same
from .unfinished import FunctionName, MethodName, TypeName
from .values import (
    LITERALS,
    constant_of,
    holds_constants,
    is_constant,
    literal,
    moved,
    replaced,
    slot,
    slots_of,
)

__all__ = [
    "array_cast",
    "check_range",
    "coerce",
    "compound_cast",
    "compound_of",
    "diagonal",
    "has_literal_out_of_range",
    "is_incomplete",
    "resized",
    "scalar_cast",
    "splat",
]


def is_incomplete(c: Compilation, given: Expression) -> bool:
    """Return True, and report an error, if a name of a function or type is used as a value."""
    if isinstance(given, MethodName):
        wanted = "method call"
    elif isinstance(given, FunctionName):
        wanted = "function call"
    elif isinstance(given, TypeName):
        wanted = "constructor invocation"
    else:
        return False
    c.error(after(given.position), f"expected '(' to begin {wanted}")
    return True


def coerce(c: Compilation, given: Expression | None, wanted: DataType) -> Expression | None:
    """Return an expression converted implicitly; report an error if that is not possible."""
    if given is None or is_incomplete(c, given):
        return None
    if same(given.type, wanted):
        return given
    position = given.position
    if not c.converts(given.type, wanted):
        c.error(position, f"expected '{display(wanted)}', but found '{display(given.type)}'")
        return None
    make = _cast_to(wanted)
    if make is None:
        c.error(position, f"cannot construct '{display(wanted)}'")
        return None
    return make(c, position, wanted, given)


Cast = Callable[[Compilation, Position, DataType, Expression], Expression]


def _cast_to(wanted: DataType) -> Cast | None:
    found = wanted.resolved
    if found.is_scalar:
        return scalar_cast
    if found.is_vector or found.is_matrix:
        return compound_cast
    return array_cast if isinstance(found, ArrayDataType) else None


def check_range(c: Compilation, type_: DataType, value: float, position: Position) -> bool:
    """Report a value that an integer type cannot hold; return True if it is out of range."""
    if not is_integer(type_):
        return False
    low, high = range_of(type_.resolved)
    if low <= value <= high:
        return False
    shown = str(math.floor(value)) if math.isfinite(value) else str(value)
    c.error(position, f"integer is out of range for type '{display(type_)}': {shown}")
    return True


def has_literal_out_of_range(c: Compilation, type_: DataType, given: Expression) -> bool:
    """Report constants in an expression that the components of a type cannot hold."""
    component = of_component(type_)
    if not is_integer(component):
        return False
    value = constant_of(c, given)
    if not holds_constants(value):
        return False
    outside = False
    c.spend(c.types.slots(value.type))
    for known in slots_of(c, value):
        if known is not None:
            outside |= check_range(c, component, known, value.position)
    return outside


def scalar_cast(
    c: Compilation, position: Position, type_: DataType, given: Expression
) -> Expression:
    """Return a scalar as another type."""
    if same(given.type, type_):
        return given
    given = replaced(c, given, position)
    if isinstance(given, LITERALS):
        value = given.value
        if check_range(c, type_, value, given.position):
            value = 0
        return literal(value, type_, position)
    return ConstructorScalarCast(type=type_, arguments=[given], position=position)


def splat(c: Compilation, position: Position, type_: DataType, given: Expression) -> Expression:
    """Return a vector of one scalar."""
    if type_.is_scalar:
        return moved(given, position)
    given = replaced(c, given, position)
    return ConstructorSplat(type=type_, arguments=[given], position=position)


def diagonal(c: Compilation, position: Position, type_: DataType, given: Expression) -> Expression:
    """Return a matrix with a scalar on its diagonal."""
    given = replaced(c, given, position)
    return ConstructorDiagonalMatrix(type=type_, arguments=[given], position=position)


def resized(c: Compilation, position: Position, type_: DataType, given: Expression) -> Expression:
    """Return a matrix in another size."""
    old, new = given.type.resolved, type_.resolved
    if (old.columns, old.rows) == (new.columns, new.rows):
        return given
    return ConstructorMatrixResize(type=type_, arguments=[given], position=position)


def compound_of(
    c: Compilation, position: Position, type_: DataType, arguments: list[Expression]
) -> Expression:
    """Return a vector or matrix of scalars, vectors and matrices."""
    if len(arguments) == 1:
        only = arguments[0]
        if type_.is_scalar or (type_.is_vector and same(only.type, type_)):
            return moved(only, position)
    if c.settings.optimize:
        flat: list[Expression] = []
        for each in arguments:
            flat += each.arguments if isinstance(each, ConstructorCompound) else [each]
        if len(flat) > len(arguments):
            arguments = flat
    arguments = [replaced(c, each, position) for each in arguments]
    return ConstructorCompound(type=type_, arguments=arguments, position=position)


def compound_cast(
    c: Compilation, position: Position, type_: DataType, given: Expression
) -> Expression:
    """Return a vector or matrix with other components."""
    if same(given.type, type_):
        return given
    given = replaced(c, given, position)
    if is_constant(given):
        return _cast_constants(c, position, type_, given)
    return ConstructorCompoundCast(type=type_, arguments=[given], position=position)


def _cast_constants(
    c: Compilation, position: Position, type_: DataType, given: Expression
) -> Expression:
    scalar = of_component(type_)
    if isinstance(given, ConstructorSplat):
        return splat(c, position, type_, scalar_cast(c, position, scalar, given.arguments[0]))
    if isinstance(given, ConstructorDiagonalMatrix):
        return diagonal(c, position, type_, scalar_cast(c, position, scalar, given.arguments[0]))
    cast: list[Expression] = []
    for at in range(c.types.slots(type_)):
        value = slot(c, given, at)
        if value is None or check_range(c, scalar, value, given.position):
            value = 0
        cast.append(literal(value, scalar, position))
    return compound_of(c, position, type_, cast)


def array_cast(
    c: Compilation, position: Position, type_: DataType, given: Expression
) -> Expression:
    """Return an array with other components."""
    if same(given.type, type_):
        return given
    given = replaced(c, given, position)
    if isinstance(given, ConstructorArray) and is_constant(given):
        element = of_component(type_)
        c.spend(c.types.slots(type_))
        cast = [
            (scalar_cast if each.type.is_scalar else compound_cast)(c, each.position, element, each)
            for each in given.arguments
        ]
        return ConstructorArray(type=type_, arguments=cast, position=given.position)
    return ConstructorArrayCast(type=type_, arguments=[given], position=position)
