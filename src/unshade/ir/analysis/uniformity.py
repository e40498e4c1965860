"""Uniformity analysis: values that are the same in all lanes, or a fixed stride apart.

    uniform      7 7 7 7                kept as a scalar
    linear(4)    8 12 16 20             kept as a base; an address of consecutive elements
    varying      3 9 1 4                kept as a vector

The engine specifies which lanes run together, and the shapes of their sources. The shape of a value
is that over the lanes active at its statement, modulo 2^bits, so linear values may wrap around
(`ranges` excludes that).

Shapes of variables follow control flow. If lanes diverge (at a varying condition) and reconverge, a
variable that was set in between is varying; so is, after a loop that lanes leave in different
iterations, a variable set in it, though it may be uniform inside. A variable has one storage, whose
shape is the join over all reads; it is also varying if a set must not affect waiting lanes
(`liveness`).

A kernel is visited until nothing changes. A chain of n variables through a loop takes n visits, so
after `MOST_VISITS` everything that is still undecided is taken to vary, which is always correct.
"""

from collections.abc import Mapping
from itertools import count

from ...dataclass import dataclass, field
from ..kernel import Block, If, KernelIR, Loop, Region, Statement, Switch, Value, leaves, regions
from ..memory import Port, Space, Var
from ..ops import OPS
from ..sources import SOURCES
from .counters import counters
from .fact_maps import FactMap, changes
from .flow import AssignedVariables
from .liveness import Liveness, liveness
from .ranges import ValueRange, operand, range_of
from .strides import LINEAR, MOST, UNIFORM, VARYING, VectorShape, join, linear, lowest, of_integer

SPECIAL = frozenset(op for op in OPS if op.atomic or op.convergent) | {
    OPS.source, OPS.input, OPS.load, OPS.quad_swap, OPS.select, OPS.is_helper,
}  # fmt: skip

MOST_VISITS = 64  # of 8,000 that were counted in real programs, the longest had 40
MOST_ROUNDS = 8  # with other shapes of the storage; of 5,000 that were counted, none had 3

__all__ = ["LINEAR", "UNIFORM", "VARYING", "Uniformity", "VectorShape", "linear", "uniformity"]


@dataclass(slots=True)
class Uniformity:
    """The result of the analysis.

    values      shapes of values; constants are not included
    variables   shapes of the storage of variables
    divergent   If and Switch with a varying condition, Loop left in different iterations; break,
                continue and exit that not all lanes take together
    liveness    liveness of the variables, for this divergence
    ranges      ranges of integers
    """

    values: dict[Value, VectorShape] = field(default_factory=dict)
    variables: dict[Var, VectorShape] = field(default_factory=dict)
    divergent: set[Statement] = field(default_factory=set)
    liveness: Liveness = field(default_factory=Liveness)
    ranges: dict[Value, ValueRange] = field(default_factory=dict)

    def of(self, value: Value) -> VectorShape:
        """Return the shape of a value or constant."""
        if value.op is OPS.const:
            return _constant(value)
        return self.values.get(value, VARYING)


def _constant(value: Value) -> VectorShape:
    return VectorShape(0, lowest(value.attr) if value.type.kind in "ib" else 1)


def uniformity(
    kernel: KernelIR,
    sources: Mapping[str, VectorShape] | None = None,
    inputs: Mapping[Port, VectorShape] | None = None,
    lanes: int = 0,
) -> Uniformity:
    """Analyse the uniformity of all values and variables.

    Args:
        kernel: the kernel.
        sources: shapes of sources by name; by default those that are not shared are varying.
        inputs: shapes of inputs; varying by default.
        lanes: number of lanes that run together, 0 if not fixed; with it `x & 15` of consecutive
            values may be linear.
    """
    forced: dict[Var, VectorShape] = {}
    known = KnownFacts(lanes)
    for rounds in count(1):
        walker = UniformityWalker(kernel, sources or {}, inputs or {}, known, forced)
        found = walker.walk()
        found.liveness = liveness(kernel, found.divergent)
        wanted = dict(forced)
        reads: list[tuple[Var, VectorShape]] = []
        for value in kernel.values():
            if value.op is OPS.get:
                shape = found.of(value)
                reads.append((value.attr, shape))
            elif value in found.liveness.masked:
                shape = VARYING
            elif value.op is OPS.set and value not in found.liveness.dead:
                shape = found.of(value.args[0])
            else:
                continue
            var = value.attr
            wanted[var] = join(wanted[var], shape) if var in wanted else shape
        for var in kernel.variables:
            wanted.setdefault(var, UNIFORM)
        # Another pass only differs if a read has a shape that the storage cannot have.
        if wanted == forced or all(join(shape, wanted[var]) == shape for var, shape in reads):
            found.variables = wanted
            _count_ranges(kernel, found)
            return found
        forced = wanted if rounds < MOST_ROUNDS else dict.fromkeys(kernel.variables, VARYING)
    raise AssertionError("unreachable")


def _count_ranges(kernel: KernelIR, found: Uniformity) -> None:
    """Compute the ranges again if shared variables are known to count up to a constant."""
    known = {
        var: between for var, between in counters(kernel).items() if found.variables[var].uniform
    }
    if not known:
        return
    ranges: dict[Value, ValueRange] = {}
    for value in kernel.values():
        if value.op is OPS.get and value.attr in known:
            ranges[value] = known[value.attr]
        elif value.type.kind in "ib":
            ranges[value] = range_of(value, ranges, kernel.group)
    found.ranges = ranges


# ---------------------------------------------------------------- flow

# What set a variable, and its shape since. It is one object, by which paths are told apart.
Env = FactMap[Var, tuple[object, VectorShape]]


@dataclass(slots=True)
class ConstructState:
    """An enclosing loop, switch or block, and the exits found so far."""

    statement: Loop | Switch | Block
    place: int  # number of constructs around it
    depth: int  # of divergence, outside of it
    left: list[Env] = field(default_factory=list)
    continued: list[Env] = field(default_factory=list)
    diverged: bool = False  # some lanes left before others
    continued_early: bool = False  # some lanes continued before others
    loops: dict[Loop, None] = field(default_factory=dict)  # left for it in different iterations


class KnownFacts:
    """Facts that all passes over a kernel share: ranges, and shapes by the shapes of operands."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.ranges: dict[Value, ValueRange] = {}
        self.constants: dict[Value, VectorShape] = {}
        self._integers: dict[Value, tuple[list[VectorShape], VectorShape]] = {}

    def constant(self, value: Value) -> VectorShape:
        """Return the shape of a constant."""
        found = self.constants.get(value)
        if found is None:
            found = self.constants[value] = _constant(value)
        return found

    def of_integer(self, value: Value, args: list[VectorShape]) -> VectorShape:
        """Return the shape of an integer operation on uniform or linear operands."""
        known = self._integers.get(value)
        if known is not None and known[0] == args:
            return known[1]
        ranges = [operand(each, self.ranges) for each in value.args]
        found = of_integer(value, args, ranges, self.lanes)
        self._integers[value] = args, found
        return found


class UniformityWalker:
    """A walker that repeats over a kernel until nothing changes."""

    def __init__(
        self,
        kernel: KernelIR,
        sources: Mapping[str, VectorShape],
        inputs: Mapping[Port, VectorShape],
        known: KnownFacts,
        forced: Mapping[Var, VectorShape],
    ) -> None:
        self.kernel = kernel
        self.sources = sources
        self.inputs = inputs
        self.known = known
        self.forced = forced
        self.found = Uniformity(ranges=known.ranges)
        self.heads: dict[Loop, dict[Var, VectorShape]] = {}
        self.assigned = AssignedVariables()
        self.constructs: list[ConstructState] = []
        # Constructs where some lanes left or continued before others.
        self.diverged: set[Statement] = set()
        self.depth = 0  # number of enclosing divergent constructs
        self.changed = False
        self.undecided = False  # loops may take any course, and what changes in them varies

    def walk(self) -> Uniformity:
        """Return the result, at the fixed point."""
        start: Env = FactMap(self.kernel.variables)
        for var in self.kernel.variables:
            start[var] = ("start", VectorShape(0, MOST))
        for visits in count(1):
            self.changed = False
            self.undecided = visits > MOST_VISITS
            self.found = Uniformity(ranges=self.found.ranges)
            self.region(self.kernel.body, start.fork())
            if not self.changed or self.undecided:
                break
        return self.found

    def region(self, region: Region, env: Env | None) -> Env | None:
        """Return the variables after the region; None if that is unreachable."""
        for statement in region:
            if env is None:
                env = FactMap(self.kernel.variables)  # unreachable: anything holds
            if isinstance(statement, Value):
                if statement.op.ends:
                    self._leave(statement, env)
                    return None
                self._value(statement, env)
                continue
            match statement:
                case If():
                    env = self._if(statement, env)
                case Loop():
                    env = self._loop(statement, env)
                case Switch():
                    env = self._switch(statement, env)
                case Block():
                    env = self._block(statement, env)
        return env

    def _meet(self, envs: "list[Env | None]", diverged: bool, at: Statement) -> Env | None:
        """Join the variables of several paths; `diverged` if lanes arrive on more than one."""
        ways = [each for each in envs if each is not None]
        if not ways:
            return None
        found = ways[0].fork()
        for var, _, other in changes(ways):
            if other is None:
                continue
            mine = found.get(var)
            if mine is None:
                found[var] = other
            elif mine is not other:
                found[var] = ((at, var), VARYING if diverged else join(mine[1], other[1]))
        return found

    def _if(self, statement: If, env: Env) -> Env | None:
        diverged = not self.found.of(statement.condition).uniform
        if diverged:
            self.found.divergent.add(statement)
        self.depth += diverged
        ways = [self.region(each, env.fork()) for each in regions(statement)]
        self.depth -= diverged
        return self._meet(ways, diverged, statement)

    def _loop(self, loop: Loop, env: Env) -> Env | None:
        changing = self.assigned.of(loop)
        head = self.heads.setdefault(loop, {})
        inner = env.fork()
        for var in changing:
            before = env.get(var)
            shape = before[1] if before is not None else UNIFORM
            known = VARYING if self.undecided else head.get(var)
            head[var] = join(known, shape) if known is not None else shape
            inner[var] = ((loop, var), head[var])
        construct = self._begin(loop)
        end = self.region(loop.body, inner)
        self._end()
        head_state = self._meet([*construct.continued, end], construct.continued_early, loop)
        if head_state is not None:
            for var in changing:
                again = head_state.get(var)
                new = join(head[var], again[1]) if again is not None else head[var]
                if new != head[var]:
                    head[var] = new
                    self.changed = True
        if construct.diverged:
            self.found.divergent.add(loop)
        after = self._meet(list(construct.left), construct.diverged, loop)
        if after is not None and construct.diverged:
            for var in changing:
                after[var] = ((loop, var, "left"), VARYING)
        return after

    def _switch(self, switch: Switch, env: Env) -> Env | None:
        diverged = not self.found.of(switch.value).uniform
        if diverged:
            self.found.divergent.add(switch)
        construct = self._begin(switch)
        self.depth += diverged
        construct.depth = self.depth
        ways = [self.region(case.body, env.fork()) for case in switch.cases]
        self.depth -= diverged
        self._end()
        if not any(case.default for case in switch.cases):
            ways.append(env)
        return self._meet([*ways, *construct.left], diverged or construct.diverged, switch)

    def _block(self, block: Block, env: Env) -> Env | None:
        construct = self._begin(block)
        end = self.region(block.body, env.fork())
        self._end()
        after = self._meet([end, *construct.left], construct.diverged, block)
        if after is not None:
            for loop in construct.loops:
                for var in self.assigned.of(loop):
                    after[var] = ((block, var), VARYING)
        return after

    def _begin(self, statement: Loop | Switch | Block) -> ConstructState:
        """Open a construct inside the open constructs."""
        construct = ConstructState(statement, len(self.constructs), self.depth)
        self.constructs.append(construct)
        return construct

    def _end(self) -> None:
        """Close the innermost construct."""
        construct = self.constructs.pop()
        if (
            construct.diverged or construct.continued_early
        ) and construct.statement not in self.diverged:
            self.diverged.add(construct.statement)
            self.changed |= any(isinstance(each.statement, Block) for each in self.constructs)

    def _leave(self, value: Value, env: Env) -> None:
        if value.op is OPS.return_:
            return
        construct = next(
            each for each in reversed(self.constructs) if leaves(value, each.statement)
        )
        inside = self.constructs[construct.place + 1 :]
        # After a switch that some lanes left, or once some continued, not all lanes are active.
        diverged = self.depth > construct.depth or construct.diverged or construct.continued_early
        diverged = diverged or any(each.diverged or each.continued_early for each in inside)
        if isinstance(construct.statement, Block):
            self._exit(value, env, construct, inside, diverged)
            return
        if diverged:
            self.found.divergent.add(value)
        if value.op is OPS.continue_:
            construct.continued.append(env.fork())
            construct.continued_early |= diverged
        else:
            construct.left.append(env.fork())
            construct.diverged |= diverged

    def _exit(
        self,
        value: Value,
        env: Env,
        block: ConstructState,
        inside: list[ConstructState],
        diverged: bool,
    ) -> None:
        """Leave a block.

        If that leaves a loop, other lanes may have left it in an earlier iteration, further down.
        """
        early = self.undecided or any(each.statement in self.diverged for each in inside)
        if diverged or early:
            self.found.divergent.add(value)
            block.diverged = True
            for each in inside:
                each.diverged = True
                if isinstance(each.statement, Loop):
                    block.loops[each.statement] = None
        block.left.append(env.fork())

    # ------------------------------------------------------------ values

    def _value(self, value: Value, env: Env) -> None:
        op, kind = value.op, value.type.kind
        ranges = self.known.ranges
        if kind in "ib" and value not in ranges:  # it follows from the operands alone
            ranges[value] = range_of(value, ranges, self.kernel.group)
        if op is OPS.set:
            env[value.attr] = (value, self._of(value.args[0]))
            return
        if kind == "v":
            return
        if op is OPS.get:
            known = env.get(value.attr)
            shape = known[1] if known is not None else UNIFORM
            if value.attr in self.forced:
                shape = join(shape, self.forced[value.attr])
        else:
            shape = self._special(value) if op in SPECIAL else self._shape(value)
        self.found.values[value] = shape

    def _of(self, value: Value) -> VectorShape:
        """Return the shape of a value or constant."""
        if value.op is OPS.const:
            return self.known.constant(value)
        return self.found.values.get(value, VARYING)

    def _shape(self, value: Value) -> VectorShape:
        """Return the shape of an operation that depends on its operands only."""
        values, known = self.found.values, self.known
        if value.type.kind != "i" or not value.args:
            for each in value.args:
                if each.op is not OPS.const and values.get(each, VARYING).stride != 0:
                    return VARYING
            return UNIFORM
        args = []
        for each in value.args:
            one = known.constant(each) if each.op is OPS.const else values.get(each, VARYING)
            if one.stride is None:
                return VARYING
            args.append(one)
        return known.of_integer(value, args)

    def _special(self, value: Value) -> VectorShape:
        """Return the shape of an operation that does not depend on its operands only."""
        op = value.op
        args = [self._of(each) for each in value.args]
        match op:
            case OPS.source:
                fixed = UNIFORM if SOURCES[value.attr].shared else VARYING
                return self.sources.get(value.attr, fixed)
            case OPS.input:
                return self.inputs.get(value.attr, VARYING)
            case OPS.load:
                own = value.attr.space is Space.LOCAL
                return UNIFORM if not own and all(each.uniform for each in args) else VARYING
            case OPS.quad_swap:
                return UNIFORM if args[0].uniform else VARYING
            case OPS.select if value.args[1] is value.args[2] and (
                value.type.kind != "i" or args[0].stride is None or args[1].stride is None
            ):
                return args[1]
            case OPS.select:
                return self._shape(value)
        return VARYING
