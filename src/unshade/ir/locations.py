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

from collections.abc import Iterator
from dataclasses import dataclass, replace

__all__ = ["Call", "Label", "Location", "Name", "Sites", "calls"]


@dataclass(frozen=True, slots=True, eq=False)
class Location:
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
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the listing or the source, and which part of what is called so: `color`, `.x`."""

    base: str
    part: str = ""

    def __str__(self) -> str:
        return self.base + self.part


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a value in the listing, and the variables of the source that it gives."""

    name: Name | None = None
    gives: tuple[Name, ...] = ()


def calls(location: Location | None) -> Iterator[Call]:
    """The calls that lead to a location, from the inside out."""
    call = location.call if location is not None else None
    while call is not None:
        yield call
        call = call.location.call if call.location is not None else None


class Sites:
    """Locations as they are where a function stands in place of a call: the chain of calls of each
    ends in that one.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._bare = Location(call=call)
        self._calls: dict[Call, Call] = {}
        self._made: dict[Location, Location] = {}

    def __call__(self, location: Location | None) -> Location:
        """Return the location of a statement's copy."""
        if location is None:
            return self._bare
        call = self._call
        for each in reversed([*calls(location)]):
            known = self._calls.get(each)
            if known is None:
                known = self._calls[each] = Call(each.line, self._within(each.location, call))
            call = known
        return self._within(location, call)

    def _within(self, location: Location | None, call: Call) -> Location:
        if location is None:
            return self._bare
        made = self._made.get(location)
        if made is None:
            made = self._made[location] = replace(location, call=call)
        return made
