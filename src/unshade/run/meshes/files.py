"""Meshes from files: Wavefront OBJ by `mesh`, glTF, PLY and STL by trimesh (extra `[scene]`).

    .obj           positions, texture coordinates, normals
    .gltf .glb     also tangents and colours; the meshes of all nodes, at the places of the nodes
    .ply           also colours of vertices, by the usual names of properties
    .stl           positions; each triangle is flat

The sizes that a header declares are compared with the bytes of the file first.

Sources: the descriptions of PLY by Greg Turk and of STL by 3D Systems.
"""

import os
import re
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np

from ...errors import FormatError, UnshadeError, UnsupportedError, UsageError, not_installed
from ...files import Path, contents, read_below
from ...limits import DEFAULT, Limits, check_file_size
from ...vm.launch import Array
from ..binding.texels import as_floats
from . import gltf
from .mesh import Mesh, normals, read_mesh, unit

SIZES = {
    "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "double": 8,
    "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "float16": 2,
    "float32": 4, "float64": 8, "int64": 8, "uint64": 8,
}  # fmt: skip
MOST_VERTICES = 20_000_000
COORDINATES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))


def open_mesh(path: Path, limits: Limits = DEFAULT) -> Mesh:
    """Return the mesh in a file, whose suffix selects the format.

    Files that it refers to must be in the same folder or below.

    Raises:
        FormatError: The file is malformed.
        LimitError: It is too large.
        UnsupportedError: It has something that is not read, or trimesh is not installed.
        UsageError: The file cannot be opened, or is not a mesh.
    """
    return mesh_of(contents(path), os.fsdecode(path), limits)


def mesh_of(data: bytes, name: str, limits: Limits = DEFAULT) -> Mesh:
    """Return the mesh in the bytes of a file with this path."""
    suffix = os.path.splitext(name)[1].lower()
    check_file_size(len(data), limits)
    match suffix:
        case ".gltf" | ".glb":
            return _gltf(data, os.path.dirname(os.path.abspath(name)), limits)
        case ".ply":
            return _ply(data)
        case ".stl":
            return _stl(data)
    return read_mesh(data.decode("utf-8", "replace"))  # whatever its suffix


# ---------------------------------------------------------------- glTF


def _gltf(data: bytes, folder: str, limits: Limits) -> Mesh:
    text, buffers = gltf.checked(data, lambda uri, most: read_below(folder, uri, most), limits)
    scene = _loaded(text, "gltf", resolver=_Buffers(buffers))
    parts = []
    count = 0
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        found = scene.geometry[name]
        if not hasattr(found, "faces") or not len(found.faces):
            continue
        count += len(found.vertices)
        if count > MOST_VERTICES:  # nodes may repeat a mesh
            raise UsageError(f"expected a mesh of at most {MOST_VERTICES:,} vertices")
        parts.append(_placed(found, np.asarray(transform, float)))
    if not parts:
        raise UsageError("expected a glTF file with triangles, found none")
    return _together(parts)


class _Buffers:
    """The buffers of a file, as trimesh asks for them: by their names."""

    def __init__(self, buffers: dict[str, bytes]) -> None:
        self.buffers = buffers

    def get(self, name: str) -> bytes:
        """Return a buffer."""
        return self.buffers[name]

    __getitem__ = get


def _placed(found: Any, transform: Array) -> Mesh:
    """Return a primitive where its node stands."""
    attributes = {name: np.asarray(each) for name, each in found.vertex_attributes.items()}
    linear = transform[:3, :3]
    position = np.asarray(found.vertices, float) @ linear.T + transform[:3, 3]
    triangles = np.asarray(found.faces, np.int64)
    mirrored = np.linalg.det(linear) < 0
    if mirrored:
        triangles = triangles[:, ::-1]
    _check_triangles(triangles, len(position))
    uv = np.zeros((len(position), 2), "<f4")
    if "_TEXCOORD_0" in attributes:
        uv = as_floats(attributes["_TEXCOORD_0"])
        uv = np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)  # of meshes, v runs up
    if "_NORMAL" in attributes:
        # by the cofactors of the matrix, which an inverse would divide by the determinant
        cofactors = np.stack([np.cross(linear[at - 2], linear[at - 1]) for at in range(3)])
        normal = unit(as_floats(attributes["_NORMAL"]) @ cofactors.T * (-1 if mirrored else 1))
    else:
        normal = normals(position, triangles, np.arange(len(position)))
    tangent = None
    if "_TANGENT" in attributes:
        given = as_floats(attributes["_TANGENT"])
        sign = given[:, 3:] * (-1 if mirrored else 1)
        tangent = np.concatenate([unit(given[:, :3] @ linear.T), sign], axis=1).astype("<f4")
    colour = attributes.get("_COLOR_0")
    return Mesh(
        position.astype("<f4"), normal, uv.astype("<f4"), triangles,
        _rgba(as_floats(colour)) if colour is not None else None, tangent,
    )  # fmt: skip


def _together(parts: Sequence[Mesh]) -> Mesh:
    """Return one mesh of several; colours that some lack are white, tangents are left out."""
    firsts = np.cumsum([0, *(len(each.position) for each in parts)])
    colour = None
    if any(each.colour is not None for each in parts):
        colour = np.concatenate([
            each.colour if each.colour is not None else np.ones((len(each.position), 4), "<f4")
            for each in parts
        ])  # fmt: skip
    tangents = [each.tangent for each in parts if each.tangent is not None]
    return Mesh(
        np.concatenate([each.position for each in parts]),
        np.concatenate([each.normal for each in parts]),
        np.concatenate([each.uv for each in parts]),
        np.concatenate([
            each.triangles + first for each, first in zip(parts, firsts, strict=False)
        ]),
        colour,
        np.concatenate(tangents) if len(tangents) == len(parts) else None,
    )  # fmt: skip


# ---------------------------------------------------------------- PLY and STL


def _ply(data: bytes) -> Mesh:
    _check_ply(data)
    found = _loaded(data, "ply", fix_texture=False, skip_materials=True)
    found = found.to_mesh() if hasattr(found, "to_mesh") else found
    raw = found.metadata.get("_ply_raw", {})
    faces = raw.get("face", {}).get("data")
    for name in getattr(getattr(faces, "dtype", None), "names", None) or ():
        column = faces[name]
        if column.dtype.names and (column["f0"] != column["f0"][:1]).any():
            raise UnsupportedError("faces of several sizes in a binary .ply cannot be read")
    triangles = np.asarray(found.faces, np.int64)
    position = np.asarray(found.vertices, "<f4")
    if triangles.ndim != 2 or triangles.shape[1:] != (3,) or not triangles.size:
        raise UsageError("expected a .ply with faces, found none")
    _check_triangles(triangles, len(position))
    given = _columns(raw["vertex"]["data"])

    def joined(names: Sequence[str]) -> Array | None:
        if not all(name in given and len(given[name]) == len(position) for name in names):
            return None
        return np.stack([given[name] for name in names], axis=1)

    normal = joined(("nx", "ny", "nz"))
    uv = next((each for names in COORDINATES if (each := joined(names)) is not None), None)
    colour = joined(("red", "green", "blue", "alpha"))
    if colour is None:
        colour = joined(("red", "green", "blue"))
    if colour is not None:
        integer = colour.dtype.kind in "iu" or colour.max() > 1  # text has floats only
        colour = _rgba(colour / np.float32(255) if integer else colour)
    return Mesh(
        position,
        unit(normal) if normal is not None
        else normals(position, triangles, np.arange(len(position))),
        np.zeros((len(position), 2), "<f4") if uv is None else uv.astype("<f4"),
        triangles, colour,
    )  # fmt: skip


def _columns(data: Any) -> dict[str, Array]:
    """Return the properties of vertices that are numbers, by name."""
    names = getattr(getattr(data, "dtype", None), "names", None) or [*data]
    found = {name: np.asarray(data[name]) for name in names}
    return {name: each.reshape(-1) for name, each in found.items() if each.dtype.kind in "iuf"}


def _check_ply(data: bytes) -> None:
    """Raise FormatError for counts that a file has no bytes for."""
    head, end, rest = data.partition(b"end_header")
    if not data.startswith(b"ply") or not end:
        raise FormatError("expected a header from ply to end_header")
    text = b"format ascii" in head
    left = len(rest)
    element = b""
    size = count = 0
    for line in (*head.splitlines(), b"element end 0"):
        words = line.split()
        if words[:1] == [b"property"] and len(words) >= 3:
            # a list has at least its count
            kind = words[2 if words[1] == b"list" else 1].decode("latin-1")
            if kind not in SIZES:
                raise FormatError(f"expected a type as float, got {kind!r:.20}")
            size += 2 if text else SIZES[kind]
        elif words[:1] == [b"element"]:
            left -= count * size
            if left < 0:
                name = element.decode("latin-1")
                raise FormatError(f"expected {count:,} of {name!r:.20}, got too few bytes")
            if len(words) != 3 or not re.fullmatch(rb"\d{1,18}", words[2]):
                raise FormatError(f"expected a name and a count, got {line!r:.40}")
            element, count, size = words[1], int(words[2]), 0
            if count and count > len(rest):
                raise FormatError(f"expected {count:,} of {element!r:.20}, got too few bytes")


def _stl(data: bytes) -> Mesh:
    if not data.lstrip().startswith(b"solid") or data[80:84].count(b"\0"):
        count = int.from_bytes(data[80:84], "little")
        if len(data) != 84 + 50 * count:
            raise FormatError(
                f"expected {84 + 50 * count:,} bytes for {count:,} triangles, got {len(data):,}",
                offset=80, path="count",
            )  # fmt: skip
    found = _loaded(data, "stl")
    found = found.to_mesh() if hasattr(found, "to_mesh") else found
    triangles = np.asarray(getattr(found, "faces", ()), np.int64)
    if not len(triangles):
        raise UsageError("expected an .stl with triangles, found none")
    position = np.asarray(found.vertices, "<f4")[triangles.reshape(-1)]
    own = np.arange(len(position)).reshape(-1, 3)  # no vertex is shared: each triangle is flat
    uv = np.zeros((len(position), 2), "<f4")
    return Mesh(position, normals(position, own, np.arange(len(position))), uv, own)


# ---------------------------------------------------------------- common


def _loaded(data: bytes, kind: str, **options: Any) -> Any:
    """Return what trimesh loads, without anything from outside."""
    try:
        import trimesh
    except ImportError:
        raise not_installed(f"a .{kind} mesh", "trimesh", "scene") from None
    try:
        return trimesh.load_scene(
            BytesIO(data), file_type=kind, process=False, skip_materials=True, allow_remote=False,
            **options,
        ) if kind == "gltf" else trimesh.load_mesh(
            BytesIO(data), file_type=kind, process=False, **options
        )  # fmt: skip
    except UnshadeError:
        raise
    except Exception as error:  # any of its loaders
        raise UsageError(f"expected a .{kind} mesh: {error!s:.160}") from None


def _check_triangles(triangles: Array, vertices: int) -> None:
    if triangles.size and (triangles.min() < 0 or triangles.max() >= vertices):
        beyond = int(triangles.max() if triangles.max() >= vertices else triangles.min())
        raise UsageError(f"expected the number of one of {vertices} vertices, got {beyond}")


def _rgba(colour: Array) -> Array:
    """Return colours (n, 4)."""
    made = np.ones((len(colour), 4), "<f4")
    made[:, : colour.shape[1]] = colour[:, :4]
    return made
