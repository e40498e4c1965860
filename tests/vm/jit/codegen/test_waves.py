"""Wave operations in both engines, against their definition in `ir.waves`, run lane by lane.

Every operation is tested in every control flow: uniform, divergent, in loops that lanes leave or
continue one by one, after lanes that ended, and in incomplete waves.
"""

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.ir.values import random_bits
from tests.oracle.interpret import interpret
from tests.oracle.verify import check
from tests.sampling import products
from tests.vm.engines import ENGINES, run
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.memory import Memory, Space
from unshade.ir.ops import OPERAND_KINDS, OPS, Op
from unshade.ir.simplify import simplify
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.transforms.copying import copied_kernel
from unshade.ir.types import BOOL, F16, F32, F64, FLUSH_32, I8, I32, I64, KEEP, Type, Widths
from unshade.ir.waves import COMBINES, NEUTRAL, Wave
from unshade.vocab.words import Stage

pytestmark = pytest.mark.heavy

SIZES = (1, 4, 8, 32, 64, 128)
TYPES = (I32, F32, BOOL, I8, I64, F16, F64)
ROUNDS = 3  # of loops
Operation = Callable[[Builder, Value, Value], Value]


def operations(type: Type, size: int, helpers: bool, all_: bool) -> Iterator[Operation]:
    """Yield every operation on values of a type; the last operand is a condition.

    Reductions and scans run on clusters and on whole waves with `all_`; otherwise operations
    alternate between the two.
    """
    whole = Wave(helpers=helpers)

    def of_value(op: Op, attr: Wave = whole) -> Operation:
        return lambda b, value, condition: b.make(op, value, attr=attr)

    def of_condition(op: Op, attr: Wave = whole) -> Operation:
        return lambda b, value, condition: b.make(op, condition, attr=attr)

    def by(way: str, lanes: int) -> Operation:
        return lambda b, value, condition: getattr(b, way)(value, lanes, whole)

    def swapped(way: int) -> Operation:
        return lambda b, value, condition: b.quad_swap(value, attr=way)

    yield lambda b, value, condition: b.wave_elect(attr=whole)
    yield of_condition(OPS.wave_all)
    yield of_condition(OPS.wave_any)
    yield of_value(OPS.wave_equal)
    yield lambda b, value, condition: b.wave_equal(b.wave_first(value, attr=whole), attr=whole)
    for word in range(min(4, size // 32 + 1)):  # the last word has no lanes
        yield of_condition(OPS.wave_ballot, Wave(word=word, helpers=helpers))
    yield of_value(OPS.wave_first)
    yield lambda b, value, condition: b.wave_read(value, size // 2, attr=whole)
    yield lambda b, value, condition: b.wave_read(
        value, b.isub(size - 1, b.source("wave_lane")), attr=whole
    )
    for way in ("wave_xor", "wave_up", "wave_down"):
        yield by(way, 1)
        yield by(way, max(2, size // 2))
    if size >= 4:
        yield lambda b, value, condition: b.quad_read(value, 2)
        yield from map(swapped, (1, 2, 3))
    clusters = sorted({0, min(4, size)})
    for turn, op in enumerate(NEUTRAL):
        if type.kind in OPERAND_KINDS[op.operands[0]]:
            for cluster in clusters if all_ else clusters[turn % 2 :][:1]:
                attr = Wave(op, cluster, helpers=helpers)
                yield from (of_value(way, attr) for way in COMBINES)


class Program:
    """A kernel that stores a row of results for each lane and round."""

    def __init__(
        self, type: Type, size: int, group: int, helpers: bool, widths: Widths, all_: bool = False
    ) -> None:
        self.type = type
        self.operations = list(operations(type, size, helpers, all_))
        stage = Stage.COMPUTE if group else Stage.PIXEL
        self.kernel = KernelIR("waves", stage, (group or 1, 1, 1), flush=widths, wave=size)
        self.b = b = Builder(self.kernel)
        self.given = b.memory("given", Space.BUFFER, 16)
        self.out = self._out()
        self.lane = b.source("thread_id.x" if group else "item")
        held = I32 if type == BOOL else type
        self.value = b.load(self.given, self.lane, 0, held)
        if type == BOOL:
            self.value = b.ine(b.and_(self.value, 1), 0)
        self.number = b.load(self.given, self.lane, 8, I32)

    def _out(self) -> Memory:
        stride = 8 * len(self.operations)
        return self.b.memory("out", Space.BUFFER, stride, writable=True)

    def results(self, round: "Value | int" = 0) -> None:
        """Emit every operation and store its result."""
        b = self.b
        place = b.iadd(b.imul(self.lane, ROUNDS), round)
        value, condition = self.value, b.ine(b.and_(self.number, 4), 0)
        for number, operation in enumerate(self.operations):
            made = operation(b, value, condition)
            if made.type == BOOL:
                made = b.select(made, b.i32(1), b.i32(2))
            b.store(self.out, place, 8 * number, made)

    def bit(self, bit: int) -> Value:
        """Return a condition on which lanes diverge."""
        return self.b.ine(self.b.and_(self.number, bit), 0)


def uniform(program: Program) -> None:
    program.results()


def divergent(program: Program) -> None:
    b = program.b
    with b.when(program.bit(1)) as statement:
        program.results()
        with b.when(program.bit(2)):
            program.results(1)
    with b.within(statement.otherwise):
        program.results(2)


def left_one_by_one(program: Program) -> None:
    """Emit a loop that each lane leaves after its own number of rounds."""
    b = program.b
    times = b.var("times", I32)
    with b.loop():
        done = b.get(times)
        with b.when(b.ule(b.and_(program.number, 3), done)):
            b.break_()
        program.results(done)
        b.set(times, b.iadd(done, 1))
    program.results(2)


def continued(program: Program) -> None:
    """Emit a loop in which some lanes continue early."""
    b = program.b
    times = b.var("times", I32)
    with b.loop():
        done = b.get(times)
        with b.when(b.ieq(done, ROUNDS)):
            b.break_()
        b.set(times, b.iadd(done, 1))
        with b.when(b.ieq(b.and_(program.number, 3), done)):
            b.continue_()
        program.results(done)


def ended(program: Program) -> None:
    b = program.b
    with b.when(program.bit(1)):
        program.results(1)
        b.return_()
    program.results()


def chosen(program: Program) -> None:
    b = program.b
    switch = b.switch(b.and_(program.number, 3))
    with b.case(switch, 0, 2):
        program.results()
        with b.when(program.bit(4)):
            b.break_()
        program.results(1)
    with b.case(switch, default=True):
        program.results(2)


FLOWS = (uniform, divergent, left_one_by_one, continued, ended, chosen)
Flow = Callable[[Program], None]


def compared(program: Program, lanes: int, helpers: tuple[bool, ...] = ()) -> None:
    """Assert that all engines agree on a program, as it is and simplified."""
    chance = random.Random(lanes)
    kernel = check(program.kernel)
    data = b"".join(
        random_bits(chance, program.type).to_bytes(8, "little")
        + chance.getrandbits(64).to_bytes(8, "little")
        for _ in range(lanes)
    )
    out = bytes(8 * len(program.operations) * ROUNDS * lanes)
    group = kernel.group[0]
    pixel = kernel.stage is Stage.PIXEL
    groups, items = ((1, 1, 1), lanes) if pixel else ((lanes // group, 1, 1), 0)
    held = {"given": bytearray(data), "out": bytearray(out)}
    interpret(kernel, held, groups=groups, items=items, helpers=helpers)
    reference = np.frombuffer(bytes(held["out"]), "<u8").reshape(-1, len(program.operations))
    simpler = simplify(copied_kernel(kernel))
    lockstep, *jits = ENGINES
    turn = kernel.wave.bit_length() + len(program.operations)
    jit = jits[turn // 2 % 2]  # to compile takes most of the time
    for each, engines in ((kernel, [lockstep]), (simpler, [lockstep])):
        if turn % 2 == (each is simpler):
            engines.append(jit)
        canonicalise(each)
        for engine in engines:
            left, _, _ = run(engine, each, {"given": data, "out": out}, groups, items, helpers)
            found = np.frombuffer(left["out"], "<u8").reshape(reference.shape)
            wrong = [(int(row), int(at)) for row, at in np.argwhere(found != reference)]
            message = [(at, hex(int(reference[at])), hex(int(found[at]))) for at in wrong[:4]]
            assert not wrong, (engine.name, getattr(engine, "width", ""), each is simpler, message)


@pytest.mark.parametrize(
    ("size", "type", "flow"),
    products(SIZES, [I32, F32], FLOWS),
    ids=lambda each: getattr(each, "__name__", None) or str(each),
)
def test_every_flow(size: int, type: Type, flow: Flow) -> None:
    group = max(8, size)
    program = Program(type, size, group, False, FLUSH_32)
    flow(program)
    compared(program, 2 * group)


@pytest.mark.parametrize(("size", "type"), products(SIZES, TYPES), ids=str)
def test_every_type(size: int, type: Type) -> None:
    group = max(8, size)
    program = Program(type, size, group, False, KEEP, all_=True)
    with program.b.when(program.bit(1)):
        program.results()
    compared(program, 2 * group)


@pytest.mark.parametrize(("size", "group"), products(SIZES, [1, 6, 40, 100, 130]))
def test_partial_waves(size: int, group: int) -> None:
    program = Program(F32, size, group, False, KEEP)
    divergent(program)
    compared(program, 2 * group)


@pytest.mark.parametrize("helpers", [False, True], ids=["alone", "helpers"])
@pytest.mark.parametrize("lanes", [4, 132])
@pytest.mark.parametrize("size", SIZES)
def test_helper_and_discarded_lanes(size: int, lanes: int, helpers: bool) -> None:
    """They participate only if the operation says so, and have a result in any case."""
    program = Program(I32, size, 0, helpers, FLUSH_32)
    divergent(program)
    program.b.discard(program.bit(8))
    program.results(2)
    compared(program, lanes, tuple(number % 5 == 1 for number in range(lanes)))
