"""Metadata in LLVM assembly.

    !0 = !{…}                            a node
    !1 = !DILocation(line: 1)            a node with fields
    !2 = !{!{i32 1}, !0}                 a node inside another
    !name = !{!0, !1}                    named metadata
    %1 = add i32 %0, %0, !dbg !1         metadata attached to an instruction

Nodes are made first, and filled when all have been made.
"""

from ..model.instructions import Instruction
from ..model.metadata import (
    DebugField,
    DebugLocation,
    DebugNode,
    Metadata,
    MetadataNode,
    NamedMetadata,
)
from ..model.module import DxilModule
from .cursor import Cursor
from .later import DROPPED_FIELDS
from .nodes import ROWS, node_of, read_number, read_operations, take_node
from .scope import TextScope
from .values import read_metadata

__all__ = [
    "declare_node",
    "define_node",
    "fill_inline",
    "join_units",
    "kind_of",
    "location_of",
    "named_metadata",
    "read_attachments",
    "resolve_aliases",
]

DBG_KIND = 0
AUTOMATIC, ARGUMENT = 0x100, 0x101  # tags of local variables
# Tags that are not printed, since they go without saying.
TAG_DEFAULTS = {"DIBasicType": 0x24, "DITemplateValueParameter": 0x30}
DEFAULTS: dict[str, DebugField] = {"m": None, "n": None}


def declare_node(cursor: Cursor, scope: TextScope) -> int:
    """Move past `!0 = …` and make its node; return where it begins."""
    token = cursor.token
    number = token.text[1:]
    if not number.isdigit() or len(number) > 9:
        cursor.fail("expected the number of a node", token)
    start = cursor.skip_statement()
    if int(number) in scope.nodes.numbered:
        cursor.fail(f"expected one definition of {token.text}", token)
    distinct = cursor.tokens[start + 2].text == "distinct" if cursor.at > start + 2 else False
    head = cursor.tokens[min(start + 2 + distinct, cursor.at)]
    if head.text == "!DIGlobalVariableExpression":
        _alias(cursor, scope, int(number), start)
        return start
    if head.text == "!{":
        node = MetadataNode([], distinct)
    else:
        row = ROWS.get(head.text[1:])
        if row is None:
            cursor.fail(f"unknown node {head.text!r:.40}", head)
        node = DebugNode(row, [], distinct)
    scope.nodes.numbered[int(number)] = node
    return start


def _alias(cursor: Cursor, scope: TextScope, number: int, start: int) -> None:
    """Read a node that replaces a variable: LLVM 3.7 uses the variable itself."""
    end, cursor.at = cursor.at, start
    while cursor.token.text != "var:" and cursor.at < end:
        cursor.at += 1
    cursor.next()
    scope.nodes.aliases[number] = cursor.take("node", "a node")
    cursor.at = end


def resolve_aliases(cursor: Cursor, scope: TextScope) -> None:
    """Give the numbers of alias nodes to the nodes that they replace."""
    for number, token in scope.nodes.aliases.items():
        scope.nodes.numbered[number] = node_of(cursor, scope, token)


def define_node(cursor: Cursor, scope: TextScope, start: int) -> None:
    """Read the node that begins at a token."""
    cursor.at = start
    if int(cursor.token.text[1:]) in scope.nodes.aliases:
        return
    node = node_of(cursor, scope, cursor.next())
    cursor.expect("=")
    cursor.accept("distinct")
    _fill(cursor, scope, node)


def fill_inline(cursor: Cursor, scope: TextScope) -> None:
    """Read the nodes that were met in the place of references."""
    at = cursor.at
    while scope.nodes.unfilled:
        node, cursor.at = scope.nodes.unfilled.pop()
        _fill(cursor, scope, node)
    cursor.at = at


def _fill(cursor: Cursor, scope: TextScope, node: MetadataNode) -> None:
    """Read the elements or fields of a node."""
    head = cursor.next()
    if isinstance(node, DebugNode):
        cursor.expect("(")
        if head.text == "!DIExpression":
            read_operations(cursor, node)
        elif head.text == "!GenericDINode":
            cursor.fail("GenericDINode is not supported", head)
        else:
            _fields(cursor, scope, node)
    else:
        while not cursor.accept("}"):
            if node.elements:
                cursor.expect(",")
            node.elements.append(_element(cursor, scope))


def _element(cursor: Cursor, scope: TextScope) -> Metadata | None:
    return None if cursor.accept("null") else read_metadata(cursor, scope)


def _fields(cursor: Cursor, scope: TextScope, node: DebugNode) -> None:
    row = node.row
    kinds = dict(zip(row.names, row.kinds, strict=True))
    found: dict[str, DebugField] = {}
    while not cursor.accept(")"):
        if found:
            cursor.expect(",")
        token = cursor.take("label", "the name of a field")
        name = token.text[:-1]
        if name in DROPPED_FIELDS.get(row.name, ()):
            _skip_field(cursor)
            continue
        if row.name == "DISubprogram" and name in ("spFlags", "unit", "retainedNodes"):
            _subprogram_field(cursor, scope, node, name, found)
            continue
        if name not in kinds or name in found:
            cursor.fail(f"expected another field of {row.name}, got {name!r:.40}", token)
        found[name] = _field(cursor, scope, kinds[name])
    tag = TAG_DEFAULTS.get(row.name, 0)
    if row.name == "DILocalVariable":  # not stated since LLVM 3.8
        tag = ARGUMENT if found.get("arg") else AUTOMATIC
    node.values = [
        found.get(name, tag if kind == "t" else DEFAULTS.get(kind, 0))
        for name, kind in kinds.items()
    ]


def _skip_field(cursor: Cursor) -> None:
    while cursor.token.text not in (",", ")") and cursor.token.kind != "end":
        if cursor.next().text[0] == "!" and cursor.token.text == "(":
            cursor.skip_parentheses()


def _subprogram_field(
    cursor: Cursor, scope: TextScope, node: DebugNode, name: str, found: dict[str, DebugField]
) -> None:
    """Read a field of DISubprogram that LLVM 3.7 spells otherwise."""
    if name == "unit":
        scope.nodes.units.append((node, cursor.take("node", "a node")))
    elif name == "retainedNodes":
        found["variables"] = _field(cursor, scope, "m")
    else:
        flags = _field(cursor, scope, "i")
        assert isinstance(flags, int)
        found["virtuality"] = flags & 3
        for bit, each in ((4, "isLocal"), (8, "isDefinition"), (16, "isOptimized")):
            found[each] = int(flags & bit != 0)


def join_units(cursor: Cursor, scope: TextScope) -> None:
    """List subprograms in their units, as LLVM 3.7 does."""
    listed: dict[MetadataNode, dict[Metadata | None, None]] = {}
    for node, token in scope.nodes.units:
        unit = node_of(cursor, scope, token)
        if not isinstance(unit, DebugNode) or unit.row.name != "DICompileUnit":
            cursor.fail("expected a unit", token)
        known = unit["subprograms"]
        if not isinstance(known, MetadataNode):
            known = unit["subprograms"] = MetadataNode([])
            scope.nodes.inline.append(known)
        listed.setdefault(known, dict.fromkeys(known.elements))[node] = None
    for known, elements in listed.items():
        known.elements[:] = elements


def _field(cursor: Cursor, scope: TextScope, kind: str) -> DebugField:
    token = cursor.token
    if kind in "mn":
        if token.kind == "text" and token.text.startswith('"'):
            text = cursor.take_text()
            return scope.pool.text(text) if text else None
        return _element(cursor, scope)
    if token.kind == "word" and token.text in ("true", "false"):
        return int(cursor.next().text == "true")
    value = read_number(cursor)
    while cursor.accept("|"):
        value |= read_number(cursor)
    return value


def named_metadata(cursor: Cursor, scope: TextScope, start: int) -> None:
    """Read `!name = !{!0, !1}`."""
    cursor.at = start
    made = NamedMetadata(cursor.next().name, [])
    cursor.expect("=")
    cursor.expect("!{")
    while not cursor.accept("}"):
        if made.nodes:
            cursor.expect(",")
        made.nodes.append(node_of(cursor, scope, cursor.take("node", "a node")))
    scope.module.named_metadata.append(made)


def read_attachments(cursor: Cursor, scope: TextScope, made: Instruction) -> None:
    """Read the metadata that is attached to an instruction."""
    attached: list[tuple[int, MetadataNode]] = []
    while cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind == "node":
        cursor.at += 1
        kind = kind_of(scope.module, cursor.next().name)
        node = take_node(cursor, scope)
        fill_inline(cursor, scope)
        location = location_of(node) if kind == DBG_KIND and not node.distinct else None
        if location is not None:
            made.location = location
        else:
            attached.append((kind, node))
    if attached:
        made.attachments = attached


def kind_of(module: DxilModule, name: str) -> int:
    """Return the number of a kind of attached metadata; a new name becomes a kind."""
    kinds = module.kinds
    for number, known in kinds.items():
        if known == name:
            return number
    number = max(kinds, default=-1) + 1
    kinds[number] = name
    return number


def location_of(node: MetadataNode) -> DebugLocation | None:
    """Return the location of a node; None if it is not a location."""
    if not isinstance(node, DebugNode) or node.row.name != "DILocation":
        return None
    line, column, scope, inlined_at = node.values
    return DebugLocation(line, column, scope, inlined_at)  # type: ignore[arg-type]
