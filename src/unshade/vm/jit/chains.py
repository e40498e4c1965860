"""Chains of dependent operations, whose latency several registers for each value hide.

    loop {                          an iteration    waits    works (cycles)
      %1 = get @x
      %2 = fmul %1, %1                              4        1/2
      %3 = fadd %2, %0                              4        2/5
      set @x, %3
    }                                               8        9/10: nine registers are worth having

A processor begins an iteration while the last one has not ended, so only the chain from one
iteration to the next counts, and a sum of independent terms waits for one addition. Without a loop,
one chunk after another is computed, as many at a time as the processor can look ahead.

The numbers are cycles for one register on AMD Zen 3 and Intel Skylake, rounded: the choice is one
between powers of two. A region that is skipped if no lane takes it does not count unless most of
the work is in such regions.
"""

from collections.abc import Iterator

from ...ir.analysis.flow import AssignedVariables
from ...ir.analysis.uniformity import Uniformity
from ...ir.kernel import If, KernelIR, Loop, Region, Switch, Value, regions, walk
from ...ir.memory import Memory, Var
from ...ir.ops import OPS, Op
from .layout import statements

LOOKAHEAD = 250  # operations of one register that a processor has begun and not ended
RARE = 12  # operations: a larger region is skipped if no lane takes it
SIMPLE = (1.0, 0.3)
CONTIGUOUS, SCATTERED = (8.0, 0.5), (20.0, 8.0)
ATOMIC = (60.0, 40.0)
# fmt: off
COSTS: dict[Op, tuple[float, float]] = {  # latency, and time if nothing is waited for
    OPS.fadd: (4, 0.4), OPS.fsub: (4, 0.4), OPS.fmul: (4, 0.5), OPS.ffma: (4, 0.5),
    OPS.fmul_legacy: (6, 1.5), OPS.fdiv: (12, 4), OPS.fsqrt: (14, 5),
    OPS.fmin: (5, 1.2), OPS.fmax: (5, 1.2), OPS.fcanonicalise: (5, 0.8),
    OPS.ffloor: (6, 0.8), OPS.fceil: (6, 0.8), OPS.ftrunc: (6, 0.8), OPS.frint: (6, 0.8),
    OPS.feq: (4, 0.4), OPS.fne: (4, 0.4), OPS.flt: (4, 0.4), OPS.fle: (4, 0.4),
    OPS.itof: (4, 0.5), OPS.utof: (10, 2), OPS.ftoi: (14, 3), OPS.ftou: (18, 5),
    OPS.fconv: (5, 1), OPS.imul: (5, 0.7), OPS.imulh: (10, 3), OPS.umulh: (10, 3),
    OPS.popcount: (8, 3), OPS.clz: (12, 4), OPS.ctz: (12, 4), OPS.bitrev: (8, 3),
    OPS.idiv: (30, 12), OPS.irem: (35, 13), OPS.udiv: (30, 12), OPS.urem: (35, 13),
}
# fmt: on


def registers_worth_having(kernel: KernelIR, found: Uniformity) -> float:
    """Return the number of registers for each value that hide the latency of a kernel.

    It is 0 for a short kernel without loops.
    """
    loops: list[Iterations] = []
    for loop in _innermost(kernel.body):
        assigned = [var for var in AssignedVariables().of(loop) if not found.variables[var].uniform]
        loops.append(_measured(loop.body, found, assigned))
    if loops:
        return max(loops, key=lambda each: each.work).ratio
    whole = _measured(kernel.body, found, None)
    return whole.ratio if whole.count > LOOKAHEAD else 0.0


def _innermost(region: Region) -> Iterator[Loop]:
    for statement in statements(region):
        if isinstance(statement, Loop) and not any(
            isinstance(inner, Loop) for inner in statements(statement.body)
        ):
            yield statement


def _measured(region: Region, found: Uniformity, carried: list[Var] | None) -> "Iterations":
    usual = Iterations(found, carried, rare=False)
    usual.region(region, None)
    if usual.work >= usual.skipped:
        return usual
    every = Iterations(found, carried, rare=True)
    every.region(region, None)
    return every


class Iterations:
    """Chain and work of the iterations of a loop, or of a region without loops.

    A time is None if nothing of the last iteration is waited for.
    """

    def __init__(self, found: Uniformity, carried: list[Var] | None, rare: bool) -> None:
        self.found = found
        self.rare = rare
        self.straight = carried is None
        self.ready: dict[Value, float | None] = {}
        self.variables: dict[Var, float | None] = dict.fromkeys(carried or (), 0.0)
        self.unset = set(self.variables)
        self.read: set[Var] = set()  # before they were set
        self.work = self.skipped = 0.0
        self.count = 0
        self.longest = 0.0

    @property
    def ratio(self) -> float:
        """The length of the chain, as a multiple of the work."""
        chain = self.longest
        if not self.straight:
            chain = max((self.variables[var] or 0.0 for var in self.read), default=0.0)
        return chain / self.work if self.work else 0.0

    def region(self, region: Region, condition: float | None) -> None:
        """Follow a region that lanes take when a condition is known."""
        for statement in region:
            if isinstance(statement, Value):
                self._value(statement, condition)
                continue
            inner = condition
            if isinstance(statement, If | Switch):
                given = statement.condition if isinstance(statement, If) else statement.value
                inner = _later(condition, self.ready.get(given))
            for each in regions(statement):
                if self.rare or not isinstance(statement, If | Switch) or _short(each):
                    self.region(each, inner)
                else:
                    self.skipped += sum(_cost(value, self.found)[1] for value in walk(each))

    def _value(self, value: Value, condition: float | None) -> None:
        op = value.op
        if op is OPS.get:
            self.ready[value] = self.variables.get(value.attr)
            if value.attr in self.unset:
                self.read.add(value.attr)
            return
        ready: float | None = 0.0 if self.straight else None
        for arg in value.args:
            ready = _later(ready, self.ready.get(arg))
        if op is OPS.set:
            self.variables[value.attr] = _later(ready, condition)
            self.unset.discard(value.attr)
            return
        latency, work = _cost(value, self.found)
        self.work += work
        self.count += work > 0
        self.ready[value] = ready = None if ready is None else ready + latency
        self.longest = max(self.longest, ready or 0.0)


def _cost(value: Value, found: Uniformity) -> tuple[float, float]:
    """Return the latency of an operation, and its time if nothing is waited for."""
    op = value.op
    if op.ends or op in (OPS.const, OPS.get, OPS.set, OPS.source):
        return 0.0, 0.0
    if op.atomic:
        return ATOMIC
    if isinstance(value.attr, Memory) and value.args:
        element, byte = (found.of(each) for each in value.args[:2])
        return CONTIGUOUS if element.stride in (0, 1) and byte.uniform else SCATTERED
    latency, work = COSTS.get(op, SIMPLE)
    if found.of(value).stride is not None and value.type.kind in "ib":
        return latency, 0.0  # in scalar registers
    return latency, work * (2 if value.type.bits == 64 else 1)


def _later(one: float | None, other: float | None) -> float | None:
    known = [each for each in (one, other) if each is not None]
    return max(known, default=None)


def _short(region: Region) -> bool:
    return sum(1 for _ in walk(region)) <= RARE
