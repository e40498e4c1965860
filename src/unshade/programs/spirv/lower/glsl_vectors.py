"""Functions of GLSL.std.450 on vectors and matrices.

    determinant by cofactors of the first column; matrices are lists of columns
    inverse     cofactors, transposed, times 1 / determinant

Other functions of vectors are in ir.library.vectors. Sums are from the first component to the
last, without fused operations.

Source: SPIR-V extended instructions for GLSL.
"""

from collections.abc import Callable, Sequence

from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library import vectors
from ....ir.library.vectors import Vector, dot

__all__ = ["CONSTRUCTIONS", "determinant", "inverse"]

Matrix = Sequence[Vector]


def face_forward(b: Builder, n: Vector, incident: Vector, reference: Vector) -> list[Value]:
    kept = b.flt(dot(b, reference, incident), 0.0)
    return [b.select(kept, each, b.fneg(each)) for each in n]


def refract(b: Builder, incident: Vector, n: Vector, eta: Vector) -> list[Value]:
    type = incident[0].type
    ratio = eta[0] if eta[0].type == type else b.fconv(eta[0], type=type)
    cosine = dot(b, n, incident)
    rest = b.fsub(1.0, b.fmul(cosine, cosine))
    k = b.fsub(1.0, b.fmul(b.fmul(ratio, ratio), rest))
    factor = b.fadd(b.fmul(ratio, cosine), b.fsqrt(k))
    none = b.flt(k, 0.0)
    found = []
    for one, other in zip(incident, n, strict=True):
        through = b.fsub(b.fmul(ratio, one), b.fmul(factor, other))
        found.append(b.select(none, b.number(0.0, type), through))
    return found


# ---------------------------------------------------------------- matrices


def determinant(b: Builder, matrix: Matrix) -> Value:
    """Append the determinant of a matrix of 1 to 4 columns."""
    if len(matrix) == 1:
        return matrix[0][0]
    first = matrix[0]
    return dot(b, first, [_cofactor(b, matrix, 0, row) for row in range(len(first))])


def _cofactor(b: Builder, matrix: Matrix, column: int, row: int) -> Value:
    """Append the signed determinant of the matrix without a column and a row."""
    rest = [
        [value for at, value in enumerate(each) if at != row]
        for at, each in enumerate(matrix)
        if at != column
    ]
    if len(rest) == 2:
        (p, q), (r, s) = rest
        if (column + row) % 2:
            return b.fsub(b.fmul(q, r), b.fmul(p, s))
        return b.fsub(b.fmul(p, s), b.fmul(q, r))
    found = determinant(b, rest)
    return b.fneg(found) if (column + row) % 2 else found


def inverse(b: Builder, matrix: Matrix) -> list[list[Value]]:
    """Append the inverse as columns."""
    size = len(matrix)
    cofactors = [[_cofactor(b, matrix, at, row) for row in range(size)] for at in range(size)]
    factor = b.fdiv(1.0, dot(b, matrix[0], cofactors[0]))
    return [[b.fmul(cofactors[row][at], factor) for row in range(size)] for at in range(size)]


CONSTRUCTIONS: dict[str, Callable[..., list[Value]]] = {
    "Length": lambda b, x: [vectors.length(b, x)],
    "Distance": lambda b, x, y: [vectors.distance(b, x, y)],
    "Cross": vectors.cross, "Normalize": vectors.normalize, "FaceForward": face_forward,
    "Reflect": vectors.reflect, "Refract": refract,
}  # fmt: skip
