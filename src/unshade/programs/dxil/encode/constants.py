"""Encoding of constants."""

from collections.abc import Sequence

from ..bitstream import BitBlock
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
from ..model.types import DxilType, FloatType, IntegerType
from ..model.values import DxilValue
from ..tables.blocks import BLOCKS, CONSTANTS
from .common import Numbers, Part, characters, merge, rotate

__all__ = ["encode_constants"]

SETTYPE = 1
WORD = 0xFFFF_FFFF_FFFF_FFFF


def encode_constants(
    block: BitBlock, constants: Sequence[DxilConstant], numbers: Numbers
) -> BitBlock:
    """Return the block of constants."""
    new: list[Part] = []
    current: DxilType | None = None
    for constant in constants:
        if constant.type is not current:
            current = constant.type
            new.append(numbers.record(constant.type_record, SETTYPE, [numbers.type(current)]))
        code, operands = _operands(constant, numbers)
        new.append(numbers.record(constant.record, code, operands))
    return merge(block, new, BLOCKS[CONSTANTS].records)


def _operands(constant: DxilConstant, numbers: Numbers) -> tuple[int, list[int]]:
    """Return code and operands of the record of a constant."""
    if isinstance(constant, ConstantNull):
        return 2, []
    if isinstance(constant, UndefinedValue):
        return 3, []
    if isinstance(constant, ConstantInt):
        return _integer(constant, numbers)
    if isinstance(constant, ConstantFloat):
        return 6, _float(constant, numbers)
    if isinstance(constant, ConstantAggregate):
        return 7, [numbers.value(each) for each in constant.elements]
    if isinstance(constant, ConstantString):
        return 9 if constant.terminated else 8, list(constant.data)
    if isinstance(constant, ConstantData):
        return 22, list(constant.elements)
    if isinstance(constant, ConstantExpression):
        return _expression(constant, numbers)
    if isinstance(constant, BlockAddress):
        function = constant.function
        return 21, [numbers.type(function.type), numbers.value(function), constant.index]
    if isinstance(constant, InlineAssembly):
        old = constant.record
        text = characters(constant.assembly)
        found = [constant.flags, len(text), *text]
        constraints = characters(constant.constraints)
        found += [len(constraints), *constraints]
        if old is not None and [each & 0xFF for each in old.operands] == [
            each & 0xFF for each in found
        ]:
            found = old.operands
        return 23, found
    raise numbers.fail(f"expected a constant, got {constant!r:.60}")


def _integer(constant: ConstantInt, numbers: Numbers) -> tuple[int, list[int]]:
    width = constant.type.width if isinstance(constant.type, IntegerType) else 0
    if not isinstance(constant.value, int):
        raise numbers.fail(f"expected an integer, got {constant.value!r:.40}")
    if width <= 64:
        if not -(1 << 63) <= constant.value < 1 << 63:
            raise numbers.fail(f"expected an integer of 64 bits, got {constant.value}")
        return 4, [rotate(constant.value)]
    value = constant.value & ((1 << width) - 1)
    words = [value & WORD]
    while value := value >> 64:
        words.append(value & WORD)
    return 5, [rotate(each - (each >> 63 << 64)) for each in words]


def _float(constant: ConstantFloat, numbers: Numbers) -> list[int]:
    width = constant.type.width if isinstance(constant.type, FloatType) else 0
    if not 0 <= constant.bits < 1 << width:
        raise numbers.fail(f"expected {width} bits, got {constant.bits:#x}")
    if width == 80:
        return [constant.bits >> 16, constant.bits & 0xFFFF]
    if width == 128:
        return [constant.bits & WORD, constant.bits >> 64]
    return [constant.bits]


def _expression(constant: ConstantExpression, numbers: Numbers) -> tuple[int, list[int]]:
    arguments = constant.arguments
    opcode, value = constant.opcode, numbers.value

    def pair(each: DxilValue) -> list[int]:
        return [numbers.type(each.type), value(each)]

    if opcode == "getelementptr":
        found = [] if constant.source_type is None else [numbers.type(constant.source_type)]
        for each in arguments:
            found += pair(each)
        return 20 if constant.detail else 12, found
    if opcode == "cast":
        return 11, [constant.detail, *pair(arguments[0])]
    if opcode == "binary":
        flags = [] if constant.flags is None else [constant.flags]
        return 10, [constant.detail, *map(value, arguments), *flags]
    if opcode == "select":
        return 13, list(map(value, arguments))
    if opcode == "extractelement":
        return 14, [*pair(arguments[0]), *pair(arguments[1])]
    if opcode == "insertelement":
        return 15, [value(arguments[0]), value(arguments[1]), *pair(arguments[2])]
    if opcode == "shufflevector":
        found = list(map(value, arguments))
        if constant.type is arguments[0].type:
            return 16, found
        return 19, [numbers.type(arguments[0].type), *found]
    if opcode in ("icmp", "fcmp"):
        return 17, [*pair(arguments[0]), value(arguments[1]), constant.detail]
    raise numbers.fail(f"expected a constant expression of LLVM 3.7, got {opcode!r}")
