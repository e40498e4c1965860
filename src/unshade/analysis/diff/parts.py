"""Comparison of the parts of two files.

Parts are paired by name, parts of the same name in order. Typed parts are compared field by field:
if only the compiler's name in RDEF differs, the change has the category `compiler`. Equal fields in
different bytes are a difference of layout. Fields that are computed from other fields in both files
are not compared.
"""

from collections.abc import Container, Sequence
from itertools import islice
from typing import Any

from ...errors import LimitError
from ...isa.subsequence import longest_increasing
from ...parts import Category, Part, PlainValue
from ...program import Program
from ...shader import Shader
from ...wire import Record
from ...wire.data import to_data
from .describe import described
from .leaves import differences
from .result import Change, ChangeKind, PartChange

MOST = 200  # changed fields that are listed for a part


def compare(before: Shader, after: Shader, derived: Container[str] = ()) -> list[PartChange]:
    """Return every part that differs, in file order; removed parts at their old position.

    `derived` are paths of fields that are not compared.
    """
    ours, theirs = list(before.parts), list(after.parts)
    # Bytes first: a part whose value has not been read yet need not be written.
    data = {id(part): part.data for part in (*ours, *theirs)}
    pairs = _paired(ours, theirs, data)
    stays = {x for x, _ in longest_increasing(set(pairs))}
    programs = {id(each) for each in (*before.programs, *after.programs)}
    found: list[tuple[float, PartChange]] = []
    for x, y in pairs:
        part, other = ours[x], theirs[y]
        differs = data[id(part)] != data[id(other)]
        change = _compared(part, other, differs, x not in stays, programs, derived)
        if change is not None:
            change.size_before, change.size_after = len(data[id(part)]), len(data[id(other)])
            found.append((x, change))
    gone = set(range(len(ours))) - {x for x, _ in pairs}
    come = set(range(len(theirs))) - {y for _, y in pairs}
    place = {y: x for x, y in pairs}
    for x in gone:
        found.append((x, _one_sided(ours[x], ChangeKind.REMOVED)))
    for y in sorted(come):  # before the part that follows it in the second file
        following = min((place[k] for k in range(y, len(theirs)) if k in place), default=len(ours))
        found.append((following - 0.5, _one_sided(theirs[y], ChangeKind.ADDED)))
    return [change for _, change in sorted(found, key=lambda each: each[0])]


def _paired(
    ours: Sequence[Part], theirs: Sequence[Part], data: dict[int, bytes]
) -> list[tuple[int, int]]:
    """Pair parts of one name, then parts with equal contents and purpose that were renamed."""
    waiting: dict[str, list[int]] = {}
    for y, part in enumerate(theirs):
        waiting.setdefault(part.name, []).append(y)
    pairs = []
    left = []
    for x, part in enumerate(ours):
        if waiting.get(part.name):
            pairs.append((x, waiting[part.name].pop(0)))
        else:
            left.append(x)
    rest = [y for places in waiting.values() for y in places]
    contents = {(data[id(theirs[y])], theirs[y].title): y for y in rest if theirs[y].title}
    for x in left:
        other = contents.pop((data[id(ours[x])], ours[x].title), None)
        if other is not None:
            pairs.append((x, other))
    return sorted(pairs)


def _one_sided(part: Part, kind: ChangeKind) -> PartChange:
    size = part.size
    return PartChange(
        name=part.name,
        change=kind,
        categories=[part.category],
        title=part.title,
        size_before=None if kind is ChangeKind.ADDED else size,
        size_after=size if kind is ChangeKind.ADDED else None,
    )


def _compared(
    before: Part,
    after: Part,
    differs: bool,
    moved: bool,
    programs: set[int],
    derived: Container[str],
) -> PartChange | None:
    change = PartChange(
        name=before.name,
        change=ChangeKind.CHANGED,
        categories=[],
        title=before.title,
        moved=moved,
    )
    about: set[Category] = set()
    if differs:
        about, change.fields = _fields(before, after, programs, derived)
    if about:
        pass
    elif before.name != after.name:
        change.change = ChangeKind.RENAMED
    elif moved:
        change.change = ChangeKind.MOVED
    else:
        return None
    if before.name != after.name:
        change.new_name = after.name
    if moved or change.change is ChangeKind.RENAMED:
        about = about | {Category.CONTAINER}
    change.categories = [each for each in Category if each in about]
    return change


def _fields(
    before: Part, after: Part, programs: set[int], derived: Container[str]
) -> tuple[set[Category], list[Change]]:
    """Return the categories in which two parts differ, and the fields that differ.

    None if only derived fields differ.
    """
    old, new = before.value, after.value
    if id(old) in programs and id(new) in programs:
        found = {Category(each) for each in old.differences(new)}
        names = [] if Category.CODE in found else _names(before.name, old, new, found)
        return {before.category if each is Category.CODE else each for each in found}, names
    if type(old) is not type(new) or not isinstance(old, Record | PlainValue):
        return {before.category, after.category}, []  # one name may have two meanings
    try:
        leaves = differences(_plain(old), _plain(new))
    except LimitError:  # shared values would be repeated too often
        return {before.category}, []
    about = set()
    fields: list[Change] = []
    follows = False
    for path, x, y, kind in leaves:
        if f"{before.name}.{path}" in derived:
            follows = True
            continue
        category = before.category_of(path)
        about.add(category)
        if before.in_program(path):
            continue  # listed line by line in `programs`
        if len(fields) < MOST:
            fields.append(
                Change(
                    path=f"{before.name}.{path}", change=kind, category=category, before=x, after=y,
                    before_text="" if kind is ChangeKind.ADDED else _described(before, path, x),
                    after_text="" if kind is ChangeKind.REMOVED else _described(after, path, y),
                )
            )  # fmt: skip
    return about if about or follows else {Category.CONTAINER}, fields


def _plain(value: Any) -> Any:
    return to_data(value) if isinstance(value, Record) else value.to_data()


def _names(path: str, old: Program, new: Program, about: set[Category]) -> list[Change]:
    """Return the names that differ in two programs with the same code."""
    category = Category.DEBUG if about == {Category.DEBUG} else Category.REFLECTION
    return [
        Change(
            path=f"{path}.{where}", change=_kind(x, y), category=category, before=x, after=y,
            before_text=x, after_text=y,
        )
        for where, x, y in islice(old.name_differences(new), MOST)
    ]  # fmt: skip


def _kind(before: str, after: str) -> ChangeKind:
    if before and after:
        return ChangeKind.CHANGED
    return ChangeKind.REMOVED if before else ChangeKind.ADDED


def _described(part: Part, path: str, value: Any) -> str:
    text = part.described(path, value)
    return described(value) if text is None else text
