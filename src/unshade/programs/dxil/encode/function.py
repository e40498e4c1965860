"""Encoding of function bodies."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..bitstream import BitBlock, BitRecord
from ..decode.function import DEBUG_LOC, DEBUG_LOC_AGAIN, DECLAREBLOCKS
from ..model.metadata import DebugLocation
from ..model.values import BasicBlock, DxilValue, Function, UseListOrder
from ..tables.blocks import (
    ATTACHMENTS,
    BLOCKS,
    CONSTANTS,
    FUNCTION,
    METADATA,
    SYMBOLS,
    USE_LISTS,
)
from .common import Numbers, Part, characters, merge
from .constants import encode_constants
from .instructions import InstructionWriter
from .metadata import encode_attachments, encode_metadata

__all__ = ["encode_function", "encode_names", "encode_use_lists", "inner"]

ENTRY, BBENTRY = 1, 2
WIDTHS = {CONSTANTS: 4, SYMBOLS: 4, METADATA: 3, ATTACHMENTS: 3, USE_LISTS: 3, FUNCTION: 4}


def inner(outer: BitBlock, id: int) -> BitBlock | None:
    """Return the block of an id directly inside another, or None."""
    return next((each for each in outer.blocks if each.id == id), None)


def encode_function(function: Function, numbers: Numbers) -> BitBlock:
    """Return the block of a function's body."""
    values, metadata = dict(numbers.values), dict(numbers.metadata)
    numbers.path = function.name or "function"
    try:
        return _encode(function, numbers)
    finally:
        numbers.values, numbers.metadata = values, metadata


def _encode(function: Function, numbers: Numbers) -> BitBlock:
    before = None if numbers.is_fresh else function.block
    block = before or BitBlock(FUNCTION, WIDTHS[FUNCTION])
    instructions = function.instructions
    values = numbers.values
    count = len(values)
    for each in (*function.arguments, *function.constants):
        values[each] = count
        count += 1
    first = count
    for instruction in instructions:
        if not instruction.type.is_void:
            values[instruction] = count
            count += 1
    for local in function.locals:
        numbers.metadata[local] = len(numbers.metadata)
    numbers.blocks = {each: number for number, each in enumerate(function.blocks)}

    declared = next((each for each in block.records if each.code == DECLAREBLOCKS), None)
    new: list[Part] = [numbers.record(declared, DECLAREBLOCKS, [len(function.blocks)])]
    old = inner(block, CONSTANTS)
    if function.constants:
        made = old or BitBlock(CONSTANTS, WIDTHS[CONSTANTS])
        new.append((old, encode_constants(made, function.constants, numbers)))
    old = inner(block, METADATA)
    if function.locals:
        made = old or BitBlock(METADATA, WIDTHS[METADATA])
        new.append((old, encode_metadata(made, function.locals, numbers)))
    writer = InstructionWriter(numbers, first)
    last: DebugLocation | None = None
    for number, instruction in enumerate(instructions):
        numbers.path = f"{function.name or 'function'}[{number}]"
        new.append(numbers.record(instruction.record, *writer.operands(instruction)))
        location = instruction.location
        if location is not None:
            new.append(_location(location, last, numbers))
            last = location
    numbers.path = function.name or "function"
    named: list[DxilValue] = [*function.arguments, *function.blocks, *instructions]
    old = inner(block, SYMBOLS)
    names = encode_names(old, named, numbers)
    if names is not None:
        new.append((old, names))
    old = inner(block, ATTACHMENTS)
    attachments = _attachments(function, old, numbers)
    if attachments is not None:
        new.append((old, attachments))
    old = inner(block, USE_LISTS)
    if function.use_lists:
        new.append((old, encode_use_lists(old, function.use_lists, numbers)))
    owned = (CONSTANTS, METADATA, SYMBOLS, ATTACHMENTS, USE_LISTS)
    return merge(block, new, BLOCKS[FUNCTION].records, owned)


def _location(location: DebugLocation, last: DebugLocation | None, numbers: Numbers) -> Part:
    """Return the record of a location; a short record if it equals the last."""
    if last is not None and location.same(last):
        # A record that repeats a location has no content, so any will do.
        return None, BitRecord(DEBUG_LOC_AGAIN, [])
    operands = [
        location.line,
        location.column,
        numbers.node_or_none(location.scope),
        numbers.node_or_none(location.inlined_at),
    ]
    return numbers.record(location.record, DEBUG_LOC, operands)


def encode_names(
    old: BitBlock | None, named: Iterable[DxilValue], numbers: Numbers
) -> BitBlock | None:
    """Return the block of names, in the order of the old one; None if all values are unnamed.

    dxc sorts names. If the old names are sorted, all names are sorted; else new names are appended.
    """
    found = [each for each in named if each.name]
    if not found:
        return None
    block = old or BitBlock(SYMBOLS, WIDTHS[SYMBOLS])
    before = [bytes(each & 0xFF for each in one.operands[1:]) for one in block.records]
    places = {id(each): at for at, each in enumerate(block.items)}

    def key(each: DxilValue) -> bytes:
        return each.name.encode("utf-8", "surrogateescape")

    if all(one <= other for one, other in pairwise(before)):
        found.sort(key=key)
    else:
        last = len(places)
        found.sort(key=lambda each: places.get(id(each.name_record), last))
    new: list[Part] = []
    for each in found:
        is_block = isinstance(each, BasicBlock)
        number = numbers.basic_block(each) if isinstance(each, BasicBlock) else numbers.value(each)
        text = characters(each.name, each.name_record, 1)
        new.append(
            numbers.record(each.name_record, BBENTRY if is_block else ENTRY, [number, *text])
        )
    return merge(block, new, BLOCKS[SYMBOLS].records)


def _attachments(function: Function, old: BitBlock | None, numbers: Numbers) -> BitBlock | None:
    """Return the block of attached metadata, or None if there is none."""
    block = old or BitBlock(ATTACHMENTS, WIDTHS[ATTACHMENTS])
    before: dict[int | None, BitRecord] = {
        each.operands[0] if len(each.operands) % 2 else None: each for each in block.records
    }
    new: list[Part] = []
    if function.attachments:
        new.append(
            numbers.record(before.get(None), 11, encode_attachments(function.attachments, numbers))
        )
    for number, instruction in enumerate(function.instructions):
        if instruction.attachments:
            pairs = encode_attachments(instruction.attachments, numbers)
            new.append(numbers.record(before.get(number), 11, [number, *pairs]))
    if not new and old is None:
        return None
    return merge(block, new, BLOCKS[ATTACHMENTS].records)


def encode_use_lists(
    old: BitBlock | None, orders: Sequence[UseListOrder], numbers: Numbers
) -> BitBlock:
    """Return the block of the orders of uses."""
    new: list[Part] = []
    for each in orders:
        is_block = isinstance(each.value, BasicBlock)
        number = (
            numbers.basic_block(each.value)
            if isinstance(each.value, BasicBlock)
            else numbers.value(each.value)
        )
        new.append(numbers.record(each.record, 2 if is_block else 1, [*each.indexes, number]))
    return merge(old or BitBlock(USE_LISTS, WIDTHS[USE_LISTS]), new, BLOCKS[USE_LISTS].records)
