"""Types in LLVM assembly."""

from ..model.types import FLOAT_BITS, DxilType
from .cursor import Cursor
from .scope import TextScope

__all__ = ["define_structure", "read_space", "read_type"]

PRIMITIVES = ("void", "label", "metadata", "x86_mmx")


def define_structure(cursor: Cursor, scope: TextScope) -> None:
    """Read `%name = type { … }`."""
    token = cursor.next()
    cursor.expect("=")
    cursor.expect("type")
    made = scope.definitions.structure(cursor, scope, token)
    if cursor.accept("opaque"):
        return
    if made.elements is not None:
        cursor.fail(f"expected one definition of {token.text}", token)
    packed = cursor.accept("<")
    made.elements = _elements(cursor, scope, 0)
    made.packed = packed
    if packed:
        cursor.expect(">")


def _elements(cursor: Cursor, scope: TextScope, depth: int) -> list[DxilType]:
    cursor.expect("{")
    found: list[DxilType] = []
    while not cursor.accept("}"):
        if found:
            cursor.expect(",")
        found.append(read_type(cursor, scope, depth + 1))
    return found


def read_type(cursor: Cursor, scope: TextScope, depth: int = 0) -> DxilType:
    """Read a type."""
    if depth > scope.limits.depth:
        cursor.fail("expected a type with less nesting")
    token = cursor.token
    known = scope.words.get(token.text) if token.kind == "word" else None
    if known is not None:
        cursor.next()
    found = known or _base(cursor, scope, depth)
    while True:
        text = cursor.token.text
        if text == "*":
            cursor.next()
            found = scope.types.pointer(found)
        elif text == "addrspace":
            space = read_space(cursor)
            cursor.expect("*")
            found = scope.types.pointer(found, space)
        elif text == "(":
            found = _function(cursor, scope, found, depth)
        else:
            break
        if found.size > scope.limits.members or found.depth > scope.limits.depth:
            cursor.fail("expected a smaller type")
    return found


def read_space(cursor: Cursor) -> int:
    """Read `addrspace(n)`."""
    cursor.expect("addrspace")
    cursor.expect("(")
    space = cursor.take_number()
    cursor.expect(")")
    return space


def _function(cursor: Cursor, scope: TextScope, result: DxilType, depth: int) -> DxilType:
    cursor.expect("(")
    parameters: list[DxilType] = []
    vararg = False
    while not cursor.accept(")"):
        if parameters or vararg:
            cursor.expect(",")
        if cursor.accept("..."):
            vararg = True
        else:
            parameters.append(read_type(cursor, scope, depth + 1))
    return scope.types.function(result, parameters, vararg)


def _base(cursor: Cursor, scope: TextScope, depth: int) -> DxilType:
    token = cursor.token
    if token.kind == "local":
        cursor.next()
        return scope.definitions.structure(cursor, scope, token)
    if token.kind == "word":
        if token.text == "ptr":
            cursor.next()
            scope.opaque = True
            space = read_space(cursor) if cursor.token.text == "addrspace" else 0
            return scope.types.pointer(scope.types.integer(8), space)
        found = _of_word(scope, token.text)
        if found is not None:
            cursor.next()
            scope.words[token.text] = found
            return found
    elif cursor.accept("{"):
        cursor.at -= 1
        return scope.types.literal(_elements(cursor, scope, depth))
    elif cursor.accept("["):
        count, element = _sequence(cursor, scope, depth)
        cursor.expect("]")
        return scope.types.array(count, element)
    elif cursor.accept("<"):
        if cursor.token.text == "{":
            found = scope.types.literal(_elements(cursor, scope, depth), packed=True)
        else:
            count, element = _sequence(cursor, scope, depth)
            found = scope.types.vector(count, element)
        cursor.expect(">")
        return found
    cursor.expected("a type")


def _of_word(scope: TextScope, text: str) -> DxilType | None:
    """Return the type that a word means on its own, if any."""
    if text in PRIMITIVES:
        return scope.types.primitive(text)
    if text in FLOAT_BITS:
        return scope.types.floating(text)
    if text[0] == "i" and text[1:].isdigit() and 0 < int(text[1:9]) < 1 << 23:
        return scope.types.integer(int(text[1:9]))
    return None


def _sequence(cursor: Cursor, scope: TextScope, depth: int) -> tuple[int, DxilType]:
    count = cursor.take_number("the number of elements")
    if not 0 <= count < 1 << 64:
        cursor.fail(f"expected a number of elements below 2^64, got {count}")
    cursor.expect("x")
    return count, read_type(cursor, scope, depth + 1)
