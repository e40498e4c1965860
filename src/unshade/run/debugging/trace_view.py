"""Traces and findings as lines of text with roles for colours, and as plain data.

       18  loop                               // iteration 3
       26  mul r1.y, r1.yyyy, r1.zzzz
               r1.y                           1.50  0x3fc00000
           ->  r1.z   …

    12  mul r0.x, cb0[0].xxxx, r0.xxxx
            cb0[0].x    P.a                             2.0  0x40000000
            r0.x                                        3.0  0x40400000
        ->  r0.x                                        6.0  0x40c00000  was 3.0

A value is shown in the type that the program uses it as. If the type is unknown, bits that make a
float of common magnitude are shown as a float.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...analysis.source_lines import NO_LINE
from ...vm.lockstep.debug import TracedRegister, TraceEntry
from .frames import StackFrame, calling, frames, function_of, step_of

if TYPE_CHECKING:
    from .debugger import Debugger, ThreadFinding

Line = list[tuple[str, str]]  # pieces of text; each with its role, a word of ROLES
ROLES = ("", "line", "code", "note", "name", "label", "value", "wrote", "hex", "was", "bad", "dim")
FEW = 8  # iterations of a loop that are all shown; of more the first and the last ones
FIRST, LAST = 3, 2
FLOATS: dict[int, Callable[[float], Any]] = {2: np.float16, 4: np.float32, 8: np.float64}
COMMON = (2.0**-40, 2.0**40)  # range of floats shown as such where the program does not say


def text(lines: Iterable[Line]) -> Iterator[str]:
    """Return the text of lines without roles."""
    return ("".join(piece for piece, _ in line).rstrip() for line in lines)


# ---------------------------------------------------------------- values


def kind_of(register: TracedRegister) -> str:
    """Return float, int or uint, guessed if the program does not declare a type."""
    if register.kind:
        return register.kind
    value = abs(register.as_float)
    return "float" if COMMON[0] < value < COMMON[1] else "int"


def number(register: TracedRegister) -> float | int:
    """Return the value in its type."""
    match kind_of(register):
        case "float":
            return register.as_float
        case "uint" | "bool":
            return register.bits
        case _:
            return register.as_int


def value(register: TracedRegister) -> str:
    """Return the value as text: `3.0`, `-1`."""
    found = number(register)
    if register.kind == "bool":
        return str(bool(found)).lower()
    if isinstance(found, int):
        return str(found)
    return str(FLOATS[register.size](found))  # the shortest that is this number


def before(register: TracedRegister) -> TracedRegister | None:
    """Return the value that a register had before it was written."""
    if register.before is None:
        return None
    size = register.size
    return TracedRegister(register.path, register.before, None, size, (), register.held_before)


def row(register: TracedRegister, wrote: bool = False, width: int = 44) -> Line:
    """Return the line of a register: name, name in the source, value, bits.

    Values end at column `width`.
    """
    line: Line = [(register.name, "name")]
    lead = len(register.name)
    label = register.other_label
    if label:
        space = " " * max(1, 12 - lead)
        line.append((space + label, "label"))
        lead += len(space) + len(label)
    shown = value(register)
    space = " " * max(1, width - lead - len(shown))
    line.append((space + shown, "wrote" if wrote else "value"))
    line.append((f"  0x{register.bits:0{2 * register.size}x}", "hex"))
    old = before(register)
    if old is not None and wrote:
        line.append((f"  was {value(old)}", "was"))
    return line


# ---------------------------------------------------------------- a trace


def entry(debugger: "Debugger", one: TraceEntry, *more: str) -> Iterator[Line]:
    """Yield the lines of one trace entry; `more` are notes about it."""
    line = [(f"{one.line:>5}  ", "line"), (debugger.line(one.line), "code")]
    notes = [*more, *one.notes]
    if notes:
        line.append((f"    // {', '.join(notes)}", "note"))
    yield line
    for each in one.reads:
        yield [(" " * 11, ""), *row(each)]
    for each in one.writes:
        yield [("       ->  ", "wrote"), *row(each, True)]


def source(
    debugger: "Debugger", one: TraceEntry, before: TraceEntry | None = None
) -> Iterator[Line]:
    """Yield the source line of an entry and the enclosing calls, where they differ from before.

    An entry without a line, `#line 0` or code of the compiler's own, is not shown under the line
    before it.
    """
    if before is not None and step_of(before) == step_of(one):
        return
    stack = frames(one.location, one.line)
    line: Line = []
    if before is not None and _has_line(before) and not _has_line(one):
        line.append((NO_LINE, "note"))
    if not stack:
        if line:
            yield line
        return
    first, words = stack[0], calling(stack)
    if before is None:
        words = words if first.place or len(stack) > 1 else ""  # it begins in its main function
    elif function_of(before) == function_of(one):
        words = ""
    if first.place:
        line.append((first.place, "note"))
        line.append((f"  {debugger.files.text(first.file, first.line)}", "code"))
    if words:
        line.append((f"    // {words}" if line else f"// {words}", "note"))
    if line:
        yield line


def _has_line(entry: TraceEntry) -> bool:
    stack = frames(entry.location, entry.line)
    return bool(stack and stack[0].place)


def trace(
    debugger: "Debugger",
    chosen: Iterable[int] | None = None,
    last: int | None = None,
    every: bool = False,
) -> Iterator[Line]:
    """Yield the trace, or its entries with the chosen numbers; `last`: only that many at the end.

    For loops with many iterations, only the first and last are shown, unless `every`.
    """
    entries = debugger.trace.entries
    wanted = range(len(entries)) if chosen is None else sorted(chosen)
    shown = list(_folded(debugger, entries, wanted, every))
    if last is not None and len(shown) > last:
        left = sum(isinstance(each, int) for each in shown[:-last])
        yield [(f"       … {left:,} instructions before", "dim")]
        shown = shown[-last:]
    around: tuple[tuple[int, int], ...] = ()
    before: TraceEntry | None = None
    for each in shown:
        if isinstance(each, str):
            yield [(f"       … {each}", "dim")]
            continue
        one = entries[each]
        yield from source(debugger, one, before)
        before = one
        if chosen is None:
            yield from _heads(debugger, around, one.loops)
            yield from entry(debugger, one)
        else:
            yield from entry(debugger, one, *where(one))
        around = one.loops


def where(one: TraceEntry) -> Iterator[str]:
    """Yield `iteration 3`; for nested loops, `iteration 2, 3`."""
    if one.loops:
        yield f"iteration {', '.join(str(number) for _, number in one.loops)}"


def _heads(
    debugger: "Debugger", old: Sequence[tuple[int, int]], new: Sequence[tuple[int, int]]
) -> Iterator[Line]:
    """Yield a line for each loop that begins another iteration."""
    for depth, (line, number) in enumerate(new):
        if tuple(old[: depth + 1]) != tuple(new[: depth + 1]):
            yield [
                (f"{line:>5}  ", "line"), (debugger.line(line), "code"),
                (f"    // iteration {number:,}", "note"),
            ]  # fmt: skip


def _folded(
    debugger: "Debugger", entries: Sequence[TraceEntry], wanted: Iterable[int], every: bool
) -> Iterator[int | str]:
    """Yield numbers of entries, and sentences in place of omitted entries."""
    counts: dict[tuple[tuple[int, int], ...], int] = {}
    for one in entries:
        for depth, (line, number) in enumerate(one.loops):
            key = (*one.loops[:depth], (line, 0))
            counts[key] = max(counts.get(key, 0), number)
    gap, left_out = debugger.trace.gap, debugger.trace.left_out
    reported: set[object] = set()
    for at in wanted:
        if left_out and at >= gap and "gap" not in reported:
            reported.add("gap")
            yield f"{left_out:,} instructions that the trace did not keep"
        loops = entries[at].loops
        folded = None
        for depth, (line, number) in enumerate(loops):
            key = (*loops[:depth], (line, 0))
            if not every and counts[key] > FEW and FIRST < number <= counts[key] - LAST:
                folded = key, line, counts[key]
                break
        if folded is None:
            yield at
        elif folded not in reported:
            reported.add(folded)
            _, line, count = folded
            yield f"iterations {FIRST + 1:,} to {count - LAST:,} of the loop of line {line}"


def watched(debugger: "Debugger", chosen: Sequence[int], names: Sequence[str]) -> Iterator[Line]:
    """Yield a line for every write to some registers or places.

    A line ends with the line of the source if the place is a variable of it.
    """
    entries = debugger.trace.entries
    found = [
        (entries[at], each)
        for at in chosen
        for each in entries[at].writes
        if any(each.called(name) for name in names)
    ]
    width = max((_length(each) for _, each in found), default=0)
    types = max((len(each.type) for _, each in found), default=0)
    for one, each in found:
        notes = "".join(f", {note}" for note in where(one))
        stack = frames(one.location, one.line)
        if len(stack) > 1 and stack[0].function:
            notes += f", in {stack[0].function}"
        text = debugger.line(one.line)
        if each.type and stack and stack[0].place:
            text = f"{stack[0].place}  {debugger.files.text(stack[0].file, stack[0].line)}"
        space = [(f"{each.type:<{types}}  ", "dim")] if types else []
        yield [
            (f"{one.line:>5}  ", "line"), *space, *row(each, width=width),
            (f"  {text}{notes}", "code"),
        ]  # fmt: skip


def _length(register: TracedRegister) -> int:
    """Return the columns that a row needs up to the end of the value."""
    names = max(12, len(register.name) + 1) + len(register.other_label)
    return names + max(12, len(value(register)) + 1)


# ---------------------------------------------------------------- findings


def selected(debugger: "Debugger", kinds: Sequence[str] = ()) -> list["ThreadFinding"]:
    """Return the findings of some kinds, of all kinds by default."""
    return [found for found in debugger.findings if not kinds or found.kind in kinds]


def findings(debugger: "Debugger", kinds: Sequence[str] = ()) -> Iterator[Line]:
    """Yield the findings, one paragraph per cause: a memory that is too small is one cause."""
    groups: dict[tuple[str, str], list[ThreadFinding]] = {}
    for found in selected(debugger, kinds):
        place = "".join(found.finding.name.steps[:1])
        groups.setdefault((found.kind, place), []).append(found)
    for (kind, _), (first, *others) in groups.items():
        head, *rest = str(first).splitlines()
        yield [(kind, "bad"), (head.removeprefix(kind), "")]
        for line in rest:
            yield [(line, "code")]
        if others:
            yield [(f"    {_others(first, others)}", "dim")]


def _others(first: "ThreadFinding", others: Sequence["ThreadFinding"]) -> str:
    times = sum(each.finding.count for each in others)
    lines = sorted({each.line for each in others} - {first.line})
    listed = ", ".join(map(str, lines[:8])) + (", …" if len(lines) > 8 else "")
    at = f" in line{'s' if len(lines) > 1 else ''} {listed}" if lines else " in the same line"
    return f"and {len(others)} more{at}, {times:,} time{'s' if times > 1 else ''}"


# ---------------------------------------------------------------- plain data


def document(
    debugger: "Debugger", chosen: Iterable[int] | None = None, kinds: Sequence[str] = ()
) -> dict[str, Any]:
    """Return trace (None if no thread is traced) and findings as plain data."""
    data: dict[str, Any] = {"stage": debugger.stage, "thread": None, "trace": None}
    if debugger.traced:
        entries = debugger.trace.entries
        numbers = range(len(entries)) if chosen is None else chosen
        data["thread"] = list(debugger.shown)
        data["trace"] = [_plain_entry(debugger, entries[at]) for at in numbers]
        data["left_out"] = debugger.trace.left_out
    data["findings"] = [_plain_finding(each) for each in selected(debugger, kinds)]
    return data


def _plain_entry(debugger: "Debugger", one: TraceEntry) -> dict[str, Any]:
    stack = frames(one.location, one.line)
    return {
        "line": one.line,
        "text": debugger.line(one.line),
        **({"frames": [_plain_frame(each) for each in stack]} if stack else {}),
        "loops": [{"line": line, "iteration": number} for line, number in one.loops],
        "reads": [_plain_register(each) for each in one.reads],
        "writes": [_plain_register(each) for each in one.writes],
        "notes": list(one.notes),
    }


def _plain_frame(frame: StackFrame) -> dict[str, Any]:
    source = {"file": frame.file, "line": frame.line, "column": frame.column}
    return {
        "function": frame.function or None,
        "source": source if frame.file else None,
        "line": frame.listing_line,
    }


def _plain_register(register: TracedRegister) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": register.name,
        "label": register.label or None,
        **({"type": register.type} if register.type else {}),
        "kind": kind_of(register),
        "value": finite(number(register)),
        "bits": register.bits,
    }
    old = before(register)
    if old is not None:
        found["before"] = {"value": finite(number(old)), "bits": old.bits}
    return found


def finite(found: float) -> float | str:
    """Return a number for JSON: infinities and NaN as text."""
    return found if math.isfinite(found) else str(found)


def _plain_finding(found: "ThreadFinding") -> dict[str, Any]:
    other = None
    if found.finding.other_line:
        thread = list(found.other_thread) if found.other_thread else None
        other = {"line": found.finding.other_line, "text": found.other_text, "thread": thread}
    return {
        "kind": found.kind,
        "message": found.finding.message,
        "line": found.line,
        "text": found.text,
        **({"frames": [_plain_frame(each) for each in found.frames]} if found.frames else {}),
        "thread": list(found.thread),
        "count": found.finding.count,
        "other": other,
    }


def whose(debugger: "Debugger") -> str:
    """Return the name of the thread that is shown; for a pixel of a mesh, with its triangles."""
    thread = debugger.shown
    name = debugger.who(thread)
    others = [str(each[-1]) for each in debugger.traced if each != thread]
    if not others:
        return name
    x, y = thread[:2]
    name += f"; also shaded for {', '.join(others)}: --thread {x},{y},{others[0]}"
    return name
