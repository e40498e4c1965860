"""Triangles between rings of points, side by side.

    outer   o---o---o---o        a step along the outer side   (o, o+1, i)
             \\ / \\ / \\ /         a step along the inner side   (i, o, i+1)
    inner     i---i---i

Between a side of the patch and the first ring the points may differ in number. Steps go in the
order in which points appear when a factor grows, at the same places of both sides, mirrored at the
middle. Further rings have two points less a side, and regular diagonals.

Source: Direct3D 11.3 functional specification, section 11.7.
"""

from collections.abc import Sequence
from itertools import pairwise

Side = list[int]  # numbers of points
Triangle = tuple[int, ...]
Half = tuple[int, bool]  # points of half of a side, and whether it is odd

ORDERED = 32  # points of half of a side at most


def _ranks() -> list[int]:
    """Return the order in which the points of half a side appear, by their place from its end.

    The first split is in the middle, then in the middles of the halves and so on: a ruler.
    """
    found = [0] * (ORDERED + 1)
    found[1] = ORDERED
    number, step = 1, ORDERED // 2
    while step:
        for place in range(step, ORDERED, 2 * step):
            found[place + 1] = number
            number += 1
        step //= 2
    return found


RANKS = _ranks()


def ringed(
    rings: Sequence[Sequence[Side]], outer: Sequence[Half], inner: Sequence[Half]
) -> list[Triangle]:
    """Return the triangles between rings, clockwise.

    Args:
        rings: The sides of each ring, from the outermost on.
        outer: The halves of the sides of the patch.
        inner: The half of the inside along each side; they repeat.
    """
    found: list[Triangle] = []
    for number, (outside, inside) in enumerate(pairwise(rings)):
        for side, (far, near) in enumerate(zip(outside, inside, strict=True)):
            if number == 0:
                found += _transition(near, inner[side % len(inner)], far, outer[side])
            else:
                found += _regular(near, far)
    return found


class _Stitching:
    """A walk along two rows of points that leaves triangles."""

    def __init__(self, inside: Side, outside: Side) -> None:
        self.inside, self.outside = inside, outside
        self.i = self.o = 0
        self.found: list[Triangle] = []

    def step_outside(self) -> None:
        """Go on along the outer row."""
        self.found.append((self.outside[self.o], self.outside[self.o + 1], self.inside[self.i]))
        self.o += 1

    def step_inside(self) -> None:
        """Go on along the inner row."""
        self.found.append((self.inside[self.i], self.outside[self.o], self.inside[self.i + 1]))
        self.i += 1

    def quad(self, corners: Sequence[str]) -> None:
        """Advance along both sides by two triangles, from corners i, o to corners I, O."""
        inside, outside = self.inside, self.outside
        names = {"i": inside[self.i], "I": inside[self.i + 1],
                 "o": outside[self.o], "O": outside[self.o + 1]}  # fmt: skip
        self.found += [tuple(names[letter] for letter in each) for each in corners]
        self.i += 1
        self.o += 1


def _transition(inside: Side, inner: Half, outside: Side, outer: Half) -> list[Triangle]:
    """Return the triangles between a side of the patch and the first ring."""
    walk = _Stitching(inside, outside)
    near, far = inner[0] - inner[1], outer[0] - outer[1]
    if RANKS[0] < far:
        walk.step_outside()
    for rank in RANKS[1:]:
        if rank < near:
            walk.step_inside()
        if rank < far:
            walk.step_outside()
    if inner[1] and outer[1]:
        walk.quad(("ioI", "IoO"))
    elif outer[1]:
        walk.found.append((inside[walk.i], outside[walk.o], outside[walk.o + 1]))
        walk.o += 1
    elif inner[1]:
        walk.step_inside()
    for rank in reversed(RANKS[1:]):
        if rank < far:
            walk.step_outside()
        if rank < near:
            walk.step_inside()
    if RANKS[0] < far:
        walk.step_outside()
    return walk.found


def _regular(inside: Side, outside: Side) -> list[Triangle]:
    """Return the triangles between sides of rings, with diagonals mirrored at the middle."""
    walk = _Stitching(inside, outside)
    walk.step_outside()
    for number in range(len(inside) - 1):
        first = number < len(inside) // 2
        walk.quad(("oIi", "oOI") if first else ("ioO", "iOI"))
    walk.step_outside()
    return walk.found


def along(inside: Side, outside: Side) -> list[Triangle]:
    """Return the triangles of a row of quads, with diagonals from the inside on."""
    walk = _Stitching(inside, outside)
    for _ in range(len(inside) - 1):
        walk.quad(("ioO", "iOI"))
    return walk.found


def between(inside: Side, outside: Side) -> list[Triangle]:
    """Return the triangles of a row of quads; the middle quad is split along the other diagonal."""
    walk = _Stitching(inside, outside)
    middle = len(inside) // 2 - 1
    for number in range(len(inside) - 1):
        walk.quad(("oIi", "oOI") if number == middle else ("oOi", "iOI"))
    return walk.found
