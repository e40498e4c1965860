"""Matrices, as columns of scalars.

m[2][1]     column 2, row 1          scalar 2 * rows + 1
m * v       the columns, each multiplied by a component, and added
v * m       the products of v and each column
"""

from collections.abc import Sequence

from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library.vectors import dot
from ..tree import DataType

__all__ = ["columns_of", "determinant", "inverse", "product", "resized", "transpose"]

Matrix = list[list[Value]]  # columns


def columns_of(values: Sequence[Value], type_: DataType) -> Matrix:
    """Return the columns of a matrix."""
    rows = type_.resolved.rows
    return [list(values[at : at + rows]) for at in range(0, len(values), rows)]


def product(
    b: Builder, left: list[Value], one: DataType, right: list[Value], other: DataType
) -> list[Value]:
    """Append a product of a matrix and a matrix or vector."""
    if not one.is_matrix:
        return [dot(b, left, column) for column in columns_of(right, other)]
    columns = columns_of(left, one)
    factors = columns_of(right, other) if other.is_matrix else [right]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return [dot(b, row, factor) for factor in factors for row in rows]


def resized(b: Builder, values: Sequence[Value], type_: DataType, wanted: DataType) -> list[Value]:
    """Return a matrix of another size: cut, or continued by the identity."""
    columns = columns_of(values, type_)
    found = []
    for column in range(wanted.resolved.columns):
        for row in range(wanted.resolved.rows):
            inside = column < len(columns) and row < len(columns[0])
            found.append(columns[column][row] if inside else b.f32(float(column == row)))
    return found


def transpose(values: Sequence[Value], type_: DataType) -> list[Value]:
    """Return the scalars of the transpose."""
    return [each for row in zip(*columns_of(values, type_), strict=True) for each in row]


def determinant(b: Builder, columns: Matrix) -> Value:
    """Append the determinant of a square matrix, expanded along the first column."""
    if len(columns) == 1:
        return columns[0][0]
    if len(columns) == 2:
        (p, q), (r, s) = columns
        return b.fsub(b.fmul(p, s), b.fmul(r, q))
    first = columns[0]
    minors = (determinant(b, _without(columns, 0, row)) for row in range(len(first)))
    return _alternating(b, [b.fmul(x, y) for x, y in zip(first, minors, strict=True)])


def inverse(b: Builder, values: Sequence[Value], type_: DataType) -> list[Value]:
    """Append the inverse of a square matrix: the adjugate, divided by the determinant."""
    columns = columns_of(values, type_)
    size = len(columns)
    minors = [
        [determinant(b, _without(columns, column, row)) for column in range(size)]
        for row in range(size)
    ]
    total = _alternating(b, [b.fmul(columns[0][row], minors[row][0]) for row in range(size)])
    scale = b.fdiv(1.0, total)
    found = []
    for column in range(size):
        for row in range(size):
            minor = minors[column][row]
            signed = b.fneg(minor) if (column + row) & 1 else minor
            found.append(b.fmul(signed, scale))
    return found


def _alternating(b: Builder, terms: Sequence[Value]) -> Value:
    """Append the first term minus the second plus the third, and so on."""
    found, *rest = terms
    for at, each in enumerate(rest):
        found = b.fadd(found, each) if at & 1 else b.fsub(found, each)
    return found


def _without(columns: Matrix, column: int, row: int) -> Matrix:
    return [
        [value for at, value in enumerate(each) if at != row]
        for number, each in enumerate(columns)
        if number != column
    ]
