"""Operands and texts of metadata nodes, in the order of LLVM 3.7.

    !{i32 0, !"name", null, !7}
    !DILocation(line: 8, column: 3, scope: !4)

The text of a node names its fields in another order than both record and operands. Numbers of
nodes follow the operands.

Source: the language reference of LLVM 3.7; DebugInfoMetadata.cpp for operands; listings by dxc.
"""

from collections.abc import Callable

from ..model.metadata import DebugField, DebugNode, Metadata, MetadataNode
from ..tables.dwarf import (
    ACCESS,
    BIT_PIECE,
    ENCODINGS,
    FLAGS,
    LANGUAGES,
    OPERATIONS,
    TAGS,
    VIRTUALITIES,
)
from .spelling import escaped

__all__ = ["debug_text", "operands_of"]


def operands_of(node: MetadataNode) -> list[Metadata | None]:
    """Return the operands of a node in LLVM's order, without those that are not metadata."""
    return node.children if isinstance(node, DebugNode) else node.elements


# How fields print, in order: name, then a letter
#   m metadata      M also null
#   s string        S also the empty one
#   i number        I also 0; a also that of an argument
#   b true or false
#   f flags, t tag, e encoding, l language, v virtuality
_FIELDS = {
    name: tuple((field[:-2], field[-1]) for field in fields.split())
    for name, fields in {
        "DILocation": "line:I column:i scope:M inlinedAt:m",
        "DISubrange": "count:I lowerBound:i",
        "DIEnumerator": "name:S value:I",
        "DIBasicType": "tag:t name:s size:i align:i encoding:e",
        "DIFile": "filename:S directory:S",
        "DIDerivedType": (
            "tag:t name:s scope:m file:m line:i baseType:M size:i align:i offset:i flags:f "
            "extraData:m"
        ),
        "DICompositeType": (
            "tag:t name:s scope:m file:m line:i baseType:m size:i align:i offset:i flags:f "
            "elements:m runtimeLang:l vtableHolder:m templateParams:m identifier:s"
        ),
        "DISubroutineType": "flags:f types:M",
        "DICompileUnit": (
            "language:l file:M producer:s isOptimized:b flags:s runtimeVersion:I "
            "splitDebugFilename:s emissionKind:I enums:m retainedTypes:m subprograms:m globals:m "
            "imports:m dwoId:i"
        ),
        "DISubprogram": (
            "name:s linkageName:s scope:M file:m line:i type:m isLocal:b isDefinition:b "
            "scopeLine:i containingType:m virtuality:v virtualIndex:i flags:f isOptimized:b "
            "function:m templateParams:m declaration:m variables:m"
        ),
        "DILexicalBlock": "scope:M file:m line:i column:i",
        "DILexicalBlockFile": "scope:M file:m discriminator:I",
        "DINamespace": "name:s scope:M file:m line:i",
        "DIModule": "scope:M name:s configMacros:s includePath:s isysroot:s",
        "DITemplateTypeParameter": "name:s type:M",
        "DITemplateValueParameter": "tag:t name:s type:m value:M",
        "DIGlobalVariable": (
            "name:s linkageName:s scope:M file:m line:i type:m isLocal:b isDefinition:b "
            "variable:m declaration:m"
        ),
        "DILocalVariable": "tag:t name:s arg:a scope:M file:m line:i type:m flags:f",
        "DIObjCProperty": "name:s file:m line:i setter:s getter:s attributes:i type:m",
        "DIImportedEntity": "tag:t name:s scope:M entity:m line:i",
    }.items()
}
# Tags that are not printed, since they go without saying.
_IMPLIED = {"DIBasicType": 0x24, "DITemplateValueParameter": 0x30}
_NUMBERS = {"t": TAGS, "e": ENCODINGS, "l": LANGUAGES, "v": VIRTUALITIES}
_AUTO_VARIABLE = 0x100


def debug_text(node: DebugNode, reference: Callable[[Metadata | None], str]) -> str:
    """Return the text of a node with fields; `reference` returns the text of nested metadata."""
    name = node.row.name
    if name == "DIExpression":
        inner = _expression([each for each in node.rest if isinstance(each, int)])
    elif name == "GenericDINode":
        inner = _generic(node, reference)
    else:
        inner = _fields(node, reference)
    return f"!{name}({', '.join(inner)})"


def _fields(node: DebugNode, reference: Callable[[Metadata | None], str]) -> list[str]:
    name = node.row.name
    found = []
    for field, kind in _FIELDS[name]:
        value = node[field]
        if kind in "mM":
            if value is None and kind == "m":
                continue
            text = reference(value if isinstance(value, Metadata) else None)
        elif kind in "sS":
            text = f'"{escaped(node.text(field))}"'
            if text == '""' and kind == "s":
                continue
        else:
            number = value if isinstance(value, int) else 0
            if kind == "b":
                text = "true" if number else "false"
            elif kind == "f":
                text = _flags(number)
            elif kind == "t":
                text = TAGS.get(number, str(number)) if number != _IMPLIED.get(name) else ""
            elif not number and kind != "I" and (kind != "a" or node["tag"] == _AUTO_VARIABLE):
                continue
            else:
                text = _NUMBERS.get(kind, {}).get(number, str(number))
            if not text:
                continue
        found.append(f"{field}: {text}")
    return found


def _flags(flags: int) -> str:
    found = []
    if flags & 3:
        found.append(ACCESS[flags & 3])
    rest = flags & ~3
    for bit, name in FLAGS.items():
        if rest & bit:
            found.append(name)
            rest &= ~bit
    if rest:
        found.append(str(rest))
    return " | ".join(found)


def _expression(elements: list[int]) -> list[str]:
    """Return the operations of an expression, or its numbers if it is not valid."""
    found = []
    at = 0
    while at < len(elements):
        operation = elements[at]
        name, count = OPERATIONS.get(operation, ("", 0))
        arguments = elements[at + 1 : at + 1 + count]
        at += 1 + count
        if not name or at > len(elements) or (operation == BIT_PIECE and at != len(elements)):
            return [str(each) for each in elements]
        found.append(name)
        found += map(str, arguments)
    return found


def _generic(node: DebugNode, reference: Callable[[Metadata | None], str]) -> list[str]:
    header, *operands = node.rest or [None]
    tag = node["tag"]
    found = [f"tag: {TAGS.get(tag, tag) if isinstance(tag, int) else tag}"]
    text = getattr(header, "text", "")
    if text:
        found.append(f'header: "{escaped(text)}"')
    if operands:
        inner = ", ".join(reference(_metadata(each)) for each in operands)
        found.append(f"operands: {{{inner}}}")
    return found


def _metadata(field: DebugField) -> Metadata | None:
    return field if isinstance(field, Metadata) else None
