"""The choice between code that is made quickly and code that is optimised.

    work done and to be done        code
    ------------------------        ----
    less than optimisation costs    quick: one register for a value, no passes of LLVM
    more                            optimised, from the next unit of the call on

The quick code of a small kernel is made in a quarter of the time, and takes one to five times as
long to run. Both have the same results in every bit. Work is counted, not timed, so that a program
uses the same code in every run: a unit (a chunk or a group) costs as much as its operations, and
quick code with loops counts the operations of each iteration. So a call that turns out to be long
is continued by optimised code, and repeated calls switch to optimised code eventually; the quick
code takes at most about as long as the optimisation.
"""

from ...dataclass import dataclass
from ...ir.kernel import KernelIR, Loop, Region, Statement, Value, regions
from ...ir.memory import Memory
from .layout import WIDTHS, LaneLayout

ACCESS = 8  # operations that take as long as an access to a memory
FIXED, PER_OPERATION = 30_000_000, 250_000  # operations that take as long as optimising a kernel
FIRST_LANES = 256  # lanes after which a kernel with loops is looked at again


class LoopWork:
    """The work of running a region and the loops in it once, in operations of one register.

    whole     work of the region
    of        work of each loop's body
    around    loops, and the statements that contain one
    """

    def __init__(self, region: Region) -> None:
        self.of: dict[Loop, int] = {}
        self.around: set[Statement] = set()
        self.whole = self._region(region)

    def _region(self, region: Region) -> int:
        total = 0
        for statement in region:
            if isinstance(statement, Value):
                total += ACCESS if isinstance(statement.attr, Memory) else 1
                continue
            before = len(self.of)
            inside = sum(map(self._region, regions(statement)))
            if isinstance(statement, Loop):
                self.of[statement] = inside
            if len(self.of) > before:
                self.around.add(statement)
            total += inside
        return total


@dataclass(slots=True)
class WorkMeter:
    """The work that the quick code of a kernel has done, and the work that repays optimising it.

    unit      work of a unit outside of loops
    aligned   units after which optimised code can continue
    first     units after which a kernel with loops is looked at again; 0 if it has no loops
    repaid    work that repays optimised code
    """

    unit: int
    aligned: int
    first: int
    repaid: int
    done: int = 0
    units: int = 0

    def next(self, left: int) -> int:
        """Return how many of the units left to run; 0 if optimised code is worth its time."""
        each = max(self.unit, self.done // self.units if self.units else 0)
        if self.done + each * left >= self.repaid:
            return 0
        if not self.first:
            return left
        known = max(self.first, self.units)  # later units may take longer than those so far
        return min(left, known // self.aligned * self.aligned)

    def add(self, units: int, counted: int) -> None:
        """Add the work of units; `counted` of it was in loops."""
        self.units += units
        self.done += units * self.unit + counted


def meter_of(kernel: KernelIR, layout: LaneLayout, native: int) -> WorkMeter:
    """Return a new meter for the quick code of a kernel."""
    work = LoopWork(kernel.body)
    chunks = layout.chunks if layout.grouped else 1
    registers = max(1, layout.width * 32 // native)
    aligned = 1 if layout.grouped else max(1, WIDTHS[0] // layout.width)
    first = max(aligned, FIRST_LANES // layout.lanes(1)) if work.of else 0
    repaid = (FIXED + PER_OPERATION * sum(1 for _ in kernel.values())) // registers
    return WorkMeter(work.whole * chunks, aligned, first, repaid)
