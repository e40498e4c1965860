"""Compilation of kernels to programs: a step for each operation, made once.

    %5 = fmul %3, %4          r[1] = multiply(r[2], r[1])        a step is a function that has
    %8 = fadd %5, %7          r[1] = add(r[1], r[3])             the numbers of its registers

Regions are compiled from their end, so the last use of a value is seen first: it takes a register
there, and gives it back at its definition. Constants have separate registers. A program that is
recorded keeps every result in its own register, and reports each operation to the batch's watcher.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from ...dataclass import dataclass
from ...errors import UnsupportedError
from ...garbage_collection import uncollected
from ...ir.kernel import Block, If, KernelIR, Loop, Region, Switch, Value, leaves, regions
from ...ir.ops import OPS
from ...ir.sources import SOURCES
from . import control
from .control import CodeSegment, RegionCode, Step
from .effects import EFFECTS, OperationSite, pure_step, recorded_step, writing_step
from .lanes import ActiveLanes, LaneValues
from .operations import UFUNCS, Pure, constant, conversion, function
from .ramps import RAMPED, ramped
from .strip_code import loop_strips

NOWHERE = 0  # the register of results that nothing reads
# Operations that may return an operand, or a view of it.
ALIASES = frozenset({OPS.asint, OPS.bitcast, OPS.asfloat, OPS.fcanonicalise, OPS.select})


@dataclass(slots=True)
class LaneProgram:
    """A compiled kernel.

    constants     the registers as they are at first: constants, and None
    registers     the register of each result, if the program is recorded
    most_values   the greatest number of results that are in use at once
    """

    body: RegionCode
    constants: list[LaneValues]
    registers: dict[Value, int]
    most_values: int


@uncollected
def compile_kernel(kernel: KernelIR, *, recorded: bool = False) -> LaneProgram:
    """Return the program of a prepared kernel.

    Raises:
        UnsupportedError: The kernel contains an operation that engines do not support.
    """
    compiler = LaneCompiler(kernel, recorded)
    body, _ = compiler.region(kernel.body)
    registers = compiler.registers if recorded else {}
    return LaneProgram(body, compiler.constants, registers, compiler.most)


class AliveValues:
    """The values that the code after a place uses, and a log of the changes from the end on.

    Going backward, a positive number in the log is a register that becomes live, and the complement
    of a number is a register that becomes dead.
    """

    __slots__ = ("_registers", "log")

    def __init__(self) -> None:
        self._registers: dict[Value, int] = {}
        self.log: list[int] = []

    def __contains__(self, value: Value) -> bool:
        return value in self._registers

    def values(self) -> Iterable[Value]:
        """Return the values."""
        return self._registers

    def use(self, value: Value, register: int) -> None:
        """Add a value."""
        if value not in self._registers:
            self._registers[value] = register
            self.log.append(register)

    def end(self, value: Value) -> None:
        """Remove a value."""
        self.log.append(~self._registers.pop(value))


class LaneCompiler:
    """The state of a compilation, which runs from the end of the kernel to its beginning."""

    def __init__(self, kernel: KernelIR, recorded: bool) -> None:
        self.recorded = recorded
        self.constants: list[LaneValues] = [None]
        self.registers: dict[Value, int] = {}
        self.most = 0
        self._free: defaultdict[str, list[int]] = defaultdict(list)
        self._constants: dict[tuple[str, int], int] = {}
        self._places: dict[object, int] = {}
        self._accesses: Counter[object] = Counter()  # how many have the same places
        self._ramps: set[Value] = set()
        self._shared: set[Value] = set()  # operands that a result or variable may refer to
        self._own: set[Value] = set()  # the results of the current region
        self._as_float: dict[Value, Value] = {}  # loads, and their results as floats
        self._writes = 0  # to memory, after the current operation
        self._last_use: dict[Value, int] = {}  # how many writes follow it
        self._around: list[Loop | Switch | Block] = []
        self._again: list[range] = []  # for each loop around: the places of the values in it
        self._outside = LoopOperands(kernel)
        for value in kernel.values():
            op = value.op
            if op is OPS.source:
                if not SOURCES[value.attr].shared:
                    self._ramps.add(value)
            elif op in RAMPED:
                if not self._ramps.isdisjoint(value.args):
                    self._ramps.add(value)
            elif op is OPS.load or op is OPS.store:
                self._accesses[_place_key(value)] += 1
            elif op in ALIASES or op is OPS.set:
                self._shared.update(value.args)

    # ------------------------------------------------------------ registers

    def _register(self, array: str) -> int:
        """Return a free register, preferably one that keeps the same arrays."""
        free = self._free[array]
        if free:
            return free.pop()
        self.constants.append(None)
        self.most += 1
        return len(self.constants) - 1

    def _constant(self, value: Value) -> int:
        """Return the register of a constant."""
        key = value.type.name, value.attr
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = len(self.constants)
            self.constants.append(constant(value.attr, value.type))
        return found

    def _use(self, value: Value, alive: AliveValues) -> int:
        """Return the register of an operand."""
        found = self.registers.get(value)
        if found is None:
            if value.op is OPS.const:
                return self._constant(value)
            found = self.registers[value] = self._register(self._array_of(value))
            self._last_use[value] = self._writes
        alive.use(value, found)
        return found

    def _result(self, value: Value, alive: AliveValues) -> int:
        """Return the register of a result, which is free before the operation."""
        if self.recorded:
            found = self.registers.get(value)
            if found is None:
                found = self.registers[value] = self._register("")
            if value in alive:
                alive.end(value)
            return found
        if value not in alive:
            return NOWHERE
        alive.end(value)
        found = self.registers[value]
        self._free[self._array_of(value)].append(found)
        return found

    # ------------------------------------------------------------ structure

    def region(self, region: Region) -> tuple[RegionCode, AliveValues]:
        """Return the code of a region, and the values from outside that it uses."""
        alive = AliveValues()
        segments = [CodeSegment()]
        around = self._own
        own = {each for each in region if isinstance(each, Value)}
        for statement in reversed(_reachable(region)):
            self._own = own
            if isinstance(statement, Value):
                step = self._operation(statement, alive)
                if step is not None:
                    segments[-1].steps.append(step)
                continue
            mark = len(alive.log)
            self._writes += 1
            segments.append(CodeSegment([], self._construct(statement, alive), mark))
            self._writes += 1
        if not segments[0].steps:
            del segments[0]
        for segment in segments:
            segment.steps.reverse()
        segments.reverse()
        self._own = around
        return RegionCode(segments, tuple(alive.log)), alive

    def _inside(self, region: Region, alive: AliveValues) -> RegionCode:
        """Return the code of a region of a construct, and note the values that it uses."""
        code, used = self.region(region)
        for value in used.values():
            self._use(value, alive)
        return code

    def _construct(self, statement: If | Loop | Switch | Block, alive: AliveValues) -> Step:
        if isinstance(statement, If):
            otherwise = self._inside(statement.otherwise, alive)
            then = self._inside(statement.then, alive)
            return control.branch(self._use(statement.condition, alive), then, otherwise)
        self._around.append(statement)
        if isinstance(statement, Loop):
            for value in self._outside.of(statement):  # kept through all iterations
                self._use(value, alive)
            self._again.append(self._outside.spans[statement])
            body = self._inside(statement.body, alive)
            self._again.pop()
            strips = None if self.recorded else loop_strips(statement, self.registers)
            made = control.loop(statement, body, strips.run if strips is not None else None)
        elif isinstance(statement, Switch):
            cases = [self._inside(case.body, alive) for case in reversed(statement.cases)]
            chosen = self._use(statement.value, alive)
            made = control.switch(statement, chosen, cases[::-1])
        else:
            made = control.block(statement, self._inside(statement.body, alive))
        self._around.pop()
        return made

    # ------------------------------------------------------------ operations

    def _operation(self, value: Value, alive: AliveValues) -> Step | None:
        """Return the step of an operation; None if it has no effect and no use."""
        op = value.op
        if op.pure and value not in alive and not self.recorded:
            return None
        if op is OPS.store or op.atomic:
            self._writes += 1
        if op is OPS.load and value in self._as_float:
            return self._load_float(value, self._as_float.pop(value), alive)
        if op is OPS.asfloat and self._is_load(value.args[0], alive):
            self._as_float[value.args[0]] = value
            return None
        last_use = self._last_use.get(value, -1)
        out = self._result(value, alive)
        pure = function(op, value.type)
        if pure is not None:
            step = self._pure(value, pure, out, alive)
            if op in ALIASES:
                self._keep(value, last_use)
        else:
            args = tuple([self._use(each, alive) for each in value.args])
            read = last_use == self._writes and not self.recorded
            if op is OPS.set:
                self._keep(value, -1)
            step = self._effect(
                OperationSite(value, args, out, value.type, self._memo(value), read)
            )
        return recorded_step(step, value, out) if self.recorded else step

    def _pure(self, value: Value, pure: Pure, out: int, alive: AliveValues) -> Step:
        """Return the step of a pure operation."""
        args = tuple([self._use(each, alive) for each in value.args])
        if not self._ramps.isdisjoint(value.args):
            return pure_step(ramped(value.op, pure), args, out)
        if out != NOWHERE and self._array_of(value):
            return writing_step(value.op, pure, args, out)
        return pure_step(pure, args, out)

    def _array_of(self, value: Value) -> str:
        """Return the type of the arrays that the register of a result keeps; "" for none.

        The array of such a result is not referred to elsewhere, so the register's next result is
        written into the same array.
        """
        if self.recorded or value.op not in UFUNCS:
            return ""
        if value in self._shared or value in self._ramps:
            return ""
        return value.type.name

    def _effect(self, site: OperationSite) -> Step:
        """Return the step of an operation that is not pure."""
        op = site.value.op
        if op in (OPS.break_, OPS.continue_, OPS.exit):
            return control.leave(op, self._outward(site.value))
        if op is OPS.return_:
            return control.end
        effect = EFFECTS.get(op)
        if effect is None:
            raise UnsupportedError(f"the lockstep engine does not support {op.name}")
        return effect(site)

    def _is_load(self, value: Value, alive: AliveValues) -> bool:
        """Return True if a value is loaded in this region, and nothing later uses its bits."""
        if self.recorded or value.op is not OPS.load:
            return False
        return value in self._own and value not in alive and value not in self._as_float

    def _load_float(self, value: Value, result: Value, alive: AliveValues) -> Step:
        """Return the step of a load whose bits are used as a float."""
        read = self._last_use[result] == self._writes and value not in alive
        out = self._result(result, alive)
        again = self._result(value, alive)
        args = tuple([self._use(each, alive) for each in value.args])
        memo = self._memo(value)
        step = EFFECTS[OPS.load](OperationSite(value, args, out, result.type, memo, read))
        if again == NOWHERE:
            return step
        bits = pure_step(conversion(OPS.asint, value.type), (out,), again)

        def both(active: ActiveLanes) -> None:
            step(active)
            bits(active)

        return both

    def _keep(self, value: Value, last_use: int) -> None:
        """Note that the operands are in use as long as the result of an operation."""
        for each in value.args:
            if each in self._last_use:
                self._last_use[each] = min(self._last_use[each], last_use)

    def _memo(self, value: Value) -> int | None:
        """Return the register that keeps the places of an access; None to compute them each time.

        Operands are kept as long as the lanes, since they must not be computed twice.
        """
        if value.op is not OPS.load and value.op is not OPS.store:
            return None
        key = _place_key(value)
        if self._again:
            places = self._outside.places
            if any(places.get(each, -1) in self._again[-1] for each in value.args[:2]):
                return None
        elif self._accesses[key] == 1:
            return None
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = len(self.constants)
            self.constants.append(None)
            self.most += 2
        return found

    def _outward(self, value: Value) -> int:
        """Return how far outward the construct is that an operation leaves; 1 is the innermost."""
        for outward, statement in enumerate(reversed(self._around), 1):
            if leaves(value, statement):
                return outward
        raise UnsupportedError(f"{value.op.name} outside of a construct")


def _place_key(value: Value) -> object:
    """Return the values that the places of an access depend on."""
    element, byte = value.args[:2]
    size = value.type.size if value.op is OPS.load else value.args[2].type.size
    return (value.attr, size, _identity(element), _identity(byte))


def _identity(value: Value) -> object:
    return value.attr if value.op is OPS.const else value


def _reachable(region: Region) -> Region:
    """Return the statements of a region up to the first that ends it."""
    for number, statement in enumerate(region):
        if isinstance(statement, Value) and statement.op.ends:
            return region[: number + 1]
    return region


class LoopOperands:
    """The operands of each loop that are computed outside of it."""

    def __init__(self, kernel: KernelIR) -> None:
        self.places: dict[Value, int] = {}  # in the order of the text
        self.spans: dict[Loop, range] = {}  # the places in each loop
        self._operands: dict[Loop, tuple[Value, ...]] = {}
        self._region(kernel.body)

    def of(self, loop: Loop) -> tuple[Value, ...]:
        """Return the operands, each once; constants are left out."""
        return self._operands[loop]

    def _region(self, region: Region) -> dict[Value, None]:
        """Return the operands of everything in a region, conditions included."""
        found: dict[Value, None] = {}
        for statement in region:
            if isinstance(statement, Value):
                self.places[statement] = len(self.places)
                given = statement.args
            elif isinstance(statement, If):
                given = (statement.condition,)
            else:
                given = (statement.value,) if isinstance(statement, Switch) else ()
            for value in given:
                if value.op is not OPS.const:
                    found[value] = None
            first = len(self.places)
            for inner in regions(statement):
                within = self._region(inner)
                if isinstance(statement, Loop):
                    span = self.spans[statement] = range(first, len(self.places))
                    within = {each: None for each in within if self.places[each] not in span}
                    self._operands[statement] = tuple(within)
                found.update(within)
        return found
