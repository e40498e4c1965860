"""Layout of lanes in vectors, and the arguments of the compiled function.

    rows     lanes are numbered through the whole call, and `width` of them are a chunk
    groups   the lanes of one thread group, chunk by chunk, then the next group: for kernels whose
             lanes share memory or wait at barriers

The function is `void kernel(ptr context, ptr scratch, i64 first, i64 last)`: it runs the chunks (or
groups) from first up to, not including, last. The context is an array of 64-bit words:

    0  groups x    1  groups y    2  groups z    3  number of lanes    4  budget of iterations
    5  pointer to the error word                 6  pointer to the helper bytes, or 0
    8  pointer, count of each bound memory;  then pointers of inputs, then of outputs

The scratch memory begins with the counters (codegen/tally.py).
"""

from collections.abc import Iterator

from ...dataclass import dataclass
from ...ir.barriers import waits_for_group
from ...ir.kernel import KernelIR, Region, Statement, Value, regions, walk
from ...ir.memory import Memory, Space
from ...ir.ops import OPS

GROUPS, LANES, BUDGET, ERROR, HELPERS, FIRST = 0, 3, 4, 5, 6, 8
BOUND = (Space.CONSTANT, Space.BUFFER)
WIDTHS = (64, 32, 16, 8)


@dataclass(frozen=True, slots=True)
class LaneLayout:
    """A layout of lanes.

    width     lanes of a chunk
    compute   the kernel is dispatched in groups
    grouped   groups run one by one
    flat      groups are along one axis, so that their position needs no division
    small     no memory has 2^31 bytes or more
    size      lanes of a group
    chunks    chunks of a group
    """

    width: int
    compute: bool
    grouped: bool
    flat: bool
    small: bool
    size: int
    chunks: int

    @property
    def index(self) -> str:
        """The type of indices in vectors of addresses."""
        return "i32" if self.small else "i64"

    @property
    def full(self) -> bool:
        """True if every chunk has all its lanes."""
        return self.compute and self.size % self.width == 0

    @property
    def whole(self) -> bool:
        """True if no chunk extends over several groups."""
        return self.grouped or self.size % self.width == 0

    def units(self, lanes: int) -> int:
        """Return the number of chunks, or of groups, for this many lanes."""
        return -(-lanes // (self.size if self.grouped else self.width))

    def lanes(self, units: int) -> int:
        """Return the number of lanes of this many chunks or groups."""
        return units * (self.size if self.grouped else self.width)


def has_barrier(region: Region) -> bool:
    """Return True if a region has a barrier of the thread group."""
    for statement in region:
        if isinstance(statement, Value):
            if statement.op is OPS.barrier and waits_for_group(statement.attr):
                return True
        elif any(has_barrier(inner) for inner in regions(statement)):
            return True
    return False


def statements(region: Region) -> Iterator[Statement]:
    """Yield every statement of a region and the regions inside it, in the order of the text."""
    stack = [iter(region)]
    while stack:
        for statement in stack[-1]:
            yield statement
            inner = () if isinstance(statement, Value) else regions(statement)
            if inner:
                stack += [iter(each) for each in reversed(inner)]
                break
        else:
            stack.pop()


def sources(region: Region) -> frozenset[str]:
    """Return the sources that a region uses; `item` is always available."""
    return frozenset(each.attr for each in walk(region) if each.op is OPS.source)


def layout(kernel: KernelIR, flat: bool, small: bool, width: int) -> LaneLayout:
    """Return the layout of a kernel for chunks of this width."""
    compute = kernel.dispatched
    x, y, z = kernel.group if compute else (1, 1, 1)
    size = x * y * z
    convergent = [value.op for value in kernel.values() if value.op.convergent]
    if any(op.attribute == "wave" for op in convergent):
        width = max(width, kernel.wave)  # both are powers of two, so waves stay whole
    shared = any(memory.space is Space.SHARED for memory in kernel.memories)
    crosses = bool(convergent) and size % width != 0
    grouped = compute and (shared or has_barrier(kernel.body) or crosses)
    return LaneLayout(width, compute, grouped, flat or not compute, small, size, -(-size // width))


def slots(kernel: KernelIR) -> tuple[dict[Memory, int], int, int]:
    """Return the index in the context of each bound memory, of the inputs and of the outputs."""
    found: dict[Memory, int] = {}
    at = FIRST
    for memory in kernel.memories:
        if memory.space in BOUND:
            found[memory] = at
            at += 2
    return found, at, at + len(kernel.inputs)
