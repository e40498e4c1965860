"""Inputs of a vertex shader from a mesh: by their names, then in the order of locations.

    POSITION  position  inPos  a_position      the position, and 1
    NORMAL  nrm  normalOS                      the normal
    TEXCOORD  uv  aTexCoord  st                the texture coordinates
    TANGENT  vTangent                          the tangent, and the sign of the bitangent
    COLOR  in_colour                           the colour, white where the mesh has none
    BLENDWEIGHT  weights                       1, 0, 0, 0
    world0 … world3, mat4 instance             the rows of the identity

A name is split into words, at capitals, digits and signs. If no name identifies the position, then
the position, and the normal and texture coordinates unless names identify them, are assigned to the
remaining float inputs in order of location: a normal to an input of three components or more,
texture coordinates to an input of two components, if there is one. Names of texture coordinates do
not count then, since compilers call any input TEXCOORD. The rest is 0.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import UsageError
from ...vm.launch import Array
from ..signature import KernelSignature, Key, SignatureRow
from .mesh import Mesh, tangents

PARTS = ("position", "normal", "uv", "tangent", "colour")
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
SPELLINGS: dict[str, frozenset[str]] = {  # the first that has a word of the name counts
    "normal": frozenset({"normal", "normals", "norm", "nrm", "nor", "n"}),
    "uv": frozenset({"uv", "uvs", "texcoord", "texcoords", "tex", "coord", "coords", "st"}),
    "tangent": frozenset({"tangent", "tangents", "tang", "tan"}),
    "colour": frozenset({"color", "colour", "colors", "colours", "col", "rgb", "rgba", "c"}),
    "1,0,0,0": frozenset({"weight", "weights", "blendweight", "blendweights", "w"}),
    "position": frozenset({"position", "positions", "pos", "vertex", "vert", "p"}),
}  # fmt: skip
MATRICES = frozenset({
    "world", "model", "inst", "instance", "transform", "xform", "matrix", "mat", "mtx",
})  # fmt: skip


def mesh_inputs(
    vertex: KernelSignature, mesh: Mesh, given: Mapping[str, str], silent: list[str]
) -> dict[str, Array]:
    """Return the inputs of a vertex shader from a mesh.

    Args:
        vertex: The inputs of the vertex shader.
        mesh: The mesh.
        given: Values of inputs by semantic or location: position, normal, uv, or numbers.
        silent: Gets a sentence for each input that is 0.
    """
    asked = {vertex.find(name).key: what for name, what in given.items()}
    rows = [row for row in vertex if row.asked]
    rows.sort(key=lambda row: (row.location is None, row.location or 0))
    usual = _usual(rows, asked)
    made = {}
    for row in rows:
        what = asked.get(row.key) or usual.get(row.key)
        if what is None:
            silent.append(f"{row.label} is 0")
        made[row.label] = _attribute(row, mesh, what)
    return made


def unnamed_inputs(vertex: KernelSignature, given: Mapping[str, str]) -> list[str]:
    """Return the labels of the inputs that may be the position though names suggest nothing."""
    asked = {vertex.find(name).key for name in given}
    return [
        row.label
        for row in vertex
        if row.asked
        and row.key not in asked
        and row.dtype.kind == "f"
        and len(row.ports) >= 2
        and _by_name(row) in (None, "uv", "normal")
    ]


def nameless_inputs(vertex: KernelSignature, given: Mapping[str, str]) -> list[SignatureRow]:
    """Return the inputs whose names suggest nothing, if that is so for all that are asked for."""
    asked = {vertex.find(name).key for name in given}
    rows = [row for row in vertex if row.asked and row.key not in asked]
    plain = [row for row in rows if row.dtype.kind == "f" and _by_name(row) is None]
    return plain if len(plain) == len(rows) and len(rows) > 1 else []


def _usual(rows: Sequence[SignatureRow], asked: Mapping[Key, str]) -> dict[Key, str]:
    """Return the meaning of each input, judged by names and locations."""
    left = [row for row in rows if row.key not in asked]
    found = {row.key: what for row in left if (what := _by_name(row)) is not None}
    found |= _matrices(left)
    if "position" in (*found.values(), *asked.values()):
        return found
    found = {key: what for key, what in found.items() if what != "uv"}
    taken = {*found.values()}
    plain = [row for row in left if row.key not in found and row.dtype.kind == "f"]
    for part, least, best in (("position", 1, 4), ("normal", 3, 4), ("uv", 1, 2)):
        fitting = [row for row in plain if len(row.ports) >= least and part not in taken]
        fitting.sort(key=lambda row: len(row.ports) > best)
        for row in fitting[:1]:
            found[row.key] = part
            plain.remove(row)
    return found


def _by_name(row: SignatureRow) -> str | None:
    """Return the meaning of an input, judged by its name."""
    words = {each.casefold() for each in WORDS.findall(row.name)}
    for what, spellings in SPELLINGS.items():
        if words & spellings:
            return what
    return None


def _matrices(rows: Sequence[SignatureRow]) -> dict[Key, str]:
    """Return the rows of the identity for matrices: four inputs of a name, 0 to 3."""
    named: dict[str, dict[int, SignatureRow]] = {}
    for row in rows:
        words = {each.casefold() for each in WORDS.findall(row.name)}
        if words & MATRICES and len(row.ports) == 4 and row.dtype.kind == "f":
            named.setdefault(row.key.name, {})[row.index] = row
    return {
        row.key: ",".join("1" if at == number else "0" for at in range(4))
        for group in named.values()
        if sorted(group) == [0, 1, 2, 3]
        for number, row in group.items()
    }


def _attribute(row: SignatureRow, mesh: Mesh, what: str | None) -> Array:
    """Return the array of an input, (vertices, components)."""
    count, components = len(mesh.position), len(row.ports)
    made = np.zeros((count, components), row.dtype)
    if what is None:
        return made
    if what == "uv":  # rows of a texture run down
        part = np.stack([mesh.uv[:, 0], 1.0 - mesh.uv[:, 1]], axis=1)
    elif what == "position":
        part = np.concatenate([mesh.position, np.ones((count, 1), "f4")], axis=1)
    elif what == "normal":
        part = mesh.normal
    elif what == "tangent":
        part = mesh.tangent if mesh.tangent is not None else tangents(mesh)
    elif what in ("colour", "color"):
        part = mesh.colour if mesh.colour is not None else np.ones((count, 4), "f4")
    else:
        try:
            part = np.array([[float(each) for each in what.split(",")]])
        except ValueError:
            raise UsageError(
                f"{row.label}: expected one of {', '.join(PARTS)}, or numbers, got {what!r:.40}"
            ) from None
    wide = min(components, part.shape[1])
    made[:, :wide] = part[:, :wide]
    return made
