"""Wavefront OBJ: positions, texture coordinates, normals, faces.

    v 0 1 0        vt 0.5 1        vn 0 1 0
    f 1/1/1 2/2/1 3/3/1            corners: position/texture/normal, from 1; negative from the end

Faces of more corners become fans of triangles; groups, materials and curves are passed over.
Source: the public description of the Wavefront object format, version 3.0.
"""

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...vm.launch import Array

MOST = 20_000_000  # characters


@dataclass(slots=True)
class Mesh:
    """Vertices as arrays of a row each, and triangles of their numbers."""

    position: Array
    normal: Array
    uv: Array
    triangles: Array
    colour: Array | None = None
    tangent: Array | None = None  # and the sign of the bitangent

    @property
    def bounds(self) -> tuple[Array, float]:
        """The centre of the mesh, and the greatest distance of a vertex from it."""
        middle = (self.position.min(axis=0) + self.position.max(axis=0)) / 2
        far = float(np.sqrt(((self.position - middle) ** 2).sum(axis=1)).max())
        return middle, far or 1.0


def read_mesh(text: str) -> Mesh:
    """Parse a Wavefront .obj; UsageError gives the number of the faulty line."""
    if len(text) > MOST:
        raise UsageError(f"expected a mesh of at most {MOST:,} characters, got {len(text):,}")
    lists: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
    widths = {"v": 3, "vt": 2, "vn": 3}
    corners: dict[tuple[int, int, int], int] = {}
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        word, *rest = line.split("#")[0].split() or [""]
        try:
            if word in lists:
                wide = widths[word]
                values = [float(each) for each in rest[:wide]]
                values += [0.0] * (wide - len(values)) if word == "vt" else []
                if len(values) != wide:
                    raise ValueError(f"expected {wide} numbers, got {len(values)}")
                lists[word].append(values)
            elif word == "f":
                face = [corners.setdefault(_corner(each, lists), len(corners)) for each in rest]
                if len(face) < 3:
                    raise ValueError(f"expected a face of at least three corners, got {len(face)}")
                triangles += [(face[0], face[at], face[at + 1]) for at in range(1, len(face) - 1)]
        except ValueError as error:
            raise UsageError(f"line {number}: {error}") from None
    if not triangles:
        raise UsageError("expected a Wavefront .obj with faces, found none")
    return _joined(lists, corners, np.array(triangles, np.int64))


def primitives_of(mesh: Mesh, corners: int) -> tuple[Array, str]:
    """Return the primitives of some corners, and their topology.

    The points of a mesh are its vertices, its lines the edges of its triangles.
    """
    if corners == 1:
        return np.arange(len(mesh.position))[:, np.newaxis], "point_list"
    if corners == 2:
        ends = np.concatenate([mesh.triangles[:, [at, (at + 1) % 3]] for at in range(3)])
        return np.unique(np.sort(ends, axis=1), axis=0), "line_list"
    if corners != 3:
        raise UsageError(
            f"expected a geometry shader of points, lines or triangles for a mesh, got"
            f" primitives of {corners} vertices"
        )
    return mesh.triangles, "triangle_list"


def _corner(text: str, lists: dict[str, list[list[float]]]) -> tuple[int, int, int]:
    fields = text.split("/")
    if len(fields) > 3:
        raise ValueError(f"expected a corner as 1/2/3, got {text!r}")
    found = []
    for kind, field in zip(("v", "vt", "vn"), [*fields, "", ""], strict=False):
        count = len(lists[kind])
        at = int(field) if field else 0
        index = at - 1 if at >= 0 else count + at
        if at and not 0 <= index < count:
            raise ValueError(f"no such {kind}: {at}; {count} are defined before this line")
        found.append(index)
    if found[0] < 0:
        raise ValueError(f"expected a corner with a position, got {text!r}")
    return found[0], found[1], found[2]


def _joined(
    lists: dict[str, list[list[float]]],
    corners: dict[tuple[int, int, int], int],
    triangles: Array,
) -> Mesh:
    index = np.array(list(corners), np.int64)
    position = np.array(lists["v"], "<f4")[index[:, 0]]
    uv = np.zeros((len(index), 2), "<f4")
    if lists["vt"]:
        uv = np.where(
            index[:, 1:2] >= 0, np.array(lists["vt"], "<f4")[np.maximum(index[:, 1], 0)], uv
        )
    if lists["vn"] and (index[:, 2] >= 0).all():
        normal = np.array(lists["vn"], "<f4")[index[:, 2]]
    else:
        normal = normals(position, triangles, index[:, 0])
    return Mesh(position, normal, uv, triangles)


def normals(position: Array, triangles: Array, same: Array) -> Array:
    """Return the normal of each vertex: the mean over its faces, weighted by area.

    Vertices with equal numbers in `same` share one.
    """
    a, b, c = (position[triangles[:, at]] for at in range(3))
    with np.errstate(all="ignore"):  # of vertices that are far away, or no numbers
        faces = np.cross(b - a, c - a)
        total = np.zeros((int(same.max()) + 1, 3))
        for at in range(3):
            np.add.at(total, same[triangles[:, at]], faces)
        return unit(total[same])


def unit(vectors: Array) -> Array:
    """Return vectors of length 1; (0, 0, 1) for vectors without a direction."""
    with np.errstate(all="ignore"):
        length = np.sqrt((vectors.astype(float) ** 2).sum(axis=1, keepdims=True))
        made = np.where((length > 0) & np.isfinite(length), vectors / length, [0.0, 0.0, 1.0])
        return made.astype("<f4")


def tangents(mesh: Mesh) -> Array:
    """Return the tangent of each vertex, and the sign of the bitangent.

    A tangent is the direction in which u grows, as the mean over the faces, at a right angle to the
    normal; v runs up. Where texture coordinates give no direction, any direction at a right angle
    to the normal is used.
    """
    corner = [mesh.triangles[:, at] for at in range(3)]
    along, across = (mesh.position[corner[at]] - mesh.position[corner[0]] for at in (1, 2))
    (u1, v1), (u2, v2) = ((mesh.uv[corner[at]] - mesh.uv[corner[0]]).T for at in (1, 2))
    area = (u1 * v2 - u2 * v1).astype(float)
    scale = np.where(area == 0, 0.0, np.sign(area))[:, np.newaxis]
    directions = (
        (along * v2[:, np.newaxis] - across * v1[:, np.newaxis]) * scale,
        (across * u1[:, np.newaxis] - along * u2[:, np.newaxis]) * scale,
    )
    total = np.zeros((2, len(mesh.position), 3))
    for which, faces in enumerate(directions):
        for at in range(3):
            np.add.at(total[which], corner[at], faces)
    normal = mesh.normal.astype(float)
    tangent = total[0] - normal * (total[0] * normal).sum(axis=1, keepdims=True)
    length = np.sqrt((tangent**2).sum(axis=1, keepdims=True))
    axis = np.eye(3)[np.abs(normal).argmin(axis=1)]  # the one furthest from the normal
    other = np.cross(normal, axis)
    other /= np.maximum(np.sqrt((other**2).sum(axis=1, keepdims=True)), 1e-30)
    tangent = np.where(length > 1e-12, tangent / np.where(length > 0, length, 1), other)
    sign = np.where((np.cross(normal, tangent) * total[1]).sum(axis=1) < 0, -1.0, 1.0)
    return np.concatenate([tangent, sign[:, np.newaxis]], axis=1).astype("<f4")
