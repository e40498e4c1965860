"""The difference of two catalogues: of two builds, or of a game before and after a patch.

    name ps/sky.cso        before  4d06…     after  9a1c…     changed: code
    name ps/fog.cso        before  71e0…     after  -         moved to ps/mist.cso

Shaders are paired by the name of their file below the folder that was scanned, or by its path if a
catalogue has files of several folders, and by their order in it. A shader without a partner by name
is paired with a shader of the same bytes, code or shape of the code, if exactly one such shader is
left on each side.
"""

from collections.abc import Iterator
from typing import Any

from ..tuples import NamedTuple
from .queries import Catalog

__all__ = ["CatalogChange", "CatalogDiff", "compare"]

KINDS = ("changed", "moved", "added", "removed")
# Of a pair, the first that is equal decides what has changed.
LEVELS = (
    ("shader", "nothing"),
    ("program", "rest of the file"),
    ("shape", "registers or literals"),
    ("interface", "code"),
)


class CatalogChange(NamedTuple):
    """A shader that has changed, moved, come or gone.

    Attributes:
        kind: `changed`, `moved`, `added` or `removed`.
        name: Name of its file below the folder that was scanned, after the change if it exists.
        place: Its place in the file.
        before: SHA-256 of its bytes before; None if it was added.
        after: SHA-256 of its bytes after; None if it was removed.
        what: The difference of a pair: `rest of the file` if the code is the same, `registers or
            literals` if its shape is, `code` if the interface is, otherwise `interface`.
        from_name: Name of the file of a moved shader before.
    """

    kind: str
    name: str
    place: str
    before: str | None
    after: str | None
    what: str | None = None
    from_name: str | None = None


class CatalogDiff(NamedTuple):
    """The difference of two catalogues: the changes, and the number of places that are the same."""

    changes: tuple[CatalogChange, ...]
    same: int

    def counts(self) -> dict[str, int]:
        """Return the number of changes of each kind."""
        return {kind: sum(each.kind == kind for each in self.changes) for kind in KINDS}


class _ShaderPlace(NamedTuple):
    """A shader at a place, with its keys."""

    name: str
    number: int
    place: str
    shader: str
    program: str | None
    shape: str | None
    interface: str | None


def compare(old: str, new: str) -> CatalogDiff:
    """Return the difference of two catalogues, given their folders.

    Raises:
        UsageError: A folder contains no catalogue.
    """
    with Catalog(old) as before, Catalog(new) as after:
        by = "name" if max(map(_roots, (before, after))) < 2 else "path"
        same = 0
        changes: list[CatalogChange] = []
        removed: list[_ShaderPlace] = []
        added: list[_ShaderPlace] = []
        for one, other in _pairs(_places(before, by), _places(after, by)):
            if one is None:
                assert other is not None
                added.append(other)
            elif other is None:
                removed.append(one)
            elif one.shader == other.shader:
                same += 1
            else:
                changes.append(_change("changed", one, other))
    changes += _moved(removed, added)
    changes += [CatalogChange("added", x.name, x.place, None, x.shader) for x in added]
    changes += [CatalogChange("removed", x.name, x.place, x.shader, None) for x in removed]
    changes.sort(key=lambda each: (each.name, each.place, each.kind))
    return CatalogDiff(tuple(changes), same)


def _roots(catalog: Catalog) -> int:
    """Return the number of folders that were scanned."""
    [(count,)] = catalog.query("SELECT count(DISTINCT root) FROM files")
    return int(count)


def _places(catalog: Catalog, by: str) -> Iterator[_ShaderPlace]:
    """Yield the places of a catalogue in order, named by a column of files: name or path."""
    found = catalog.query(
        f"SELECT places.{by} AS name, number, place, shader, program, shape, interface"
        " FROM places JOIN shaders USING (shader) ORDER BY name, number"
    )
    for row in found:
        yield _ShaderPlace(*row)


def _pairs(
    left: Iterator[_ShaderPlace], right: Iterator[_ShaderPlace]
) -> Iterator[tuple[_ShaderPlace | None, _ShaderPlace | None]]:
    """Yield the places of both sides with equal names and numbers, both sides in order."""
    one, other = next(left, None), next(right, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[:2] < other[:2]):
            yield one, None
            one = next(left, None)
        elif one is None or other[:2] < one[:2]:
            yield None, other
            other = next(right, None)
        else:
            yield one, other
            one, other = next(left, None), next(right, None)


def _change(kind: str, one: _ShaderPlace, other: _ShaderPlace) -> CatalogChange:
    what = "interface"
    for level, words in LEVELS:
        value: Any = getattr(one, level)
        if value is not None and value == getattr(other, level):
            what = words
            break
    from_name = one.name if one.name != other.name else None
    return CatalogChange(
        kind, other.name, other.place, one.shader, other.shader, what, from_name
    )  # fmt: skip


def _moved(removed: list[_ShaderPlace], added: list[_ShaderPlace]) -> Iterator[CatalogChange]:
    """Yield pairs of removed and added shaders that are the same; drop them from the lists."""
    for level in ("shader", "program", "shape"):
        ours: dict[str, list[_ShaderPlace]] = {}
        for each in removed:
            if key := getattr(each, level):
                ours.setdefault(key, []).append(each)
        theirs: dict[str, list[_ShaderPlace]] = {}
        for each in added:
            if key := getattr(each, level):
                theirs.setdefault(key, []).append(each)
        gone, come = set(), set()
        for key, many in ours.items():
            others = theirs.get(key, [])
            if len(many) == len(others) == 1 or (level == "shader" and others):
                for one, other in zip(many, others, strict=False):
                    yield _change("moved", one, other)
                    gone.add(one)
                    come.add(other)
        removed[:] = [each for each in removed if each not in gone]
        added[:] = [each for each in added if each not in come]
