"""How lanes are laid out on vectors, and what the compiled function is given.

    rows     lanes counted through the whole call, a chunk of `width` after the other
    groups   the lanes of one thread group, chunk by chunk, group after group: where lanes share
             memory or wait for one another

The function is `void kernel(ptr context, ptr scratch, i64 first, i64 last)`: it runs the chunks (or
groups) from first up to last. The context is an array of 64-bit words:

    0  groups x    1  groups y    2  groups z    3  lanes in all    4  budget of iterations
    5  pointer to the error word                 6  pointer to the helper bytes, or 0
    8  pointer, count of each bound memory;  then pointers of inputs, then of outputs
"""

from dataclasses import dataclass

from ...ir.kernel import If, Kernel, Loop, Region, Switch, Value, regions
from ...ir.memory import Memory, Space

GROUPS, LANES, BUDGET, ERROR, HELPERS, FIRST = 0, 3, 4, 5, 6, 8
BOUND = (Space.CONSTANT, Space.BUFFER)
WIDTHS = (64, 32, 16, 8)


@dataclass(frozen=True, slots=True)
class Layout:
    """`flat`: groups are in one row, so that no division tells which one a lane belongs to."""

    width: int
    grouped: bool
    flat: bool
    size: int  # lanes of a group
    chunks: int  # of a group

    @property
    def whole(self) -> bool:
        """Whether a chunk lies in one group."""
        return self.grouped or self.size % self.width == 0


def has_barrier(region: Region) -> bool:
    """Whether the lanes of a group wait for one another here."""
    for statement in region:
        if isinstance(statement, Value):
            if statement.op.name == "barrier" and statement.attr == "group":
                return True
        elif any(has_barrier(inner) for inner in regions(statement)):
            return True
    return False


def layout(kernel: Kernel, flat: bool, width: int) -> Layout:
    """The layout for chunks of this width."""
    x, y, z = kernel.group if kernel.stage == "compute" else (1, 1, 1)
    size = x * y * z
    shared = any(memory.space is Space.SHARED for memory in kernel.memories)
    grouped = kernel.stage == "compute" and (shared or has_barrier(kernel.body))
    return Layout(width, grouped, flat or kernel.stage != "compute", size, -(-size // width))


def slots(kernel: Kernel) -> tuple[dict[Memory, int], int, int]:
    """Where each bound memory stands in the context; where inputs and outputs begin."""
    found: dict[Memory, int] = {}
    at = FIRST
    for memory in kernel.memories:
        if memory.space in BOUND:
            found[memory] = at
            at += 2
    return found, at, at + len(kernel.inputs)


def escapes(statement: "Value | If | Loop | Switch") -> set[str]:
    """How lanes may leave a statement otherwise than by its end."""
    if isinstance(statement, Value):
        return {statement.op.name} if statement.op.ends else set()
    found: set[str] = set()
    for inner in regions(statement):
        for each in inner:
            found |= escapes(each)
    if isinstance(statement, Loop):
        found -= {"break", "continue"}
    elif isinstance(statement, Switch):
        found -= {"break"}
    return found
