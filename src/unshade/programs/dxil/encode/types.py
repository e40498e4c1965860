"""Encoding of the type table."""

from ..bitstream import BitBlock
from ..decode.types import (
    ARRAY,
    FLOATS,
    FUNCTION,
    INTEGER,
    NUMENTRY,
    OPAQUE,
    POINTER,
    PRIMITIVES,
    STRUCT_ANON,
    STRUCT_NAME,
    STRUCT_NAMED,
    VECTOR,
)
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
from ..tables.blocks import BLOCKS, TYPES
from .common import Numbers, Part, characters, merge

__all__ = ["encode_types"]

CODES = {name: code for code, name in (FLOATS | PRIMITIVES).items()}


def encode_types(block: BitBlock, numbers: Numbers) -> BitBlock:
    """Return the block of the type table."""
    rows = numbers.module.types.rows
    first = next((each for each in block.records if each.code == NUMENTRY), None)
    new: list[Part] = []
    for type in rows:
        if isinstance(type, StructType) and type.name is not None:
            old = type.name_record
            if type.name or old is not None:
                new.append(numbers.record(old, STRUCT_NAME, characters(type.name, old)))
        code, operands = _operands(type, numbers)
        new.append(numbers.record(type.record, code, operands))
    new.insert(0, numbers.record(first, NUMENTRY, [len(rows)]))
    return merge(block, new, BLOCKS[TYPES].records)


def _operands(type: DxilType, numbers: Numbers) -> tuple[int, list[int]]:
    """Return code and operands of the record of a type."""
    number = numbers.type
    if isinstance(type, FloatType | PrimitiveType):
        return CODES[type.name], []
    if isinstance(type, IntegerType):
        return INTEGER, [type.width]
    if isinstance(type, PointerType):
        return POINTER, [number(type.pointee), type.space]
    if isinstance(type, ArrayType):
        return ARRAY, [type.count, number(type.element)]
    if isinstance(type, VectorType):
        return VECTOR, [type.count, number(type.element)]
    if isinstance(type, FunctionType):
        return FUNCTION, [int(type.vararg), number(type.result), *map(number, type.parameters)]
    assert isinstance(type, StructType)
    if type.elements is None:
        return OPAQUE, [int(type.packed)]
    code = STRUCT_ANON if type.name is None else STRUCT_NAMED
    return code, [int(type.packed), *map(number, type.elements)]
