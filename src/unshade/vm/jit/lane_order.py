"""Results of a kernel that depend on the order in which its lanes run.

    %1 = atomic_add %u0[…], i32 1        the result is used: which lane gets which number
    %2 = atomic_fadd %u0[…], %x          sums of floats are rounded in another order
    store %u0[%place, i32 0], %x         lanes may write to one place: the last one counts
    %3 = load:i32 %u0[%other, i32 0]     another lane may have written there, or not yet

Lanes of a chunk run together, chunks one after the other, and threads at the same time, so the
number of lanes in a chunk and the number of threads may show in such results.
"""

from collections.abc import Iterator

from ...dataclass import dataclass
from ...ir.kernel import KernelIR, Loop, Region, Switch, Value, regions
from ...ir.memory import Bounds, Memory, Space
from ...ir.ops import OPS
from ...tuples import NamedTuple
from ...vocab.slots import Exchange
from ...vocab.words import SystemValue
from ..launch import MOST
from .layout import statements

__all__ = ["LaneOrder", "lane_order"]

FLOATS = (OPS.atomic_fadd, OPS.atomic_fmin, OPS.atomic_fmax)
REPLACING = (OPS.atomic_xchg, OPS.atomic_cas)
OF_LANE = (f"{SystemValue.THREAD_ID}.x", "item")  # sources that no two lanes share
ADDRESSES = 1 << 32  # places that are counted modulo this number
Access = tuple[Value, bool]  # an access to a memory, in a loop
STEPS = (OPS.iadd, OPS.imul, OPS.ishl, OPS.ushr)


class LanePlace(NamedTuple):
    """A value, times a number, plus a number, which `lanes` values from 0 on do not wrap around."""

    root: Value
    times: int = 1
    plus: int = 0
    lanes: int = ADDRESSES

    def times_plus(self, times: int, plus: int) -> "LanePlace":
        """Return the place, times a number, plus a number."""
        factor, summand = self.times * times, self.plus * times + plus
        return LanePlace(self.root, factor, summand, min(self.lanes, ADDRESSES // max(factor, 1)))


@dataclass(frozen=True, slots=True)
class LaneOrder:
    """The dependence of results on the order of lanes.

    shown     name of a memory whose atomics show the order of thread groups; "" if none do
    chunked   lanes up to which results are known to be the same for chunks of any width
    """

    shown: str
    chunked: int


def lane_order(kernel: KernelIR, flat: bool) -> LaneOrder:
    """Return the dependence of a kernel's results on the order of lanes.

    Args:
        kernel: The kernel.
        flat: The groups are along one axis.
    """
    found: dict[Memory, list[Access]] = {}
    for each in _accesses(kernel.body, False):
        found.setdefault(each[0].attr, []).append(each)
    written = {
        memory: accesses
        for memory, accesses in found.items()
        if memory.space in (Space.BUFFER, Space.SHARED) and _is_written(accesses)
    }
    if not written:
        convergent = any(value.op.convergent for value in kernel.values())
        return LaneOrder("", 0 if convergent else MOST)
    along = flat and kernel.group[1] == kernel.group[2] == 1
    used = _used(kernel)
    shown, chunked = "", MOST
    if any(value.op.convergent for value in kernel.values()):
        chunked = 0
    for memory, accesses in written.items():
        apart = _lanes_apart(accesses) if along and memory.space is Space.BUFFER else 0
        ordered = _are_ordered(accesses, used)
        if ordered and not apart and memory.space is Space.BUFFER and not _is_internal(memory):
            shown = shown or str(memory.name)
        if ordered or not (_are_atomics(accesses) or _is_once_stored(accesses)):
            chunked = min(chunked, apart)
    return LaneOrder(shown, chunked)


def _is_internal(memory: Memory) -> bool:
    """Return True if a memory is one of counters or records, which the caller puts in order."""
    return isinstance(memory.key, Exchange)


def _is_written(accesses: list[Access]) -> bool:
    return any(value.op is OPS.store or value.op.atomic for value, _ in accesses)


def _are_atomics(accesses: list[Access]) -> bool:
    return all(value.op.atomic for value, _ in accesses)


def _are_ordered(accesses: list[Access], used: set[Value]) -> bool:
    """Return True if atomics of a memory depend on the order of lanes."""
    atomics = [value for value, _ in accesses if value.op.atomic]
    return len({value.op for value in atomics}) > 1 or any(
        value in used or value.op in FLOATS + REPLACING for value in atomics
    )


def _is_once_stored(accesses: list[Access]) -> bool:
    """Return True if a memory has one store, outside of loops: lanes store in their order."""
    ((value, looped), *more) = accesses
    return not more and value.op is OPS.store and not looped


def _lanes_apart(accesses: list[Access]) -> int:
    """Return the number of lanes that have places of their own: near multiples of their number."""
    if accesses[0][0].attr.bounds is Bounds.CLAMP:
        return 0  # lanes beyond the end share the last element
    places = [_place_in_bytes(value) for value, _ in accesses]
    first = places[0]
    if first.root.op is not OPS.source or first.root.attr not in OF_LANE:
        return 0
    for (value, _), place in zip(accesses, places, strict=True):
        root = place.root
        size = max(1, (value.args[2] if value.op is OPS.store else value).type.bits // 8)
        if root is not first.root and (root.op, root.attr) != (first.root.op, first.root.attr):
            return 0
        if place.times != first.times or place.plus < 0 or place.plus + size > place.times:
            return 0
    return min(each.lanes for each in places)


def _place_in_bytes(value: Value) -> LanePlace:
    """Return the byte of a memory that an access begins with."""
    element, byte = value.args[:2]
    if byte.op is not OPS.const:
        return LanePlace(byte)
    return _place(element).times_plus(value.attr.stride, int(byte.attr))


def _place(value: Value) -> LanePlace:
    """Return a value as another one, times a number, plus a number."""
    steps: list[Value] = []
    while value.op in STEPS and value.args[1].op is OPS.const:
        steps.append(value)
        value = value.args[0]
    found = LanePlace(value)
    for step in reversed(steps):
        number = int(step.args[1].attr)
        if step.op is OPS.iadd:
            found = found.times_plus(1, number)
        elif step.op is OPS.imul and number:
            found = found.times_plus(number, 0)
        elif step.op is OPS.ishl and number < 32:
            found = found.times_plus(1 << number, 0)
        elif step.op is OPS.ushr and not (found.times | found.plus) & ((1 << number) - 1):
            found = found._replace(times=found.times >> number, plus=found.plus >> number)
        else:
            found = LanePlace(step)
    return found


def _used(kernel: KernelIR) -> set[Value]:
    """Return the values that are operands of something."""
    found: set[Value] = set()
    for statement in statements(kernel.body):
        if isinstance(statement, Value):
            found.update(statement.args)
        elif isinstance(statement, Switch):
            found.add(statement.value)
    return found


def _accesses(region: Region, looped: bool) -> Iterator[Access]:
    """Yield accesses to memories, and whether they are in a loop."""
    for statement in region:
        if isinstance(statement, Value):
            if isinstance(statement.attr, Memory) and statement.op is not OPS.count:
                yield statement, looped
            continue
        for inner in regions(statement):
            yield from _accesses(inner, looped or isinstance(statement, Loop))
