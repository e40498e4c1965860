"""Breakpoints in a trace.

17                      a line of the listing
light.hlsl:7            a line of a source, wherever the listing enters that line
mul                     an opcode; sample is sample_indexable, too
Y[3]                    any write of that place, named as in the listing or the source
finding                 the place of any finding
r0.x > 3                any write of r0.x after which r0.x is more than 3
17 if r0.x > 3          line 17, if r0.x is more than 3 after the line
r0.x > 3 and line == 17 the same: all of several conditions hold; the first is of a write
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...dataclass import dataclass
from ...errors import UsageError, did_you_mean
from ...vm.lockstep.debug import TracedRegister, TraceEntry
from .frames import StackFrame, visits
from .trace_view import number

if TYPE_CHECKING:
    from .debugger import Debugger

FINDING = "finding"
CONDITION = re.compile(r"(\S+?)\s*(==|!=|<=|>=|<|>)\s*(\S+)")
AND = re.compile(r"\s+and\s+")
LINE = re.compile(r"line\s*==\s*(\d+)")
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
Held = Mapping[str, TracedRegister]


@dataclass(slots=True)
class Breakpoint:
    """Entries where `here` is true, or one per visit of a `place`, if `condition` holds."""

    here: Callable[[TraceEntry], bool]
    condition: Callable[[Held], bool] | None = None
    place: Callable[[StackFrame], bool] | None = None


def parse(debugger: "Debugger", text: str) -> Breakpoint:
    """Parse a breakpoint; UsageError lists the places that exist."""
    place, given, condition = text.partition(" if ")
    terms = AND.split((condition if given else text).strip())
    if not given:
        place = next((each for each in terms if LINE.fullmatch(each)), terms[0])
    line = LINE.fullmatch(place)
    found = None if given or line else CONDITION.fullmatch(place)
    others = terms if given else [each for each in terms if each is not place or found]
    conditions = [_condition(debugger, each) for each in others]
    holds = (lambda held: all(each(held) for each in conditions)) if conditions else None
    if found is not None:
        return Breakpoint(_writes(debugger, found[1]), holds)
    return _place(debugger, line[1] if line else place.strip(), holds)


def hits(debugger: "Debugger", stop: Breakpoint) -> list[int]:
    """Return the numbers of the trace entries that hit a breakpoint."""
    trace = debugger.trace
    held: dict[str, TracedRegister] = {}
    found = []
    entries = trace.entries
    numbers = list(visits(entries, stop.place)) if stop.place is not None else None
    last = 0  # the visit that was found
    for at, entry in enumerate(entries):
        if stop.condition is not None:
            if at == trace.gap:
                held.update(trace.dropped)
            held.update((each.name, each) for each in (*entry.reads, *entry.writes))
        if numbers is not None and numbers[at] in (0, last):
            continue
        if stop.here(entry) and (stop.condition is None or stop.condition(held)):
            found.append(at)
            last = numbers[at] if numbers is not None else 0
    return found


def _place(debugger: "Debugger", text: str, condition: Callable[[Held], bool] | None) -> Breakpoint:
    source = debugger.files.place(text)
    if source is not None:
        return Breakpoint(_any, condition, lambda frame: (frame.file, frame.line) == source)
    lines = _lines(debugger, text)
    if lines & debugger.files.calls:
        return Breakpoint(_any, condition, lambda frame: frame.listing_line in lines)
    if lines:
        return Breakpoint(lambda entry: entry.line in lines, condition)
    return Breakpoint(_here(debugger, text), condition)


def _any(entry: TraceEntry) -> bool:
    return True


def _lines(debugger: "Debugger", text: str) -> set[int]:
    """Return the lines of the listing for a number or an opcode."""
    if text.lstrip("-").isdigit():
        debugger.check_line(int(text))
        return {int(text)}
    if text == FINDING:
        return set()
    words = {line: _opcode(debugger.line(line)) for line in debugger.instructions}
    return {line for line, word in words.items() if word == text or word.startswith(f"{text}_")}


def _here(debugger: "Debugger", text: str) -> Callable[[TraceEntry], bool]:
    if text == FINDING:
        return _wrong(debugger)
    try:
        return _writes(debugger, text)
    except UsageError as error:
        file = debugger.files.suggestion(text)
        if file:
            raise UsageError(f"unknown source file in {text!r:.40}{file}") from None
        words = {_opcode(debugger.line(line)) for line in debugger.instructions}
        meant = did_you_mean(text, sorted(words))
        raise UsageError(
            f"expected a line, opcode, register or place, got {text!r:.40}{meant or f': {error}'}"
        ) from None


def _opcode(line: str) -> str:
    """Return the opcode of a line, without the value that it defines."""
    result, gives, rest = line.partition(" = ")
    return (rest if gives and " " not in result else line).strip().partition(" ")[0]


def _writes(debugger: "Debugger", name: str) -> Callable[[TraceEntry], bool]:
    debugger.check_name(name)
    return lambda entry: any(each.called(name) for each in entry.writes)


def _wrong(debugger: "Debugger") -> Callable[[TraceEntry], bool]:
    kinds: dict[int, set[str]] = {}
    for found in debugger.findings:
        kinds.setdefault(found.line, set()).add(found.kind)

    def wrong(entry: TraceEntry) -> bool:
        if any("is outside" in note for note in entry.notes):
            return True
        here = kinds.get(entry.line, set())
        if here & {"nan", "infinity"}:
            return any(not math.isfinite(number(each)) for each in entry.writes)
        return bool(here - {"out-of-bounds"})

    return wrong


def _condition(debugger: "Debugger", text: str) -> Callable[[Held], bool]:
    found = CONDITION.fullmatch(text)
    if found is None:
        raise UsageError(f"expected a condition such as r0.x > 3, got {text!r:.40}")
    name, sign, right = found.groups()
    debugger.check_name(name)
    compare = COMPARISONS[sign]
    literal = _literal(right)
    if literal is None:
        debugger.check_name(right)

    def holds(held: Held) -> bool:
        others = [literal] if literal is not None else _values(held, right)
        return any(compare(a, b) for a in _values(held, name) for b in others)

    return holds


def _values(held: Held, name: str) -> list[float]:
    return [number(each) for each in held.values() if each.called(name)]


def _literal(text: str) -> float | None:
    for read in (lambda text: int(text, 0), float):
        try:
            return read(text)
        except ValueError:
            continue
    return None
