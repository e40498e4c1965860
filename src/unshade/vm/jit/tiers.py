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

from dataclasses import dataclass

from ...ir.kernel import KernelIR, Loop, Region, walk
from ...ir.memory import Memory
from .layout import WIDTHS, LaneLayout, statements

ACCESS = 8  # operations that take as long as an access to a memory
FIXED, PER_OPERATION = 30_000_000, 250_000  # operations that take as long as optimising a kernel
FIRST_LANES = 256  # lanes after which a kernel with loops is looked at again


def cost(region: Region) -> int:
    """Return the work of running a region once, in operations of one register."""
    return sum(ACCESS if isinstance(each.attr, Memory) else 1 for each in walk(region))


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
    operations = cost(kernel.body)
    chunks = layout.chunks if layout.grouped else 1
    registers = max(1, layout.width * 32 // native)
    aligned = 1 if layout.grouped else max(1, WIDTHS[0] // layout.width)
    loops = any(isinstance(each, Loop) for each in statements(kernel.body))
    first = max(aligned, FIRST_LANES // layout.lanes(1)) if loops else 0
    repaid = (FIXED + PER_OPERATION * sum(1 for _ in kernel.values())) // registers
    return WorkMeter(operations * chunks, aligned, first, repaid)
