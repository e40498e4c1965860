"""A reference interpreter in plain Python; the engines are tested against it.

    lane 0   ──────────► waits          each lane runs until it ends or has to wait for others, at a
    lane 1   ─────► waits               barrier or wave operation; then the lanes that wait at the
    lane 2   ─────────────► ends        first such position and iteration continue

Lanes diverge and reconverge as in lockstep, but between two waits each lane runs alone, so the
results of a kernel with data races differ from an engine's. Atomics happen in the order of the
lanes.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field

from unshade.errors import LimitError, UnsupportedError, UsageError
from unshade.ir.barriers import waits_for_group
from unshade.ir.fold import fold, signed
from unshade.ir.kernel import Block, If, KernelIR, Loop, Region, Switch, Value, leaves
from unshade.ir.memory import Memory, Space, Var, byte_offset
from unshade.ir.ops import OPS, Op
from unshade.ir.sources import SOURCES, flattened, thread_in_group
from unshade.ir.types import Type, Widths
from unshade.ir.waves import QUAD

from .waves import results

__all__ = ["Result", "interpret"]

Place = tuple[int, ...]  # position of a statement, with the iterations of its loops
Waiting = Generator[tuple[Place, Value, tuple[int, ...]], int, Value | None]


@dataclass(slots=True)
class Result:
    """The results of a run other than memory contents.

    outputs     bits for each item, by port
    outside     number of invalid accesses, by memory
    discarded   number of discarded lanes
    parted      number of barriers not reached by all lanes of the group together
    messages    (lane, text, operands)
    """

    outputs: dict[str, list[int]] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    discarded: int = 0
    parted: int = 0
    messages: list[tuple[int, str, tuple[int, ...]]] = field(default_factory=list)


def interpret(
    kernel: KernelIR,
    memories: Mapping[str, bytearray],
    *,
    groups: tuple[int, int, int] = (1, 1, 1),
    items: int = 0,
    inputs: Mapping[str, Sequence[int]] | None = None,
    helpers: Sequence[bool] = (),
    budget: int = 1 << 16,
) -> Result:
    """Run all lanes of a kernel.

    Args:
        kernel: the kernel to run.
        memories: contents of the bound memories by name, changed in place.
        groups: number of thread groups (x, y, z), if lanes are threads of groups.
        items: number of lanes otherwise.
        inputs: bits for each lane, by the name of the port.
        helpers: helper lanes, by number.
        budget: maximum number of loop iterations of one lane.

    Raises:
        LimitError: if a lane exceeds the budget.
        UsageError: if a memory is not bound.
    """
    run = Run(kernel, memories, groups, inputs or {}, helpers, budget)
    x, y, z = kernel.group
    size = x * y * z
    if kernel.dispatched:
        total = groups[0] * groups[1] * groups[2] * size
    else:
        total = items
        size = max(QUAD, kernel.wave)
    run.result.outputs = {port.name: [0] * total for port in kernel.outputs}
    for first in range(0, total, size):
        run.together(range(first, min(first + size, total)))
    return run.result


class Run:
    """The state shared by the lanes of a run."""

    def __init__(
        self,
        kernel: KernelIR,
        memories: Mapping[str, bytearray],
        groups: tuple[int, int, int],
        inputs: Mapping[str, Sequence[int]],
        helpers: Sequence[bool],
        budget: int,
    ) -> None:
        self.kernel = kernel
        self.groups = groups
        self.inputs = inputs
        self.helpers = helpers
        self.budget = budget
        self.result = Result()
        self.bound: dict[Memory, bytearray] = {}
        for memory in kernel.memories:
            if memory.space is Space.TABLE:
                self.bound[memory] = bytearray(memory.data)
            elif memory.space in (Space.CONSTANT, Space.BUFFER):
                if memory.name not in memories:
                    raise UsageError(f"memory {memory.name!r} is not bound")
                self.bound[memory] = memories[memory.name]

    def fresh(self, space: Space) -> dict[Memory, bytearray]:
        """Return new zeroed memories of a space."""
        return {
            memory: bytearray(memory.stride * (memory.count or 0))
            for memory in self.kernel.memories
            if memory.space is space
        }

    def together(self, numbers: range) -> None:
        """Run the lanes of a group, or of a wave."""
        shared = {**self.bound, **self.fresh(Space.SHARED)}
        lanes = [Lane(self, number, shared) for number in numbers]
        running = {lane.number: lane.region(self.kernel.body, ()) for lane in lanes}
        waiting: dict[int, tuple[Place, Value, tuple[int, ...]]] = {}

        def go(number: int, answer: int | None) -> None:
            try:
                waiting[number] = running[number].send(answer)  # type: ignore[arg-type]
            except StopIteration:
                waiting.pop(number, None)

        for number in numbers:
            go(number, None)
        while waiting:
            first = min(place for place, _, _ in waiting.values())
            here = {lane: each for lane, each in waiting.items() if each[0] == first}
            if len(here) != len(lanes) and next(iter(here.values()))[1].op is OPS.barrier:
                self.result.parted += 1
            value = next(iter(here.values()))[1]
            given = {number - numbers.start: args for number, (_, _, args) in here.items()}
            acting = {number for number in given if lanes[number].acting}
            answers = between(value, self.kernel, given, acting)
            for number in here:
                go(number, answers.get(number - numbers.start, 0))
        self.result.discarded += sum(lane.discarded for lane in lanes)


def between(
    value: Value, kernel: KernelIR, given: Mapping[int, tuple[int, ...]], acting: Collection[int]
) -> dict[int, int]:
    """Return the results of an operation for the active lanes, by lane index in the group.

    `given` contains the operands of the active lanes; `acting` are the lanes that have effects.
    """
    if value.op is OPS.quad_swap:
        return {lane: given.get(lane ^ value.attr, own)[0] for lane, own in given.items()}
    if not value.op.convergent:
        return {}
    waves: dict[int, dict[int, tuple[int, ...]]] = {}
    size = kernel.wave
    for lane, args in given.items():
        waves.setdefault(lane // size, {})[lane % size] = args
    type = value.args[0].type if value.args else value.type
    found = {}
    for number, mine in waves.items():
        some = {lane for lane in mine if number * size + lane in acting}
        made = results(value.op, value.attr, type, mine, some, size, kernel.flush)
        found.update({number * size + lane: bits for lane, bits in made.items()})
    return found


class Lane:
    """A lane: its values, variables and local memories."""

    def __init__(self, run: Run, number: int, shared: Mapping[Memory, bytearray]) -> None:
        self.run = run
        self.number = number
        self.memories = {**shared, **run.fresh(Space.LOCAL)}
        self.values: dict[Value, int] = {}
        self.variables: dict[Var, int] = {}
        self.discarded = False
        self.helper = number < len(run.helpers) and run.helpers[number]
        self.iterations = 0

    def region(self, region: Region, place: Place) -> Waiting:
        """Run all statements; return the operation that ended the region, None at its end."""
        for number, statement in enumerate(region):
            left: Value | None = None
            match statement:
                case Value():
                    if statement.op is OPS.barrier or statement.op.convergent:
                        args = tuple(self.operand(each) for each in statement.args)
                        if statement.op is not OPS.barrier or waits_for_group(statement.attr):
                            self.values[statement] = yield (*place, number), statement, args
                    elif statement.op.ends:
                        return statement
                    else:
                        self.step(statement)
                case If():
                    chosen = bool(self.operand(statement.condition))
                    inner = statement.then if chosen else statement.otherwise
                    left = yield from self.region(inner, (*place, number, not chosen))
                case Loop():
                    left = yield from self._loop(statement, (*place, number))
                case Switch():
                    left = yield from self._switch(statement, (*place, number))
                case Block():
                    left = yield from self.region(statement.body, (*place, number))
                    if left is not None and leaves(left, statement):
                        left = None
            if left is not None:
                return left
        return None

    def _loop(self, loop: Loop, place: Place) -> Waiting:
        iteration = 0
        while True:
            left = yield from self.region(loop.body, (*place, iteration))
            if left is not None and left.op is OPS.break_:
                return None
            if left is not None and not leaves(left, loop):
                return left
            iteration += 1
            self.iterations += 1
            if self.iterations > self.run.budget:
                raise LimitError(
                    "budget", self.run.budget, f"more than {self.run.budget} iterations of loops"
                )

    def _switch(self, switch: Switch, place: Place) -> Waiting:
        value = self.operand(switch.value)
        mask = switch.value.type.mask
        chosen = None
        for number, case in enumerate(switch.cases):
            if any(label & mask == value for label in case.labels):
                chosen = number
                break
            if case.default:
                chosen = number
        if chosen is None:
            return None
        left = yield from self.region(switch.cases[chosen].body, (*place, chosen))
        return None if left is not None and leaves(left, switch) else left

    # ------------------------------------------------------------ operations

    def operand(self, value: Value) -> int:
        """Return the bits of an operand."""
        if value.op is OPS.const:
            bits: int = value.attr
            return bits
        return self.values[value]

    def step(self, value: Value) -> None:
        """Execute an operation that neither waits nor ends its region."""
        op = value.op
        args = [self.operand(each) for each in value.args]
        if value.op.attribute == "memory":
            self._memory(value, args)
            return
        match op:
            case OPS.get:
                self.values[value] = self.variables.get(value.attr, 0)
            case OPS.set:
                self.variables[value.attr] = args[0]
            case OPS.source:
                self.values[value] = self.source(value.attr)
            case OPS.input:
                self.values[value] = self.run.inputs[value.attr.name][self.number]
            case OPS.output:
                if self.acting:
                    self.run.result.outputs[value.attr.name][self.number] = args[0]
            case OPS.is_helper:
                self.values[value] = int(not self.acting)
            case OPS.discard:
                self.discarded |= bool(args[0])
            case OPS.message:
                self.run.result.messages.append((self.number, value.attr, tuple(args)))
            case _:
                typed = tuple(zip(args, (each.type for each in value.args), strict=True))
                found = fold(op, value.type, typed, self.run.kernel.flush)
                if found is None:
                    raise UnsupportedError(f"{op.name} must be expanded before a kernel runs")
                self.values[value] = found

    @property
    def acting(self) -> bool:
        """True if the lane has effects: neither a helper nor discarded."""
        return not (self.discarded or self.helper)

    def source(self, name: str) -> int:
        """Return a value of `SOURCES`."""
        kernel, groups, number = self.run.kernel, self.run.groups, self.number
        x, y, z = kernel.group
        size = x * y * z
        local, group = number % size, number // size
        source = SOURCES[name]
        at = source.axis or 0
        in_group: tuple[int, int, int] = thread_in_group(local, kernel.group, kernel.quads)
        in_grid = (
            group % groups[0],
            group // groups[0] % groups[1],
            group // groups[0] // groups[1],
        )
        match source.word:
            case "thread_id":
                return in_grid[at] * kernel.group[at] + in_group[at]
            case "thread_group_id":
                return in_grid[at]
            case "thread_id_in_group":
                return in_group[at]
            case "thread_id_in_group_flattened":
                return int(flattened(local, kernel.group, kernel.quads))
            case "group_count":
                return groups[at]
            case "wave_lane":
                return (local if kernel.dispatched else number) % kernel.wave
            case "wave_size":
                return kernel.wave
            case "quad_lane":
                return (local if kernel.dispatched else number) & 3
            case "helper":
                return int(self.helper)
            case _:
                return number

    # ------------------------------------------------------------ memories

    def _memory(self, value: Value, args: list[int]) -> None:
        memory: Memory = value.attr
        op = value.op
        data = self.memories[memory]
        count = len(data) // memory.stride
        if memory.count is not None:
            count = min(count, memory.count)
        if op is OPS.count:
            self.values[value] = count & 0xFFFF_FFFF
            return
        type = value.args[2].type if op is OPS.store else value.type
        private = memory.space is Space.LOCAL
        acting = self.acting or private or op is OPS.load
        if not acting:
            self.values[value] = 0
            return
        at = byte_offset(memory, count, args[0], args[1], type.size)
        if at is None or (op.atomic and at % type.size):
            outside = self.run.result.outside
            outside[memory.name] = outside.get(memory.name, 0) + 1
            self.values[value] = 0
            return
        old = int.from_bytes(data[at : at + type.size], "little")
        if op is not OPS.load:
            new = (
                args[2]
                if op is OPS.store
                else combine(op, type, old, args[2:], self.run.kernel.flush)
            )
            data[at : at + type.size] = new.to_bytes(type.size, "little")
        self.values[value] = old


def combine(op: Op, type: Type, old: int, given: list[int], flush: Widths) -> int:
    """Return the value that an atomic stores in place of `old`."""
    if op is OPS.atomic_cas:
        return given[0] if old == given[1] else old
    if op in FLOATS:
        found = fold(FLOATS[op], type, ((old, type), (given[0], type)), flush)
        assert found is not None
        return found
    return COMBINED[op](type, old, given[0]) & type.mask


FLOATS = {
    OPS.atomic_fadd: OPS.fadd,
    OPS.atomic_fmin: OPS.fmin,
    OPS.atomic_fmax: OPS.fmax,
}
# fmt: off
COMBINED: dict[Op, Callable[[Type, int, int], int]] = {
    OPS.atomic_add:  lambda type, old, a: old + a,
    OPS.atomic_and:  lambda type, old, a: old & a,
    OPS.atomic_or:   lambda type, old, a: old | a,
    OPS.atomic_xor:  lambda type, old, a: old ^ a,
    OPS.atomic_imin: lambda type, old, a: min(signed(old, type), signed(a, type)),
    OPS.atomic_imax: lambda type, old, a: max(signed(old, type), signed(a, type)),
    OPS.atomic_umin: lambda type, old, a: min(old, a),
    OPS.atomic_umax: lambda type, old, a: max(old, a),
    OPS.atomic_xchg: lambda type, old, a: a,
}
# fmt: on
