"""Conversions between numbers, and of bits, component by component.

A float outside of the range of the integer type saturates, where SPIR-V leaves the result
undefined; NaN becomes 0. Rounding is to even, or as execution modes specify, unless a conversion is
decorated otherwise.

Source: SPIR-V specification, section 3.49.11.
"""

from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.types import FLOATS, I32, INTEGERS
from ..module import Instruction
from ..tables.numbers import Decoration, Opcode
from .operations import Components, Formula, Handler, Handlers, componentwise, each_component
from .refused import ADDRESSES
from .types import LeafType
from .undefined import CONDITIONS, counted

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]

TOWARD_ZERO = 1  # FPRoundingMode
TO_EVEN = 0


def _integer(b: Builder, type: LeafType, value: Value, signed: bool) -> Value:
    assert type.scalar is not None
    if value.type == type.scalar:
        return value
    return b.iconv(value, type=type.scalar) if signed else b.uconv(value, type=type.scalar)


def _rounding(lowering: "Lowering", result: int, bits: int) -> int:
    """Return the rounding mode of a conversion: from its decoration, else by width."""
    mode = lowering.index.decoration_word(Decoration.FPRoundingMode, result)
    if mode is None:
        return TOWARD_ZERO if bits in lowering.toward_zero else TO_EVEN
    if mode not in (TO_EVEN, TOWARD_ZERO):
        raise UnsupportedError("conversions that round up or down cannot be run")
    return mode


def _rounded(kind: str) -> Handler:
    """Return the handler of a conversion that rounds."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        type = lowering.types.of(words[1])
        scalar = type.scalar
        assert scalar is not None
        mode = _rounding(lowering, words[2], scalar.bits)

        def make(b: Builder, type: LeafType, value: Value) -> Value:
            match kind:
                case "float":
                    if value.type == scalar:
                        return value
                    convert = b.fconvz if mode and scalar.bits < value.type.bits else b.fconv
                    return convert(value, type=scalar)
                case "signed":
                    return (b.itofz if mode else b.itof)(value, type=scalar)
            return (b.utofz if mode else b.utof)(value, type=scalar)

        return componentwise(lowering, make, type, [lowering.value(words[3])])

    return lower


def _saturate(b: Builder, type: LeafType, value: Value, signed: bool) -> Value:
    """Append a conversion of an integer of the other signedness, saturated."""
    assert type.scalar is not None
    target = type.scalar
    wide = INTEGERS[max(target.bits, value.type.bits)]
    value = b.iconv(value, type=wide) if signed else b.uconv(value, type=wide)
    if signed:  # signed to unsigned
        value = b.imax(value, 0)
        value = b.umin(value, target.mask)
    else:
        value = b.umin(value, target.mask >> 1)
    return b.iconv(value, type=target) if wide != target else value


def _bitcast(lowering: "Lowering", instruction: Instruction) -> object:
    words = instruction.words
    type = lowering.types.of(words[1])
    given = lowering.operand(words[3])
    if not isinstance(given, tuple):
        return given  # a pointer
    if type.is_pointer:
        raise UnsupportedError(f"to a pointer cannot be run: {ADDRESSES}")
    return recast(lowering.b, given, type)


def recast(b: Builder, given: Components, type: LeafType) -> Components:
    """Append scalars reinterpreted as another type; lower components are lower bits."""
    scalar = type.scalar
    assert scalar is not None
    bits = [b.asint(each) if each.type.kind == "f" else each for each in given]
    width = bits[0].type.bits
    if width > scalar.bits:
        word = INTEGERS[scalar.bits]
        bits = [
            b.iconv(b.ushr(each, at) if at else each, type=word)
            for each in bits
            for at in range(0, width, scalar.bits)
        ]
    elif width < scalar.bits:
        word, many = INTEGERS[scalar.bits], scalar.bits // width
        joined = []
        for first in range(0, len(bits), many):
            found = b.uconv(bits[first], type=word)
            for at in range(1, many):
                part = b.ishl(b.uconv(bits[first + at], type=word), at * width)
                found = b.or_(found, part)
            joined.append(found)
        bits = joined
    return tuple(b.asfloat(each) if scalar.kind == "f" else each for each in bits)


def _quantised(b: Builder, x: Value) -> Value:
    """Append a float rounded to 16 bits; a subnormal result becomes zero."""
    half = b.fconv(x, type=FLOATS[16])
    small = b.flt(b.fabs(x), b.number(2.0**-14, x.type))
    zero = b.asfloat(b.and_(b.asint(x), constant(1 << (x.type.bits - 1), I32)))
    return b.select(small, zero, b.fconv(half, type=x.type))


# fmt: off
FORMULAS: dict[int, Formula] = {
    Opcode.ConvertFToU:           lambda b, t, x: b.ftou(x, type=t.scalar),
    Opcode.ConvertFToS:           lambda b, t, x: b.ftoi(x, type=t.scalar),
    Opcode.UConvert:              lambda b, t, x: _integer(b, t, x, signed=False),
    Opcode.SConvert:              lambda b, t, x: _integer(b, t, x, signed=True),
    Opcode.SatConvertSToU:        lambda b, t, x: _saturate(b, t, x, signed=True),
    Opcode.SatConvertUToS:        lambda b, t, x: _saturate(b, t, x, signed=False),
    Opcode.QuantizeToF16:         lambda b, t, x: _quantised(b, x),
}
HANDLERS: Handlers = {
    **{
        opcode: counted(make, CONDITIONS[opcode]) if opcode in CONDITIONS else each_component(make)
        for opcode, make in FORMULAS.items()
    },
    Opcode.ConvertSToF:           _rounded("signed"),
    Opcode.ConvertUToF:           _rounded("unsigned"),
    Opcode.FConvert:              _rounded("float"),
    Opcode.Bitcast:               _bitcast,
}
# fmt: on
