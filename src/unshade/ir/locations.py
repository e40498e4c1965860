"""Where a statement comes from beside its line of the listing, and what its value is called.

    statement   line 40 of the listing
    location    light.hlsl:7:14 in shade
      call      line 55 of the listing, at main.hlsl:31:5 in main
    label       %12.x, gives color.x

All three are for people: traces, stops and findings of debuggers. Engines know nothing of them, and
two kernels that differ in nothing else do the same. Statements share what is equal of them.

Locations and calls are compared by identity: one that is made for each time that a function stands
in place of a call tells these apart, though they may say the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

LETTERS = frozenset("xyzw")
COMPONENTS = frozenset(f".{letter}" for letter in LETTERS)

__all__ = ["Call", "InlinedLocations", "SourceLocation", "SymbolName", "ValueLabel", "calls"]


@dataclass(frozen=True, slots=True, eq=False)
class SourceLocation:
    """A place in a source file, from 1; 0 and "" where it is not known.

    `function` is the one that it is in, and `call` the call that stands there: inlined at.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    function: str = ""
    call: "Call | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call that the function's statements stand in place of: its line of the listing, and where
    that comes from.
    """

    line: int = 0
    location: SourceLocation | None = None


class SymbolName(str):
    """A name by its steps, from the whole to the part: `lights`, `[1]`, `.colour`, `.x`.

    So many steps in front as `scope` says may be left out: that of a buffer, `P` of `P.a`.
    """

    __slots__ = ("scope", "steps")

    steps: tuple[str, ...]
    scope: int

    def __new__(cls, *steps: str, scope: int = 0) -> "SymbolName":
        """Return the name of these steps."""
        made = super().__new__(cls, "".join(steps))
        made.steps, made.scope = steps, scope
        return made

    def called(self, text: str) -> bool:
        """Return whether a text means this: the whole name, the beginning of it, or `colour.xy` for
        both components. Without indexes it means every element: `lights.colour`.
        """
        if _begins(self.steps, text):
            return True
        if self.scope and _begins(self.steps[self.scope :], f".{text}"):
            return True
        if "[" in text or not any(_is_index(each) for each in self.steps):
            return False
        every = SymbolName(*(each for each in self.steps if not _is_index(each)), scope=self.scope)
        return every.called(text)


def _is_index(step: str) -> bool:
    return step.startswith("[")


def _begins(steps: tuple[str, ...], text: str) -> bool:
    spelt = ""
    for step in steps:
        if step in COMPONENTS and text.startswith(f"{spelt}.") and text != spelt + step:
            letters = text[len(spelt) + 1 :]
            return len(letters) > 1 and step[1] in letters and set(letters) <= LETTERS
        spelt += step
        if spelt == text:
            return True
    return False


@dataclass(frozen=True, slots=True)
class ValueLabel:
    """The name of a value in the listing, and the variables of the source that it gives."""

    name: SymbolName | None = None
    gives: tuple[SymbolName, ...] = ()

    @property
    def names(self) -> tuple[SymbolName, ...]:
        """All that it is called."""
        return self.gives if self.name is None else (self.name, *self.gives)


def calls(location: SourceLocation | None) -> Iterator[Call]:
    """The calls that lead to a location, from the inside out."""
    call = location.call if location is not None else None
    while call is not None:
        yield call
        call = call.location.call if call.location is not None else None


class InlinedLocations:
    """Locations as they are where a function stands in place of a call: the chain of calls of each
    ends in that one.

    `function` is the one of statements that have no location. Where the function comes from another
    program, `lines` are those that stand in the listing before its own, `files` the new names of
    its sources.
    """

    def __init__(
        self, call: Call, function: str = "", lines: int = 0, files: Mapping[str, str] | None = None
    ) -> None:
        self._call = call
        self._bare = SourceLocation(function=function, call=call)
        self._lines = lines
        self._files = files or {}
        self._calls: dict[Call, Call] = {}
        self._made: dict[SourceLocation, SourceLocation] = {}

    def __call__(self, location: SourceLocation | None) -> SourceLocation:
        """Return the location of a statement's copy."""
        if location is None:
            return self._bare
        call = self._call
        for each in reversed([*calls(location)]):
            known = self._calls.get(each)
            if known is None:
                where = self._within(each.location, call)
                known = self._calls[each] = Call(self.line(each.line), where)
            call = known
        return self._within(location, call)

    def line(self, line: int) -> int:
        """Return where a line of the function's listing stands; 0 stays 0."""
        return line + self._lines if line else 0

    def _within(self, location: SourceLocation | None, call: Call) -> SourceLocation:
        if location is None:
            return self._bare
        made = self._made.get(location)
        if made is None:
            file = self._files.get(location.file, location.file)
            made = self._made[location] = replace(location, file=file, call=call)
        return made
