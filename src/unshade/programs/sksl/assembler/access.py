"""Elements and members: `array[i]`, `matrix[0]`, `struct.member`, `child.eval`.

Source: SkSLIndexExpression.cpp and SkSLFieldAccess.cpp of Skia's milestone 104.
"""

from ..tables.enumerations import OwnerKind
from ..tree import (
    BOOL,
    INT,
    ArrayDataType,
    ConstructorArray,
    ConstructorStruct,
    DataType,
    Expression,
    FieldAccess,
    IndexExpression,
    IntLiteral,
    SettingReference,
    StructDataType,
    VariableReference,
)
from ..tree.types import UNSIZED
from .aggregates import coerce, compound_of
from .compilation import Compilation
from .messages import Position
from .swizzles import select
from .type_rules import display, is_child, is_integer, is_opaque, is_void, of_component, sized
from .unfinished import CAPS, POISON, MethodName, TypeName, functions_of
from .values import constant_int, constant_of, has_effects, literal, moved, slot

__all__ = ["array_size", "array_type", "checked_type", "member", "member_of", "subscript"]

MOST_ELEMENTS = (1 << 31) - 1


def checked_type(c: Compilation, given: DataType, position: Position, *, private: bool) -> DataType:
    """Return a type, or POISON after reporting that the program may not use it."""
    facts = c.types.facts(given)
    if not private and facts.private:
        c.error(position, f"type '{given.name}' is private")
        return POISON
    if c.strict and not facts.in_es2:
        c.error(position, f"type '{given.name}' is not supported")
        return POISON
    return given


def array_type(c: Compilation, element: DataType, size: int, position: Position) -> DataType:
    """Return an array type for a declaration, or POISON after reporting an error."""
    number = literal(size, INT, position)
    count = array_size(c, position, element, number)
    if count is None:
        return POISON
    return checked_type(c, c.array_of(element, count), position, private=True)


def array_size(
    c: Compilation, position: Position, element: DataType, given: Expression
) -> int | None:
    """Return the size of an array; None after reporting an error."""
    size = coerce(c, given, INT)
    if size is None:
        return None
    if isinstance(element.resolved, ArrayDataType):
        c.error(position, "multi-dimensional arrays are not supported")
        return None
    if is_void(element):
        c.error(position, "type 'void' may not be used in an array")
        return None
    if is_opaque(element):
        c.error(position, f"opaque type '{element.name}' may not be used in an array")
        return None
    count = constant_int(c, size)
    if count is None:
        c.error(size.position, "array size must be an integer")
    elif count <= 0:
        c.error(size.position, "array size must be positive")
    elif count > MOST_ELEMENTS:
        c.error(size.position, "array size is too large")
    else:
        return count
    return None


def subscript(
    c: Compilation, position: Position, base: Expression, index: Expression
) -> Expression | None:
    """Return an element of an array, matrix or vector; None after reporting an error."""
    if isinstance(base, TypeName):
        size = array_size(c, position, base.meaning, index)
        if size is None:
            return None
        made = checked_type(c, c.array_of(base.meaning, size), position, private=True)
        return TypeName(meaning=made, position=position)
    type_ = base.type.resolved
    if not (isinstance(type_, ArrayDataType) or type_.is_matrix or type_.is_vector):
        c.error(base.position, f"expected array, but found '{display(base.type)}'")
        return None
    if not is_integer(index.type):
        cast = coerce(c, index, INT)
        if cast is None:
            return None
        index = cast
    known = constant_of(c, index)
    if isinstance(known, IntLiteral) and _out_of_range(c, index.position, known.value, base):
        return None
    return made_subscript(c, position, base, index)


def _out_of_range(c: Compilation, position: Position, index: int, base: Expression) -> bool:
    columns = base.type.resolved.columns
    if index >= 0 and (columns == UNSIZED or index < columns):
        return False
    c.error(position, f"index {index} out of range for '{display(base.type)}'")
    return True


def made_subscript(
    c: Compilation, position: Position, base: Expression, index: Expression
) -> Expression:
    """Return an element in the simplest form; the types fit."""
    known = constant_of(c, index)
    if isinstance(known, IntLiteral) and not _out_of_range(c, index.position, known.value, base):
        simpler = _constant_element(c, position, base, known.value)
        if simpler is not None:
            return simpler
    return IndexExpression(base=base, index=index, position=position)


def _constant_element(
    c: Compilation, position: Position, base: Expression, index: int
) -> Expression | None:
    type_ = base.type.resolved
    if type_.is_vector:
        return select(c, position, base, [index])
    if has_effects(base):
        return None
    value = constant_of(c, base)
    if isinstance(type_, ArrayDataType):
        if isinstance(value, ConstructorArray):
            return moved(value.arguments[index], position)
        return None
    scalar = of_component(type_)
    made: list[Expression] = []
    for row in range(type_.rows):
        known = slot(c, value, index * type_.rows + row)
        if known is None:
            return None
        made.append(literal(known, scalar, value.position))
    return compound_of(c, position, sized(scalar, type_.rows), made)


def member(c: Compilation, position: Position, base: Expression, name: str) -> Expression | None:
    """Return a member of a struct, or a method of a child; None after reporting an error."""
    type_ = base.type.resolved
    if is_child(type_):
        found = c.find(f"${name}")
        functions = functions_of(found) if found is not None else []
        if functions:
            return MethodName(functions=functions, receiver=base, position=position)
        c.error(position, f"type '{display(type_)}' has no method named '{name}'")
        return None
    if isinstance(type_, StructDataType):
        for index, each in enumerate(type_.members):
            if each.name == name:
                return member_of(c, position, base, index)
    if isinstance(base, VariableReference) and type_ is CAPS:
        if c.settings.native:  # of a module, or of a file that another writer made
            return SettingReference(name=name, position=position)
        known = c.settings.capabilities.get(name)
        if known is None:
            c.error(position, f"unknown capability flag '{name}'")
            return None
        return literal(known, BOOL, position)
    c.error(position, f"type '{display(base.type)}' does not have a field named '{name}'")
    return None


def member_of(
    c: Compilation,
    position: Position,
    base: Expression,
    index: int,
    owner: OwnerKind = OwnerKind.DEFAULT,
) -> Expression:
    """Return a member by its number, in the simplest form."""
    value = constant_of(c, base)
    if isinstance(value, ConstructorStruct):
        others = (each for at, each in enumerate(value.arguments) if at != index)
        if not any(map(has_effects, others)):
            return moved(value.arguments[index], position)
    return FieldAccess(base=base, index=index, owner=owner, position=position)
