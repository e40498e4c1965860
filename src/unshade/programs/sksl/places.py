"""Places of nodes in the text: from the path of a node to the line of its statement.

    elements[1].body.statements[0].value.left   ->   effect.rts:4:12, or line 4 of the listing

The compiler gives expressions and statements the range of their source. A program from a file has
no source: lines are numbered as in its listing.
"""

import re
from collections.abc import Iterator

from ...errors import AssembleError
from ...isa.linked import paths_of
from .assembler.messages import Message, Position, Reporter
from .code import Code
from .text.native import linked_lines
from .tree import (
    BlockStatement,
    ForStatement,
    FunctionDefinition,
    FunctionPrototype,
    GlobalDeclaration,
    InterfaceBlock,
    ProgramUnit,
    Statement,
    Symbol,
    SymbolTable,
    TranslationUnit,
    TreeNode,
    VariableDeclaration,
)
from .tree.node import inner_fields

__all__ = ["line_at", "line_paths", "mistake_at", "nodes_with_paths"]

STEP = re.compile(r"([A-Za-z_]\w*)|\[([0-9]+)\]")


def nodes_with_paths(unit: TranslationUnit) -> Iterator[tuple[TreeNode, str]]:
    """Yield the nodes of a unit with their paths, in the order of the file, without symbols."""
    waiting: list[tuple[TreeNode, str]] = [(unit, "")]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        inner: list[tuple[TreeNode, str]] = []
        for name in inner_fields(type(node)):
            value = getattr(node, name)
            place = f"{path}.{name}" if path else name
            if isinstance(value, list):
                inner += [(each, f"{place}[{at}]") for at, each in enumerate(value)]
            elif value:
                inner.append((value, place))
        waiting += reversed(inner)


def line_paths(code: Code) -> list[tuple[str, ...]]:
    """Return the paths of the nodes and the symbols that each line of the native text shows."""
    nodes = dict(nodes_with_paths(code.unit))
    symbols: dict[Symbol, str] = {}
    for node, path in nodes.items():
        table = getattr(node, "symbols", None)
        if isinstance(table, SymbolTable):
            place = f"{path}.symbols" if path else "symbols"
            owned = enumerate(table.owned)
            symbols.update((each, f"{place}.owned[{at}]") for at, each in owned)
    found: dict[TreeNode, list[str]] = {}
    for node, path in nodes.items():
        if not path or isinstance(node, BlockStatement):
            continue  # their lines are the lines of other nodes, and braces
        declared = [symbols[each] for each in _declared(node) if each in symbols]
        found[node] = [path, *declared]
    return paths_of(linked_lines(code, paths=found))


def _declared(node: TreeNode) -> Iterator[Symbol]:
    """Yield the symbols that a line declares."""
    if isinstance(node, GlobalDeclaration):
        yield from _declared(node.declaration)
    elif isinstance(node, VariableDeclaration | InterfaceBlock):
        yield node.variable
    elif isinstance(node, FunctionDefinition | FunctionPrototype):
        yield node.declaration
        yield from node.declaration.parameters
    elif isinstance(node, ForStatement) and node.initialiser is not None:
        yield from _declared(node.initialiser)


def nodes_at(unit: TranslationUnit, path: str) -> Iterator[object]:
    """Yield the nodes that a path leads through, from the outside in, as far as they exist."""
    node: object = unit
    for name, index in STEP.findall(path):
        try:
            node = getattr(node, name) if name else node[int(index)]  # type: ignore[index]
        except (AttributeError, IndexError, TypeError):
            return
        yield node


def mistake_at(unit: TranslationUnit, path: str, problem: str) -> AssembleError | None:
    """Return a problem with its place in the source; None if the unit was not made from source."""
    source = unit.source if isinstance(unit, ProgramUnit) else None
    if source is None:
        return None
    place: Position = None
    for node in nodes_at(unit, path):
        place = getattr(node, "position", None) or place
    return Reporter(source).located(Message(place, problem))


def line_at(code: Code, path: str) -> int:
    """Return the line of the innermost statement on a path, in the text of `lines_of`; else 0."""
    from .lower.listing import lines_of

    lines = lines_of(code)[1]
    found = [
        lines.get(each, 0) for each in nodes_at(code.unit, path) if isinstance(each, Statement)
    ]
    return next((line for line in reversed(found) if line), 0)
