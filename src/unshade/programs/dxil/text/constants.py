"""Constants as LLVM 3.7 prints them, without their type.

Constants may share parts and nest deeply: a text is made piece by piece, and counted.
"""

from collections.abc import Sequence
from typing import TypeAlias

from ..model.constants import (
    BlockAddress,
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
    InlineAssembly,
    UndefinedValue,
)
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from ..model.values import DxilValue
from ..tables.llvm_enumerations import (
    BINARY_OPERATIONS,
    CASTS,
    FLOAT_OPERATIONS,
    PREDICATES,
)
from .spelling import escaped, float_text

__all__ = ["Piece", "constant_pieces", "flags_text", "number_text"]

# A text, a value without its type, or (a tuple of) a value with its type.
Piece: TypeAlias = str | DxilValue | tuple[DxilValue] | DxilType

ALL_FAST = 0x1F
SIDE_EFFECTS, ALIGN_STACK, INTEL = 1, 2, 4


def number_text(type: DxilType, bits: int) -> str:
    """Return a number of a type by its bits."""
    if isinstance(type, FloatType):
        return float_text(bits, type.width)
    if isinstance(type, IntegerType):
        if type.width == 1:
            return "true" if bits & 1 else "false"
        bits &= (1 << type.width) - 1
        return str(bits - (1 << type.width) if bits >> type.width - 1 else bits)
    return str(bits)


def flags_text(opcode: str, flags: int | None, *, exact: bool = False) -> str:
    """Return the flags of an operation, each with a blank before it.

    With `exact`, `fast` with other flags than all is a number as well.
    """
    if not flags:
        return ""
    if opcode in ("add", "sub", "mul", "shl"):
        return (" nuw" if flags & 1 else "") + (" nsw" if flags & 2 else "")
    if opcode in ("udiv", "sdiv", "lshr", "ashr"):
        return " exact" if flags & 1 else ""
    if opcode.startswith("f"):
        if flags & 1:
            return f" fast({flags})" if exact and flags != ALL_FAST else " fast"
        names = ((2, " nnan"), (4, " ninf"), (8, " nsz"), (16, " arcp"))
        return "".join(name for bit, name in names if flags & bit)
    return ""


def constant_pieces(value: DxilValue) -> Sequence[Piece]:
    """Return the pieces of an unnamed constant."""
    if isinstance(value, ConstantInt):
        return (number_text(value.type, value.value),)
    if isinstance(value, ConstantFloat):
        return (number_text(value.type, value.bits),)
    if isinstance(value, ConstantNull):
        return (_zero(value.type),)
    if isinstance(value, UndefinedValue):
        return ("undef",)
    if isinstance(value, ConstantAggregate):
        return _aggregate(value)
    if isinstance(value, ConstantData):
        return _data(value)
    if isinstance(value, ConstantString):
        text = escaped(value.data.decode("utf-8", "surrogateescape"))
        return ('c"' + text + ("\\00" if value.terminated else "") + '"',)
    if isinstance(value, ConstantExpression):
        return _expression(value)
    if isinstance(value, BlockAddress):
        block = value.block
        return ("blockaddress(", value.function, ", ", block or "<badref>", ")")
    if isinstance(value, InlineAssembly):
        flags = value.flags
        words = "asm "
        words += "sideeffect " if flags & SIDE_EFFECTS else ""
        words += "alignstack " if flags & ALIGN_STACK else ""
        words += "inteldialect " if flags & INTEL else ""
        return (f'{words}"{escaped(value.assembly)}", "{escaped(value.constraints)}"',)
    return ("<badref>",)


def _zero(type: DxilType) -> str:
    if isinstance(type, IntegerType | FloatType):
        return number_text(type, 0)
    if isinstance(type, PointerType):
        return "null"
    return "zeroinitializer"


def _bytes(values: Sequence[int]) -> str:
    data = bytes(each & 0xFF for each in values)
    return 'c"' + escaped(data.decode("utf-8", "surrogateescape")) + '"'


def _data(value: ConstantData) -> Sequence[Piece]:
    if not any(value.elements):
        return ("zeroinitializer",)
    type = value.type
    assert isinstance(type, ArrayType | VectorType)
    element = type.element
    if isinstance(type, ArrayType) and getattr(element, "width", 0) == 8:
        return (_bytes(value.elements),)
    left, right = "[]" if isinstance(type, ArrayType) else "<>"
    found: list[Piece] = [left]
    for at, each in enumerate(value.elements):
        found += (", " if at else "", element, " " + number_text(element, each))
    return (*found, right)


def _aggregate(value: ConstantAggregate) -> Sequence[Piece]:
    """Return an array, vector or structure; LLVM abbreviates all zeros and all undef."""
    elements = value.elements
    type = value.type
    if all(isinstance(each, ConstantNull) for each in elements):
        return ("zeroinitializer",)
    if all(isinstance(each, UndefinedValue) for each in elements):
        return ("undef",)
    if isinstance(type, ArrayType) and getattr(type.element, "width", 0) == 8:
        numbers = [0 if isinstance(each, ConstantNull) else each for each in elements]
        values = [each.value if isinstance(each, ConstantInt) else each for each in numbers]
        if all(isinstance(each, int) for each in values):
            return (_bytes([each for each in values if isinstance(each, int)]),)
    left, right = "[", "]"
    if isinstance(type, VectorType):
        left, right = "<", ">"
    elif isinstance(type, StructType):
        left, right = ("<{ ", " }>") if type.packed else ("{ ", " }")
    found: list[Piece] = [left]
    for at, each in enumerate(elements):
        found += (", " if at else "", (each,))
    return (*found, right)


def _expression(value: ConstantExpression) -> Sequence[Piece]:
    opcode, detail = value.opcode, value.detail
    arguments = value.arguments
    head: list[Piece] = [opcode]
    tail: list[Piece] = [")"]
    if opcode == "binary":
        element = value.type.element if isinstance(value.type, VectorType) else value.type
        table = FLOAT_OPERATIONS if isinstance(element, FloatType) else BINARY_OPERATIONS
        head = [table[detail], flags_text(table[detail], value.flags)]
    elif opcode == "cast":
        head = [CASTS[detail]]
        tail = [" to ", value.type, ")"]
    elif opcode in ("icmp", "fcmp"):
        head = [opcode, " ", PREDICATES[detail]]
    elif opcode == "getelementptr" and detail:
        head = [opcode, " inbounds"]
    head.append(" (")
    if opcode == "getelementptr":
        pointer = arguments[0].type if arguments else None
        source = value.source_type
        if source is None and isinstance(pointer, PointerType):
            source = pointer.pointee
        head += (source, ", ") if source is not None else ()
    for at, each in enumerate(arguments):
        head += (", " if at else "", (each,))
    return (*head, *tail)
