"""`unshade.run.cost.measure`: costs that depend on data, measured by running the program.

    found = measure(shader, lanes=1024)
    found.trips[3]             how often block 3 of `unshade.cost` ran, in lanes
    found.units                operations that the lanes ran, by unit
    found.utilisation(3)       lanes of a wave that took part when it ran, 1.0 without divergence

The program runs on seeded arguments, those of `prove`, or on the caller's. It is the simplified
program that `unshade.cost` counts, run in lockstep. Nothing is timed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..analysis.cost import CostUnit, ShaderCost, cost_of_kernel
from ..analysis.cost.units import unit_of
from ..dataclass import dataclass, field, replace
from ..ir.kernel import WAVE, KernelIR, Value
from ..ir.simplify import simplify
from ..ir.transforms.copying import copied_kernel
from ..shader import Shader
from ..tuples import NamedTuple
from ..vm.launch import Launch, Report
from ..vm.lockstep import Lockstep
from ..vm.lockstep.batch import LaneBatch
from ..vm.lockstep.lanes import ActiveLanes, LaneValues
from .execution import Execution
from .kernels import Kernel
from .lanes import Lanes
from .opening import open_kernel
from .program import RunProgram
from .proving.arguments import common
from .proving.calls import ProofPair, called

__all__ = ["MeasuredCost", "measure"]

CHANNELS = 4  # of a texel, whatever its format has
TURNS = 50_000  # of the loops of a shader: in lockstep, each takes the time of a call


class MeasuredCost(NamedTuple):
    """The measurements of a run.

    Attributes:
        counted: The counts of the program, whose blocks `trips` belong to.
        lanes: The number of lanes that ran.
        trips: How often each block ran, added over the lanes.
        units: The operations that ran, by unit, added over the lanes; without branches.
        waves: How often each block ran for a wave, with any number of its lanes.
        wave: The number of lanes of a wave.
    """

    counted: ShaderCost
    lanes: int
    trips: Sequence[int]
    units: Mapping[CostUnit, int]
    waves: Sequence[int]
    wave: int

    def utilisation(self, block: int) -> float | None:
        """Return the share of the lanes of waves that ran a block; None if it did not run.

        A wave that is not full counts with all its lanes.
        """
        ran = self.waves[block] * self.wave
        return self.trips[block] / ran if ran else None

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as plain data."""
        return {
            "lanes": self.lanes,
            "trips": list(self.trips),
            "units": {str(unit): count for unit, count in self.units.items()},
            "waves": list(self.waves),
            "wave": self.wave,
        }


def measure(
    shader: "Shader | Kernel",
    *,
    lanes: int = 256,
    seed: int = 0,
    program: int = 0,
    entry: str | None = None,
    run: Callable[[Kernel], object] | None = None,
    **options: Any,
) -> MeasuredCost:
    """Run a program and count what its lanes do.

    Args:
        shader: A shader, or a kernel of one, whose budget then counts.
        lanes: The number of lanes of a run on seeded arguments.
        seed: The seed of the arguments.
        program: The number of the program, for a shader.
        entry: The entry point, for a shader with several.
        run: A function that calls the kernel it is given, in place of seeded arguments.
        options: Fields of a specialisation, as `unshade.kernel` takes them, for a shader.

    Raises:
        UnsupportedError: The program cannot be run.
        BudgetError: A loop does not end.
    """
    if isinstance(shader, Shader):
        given = open_kernel(shader, program, entry, "lockstep", False, options)
        given.budget = TURNS
    else:
        given = shader
    lowered = given.lowered
    simple = copied_kernel(lowered.kernel)
    simplify(simple)
    counted = cost_of_kernel(simple)
    numbered, serials = _numbered(counted, simple)
    counter = _LaneCounter(len(serials) + 1)
    code = RunProgram(replace(lowered, kernel=numbered), given.reflection)
    watched = Kernel(Execution(code, Lockstep(), counter.run))
    watched.budget = given.budget
    if run is not None:
        run(watched)
    else:
        _seeded(watched, lanes, seed)
    return _measured(counted, serials, counter)


def _seeded(watched: Kernel, lanes: int, seed: int) -> None:
    """Call a kernel on the arguments of the first round of `prove`.

    Images get all channels: engines know those that a format lacks, and would not load them.
    """
    for each in watched.bindings:
        each.channels = CHANNELS
    pair = ProofPair((watched, watched), common(watched, watched), lanes, seed)
    called(watched, pair.drawn(0)[1], lanes)


def _numbered(counted: ShaderCost, kernel: KernelIR) -> tuple[KernelIR, dict[Value, int]]:
    """Return a copy whose operations have serial numbers as lines, and the number of each.

    An operation that the preparation for an engine adds for another operation has the number of
    that operation.
    """
    values = list(kernel.values())
    serials = {value: number for number, value in enumerate(values, 1)}
    made = copied_kernel(kernel)
    for number, value in enumerate(made.values(), 1):
        value.line = number
    return made, serials


@dataclass(slots=True)
class _LaneCounter:
    """A watcher that counts the lanes of the first operation of each serial number."""

    size: int
    counts: list[int] = field(default_factory=list)
    lanes: int = 0
    leaders: dict[Value, int] = field(default_factory=dict)
    waves: list[int] = field(default_factory=list)
    seen: list[KernelIR] = field(default_factory=list)

    def run(self, code: KernelIR, launch: Launch, lanes: Lanes) -> Report:
        """Run the code in lockstep, watched by this."""
        report = Lockstep().run(code, launch, self)
        self.lanes += report.lanes
        return report

    def begin(self, batch: LaneBatch) -> None:
        """Note the first operation of each serial number."""
        kernel = batch.kernel
        if any(kernel is each for each in self.seen):
            return
        self.seen.append(kernel)
        self.counts = self.counts or [0] * self.size
        self.waves = self.waves or [0] * self.size
        taken: set[int] = set()
        for value in kernel.values():
            if 0 < value.line < self.size and value.line not in taken and not value.op.ends:
                taken.add(value.line)
                self.leaders[value] = value.line

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Count one operation."""
        number = self.leaders.get(value)
        if number is not None:
            lanes = active.indices()
            self.counts[number] += len(lanes)
            self.waves[number] += len(np.unique(lanes // batch.kernel.wave))


def _measured(
    counted: ShaderCost, serials: Mapping[Value, int], counter: _LaneCounter
) -> MeasuredCost:
    counts = counter.counts or [0] * counter.size
    ran = counter.waves or [0] * counter.size
    trips, waves = [], []
    units = dict.fromkeys(CostUnit, 0)
    for block in counted.blocks:
        # A query that a binding answers does not run: the others tell how often the block does.
        numbers = [serials[each] for each in block.values if not each.op.ends]
        trips.append(max((counts[number] for number in numbers), default=0))
        waves.append(max((ran[number] for number in numbers), default=0))
        for each in block.values:
            unit = unit_of(each)
            if unit is not None and not each.op.ends:
                units[unit] += counts[serials[each]]
    found = {unit: count for unit, count in units.items() if count}
    wave = counter.seen[0].wave if counter.seen else WAVE
    return MeasuredCost(counted, counter.lanes, trips, found, waves, wave)
