"""Annotations at the end of lines in the text of kernels: origins and names of statements.

    place #0 "main.hlsl" 31 5 in main
    call ^0 55 at #0
    place #1 "light.hlsl" 7 14 in shade by ^0

    %3 = fmul %1, %2 !40 #1 as "%12" ".x" gives color ".x"

They are the line of the listing, the location, the name of the value, and the source variables that
it is the value of. Locations and calls are declared before the statements, each after those it
refers to.
"""

import re
from collections.abc import Iterator, Mapping
from json import dumps
from typing import NamedTuple, TypeVar

from ...isa.source import Scanner
from ..kernel import Block, If, KernelIR, Loop, Region, Switch, Value, regions
from ..locations import Call, SourceLocation, SymbolName, ValueLabel
from .tokens import read_integer, read_name, word

PLACE = re.compile(r"#(\d{1,9})")
CALL = re.compile(r"\^(\d{1,9})")
LINE = re.compile(r"!(\d{1,9})")
LAST = 1 << 31  # limit of line numbers

T = TypeVar("T")


# ---------------------------------------------------------------- writing


class AnnotationWriter:
    """A writer of annotations; locations are numbered in the order of the text."""

    def __init__(self, kernel: KernelIR) -> None:
        self.lines: list[str] = []
        self._places: dict[SourceLocation, int] = {}
        self._calls: dict[Call, int] = {}
        for location in _locations(kernel.body):
            self._declare(location)

    def _declare(self, location: SourceLocation) -> None:
        """Declare a location, after the calls and locations that it refers to."""
        chain: list[SourceLocation | Call] = []
        each: SourceLocation | Call | None = location
        while each is not None and each not in self._places and each not in self._calls:
            chain.append(each)
            each = each.call if isinstance(each, SourceLocation) else each.location
        for each in reversed(chain):
            if isinstance(each, SourceLocation):
                number = self._places[each] = len(self._places)
                self.lines.append(f"place #{number}{self._place(each)}")
            else:
                number = self._calls[each] = len(self._calls)
                at = f" at #{self._places[each.location]}" if each.location is not None else ""
                self.lines.append(f"call ^{number} {each.line}{at}")

    def _place(self, location: SourceLocation) -> str:
        text = ""
        if location.file or location.line or location.column:
            text = f" {dumps(location.file)} {location.line} {location.column}"
        text += f" in {word(location.function)}" if location.function else ""
        return text + (f" by ^{self._calls[location.call]}" if location.call is not None else "")

    def end(
        self, line: int, location: SourceLocation | None, label: ValueLabel | None = None
    ) -> str:
        """Return the annotations of a statement, as the end of its line."""
        text = f" !{line}" if line else ""
        text += f" #{self._places[location]}" if location is not None else ""
        if label is not None and label.name is not None:
            text += f" as {name_text(label.name)}"
        if label is not None and label.gives:
            text += f" gives {', '.join(map(name_text, label.gives))}"
        return text


def name_text(name: SymbolName) -> str:
    """Return the text of a name: the first step, then the others in quotes."""
    first, *others = name.steps
    return " ".join([word(first), *map(dumps, others)])


def _locations(region: Region) -> Iterator[SourceLocation]:
    for statement in region:
        if statement.location is not None:
            yield statement.location
        for inner in regions(statement):
            yield from _locations(inner)


# ---------------------------------------------------------------- reading


class Annotations(NamedTuple):
    """The annotations of a statement."""

    line: int = 0
    location: SourceLocation | None = None
    label: ValueLabel | None = None

    def mark(self, statement: Value | If | Loop | Switch | Block) -> None:
        """Store them in a statement."""
        statement.line, statement.location = self.line, self.location
        if isinstance(statement, Value):
            statement.label = self.label


class AnnotationReader:
    """A reader of annotations, with the locations that the text declares."""

    def __init__(self) -> None:
        self._places: dict[str, SourceLocation] = {}
        self._calls: dict[str, Call] = {}

    def declare(self, scanner: Scanner, what: str) -> None:
        """Read a `place` or `call`, to the end of its line."""
        (self._place if what == "place" else self._call)(scanner)
        self.end(scanner)

    def _place(self, scanner: Scanner) -> None:
        number = _new(scanner, PLACE, "place", self._places)
        file, line, column = "", 0, 0
        if scanner.rest.startswith('"'):
            file = read_name(scanner, "a file")
            line, column = read_integer(scanner, 0, LAST), read_integer(scanner, 0, LAST)
        function = read_name(scanner, "a function") if scanner.accept("in ") else ""
        call = _known(scanner, CALL, self._calls, "call") if scanner.accept("by ") else None
        self._places[number] = SourceLocation(file, line, column, function, call)

    def _call(self, scanner: Scanner) -> None:
        number = _new(scanner, CALL, "call", self._calls)
        line = read_integer(scanner, 0, LAST)
        at = _known(scanner, PLACE, self._places, "place") if scanner.accept("at ") else None
        self._calls[number] = Call(line, at)

    def end(self, scanner: Scanner) -> Annotations:
        """Read the annotations at the end of a line; nothing else may follow."""
        found = scanner.match(LINE)
        line = int(found[1]) if found else 0
        location = None
        if scanner.rest.startswith("#"):
            location = _known(scanner, PLACE, self._places, "place")
        name = read_name_steps(scanner) if scanner.accept("as ") else None
        gives: list[SymbolName] = []
        if scanner.accept("gives "):
            gives.append(read_name_steps(scanner))
            while scanner.accept(","):
                gives.append(read_name_steps(scanner))
        if not scanner.rest.startswith("//"):
            scanner.finish()
        label = ValueLabel(name, tuple(gives)) if name is not None or gives else None
        return Annotations(line, location, label)


def read_name_steps(scanner: Scanner) -> SymbolName:
    """Read a name: the first step, then the others in quotes."""
    steps = [read_name(scanner, "a name")]
    while scanner.rest.startswith('"'):
        steps.append(read_name(scanner, "a part"))
    return SymbolName(*steps)


def _new(scanner: Scanner, pattern: re.Pattern[str], what: str, known: Mapping[str, object]) -> str:
    start = scanner.at
    found = scanner.match(pattern)
    if found is None:
        raise scanner.expected(f"the number of the {what}")
    if found[1] in known:
        raise scanner.place(start).error(f"{found[0]} is already declared")
    return found[1]


def _known(scanner: Scanner, pattern: re.Pattern[str], known: Mapping[str, T], what: str) -> T:
    start = scanner.at
    found = scanner.match(pattern)
    if found is None:
        raise scanner.expected(f"the number of a {what}")
    if found[1] not in known:
        raise scanner.place(start).error(f"no such {what}: {found[0]}")
    return known[found[1]]
