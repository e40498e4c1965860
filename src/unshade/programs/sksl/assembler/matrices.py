"""Determinant and inverse of constant matrices, column by column.

Operations are in upstream's order, so that the results are the same to the last bit.

Source: SkMatrixInvert.cpp of Skia's milestone 104.
"""

import math

from .values import to_f32

__all__ = ["determinant", "inverse"]


def determinant(m: list[float]) -> float:
    """Return the determinant of a matrix of 2, 3 or 4 columns."""
    return to_f32(_minors(m)[0])


def inverse(m: list[float]) -> list[float] | None:
    """Return the inverse of a matrix; None if there is no finite inverse."""
    whole, minors = _minors(m)
    if not whole:
        return None
    scale = 1.0 / whole
    found = [to_f32(each) for each in INVERSES[len(m)](m, minors, scale)]
    return found if all(map(math.isfinite, found)) and to_f32(whole) else None


def _minors(m: list[float]) -> tuple[float, list[float]]:
    """Return the determinant, and the determinants of smaller matrices that it is made of."""
    if len(m) == 4:
        return m[0] * m[3] - m[1] * m[2], []
    if len(m) == 9:
        a00, a01, a02, a10, a11, a12, a20, a21, a22 = m
        small = [
            a22 * a11 - a12 * a21,
            -a22 * a10 + a12 * a20,
            a21 * a10 - a11 * a20,
        ]
        return a00 * small[0] + a01 * small[1] + a02 * small[2], small
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    small = [m[first + a] * m[first + 4 + b] - m[first + b] * m[first + 4 + a]
             for first in (0, 8) for a, b in pairs]  # fmt: skip
    b = small
    whole = b[0] * b[11] - b[1] * b[10] + b[2] * b[9] + b[3] * b[8] - b[4] * b[7] + b[5] * b[6]
    return whole, small


def _inverse_2(m: list[float], minors: list[float], scale: float) -> list[float]:
    return [m[3] * scale, -m[1] * scale, -m[2] * scale, m[0] * scale]


def _inverse_3(m: list[float], minors: list[float], scale: float) -> list[float]:
    a00, a01, a02, a10, a11, a12, a20, a21, a22 = m
    return [
        each * scale
        for each in (
            minors[0], -a22 * a01 + a02 * a21, a12 * a01 - a02 * a11,
            minors[1], a22 * a00 - a02 * a20, -a12 * a00 + a02 * a10,
            minors[2], -a21 * a00 + a01 * a20, a11 * a00 - a01 * a10,
        )
    ]  # fmt: skip


# Each element of an inverse of 4 columns: products of an element and a minor, the signs of which
# are `+--` or `+-+`.
TERMS_4 = (
    ("+-+", (5, 11), (6, 10), (7, 9)),  ("+--", (2, 10), (1, 11), (3, 9)),
    ("+-+", (13, 5), (14, 4), (15, 3)), ("+--", (10, 4), (9, 5), (11, 3)),
    ("+--", (6, 8), (4, 11), (7, 7)),   ("+-+", (0, 11), (2, 8), (3, 7)),
    ("+--", (14, 2), (12, 5), (15, 1)), ("+-+", (8, 5), (10, 2), (11, 1)),
    ("+-+", (4, 10), (5, 8), (7, 6)),   ("+--", (1, 8), (0, 10), (3, 6)),
    ("+-+", (12, 4), (13, 2), (15, 0)), ("+--", (9, 2), (8, 4), (11, 0)),
    ("+--", (5, 7), (4, 9), (6, 6)),    ("+-+", (0, 9), (1, 7), (2, 6)),
    ("+--", (13, 1), (12, 3), (14, 0)), ("+-+", (8, 3), (9, 1), (10, 0)),
)  # fmt: skip


def _inverse_4(m: list[float], minors: list[float], scale: float) -> list[float]:
    scaled = [each * scale for each in minors]
    found = []
    for signs, *terms in TERMS_4:
        first, second, third = (m[place] * scaled[minor] for place, minor in terms)
        total = first - second
        found.append(total + third if signs == "+-+" else total - third)
    return found


INVERSES = {4: _inverse_2, 9: _inverse_3, 16: _inverse_4}
