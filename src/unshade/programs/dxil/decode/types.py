"""Decoding of the type table.

A type consists of types before it; only named structures may be referred to before their record.
"""

from ....errors import LimitError
from ..bitstream import BitBlock, BitRecord
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    VectorType,
)
from .common import DecodingContext

__all__ = ["FLOATS", "PRIMITIVES", "decode_types"]

NUMENTRY, OPAQUE, INTEGER, POINTER, ARRAY, VECTOR = 1, 6, 7, 8, 11, 12
STRUCT_ANON, STRUCT_NAME, STRUCT_NAMED, FUNCTION = 18, 19, 20, 21
FLOATS = {3: "float", 4: "double", 10: "half", 13: "x86_fp80", 14: "fp128", 15: "ppc_fp128"}
PRIMITIVES = {2: "void", 5: "label", 16: "metadata", 17: "x86_mmx"}
MOST_WIDTH = (1 << 23) - 1


def decode_types(block: BitBlock, context: DecodingContext) -> None:
    """Add the types of a block to the module."""
    table = context.module.types
    if table.rows:
        context.fail("expected one table of types")
    _TypeDecoder(block, context).run()


class _TypeDecoder:
    """A decoder of one table. `early` has structures that a type before them refers to."""

    def __init__(self, block: BitBlock, context: DecodingContext) -> None:
        self.context = context
        self.records = list(block.records)
        self.table = context.module.types
        self.early: dict[int, StructType] = {}
        self.structures = self._structures()

    def _structures(self) -> dict[int, BitRecord]:
        """Return the records of identified structures by the number of their type."""
        found = {}
        number = 0
        for record in self.records:
            if record.code in (NUMENTRY, STRUCT_NAME):
                continue
            if record.code in (STRUCT_NAMED, OPAQUE):
                found[number] = record
            number += 1
        return found

    def run(self) -> None:
        context, table = self.context, self.table
        name: BitRecord | None = None
        count = 0
        for index, record in enumerate(self.records):
            context.path, context.item = f"types[{len(table.rows)}]", record
            code = record.code
            if (code == NUMENTRY) != (index == 0):
                context.fail("expected the number of types as the first record")
            if code == NUMENTRY:
                (count,) = context.operands(record, 1, 1)
                continue
            if code == STRUCT_NAME:
                if name is not None:
                    context.fail("expected a structure after its name")
                name = record
                continue
            made = self.make(record, name)
            if code in (STRUCT_NAMED, OPAQUE):
                name = None
            if made.depth > context.limits.depth:
                raise LimitError("depth", context.limits.depth, "deeper nesting of types")
            size = made.size
            if isinstance(made, StructType):
                size = sum(each.size for each in made.elements or ())
            if size > context.limits.members:
                raise LimitError("members", context.limits.members, size)
            made.record = record
            table.add(made)
        if name is not None:
            context.fail("expected a structure after its name")
        if count != len(table.rows):
            context.fail(f"expected {count} types, got {len(table.rows)}")

    def part(self, number: int) -> DxilType:
        """Return a type that another consists of."""
        rows = self.table.rows
        if number < len(rows):
            return rows[number]
        if number not in self.structures:
            self.context.fail(f"expected a type below {len(rows)} or a structure, got {number}")
        return self.early.setdefault(number, StructType("", None))

    def make(self, record: BitRecord, name: BitRecord | None) -> DxilType:
        """Return the type of a record."""
        context = self.context
        code, operands = record.code, record.operands
        if code in FLOATS:
            return FloatType(FLOATS[code])
        if code in PRIMITIVES:
            return PrimitiveType(PRIMITIVES[code])
        if code == INTEGER:
            (width,) = context.operands(record, 1, 1)
            if not 1 <= width <= MOST_WIDTH:
                context.fail(f"expected a width of 1 to {MOST_WIDTH} bits, got {width}")
            return IntegerType(width)
        if code == POINTER:
            context.operands(record, 2, 2)
            return PointerType(self.part(operands[0]), operands[1])
        if code in (ARRAY, VECTOR):
            context.operands(record, 2, 2)
            cls = ArrayType if code == ARRAY else VectorType
            return cls(operands[0], self.part(operands[1]))
        if code == FUNCTION:
            context.operands(record, 2)
            result, *parameters = map(self.part, operands[1:])
            return FunctionType(result, parameters, bool(operands[0]))
        if code in (STRUCT_ANON, STRUCT_NAMED, OPAQUE):
            context.operands(record, 1, 1 if code == OPAQUE else None)
            elements = list(map(self.part, operands[1:])) if code != OPAQUE else None
            packed = bool(operands[0])
            if code == STRUCT_ANON:
                return StructType(None, elements, packed)
            made = self.early.setdefault(len(self.table.rows), StructType("", None))
            made.elements, made.packed = elements, packed
            if name is not None:
                made.name, made.name_record = context.text(name.operands), name
            return made
        context.fail(f"expected a type of LLVM 3.7, got record {code}")
