"""PDBs of a folder, by the hash of the shader that they belong to.

    game.dxil   HASH  5847461a…     symbols/5847461aecdc0c21c0bd3a2f2dd3327b.pdb

dxc names a PDB after the hash. A file of another name is opened, and its hash compared: build
systems rename them.
"""

import os
from collections.abc import Iterator

from ..api import loads
from ..errors import UnshadeError, UsageError
from ..files import below, contents, head, reason
from ..formats import format_named, identify
from ..shader import Shader

__all__ = ["PdbFolder"]

SUFFIX = ".pdb"
HEAD = 32  # bytes that identify a file


class PdbFolder:
    """The PDBs in a folder and the folders below it; opened when the first is asked for."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._named: dict[str, str] | None = None  # path by name without its suffix
        self._hashed: dict[bytes, str] | None = None

    def path_of(self, shader: Shader) -> str | None:
        """Return the path of a shader's PDB; None if the folder has none, or the shader no hash.

        Raises:
            UsageError: The folder cannot be read.
        """
        digest = _hash_of(shader)
        if digest is None:
            return None
        named = self._paths().get(digest.hex())
        if named is not None and _hash_in(named) == digest:
            return named
        if self._hashed is None:
            found = ((_hash_in(path), path) for path in self._paths().values())
            self._hashed = {each: path for each, path in found if each is not None}
        return self._hashed.get(digest)

    def of(self, shader: Shader) -> Shader | None:
        """Return a shader's PDB, opened; None if the folder has none."""
        path = self.path_of(shader)
        return None if path is None else loads(contents(path))

    def _paths(self) -> dict[str, str]:
        if self._named is None:
            self._named = {
                os.path.splitext(os.path.basename(path))[0].lower(): path for path in self._files()
            }
        return self._named

    def _files(self) -> Iterator[str]:
        def failed(place: str, error: OSError) -> None:
            raise UsageError(f"{place}: {reason(error)}")

        for each in below(self.folder, str, failed):
            if each.regular and each.name.lower().endswith(SUFFIX):
                yield each.path


def _hash_of(shader: Shader) -> bytes | None:
    try:
        found = shader.reflect().hash
    except UnshadeError:
        return None
    return None if found is None else found.digest


def _hash_in(path: str) -> bytes | None:
    """Return the hash of the shader that a PDB belongs to; None if it is no PDB of a shader."""
    try:
        name = identify(head(path, HEAD))
        if name is None or format_named(name).suffix != SUFFIX:
            return None
        return _hash_of(loads(contents(path)))
    except UnshadeError:
        return None
