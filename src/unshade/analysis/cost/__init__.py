"""`unshade.cost`: exact counts of a program's operations, its chains and its live registers.

    found = unshade.cost(shader)
    found.units                operations of each unit that a lane runs, least and most
    found.blocks               straight runs of operations, with the trips of their loops
    found.peak.registers       the most registers that are live at once

The counts cover the operations of the intermediate representation after simplification (constants,
copies and dead code are gone), the same for every format. The counts do not model a GPU: no
operation has a duration, and there is no score. `unshade.run.cost` measures costs that depend on
data.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import UnsupportedError
from ...ir.kernel import KernelIR, Value
from ...ir.memory import Var
from ...ir.ops import OPS
from ...ir.simplify import simplify
from ...ir.specialisation import Specialisation
from ...program import Program
from ...shader import Shader
from ...tuples import NamedTuple
from .blocks import CostBlock, CostBranch, LoopTrips, blocks_of
from .chains import Chain, dependency_chain, sample_chain
from .live import RegisterLiveness, control_graph, registers_of
from .units import CostUnit, units_of

__all__ = [
    "Chain", "CostBlock", "CostUnit", "LiveValue", "LoopTrips", "RegisterPeak", "ShaderCost",
    "UnitCount", "cost", "cost_of_kernel",
]  # fmt: skip


class UnitCount(NamedTuple):
    """Operations of a unit: in the code, and of a lane that runs it."""

    static: int
    least: int
    most: int | None  # None: a loop has an unknown number of turns


class LiveValue(NamedTuple):
    """A live value or variable: its name, 32-bit registers, and the place of its definition."""

    name: str
    registers: int
    line: int


class RegisterPeak(NamedTuple):
    """The place where most registers are live: line, number, and the live values."""

    line: int
    registers: int
    values: Sequence[LiveValue]


class ShaderCost(NamedTuple):
    """The counts of a program.

    Attributes:
        entry: The entry point.
        units: By unit, in the order of the units.
        blocks: In program order.
        chain: The longest chain of operations that wait for each other.
        samples: The longest chain of samples that depend on samples.
        live: The most registers that are live at each line with an operation.
        peak: The place with the most.
    """

    entry: str
    units: Mapping[CostUnit, UnitCount]
    blocks: Sequence[CostBlock]
    chain: Chain
    samples: Chain
    live: Mapping[int, int]
    peak: RegisterPeak

    @property
    def loops(self) -> list[LoopTrips]:
        """The loops, each once, in program order."""
        return list(dict.fromkeys(each for block in self.blocks for each in block.loops))

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return {
            "entry_point": self.entry,
            "units": {str(unit): each._asdict() for unit, each in self.units.items()},
            "blocks": [
                {
                    "lines": list(each.lines),
                    "least": each.least,
                    "most": each.most,
                    "loops": [loop.line for loop in each.loops],
                    "units": {str(unit): count for unit, count in units_of(each.values).items()},
                }
                for each in self.blocks
            ],
            "loops": [
                {"line": each.line, "most": each.most, "exact": each.exact} for each in self.loops
            ],
            "chain": self.chain._asdict(),
            "dependent_samples": self.samples._asdict(),
            "live": {str(line): count for line, count in self.live.items()},
            "peak": {
                "line": self.peak.line,
                "registers": self.peak.registers,
                "values": [each._asdict() for each in self.peak.values],
            },
        }


def cost(shader: Shader, program: int = 0, entry: str | None = None) -> ShaderCost:
    """Return the counts of a program of a shader.

    Args:
        shader: A shader whose code can be run.
        program: The number of the program in `shader.programs`.
        entry: The entry point, if the program has several.

    Raises:
        UnsupportedError: The shader has no such program, or it cannot be lowered.
        UsageError: The entry point is not named, or unknown.
    """
    programs = shader.programs
    if not 0 <= program < len(programs):
        raise UnsupportedError(f"expected a program with number {program}, got {len(programs)}")
    chosen: Program[Any] = programs[program]
    name, _ = chosen.checked_entry(entry)
    # How many resources an array has does not change the operations that choose one of them.
    kernel = chosen.lower(name, Specialisation(assumed=1)).kernel
    simplify(kernel)
    return cost_of_kernel(kernel, name)


def cost_of_kernel(kernel: KernelIR, entry: str = "main") -> ShaderCost:
    """Return the counts of a kernel as it is."""
    blocks = blocks_of(kernel)
    live, peak = _live(kernel)
    return ShaderCost(
        entry, _units(blocks), blocks, dependency_chain(kernel), sample_chain(kernel), live, peak
    )


def _units(blocks: Sequence[CostBlock]) -> dict[CostUnit, UnitCount]:
    """Add up the operations of blocks, multiplied by how often they run."""
    found = _added(blocks, 0)
    return {unit: found[unit] for unit in CostUnit if unit in found}


def _added(blocks: Sequence[CostBlock], depth: int) -> dict[CostUnit, UnitCount]:
    """Add up blocks that are in the same `depth` branches; of others a lane takes one."""
    found: dict[CostUnit, UnitCount] = {}
    choices: dict[int, dict[CostBranch, list[CostBlock]]] = {}
    for block in blocks:
        if len(block.branches) > depth:
            branch = block.branches[depth]
            choices.setdefault(branch.construct, {}).setdefault(branch, []).append(block)
            continue
        for unit, count in units_of(block.values).items():
            most = None if block.most is None else count * block.most
            _add(found, unit, UnitCount(count, count * block.taken, most))
    for branches in choices.values():
        counts = [_added(inside, depth + 1) for inside in branches.values()]
        first = next(iter(branches))
        for unit in {unit: None for each in counts for unit in each}:
            each = [one[unit] for one in counts if unit in one]
            static = sum(x.static for x in each) if first.stated else max(x.static for x in each)
            least = min(x.least for x in each) if len(each) == first.of else 0
            known = [x.most for x in each if x.most is not None]
            most = max(known) if len(known) == len(each) else None
            _add(found, unit, UnitCount(static, least, most))
    return found


def _add(found: dict[CostUnit, UnitCount], unit: CostUnit, more: UnitCount) -> None:
    old = found.get(unit, UnitCount(0, 0, 0))
    most = None if old.most is None or more.most is None else old.most + more.most
    found[unit] = UnitCount(old.static + more.static, old.least + more.least, most)


def _live(kernel: KernelIR) -> tuple[dict[int, int], RegisterPeak]:
    """Return the most live registers of each line, and the peak."""
    graph = control_graph(kernel)
    live = RegisterLiveness(graph)
    counts: dict[int, int] = {}
    peak, most = 0, -1
    for node, value in enumerate(graph.nodes):
        if value is None:
            continue
        registers = live.registers[node]
        if value.line:
            counts[value.line] = max(counts.get(value.line, 0), registers)
        if registers > most:
            peak, most = node, registers
    if most < 0:
        return {}, RegisterPeak(0, 0, ())
    made: dict[Var, int] = {}
    is_before = True
    for value in kernel.values():
        if value.op is OPS.set and (is_before or value.attr not in made):
            made[value.attr] = value.line
        is_before = is_before and value is not graph.nodes[peak]
    described = [_described(each, made) for each in live.after(peak)]
    values = sorted(described, key=lambda each: (each.line, each.name))
    at = graph.nodes[peak]
    return dict(sorted(counts.items())), RegisterPeak(0 if at is None else at.line, most, values)


def _described(held: Value | Var, made: Mapping[Var, int]) -> LiveValue:
    size = registers_of([held])
    if isinstance(held, Var):
        return LiveValue(held.name, size, made.get(held, 0))
    names = held.label.names if held.label is not None else ()
    label = str(names[0]) if names else ""
    return LiveValue(label or held.op.name, size, held.line)
