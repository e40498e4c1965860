"""Decoding of metadata.

Nodes may refer to later nodes and to each other, so all are numbered before any is read.
"""

from ..bitstream import BitBlock, BitRecord
from ..model.metadata import (
    DebugField,
    DebugNode,
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataValue,
    NamedMetadata,
)
from ..tables.debuginfo import DEBUG_ROWS
from .common import DecodingContext

__all__ = ["decode_attachments", "decode_metadata"]

STRING, VALUE, NODE, NAME, DISTINCT_NODE, KIND, NAMED_NODE = 1, 2, 3, 4, 5, 6, 10


def decode_metadata(block: BitBlock, context: DecodingContext) -> list[Metadata]:
    """Return the numbered metadata of a block; add all other metadata to the module."""
    found: list[Metadata] = []
    for record in block.records:
        made = _empty(record)
        if made is not None:
            made.record = record
            found.append(made)
            context.metadata.append(made)
    name: BitRecord | None = None
    numbered = iter(found)
    for record in block.records:
        code = record.code
        context.path, context.item = f"metadata record {code}", record
        if code == NAME:
            if name is not None:
                context.fail("expected nodes after a name")
            name = record
        elif code == NAMED_NODE:
            if name is None:
                context.fail("expected a name before its nodes")
            _named(name, record, context)
            name = None
        elif code == KIND:
            context.operands(record, 2)
            number = record.operands[0]
            if number in context.module.kinds:
                context.fail(f"expected one name for kind {number}, got two")
            context.module.kinds[number] = context.text(record.operands[1:])
        else:
            made = next(numbered, None) if _numbered(code) else None
            if made is None:
                context.fail(f"expected metadata of LLVM 3.7, got record {code}")
            _read(made, record, context)
    if name is not None:
        context.fail("expected nodes after a name")
    return found


def _numbered(code: int) -> bool:
    return code in (STRING, VALUE, NODE, DISTINCT_NODE) or code in DEBUG_ROWS


def _empty(record: BitRecord) -> Metadata | None:
    """Return metadata for a record, without content, or None for a record without a number."""
    code = record.code
    if code == STRING:
        return MetadataString("")
    if code in (NODE, DISTINCT_NODE):
        return MetadataNode([], code == DISTINCT_NODE)
    if code == VALUE:
        return MetadataValue.__new__(MetadataValue)
    row = DEBUG_ROWS.get(code)
    return DebugNode(row, []) if row is not None else None


def _read(made: Metadata, record: BitRecord, context: DecodingContext) -> None:
    """Set the content of metadata from its record."""
    operands = record.operands
    if isinstance(made, MetadataString):
        made.text = context.text(operands)
    elif isinstance(made, MetadataValue):
        context.operands(record, 2, 2)
        made.value = context.value(operands[1])
        context.expect_type(made.value, context.type(operands[0]))
    elif isinstance(made, DebugNode):
        _read_debug(made, record, context)
    elif isinstance(made, MetadataNode):
        metadata, count = context.metadata, len(context.metadata)
        elements: list[Metadata | None] = []
        for each in operands:
            if each > count:
                context.fail(f"expected metadata below {count}, got {each - 1}")
            elements.append(metadata[each - 1] if each else None)
        made.elements = elements


def _read_debug(made: DebugNode, record: BitRecord, context: DecodingContext) -> None:
    row = made.row
    count = len(row.kinds)
    context.operands(record, count + 1)
    distinct, *operands = record.operands
    if distinct > 1:
        context.fail(f"expected 0 or 1 for distinct, got {distinct}")
    made.distinct = bool(distinct)
    made.values = [
        _field(kind, each, context) for kind, each in zip(row.kinds, operands, strict=False)
    ]
    made.rest = [_field(row.rest, each, context) for each in operands[count:]]


def _field(kind: str, operand: int, context: DecodingContext) -> DebugField:
    if kind == "m":
        return context.node_or_none(operand)
    if kind == "n":
        return context.node(operand)
    if kind == "s":
        # constants are rotated differently: here a negative number is complemented
        return operand >> 1 if not operand & 1 else ~(operand >> 1)
    if kind == "c":
        return operand - (operand >> 63 << 64)
    return operand


def _named(name: BitRecord, record: BitRecord, context: DecodingContext) -> None:
    nodes = []
    for number in record.operands:
        node = context.node(number)
        if not isinstance(node, MetadataNode):
            context.fail(f"expected a node, got metadata {number}")
        nodes.append(node)
    made = NamedMetadata(context.text(name.operands), nodes)
    made.record, made.name_record = record, name
    context.module.named_metadata.append(made)


def decode_attachments(
    pairs: list[int], context: DecodingContext
) -> list[tuple[int, MetadataNode]]:
    """Return pairs of a kind and a node."""
    found = []
    for kind, number in zip(pairs[::2], pairs[1::2], strict=True):
        node = context.node(number)
        if not isinstance(node, MetadataNode):
            context.fail(f"expected a node, got metadata {number}")
        found.append((kind, node))
    return found
