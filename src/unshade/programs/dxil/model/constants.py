"""Constants of a module or of one function.

Source: LLVM 3.7's public language reference and LLVMBitCodes.h (CONSTANTS_BLOCK).
"""

import struct

from ..bitstream import BitRecord
from .types import DxilType, IntegerType
from .values import BasicBlock, DxilValue, Function

__all__ = [
    "BlockAddress",
    "ConstantAggregate",
    "ConstantData",
    "ConstantExpression",
    "ConstantFloat",
    "ConstantInt",
    "ConstantNull",
    "ConstantString",
    "DxilConstant",
    "InlineAssembly",
    "UndefinedValue",
    "integer_of",
]


FLOATS = {16: "<e", 32: "<f", 64: "<d"}


class DxilConstant(DxilValue):
    """A constant. `type_record` is the SETTYPE that precedes it in the file, if any."""

    __slots__ = ("type_record",)

    def __init__(self, type: DxilType) -> None:
        super().__init__(type)
        self.type_record: BitRecord | None = None

    @property
    def operands(self) -> list[DxilValue]:
        """The values that the constant is made of."""
        return []

    @property
    def shown(self) -> str:
        """The value in a few characters, for `repr`."""
        return ""

    def __repr__(self) -> str:
        return f"<{' '.join(filter(None, (type(self).__name__, str(self.type)[:40], self.shown)))}>"


class ConstantNull(DxilConstant):
    """Zero: of a number, pointer, vector or aggregate."""

    __slots__ = ()


class UndefinedValue(DxilConstant):
    """A value that may be anything."""

    __slots__ = ()


class ConstantInt(DxilConstant):
    """An integer, signed; zero is a ConstantNull in files."""

    __slots__ = ("value",)

    def __init__(self, type: DxilType, value: int) -> None:
        super().__init__(type)
        self.value = value

    @property
    def shown(self) -> str:
        return str(self.value)[:40]


class ConstantFloat(DxilConstant):
    """A floating-point number, by its bits; +0 is a ConstantNull in files."""

    __slots__ = ("bits",)

    def __init__(self, type: DxilType, bits: int) -> None:
        super().__init__(type)
        self.bits = bits

    @property
    def shown(self) -> str:
        layout = FLOATS.get(getattr(self.type, "width", 0))
        if layout is None or self.bits.bit_length() > 8 * struct.calcsize(layout):
            return f"0x{self.bits:x}"
        return (
            f"{struct.unpack(layout, self.bits.to_bytes(struct.calcsize(layout), 'little'))[0]:.9g}"
        )


class ConstantAggregate(DxilConstant):
    """An array, structure or vector of constants."""

    __slots__ = ("elements",)

    def __init__(self, type: DxilType, elements: list[DxilValue]) -> None:
        super().__init__(type)
        self.elements = elements

    @property
    def operands(self) -> list[DxilValue]:
        return list(self.elements)

    @property
    def shown(self) -> str:
        return f"of {len(self.elements)}"


class ConstantData(DxilConstant):
    """An array or vector of numbers, by their bits."""

    __slots__ = ("elements",)

    def __init__(self, type: DxilType, elements: list[int]) -> None:
        super().__init__(type)
        self.elements = elements

    @property
    def shown(self) -> str:
        return f"of {len(self.elements)}"


class ConstantString(DxilConstant):
    """An array of bytes; `terminated` is true if a zero follows `data`."""

    __slots__ = ("data", "terminated")

    def __init__(self, type: DxilType, data: bytes, terminated: bool) -> None:
        super().__init__(type)
        self.data = data
        self.terminated = terminated

    @property
    def shown(self) -> str:
        return f"{self.data[:40]!r}"


class ConstantExpression(DxilConstant):
    """An operation on constants.

    `opcode` is LLVM's name of the instruction. `detail` is the operation of a binary operator or
    cast, the predicate of a comparison, or 1 for `inbounds`; `flags` are the flags of a binary
    operator; `source_type` the type that a getelementptr steps through, None if the record lacks
    it.
    """

    __slots__ = ("arguments", "detail", "flags", "opcode", "source_type")

    def __init__(
        self,
        type: DxilType,
        opcode: str,
        arguments: list[DxilValue],
        detail: int = 0,
        flags: int | None = None,
        source_type: DxilType | None = None,
    ) -> None:
        super().__init__(type)
        self.opcode = opcode
        self.arguments = arguments
        self.detail = detail
        self.flags = flags
        self.source_type = source_type

    @property
    def operands(self) -> list[DxilValue]:
        return list(self.arguments)

    @property
    def shown(self) -> str:
        return self.opcode


class InlineAssembly(DxilConstant):
    """Inline assembly: bits of `flags` are side effects, stack alignment and dialect."""

    __slots__ = ("assembly", "constraints", "flags")

    def __init__(self, type: DxilType, flags: int, assembly: str, constraints: str) -> None:
        super().__init__(type)
        self.flags = flags
        self.assembly = assembly
        self.constraints = constraints


class BlockAddress(DxilConstant):
    """The address of a basic block, by its index in a function."""

    __slots__ = ("function", "index")

    def __init__(self, type: DxilType, function: Function, index: int) -> None:
        super().__init__(type)
        self.function = function
        self.index = index

    @property
    def block(self) -> BasicBlock | None:
        """The block, or None if the function has fewer."""
        blocks = self.function.blocks
        return blocks[self.index] if self.index < len(blocks) else None


def integer_of(value: object) -> int | None:
    """Return the number of an integer constant, zero included, or None."""
    if isinstance(value, ConstantInt):
        return value.value
    if isinstance(value, ConstantNull) and isinstance(value.type, IntegerType):
        return 0
    return None
