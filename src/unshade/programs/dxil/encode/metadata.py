"""Encoding of metadata."""

from collections.abc import Iterable, Sequence

from ..bitstream import BitBlock
from ..decode.metadata import DISTINCT_NODE, KIND, NAME, NAMED_NODE, NODE, STRING, VALUE
from ..model.metadata import (
    DebugField,
    DebugNode,
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataValue,
    NamedMetadata,
)
from ..tables.blocks import BLOCKS
from ..tables.blocks import METADATA as BLOCK
from .common import Numbers, Part, characters, merge

__all__ = ["encode_attachments", "encode_kinds", "encode_metadata"]


def encode_metadata(
    block: BitBlock,
    metadata: Sequence[Metadata],
    numbers: Numbers,
    named: Iterable[NamedMetadata] = (),
) -> BitBlock:
    """Return a block of metadata, without kinds."""
    new = [numbers.record(each.record, *_operands(each, numbers)) for each in metadata]
    for each in named:
        old = each.name_record
        new.append(numbers.record(old, NAME, characters(each.name, old)))
        nodes = [numbers.node(node) for node in each.nodes]
        new.append(numbers.record(each.record, NAMED_NODE, nodes))
    return merge(block, new, set(BLOCKS[BLOCK].records) - {KIND})


def encode_kinds(block: BitBlock, numbers: Numbers) -> BitBlock:
    """Return the block of the names of kinds."""
    old = {each.operands[0]: each for each in block.records if each.code == KIND and each.operands}
    new: list[Part] = []
    for number, name in numbers.module.kinds.items():
        before = old.get(number)
        new.append(numbers.record(before, KIND, [number, *characters(name, before, 1)]))
    return merge(block, new, {KIND})


def _operands(each: Metadata, numbers: Numbers) -> tuple[int, list[int]]:
    """Return code and operands of the record of metadata."""
    if isinstance(each, MetadataString):
        return STRING, characters(each.text, each.record)
    if isinstance(each, DebugNode):
        kinds = [*each.row.kinds, *[each.row.rest or "i"] * len(each.rest)]
        fields = [*each.values, *each.rest]
        found = [_field(kind, one, numbers) for kind, one in zip(kinds, fields, strict=True)]
        return each.row.code, [int(each.distinct), *found]
    if isinstance(each, MetadataNode):
        code = DISTINCT_NODE if each.distinct else NODE
        known = numbers.metadata
        try:
            return code, [0 if one is None else known[one] + 1 for one in each.elements]
        except (KeyError, TypeError):
            return code, [numbers.node_or_none(one) for one in each.elements]
    if isinstance(each, MetadataValue):
        return VALUE, [numbers.type(each.value.type), numbers.value(each.value)]
    raise numbers.fail(f"expected metadata, got {each!r:.60}")


def _field(kind: str, value: DebugField, numbers: Numbers) -> int:
    if kind in ("m", "n"):
        if value is not None and not isinstance(value, Metadata):
            raise numbers.fail(f"expected metadata or None, got {value!r:.40}")
        if kind == "m":
            return numbers.node_or_none(value)
        if value is None:
            raise numbers.fail("expected metadata, got None")
        return numbers.node(value)
    if not isinstance(value, int):
        raise numbers.fail(f"expected a number, got {value!r:.40}")
    if kind == "s":
        return value << 1 if value >= 0 else ~value << 1 | 1
    if kind == "c" and -(1 << 63) <= value < 0:
        return value + (1 << 64)
    return value


def encode_attachments(pairs: Iterable[tuple[int, MetadataNode]], numbers: Numbers) -> list[int]:
    """Return pairs of a kind and a node as operands."""
    return [each for kind, node in pairs for each in (kind, numbers.node(node))]
