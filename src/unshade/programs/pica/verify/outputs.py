"""Checks that a vertex shader writes each mapped output component exactly once on every path.

A data-flow analysis: for each word, the minimum and maximum number of earlier writes of each
component, saturating at two. Where paths join, the smaller minimum and the larger maximum remain; a
call adds the summary of its procedure. Geometry shaders are exempt: they write their outputs again
for each vertex.
"""

from collections.abc import Callable

from ....rule import Findings
from ....tuples import NamedTuple
from ....vocab.pica import COMPONENTS, OUTPUTS
from ..code import Code, Entry
from ..flow import ControlFlow
from ..structure import Procedure

Add = Callable[..., None]


class Writes(NamedTuple):
    """Components that are written, as bits: bit 4 × register + component.

    least1, least2   written at least once, or twice, on every path
    most1, most2     written at least once, or twice, on some path
    """

    least1: int = 0
    least2: int = 0
    most1: int = 0
    most2: int = 0

    def then(self, other: "Writes") -> "Writes":
        """Return the writes of this object, followed by the writes of `other`."""
        return Writes(
            self.least1 | other.least1,
            self.least2 | other.least2 | (self.least1 & other.least1),
            self.most1 | other.most1,
            self.most2 | other.most2 | (self.most1 & other.most1),
        )

    def meet(self, other: "Writes | None") -> "Writes":
        """Return the join of two paths; None is a path that does not exist."""
        if other is None:
            return self
        return Writes(
            self.least1 & other.least1,
            self.least2 & other.least2,
            self.most1 | other.most1,
            self.most2 | other.most2,
        )


class Summary(NamedTuple):
    """Writes of a procedure up to its return and up to `end`; None if unreachable."""

    returns: Writes | None
    ends: Writes | None


def check_outputs(program: Code, flow: ControlFlow, findings: Findings) -> None:
    """Check each vertex shader whose container lists the mapped outputs."""

    def add(code: str, at: int, message: str, field: str = "") -> None:
        path = f"instructions[{at}]"
        findings.add(code, message, offset=4 * at, path=f"{path}.{field}" if field else path)

    counter = WriteCounter(program, flow)
    seen = set()
    for entry in program.entries:
        if entry.stage != "vertex" or not entry.outputs:
            continue
        if not 0 <= entry.main < len(program.instructions):
            continue
        key = entry.main, tuple(sorted(entry.outputs.items()))
        if key not in seen:
            seen.add(key)
            _check_entry(entry, counter, add)


def _check_entry(entry: Entry, counter: "WriteCounter", add: Add) -> None:
    wanted = sum(
        1 << 4 * number + COMPONENTS.index(letter)
        for number, mask in (entry.outputs or {}).items()
        for letter in set(mask) & set(COMPONENTS)
        if 0 <= number < OUTPUTS
    )
    states, summary = counter.run(entry.main, None)
    done = summary.ends
    if done is None:
        return  # no path ends; other rules report that
    who = entry.name or "the shader"
    never = wanted & ~done.most1
    if never:
        add("pica.output-unwritten", entry.main, f"{who} never writes {_named(never)}")
    left = wanted & ~done.least1 & ~never
    if left:
        add("pica.output-path", entry.main, f"a path of {who} does not write {_named(left)}")
    for at, before in sorted(states.items()):
        again = counter.effect(at).most1 & before.most1 & wanted
        if again:
            add("pica.output-twice", at, f"{_named(again)} may already have been written")


def _named(bits: int) -> str:
    """Format a set of components as "o0.xyzw, o2.xy"."""
    found = []
    for number in range(OUTPUTS):
        letters = "".join(c for i, c in enumerate(COMPONENTS) if bits >> 4 * number + i & 1)
        if letters:
            found.append(f"o{number}.{letters}")
    return ", ".join(found)


class WriteCounter:
    """A count of the writes along all paths."""

    __slots__ = ("effects", "flow", "procedures", "program", "summaries")

    def __init__(self, program: Code, flow: ControlFlow) -> None:
        self.program = program
        self.flow = flow
        self.procedures = {(p.start, p.end): p for p in flow.found.procedures if p.callers}
        self.summaries: dict[tuple[int, int], Summary] = {}
        self.effects: dict[int, Writes] = {}

    def effect(self, at: int) -> Writes:
        """Return the writes of a word, or of the procedure that it calls."""
        found = self.effects.get(at)
        if found is None:
            found = self.effects[at] = self._effect(at)
        return found

    def _effect(self, at: int) -> Writes:
        instruction = self.program.instructions[at]
        op = instruction.op
        if op is None:
            return Writes()
        if op.kind == "call":
            summary = self.summaries.get(_callee(self.program, at))
            return summary.returns or Writes() if summary else Writes()
        if "dst" not in op.writes or instruction.dst >= OUTPUTS:
            return Writes()
        descriptor = instruction.descriptor(self.program.descriptors)
        mask = descriptor.mask if descriptor else 0
        bits = sum(1 << 4 * instruction.dst + i for i in range(4) if mask & 8 >> i)
        return Writes(bits, 0, bits, 0)

    def run(self, start: int, within: Procedure | None) -> tuple[dict[int, Writes], Summary]:
        """Return the state before each word, and the summary of the whole run."""
        self._summarize(start, within)
        return self._solve(start, within)

    def _summarize(self, start: int, within: Procedure | None) -> None:
        """Summarise the called procedures, innermost first; a cycle is followed once."""
        order: list[tuple[int, Procedure | None, bool]] = [(start, within, False)]
        opened: set[tuple[int, int]] = set()
        while order:
            begin, procedure, done = order.pop()
            if done:
                assert procedure is not None
                _, summary = self._solve(begin, procedure)
                self.summaries[begin, procedure.end] = summary
                continue
            if procedure is not None and procedure is not within:
                key = begin, procedure.end
                if key in opened or key in self.summaries:
                    continue
                opened.add(key)
                order.append((begin, procedure, True))
            for bounds in self.flow.reach(begin, procedure).calls:
                callee = self.procedures.get(bounds)
                if callee is not None and bounds not in self.summaries:
                    order.append((callee.start, callee, False))

    def _solve(self, start: int, within: Procedure | None) -> tuple[dict[int, Writes], Summary]:
        code = self.program.instructions
        low, high = (within.start, within.end) if within else (0, len(code))
        states: dict[int, Writes] = {start: Writes()}
        returns: Writes | None = None
        ends: Writes | None = None
        todo = [start]
        while todo:
            at = todo.pop()
            self.flow.work.step()
            before = states[at]
            op = code[at].op
            if op is not None and op.kind == "end":
                ends = before.meet(ends)
                continue
            after = before
            if op is not None and op.kind == "call":
                summary = self.summaries.get(_callee(self.program, at), Summary(Writes(), None))
                if summary.ends is not None:
                    ends = before.then(summary.ends).meet(ends)
                called = None if summary.returns is None else before.then(summary.returns)
                if len(op.operands) > 1:  # under a condition
                    called = before.meet(called)
                if called is None:
                    continue
                after = called
            elif op is not None and "dst" in op.writes:
                after = before.then(self.effect(at))
            for following in self.flow.after(at):
                if within is not None and not low <= following < high:
                    returns = after.meet(returns)
                elif following < high:
                    known = states.get(following)
                    joined = after.meet(known)
                    if joined != known:
                        states[following] = joined
                        todo.append(following)
        return states, Summary(returns, ends)


def _callee(program: Code, at: int) -> tuple[int, int]:
    instruction = program.instructions[at]
    return instruction.target, instruction.target + instruction.length
