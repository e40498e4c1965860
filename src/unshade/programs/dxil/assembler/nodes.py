"""References to metadata nodes in LLVM assembly: `!5`, and `!DIExpression(…)` in its place."""

from ..model.metadata import DebugNode, MetadataNode
from ..tables.debuginfo import DEBUG_ROWS
from ..tables.dwarf import ACCESS, ENCODINGS, FLAGS, LANGUAGES, OPERATIONS, TAGS, VIRTUALITIES
from .cursor import Cursor
from .later import DEBUG_WORDS
from .scope import TextScope
from .tokens import AssemblyToken

__all__ = ["ROWS", "node_of", "read_number", "read_operations"]

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
    text = token.text[1:]
    found = scope.nodes.numbered.get(int(text[:12])) if text.isdigit() else None
    if found is None:
        cursor.fail(f"unknown metadata {token.text!r:.40}", token)
    return found


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
