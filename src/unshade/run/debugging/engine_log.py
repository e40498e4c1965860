"""The writes of one lane in another engine, which a trace shows in place of lockstep's values.

    before      %7 = fadd %5, %6
    after       %7 = fadd %5, %6
                if chosen:  log[count] = (number of the operation, %7);  count += 1

The kernel is run with a store after each operation that a trace shows as a write. The values are
those of the whole code of that engine: the stores change no result.
"""

import numpy as np

from ...dataclass import replace
from ...ir.builder import Builder
from ...ir.kernel import KernelIR, Region, Value, regions
from ...ir.memory import Space
from ...ir.ops import OPS
from ...ir.transforms.copying import copied_kernel
from ...vm.launch import Array, Launch
from ...vm.lockstep.debug.watching import is_access
from ...vocab.slots import Exchange
from ...vocab.words import SystemValue
from ..engines import Engine
from ..lanes import Lanes

__all__ = ["EngineLog", "engine_log"]

NAME = "unshade.log"
MOST = 1 << 20  # writes that are kept
WORDS = 4  # of a row: the number from 1, 0, low and high half of the value


class EngineLog:
    """The writes of one lane in order; `bits` is the value of the last operation asked for.

    `parted` is true from the first operation on that the lane does not perform in the other engine.
    """

    def __init__(self, sites: dict[Value, int], rows: Array) -> None:
        self.sites = sites
        self.rows = rows
        self.at = 0
        self.bits: int | None = None
        self.parted = False

    def advance(self, value: Value) -> bool:
        """Go to an operation of the lane; False if the other engine does not perform it."""
        self.bits = None
        site = self.sites.get(value)
        if site is None or self.parted:
            return not self.parted
        if self.at >= len(self.rows) or int(self.rows[self.at, 0]) != site + 1:
            self.parted = True
            return False
        self.bits = int(self.rows[self.at, 2]) | int(self.rows[self.at, 3]) << 32
        self.at += 1
        return True


def engine_log(
    engine: Engine, code: KernelIR, launch: Launch, lanes: Lanes, lane: int
) -> EngineLog:
    """Run a kernel in an engine, with copies of the arrays; return what a lane writes.

    Raises:
        UnsupportedError: The engine cannot run the kernel.
    """
    values = list(code.values())
    sites = {value: at for at, value in enumerate(values) if _written(value) is not None}
    kernel = _logging(code, {*sites.values()}, lanes, lane)
    log = np.zeros(MOST * WORDS, "<u4")
    memories = {key: array.copy() for key, array in launch.memories.items()}
    memories[NAME] = log.view(np.uint8)
    outputs = {key: array.copy() for key, array in launch.outputs.items()}
    engine.run(kernel, replace(launch, memories=memories, outputs=outputs))
    rows = log.reshape(-1, WORDS)
    count = int(np.argmin(rows[:, 0])) if not rows[:, 0].all() else len(rows)
    return EngineLog(sites, rows[:count].copy())


def _written(value: Value) -> Value | None:
    """Return the value that an operation writes, as a trace shows it; None if it writes none."""
    if not value.line:
        return None
    if value.op in (OPS.set, OPS.output):
        return None if value.attr.internal else value.args[0]
    if value.op is OPS.store and is_access(value):
        memory = value.attr
        return None if memory.internal or memory.key is Exchange.PRINTED else value.args[2]
    return value if value.label is not None and value.type.kind in "bif" else None


def _logging(code: KernelIR, sites: set[int], lanes: Lanes, lane: int) -> KernelIR:
    """Return a copy of a kernel that logs what a lane writes."""
    made = copied_kernel(code)
    body, made.body = made.body, []
    b = Builder(made)
    log = b.memory(NAME, Space.BUFFER, 4 * WORDS, writable=True, internal=True)
    count = b.var(NAME, internal=True)
    b.set(count, 0)
    if code.dispatched:
        axes = zip("xyz", lanes.thread(lane), strict=False)
        tests = [b.ieq(b.source(f"{SystemValue.THREAD_ID}.{axis}"), at) for axis, at in axes]
    else:
        tests = [b.ieq(b.source("item"), lane)]
    chosen = tests[0]
    for each in tests[1:]:
        chosen = b.and_(chosen, each)
    number = -1

    def logged(region: Region) -> Region:
        nonlocal number
        new: Region = []
        for statement in region:
            new.append(statement)
            if not isinstance(statement, Value):
                for inner in regions(statement):
                    inner[:] = logged(inner)
                continue
            number += 1
            written = _written(statement)
            if number not in sites or written is None:
                continue
            with b.within(new), b.when(chosen):
                at = b.get(count)
                shown = b.select(written, 1, b.i32(0)) if written.type.kind == "b" else written
                b.store(log, at, 0, b.i32(number + 1))
                b.store(log, at, 8, shown)
                b.set(count, b.iadd(at, 1))
        return new

    made.body += logged(body)
    return made
