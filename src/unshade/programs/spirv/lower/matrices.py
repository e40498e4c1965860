"""Dot products, and products of vectors and matrices, which are columns of components.

    v * M        a dot product for each column
    M * v        a sum of columns, from the first on

Source: SPIR-V specification, section 3.49.13 (Arithmetic Instructions).
"""

from typing import TYPE_CHECKING

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library.vectors import dot
from ....ir.types import INTEGERS, Type
from ..module import Instruction
from ..tables.numbers import Opcode
from .operations import Components, Handler, Handlers

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]


def _columns(lowering: "Lowering", number: int) -> list[Components]:
    """Return the columns of a matrix; a vector is one column."""
    type = lowering.types.of_value(number)
    value = lowering.value(number)
    if type.opcode != Opcode.TypeMatrix:
        return [value]
    assert type.element is not None
    rows = type.element.count
    return [value[at : at + rows] for at in range(0, len(value), rows)]


def _weighted(b: Builder, columns: list[Components], factors: Components) -> Components:
    """Append the sum of columns times factors, from the first column on."""
    return tuple(
        dot(b, tuple(column[row] for column in columns), factors) for row in range(len(columns[0]))
    )


def _matrix_product(lowering: "Lowering", instruction: Instruction) -> Components:
    left, right = (_columns(lowering, each) for each in instruction.words[3:5])
    return tuple(value for column in right for value in _weighted(lowering.b, left, column))


def _vector_times_matrix(lowering: "Lowering", instruction: Instruction) -> Components:
    vector = lowering.value(instruction.words[3])
    columns = _columns(lowering, instruction.words[4])
    return tuple(dot(lowering.b, vector, column) for column in columns)


def _outer(lowering: "Lowering", instruction: Instruction) -> Components:
    left, right = (lowering.value(each) for each in instruction.words[3:5])
    return tuple(lowering.b.fmul(x, y) for y in right for x in left)


def _transpose(lowering: "Lowering", instruction: Instruction) -> Components:
    columns = _columns(lowering, instruction.words[3])
    return tuple(column[row] for row in range(len(columns[0])) for column in columns)


def _dot(lowering: "Lowering", instruction: Instruction) -> Components:
    x, y = (lowering.value(each) for each in instruction.words[3:5])
    return (dot(lowering.b, x, y),)


def _integer_dot(left: bool, right: bool, adds: bool) -> Handler:
    """Return the handler of a dot product of integers, signed or not; `adds` saturates."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        b = lowering.b
        type = lowering.types.of(words[1])
        target = type.scalar
        assert target is not None
        operands = [lowering.value(each) for each in words[3:5]]
        packed = len(words) > 5 + adds or (
            len(operands[0]) == 1 and lowering.types.of_value(words[3]).element is None
        )
        if packed:
            parts = [
                tuple(b.iconv(b.ushr(each[0], 8 * at), type=INTEGERS[8]) for at in range(4))
                for each in operands
            ]
        else:
            parts = operands
        wide = INTEGERS[64] if adds else target
        total = constant(0, wide)
        for x, y in zip(*parts, strict=True):
            one, other = _widened(b, x, wide, left), _widened(b, y, wide, right)
            total = b.iadd(total, b.imul(one, other))
        if not adds:
            return (total,)
        (sum,) = lowering.value(words[5])
        signed = left or right
        total = b.iadd(total, _widened(b, sum, wide, signed))
        if signed:
            least = -(1 << (target.bits - 1))
            total = b.imin(b.imax(total, least), (1 << (target.bits - 1)) - 1)
        else:
            total = b.umin(total, target.mask)
        return (_widened(b, total, target, signed),)

    return lower


def _widened(b: Builder, x: Value, type: Type, signed: bool) -> Value:
    """Append an integer as another type, if it is of another."""
    if x.type == type:
        return x
    return b.iconv(x, type=type) if signed else b.uconv(x, type=type)


# fmt: off
HANDLERS: Handlers = {
    Opcode.Dot:                   _dot,
    Opcode.MatrixTimesVector:     _matrix_product,
    Opcode.MatrixTimesMatrix:     _matrix_product,
    Opcode.VectorTimesMatrix:     _vector_times_matrix,
    Opcode.OuterProduct:          _outer,
    Opcode.Transpose:             _transpose,
    Opcode.SDot:                  _integer_dot(True, True, False),
    Opcode.UDot:                  _integer_dot(False, False, False),
    Opcode.SUDot:                 _integer_dot(True, False, False),
    Opcode.SDotAccSat:            _integer_dot(True, True, True),
    Opcode.UDotAccSat:            _integer_dot(False, False, True),
    Opcode.SUDotAccSat:           _integer_dot(True, False, True),
}
# fmt: on
