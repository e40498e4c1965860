"""Decoding of constants.

Constants may refer to later constants of their block, so all are numbered before any is read.
"""

from collections.abc import Callable, Sequence

from ..bitstream import BitBlock, BitRecord
from ..model.constants import (
    BlockAddress,
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
    DxilConstant,
    InlineAssembly,
    UndefinedValue,
)
from ..model.types import ArrayType, DxilType, FloatType, IntegerType, StructType, VectorType
from ..model.values import Function
from .common import DecodingContext, rotated

__all__ = ["decode_constants"]

SETTYPE = 1


def decode_constants(block: BitBlock, context: DecodingContext) -> list[DxilConstant]:
    """Return the constants of a block, and number them."""
    found: list[DxilConstant] = []
    current: DxilType = context.module.types.integer(32)
    set_by: BitRecord | None = None
    for record in block.records:
        if record.code == SETTYPE:
            (number,) = context.operands(record, 1, 1)
            current = context.type(number)
            set_by = record
            continue
        context.path, context.item = f"constants[{len(context.values)}]", record
        reader = READERS.get(record.code)
        if reader is None:
            context.fail(f"expected a constant of LLVM 3.7, got record {record.code}")
        made = CLASSES[record.code].__new__(CLASSES[record.code])
        made.type, made.name, made.name_record = current, "", None
        made.record, made.type_record = record, set_by
        set_by = None
        found.append(made)
        context.values.append(made)
    first = len(context.values) - len(found)
    for number, made in enumerate(found, first):
        context.path, context.item = f"constants[{number}]", made.record
        assert made.record is not None
        READERS[made.record.code](made, made.record.operands, context)
    return found


def _plain(made: DxilConstant, operands: Sequence[int], context: DecodingContext) -> None:
    if operands:
        context.fail(f"expected no operands, got {len(operands)}")


def _integer(made: ConstantInt, operands: Sequence[int], context: DecodingContext) -> None:
    if not isinstance(made.type, IntegerType) or len(operands) != 1:
        context.fail(f"expected an integer type and one operand, got {made.type!s:.40}")
    made.value = rotated(operands[0])


def _wide(made: ConstantInt, operands: Sequence[int], context: DecodingContext) -> None:
    if not isinstance(made.type, IntegerType) or not made.type.width > 64:
        context.fail(f"expected an integer of more than 64 bits, got {made.type!s:.40}")
    if not 1 <= len(operands) <= (made.type.width + 63) // 64:
        context.fail(f"expected words of {made.type}, got {len(operands)}")
    words = [rotated(each) & 0xFFFF_FFFF_FFFF_FFFF for each in operands]
    value = sum(each << 64 * at for at, each in enumerate(words))
    sign = 1 << (made.type.width - 1)
    made.value = (value & (sign - 1)) - (value & sign)


def _float(made: ConstantFloat, operands: Sequence[int], context: DecodingContext) -> None:
    if not isinstance(made.type, FloatType):
        context.fail(f"expected a floating-point type, got {made.type!s:.40}")
    width = made.type.width
    if len(operands) != (1 if width <= 64 else 2) or operands[0] >> min(width, 64):
        context.fail(f"expected the bits of a {made.type}")
    if width == 80:
        if operands[1] >> 16:
            context.fail("expected the bits of a x86_fp80")
        made.bits = operands[0] << 16 | operands[1]
    else:
        made.bits = operands[0] | (operands[1] << 64 if width == 128 else 0)


def _aggregate(made: ConstantAggregate, operands: Sequence[int], context: DecodingContext) -> None:
    if not isinstance(made.type, ArrayType | VectorType | StructType):
        context.fail(f"expected an aggregate type, got {made.type!s:.40}")
    count = len(made.type.elements or ()) if isinstance(made.type, StructType) else made.type.count
    if count != len(operands):
        context.fail(f"expected {count} elements, got {len(operands)}")
    made.elements = [context.value(each) for each in operands]


def _data(made: ConstantData, operands: Sequence[int], context: DecodingContext) -> None:
    if not isinstance(made.type, ArrayType | VectorType) or made.type.count != len(operands):
        context.fail(f"expected the elements of {made.type!s:.40}, got {len(operands)}")
    made.elements = list(operands)


def _string(made: ConstantString, operands: Sequence[int], context: DecodingContext) -> None:
    assert made.record is not None
    made.terminated = made.record.code == 9
    if not isinstance(made.type, ArrayType) or made.type.count != len(operands) + made.terminated:
        context.fail(f"expected the characters of {made.type!s:.40}, got {len(operands)}")
    if any(each > 255 for each in operands):
        context.fail(f"expected characters, got {max(operands)}")
    made.data = bytes(operands)


def _expression(
    made: ConstantExpression,
    opcode: str,
    operands: Sequence[int],
    context: DecodingContext,
    *,
    detail: int = 0,
    flags: int | None = None,
    source_type: DxilType | None = None,
) -> None:
    made.opcode = opcode
    made.arguments = [context.value(each) for each in operands]
    made.detail, made.flags, made.source_type = detail, flags, source_type


def _typed(operands: Sequence[int], context: DecodingContext) -> list[int]:
    """Return the values of pairs of a type and a value; the types must match the values."""
    for number, value in zip(operands[::2], operands[1::2], strict=True):
        if context.type(number) is not context.value(value).type:
            context.fail(f"expected a value of type {context.type(number)!s:.40}")
    return list(operands[1::2])


def _expect(operands: Sequence[int], context: DecodingContext, *counts: int) -> None:
    if len(operands) not in counts:
        context.fail(f"expected {' or '.join(map(str, counts))} operands, got {len(operands)}")


def _binary(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 3, 4)
    operation, left, right, *flags = operands
    _expression(
        made, "binary", (left, right), context, detail=operation, flags=flags[0] if flags else None
    )


def _cast(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 3)
    _expression(made, "cast", _typed(operands[1:], context), context, detail=operands[0])


def _pointer(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    if len(operands) < 2:
        context.fail(f"expected 2 or more operands, got {len(operands)}")
    odd = len(operands) % 2
    source_type = context.type(operands[0]) if odd else None
    values = _typed(operands[odd:], context)
    assert made.record is not None
    inbounds = int(made.record.code == 20)
    _expression(made, "getelementptr", values, context, detail=inbounds, source_type=source_type)


def _select(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 3)
    _expression(made, "select", operands, context)


def _extract(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 4)
    _expression(made, "extractelement", _typed(operands, context), context)


def _insert(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 4)
    values = [*operands[:2], *_typed(operands[2:], context)]
    _expression(made, "insertelement", values, context)


def _shuffle(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    assert made.record is not None
    if made.record.code == 19:
        _expect(operands, context, 4)
        _typed(operands[:2], context)
        operands = operands[1:]
    _expect(operands, context, 3)
    _expression(made, "shufflevector", operands, context)
    if (made.type is made.arguments[0].type) == (made.record.code == 19):
        context.fail("expected the record of a shuffle with its own type")


def _compare(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 4)
    values = [*_typed(operands[:2], context), operands[2]]
    opcode = "fcmp" if operands[3] < 32 else "icmp"
    _expression(made, opcode, values, context, detail=operands[3])


def _block_address(made: BlockAddress, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 3)
    _typed(operands[:2], context)
    function = context.value(operands[1])
    if not isinstance(function, Function):
        context.fail("expected the address of a block of a function")
    made.function, made.index = function, operands[2]


def _assembly(made: InlineAssembly, operands: Sequence[int], context: DecodingContext) -> None:
    if len(operands) < 3 or operands[1] + 3 > len(operands):
        context.fail("expected the text of inline assembly")
    made.flags = operands[0]
    middle = 2 + operands[1]
    if operands[middle] != len(operands) - middle - 1:
        context.fail("expected the constraints of inline assembly")
    made.assembly = context.text(operands[2:middle])
    made.constraints = context.text(operands[middle + 1 :])


Reader = Callable[..., None]
_ROWS: tuple[tuple[int, type[DxilConstant], Reader], ...] = (
    (2, ConstantNull, _plain),
    (3, UndefinedValue, _plain),
    (4, ConstantInt, _integer),
    (5, ConstantInt, _wide),
    (6, ConstantFloat, _float),
    (7, ConstantAggregate, _aggregate),
    (8, ConstantString, _string),
    (9, ConstantString, _string),
    (10, ConstantExpression, _binary),
    (11, ConstantExpression, _cast),
    (12, ConstantExpression, _pointer),
    (13, ConstantExpression, _select),
    (14, ConstantExpression, _extract),
    (15, ConstantExpression, _insert),
    (16, ConstantExpression, _shuffle),
    (17, ConstantExpression, _compare),
    (19, ConstantExpression, _shuffle),
    (20, ConstantExpression, _pointer),
    (21, BlockAddress, _block_address),
    (22, ConstantData, _data),
    (23, InlineAssembly, _assembly),
)
CLASSES = {code: cls for code, cls, _ in _ROWS}
READERS = {code: reader for code, _, reader in _ROWS}
