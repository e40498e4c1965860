"""How lanes are laid out on vectors, and what the compiled function is given.

    rows     lanes counted through the whole call, a chunk of `width` after the other
    groups   the lanes of one thread group, chunk by chunk, group after group: where lanes share
             memory or wait for one another

The function is `void kernel(ptr context, ptr scratch, i64 first, i64 last)`: it runs the chunks (or
groups) from first up to last. The context is an array of 64-bit words:

    0  groups x    1  groups y    2  groups z    3  lanes in all    4  budget of iterations
    5  pointer to the error word                 6  pointer to the helper bytes, or 0
    8  pointer, count of each bound memory;  then pointers of inputs, then of outputs

The scratch memory begins with what the function counts (tally.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ...ir.kernel import Kernel, Region, Statement, Value, regions, walk
from ...ir.memory import Memory, Space
from ...ir.ops import OPS

GROUPS, LANES, BUDGET, ERROR, HELPERS, FIRST = 0, 3, 4, 5, 6, 8
BOUND = (Space.CONSTANT, Space.BUFFER)
WIDTHS = (64, 32, 16, 8)


@dataclass(frozen=True, slots=True)
class Layout:
    """`flat`: groups are in one row, so that no division tells which one a lane belongs to.
    `small`: no memory has 2^31 bytes or more.
    """

    width: int
    compute: bool
    grouped: bool
    flat: bool
    small: bool
    size: int  # lanes of a group
    chunks: int  # of a group

    @property
    def index(self) -> str:
        """The type of the numbers in vectors of addresses."""
        return "i32" if self.small else "i64"

    @property
    def full(self) -> bool:
        """Whether every chunk has all its lanes."""
        return self.compute and self.size % self.width == 0

    @property
    def whole(self) -> bool:
        """Whether a chunk lies in one group."""
        return self.grouped or self.size % self.width == 0


def has_barrier(region: Region) -> bool:
    """Whether the lanes of a group wait for one another here."""
    for statement in region:
        if isinstance(statement, Value):
            if statement.op is OPS.barrier and statement.attr == "group":
                return True
        elif any(has_barrier(inner) for inner in regions(statement)):
            return True
    return False


def statements(region: Region) -> Iterator[Statement]:
    """Every statement in a region and the regions inside it."""
    for statement in region:
        yield statement
        for inner in regions(statement):
            yield from statements(inner)


def sources(region: Region) -> frozenset[str]:
    """The sources that a region asks for; `item` is always at hand."""
    return frozenset(each.attr for each in walk(region) if each.op is OPS.source)


def layout(kernel: Kernel, flat: bool, small: bool, width: int) -> Layout:
    """The layout for chunks of this width."""
    compute = kernel.dispatched
    x, y, z = kernel.group if compute else (1, 1, 1)
    size = x * y * z
    convergent = [value.op for value in kernel.values() if value.op.convergent]
    if any(op.attribute == "wave" for op in convergent):
        width = max(width, kernel.wave)  # both are powers of two: whole waves
    shared = any(memory.space is Space.SHARED for memory in kernel.memories)
    crosses = bool(convergent) and size % width != 0
    grouped = compute and (shared or has_barrier(kernel.body) or crosses)
    return Layout(width, compute, grouped, flat or not compute, small, size, -(-size // width))


def slots(kernel: Kernel) -> tuple[dict[Memory, int], int, int]:
    """Where each bound memory stands in the context; where inputs and outputs begin."""
    found: dict[Memory, int] = {}
    at = FIRST
    for memory in kernel.memories:
        if memory.space in BOUND:
            found[memory] = at
            at += 2
    return found, at, at + len(kernel.inputs)
