"""Fields of metadata records that describe the source to debuggers.

A row lists the operands after `distinct`. The kind of a field: m metadata or null (its number plus
1, or 0), n metadata (its number), i number, s number whose lowest bit is its sign (rotated), c
number in two's complement of 64 bits, b 0 or 1, t a tag of DWARF, f flags.

Source: public LLVM 3.7 (LLVMBitCodes.h; the fields that BitcodeWriter.cpp writes for each class;
their names in the language reference).
"""

from ....tuples import NamedTuple

__all__ = ["DEBUG_ROWS", "DebugRow"]


class DebugRow(NamedTuple):
    """A kind of node: record code, LLVM's name, names and kinds of fields, kind of further
    operands."""

    code: int
    name: str
    names: tuple[str, ...]
    kinds: str
    rest: str = ""  # kind of any further operands; empty: unknown numbers
    order: tuple[str, ...] = ()  # fields that are metadata, in LLVM's order of operands


# Where LLVM keeps operands in another order than it writes them.
_ORDERS = {
    "DIDerivedType": "file scope name baseType extraData",
    "DICompositeType": "file scope name baseType elements vtableHolder templateParams identifier",
    "DISubprogram": "file scope name linkageName type containingType function templateParams "
    "declaration variables",
    "DILexicalBlock": "file scope",
    "DILexicalBlockFile": "file scope",
    "DINamespace": "file scope name",
    "DIGlobalVariable": "scope name file type linkageName variable declaration",
    "DILocalVariable": "scope name file type",
    "DIObjCProperty": "name file getter setter type",
}


def _row(code: int, name: str, fields: str, rest: str = "") -> DebugRow:
    pairs = [each.partition(":") for each in fields.split()]
    names = tuple(one for one, _, _ in pairs)
    kinds = "".join(kind for _, _, kind in pairs)
    nodes = [one for one, kind in zip(names, kinds, strict=True) if kind in "mn"]
    order = _ORDERS.get(name, "").split() or nodes
    return DebugRow(code, name, names, kinds, rest, tuple(order))


_TYPE = "tag:t name:m file:m line:i scope:m baseType:m size:i align:i offset:i flags:f "
_ROWS = (
    _row(7, "DILocation", "line:i column:i scope:n inlinedAt:m"),
    _row(12, "GenericDINode", "tag:t version:i", rest="m"),
    _row(13, "DISubrange", "count:c lowerBound:s"),
    _row(14, "DIEnumerator", "value:s name:m"),
    _row(15, "DIBasicType", "tag:t name:m size:i align:i encoding:i"),
    _row(16, "DIFile", "filename:m directory:m"),
    _row(17, "DIDerivedType", _TYPE + "extraData:m"),
    _row(
        18,
        "DICompositeType",
        _TYPE + "elements:m runtimeLang:i vtableHolder:m templateParams:m identifier:m",
    ),
    _row(19, "DISubroutineType", "flags:f types:m"),
    _row(
        20,
        "DICompileUnit",
        "language:i file:m producer:m isOptimized:b flags:m runtimeVersion:i splitDebugFilename:m "
        "emissionKind:i enums:m retainedTypes:m subprograms:m globals:m imports:m dwoId:i",
    ),
    _row(
        21,
        "DISubprogram",
        "scope:m name:m linkageName:m file:m line:i type:m isLocal:b isDefinition:b scopeLine:i "
        "containingType:m virtuality:i virtualIndex:i flags:f isOptimized:b function:m "
        "templateParams:m declaration:m variables:m",
    ),
    _row(22, "DILexicalBlock", "scope:m file:m line:i column:i"),
    _row(23, "DILexicalBlockFile", "scope:m file:m discriminator:i"),
    _row(24, "DINamespace", "scope:m file:m name:m line:i"),
    _row(25, "DITemplateTypeParameter", "name:m type:m"),
    _row(26, "DITemplateValueParameter", "tag:t name:m type:m value:m"),
    _row(
        27,
        "DIGlobalVariable",
        "scope:m name:m linkageName:m file:m line:i type:m isLocal:b isDefinition:b variable:m "
        "declaration:m",
    ),
    _row(28, "DILocalVariable", "tag:t scope:m name:m file:m line:i type:m arg:i flags:f"),
    _row(29, "DIExpression", "", rest="i"),
    _row(
        30,
        "DIObjCProperty",
        "name:m file:m line:i setter:m getter:m attributes:i type:m",
    ),
    _row(31, "DIImportedEntity", "tag:t scope:m entity:m line:i name:m"),
    _row(32, "DIModule", "scope:m name:m configMacros:m includePath:m isysroot:m"),
)
DEBUG_ROWS = {row.code: row for row in _ROWS}
