"""Decoding of function bodies.

The number of an operand is relative: the number of the next result minus the operand's number.
Instructions without result have no number. An operand may be the result of a later instruction, so
all instructions are made and numbered before any is read.
"""

from typing import cast

from ....errors import LimitError
from ..bitstream import BitBlock, BitRecord
from ..model.instructions import BY_CODE, Instruction
from ..model.metadata import DebugLocation, MetadataValue
from ..model.types import FunctionType
from ..model.values import BasicBlock, DxilValue, Function
from ..tables.blocks import ATTACHMENTS, CONSTANTS, METADATA, SYMBOLS, USE_LISTS
from .common import DecodingContext
from .constants import decode_constants
from .instructions import InstructionReader
from .metadata import decode_attachments, decode_metadata
from .references import decode_names, decode_use_lists

__all__ = ["decode_function"]

DECLAREBLOCKS, DEBUG_LOC_AGAIN, DEBUG_LOC = 1, 33, 35


def decode_function(function: Function, block: BitBlock, context: DecodingContext) -> None:
    """Decode the body of a function."""
    function.block = block
    values, metadata = len(context.values), len(context.metadata)
    _FunctionDecoder(function, block, context).run()
    del context.values[values:]
    del context.metadata[metadata:]


class _FunctionDecoder:
    """A decoder of one body. `made` holds its instructions, with and without result."""

    def __init__(self, function: Function, block: BitBlock, context: DecodingContext) -> None:
        self.function = function
        self.block = block
        self.context = context
        self.made: list[Instruction] = []
        self.label = context.module.types.primitive("label")
        self.name = function.name or "function"

    def run(self) -> None:
        context, function = self.context, self.function
        context.path, context.item = self.name, self.block
        context.values += function.arguments
        self.tables()
        self.number()
        local = [each for each in self.block.blocks if each.id == METADATA]
        if len(local) > 1:
            context.fail("expected one block of metadata of a function")
        for each in local:
            found = decode_metadata(each, context)
            if not all(isinstance(one, MetadataValue) for one in found):
                context.fail("expected values as the metadata of a function")
            function.locals = cast("list[MetadataValue]", found)
        self.instructions()
        blocks = cast("list[DxilValue]", function.blocks)
        for each in self.block.blocks:
            if each.id == SYMBOLS:
                decode_names(each, context, context.values, blocks)
            elif each.id == ATTACHMENTS:
                self.attachments(each)
            elif each.id == USE_LISTS:
                function.use_lists = decode_use_lists(each, context, context.values, blocks)

    def tables(self) -> None:
        """Decode the blocks before the instructions."""
        context = self.context
        blocks = [each for each in self.block.blocks if each.id == CONSTANTS]
        if len(blocks) > 1:
            context.fail("expected one block of constants of a function")
        for each in blocks:
            self.function.constants = decode_constants(each, context)
        context.path, context.item = self.name, self.block
        first = next(self.block.records, None)
        if first is None or first.code != DECLAREBLOCKS or len(first.operands) != 1:
            context.fail("expected the number of blocks as the first record")
        (count,) = first.operands
        if not 0 < count <= len(self.block.items):
            context.fail(f"expected 1 to {len(self.block.items)} blocks, got {count}")
        self.function.blocks = [BasicBlock(self.label) for _ in range(count)]

    def number(self) -> None:
        """Make the instructions, and number those with a result."""
        context = self.context
        values, made = context.values, self.made
        for record in self.block.records:
            code = record.code
            if code in (DECLAREBLOCKS, DEBUG_LOC, DEBUG_LOC_AGAIN):
                continue
            layout = BY_CODE.get(code)
            if layout is None:
                context.path, context.item = f"{self.name}[{len(made)}]", record
                context.fail(f"expected an instruction of LLVM 3.7, got record {code}")
            instruction = layout.made.blank(record)
            made.append(instruction)
            at = layout.function_type_at
            if layout.made.HAS_RESULT and not (at is not None and self.is_void(record, at)):
                values.append(instruction)
        if len(made) > context.limits.instructions:
            raise LimitError("instructions", context.limits.instructions, len(made))

    def is_void(self, record: BitRecord, at: int) -> bool:
        """Return True if a call of a function, whose type is an operand, has no result."""
        if len(record.operands) <= at:
            return False  # an error when it is read
        number = record.operands[at]
        types = self.context.types
        type = types[number] if number < len(types) else None
        return isinstance(type, FunctionType) and type.result.is_void

    def instructions(self) -> None:
        """Read the operands of all instructions, and put them into blocks."""
        function, context = self.function, self.context
        first = len(function.arguments) + len(function.constants)
        first += len(context.module.globals) + len(context.module.constants)
        reader = InstructionReader(function, context, first)
        blocks = iter(function.blocks)
        block: BasicBlock | None = next(blocks)
        made = iter(self.made)
        last: DebugLocation | None = None
        current: Instruction | None = None
        count = 0
        for record in self.block.records:
            code = record.code
            if code == DECLAREBLOCKS:
                if count:
                    context.fail("expected the number of blocks once")
                continue
            if code in (DEBUG_LOC, DEBUG_LOC_AGAIN):
                if current is None or current.location is not None:
                    context.fail("expected an instruction before its location")
                if code == DEBUG_LOC:
                    last = self.location(record)
                elif last is None or record.operands:
                    context.fail("expected a location before it is repeated")
                current.location = last
                continue
            context.path = f"{self.name}[{count}]"
            context.item = record
            count += 1
            current = next(made)
            if block is None:
                context.fail(f"expected {len(function.blocks)} blocks, got more instructions")
            reader.read(current, record)
            block.instructions.append(current)
            if current.is_terminator:
                block = next(blocks, None)
        context.path, context.item = self.name, self.block
        if block is not None:
            context.fail("expected a branch or return at the end of each block")
        context.check_types()

    def location(self, record: BitRecord) -> DebugLocation:
        """Return a source location."""
        line, column, scope, inlined = self.context.operands(record, 4, 4)
        found = DebugLocation(
            line,
            column,
            self.context.node_or_none(scope),
            self.context.node_or_none(inlined),
        )
        found.record = record
        return found

    def attachments(self, block: BitBlock) -> None:
        """Attach nodes to instructions, which count with and without result, and the function."""
        context = self.context
        for record in block.records:
            context.path, context.item = f"{self.name} attachments", record
            operands = context.operands(record, 1)
            if record.code != 11:
                context.fail(f"expected an attachment, got record {record.code}")
            if len(operands) % 2 == 0:
                if self.function.attachments:
                    context.fail("expected one record of attachments of the function")
                self.function.attachments = decode_attachments(operands, context)
                continue
            if operands[0] >= len(self.made):
                context.fail(f"expected an instruction below {len(self.made)}, got {operands[0]}")
            instruction = self.made[operands[0]]
            if instruction.attachments:
                context.fail(f"expected one record for instruction {operands[0]}, got two")
            instruction.attachments = decode_attachments(operands[1:], context)
