"""`unshade debug`: what one thread does, line by line; a recorded run to step through."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import exits
from .inputs import Input, single
from .inputs import run as run_on
from .output import Output, many, note, visible
from .run import call, open_kernel, prepare

if TYPE_CHECKING:
    from ..run.debugger import Debugger

HELP = """  n, Enter       next instruction          p           previous one
  c              on to the next break      r           back to the one before
  b LINE         break there (or no more)  g LINE      on to that line
  x [REG]        registers, or one         w REG       where it is written
  l              the listing around        q           end"""


def run(
    file: str,
    thread: str | None = None,
    groups: str | None = None,
    size: str | None = None,
    bind: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    breaks: Sequence[int] = (),
    watch: Sequence[str] = (),
    step: bool = False,
    no_trace: bool = False,
    program: int = 0,
    budget: int | None = None,
) -> int:
    """Run in lockstep and tell; findings make the exit code 1."""
    single(file)
    out = Output()

    def work(item: Input) -> int:
        kernel = open_kernel(item, program, "lockstep")
        from ..errors import LimitError
        from ..run import show
        from . import values
        from .values import extent

        prepare(kernel, bind, sets, budget)
        at = extent(thread, "--thread", least=0) if thread is not None else (0, 0, 0)
        debugger = kernel.debug(at)
        given = values.bindings(kernel, bind, sets)
        stopped: LimitError | None = None
        try:
            _call(debugger, given, groups or _enough(debugger, at), size)
        except LimitError as error:  # what was seen until then is what one wants to see
            stopped = error
        if step:
            Stepping(debugger, breaks).run()
        elif watch:
            out.text("".join(f"{line}\n" for line in _watched(debugger, watch)))
        elif not no_trace:
            out.text("".join(f"{line}\n" for line in show.trace(debugger, breaks)))
        for line in show.findings(debugger):
            print(visible(line), file=sys.stderr)
        if stopped is not None:
            raise stopped
        return exits.FINDING if debugger.findings else exits.FINE

    return run_on([file], work, out)


def _enough(debugger: "Debugger", thread: tuple[int, ...]) -> str | None:
    """The groups that are needed to have the thread."""
    if debugger.stage != "compute":
        return None
    at = (*thread, 0, 0)[:3]
    return ",".join(str(place // size + 1) for place, size in zip(at, debugger.group, strict=True))


def _call(
    debugger: "Debugger", given: dict[str, Any], groups: str | None, size: str | None
) -> None:
    needed = "--size WxH, or inputs (--bind SEMANTIC=…)"
    call(debugger, given, groups, size=size, otherwise=needed)


def _watched(debugger: "Debugger", names: Sequence[str]) -> list[str]:
    """Every write of the registers."""
    from ..run.show import number

    entries = debugger.trace.entries
    order = {id(entry): at for at, entry in enumerate(entries)}
    writes = [
        (order[id(entry)], entry, register)
        for name in names
        for entry, register in debugger.trace.watch(name)
    ]
    writes.sort(key=lambda each: each[0])
    return [
        f"{entry.line:>5}  {register.name:<8} {number(register):<44} {debugger.line(entry.line)}"
        for _, entry, register in writes
    ] or [f"{', '.join(names)}: never written by this thread"]


class Stepping:
    """A session over the recorded trace: it goes back as well as on."""

    def __init__(self, debugger: "Debugger", breaks: Sequence[int]) -> None:
        self.debugger = debugger
        self.entries = debugger.trace.entries
        self.breaks = set(breaks)
        self.at = 0

    def run(self) -> None:
        """Ask until the user has enough."""
        if not self.entries:
            note("this thread does nothing")
            return
        if self.breaks and self.entries[0].line not in self.breaks:
            self._to_break(1)
        self._show()
        while True:
            print("(unshade) ", end="", file=sys.stderr, flush=True)
            text = sys.stdin.readline()
            if not text:
                return
            word, *rest = text.split() or ["n"]
            if word in ("q", "quit", "exit"):
                return
            self.command(word, rest)

    def command(self, word: str, rest: list[str]) -> None:
        """One command; unknown ones get the help."""
        match word, rest:
            case (("n" | "next" | "s" | "step"), []):
                self._go(self.at + 1)
            case (("p" | "prev" | "back"), []):
                self._go(self.at - 1)
            case (("c" | "continue"), []):
                self._to_break(1)
                self._show()
            case (("r" | "reverse"), []):
                self._to_break(-1)
                self._show()
            case (("b" | "break"), [line]) if line.isdigit():
                self.breaks ^= {int(line)}
                told = ", ".join(map(str, sorted(self.breaks))) or "none"
                print(f"  breaks: {told}")
            case (("g" | "goto"), [line]) if line.isdigit():
                self._search(1, {int(line)})
                self._show()
            case (("x" | "registers"), _):
                self._registers(rest)
            case (("w" | "watch"), [name]):
                print("\n".join(_watched(self.debugger, [name])))
            case (("l" | "list"), []):
                self._listing()
            case _:
                print(HELP)

    def _go(self, to: int) -> None:
        if not 0 <= to < len(self.entries):
            print("  the thread ends here" if to > 0 else "  the thread begins here")
            return
        self.at = to
        self._show()

    def _to_break(self, way: int) -> None:
        self._search(way, self.breaks)

    def _search(self, way: int, lines: set[int]) -> None:
        at = self.at + way
        while 0 <= at < len(self.entries) and self.entries[at].line not in lines:
            at += way
        self.at = min(max(at, 0), len(self.entries) - 1)

    def _show(self) -> None:
        from ..run.show import entry

        print(f"-- {self.at + 1:,} of {many(len(self.entries), 'instruction')}")
        print("\n".join(entry(self.debugger, self.entries[self.at])))

    def _registers(self, names: list[str]) -> None:
        from ..run.show import number

        held = self.debugger.trace.registers(self.at)
        for name in sorted(held):
            if not names or name in names or name.partition(".")[0] in names:
                print(f"  {name:<18} {number(held[name])}")

    def _listing(self) -> None:
        line = self.entries[self.at].line
        for number in range(max(1, line - 5), min(len(self.debugger.listing), line + 5) + 1):
            mark = ">" if number == line else "*" if number in self.breaks else " "
            print(f"{mark}{number:>4}  {self.debugger.listing[number - 1]}")
