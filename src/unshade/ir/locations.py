"""Source locations and names of statements.

    statement   line 40 of the listing
    location    light.hlsl:7:14 in shade
      call      line 55 of the listing, at main.hlsl:31:5 in main
    label       %12.x, the value of color.x

All three are for debugging: traces, breakpoints and findings. Engines ignore locations, which do
not affect the results of a kernel. Statements share equal locations.

Locations and calls are compared by identity: each inlined call of a function creates new locations,
even if they are otherwise equal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..dataclass import dataclass, replace

LETTERS = frozenset("xyzw")
COMPONENTS = frozenset(f".{letter}" for letter in LETTERS)
LOCAL = "::"  # between a function and its variable

__all__ = [
    "Call", "InlinedLocations", "SourceLocation", "SymbolName", "ValueLabel", "calls",
    "functions_around", "in_scope", "local_name",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class SourceLocation:
    """A position in a source file, from 1; 0 and "" if unknown.

    `function` is the enclosing function, and `call` the call site that it was inlined at.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    function: str = ""
    call: "Call | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """An inlined call: its line of the listing, and its location."""

    line: int = 0
    location: SourceLocation | None = None


class SymbolName(str):
    """A name as a sequence of steps, from the outside in: `lights`, `[1]`, `.colour`, `.x`.

    The first `scope` steps may be omitted, such as the buffer `P` of `P.a`, or the function
    `shade::` of its variable `shade::r.x`. For a variable of the source, `type` is the type of the
    whole variable as the source spells it, and `kind` the kind of the scalar: float, int, uint or
    bool; both are empty if unknown.
    """

    __slots__ = ("kind", "scope", "steps", "type")

    steps: tuple[str, ...]
    scope: int
    kind: str
    type: str

    def __new__(cls, *steps: str, scope: int = 0, kind: str = "", type: str = "") -> "SymbolName":
        """Return a name with these steps."""
        made = super().__new__(cls, "".join(steps))
        made.steps, made.scope, made.kind, made.type = steps, scope, kind, type
        return made

    def called(self, text: str) -> bool:
        """Return True if a text matches: the whole name, its first steps, or several components.

        `colour.xy` matches both components. Without indexes a text matches all elements:
        `lights.colour`.
        """
        if _begins(self.steps, text):
            return True
        inner = self.steps[self.scope :] if self.scope else ()
        if inner and _begins(inner, f".{text}" if inner[0].startswith(".") else text):
            return True
        if "[" in text or not any(_is_index(each) for each in self.steps):
            return False
        every = SymbolName(*(each for each in self.steps if not _is_index(each)), scope=self.scope)
        return every.called(text)

    @property
    def function(self) -> str:
        """The function whose variable it is; "" for other names."""
        first = self.steps[0] if self.scope else ""
        return first.removesuffix(LOCAL) if first.endswith(LOCAL) else ""

    @property
    def whole(self) -> str:
        """The name of the whole variable, with its scope: `shade::r` for `shade::r.x`."""
        return "".join(self.steps[: self.scope + 1])


def local_name(function: str, name: str, *steps: str, kind: str = "", type: str = "") -> SymbolName:
    """Return the name of a scalar of a function's variable: `shade::r.x`."""
    if not function:
        return SymbolName(name, *steps, kind=kind, type=type)
    return SymbolName(f"{function}{LOCAL}", name, *steps, scope=1, kind=kind, type=type)


def functions_around(location: "SourceLocation | None") -> list[str]:
    """Return the functions that are active at a location, from the inside out."""
    if location is None:
        return []
    outer = (call.location.function for call in calls(location) if call.location is not None)
    return [location.function, *outer]


def in_scope(names: Iterable[SymbolName], text: str, functions: Sequence[str]) -> list[SymbolName]:
    """Return the names that a text refers to while some functions are active.

    Among local variables of several functions, the variables of the innermost active function
    count, unless the text names the function, or none of them is active.
    """
    found = [each for each in names if each.called(text)]
    if LOCAL in text:
        return found
    own = {each.function for each in found if each.function}
    chosen = next((each for each in functions if each in own), None)
    if chosen is None:
        return found
    return [each for each in found if each.function in ("", chosen)]


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
    """The name of a value in the listing, and the source variables with that value."""

    name: SymbolName | None = None
    gives: tuple[SymbolName, ...] = ()

    @property
    def names(self) -> tuple[SymbolName, ...]:
        """All its names."""
        return self.gives if self.name is None else (self.name, *self.gives)


def calls(location: SourceLocation | None) -> Iterator[Call]:
    """Yield the calls that lead to a location, from the inside out."""
    call = location.call if location is not None else None
    while call is not None:
        yield call
        call = call.location.call if call.location is not None else None


class InlinedLocations:
    """A mapping of locations for an inlined function: each chain of calls is extended by the call.

    Args:
        call: the call.
        function: name of the function, for statements without location.
        lines: number of lines before its own in the listing, if it is from another program.
        files: new names of its source files, if it is from another program.
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
        """Return the number of a line of the function in the listing; 0 stays 0."""
        return line + self._lines if line else 0

    def _within(self, location: SourceLocation | None, call: Call) -> SourceLocation:
        if location is None:
            return self._bare
        made = self._made.get(location)
        if made is None:
            file = self._files.get(location.file, location.file)
            made = self._made[location] = replace(location, file=file, call=call)
        return made
