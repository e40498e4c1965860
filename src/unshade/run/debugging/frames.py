"""Stack frames of trace entries: places in the source, and calls of inlined functions.

    light.hlsl:7        float3 c = base * light;      // in shade, called from main.hlsl:31 in main
       40  %13 = fmul %11, %12

Functions are inlined where they are called, so a trace never enters one; frames come from the
locations of statements. Lines are numbered as in the program's listing.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from ...dataclass import dataclass
from ...errors import UsageError
from ...ir.kernel import KernelIR
from ...ir.locations import Call, SourceLocation, calls
from ...ir.source_text import SourceTexts
from ...vm.lockstep.debug import TraceEntry
from ..binding.suggestions import suggestion


@dataclass(frozen=True, slots=True)
class StackFrame:
    """A stack frame: a function with its place in the source and in the listing.

    `call` is the inlined call.
    """

    function: str
    file: str
    line: int
    column: int
    listing_line: int
    call: Call | None = None

    @property
    def place(self) -> str:
        """`light.hlsl:7`; "" without a source."""
        return f"{self.file}:{self.line}" if self.file else ""

    def __str__(self) -> str:
        """`light.hlsl:7 in shade`, `line 12 in main`."""
        inside = f" in {self.function}" if self.function else ""
        return f"{self.place or f'line {self.listing_line}'}{inside}"


def frames(location: SourceLocation | None, line: int) -> list[StackFrame]:
    """Return the frames of a line of the listing, innermost first; none without a location."""
    if location is None:
        return []
    found = [_frame(location, line)]
    found += [_frame(call.location or SourceLocation(), call.line) for call in calls(location)]
    return found


def _frame(location: SourceLocation, line: int) -> StackFrame:
    return StackFrame(
        location.function, location.file, location.line, location.column, line, location.call
    )


def calling(stack: Sequence[StackFrame]) -> str:
    """Return `in shade, called from main.hlsl:31 in main`; "" if the function is unnamed."""
    words = [f"in {stack[0].function}"] if stack[0].function else []
    return ", ".join([*words, *(f"called from {each}" for each in stack[1:])])


def step_of(entry: TraceEntry) -> Hashable:
    """Return a key that entries of one line in one call share.

    The line is a source line if known, else a line of the listing.
    """
    location = entry.location
    if location is not None and location.file:
        return location.file, location.line, location.call
    return entry.line, function_of(entry)


def function_of(entry: TraceEntry) -> Hashable:
    """Return a key that entries of one call of a function share."""
    location = entry.location
    return None if location is None else (location.function, location.call)


def depth(entry: TraceEntry) -> int:
    """Return the number of calls around an entry."""
    return sum(1 for _ in calls(entry.location))


def visits(entries: Iterable[TraceEntry], here: Callable[[StackFrame], bool]) -> Iterator[int]:
    """Number the visits of a place, from 1; 0 for entries outside.

    A visit includes the functions called from there; each iteration of an enclosing loop is a new
    visit.
    """
    number = 0
    inside: set[tuple[Call | None, int]] = set()
    loops: tuple[tuple[int, int], ...] = ()
    known: dict[tuple[SourceLocation | None, int], set[tuple[Call | None, int]]] = {}
    for entry in entries:
        key = entry.location, entry.line
        if key not in known:
            stack = frames(*key) or [StackFrame("", "", 0, 0, entry.line)]
            known[key] = {
                (each.call, each.line or each.listing_line) for each in stack if here(each)
            }
        now = known[key]
        if now and (not now <= inside or entry.loops[: len(loops)] != loops):
            number += 1
            loops = entry.loops
        inside = now
        yield number if now else 0


class Files:
    """The sources that locations of a kernel refer to, and their lines with code."""

    def __init__(self, kernel: KernelIR, texts: Mapping[str, str]) -> None:
        self.texts = SourceTexts(texts)
        self.lines: dict[str, set[int]] = {file: set() for file in texts}
        self.calls: set[int] = set()  # lines of the listing
        seen: set[SourceLocation] = set()
        for value in kernel.values():
            location = value.location
            while location is not None and location not in seen:
                seen.add(location)
                if location.file:
                    self.lines.setdefault(location.file, set()).add(location.line)
                if location.call is not None:
                    self.calls.add(location.call.line)
                location = location.call.location if location.call is not None else None

    def text(self, file: str, line: int) -> str:
        """Return a line of a source, stripped; "" if it does not exist, or is ambiguous."""
        return self.texts.line(file, line).strip()

    def place(self, text: str) -> tuple[str, int] | None:
        """Return the file and line of a text such as `light.hlsl:7`; None if it names no file. The
        end of a path is enough. UsageError if the line has no code.
        """
        name, colon, number = text.rpartition(":")
        if not colon or not number.isdecimal() or len(number) > 9:
            return None
        found = [file for file in self.lines if _ends(file, name)]
        found = [name] if name in found else found
        if not found:
            return None
        if len(found) > 1:
            raise UsageError(f"several files are called {name!r:.40}: {', '.join(sorted(found))}")
        file, line = found[0], int(number)
        if line not in self.lines[file]:
            after = min((each for each in self.lines[file] if each > line), default=None)
            hint = f"; the next line with code is {after}" if after is not None else ""
            raise UsageError(f"line {line} of {file} has no code{hint}")
        return file, line

    def suggestion(self, text: str) -> str:
        """Return a hint for a place that names none of the files."""
        name, colon, number = text.rpartition(":")
        return suggestion(name, sorted(self.lines)) if colon and number.isdecimal() else ""


def _ends(file: str, name: str) -> bool:
    return file == name or file.replace("\\", "/").endswith(f"/{name}")
