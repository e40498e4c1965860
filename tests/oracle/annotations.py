"""A reader of the annotations at the end of lines in the text of kernels."""

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from unshade.ir.kernel import Block, If, Loop, Switch, Value
from unshade.ir.locations import Call, SourceLocation, SymbolName, ValueLabel
from unshade.isa.source import Scanner

from .tokens import read_integer, read_name

PLACE = re.compile(r"#(\d{1,9})")
CALL = re.compile(r"\^(\d{1,9})")
LINE = re.compile(r"!(\d{1,9})")
LAST = 1 << 31  # limit of line numbers

T = TypeVar("T")


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
