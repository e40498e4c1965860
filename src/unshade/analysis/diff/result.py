"""The result of a comparison.

    Diff ── parts          added, removed, moved, changed
         ├─ reflection     changes of signatures, resources, buffers, flags
         ├─ statistics     counts before and after
         ├─ programs       aligned lines, counts of operations
         └─ container      header, digest, bytes outside of the parts

Every change has a category (`parts.Category`).
"""

from enum import auto
from typing import TYPE_CHECKING, Any

from ...enums import StrEnum
from ...limits import Limits
from ...model.plain import Facts, fact
from ...notebook import Shown
from ...parts import Category
from .align import Row

if TYPE_CHECKING:
    from ...shader import Shader

_AS_LARGE_AS_IT_IS = Limits(nodes=1 << 62)


class ChangeKind(StrEnum):
    """Kind of a change."""

    ADDED = auto()
    REMOVED = auto()
    CHANGED = auto()
    MOVED = auto()  # the same contents at another position
    RENAMED = auto()  # the same contents under another name


class Differs(StrEnum):
    """Degree to which two aligned lines differ; each degree includes the degrees above it."""

    BITS = auto()  # bits that the native text does not show, as the last ones of a float
    REGISTERS = auto()  # numbers of registers
    OPERANDS = auto()
    OPERATION = auto()


class Change(Facts):
    """A value that differs."""

    path: str = fact("dotted path; elements go by name: `resources[albedo].register`")
    change: ChangeKind = fact("added, removed or changed")
    category: Category = fact("category of the value")
    before: Any = fact("value in the first shader as plain data, None if added", default=None)
    after: Any = fact("value in the second shader as plain data, None if removed", default=None)
    before_text: str = fact("description of `before`", default="")
    after_text: str = fact("description of `after`", default="")


class PartChange(Facts):
    """A part that differs, or is at another position."""

    name: str = fact("its name in the first shader; in the second if it was added")
    change: ChangeKind = fact("changed: the bytes differ")
    categories: list[Category] = fact("categories of its differences")
    new_name: str | None = fact("its name in the second shader if it was renamed", default=None)
    title: str = fact("purpose of parts of this name; empty if unknown", default="")
    size_before: int | None = fact("size in bytes, None if added", default=None)
    size_after: int | None = fact("size in bytes, None if removed", default=None)
    moved: bool = fact("whether its position among the parts changed", default=False)
    fields: list[Change] = fact("fields of a typed part that differ, at most 200", factory=list)


class PipelineChange(Facts):
    """A pipeline or state object that differs."""

    kind: str = fact("`pipeline` or `state object`", default="pipeline")
    name: str = fact("key by which the application asks for it, else its own")
    change: ChangeKind = fact("added, removed or changed")
    number: int = fact("number of differences", default=0)
    changes: list[Change] = fact(
        "what differs, at most 100: stages, the root signature, fields of the state", factory=list
    )


class Count(Facts):
    """A count that differs."""

    name: str = fact("name of the count")
    before: int = fact("value in the first shader")
    after: int = fact("value in the second shader")


class LineChange(Facts):
    """A line that differs, or is at another position. Lines count from 1."""

    change: ChangeKind = fact("added, removed, changed or moved")
    differs: Differs | None = fact("degree of difference of a changed line", default=None)
    line_before: int | None = fact("line number in the first program's text", default=None)
    line_after: int | None = fact("line number in the second program's text", default=None)
    before: str | None = fact("text of `line_before`", default=None)
    after: str | None = fact("text of `line_after`", default=None)


class Aligned:
    """The alignment of a `ProgramDiff`: the lines of both texts, and the rows that pair them."""

    __slots__ = ("after", "before", "kinds", "moves", "renumbered", "rows")

    def __init__(self, before: list[str], after: list[str], rows: list[Row]) -> None:
        self.before = before
        self.after = after
        self.rows = rows
        self.kinds: list[ChangeKind | None] = []  # of each row; None for equal lines
        self.moves: dict[int, int] = {}  # lines that moved: number before, number after
        self.renumbered: set[int] = set()  # rows that compute the same in other registers


class ProgramDiff(Facts):
    """The difference of two programs; `alignment` holds all lines, equal ones included."""

    __slots__ = ("__dict__", "__weakref__", "alignment")

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
    renamed: list[Change] = fact(
        "registers before and after, if only registers differ", factory=list
    )
    operations: list[Count] = fact("operations whose number changed", factory=list)
    lines: list[LineChange] = fact("lines that differ", factory=list)
    notes: list[str] = fact("differences that the text does not show", factory=list)

    def align(self, alignment: Aligned) -> None:
        """Set the alignment, which is not part of the plain data."""
        self.alignment = alignment


class Diff(Shown, Facts):
    """The difference of two shaders; true if they differ. `shaders` holds both."""

    __slots__ = ("__dict__", "__weakref__", "shaders")
    drawn_in = ".report.notebook"
    drawn_by = "diff"

    verdict: str = fact("the result in one sentence")
    different: bool = fact("whether the shaders differ in a category that is not ignored")
    categories: list[Category] = fact("categories that differ", factory=list)
    ignored: list[Category] = fact("ignored categories that differ, too", factory=list)
    format_before: str = fact("format of the first shader")
    format_after: str = fact("format of the second shader")
    size_before: int = fact("size of the first shader in bytes")
    size_after: int = fact("size of the second shader in bytes")
    parts: list[PartChange] = fact("parts, in file order", factory=list)
    container: list[Change] = fact(
        "changes outside of the parts: header, digest, trailing bytes", factory=list
    )
    reflection: list[Change] = fact("changes of the reflection, without counts", factory=list)
    statistics: list[Count] = fact("counts of the reflection that changed", factory=list)
    costs: list[Count] = fact(
        "metrics of budgets that `unshade.cost` counts and that changed, if they were asked for",
        factory=list,
    )
    programs: list[ProgramDiff] = fact("programs that differ", factory=list)
    pipelines: list[PipelineChange] = fact("pipelines of a database that differ", factory=list)
    notes: list[str] = fact(
        "sentences on what could not be compared, or does not agree with the code", factory=list
    )

    def _hold(self, before: "Shader", after: "Shader") -> None:
        """Set the shaders, which are not part of the plain data."""
        self.shaders = before, after

    def to_dict(self, limits: Limits = _AS_LARGE_AS_IT_IS) -> dict[str, Any]:
        """Return plain data, by default without a limit on its size."""
        return super().to_dict(limits)

    def __bool__(self) -> bool:
        """Return True if there is a difference that is not ignored."""
        return self.different
