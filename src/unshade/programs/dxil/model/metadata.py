"""Metadata: strings, values, nodes, descriptions for debuggers, and named lists of nodes.

Nodes may refer to each other in circles: walk them with a set of visited nodes.

Source: LLVM 3.7's public language reference and LLVMBitCodes.h (METADATA_BLOCK).
"""

from typing import TypeAlias

from ....errors import UsageError
from ..bitstream import BitRecord
from ..tables.debuginfo import DebugRow
from .values import DxilValue

__all__ = [
    "DebugField",
    "DebugLocation",
    "DebugNode",
    "Metadata",
    "MetadataNode",
    "MetadataString",
    "MetadataValue",
    "NamedMetadata",
]


class Metadata:
    """A piece of metadata; `record` is the record that it was read from, if any."""

    __slots__ = ("record",)

    def __init__(self) -> None:
        self.record: BitRecord | None = None


class MetadataString(Metadata):
    """A string. Bytes that are not UTF-8 are kept as surrogate escapes."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def __repr__(self) -> str:
        return f"<MetadataString {self.text!r:.60}>"


class MetadataValue(Metadata):
    """A value as metadata: a constant, or a value of the function in `Function.locals`."""

    __slots__ = ("value",)

    def __init__(self, value: DxilValue) -> None:
        super().__init__()
        self.value = value

    def __repr__(self) -> str:
        return f"<MetadataValue {self.value!r}>"


class MetadataNode(Metadata):
    """A tuple of metadata, in which None is `null`."""

    __slots__ = ("distinct", "elements")

    def __init__(self, elements: "list[Metadata | None]", distinct: bool = False) -> None:
        super().__init__()
        self.elements = elements
        self.distinct = distinct

    @property
    def children(self) -> "list[Metadata | None]":
        """The metadata that the node refers to."""
        return self.elements


DebugField: TypeAlias = "Metadata | int | None"


class DebugNode(MetadataNode):
    """A node with named fields, such as DISubprogram: `node["scope"]`.

    `row` names the fields, `values` has them in order: numbers, or metadata or None. `rest` holds
    the operands after the last field, of DIExpression, GenericDINode, or written by newer versions.
    """

    __slots__ = ("rest", "row", "values")

    def __init__(
        self,
        row: DebugRow,
        values: list[DebugField],
        distinct: bool = False,
        rest: list[DebugField] | None = None,
    ) -> None:
        super().__init__([], distinct)
        self.row = row
        self.values = values
        self.rest: list[DebugField] = rest or []

    @property
    def children(self) -> list[Metadata | None]:
        found = [self[name] for name in self.row.order] if self.values else []
        return [each for each in (*found, *self.rest) if isinstance(each, Metadata)]

    def __getitem__(self, name: str) -> DebugField:
        return self.values[self._index(name)]

    def __setitem__(self, name: str, value: DebugField) -> None:
        self.values[self._index(name)] = value

    def _index(self, name: str) -> int:
        try:
            return self.row.names.index(name)
        except ValueError:
            raise UsageError(f"{self.row.name} has no field {name!r}") from None

    def text(self, name: str) -> str:
        """Return a field that is a string; empty if it is null."""
        value = self[name]
        return value.text if isinstance(value, MetadataString) else ""

    def __repr__(self) -> str:
        return f"<DebugNode {self.row.name}>"


class NamedMetadata:
    """A named list of nodes, such as `dx.version`; `name_record` contains the name."""

    __slots__ = ("name", "name_record", "nodes", "record")

    def __init__(self, name: str, nodes: list[MetadataNode]) -> None:
        self.name = name
        self.nodes = nodes
        self.record: BitRecord | None = None
        self.name_record: BitRecord | None = None


class DebugLocation:
    """The source location of an instruction; two are equal if all their parts are."""

    __slots__ = ("column", "inlined_at", "line", "record", "scope")

    def __init__(
        self, line: int, column: int, scope: Metadata | None, inlined_at: Metadata | None = None
    ) -> None:
        self.line = line
        self.column = column
        self.scope = scope
        self.inlined_at = inlined_at
        self.record: BitRecord | None = None

    def same(self, other: "DebugLocation | None") -> bool:
        """Return True if both are the same location."""
        return other is not None and (
            self.line == other.line
            and self.column == other.column
            and self.scope is other.scope
            and self.inlined_at is other.inlined_at
        )
