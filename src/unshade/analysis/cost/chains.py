"""Longest chains: of operations that wait for each other, and of samples that depend on samples.

    %t = sample …            samples 1
    %u = fmul %t, 2          chain 2
    %v = sample … %u         samples 2: its position depends on a sample

One pass over the code: each loop counts once, memory is not followed. The length of a chain is the
least number of steps in which the code can run, not a duration.
"""

from collections.abc import Callable

from ...ir.kernel import KernelIR, Value
from ...ir.memory import Var
from ...ir.ops import OPS
from ...tuples import NamedTuple
from .units import CostUnit, unit_of

__all__ = ["Chain", "dependency_chain", "sample_chain"]

FREE = (CostUnit.MOVE, CostUnit.CONTROL, CostUnit.INTERFACE)


class Chain(NamedTuple):
    """The longest chain: its length, and the lines of its operations, in order."""

    length: int
    lines: list[int]


def dependency_chain(kernel: KernelIR) -> Chain:
    """Return the longest chain of operations, moves not counted."""
    return _longest(kernel, lambda value: int(unit_of(value) not in (None, *FREE)))


def sample_chain(kernel: KernelIR) -> Chain:
    """Return the longest chain of texture reads."""
    return _longest(kernel, lambda value: int(value.op is OPS.sample))


def _longest(kernel: KernelIR, weight: Callable[[Value], int]) -> Chain:
    """Return the heaviest chain of operands, through variables in the order of the code."""
    lengths: dict[Value | Var, int] = {}
    before: dict[Value | Var, Value | Var | None] = {}
    counted: dict[Value, bool] = {}
    last: Value | None = None
    longest = 0
    made: dict[Var, Value] = {}
    for value in kernel.values():
        sources: list[Value] = list(value.args)
        if value.op is OPS.get and value.attr in made:
            sources = [made[value.attr]]
        best = max(sources, key=lambda each: lengths.get(each, 0), default=None)
        own = weight(value)
        lengths[value] = own + (0 if best is None else lengths.get(best, 0))
        before[value], counted[value] = best, bool(own)
        if value.op is OPS.set:
            old = made.get(value.attr)
            if old is None or lengths[value] >= lengths[old]:
                made[value.attr] = value
        if lengths[value] > longest:
            longest, last = lengths[value], value
    lines: list[int] = []
    at: Value | Var | None = last
    while isinstance(at, Value):
        if counted.get(at):
            lines.append(at.line)
        at = before.get(at)
    return Chain(longest, lines[::-1])
