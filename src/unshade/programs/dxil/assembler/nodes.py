"""References to metadata nodes in LLVM assembly, and nodes in the place of a reference.

!5
!DIExpression(…)        equal expressions are one node
!{!"name", i32 1}       inline nodes with equal text are one node, which is filled later
!DILocation(line: 3, scope: !5)
"""

from ..model.metadata import DebugNode, MetadataNode
from ..tables.debuginfo import DEBUG_ROWS
from ..tables.dwarf import ACCESS, ENCODINGS, FLAGS, LANGUAGES, OPERATIONS, TAGS, VIRTUALITIES
from .cursor import Cursor
from .later import DEBUG_WORDS
from .scope import TextScope
from .tokens import END, AssemblyToken

__all__ = ["ROWS", "node_of", "read_number", "read_operations", "take_node"]

ROWS = {row.name: row for row in DEBUG_ROWS.values()}
NUMBERS = {
    name: number
    for table in (
        TAGS,
        LANGUAGES,
        ENCODINGS,
        VIRTUALITIES,
        ACCESS,
        FLAGS,
        {number: name for number, (name, _) in OPERATIONS.items()},
    )
    for number, name in table.items()
}
NUMBERS.update(DEBUG_WORDS)


def node_of(cursor: Cursor, scope: TextScope, token: AssemblyToken) -> MetadataNode:
    """Return the node that a token, which has been read, refers to or begins."""
    if token.text == "!DIExpression":
        return _expression(cursor, scope)
    if token.text == "!{" or (token.text[1:] in ROWS and cursor.token.text == "("):
        return _inline(cursor, scope, token)
    text = token.text[1:]
    found = scope.nodes.numbered.get(int(text[:12])) if text.isdigit() else None
    if found is None:
        cursor.fail(f"unknown metadata {token.text!r:.40}", token)
    return found


def take_node(cursor: Cursor, scope: TextScope, wanted: str = "a node") -> MetadataNode:
    """Read a reference to a node, or a node in its place."""
    token = cursor.token
    if token.text != "!{":
        cursor.take("node", wanted)
    else:
        cursor.next()
    return node_of(cursor, scope, token)


def _inline(cursor: Cursor, scope: TextScope, token: AssemblyToken) -> MetadataNode:
    """Move past a node in the place of a reference, whose first token has been read."""
    start = cursor.at - 1
    if token.text == "!{":
        depth = 1
        while depth:
            if cursor.token.kind == END:
                cursor.expected("}")
            text = cursor.next().text
            depth += (text in ("{", "!{")) - (text == "}")
        made: MetadataNode = MetadataNode([])
    else:
        cursor.skip_parentheses()
        made = DebugNode(ROWS[token.text[1:]], [])
    texts = tuple(each.text for each in cursor.tokens[start : cursor.at])
    known = scope.nodes.by_text.setdefault(texts, made)
    if known is made:
        scope.nodes.inline.append(made)
        scope.nodes.unfilled.append((made, start))
    return known


def _expression(cursor: Cursor, scope: TextScope) -> MetadataNode:
    made = DebugNode(ROWS["DIExpression"], [])
    cursor.expect("(")
    read_operations(cursor, made)
    known = scope.nodes.expressions.setdefault(tuple(made.rest), made)
    if known is made:
        scope.nodes.inline.append(made)
    return known


def read_number(cursor: Cursor) -> int:
    """Read a number, or the word of debug information that means one."""
    token = cursor.token
    if token.kind != "word":
        return cursor.take_number()
    found = NUMBERS.get(token.text)
    if found is None:
        cursor.fail(f"unknown word {token.text!r:.40}", token)
    cursor.next()
    return found


def read_operations(cursor: Cursor, node: DebugNode) -> None:
    """Read the numbers of a DIExpression, up to the parenthesis that closes it."""
    while not cursor.accept(")"):
        if node.rest:
            cursor.expect(",")
        node.rest.append(read_number(cursor))
