"""The result of a comparison.

    Diff ── parts          which came, went, moved, have other bytes
         ├─ reflection     what the model tells otherwise: signatures, resources, buffers, flags
         ├─ statistics     counts and by how much they grew
         ├─ programs       lines aligned, operations counted
         └─ container      what stands around the parts

Everything is said with a category, the same words as those of a part.
"""

from enum import StrEnum, auto
from typing import Any

from ...limits import Limits
from ...model.plain import Facts, fact
from ...notebook import Shown
from ...parts import Category
from .align import Row

_AS_LARGE_AS_IT_IS = Limits(nodes=1 << 62)


class ChangeKind(StrEnum):
    """Kind of a change."""

    ADDED = auto()
    REMOVED = auto()
    CHANGED = auto()
    MOVED = auto()  # the same, elsewhere
    RENAMED = auto()  # the same, under another name


class Differs(StrEnum):
    """Degree to which two aligned lines differ; each includes those above it."""

    BITS = auto()  # what the native text does not show: the last bits of a float
    REGISTERS = auto()  # numbers of registers
    OPERANDS = auto()
    OPERATION = auto()


class Change(Facts):
    """A value that differs."""

    path: str = fact("dotted path; elements go by name: `resources[albedo].register`")
    change: ChangeKind = fact("added, removed or changed")
    category: Category = fact("what it is about")
    before: Any = fact("value in the first shader as plain data, None if added", default=None)
    after: Any = fact("value in the second shader as plain data, None if removed", default=None)
    told_before: str = fact("the same in words", default="")
    told_after: str = fact("the same in words", default="")


class PartChange(Facts):
    """A part that differs, or is at another position."""

    name: str = fact("its name in the first shader; in the second if it was added")
    change: ChangeKind = fact("changed: the bytes differ")
    categories: list[Category] = fact("what differs in it")
    new_name: str | None = fact("its name in the second shader if it was renamed", default=None)
    title: str = fact("what such parts hold, empty where that is not known", default="")
    size_before: int | None = fact("bytes, None if added", default=None)
    size_after: int | None = fact("bytes, None if removed", default=None)
    moved: bool = fact("whether the parts around it are others than before", default=False)
    fields: list[Change] = fact("fields of a typed part that differ, at most 200", factory=list)


class Count(Facts):
    """A count that differs."""

    name: str = fact("what is counted")
    before: int = fact("in the first shader")
    after: int = fact("in the second")


class LineChange(Facts):
    """A line that differs, or is at another position. Lines count from 1."""

    change: ChangeKind = fact("added, removed, changed or moved")
    differs: Differs | None = fact("of a changed line: in what", default=None)
    line_before: int | None = fact("line in the first program's text", default=None)
    line_after: int | None = fact("line in the second program's text", default=None)
    before: str | None = fact("that line", default=None)
    after: str | None = fact("that line", default=None)


class Aligned:
    """The alignment behind a `ProgramDiff`: the lines of both texts, and rows of them."""

    __slots__ = ("after", "before", "kinds", "moves", "rows")

    def __init__(self, before: list[str], after: list[str], rows: list[Row]) -> None:
        self.before = before
        self.after = after
        self.rows = rows
        self.kinds: list[ChangeKind | None] = []  # of each row; None for equal lines
        self.moves: dict[int, int] = {}  # lines that moved: number before, number after


class _HasAlignment(Facts):
    __slots__ = ("alignment",)

    def align(self, alignment: Aligned) -> None:
        """Set the alignment, which is not part of the plain data."""
        self.alignment = alignment


class ProgramDiff(_HasAlignment):
    """The difference of two programs; `alignment` has all lines, equal ones included."""

    name: str = fact("entry point and stage: `main (pixel)`")
    change: ChangeKind = fact("changed; added or removed where only one shader has it")
    dialect: str = fact("the text that was compared: exact where the format has it, else native")
    lines_before: int = fact("lines of the first text", default=0)
    lines_after: int = fact("lines of the second text", default=0)
    equal: int = fact("lines that are the same, blanks aside", default=0)
    changed: int = fact("lines that became another", default=0)
    added: int = fact("lines that only the second has", default=0)
    removed: int = fact("lines that only the first has", default=0)
    moved: int = fact("lines that stand elsewhere, letter for letter", default=0)
    only_registers: bool = fact(
        "nothing differs but the numbers of registers, and each register was renamed to one other"
        " throughout",
        default=False,
    )
    renamed: list[Change] = fact("if so: which register became which", factory=list)
    operations: list[Count] = fact("operations that are used more or less often", factory=list)
    lines: list[LineChange] = fact("every line that is not the same", factory=list)
    notes: list[str] = fact("what the text does not show", factory=list)


class Diff(Shown, Facts):
    """The difference of two shaders; true if they differ."""

    drawn_by = "diff"

    verdict: str = fact("the whole in a sentence")
    different: bool = fact("whether something differs that was not to be ignored")
    categories: list[Category] = fact("what differs", factory=list)
    ignored: list[Category] = fact("what differs, too, but was to be ignored", factory=list)
    format_before: str = fact("format of the first shader")
    format_after: str = fact("format of the second shader")
    size_before: int = fact("bytes of the first shader")
    size_after: int = fact("bytes of the second shader")
    parts: list[PartChange] = fact("parts, in file order", factory=list)
    container: list[Change] = fact("what stands around the parts", factory=list)
    reflection: list[Change] = fact(
        "what the reflection tells otherwise, counts aside", factory=list
    )
    statistics: list[Count] = fact("counts that changed, as the reflection has them", factory=list)
    programs: list[ProgramDiff] = fact("programs that differ", factory=list)
    notes: list[str] = fact("what could not be compared, in sentences", factory=list)

    def to_dict(self, limits: Limits = _AS_LARGE_AS_IT_IS) -> dict[str, Any]:
        """Return plain data, by default without a limit on its size."""
        return super().to_dict(limits)

    def __bool__(self) -> bool:
        """Return True if there is a difference that is not ignored."""
        return self.different
