"""Mesh and amplification shaders: stores of a thread group as operations of sources.

    if first { store vertices.count[group], 3 … }      set the counts 3, 1
    store vertices[group * 3 + i, 0], x                vertices[i].position.x = x, if i < 3
    load payload[0, 4 * k]                             payload[k], an array of words
    if first { …; store groups[group, 0], x … }        if first { … } launch x, y, z groups, leave

Lanes are threads of groups, each of which has its own vertices, primitives and payload; a source
names those of its own group. `recognise_groups` runs after simplification, which makes one value
of the equal conditions and group numbers of all stores.
"""

from collections.abc import Iterator, Sequence

from ..dataclass import dataclass, replace
from ..ir.builder import constant
from ..ir.kernel import If, KernelIR, Region, Statement, Value, regions
from ..ir.lowered import Lowered, LoweredResource
from ..ir.memory import Memory, Space
from ..ir.ops import OPS, Op
from ..ir.types import I32, VOID
from ..vocab.slots import (
    LAUNCHED_GROUPS,
    LAUNCHED_PAYLOAD,
    PAYLOAD_SLOT,
    MemoryPart,
    PointsSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
)
from ..vocab.words import Stage, SystemValue
from .expressions import refused
from .interface import EntryParameter
from .kinds import stripped
from .operations import SOURCE_OPS
from .points import NO_ELEMENT, Emission

__all__ = ["GROUPED", "first_location", "is_indices", "is_payload", "recognise_groups"]

GROUPED = frozenset({Stage.MESH, Stage.AMPLIFICATION})
REGISTER, WORD = 16, 4  # bytes
AXES = 3
READS = frozenset({OPS.get, OPS.load, OPS.sample, OPS.count})  # of anything but outputs


def recognise_groups(lowered: Lowered, kernel: KernelIR) -> Lowered:
    """Make operations of a kernel's stores of points, in place; return it with its payload.

    The payload becomes memory of the thread group, as in all languages that have one.
    """
    payload = _payload(lowered, kernel)
    made = _Groups(payload[1] if payload is not None else None)
    kernel.body[:] = made.region(kernel.body, frozenset())
    kernel.memories[:] = [
        each
        for each in kernel.memories
        if not (isinstance(each.slot, PointsSlot) and each.slot.part is MemoryPart.COUNT)
        and each.slot != LAUNCHED_GROUPS
    ]
    if payload is None:
        return lowered
    old, new = payload
    kernel.memories[kernel.memories.index(old)] = new
    return replace(lowered, resources=[*_without(lowered.resources, old.slot)])


def _without(resources: Sequence[LoweredResource], slot: object) -> Iterator[LoweredResource]:
    yield from (each for each in resources if each.slot != slot)


def _payload(lowered: Lowered, kernel: KernelIR) -> tuple[Memory, Memory] | None:
    """Return the memory of the payload, and an array of words of the group in its place."""
    for memory in kernel.memories:
        if is_payload(memory):
            count = memory.stride // WORD
            return memory, Memory(
                "payload", Space.SHARED, WORD, count, writable=memory.writable,
                slot=PAYLOAD_SLOT,
            )  # fmt: skip
    return None


def is_payload(memory: Memory) -> bool:
    """Return True for the payload that an amplification shader writes or a mesh shader reads."""
    slot = memory.slot
    read = isinstance(slot, ResourceSlot) and slot.kind is ResourceClass.PAYLOAD
    return read or slot == LAUNCHED_PAYLOAD


def is_indices(member: EntryParameter) -> bool:
    """Return True for the member of a primitive that is the indices of its vertices."""
    return member.meaning is SystemValue.PRIMITIVE_INDICES


def first_location(vertices: Sequence[EntryParameter], primitives: Sequence[EntryParameter]) -> int:
    """Return the number to add to the locations of attributes of primitives.

    The registers of vertices and of primitives both begin at 0 in Direct3D. Locations are shared,
    so that those of primitives follow there; in SPIR-V, they are what they are.
    """
    if all(each.by_register for each in (*vertices, *primitives)):
        return 0
    return 1 + max((each.location or 0 for each in vertices), default=-1)


@dataclass(slots=True, eq=False)
class _Groups:
    payload: Memory | None

    def region(self, region: Region, known: frozenset[Value]) -> Region:
        """Return a region with operations of sources; `known` are conditions that hold."""
        found: Region = []
        waiting: list[tuple[Value | None, Value]] = []  # stores of one register, with conditions
        guards: list[Statement] = []  # branches around stores of several registers

        def flush() -> None:
            if not waiting:
                return
            condition = waiting[0][0]
            one = _gathered([store for _, store in waiting])
            last = found[-1] if found else None
            if condition is None:
                found.append(one)
            elif isinstance(last, If) and last.condition is condition and last in guards:
                last.then.append(one)
            else:
                found.append(If(condition, [one], [], one.line))
                guards.append(found[-1])
            waiting.clear()

        for statement in region:
            if not isinstance(statement, Value):
                flush()
                found += self.construct(statement, known)
                continue
            if statement.op is OPS.store and _is_output(statement.attr):
                condition, index = _point(statement)
                if index is None:  # beyond the points of every group
                    continue
                store = _store(statement, index)
                entry = (None if condition in known else condition), store
                if waiting and not _is_one(waiting[0], entry):
                    flush()
                waiting.append(entry)
                continue
            if waiting and not (statement.op.pure or statement.op in READS):
                flush()
            self._word(statement)
            found.append(statement)
        flush()
        return found

    def construct(self, statement: Statement, known: frozenset[Value]) -> Region:
        """Return the statements in place of a construct."""
        if isinstance(statement, If):
            counts = _counts(statement)
            if counts is not None:
                return counts
            launch = self._launch(statement)
            if launch is not None:
                return launch
            statement.then[:] = self.region(statement.then, known | {statement.condition})
            statement.otherwise[:] = self.region(statement.otherwise, known)
            return [statement]
        for inner in regions(statement):
            inner[:] = self.region(inner, known)
        return [statement]

    # ------------------------------------------------------------ payload and launch

    def _word(self, value: Value) -> None:
        """Index an access to the payload by words."""
        if value.op not in (OPS.load, OPS.store) or self.payload is None:
            return
        memory: Memory = value.attr
        if not is_payload(memory):
            return
        bits = (value.args[2] if value.op is OPS.store else value).type.bits
        byte = stripped(value.args[1])
        if bits != 8 * WORD or byte.op is not OPS.const or byte.attr % WORD:
            raise refused("a number of a payload that is no word at a known place", value.line)
        value.attr = self.payload
        zero = constant(0, I32)
        value.args = (constant(byte.attr // WORD, I32), zero, *value.args[2:])

    def _launch(self, branch: If) -> "Region | None":
        """Return the stores of a payload by the first thread, and the launch of groups."""
        numbers: dict[int, Value] = {}
        inner: Region = []
        for each in branch.then:
            if (
                isinstance(each, Value)
                and each.op is OPS.store
                and each.attr.slot == LAUNCHED_GROUPS
            ):
                numbers[each.args[1].attr // WORD] = each.args[2]
            else:
                inner.append(each)
        if not numbers:
            return None
        if len(numbers) != AXES or branch.otherwise or not _is_first(branch.condition):
            raise refused("a launch of groups by some threads", branch.line)
        operands = tuple(numbers[axis] for axis in range(AXES))
        if any(stripped(each) in inner for each in operands):
            raise refused("a launch of as many groups as only one thread knows", branch.line)
        branch.then[:] = self.region(inner, frozenset({branch.condition}))
        launch = Value(SOURCE_OPS.launch, VOID, operands, self.payload, branch.line)
        return [branch, launch]


def _counts(branch: If) -> "Region | None":
    """Return the operation that sets the counts of vertices and primitives; None for others."""
    numbers: dict[Rate, Value] = {}
    others: Region = []
    for each in branch.then:
        slot = each.attr.slot if isinstance(each, Value) and each.op is OPS.store else None
        if isinstance(slot, PointsSlot) and slot.part is MemoryPart.COUNT:
            assert isinstance(each, Value)
            numbers[slot.rate] = each.args[2]
        else:
            others.append(each)
    if not numbers:
        return None
    pure = all(isinstance(each, Value) and each.op.pure for each in others)
    if len(numbers) != 2 or branch.otherwise or not pure or not _is_first(branch.condition):
        raise refused("counts of vertices that some threads set", branch.line)
    operands = (numbers[Rate.VERTEX], numbers[Rate.PRIMITIVE])
    return [*others, Value(SOURCE_OPS.counts, VOID, operands, None, branch.line)]


def _is_first(condition: Value) -> bool:
    """Return True for the condition that the thread is the first of its group."""
    first = condition.op is OPS.ieq and condition.args[1].op is OPS.const
    return first and not condition.args[1].attr and (
        condition.args[0].op is OPS.source
        and condition.args[0].attr == SystemValue.THREAD_ID_IN_GROUP_FLATTENED
    )  # fmt: skip


# ---------------------------------------------------------------- points


def _is_output(memory: Memory) -> bool:
    slot = memory.slot
    return (
        isinstance(slot, PointsSlot)
        and slot.rate in (Rate.VERTEX, Rate.PRIMITIVE)
        and slot.part is MemoryPart.DATA
    )


def _point(store: Value) -> tuple[Value | None, Value | None]:
    """Return the condition under which the point of a store exists, and its index.

    The index is None for a point that never exists.
    """
    element = store.args[0]
    condition = None
    if element.op is OPS.const and element.attr == NO_ELEMENT:
        return None, None
    if element.op is OPS.select:
        condition, element, other = element.args
        if other.op is not OPS.const or other.attr != NO_ELEMENT:
            raise refused("a store to one of several vertices", store.line)
    index = _own(element, store.attr.each)
    if index is None:
        raise refused("a store to a vertex of another group", store.line)
    return condition, index


def _own(element: Value, each: int) -> Value | None:
    """Return the index of a point of the own group from that of an element."""
    zero = constant(0, I32)
    if _is_base(element, each):
        return zero
    if element.op is OPS.iadd:
        for one, other in (element.args, element.args[::-1]):
            if _is_base(one, each):
                return other
    return None


def _is_base(element: Value, each: int) -> bool:
    """Return True for the element of the first point of the own group."""
    if each == 1:
        return _is_group(element)
    factor = element.args[1] if element.op in (OPS.imul, OPS.ishl) else None
    if factor is None or factor.op is not OPS.const:
        return False
    times = factor.attr if element.op is OPS.imul else 1 << factor.attr
    return times == each and _is_group(element.args[0])


def _is_group(value: Value) -> bool:
    """Return True for the number of the own group: (z * height + y) * width + x."""
    for axis in "xy":
        pair = _operands(value, OPS.iadd, f"{SystemValue.THREAD_GROUP_ID}.{axis}")
        product = _operands(pair, OPS.imul, f"group_count.{axis}") if pair is not None else None
        if product is None:
            return False
        value = product
    return _is_source(value, f"{SystemValue.THREAD_GROUP_ID}.z")


def _operands(value: Value, op: Op, word: str) -> Value | None:
    """Return the other operand of an operation on a source; None for other values."""
    if value.op is not op:
        return None
    one, other = value.args
    if _is_source(one, word):
        return other
    return one if _is_source(other, word) else None


def _is_source(value: Value, word: str) -> bool:
    return value.op is OPS.source and bool(value.attr == word)


def _store(store: Value, index: Value) -> Value:
    """Return a store to a point by its index in the group."""
    if stripped(store.args[1]).op is not OPS.const:
        raise refused("a store to a component known only at run time", store.line)
    return store.with_args((index, *store.args[1:]), store.attr)


def _row(store: Value) -> tuple[Memory, Value, int]:
    return store.attr, store.args[0], stripped(store.args[1]).attr // REGISTER


def _is_one(first: tuple[Value | None, Value], other: tuple[Value | None, Value]) -> bool:
    """Return True for stores to one register of one point under one condition."""
    (memory, index, row), (another, second, place) = _row(first[1]), _row(other[1])
    equal = index is second or (
        index.op is second.op is OPS.const and index.attr == second.attr
    )  # fmt: skip
    return first[0] is other[0] and memory is another and equal and row == place


def _gathered(stores: Sequence[Value]) -> Value:
    """Return the operation for stores to one register of one point."""
    last = {stripped(each.args[1]).attr: each for each in stores}
    first = stores[0]
    emission = Emission(first.attr.slot, tuple(last), memory=first.attr, indexed=True)
    args = (first.args[0], *(each.args[2] for each in last.values()))
    return Value(SOURCE_OPS.point, VOID, args, emission, stores[-1].line, stores[-1].location)
