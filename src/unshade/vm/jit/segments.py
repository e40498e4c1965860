"""Bodies cut at barriers, and what lanes hold from one piece to another.

    %1 = …                    segment: for each chunk of the group
    barrier
    loop {                    construct of the group: done once for all its chunks
      … barrier …
    }

A construct belongs to the group if a barrier is inside of it, and inside of such a loop, switch or
block also if lanes leave that by it. All lanes of the group have to take the same way there, as
Direct3D asks for it; where that cannot be seen the kernel is left to the lockstep engine.
"""

from ...errors import UnsupportedError
from ...ir.analysis.flow import EarlyExits
from ...ir.analysis.uniformity import UNIFORM, VARYING, uniformity
from ...ir.kernel import If, Kernel, Loop, Region, Statement, Switch, Value, regions
from ...ir.memory import Var
from ...ir.ops import OPS
from ...ir.sources import SOURCES
from ...ir.types import VOID
from .layout import has_barrier

GET, SET = OPS.get, OPS.set
# Cheaper made again than kept in memory; and of what is made of sources more is known.
PLAIN = frozenset(
    {
        *(
            OPS.iadd,
            OPS.isub,
            OPS.imul,
            OPS.ineg,
            OPS.and_,
            OPS.or_,
            OPS.xor,
            OPS.not_,
            OPS.ishl,
            OPS.ushr,
            OPS.ishr,
        ),
        *(
            OPS.umin,
            OPS.umax,
            OPS.imin,
            OPS.imax,
            OPS.ieq,
            OPS.ine,
            OPS.ilt,
            OPS.ile,
            OPS.ult,
            OPS.ule,
        ),
    }
)
DEEP = 6  # operations one after the other


def is_barrier(statement: Statement) -> bool:
    """Whether the lanes of the group wait here."""
    return (
        isinstance(statement, Value) and statement.op is OPS.barrier and statement.attr == "group"
    )


class Cut:
    """Cuts regions; what leaves a statement is found out once."""

    def __init__(self) -> None:
        self.leaves = EarlyExits()
        self._barriers: dict[Statement, bool] = {}

    def of_group(self, statement: Statement, leaves: bool) -> bool:
        """Whether the group does the statement; `leaves`: the region is in a loop or switch that
        the group does.
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
        """Runs of statements for chunks; constructs, and what leaves them, for the group."""
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


def inner(statement: Statement, leaves: bool) -> list[tuple[Region, bool]]:
    """The regions of a construct of the group, and whether they are in a loop or switch of it."""
    leaves = leaves or isinstance(statement, Loop | Switch)
    return [(region, leaves) for region in regions(statement)]


def check_together(kernel: Kernel) -> None:
    """UnsupportedError where lanes of a group may part and then meet a barrier."""
    sources = dict.fromkeys(SOURCES, VARYING)
    for word in ("thread_group_id", "group_count"):
        for axis in "xyz":
            sources[f"{word}.{axis}"] = UNIFORM
    found = uniformity(kernel, sources)
    cut = Cut()

    def look(region: Region, leaves: bool) -> None:
        for part in cut.segments(region, leaves):
            if isinstance(part, list):
                continue
            if part in found.divergent:
                line = f"line {part.line}" if part.line else "a place"
                raise UnsupportedError(
                    f"{line} where lanes that share a barrier may part; the lockstep engine runs it"
                )
            for each, within in inner(part, leaves):
                look(each, within)

    look(kernel.body, False)


def keep_values(kernel: Kernel) -> None:
    """Values that are used in another segment than the one that makes them become variables there,
    or are made again where that is cheap.
    """
    Keeper(kernel).run()


class Keeper:
    """Finds which segment makes a value and which ones use it."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.cut = Cut()
        self.segment = 0
        self.home: dict[Statement, int] = {}
        self.of_group: set[Statement] = set()
        self.kept: dict[Value, Var] = {}
        self.cheap: dict[Value, bool] = {}

    def run(self) -> None:
        """All of it."""
        self._outside(self.kernel.body, False)
        self._region(self.kernel.body, {})
        self.kernel.variables += self.kept.values()
        if self.kept:
            self._sets(self.kernel.body)

    def _sets(self, region: Region) -> None:
        """Give the variables what the kept values are."""
        old = region[:]
        region.clear()
        for statement in old:
            region.append(statement)
            if isinstance(statement, Value):
                var = self.kept.get(statement)
                if var is not None:
                    region.append(Value(SET, VOID, (statement,), var, statement.line))
            for each in regions(statement):
                self._sets(each)

    def _outside(self, region: Region, leaves: bool) -> None:
        for part in self.cut.segments(region, leaves):
            self.segment += 1
            if isinstance(part, list):
                self._inside(part)
                continue
            self.home[part] = self.segment
            self.of_group.add(part)
            for each, within in inner(part, leaves):
                self._outside(each, within)

    def _inside(self, region: Region) -> None:
        for statement in region:
            self.home[statement] = self.segment
            for each in regions(statement):
                self._inside(each)

    def _region(self, region: Region, made: dict[tuple[int, Value], Value]) -> None:
        """Put a set behind each kept value, and what gives it before its uses; `made` are those
        that stand before the region.
        """
        old = region[:]
        region.clear()
        made = dict(made)
        for statement in old:
            if isinstance(statement, Value):
                args = [self._fetched(arg, statement, region, made) for arg in statement.args]
                statement.args = tuple(args)
                region.append(statement)
                continue
            if isinstance(statement, If):
                statement.condition = self._fetched(statement.condition, statement, region, made)
            elif isinstance(statement, Switch):
                statement.value = self._fetched(statement.value, statement, region, made)
            region.append(statement)
            for each in regions(statement):
                self._region(each, made)

    def _fetched(
        self,
        value: Value,
        statement: Statement,
        region: Region,
        made: dict[tuple[int, Value], Value],
    ) -> Value:
        """A value as a statement finds it in its own segment."""
        here = self.home.get(statement, 0)
        if value.op is OPS.const or self.home[value] == here:
            return value
        known = made.get((here, value))
        if known is not None:
            return known
        if statement not in self.of_group and self._cheap(value, 0):
            args = tuple(self._fetched(arg, statement, region, made) for arg in value.args)
            found = value.again(args, value.attr)
        else:
            var = self.kept.get(value)
            if var is None:
                var = self.kept[value] = Var(f"kept{len(self.kept)}", value.type)
            found = Value(GET, value.type, (), var, value.line)
        region.append(found)
        self.home[found] = here
        made[here, value] = found
        return found

    def _cheap(self, value: Value, depth: int) -> bool:
        """Whether a value is made of sources by a few plain operations on integers."""
        op = value.op
        if op in (OPS.source, OPS.const):
            return True
        if op not in PLAIN or depth > DEEP:
            return False
        found = self.cheap.get(value)
        if found is None:
            found = all(self._cheap(arg, depth + 1) for arg in value.args)
            self.cheap[value] = found
        return found
