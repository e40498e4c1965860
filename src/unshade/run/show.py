"""What a debugger saw, as text.

    11  ld_structured r0.x, r0.xxxy, l(0), t0.xxxx
            r0.x                         3 0x00000003
            t0[3]               1077936128 0x40400000  3.0
        ->  r0.x                1077936128 0x40400000  3.0           was 3

A float below the least normal number is not shown: those bits are an integer.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..vm.lockstep.debug import Entry, Register

if TYPE_CHECKING:
    from .debugger import Debugger


def number(register: Register) -> str:
    """The value as a signed integer, in hex and as a float."""
    digits = 2 * register.size
    return f"{register.as_int:>12} 0x{register.bits:0{digits}x}  {_float(register)}".rstrip()


def _float(register: Register) -> str:
    value = register.as_float
    least = 2.2250738585072014e-308 if register.size == 8 else 1.17549435e-38
    if register.bits and abs(value) < least and value != 0:
        return ""
    text = f"{value:.9g}"
    return f"{text}.0" if text.lstrip("-").isdigit() else text


def entry(debugger: "Debugger", one: Entry) -> Iterator[str]:
    """One visit of a line."""
    notes = f"    // {', '.join(one.notes)}" if one.notes else ""
    yield f"{one.line:>5}  {debugger.line(one.line)}{notes}"
    for each in one.reads:
        yield f"           {each.name:<18} {number(each)}"
    for each in one.writes:
        text = f"       ->  {each.name:<18} {number(each)}"
        if each.before is not None:
            before = Register(each.name, each.before, None, each.size)
            text = f"{text:<68} was {_float(before) or before.as_int}"
        yield text


def trace(
    debugger: "Debugger", lines: Sequence[int] = (), last: int | None = None
) -> Iterator[str]:
    """The whole trace, or the visits of some lines; `last`: only so many of the end."""
    shown: Iterable[Entry] = debugger.trace.entries
    if lines:
        shown = [each for each in shown if each.line in lines]
    entries = list(shown)
    if last is not None and len(entries) > last:
        yield f"       … {len(entries) - last:,} instructions before"
        entries = entries[-last:]
    for each in entries:
        yield from entry(debugger, each)
    if debugger.trace.cut:
        yield f"       … and more: the trace ends after {debugger.trace.most:,} instructions"


def findings(debugger: "Debugger") -> Iterator[str]:
    """What was found, a paragraph each."""
    for found in debugger.findings:
        yield from str(found).splitlines()
