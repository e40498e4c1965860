"""`diff --reproducible`: the reasons why two builds that ought to be equal differ.

    reason       bytes  where
    hash            16  digest
    debug name      36  ILDN.name: '1a97….pdb' became 'ui.pdb'
    equal after strip debug

Fields are compared by their paths, so that a longer name does not shift the fields after it. A byte
of a field that differs counts once; offsets and sizes that only follow from other differences have
the reason `layout`. A list whose elements are the same in another order has the reason `ordering`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from ..parts import Category
from ..shader import Shader
from ..stripping import STRIPPABLE
from ..tuples import NamedTuple
from .audit import Disclosure, Reveals, audit

__all__ = ["FieldDifference", "Reproduction", "reproducible"]

INDEX = re.compile(r"\[\d+\]")
LAYOUT = re.compile(r"(?:^|[._])(?:size|offset|length|count|total|words|start|end)s?(?:$|[._\[])")
BY_AUDIT = {
    Reveals.TIME: "timestamp", Reveals.COMPILER: "compiler version", Reveals.PDB: "debug name",
    Reveals.OPTIONS: "compiler options", Reveals.PATH: "path", Reveals.SOURCE: "source",
    Reveals.COMMENT: "source", Reveals.USER: "path", Reveals.MACHINE: "path", Reveals.NAME: "name",
}  # fmt: skip
BY_CATEGORY = {
    Category.DIGEST: "hash", Category.COMPILER: "compiler version",
    Category.DEBUG: "debug information", Category.PRIVATE: "private data", Category.CODE: "code",
    Category.REFLECTION: "reflection", Category.STATISTICS: "statistics",
    Category.INTERFACE: "interface", Category.CONTAINER: "container",
}  # fmt: skip
FIRST = (Reveals.TIME, Reveals.PDB, Reveals.COMPILER, Reveals.OPTIONS, Reveals.PATH)


class FieldDifference(NamedTuple):
    """A field that differs: an offset is None for a build that lacks the field."""

    path: str
    reason: str
    before: int | None
    after: int | None
    length: int
    old: str
    new: str


class Reproduction(NamedTuple):
    """The comparison of two builds.

    Attributes:
        equal: True if they are the same, byte for byte.
        sizes: Sizes of both files in bytes.
        differences: Fields that differ, in the order of the first file.
        equal_after: The categories of `strip` after which they are equal; None if none suffices.
    """

    equal: bool
    sizes: tuple[int, int]
    differences: Sequence[FieldDifference]
    equal_after: Sequence[str] | None

    @property
    def reasons(self) -> dict[str, int]:
        """Bytes that differ by reason, the most first."""
        found: Counter[str] = Counter()
        for each in self.differences:
            found[each.reason] += each.length
        return dict(found.most_common())

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        return {
            "equal": self.equal,
            "sizes": list(self.sizes),
            "reasons": self.reasons,
            "equal_after": None if self.equal_after is None else list(self.equal_after),
            "differences": [each._asdict() for each in self.differences],
        }


class _Side(NamedTuple):
    """The fields of one build by path: (offset, bytes, value)."""

    fields: dict[str, tuple[int, bytes, object]]
    reveals: dict[str, Reveals]


def reproducible(before: Shader, after: Shader) -> Reproduction:
    """Compare two builds of a shader that ought to be equal, byte for byte."""
    one, other = before.to_bytes(), after.to_bytes()
    sizes = len(one), len(other)
    if one == other:
        return Reproduction(True, sizes, (), ())
    old, new = _side(before, one), _side(after, other)
    categories = _categories(before) | _categories(after)
    moved = _reordered(old, new)
    found = [*_differences(old, new, categories, moved)]
    return Reproduction(False, sizes, found, _equal_after(before, after))


def _side(shader: Shader, data: bytes) -> _Side:
    fields: dict[str, tuple[int, bytes, object]] = {}
    for span in shader.spans():
        raw = data[span.offset : span.offset + span.length]
        path, number = span.path, 2
        while path in fields and fields[path][0] != span.offset:
            path, number = f"{span.path}#{number}", number + 1
        fields.setdefault(path, (span.offset, raw, span.value))
    reveals: dict[str, Reveals] = {}
    for each in _ranked(audit(shader)):
        reveals.setdefault(each.path, each.category)
    return _Side(fields, reveals)


def _ranked(found: Sequence[Disclosure]) -> list[Disclosure]:
    return sorted(found, key=lambda each: each.category not in FIRST)


def _categories(shader: Shader) -> dict[str, Any]:
    """Return the parts by name, which know the category of a field."""
    return {each.name: each for each in shader.parts}


def _differences(
    old: _Side, new: _Side, parts: Mapping[str, Any], moved: set[str]
) -> Iterator[FieldDifference]:
    for path in dict.fromkeys((*old.fields, *new.fields)):
        one, other = old.fields.get(path), new.fields.get(path)
        if one is not None and other is not None and one[1] == other[1]:
            continue
        if one is not None and other is not None and _same_bits(one, other):
            continue
        size = max(len(each[1]) for each in (one, other) if each is not None)
        if one is not None and other is not None and len(one[1]) == len(other[1]):
            size = sum(x != y for x, y in zip(one[1], other[1], strict=True))
        reason = _reason(path, old, new, parts, moved)
        old_at, new_at = (None if each is None else each[0] for each in (one, other))
        shown = path.partition("#")[0]
        yield FieldDifference(shown, reason, old_at, new_at, size, _shown(one), _shown(other))


def _same_bits(one: tuple[int, bytes, object], other: tuple[int, bytes, object]) -> bool:
    """Return True if two fields share bytes with others, and have the same value themselves."""
    return one[2] is not None and not isinstance(one[2], bytes) and one[2] == other[2]


def _reason(
    path: str, old: _Side, new: _Side, parts: Mapping[str, Any], moved: set[str]
) -> str:  # fmt: skip
    path = path.partition("#")[0]
    name, _, field = path.partition(".")
    if any(path.startswith(each) for each in moved):
        return "ordering"
    if path == "digest" or path.endswith((".digest", ".guid")):
        return "hash"
    kind = old.reveals.get(path) or new.reveals.get(path)
    if kind in BY_AUDIT and kind is not Reveals.NAME:
        return BY_AUDIT[kind]
    if path.endswith("padding") or LAYOUT.search(INDEX.sub("", path)):
        return "layout"
    part = parts.get(name) or next(
        (each for key, each in parts.items() if path.startswith(f"{key}.")), None
    )
    if part is not None:
        return BY_CATEGORY[part.category_of(field)]
    usual = "layout" if parts else "code"  # outside of the parts of a container there is no code
    return usual if kind is None else BY_AUDIT.get(kind, usual)


def _reordered(old: _Side, new: _Side) -> set[str]:
    """Return the lists whose elements contain the same texts in another order."""
    lists: dict[str, tuple[list[object], list[object]]] = defaultdict(lambda: ([], []))
    for number, side in enumerate((old, new)):
        for path, (_, raw, value) in side.fields.items():
            place = path.find("[")
            if place > 0 and (type(value) is str or len(raw) >= 4):
                inside = INDEX.sub("[]", path[place:])
                lists[path[:place]][number].append((inside, value if value is not None else raw))
    found = set()
    for path, (ours, theirs) in lists.items():
        texts = [[x for x in each if isinstance(x[1], str)] for each in (ours, theirs)]  # type: ignore[index]
        if texts[0] != texts[1] and Counter(texts[0]) == Counter(texts[1]):
            found.add(f"{path}[")
    return found


def _shown(field: tuple[int, bytes, object] | None) -> str:
    if field is None:
        return ""
    value = field[2]
    if value is None or isinstance(value, bytes):
        return field[1][:16].hex(" ") + (" …" if len(field[1]) > 16 else "")
    return str(value)[:60]


def _equal_after(before: Shader, after: Shader) -> Sequence[str] | None:
    """Return the fewest categories of `strip` after which two shaders are equal."""
    able = [each for each in STRIPPABLE if before.strippable(each) or after.strippable(each)]
    for count in range(1, len(able) + 1):
        for chosen in combinations(able, count):
            if _stripped(before, chosen) == _stripped(after, chosen):
                return chosen
    return None


def _stripped(shader: Shader, categories: Sequence[str]) -> bytes:
    copy = type(shader).loads(shader.to_bytes(), shader.limits)
    copy.strip(*categories)
    return copy.to_bytes()
