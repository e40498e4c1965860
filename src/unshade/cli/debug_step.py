"""`unshade debug --step`: an interactive session over the recorded trace, both ways."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..screens.text import many
from .debug_lines import coloured
from .output import CommandOutput, note, tell

if TYPE_CHECKING:
    from ..run.debugging.debugger import Debugger
    from ..run.debugging.trace_view import Line

HELP = """  n, Enter [N]   next instruction, or N of them  p [N]     previous instruction, or N
  s              step to another source line; without sources, to the next instruction
  o              step over calls                 u         step out of this call
  ps, po, pu     the same backwards              k         call stack
  c              continue to the next stop       r         back to the previous stop
  b WHERE        set or delete a breakpoint; without WHERE, list them
                 LINE, FILE:LINE, OPCODE, REGISTER, finding, r0.x > 3, LINE if r0.x > 3
  g LINE         go to a visit of the line       u WHERE   run until WHERE
  nw REG         go to the next write            pw REG    back to the previous write
  x [REG]        registers, or some: r0 cb0 Y[3]
  w REG          all writes to a register        f         findings
  l              listing around this line        ls        source around this line
  q              quit"""


class Stepping:
    """A session that reads commands from standard input, one per line."""

    def __init__(self, debugger: "Debugger", breaks: Sequence[str]) -> None:
        self.debugger = debugger
        self.entries = debugger.trace.entries
        self.out = CommandOutput()
        self.at = 0
        self.breakpoints: dict[str, list[int]] = {}
        for text in breaks:
            self.breakpoints[text] = self._hits(text)

    def run(self) -> None:
        """Read and run commands until `q` or the end of input."""
        if not self.entries:
            note("this thread runs no instructions")
            return
        if self.breakpoints and not any(0 in found for found in self.breakpoints.values()):
            self._seek(self._all_hits(), 1, "stop")
        else:
            self._show()
        asked = sys.stdin.isatty()
        if asked:
            tell("Enter: next instruction; h: help; q: quit")
        while True:
            if asked:
                tell("(unshade) ", end="")
            text = sys.stdin.readline()
            if not text:
                return
            word, _, rest = (text.strip() or "n").partition(" ")
            if word in ("q", "quit", "exit"):
                return
            try:
                self.command(word, rest.strip())
            except UsageError as error:
                self._say(f"  {error}")

    def command(self, word: str, rest: str) -> None:
        """Run one command."""
        match word:
            case "s" | "step" | "o" | "over" | "u" | "up" if not rest:
                self._step(word[0], 1)
            case "ps" | "po" | "pu" if not rest:
                self._step(word[1], -1)
            case "k" | "calls":
                self._calls()
            case "n" | "next" if not rest or rest.isdigit():
                self._go(self.at + int(rest or 1))
            case "p" | "prev" | "back" if not rest or rest.isdigit():
                self._go(self.at - int(rest or 1))
            case "c" | "continue":
                self._seek(self._all_hits(), 1, "stop")
            case "r" | "reverse":
                self._seek(self._all_hits(), -1, "stop")
            case "b" | "break":
                self._toggle(rest)
            case "g" | "goto" if rest.isdigit():
                found = self._hits(rest)
                if found == [self.at]:
                    self._say(f"  line {rest} is visited only here")
                    return
                ahead = any(at > self.at for at in found)
                self._seek(found, 1 if ahead else -1, f"visit of line {rest}")
            case "u" | "until" if rest:
                self._seek(self._hits(rest), 1, rest)
            case "nw" | "pw" if rest:
                self.debugger.check_name(rest)
                self._seek(self._writes(rest), 1 if word == "nw" else -1, f"write of {rest}")
            case "x" | "registers":
                self._registers(rest.split())
            case "w" | "watch" if rest:
                self._watched(rest)
            case "f" | "findings":
                from ..run.debugging.trace_view import findings

                self._print(findings(self.debugger), "no findings")
            case "l" | "list":
                self._listing()
            case "ls":
                self._source()
            case "h" | "help" | "?":
                self._say(HELP)
            case _:
                self._say(f"  unknown command {' '.join(filter(None, (word, rest)))!r}; h: help")

    # ------------------------------------------------------------ moving

    def _hits(self, text: str) -> list[int]:
        from ..run.debugging.breakpoints import hits, parse

        return hits(self.debugger, parse(self.debugger, text))

    def _writes(self, name: str) -> list[int]:
        return [
            at
            for at, entry in enumerate(self.entries)
            if any(each.called(name) for each in entry.writes)
        ]

    def _all_hits(self) -> list[int]:
        return sorted({at for found in self.breakpoints.values() for at in found})

    def _toggle(self, text: str) -> None:
        if text and self.breakpoints.pop(text, None) is None:
            found = self._hits(text)
            self.breakpoints[text] = found
            if not found:
                self._say(f"  {text}: never reached by this thread")
        listed = ", ".join(
            f"{text} ({many(len(found), 'hit')})" for text, found in self.breakpoints.items()
        )
        self._say(f"  breakpoints: {listed or 'none'}")

    def _go(self, to: int) -> None:
        last = len(self.entries) - 1
        if self.at == (last if to > self.at else 0):
            self._say("  the thread ends here" if to > self.at else "  the thread begins here")
            return
        self.at = min(max(to, 0), last)
        self._show()

    def _step(self, how: str, way: int) -> None:
        """Step to another source line: into calls, over calls, or out of the current call."""
        from ..run.debugging.frames import depth, step_of

        steps = [(step_of(entry), entry.loops) for entry in self.entries]
        here, inside = steps[self.at], depth(self.entries[self.at])
        most = {"s": len(steps), "o": inside, "u": inside - 1}[how]
        if most < 0:
            self._say("  not inside a call")
            return
        found = self.at + way
        while 0 <= found < len(steps):
            if steps[found] != here and depth(self.entries[found]) <= most:
                break
            found += way
        # backwards to the first instruction of the line
        while way < 0 < found < len(steps) and steps[found - 1] == steps[found]:
            found -= 1
        self._go(found)

    def _seek(self, places: Sequence[int], way: int, what: str) -> None:
        """Move to the nearest of these places in a direction, or report that there is none."""
        beyond = [at for at in places if (at - self.at) * way > 0]
        if beyond:
            self.at = min(beyond) if way > 0 else max(beyond)
            self._show()
            return
        self._say(f"  no {'later' if way > 0 else 'earlier'} {what}")

    # ------------------------------------------------------------ showing

    def _say(self, text: str) -> None:
        self.out.text(f"{text}\n")

    def _print(self, lines: "Iterable[Line]", otherwise: str) -> None:
        found = [[("  ", ""), *line] for line in lines]
        if found:
            coloured(self.out, found)
        else:
            self._say(f"  {otherwise}")

    def _show(self) -> None:
        from ..run.debugging.trace_view import entry, source, where

        one = self.entries[self.at]
        more = "".join(f", {note}" for note in where(one))
        head = f"-- {self.at + 1:,} of {many(len(self.entries), 'instruction')}{more}"
        came = source(self.debugger, one)
        coloured(self.out, [[(head, "dim")], *came, *entry(self.debugger, one)])

    def _calls(self) -> None:
        from ..run.debugging.frames import frames

        one = self.entries[self.at]
        stack = frames(one.location, one.line)
        for number, frame in enumerate(stack):
            text = self.debugger.files.text(frame.file, frame.line)
            text = text or self.debugger.line(frame.listing_line)
            self._say(f"  {number}  {frame}    {text}".rstrip())
        if not stack:
            self._say("  no source location: the program has no debug information for this")

    def _source(self) -> None:
        location = self.entries[self.at].location
        if location is None or not location.file:
            self._say("  no source: the program has no source location for this instruction")
            return
        texts = self.debugger.files.texts
        if location.file not in texts:
            self._say(f"  no source: the program does not contain {location.file}")
            return
        found = texts.around(location.file, location.line, 5)
        for number, text in found:
            self._say(_numbered(">" if number == location.line else " ", number, text))
        if not found:
            where = f"line {location.line} of {location.file}"
            self._say(f"  no source: expected one line numbered as {where}")

    def _registers(self, names: Sequence[str]) -> None:
        from ..ir.locations import functions_around, in_scope
        from ..run.debugging.trace_view import row

        for name in names:
            self.debugger.check_name(name)
        held = self.debugger.trace.registers(self.at)
        spelt = {each: (register.path, *register.labels) for each, register in held.items()}
        active = functions_around(self.entries[self.at].location)
        every = [one for each in spelt.values() for one in each]
        wanted = {one for each in names for one in in_scope(every, each, active)}
        shown = [
            held[name]
            for name in sorted(held, key=lambda name: _natural(held[name].path.steps))
            if not names or wanted.intersection(spelt[name])
        ]
        self._print((row(each) for each in shown), "not read or written yet")

    def _watched(self, name: str) -> None:
        from ..run.debugging.trace_view import watched

        self.debugger.check_name(name)
        everything = range(len(self.entries))
        self._print(watched(self.debugger, everything, [name]), f"{name}: never written")

    def _listing(self) -> None:
        line = self.entries[self.at].line
        marked = {self.entries[at].line for at in self._all_hits()}
        self._around(self.debugger.listing, line, marked)

    def _around(self, lines: Sequence[str], line: int, marked: set[int]) -> None:
        for number in range(max(1, line - 5), min(len(lines), line + 5) + 1):
            mark = ">" if number == line else "*" if number in marked else " "
            self._say(_numbered(mark, number, lines[number - 1]))


def _numbered(mark: str, number: int, text: str) -> str:
    return f"{mark}{number:>4}  {text}"


def _natural(steps: Sequence[str]) -> list[tuple[int, str]]:
    """Return a sort key with r2 before r10, and w after z."""
    import re

    parts = re.split(r"(\d+)", "".join(".zw" if step == ".w" else step for step in steps))
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
