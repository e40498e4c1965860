"""The tree of fields: every span of a file, and the groups that their dotted paths name.

    SHEX.instructions[3].opcode      SHEX  >  instructions  >  [3]  >  opcode

A node is an interval of bits of the file. Nodes are stored in the order of the tree, so that those
below a node follow it directly; a group's interval goes from its first to its last bit, also where
fields of other groups lie between.
"""

import re
from collections.abc import Sequence

from ..dataclass import dataclass, field
from ..screens.hexdump import value_text
from ..screens.text import visible
from ..wire.spans import Span
from .columns import Columns, Strings

__all__ = ["FieldTree"]

STEPS = re.compile(r"\[\d+\]|[^.\[]+|\[")  # SHEX  instructions  [3]
INDEX = re.compile(r"\[(\d+)\]")
LONGEST = 240  # letters of a value: the bytes beside it show the rest
CONSTANTS = ("literal", "value", "rows")  # names of fields that hold the numbers of listings
KINDS = ("group", "field", "raw", "padding")


@dataclass(slots=True)
class _Node:
    name: str
    span: Span | None = None
    children: "dict[str, list[_Node]]" = field(default_factory=dict)

    def below(self) -> "list[_Node]":
        return [each for children in self.children.values() for each in children]


@dataclass(slots=True)
class FieldTree:
    """Columns of the nodes, each as long as there are nodes.

    Attributes:
        start, end: Bits of the file, `end` exclusive.
        up: How many nodes before a node its parent is; 0 for those without one.
        name, value, doc: Numbers in `strings`; an index `[3]` has the name -4.
        kind: Numbers in `KINDS`.
        paths: The node of each path; of the first where a path occurs twice.
    """

    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    up: list[int] = field(default_factory=list)
    name: list[int] = field(default_factory=list)
    value: list[int] = field(default_factory=list)
    doc: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    paths: dict[str, int] = field(default_factory=dict)
    strings: Strings = field(default_factory=Strings)

    @classmethod
    def of(cls, spans: Sequence[Span]) -> "FieldTree":
        """Return the tree of a file's spans."""
        made = cls()
        made.strings.number("")
        root = _Node("")
        for span in spans:
            _place(root, span)
        # A stack, not a recursion: paths of program trees are hundreds of steps deep.
        waiting = [(each, "", -1) for each in reversed(root.below())]
        while waiting:
            node, above, parent = waiting.pop()
            at = len(made.up)
            path = made._append(node, above, at - parent if parent >= 0 else 0)
            waiting += [(each, path, at) for each in reversed(node.below())]
        made._enclose()
        return made

    def _append(self, node: _Node, above: str, up: int) -> str:
        """Append a node; return its path."""
        span = node.span
        dot = "." if above and not node.name.startswith("[") else ""
        path = above + dot + node.name
        self.paths.setdefault(path, len(self.up))
        index = INDEX.fullmatch(node.name)
        self.up.append(up)
        self.name.append(-1 - int(index[1]) if index else self.strings.number(visible(node.name)))
        self.value.append(self.strings.number(_value(span) if span else ""))
        self.doc.append(self.strings.number(span.doc if span else ""))
        self.kind.append(KINDS.index(span.kind) if span else 0)
        low, high = _bits(span) if span else (-1, -1)
        self.start.append(low)
        self.end.append(high)
        return path

    def _enclose(self) -> None:
        """Set the intervals of groups, from the intervals of their descendants."""
        for at in range(len(self.up) - 1, -1, -1):
            if not self.up[at]:
                continue
            above = at - self.up[at]
            low, high = self.start[at], self.end[at]
            self.start[above] = low if self.start[above] < 0 else min(self.start[above], low)
            self.end[above] = max(self.end[above], high)

    def write(self, columns: Columns) -> None:
        """Add the columns of the tree."""
        starts, sizes = self._places()
        columns.numbers("node.start", starts)
        columns.numbers("node.size", sizes)
        columns.numbers("node.depth", self._depths())
        columns.numbers("node.name", self._names())
        columns.numbers("node.value", self.value)
        columns.numbers("node.doc", self.doc)
        columns.numbers("node.kind", self.kind)
        columns.texts("strings", self.strings.numbers)
        columns.values["constants"] = CONSTANTS

    def _places(self) -> tuple[list[int], list[int]]:
        """Return, for each field, the bits from the end of the previous field, and its size.

        Groups have 0 and 0: the nodes below them determine their places.
        """
        starts, sizes, last = [], [], 0
        for kind, start, end in zip(self.kind, self.start, self.end, strict=True):
            starts.append(start - last if kind else 0)
            sizes.append(end - start if kind else 0)
            last = end if kind else last
        return starts, sizes

    def _depths(self) -> list[int]:
        """Return the depth of each node, which compresses better than distances to parents."""
        found: list[int] = []
        for at, up in enumerate(self.up):
            found.append(found[at - up] + 1 if up else 0)
        return found

    def _names(self) -> list[int]:
        """Return the names with -1 for an index that follows the one before, -2 - index for others.

        The first index of a list follows -1.
        """
        expected: dict[int, int] = {}
        found: list[int] = []
        for at, (up, name) in enumerate(zip(self.up, self.name, strict=True)):
            if name >= 0:
                found.append(name)
                continue
            above, index = (at - up if up else -1), -1 - name
            found.append(-1 if index == expected.get(above, 0) else -2 - index)
            expected[above] = index + 1
        return found


def _place(root: _Node, span: Span) -> None:
    node = root
    steps = STEPS.findall(span.path) or [span.path]
    for step in steps[:-1]:
        node = node.children.setdefault(step, [_Node(step)])[-1]
    # Two fields of one path stay two nodes.
    same = node.children.setdefault(steps[-1], [])
    if same and same[-1].span is None:
        same[-1].span = span
    else:
        same.append(_Node(steps[-1], span))


def _bits(span: Span) -> tuple[int, int]:
    low, width = span.bits or (0, 8 * span.length)
    return 8 * span.offset + low, 8 * span.offset + low + width


def _value(span: Span) -> str:
    if isinstance(span.value, str) and len(span.value) > LONGEST:
        span = span._replace(value=span.value[:LONGEST])
        return value_text(span) + "…"
    return value_text(span)
