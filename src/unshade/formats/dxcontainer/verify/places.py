"""Findings in a container, and the offsets of their paths.

    signature.mask   in ISGN, "elements[2].mask"   ->   offset 0x90, path ISGN.elements[2].mask

Most files have no findings, so no offset is computed before the first one.
"""

from collections.abc import Iterable, Iterator

from ....enums import member_of
from ....errors import Diagnostic, UnshadeError
from ....model import Resource
from ....model.facts import ProgramFacts
from ....rule import Findings
from ....vocab import fxc
from ....vocab.d3d import UNBOUNDED
from ....wire import Record
from ..container import Container
from ..part import PART_HEADER, DxPart, part_paths
from ..parts.dxil import version_token
from ..parts.rdef import ResourceDefinition
from .rules import RULES

Problem = tuple[str, str, str]  # rule, message, path in the part


def registers(resource: Resource) -> tuple[int, int]:
    """Return the first and the last register of a resource."""
    count = resource.count
    return resource.register, UNBOUNDED if count is None else resource.register + count - 1


def stage_of(part: DxPart | None) -> int | None:
    """Return the stage in the version token of a DXIL program, or None."""
    if part is None:
        return None
    token = version_token(part.value) or part.data[:4]
    return int.from_bytes(token[2:], "little") if len(token) == 4 else None


def undefined(record: Record, *names: str) -> Iterator[tuple[str, str]]:
    """Yield the fields, of those named or of all, whose value their enumeration does not define.

    Each comes with the message about it.
    """
    for each in record.layout.fields:
        if each.enum is None or (names and each.name not in names):
            continue
        value = getattr(record, each.name)
        if value is not None and member_of(each.enum, value) is None:
            yield each.name, f"expected a value of {each.enum.__name__}, got {value}"


class ContainerFindings(Findings):
    """The findings of one container."""

    __slots__ = (
        "by_name", "container", "declared", "names", "places", "present", "program", "spans",
    )  # fmt: skip

    def __init__(self, container: Container) -> None:
        super().__init__(RULES)
        self.container = container
        self.by_name = container.parts.by_name()
        self.present = self.by_name.keys()
        self.places: dict[int, int | None] | None = None  # id of a part: offset of its data
        self.spans: dict[int, list[tuple[str, int]]] = {}  # id of a part: its fields and offsets
        self.names: dict[int, str] = {}  # id of a part: its path
        self.program: DxPart | None = None  # the first with a program that could be read
        self.declared: ProgramFacts | None = None  # of that program

    @property
    def by_vkd3d(self) -> bool:
        """True if RDEF names the compiler of vkd3d."""
        part = self.first("RDEF")
        value = None if part is None else part.reading.value
        return isinstance(value, ResourceDefinition) and fxc.by_vkd3d(value.creator)

    def first(self, *names: str) -> DxPart | None:
        """Return the first part with one of these names, or None."""
        present = [name for name in names if name in self.by_name]
        if len(present) > 1:
            return self.container.parts.get(*present)
        return self.by_name[present[0]][0] if present else None

    def all(self, *names: str) -> list[DxPart]:
        """Return all parts with one of these names, in file order."""
        present = [name for name in names if name in self.by_name]
        if len(present) > 1:
            return self.container.parts.all(*present)
        return self.by_name[present[0]] if present else []

    def problems(self, part: DxPart, problems: Iterable[Problem]) -> None:
        """Report violations by a part."""
        for code, message, path in problems:
            self.part(code, part, message, path)

    def part(self, code: str, part: DxPart, message: str = "", path: str = "") -> None:
        """Report that a part violates a rule at a dotted path."""
        offset, name = None, self.name(part)
        if self.lists(code) and (start := self.place(part)) is not None:
            offset = start + self._field(part, path)
        self.add(code, message, offset=offset, path=f"{name}.{path}" if path else name)

    def declaration(self, code: str, message: str, path: str) -> None:
        """Report that a declaration of the first program violates a rule; `path` is its path."""
        assert self.program is not None
        start = self.place(self.program)
        inside = self.program.value.offset(path) if self.lists(code) else None
        offset = None if start is None or inside is None else start + inside
        self.add(code, message, offset=offset, path=f"{self.name(self.program)}.{path}")

    def within(self, part: DxPart, found: list[Diagnostic], pointer: str = "") -> None:
        """Add the findings of a program that fills the part's data, or what a field points to.

        The offsets of the findings are relative to the program.
        """
        if not found:
            return
        start = self.place(part)
        name = f"{self.name(part)}.{pointer}" if pointer else self.name(part)
        if pointer and start is not None:
            # The first span is the pointer, the second one its data, if there are any.
            start += (self._spans(part, pointer)[:2] or [0])[-1]
        for each in found:
            moved = each.within(start or 0, name)
            if start is None:
                moved.offset = None
            self.found.append(moved)

    def name(self, part: DxPart) -> str:
        """Return the path of a part: `SHEX`, or `SHEX[1]` for the second of that name."""
        if not self.names:
            parts = self.container.parts
            self.names = dict(zip(map(id, parts), part_paths(parts), strict=True))
        return self.names.get(id(part), part.name)

    def place(self, part: DxPart) -> int | None:
        """Return the offset of a part's data in the written file, or None if it is unknown."""
        if self.places is None:
            self.places = dict(self._places())
        return self.places.get(id(part))

    def _places(self) -> Iterator[tuple[int, int | None]]:
        at: int | None = 32 + 4 * len(self.container.parts)
        for part in self.container.parts:
            if at is not None:
                at += len(part.gap) + PART_HEADER
            yield id(part), at
            try:
                at = None if at is None else at + part.size
            except UnshadeError:
                at = None

    def _field(self, part: DxPart, path: str) -> int:
        """Return the offset of a field in its part's data."""
        return next(iter(self._spans(part, path)), 0) if path else 0

    def _spans(self, part: DxPart, path: str) -> list[int]:
        """Return the offsets of a field's spans in its part's data."""
        fields = self.spans.get(id(part))
        if fields is None:
            try:
                fields = [(span.path, span.offset) for span in part.spans()]
            except UnshadeError:
                fields = []
            self.spans[id(part)] = fields
        inner = (f"{path}.", f"{path}[")
        return [at for name, at in fields if name == path or name.startswith(inner)]
