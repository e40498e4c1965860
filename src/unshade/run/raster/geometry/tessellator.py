"""The tessellator: factors of a patch to points of its domain and the primitives between them.

    quad    +--3--+    tri      1        outer sides in their order, each from the end of the one
            0     2           0/ \\2      before; rings of points follow, the middle last. A side of
            +--1--+           2---0      a ring is joined with the same side of the next ring.

Everything is exact in fixed point, 16 bits behind the point, as the public specification requires;
points and primitives are in the order of Microsoft's published reference tessellator.

Source: Direct3D 11.3 functional specification, section 11.7 (fixed function tessellator).
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, isnan

import numpy as np

from ....dataclass import dataclass
from ....vm.launch import Array
from ....vocab.words import Domain, OutputPrimitive, Partitioning
from .stitching import Side, along, between, ringed

BITS = 16
ONE = 1 << BITS
HALF = ONE // 2
THIRD, TWO_THIRDS = 0x5555, 0xAAAA
EPSILON = 2.0**-BITS
MOST = {Partitioning.FRACTIONAL_ODD: 63.0}
LEAST = {Partitioning.FRACTIONAL_EVEN: 2.0}
CACHED = 256  # patterns of points that are kept
FACTORS = {Domain.TRI: (3, 1), Domain.QUAD: (4, 2), Domain.ISOLINE: (2, 0)}  # of edges, inside


@dataclass(frozen=True, slots=True)
class Pattern:
    """The points of a patch, (n, 2) or (n, 3) of float32, and the primitives, (m, 1 to 3)."""

    points: Array
    primitives: Array


@dataclass(frozen=True, slots=True)
class DividedEdge:
    """An edge divided by a factor: as many points as the next integer of its parity needs.

    From the floor of the factor to its ceiling two new segments grow, next to the point `split` and
    its mirror image.
    """

    odd: bool
    points: int
    half: int  # points of the first half, without one in the middle
    places: tuple[int, ...]  # of all points, from 0 to ONE


@lru_cache(maxsize=CACHED)
def edge_of(factor: int, odd: bool) -> DividedEdge:
    """Return the division of an edge by a factor in fixed point."""
    rounded = (factor + 1) // 2
    points = _up(HALF + rounded) * 2 if odd else _up(rounded) * 2 + 1
    size = rounded + (HALF if odd or rounded == HALF else 0)
    low, high, part = size >> BITS, _up(size), size & (ONE - 1)
    if not part:
        split = high + 1
    elif odd:
        split = 0 if low == 1 else (_without_top_bit(low - 1) << 1) + 1
    else:
        split = (_without_top_bit(low) << 1) + 1
    segments = [2 * each - odd for each in (low, high)]
    steps = [round(ONE / each) if each else 0 for each in segments]

    def place(point: int) -> int:
        mirrored = point >= high
        if mirrored:
            point = 2 * high - point - odd
        if point == high:
            return HALF
        before = (point - (point > split)) * steps[0]
        found = (before * (ONE - part) + point * steps[1] * part + HALF) >> BITS
        return ONE - found if mirrored else found

    return DividedEdge(odd, points, high, tuple(place(each) for each in range(points)))


def _up(number: int) -> int:
    """Return the integer part of a number, rounded up."""
    return (number + ONE - 1) >> BITS


def _without_top_bit(number: int) -> int:
    return number ^ (1 << (number.bit_length() - 1)) if number else 0


def tessellate(
    domain: Domain,
    partitioning: Partitioning,
    output: OutputPrimitive,
    factors: Sequence[float],
) -> Pattern:
    """Return the points and primitives of a patch.

    Args:
        domain: The shape of the patch.
        partitioning: How edges are divided.
        output: The primitives to make.
        factors: Factors of the edges, then of the inside; for isolines, density and detail.
    """
    return _tessellated(domain, partitioning, output, tuple(float(each) for each in factors))


@lru_cache(maxsize=CACHED)
def _tessellated(
    domain: Domain, partitioning: Partitioning, output: OutputPrimitive, factors: tuple[float, ...]
) -> Pattern:
    edges = factors[: FACTORS[domain][0]]
    wide = 3 if domain is Domain.TRI else 2
    size = {OutputPrimitive.POINT: 1, OutputPrimitive.LINE: 2}.get(output, 3)
    if not all(each > 0 for each in edges):  # also where one is NaN
        return Pattern(np.zeros((0, wide), "<f4"), np.zeros((0, size), np.int64))
    if domain is Domain.ISOLINE:
        points, primitives = _lines(partitioning, output, edges)
    else:
        points, primitives = _patch(domain, partitioning, factors)
        if size == 1:
            primitives = [(each,) for each in range(len(points))]
        elif size == 2:
            primitives = [(each, each + 1) for each in range(len(points) - 1)]
        elif output is OutputPrimitive.TRIANGLE_CCW:
            primitives = [(a, c, b) for a, b, c in primitives]
    places = np.array(points, np.int64).reshape(-1, 2)
    if domain is Domain.TRI:
        places = np.concatenate([places, ONE - places.sum(axis=1, keepdims=True)], axis=1)
    found = (places / ONE).astype("<f4")
    made = np.array(primitives, np.int64).reshape(-1, size)
    found.flags.writeable = made.flags.writeable = False
    return Pattern(found, made)


def _clamped(factor: float, partitioning: Partitioning, least: float = 0.0) -> float:
    """Return a factor in the range of a partitioning; an integer where it divides by integers."""
    least = max(least, LEAST.get(partitioning, 1.0))
    most = MOST.get(partitioning, 64.0)
    found = least if isnan(factor) else min(most, max(least, factor))
    return float(ceil(found)) if _whole(partitioning) else found


def _whole(partitioning: Partitioning) -> bool:
    """Return whether factors are rounded up to integers; powers of two are the shader's task."""
    return partitioning not in (Partitioning.FRACTIONAL_ODD, Partitioning.FRACTIONAL_EVEN)


def _edge(factor: float, partitioning: Partitioning, *, inside: bool = False) -> DividedEdge:
    """Return the division by a clamped factor; an `inside` factor of 1 counts as even."""
    odd = partitioning is Partitioning.FRACTIONAL_ODD
    if _whole(partitioning):
        odd = bool(int(factor) & 1) and not (inside and factor == 1)
    return edge_of(round(factor * ONE), odd)


def _patch(
    domain: Domain, partitioning: Partitioning, factors: tuple[float, ...]
) -> tuple[list[tuple[int, int]], list[tuple[int, ...]]]:
    """Return points in fixed point and clockwise triangles of a triangle or quad."""
    sides = FACTORS[domain][0]
    outer = [_clamped(each, partitioning) for each in factors[:sides]]
    asked = outer if domain is Domain.TRI else [*outer, *factors[sides:]]
    least = 0.0
    if partitioning is Partitioning.FRACTIONAL_ODD and any(x > 1 + EPSILON / 2 for x in asked):
        least = 1 + EPSILON  # a ring inside, so that the edges can differ
    inner = [_clamped(each, partitioning, least) for each in factors[sides:]]
    rounded = [round(each * ONE) for each in (*outer, *inner)]
    if partitioning is not Partitioning.FRACTIONAL_EVEN and all(each == ONE for each in rounded):
        if domain is Domain.TRI:
            return [(0, ONE), (0, 0), (ONE, 0)], [(0, 1, 2)]
        return [(0, 0), (ONE, 0), (ONE, ONE), (0, ONE)], [(0, 1, 3), (1, 2, 3)]
    edges = [_edge(each, partitioning) for each in outer]
    axes = [_edge(each, partitioning, inside=True) for each in inner]
    return _triangle(edges, axes[0]) if domain is Domain.TRI else _quad(edges, axes)


def _triangle(
    edges: Sequence[DividedEdge], axis: DividedEdge
) -> tuple[list[tuple[int, int]], list[tuple[int, ...]]]:
    """Divide a triangle: U is 0 along the first side, V along the second, W along the third."""
    count = axis.points  # at least a ring: 1 inside counts as even
    points: list[tuple[int, int]] = []
    rings = [[_numbers(points, _outer_side(side, edge)) for side, edge in enumerate(edges)]]
    for ring in range(1, count // 2):
        across = (axis.places[ring] * TWO_THIRDS + HALF) >> BITS
        back = (across + 1) // 2
        places = [axis.places[each] - back for each in range(ring, count - ring)]
        rings.append(
            [
                _numbers(points, [(across, each) for each in reversed(places[1:])]),
                _numbers(points, [(each, across) for each in places[:-1]]),
                _numbers(points, [(each, ONE - each - across) for each in reversed(places[1:])]),
            ]
        )
    closed = [_closed(sides) for sides in rings]
    if not axis.odd:
        points.append((THIRD, THIRD))
        closed.append([[len(points) - 1]] * 3)
    triangles = ringed(closed, [(edge.half, edge.odd) for edge in edges], [(axis.half, axis.odd)])
    if axis.odd:
        triangles.append((closed[-1][0][0], closed[-1][1][0], closed[-1][2][0]))
    return points, triangles


def _outer_side(side: int, edge: DividedEdge) -> list[tuple[int, int]]:
    """Return the points of an outer side of a triangle, without the last."""
    if side == 0:
        return [(0, each) for each in reversed(edge.places[1:])]
    if side == 1:
        return [(each, 0) for each in edge.places[:-1]]
    return [(each, ONE - each) for each in reversed(edge.places[1:])]


def _numbers(points: list[tuple[int, int]], more: Sequence[tuple[int, int]]) -> Side:
    """Add points; return their numbers."""
    first = len(points)
    points += more
    return [*range(first, len(points))]


def _closed(sides: list[Side]) -> list[Side]:
    """Return the sides of a ring with the first point of the next side at their ends."""
    return [[*side, sides[(at + 1) % len(sides)][0]] for at, side in enumerate(sides)]


def _quad(
    edges: Sequence[DividedEdge], axes: Sequence[DividedEdge]
) -> tuple[list[tuple[int, int]], list[tuple[int, ...]]]:
    """Divide a quad: U is 0 along the first side, V along the second, U, then V are 1."""
    u, v = axes
    counts = [each.points for each in axes]
    points: list[tuple[int, int]] = []
    rings = [
        [
            _numbers(points, [(0, each) for each in reversed(edges[0].places[1:])]),
            _numbers(points, [(each, 0) for each in edges[1].places[:-1]]),
            _numbers(points, [(ONE, each) for each in edges[2].places[:-1]]),
            _numbers(points, [(each, ONE) for each in reversed(edges[3].places[1:])]),
        ]
    ]
    for ring in range(1, min(counts) // 2):
        us, vs = (
            [axis.places[each] for each in range(ring, count - ring)]
            for axis, count in zip(axes, counts, strict=True)
        )
        rings.append(
            [
                _numbers(points, [(us[0], each) for each in reversed(vs[1:])]),
                _numbers(points, [(each, vs[0]) for each in us[:-1]]),
                _numbers(points, [(us[-1], each) for each in vs[:-1]]),
                _numbers(points, [(each, vs[-1]) for each in reversed(us[1:])]),
            ]
        )
    closed = [_closed(sides) for sides in rings]
    wide = counts[0] > counts[1]
    first = len(rings)  # the number of the ring that a row of points would be
    short = v if wide else u
    if not short.odd:
        axis, count = (u, counts[0]) if wide else (v, counts[1])
        places = [axis.places[each] for each in range(first, count - first)]
        if wide:
            row = _numbers(points, [(each, HALF) for each in places])
            closed.append([row[:1], row, row[-1:], row[::-1]])
        else:
            row = _numbers(points, [(HALF, each) for each in reversed(places)])
            closed.append([row, row[-1:], row[::-1], row[:1]])
    triangles = ringed(
        closed, [(edge.half, edge.odd) for edge in edges], [(v.half, v.odd), (u.half, u.odd)]
    )
    if short.odd:
        last = closed[-1]
        if wide:
            triangles += along(last[3][::-1], last[1])
        else:
            join = between if v.odd else along
            triangles += join(last[2][::-1], last[0])
    return points, triangles


def _lines(
    partitioning: Partitioning, output: OutputPrimitive, factors: Sequence[float]
) -> tuple[list[tuple[int, int]], list[tuple[int, ...]]]:
    """Divide a quad into lines along U; the line where V is 1 is left out."""
    density = float(ceil(min(64.0, max(1.0, factors[0]))))
    lines = edge_of(round(density * ONE), bool(int(density) & 1))
    detail = _edge(_clamped(factors[1], partitioning), partitioning)
    points = [(u, v) for v in lines.places[: lines.points - 1] for u in detail.places]
    if output is OutputPrimitive.POINT:
        return points, [(each,) for each in range(len(points))]
    found: list[tuple[int, ...]] = [
        (each, each + 1) for each in range(len(points)) if (each + 1) % detail.points
    ]
    return points, found
