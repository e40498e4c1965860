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
from ..model.values import DxilValue, Function
from .common import DecodingContext, rotated

__all__ = ["EXPRESSIONS", "SHUFFLE", "SHUFFLE_EX", "decode_constants"]

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


SHUFFLE, SHUFFLE_EX = 16, 19
# The records of operations: the opcode, and the forms of the operands. A pair is the type and the
# number of a value, the detail an operation, cast or predicate.
EXPRESSIONS: dict[int, tuple[str, tuple[str, ...]]] = {
    10: ("binary", ("detail", "value", "value", "flags")),
    11: ("cast", ("detail", "pair")),
    13: ("select", ("value", "value", "value")),
    14: ("extractelement", ("pair", "pair")),
    15: ("insertelement", ("value", "value", "pair")),
    SHUFFLE: ("shufflevector", ("value", "value", "value")),
    17: ("icmp", ("pair", "value", "detail")),
    SHUFFLE_EX: ("shufflevector", ("pair", "value", "value")),
}


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


def _expect(operands: Sequence[int], context: DecodingContext, *counts: int) -> None:
    if len(operands) not in counts:
        context.fail(f"expected {' or '.join(map(str, counts))} operands, got {len(operands)}")


def _pair(operands: Sequence[int], context: DecodingContext) -> DxilValue:
    """Return a value by its type and number; the type must match the value."""
    type, value = context.type(operands[0]), context.value(operands[1])
    if type is not value.type:
        context.fail(f"expected a value of type {type!s:.40}")
    return value


def _expression(
    made: ConstantExpression, operands: Sequence[int], context: DecodingContext
) -> None:
    """Read an operation by its layout."""
    assert made.record is not None
    made.opcode, layout = EXPRESSIONS[made.record.code]
    made.detail, made.flags, made.source_type = 0, None, None
    made.arguments = []
    least = sum(2 if each == "pair" else each != "flags" for each in layout)
    _expect(operands, context, *range(least, least + ("flags" in layout) + 1))
    at = 0
    for each in layout:
        if each == "pair":
            made.arguments.append(_pair(operands[at : at + 2], context))
            at += 1
        elif each == "value":
            made.arguments.append(context.value(operands[at]))
        elif each == "detail":
            made.detail = operands[at]
        elif at < len(operands):
            made.flags = operands[at]
        at += 1
    if made.opcode == "icmp" and made.detail < 32:
        made.opcode = "fcmp"
    if made.opcode == "shufflevector" and (made.type is made.arguments[0].type) != (
        made.record.code == SHUFFLE
    ):
        context.fail("expected the record of a shuffle with its own type")


def _pointer(made: ConstantExpression, operands: Sequence[int], context: DecodingContext) -> None:
    if len(operands) < 2:
        context.fail(f"expected 2 or more operands, got {len(operands)}")
    odd = len(operands) % 2
    assert made.record is not None
    made.opcode, made.detail, made.flags = "getelementptr", int(made.record.code == 20), None
    made.source_type = context.type(operands[0]) if odd else None
    starts = range(odd, len(operands), 2)
    made.arguments = [_pair(operands[at : at + 2], context) for at in starts]


def _block_address(made: BlockAddress, operands: Sequence[int], context: DecodingContext) -> None:
    _expect(operands, context, 3)
    function = _pair(operands, context)
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
    (12, ConstantExpression, _pointer),
    *((code, ConstantExpression, _expression) for code in EXPRESSIONS),
    (20, ConstantExpression, _pointer),
    (21, BlockAddress, _block_address),
    (22, ConstantData, _data),
    (23, InlineAssembly, _assembly),
)
CLASSES = {code: cls for code, cls, _ in _ROWS}
READERS = {code: reader for code, _, reader in _ROWS}
