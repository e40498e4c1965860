"""Functions of vectors of floats, which are sequences of components.

    dot          x0 * y0 + x1 * y1 + …      from the first component to the last
    length       sqrt(dot(x, x)); of one component its absolute value
    normalize    x * rsqrt(dot(x, x))
    reflect      x - 2 * dot(n, x) * n

Each step is rounded: nothing is fused. GLSL and SkSL define these functions alike.
"""

from collections.abc import Sequence

from ..builder import Builder
from ..kernel import Value

__all__ = ["cross", "distance", "dot", "length", "normalize", "reflect"]

Vector = Sequence[Value]


def dot(b: Builder, x: Vector, y: Vector) -> Value:
    """Append the sum of the products."""
    first, *others = (b.fmul(one, other) for one, other in zip(x, y, strict=True))
    for each in others:
        first = b.fadd(first, each)
    return first


def length(b: Builder, x: Vector) -> Value:
    """Append the length of a vector."""
    return b.fabs(x[0]) if len(x) == 1 else b.fsqrt(dot(b, x, x))


def distance(b: Builder, x: Vector, y: Vector) -> Value:
    """Append the length of the difference."""
    return length(b, [b.fsub(one, other) for one, other in zip(x, y, strict=True)])


def cross(b: Builder, x: Vector, y: Vector) -> list[Value]:
    """Append the product that is perpendicular to both."""
    turns = (1, 2), (2, 0), (0, 1)
    return [b.fsub(b.fmul(x[i], y[j]), b.fmul(x[j], y[i])) for i, j in turns]


def normalize(b: Builder, x: Vector) -> list[Value]:
    """Append a vector of length 1 in the same direction."""
    factor = b.rsqrt(dot(b, x, x))
    return [b.fmul(each, factor) for each in x]


def reflect(b: Builder, incident: Vector, normal: Vector) -> list[Value]:
    """Append the reflection of a vector by a surface with this normal."""
    twice = b.fmul(dot(b, normal, incident), 2.0)
    pairs = zip(incident, normal, strict=True)
    return [b.fsub(one, b.fmul(twice, other)) for one, other in pairs]
