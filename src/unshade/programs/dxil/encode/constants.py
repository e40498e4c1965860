"""Encoding of constants."""

from collections.abc import Sequence

from ..bitstream import BitBlock
from ..decode.constants import EXPRESSIONS, SHUFFLE, SHUFFLE_EX
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
from ..tables.blocks import BLOCKS, CONSTANTS
from .common import Numbers, Part, characters, merge, rotate

__all__ = ["encode_constants"]

SETTYPE = 1
CODES = {opcode: code for code, (opcode, _) in reversed(EXPRESSIONS.items())}
CODES["fcmp"] = CODES["icmp"]
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
    found: list[int] = []
    if constant.opcode == "getelementptr":
        found += [] if constant.source_type is None else [numbers.type(constant.source_type)]
        for value in arguments:
            found += [numbers.type(value.type), numbers.value(value)]
        return 20 if constant.detail else 12, found
    code = CODES.get(constant.opcode)
    if code is None:
        problem = f"expected a constant expression of LLVM 3.7, got {constant.opcode!r}"
        raise numbers.fail(problem)
    if code == SHUFFLE and constant.type is not arguments[0].type:
        code = SHUFFLE_EX
    values = iter(arguments)
    for each in EXPRESSIONS[code][1]:
        if each == "detail":
            found.append(constant.detail)
        elif each == "flags":
            found += [] if constant.flags is None else [constant.flags]
        else:
            value = next(values)
            found += [numbers.type(value.type)] if each == "pair" else []
            found.append(numbers.value(value))
    return code, found
