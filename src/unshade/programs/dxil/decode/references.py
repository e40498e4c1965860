"""Decoding of references to values by number: names, use-list orders, attributes."""

from collections.abc import Sequence

from ..bitstream import BitBlock
from ..model.values import AttributeList, DxilValue, UseListOrder
from .common import DecodingContext

__all__ = ["attributes_of", "decode_names", "decode_use_lists"]


def attributes_of(number: int, context: DecodingContext) -> AttributeList | None:
    """Return attributes by their number, which counts from 1, or None for 0."""
    known = context.module.attributes
    if number > len(known):
        context.fail(f"expected attributes of at most {len(known)}, got {number}")
    return known[number - 1] if number else None


def decode_names(
    block: BitBlock,
    context: DecodingContext,
    values: Sequence[DxilValue],
    blocks: Sequence[DxilValue] = (),
) -> None:
    """Set names of values and basic blocks."""
    for record in block.records:
        context.path, context.item = "names", record
        number, *characters = context.operands(record, 1)
        table = values if record.code == 1 else blocks
        if record.code not in (1, 2) or number >= len(table):
            context.fail(f"expected a value below {len(table)}, got {number}")
        if table[number].name:
            context.fail(f"expected one name for value {number}, got two")
        table[number].name = context.text(characters)
        table[number].name_record = record


def decode_use_lists(
    block: BitBlock,
    context: DecodingContext,
    values: Sequence[DxilValue],
    blocks: Sequence[DxilValue],
) -> list[UseListOrder]:
    """Return the orders of uses that a block lists."""
    found = []
    for record in block.records:
        *indexes, number = context.operands(record, 3)
        table = values if record.code == 1 else blocks
        if record.code not in (1, 2) or number >= len(table):
            context.fail(f"expected a value below {len(table)}, got {number}")
        made = UseListOrder(table[number], indexes)
        made.record = record
        found.append(made)
    return found
