"""Attributes, linkage, visibility and calling conventions in LLVM assembly."""

from collections.abc import Iterable

from ..model.values import AttributeGroup, AttributeList, FunctionAttribute, GlobalValue
from ..tables.llvm_enumerations import ATTRIBUTES, LINKAGES, VISIBILITIES
from ..text.conventions import CONVENTIONS, STORAGE_CLASSES
from .cursor import Cursor
from .later import DROPPED, MEMORY, PREEMPTION, TYPED, memory_attributes
from .scope import TextScope
from .tokens import AssemblyToken, unescaped

__all__ = [
    "NUMBERS",
    "attribute_group",
    "attribute_list",
    "inline_attributes",
    "read_convention",
    "read_linkage",
]

NUMBERS = {name: number for number, name in ATTRIBUTES.items()}
WORDS = frozenset((*NUMBERS, *DROPPED, MEMORY))
WITH_NUMBER = frozenset(("align", "alignstack", "dereferenceable", "dereferenceable_or_null"))
# The numbers that LLVM 3.7 writes; older ones read as the same words.
LINKAGE_NUMBERS = {name: number for number, name in LINKAGES.items() if name}
LINKAGE_NUMBERS["private"] = 9
VISIBILITY_NUMBERS = {name: number for number, name in VISIBILITIES.items() if name}
STORAGE_NUMBERS = {name: number for number, name in STORAGE_CLASSES.items() if name}
CONVENTION_NUMBERS = {name: number for number, name in CONVENTIONS.items() if name}


def attribute_list(
    cursor: Cursor,
    scope: TextScope,
    places: Iterable[list[FunctionAttribute]],
    group: AssemblyToken | None,
) -> AttributeList | None:
    """Return attributes of the result, of the parameters, and of the function; None without any.

    Args:
        cursor: The text.
        scope: The module.
        places: The attributes of the result and of each parameter.
        group: The reference to the attributes of the function.
    """
    found = [scope.pool.group(index, each) for index, each in enumerate(places) if each]
    if group is not None:
        if group.text not in scope.groups:
            cursor.fail(f"unknown attributes {group.text:.60}", group)
        found.append(scope.groups[group.text])
    return scope.pool.attributes(found)


def attribute_group(cursor: Cursor, scope: TextScope, start: int) -> None:
    """Read `attributes #0 = { … }`."""
    cursor.at = start
    cursor.expect("attributes")
    token = cursor.take("group", "the number of a group")
    if token.text in scope.groups:
        cursor.fail(f"expected one definition of {token.text}", token)
    cursor.expect("=")
    cursor.expect("{")
    found: list[FunctionAttribute] = []
    while not cursor.accept("}"):
        found += _attribute(cursor)
    scope.groups[token.text] = scope.pool.group(AttributeGroup.FUNCTION, found)


def _attribute(cursor: Cursor) -> list[FunctionAttribute]:
    """Read an attribute; convert later versions' attributes to LLVM 3.7's."""
    token = cursor.next()
    if token.kind == "text" and token.text.startswith('"'):
        key = unescaped(token.text[1:-1])
        return [FunctionAttribute(key, cursor.take_text() if cursor.accept("=") else None)]
    if token.text == MEMORY:
        return [FunctionAttribute(NUMBERS[name]) for name in _memory(cursor)]
    if token.text in DROPPED:
        if cursor.token.text == "(":
            cursor.skip_parentheses()
        return []
    number = NUMBERS.get(token.text) if token.kind == "word" else None
    if number is None:
        cursor.fail(f"unknown attribute {token.text!r:.40}", token)
    if token.text in TYPED and cursor.token.text == "(":
        cursor.skip_parentheses()
    if token.text not in WITH_NUMBER:
        return [FunctionAttribute(number)]
    if cursor.accept("("):
        value = cursor.take_number()
        cursor.expect(")")
    else:
        cursor.accept("=")
        value = cursor.take_number()
    return [FunctionAttribute(number, value)]


def _memory(cursor: Cursor) -> list[str]:
    """Read `(none)` or `(read, argmem: readwrite)`."""
    access: dict[str, str] = {}
    cursor.expect("(")
    while not cursor.accept(")"):
        if access:
            cursor.expect(",")
        kind = cursor.next().name if cursor.token.kind == "label" else ""
        word = cursor.take("word", "an access")
        if word.text not in ("none", "read", "write", "readwrite"):
            cursor.fail(f"unknown access {word.text!r:.40}", word)
        access[kind] = word.text
    return memory_attributes(access)


def inline_attributes(cursor: Cursor) -> list[FunctionAttribute]:
    """Read attributes of a parameter or result, if there are any."""
    found: list[FunctionAttribute] = []
    while True:
        token = cursor.token
        if not (
            (token.kind == "word" and token.text in WORDS)
            or (token.kind == "text" and token.text.startswith('"'))
        ):
            return found
        found += _attribute(cursor)


def read_linkage(cursor: Cursor, value: GlobalValue) -> None:
    """Read linkage, visibility and storage class of a global."""
    for table, name in (
        (LINKAGE_NUMBERS, "linkage"),
        (VISIBILITY_NUMBERS, "visibility"),
        (STORAGE_NUMBERS, "dll_storage"),
    ):
        if cursor.token.kind == "word" and cursor.token.text in table:
            setattr(value, name, table[cursor.next().text])
        if cursor.token.text in PREEMPTION:
            cursor.next()


def read_convention(cursor: Cursor) -> int:
    """Read a calling convention; 0 if none is stated."""
    token = cursor.token
    if token.kind != "word":
        return 0
    if token.text in CONVENTION_NUMBERS:
        cursor.next()
        return CONVENTION_NUMBERS[token.text]
    if token.text.startswith("cc") and token.text[2:].isdigit():
        cursor.next()
        return int(token.text[2:8])
    return 0
