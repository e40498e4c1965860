"""Kernels split at barriers, and values that are used across them.

    %1 = …                    segment: for each chunk of the group
    barrier
    loop {                    construct of the group: once for all its chunks
      … barrier …
    }

A construct belongs to the group if it contains a barrier. Inside such a loop, switch or block, so
do statements by which lanes leave it. All lanes of the group must take the same way there, as
Direct3D requires; if that cannot be proved, the kernel is left to the lockstep engine.
"""

from ...errors import UnsupportedError
from ...ir.analysis.flow import EarlyExits
from ...ir.analysis.uniformity import UNIFORM, VARYING, uniformity
from ...ir.barriers import waits_for_group
from ...ir.kernel import If, KernelIR, Loop, Region, Statement, Switch, Value, regions
from ...ir.memory import Var
from ...ir.ops import OPS
from ...ir.sources import SOURCES
from ...ir.types import VOID
from .layout import has_barrier

GET, SET = OPS.get, OPS.set
# Cheaper to compute again than to keep in memory, and analyses know more about the result.
REMATERIALISED = frozenset({
    OPS.iadd, OPS.isub, OPS.imul, OPS.ineg, OPS.and_, OPS.or_, OPS.xor, OPS.not_, OPS.ishl,
    OPS.ushr, OPS.ishr, OPS.umin, OPS.umax, OPS.imin, OPS.imax, OPS.ieq, OPS.ine, OPS.ilt, OPS.ile,
    OPS.ult, OPS.ule,
})  # fmt: skip
MAX_DEPTH = 6  # longest chain of operations that is computed again


def is_barrier(statement: Statement) -> bool:
    """Return True for a barrier of the thread group."""
    return (
        isinstance(statement, Value)
        and statement.op is OPS.barrier
        and waits_for_group(statement.attr)
    )


class SegmentSplitter:
    """A splitter of regions; caches the exits and barriers of statements."""

    def __init__(self) -> None:
        self.leaves = EarlyExits()
        self._barriers: dict[Statement, bool] = {}

    def of_group(self, statement: Statement, leaves: bool) -> bool:
        """Return True if a statement belongs to the group.

        `leaves`: the region is in a loop or switch of the group, which a break may leave.
        """
        if is_barrier(statement):
            return True
        kinds = self.leaves.kinds(statement)
        if OPS.exit in kinds or (leaves and kinds & {OPS.break_, OPS.continue_}):
            return True
        if isinstance(statement, Value):
            return False
        found = self._barriers.get(statement)
        if found is None:
            found = self._barriers[statement] = has_barrier([statement])
        return found

    def segments(self, region: Region, leaves: bool) -> "list[Region | Statement]":
        """Split a region into segments, and statements of the group between them."""
        found: list[Region | Statement] = []
        run: Region = []
        for statement in region:
            if not self.of_group(statement, leaves):
                run.append(statement)
                continue
            if run:
                found.append(run)
                run = []
            if not is_barrier(statement):
                found.append(statement)
        if run:
            found.append(run)
        return found


def inner_regions(statement: Statement, leaves: bool) -> list[tuple[Region, bool]]:
    """Return the regions of a group construct, and if each is inside a loop or switch."""
    leaves = leaves or isinstance(statement, Loop | Switch)
    return [(region, leaves) for region in regions(statement)]


def check_convergence(kernel: KernelIR) -> None:
    """Raise UnsupportedError if lanes of a group may diverge and then reach a barrier."""
    sources = dict.fromkeys(SOURCES, VARYING)
    for word in ("thread_group_id", "group_count"):
        for axis in "xyz":
            sources[f"{word}.{axis}"] = UNIFORM
    found = uniformity(kernel, sources)
    splitter = SegmentSplitter()

    def look(region: Region, leaves: bool) -> None:
        for part in splitter.segments(region, leaves):
            if isinstance(part, list):
                continue
            if part in found.divergent:
                line = f"at line {part.line}, " if part.line else ""
                raise UnsupportedError(
                    f"{line}lanes that share a barrier may diverge; the lockstep engine runs it"
                )
            for each, within in inner_regions(part, leaves):
                look(each, within)

    look(kernel.body, False)


def spill_values(kernel: KernelIR) -> None:
    """Replace values that are used outside of their own segment by variables or copies.

    Cheap integer operations on sources are computed again, everything else becomes a variable.
    """
    SegmentSpiller(kernel).run()


class SegmentSpiller:
    """A pass that finds the segment of each value and the segments of its uses."""

    def __init__(self, kernel: KernelIR) -> None:
        self.kernel = kernel
        self.splitter = SegmentSplitter()
        self.segment = 0
        self.home: dict[Statement, int] = {}
        self.of_group: set[Statement] = set()
        self.spilled: dict[Value, Var] = {}
        self.rematerialisable: dict[Value, bool] = {}

    def run(self) -> None:
        """Run the pass."""
        self._outside(self.kernel.body, False)
        self._region(self.kernel.body, {})
        self.kernel.variables += self.spilled.values()
        if self.spilled:
            self._sets(self.kernel.body)

    def _sets(self, region: Region) -> None:
        """Insert a set after each spilled value."""
        old = region[:]
        region.clear()
        for statement in old:
            region.append(statement)
            if isinstance(statement, Value):
                var = self.spilled.get(statement)
                if var is not None:
                    region.append(Value(SET, VOID, (statement,), var, statement.line))
            for each in regions(statement):
                self._sets(each)

    def _outside(self, region: Region, leaves: bool) -> None:
        for part in self.splitter.segments(region, leaves):
            self.segment += 1
            if isinstance(part, list):
                self._inside(part)
                continue
            self.home[part] = self.segment
            self.of_group.add(part)
            for each, within in inner_regions(part, leaves):
                self._outside(each, within)

    def _inside(self, region: Region) -> None:
        for statement in region:
            self.home[statement] = self.segment
            for each in regions(statement):
                self._inside(each)

    def _region(self, region: Region, made: dict[tuple[int, Value], Value]) -> None:
        """Replace operands in a region; `made` are the copies that are available before it."""
        old = region[:]
        region.clear()
        made = dict(made)
        for statement in old:
            if isinstance(statement, Value):
                args = [self._operand(arg, statement, region, made) for arg in statement.args]
                statement.args = tuple(args)
                region.append(statement)
                continue
            if isinstance(statement, If):
                statement.condition = self._operand(statement.condition, statement, region, made)
            elif isinstance(statement, Switch):
                statement.value = self._operand(statement.value, statement, region, made)
            region.append(statement)
            for each in regions(statement):
                self._region(each, made)

    def _operand(
        self,
        value: Value,
        statement: Statement,
        region: Region,
        made: dict[tuple[int, Value], Value],
    ) -> Value:
        """Return the copy of a value that a statement can use in its segment."""
        here = self.home.get(statement, 0)
        if value.op is OPS.const or self.home[value] == here:
            return value
        known = made.get((here, value))
        if known is not None:
            return known
        if statement not in self.of_group and self._rematerialisable(value, 0):
            args = tuple(self._operand(arg, statement, region, made) for arg in value.args)
            found = value.with_args(args, value.attr)
        else:
            var = self.spilled.get(value)
            if var is None:
                var = self.spilled[value] = Var(f"kept{len(self.spilled)}", value.type)
            found = Value(GET, value.type, (), var, value.line)
        region.append(found)
        self.home[found] = here
        made[here, value] = found
        return found

    def _rematerialisable(self, value: Value, depth: int) -> bool:
        """Return True if a value consists of a few plain integer operations on sources."""
        op = value.op
        if op in (OPS.source, OPS.const):
            return True
        if op not in REMATERIALISED or depth > MAX_DEPTH:
            return False
        found = self.rematerialisable.get(value)
        if found is None:
            found = all(self._rematerialisable(arg, depth + 1) for arg in value.args)
            self.rematerialisable[value] = found
        return found
