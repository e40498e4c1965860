"""Reading of sources: a function for each kind of register, swizzle and modifier.

    r1.xyzw                for component y     get "r1.y"
    l(0.5, 2.0) of an add  for component y     f32 2.0
    -|r1.x|     of an add  for any component   get "r1.x", asfloat, fabs, fneg

A source is read for one component of the destination at a time, which the swizzle maps to a
component of the register. Tokens are examined once: sources with equal tokens share a function,
which takes the registers of a program and the operand, with its numbers and literals.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.ops import OPS
from ....ir.types import F32, I32, Type
from ..operands import Operand, source_component
from ..tables.enumerations import OperandType
from ..tables.selection import LETTERS

if TYPE_CHECKING:
    from .registers import Registers

__all__ = ["Read", "bits_reader", "reader"]

Read: TypeAlias = "Callable[[Registers, Operand], Value]"

MOST = 1 << 12  # functions that are kept


def reader(operand: Operand, letter: str, at: int) -> Read:
    """Return the function that reads a source, with modifiers, for component `at`.

    The letter is that of the table of operations: f is a float, others are 32 bits.
    """
    return _reader(operand.token, operand.extended, letter, at)


def bits_reader(operand: Operand, at: int) -> Read:
    """Return the function that reads 32 bits of a source for component `at`, without modifiers."""
    return _bits_reader(operand.token, at)


@lru_cache(MOST)
def _reader(token: int, extended: tuple[int, ...], letter: str, at: int) -> Read:
    operand = Operand(token, extended)
    bits = _bits_reader(token, at)
    match letter:
        case "f":
            literal = operand.type == OperandType.IMMEDIATE32
            return _signed(_literal(at, F32) if literal else _as_float(bits), operand)
        case "x":
            return _as_bits(_signed(_as_float(bits), operand)) if operand.modifier else bits
        case _:
            return _signed_integer(bits, operand)


@lru_cache(MOST)
def _bits_reader(token: int, at: int) -> Read:
    operand = Operand(token)
    component = source_component(operand, at)
    match operand.type:
        case OperandType.IMMEDIATE32:
            return _literal(at, I32)
        case OperandType.TEMP:
            return _temporary(LETTERS[component])
        case kind:
            return lambda registers, source: registers.register(source, kind, component)


def _literal(at: int, type: Type) -> Read:
    def read(registers: "Registers", source: Operand) -> Value:
        literal = source.literal
        return constant(literal[at if len(literal) > 1 else 0], type)

    return read


def _temporary(letter: str) -> Read:
    def read(registers: "Registers", source: Operand) -> Value:
        variable = registers.temporary(source.indices[0].immediate, letter)
        return registers.builder.get(variable)

    return read


def _as_float(bits: Read) -> Read:
    def read(registers: "Registers", source: Operand) -> Value:
        found = bits(registers, source)
        if found.op is OPS.const:
            return constant(found.attr, F32)
        return registers.builder.asfloat(found)

    return read


def _as_bits(number: Read) -> Read:
    return lambda registers, source: registers.builder.asint(number(registers, source))


def _signed(number: Read, operand: Operand) -> Read:
    if not operand.modifier:
        return number
    return lambda registers, source: registers.signed(source, number(registers, source))


def _signed_integer(bits: Read, operand: Operand) -> Read:
    absolute, negate = operand.absolute, operand.negate
    if not (absolute or negate):
        return bits

    def read(registers: "Registers", source: Operand) -> Value:
        b = registers.builder
        found = bits(registers, source)
        if absolute:
            found = b.imax(found, b.ineg(found))
        return b.ineg(found) if negate else found

    return read
