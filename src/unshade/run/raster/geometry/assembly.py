"""The input assembler: from vertices in a topology to primitives.

    triangle_list     0 1 2   3 4 5               line_list    0 1   2 3
    triangle_strip    0 1 2   1 3 2   2 3 4       line_strip   0 1   1 2
    triangle_fan      1 2 0   2 3 0   3 4 0

In a strip, the first (leading) vertex of a triangle is the vertex with the triangle's number; every
other triangle is reversed. In a fan, which only Vulkan has, the leading vertex is the next one.
Where the last vertex is the provoking one, primitives are turned so that it comes last:

    triangle_strip    0 1 2   2 1 3   2 3 4       triangle_fan    0 1 2   0 2 3

With adjacency, a primitive also contains the vertices beside its edges. In an index buffer, the
greatest number of its type restarts the topology: 0xffffffff, 0xffff or 0xff. By default that is so
for strips and fans only.

Source: Direct3D 11.3 functional specification, section 8 (input assembler); Vulkan 1.3
specification, section 21.1 (primitive topologies).
"""

import re
from typing import Any

import numpy as np

from ....errors import UsageError
from ....vm.launch import Array
from ...binding.suggestions import suggestion

LISTS = {  # vertices of a primitive
    "point_list": 1, "line_list": 2, "triangle_list": 3, "line_list_adjacency": 4,
    "triangle_list_adjacency": 6,
}  # fmt: skip
STRIPS = {"line_strip": 2, "triangle_strip": 3, "triangle_fan": 3, "line_strip_adjacency": 4,
          "triangle_strip_adjacency": 6}  # fmt: skip
PATCHES = "patch_list"
TOPOLOGIES = (*LISTS, *STRIPS, PATCHES)
SPELLINGS = {re.sub("_", "", each): each for each in TOPOLOGIES}
RESTART = 0xFFFF_FFFF
RESTARTS = {np.dtype(np.uint8): 0xFF, np.dtype(np.uint16): 0xFFFF}  # of shorter indices


def topology_of(
    given: str | None, points: int, primitives: Any = None, *, fewer: bool = False
) -> tuple[str, int]:
    """Return the name of a topology, and the control points of a patch.

    Args:
        given: The topology; by default patches where a hull shader takes `points`.
        points: Control points that the hull shader takes.
        primitives: The rows of the draw; rows of patches determine the number of control points of
            each patch.
        fewer: Whether patches may have fewer points than the shader has room for, as in Vulkan.
    """
    if fewer and np.ndim(primitives) == 2 and 0 < np.shape(primitives)[1] < points:
        points = np.shape(primitives)[1]
    if given is None:
        return (PATCHES if points else "triangle_list"), points
    word = re.sub("^d3d1[012]_primitive_topology_|[^a-z0-9]", "", str(given).lower())
    patch = re.fullmatch(r"(\d{1,4})controlpointpatchlist", word)
    if patch:
        count = int(patch[1])
        if count != points and not (fewer and 0 < count < points):
            least = "1 to " if fewer else ""
            raise UsageError(
                f"topology: expected patches of {least}{points} control points, got {given!r}"
            )
        return PATCHES, count
    word = re.sub("adj$", "adjacency", word)
    word = SPELLINGS.get(word, word)
    if word not in TOPOLOGIES:
        raise UsageError(f"unknown topology {given!r}{suggestion(word, TOPOLOGIES, None)}")
    return word, points


def size_of(topology: str, points: int) -> int:
    """Return the number of vertices of a primitive."""
    return points if topology == PATCHES else {**LISTS, **STRIPS}[topology]


def assembled(
    topology: str, points: int, given: Any, count: int, *, restart: bool | None = None,
    last: bool = False, base: int = 0,
) -> Array:  # fmt: skip
    """Return the vertex numbers of each primitive.

    Args:
        topology: One of `TOPOLOGIES`.
        points: Control points of a patch.
        given: None for the vertices in order; an index buffer; or primitives, a row each.
        count: The number of vertices.
        restart: Whether an index buffer may restart the topology; None for strips and fans only.
        last: Whether the last vertex of a primitive of a strip or fan is to come last.
        base: A number that is added to each index.
    """
    size = size_of(topology, points)
    if given is None:
        return _of_indices(topology, size, np.arange(count), last)
    found = np.asarray(given)
    if found.dtype.kind not in "iu" or found.ndim not in (1, 2):
        raise UsageError(f"primitives: expected vertex numbers, got {found.shape} {found.dtype}")
    if found.ndim == 2 and found.shape[1] != size:
        raise UsageError(
            f"primitives: expected (n, {size}) vertex numbers, got {found.shape} {found.dtype}"
        )
    wide: Array = found.astype(np.int64)
    restarts = wide.ndim == 1 and (topology in STRIPS if restart is None else restart)
    cut = wide == RESTARTS.get(found.dtype, RESTART) if restarts else None
    if base:
        wide += base
    if cut is not None:
        wide[cut] = RESTART
    used = wide[wide != RESTART] if restarts else wide
    if used.size and (used.min() < 0 or used.max() >= count):
        number = used.min() if used.min() < 0 else used.max()
        raise UsageError(f"primitives: no such vertex: {number}; there are {count}")
    if wide.ndim == 2:
        return wide
    if not restarts or not (wide == RESTART).any():
        return _of_indices(topology, size, used, last)
    cuts = np.flatnonzero(wide == RESTART)
    return np.concatenate(
        [_of_indices(topology, size, part[part != RESTART], last) for part in np.split(wide, cuts)]
    )


def lines_begin(
    topology: str, given: Any, count: int, *, restart: bool | None = None
) -> Array | None:
    """Return which of the lines of a strip begin it, or begin anew; None if all lines do.

    Args:
        topology: One of `TOPOLOGIES`.
        given: As for `assembled`.
        count: The number of lines.
        restart: Whether an index buffer may restart the topology; None if so.
    """
    found = np.asarray(() if given is None else given)
    if topology not in ("line_strip", "line_strip_adjacency") or found.ndim > 1:
        return None
    begins = np.zeros(count, np.bool_)
    begins[:1] = True
    if given is not None and restart is not False:
        cuts = np.flatnonzero(found.astype(np.int64) == RESTARTS.get(found.dtype, RESTART))
        sizes = np.diff([-1, *cuts, len(found)]) - 1
        lines = np.maximum(sizes - size_of(topology, 0) + 1, 0)
        first = np.cumsum(lines) - lines
        begins[first[lines > 0]] = True
    return begins


def _of_indices(topology: str, size: int, indices: Array, last: bool) -> Array:
    """Return the primitives of consecutive vertices."""
    if topology not in STRIPS:
        whole = len(indices) // size * size
        made: Array = indices[:whole].reshape(-1, size)
        return made
    return indices[_strip(topology, len(indices), last)]


def _strip(topology: str, count: int, last: bool) -> Array:
    """Return the places of the vertices of each primitive of a strip."""
    if topology == "line_strip":
        return np.arange(max(count - 1, 0))[:, np.newaxis] + [0, 1]
    if topology == "line_strip_adjacency":
        return np.arange(max(count - 3, 0))[:, np.newaxis] + [0, 1, 2, 3]
    if topology == "triangle_strip":
        number = np.arange(max(count - 2, 0))[:, np.newaxis]
        odd = [1, 0, 2] if last else [0, 2, 1]
        return number + np.where(number % 2, odd, [0, 1, 2])
    if topology == "triangle_fan":
        number = np.arange(max(count - 2, 0))[:, np.newaxis]
        parts = [number + 1, number + 2]
        return np.concatenate([0 * number, *parts] if last else [*parts, 0 * number], axis=1)
    return _adjacent(max(count // 2 - 2, 0), last)


def _adjacent(count: int, last: bool) -> Array:
    """Return the places of a strip of triangles with adjacency: every other vertex is adjacent."""
    number = np.arange(count)[:, np.newaxis]
    base = 2 * number
    at_end = number == count - 1
    before = np.where(number == 0, 1, base - 2)
    after = np.where(at_end, base + 5, base + 6)
    even = np.concatenate([base, before, base + 2, after, base + 4, base + 3], axis=1)
    odd = np.concatenate([base, base + 3, base + 4, after, base + 2, before], axis=1)
    if last:
        odd = np.roll(odd, 2, axis=1)
    return np.where(number % 2, odd, even)


def without_neighbours(topology: str, corners: Array) -> Array:
    """Return the primitives without the vertices of adjacency, as the rasteriser takes them."""
    if topology.endswith("adjacency"):
        return corners[:, 1:3] if topology.startswith("line") else corners[:, ::2]
    return corners
