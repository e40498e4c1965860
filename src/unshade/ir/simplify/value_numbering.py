"""Value numbering, constant folding and forwarding of variables in one forward pass.

    set @a, %1
    %2 = get @a              %2 is %1
    %3 = iadd %2, i32 0      so is %3
    %4 = iadd %5, %1
    %6 = iadd %1, %5         %6 is %4
    if true { … }            replaced by its statements

The program of a single lane is sequential: a variable has its last assigned value if all paths
agree. Operations that read other lanes (quad_swap, the level of a sample) or writable memories are
not merged.
"""

from typing import Any

from ...dataclass import dataclass, field
from ..analysis.fact_maps import FactMap, changes, differences
from ..analysis.flow import AssignedVariables
from ..analysis.ranges import ValueRange, everything, exactly, range_of
from ..builder import constant
from ..fold import fold
from ..kernel import (
    Block,
    Case,
    If,
    KernelIR,
    Loop,
    Region,
    Statement,
    Switch,
    Value,
    leaves,
    regions,
)
from ..locations import SourceLocation
from ..memory import Memory, Space, Var, byte_offset
from ..ops import OPS, Op
from ..textures import Action, Level
from ..types import BOOL, FLOATS, I32, INTEGERS, Type
from .identities import COMMUTE, simple
from .matching import same

__all__ = ["number_values"]

Env = FactMap[Var, Value]
MOST = 12  # nested rule applications for one operation


def number_values(kernel: KernelIR) -> None:
    """Simplify the statements of a kernel, in place."""
    walker = ValueNumbering(kernel)
    start: Env = FactMap(kernel.variables)
    for var in kernel.variables:
        start[var] = constant(0, var.type)
    body, _ = walker.region(kernel.body, start)
    if body and isinstance(body[-1], Value) and body[-1].op is OPS.return_:
        body.pop()
    kernel.body[:] = body


@dataclass(slots=True)
class RebuiltRegion:
    """A region being rebuilt, and the facts that hold only inside."""

    out: Region = field(default_factory=list)
    keys: list[object] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    facts: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class ConstructExits:
    """An enclosing loop, switch or block: the variables at its exits."""

    statement: Statement
    left: list[Env] = field(default_factory=list)
    continues: int = 0


class ValueNumbering:
    """The pass over one kernel."""

    def __init__(self, kernel: KernelIR) -> None:
        self.kernel = kernel
        self.instead: dict[Value, Value] = {}
        self.table: dict[object, Value] = {}  # available values, by operation and operands
        self.order: dict[Value, int] = {}
        self.ranges: dict[Value, ValueRange] = {}
        self.facts: dict[Value, Value] = {}  # conditions known in this region
        self.visible: set[Value] = set()
        self.scopes: list[RebuiltRegion] = []
        self.around: list[ConstructExits] = []
        self.assigned = AssignedVariables()
        self.line = 0
        self.location: SourceLocation | None = None
        self.depth = 0

    # ------------------------------------------------------------ regions

    def region(
        self, region: Region, env: Env, condition: Value | None = None, holds: bool = True
    ) -> tuple[Region, Env | None]:
        """Rebuild a region; return it and the variables at its end, None if unreachable."""
        scope = RebuiltRegion()
        self.scopes.append(scope)
        if condition is not None:
            self._fact(condition, holds)
        end = self._statements(region, env)
        self.scopes.pop()
        for key in scope.keys:
            del self.table[key]
        for fact in scope.facts:
            del self.facts[fact]
        self.visible.difference_update(scope.values)
        return scope.out, end

    def _statements(self, region: Region, env: Env) -> Env | None:
        found: Env | None = env
        for statement in region:
            if found is None:
                return None
            if isinstance(statement, Value):
                self.line, self.location = statement.line, statement.location
                if statement.op.ends:
                    self._leave(statement, found)
                    return None
                self._value(statement, found)
                continue
            match statement:
                case If():
                    found = self._if(statement, found)
                case Loop():
                    found = self._loop(statement, found)
                case Switch():
                    found = self._switch(statement, found)
                case Block():
                    found = self._block(statement, found)
        return found

    def _inline(self, region: Region) -> None:
        """Append the statements of a rebuilt region to the current region."""
        scope = self.scopes[-1]
        scope.out.extend(region)
        for statement in region:
            if isinstance(statement, Value):
                self.visible.add(statement)
                scope.values.append(statement)

    def _merged(self, before: Env, ways: "list[Env | None]") -> Env | None:
        """Return the variables after a join of paths that began with the variables `before`."""
        given = [each for each in ways if each is not None]
        if not given:
            return None
        found = given[0].fork()
        for var, _, value in differences(before, given[0]):
            if value is not None and value.op is not OPS.const and value not in self.visible:
                found[var] = None
        for var, one, other in changes(given):
            if one is None or other is None or not same(one, other):
                found[var] = None
        return found

    def _fact(self, condition: Value, holds: bool) -> None:
        """Note that a condition is known until the end of the region."""
        if condition.op is OPS.const or condition in self.facts:
            return
        self.facts[condition] = constant(holds, BOOL)
        self.scopes[-1].facts.append(condition)
        op = condition.op
        if op is OPS.not_:
            self._fact(condition.args[0], not holds)
        elif op is (OPS.and_ if holds else OPS.or_):
            for each in condition.args:
                self._fact(each, holds)

    # ------------------------------------------------------------ constructs

    def _if(self, statement: If, env: Env) -> Env | None:
        condition = self.operand(statement.condition)
        if condition.op is OPS.const:
            chosen = statement.then if condition.attr else statement.otherwise
            return self._statements(chosen, env)
        line, location = statement.line, statement.location
        then, after_then = self.region(statement.then, env.fork(), condition)
        otherwise, after_otherwise = self.region(
            statement.otherwise, env.fork(), condition, holds=False
        )
        if not then and not otherwise:
            return env
        self.line, self.location = line, location
        if after_then is None or (after_otherwise is None and otherwise):
            # The side that does not leave continues after the if: less nesting.
            gone, stay = (then, otherwise) if after_then is None else (otherwise, then)
            if after_then is not None:
                condition = self.make(OPS.not_, condition)
            self.scopes[-1].out.append(If(condition, gone, [], line, location))
            if after_then is None and after_otherwise is None:
                self._inline(stay)
                return None
            self._fact(condition, False)
            self._inline(stay)
            return self._merged(env, [after_otherwise if after_then is None else after_then])
        if not then:
            condition = self.make(OPS.not_, condition)
            then, otherwise = otherwise, then
        self.scopes[-1].out.append(If(condition, then, otherwise, line, location))
        return self._merged(env, [after_then, after_otherwise])

    def _loop(self, loop: Loop, env: Env) -> Env | None:
        inner = env.fork()
        for var in self.assigned.of(loop):
            inner[var] = None
        around = ConstructExits(loop)
        self.around.append(around)
        body, end = self.region(loop.body, inner)
        self.around.pop()
        last = body[-1].op if body and isinstance(body[-1], Value) else None
        if last is OPS.continue_:
            body.pop()
        if end is None and not around.continues and len(around.left) <= (last is OPS.break_):
            if last is OPS.break_:
                body.pop()
            self._inline(body)
            return self._merged(env, list(around.left))
        self.scopes[-1].out.append(Loop(body, loop.line, loop.location))
        return self._merged(env, list(around.left))

    def _switch(self, switch: Switch, env: Env) -> Env | None:
        value = self.operand(switch.value)
        mask = value.type.mask
        around = ConstructExits(switch)
        self.around.append(around)
        ways: list[Env | None] = []
        cases = []
        defaults = [case for case in switch.cases if case.default]
        labels = [{label & mask for label in case.labels} for case in switch.cases]
        named = value.op is OPS.const and any(value.attr in each for each in labels)
        for case, own in zip(switch.cases, labels, strict=True):
            if value.op is OPS.const and value.attr not in own and (named or not case.default):
                continue
            body, end = self.region(case.body, env.fork())
            ways.append(end)
            if body and isinstance(body[-1], Value) and body[-1].op is OPS.break_:
                body.pop()
                ways.append(around.left.pop())
            cases.append(Case(case.labels, case.default, body))
        self.around.pop()
        if value.op is OPS.const and len(cases) <= 1 and not around.left:
            if not cases:
                return env
            self._inline(cases[0].body)
            return self._merged(env, ways)
        if all(not case.body for case in cases):
            return env
        if not defaults and value.op is not OPS.const:
            ways.append(env)
        if value.op is OPS.const:
            cases[0].default = True
        made = Switch(value, cases, switch.line, switch.location, switch.branch)
        self.scopes[-1].out.append(made)
        return self._merged(env, [*ways, *around.left])

    def _block(self, block: Block, env: Env) -> Env | None:
        _trim(block.body, block)
        around = ConstructExits(block)
        self.around.append(around)
        body, end = self.region(block.body, env.fork())
        self.around.pop()
        if not around.left:
            self._inline(body)
            return end
        block.body[:] = body
        self.scopes[-1].out.append(block)
        return self._merged(env, [end, *around.left])

    def _leave(self, value: Value, env: Env) -> None:
        self.scopes[-1].out.append(value)
        for around in reversed(self.around):
            if leaves(value, around.statement):
                if value.op is OPS.continue_:
                    around.continues += 1
                else:
                    around.left.append(env.fork())
                return

    # ------------------------------------------------------------ operations

    def operand(self, value: Value) -> Value:
        """Return the replacement of a value here."""
        value = self.instead.get(value, value)
        return self.facts.get(value, value)

    def _operands(self, args: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return the replacements of operands."""
        instead, facts = self.instead, self.facts
        args = tuple([instead.get(each, each) for each in args])
        return tuple([facts.get(each, each) for each in args]) if facts else args

    def _value(self, value: Value, env: Env) -> None:
        op = value.op
        args = self._operands(value.args)
        if op is OPS.get:
            found = env.get(value.attr)
            if found is None:
                env[value.attr] = self._emit(value)
            else:
                self.instead[value] = found
        elif op is OPS.set:
            found = env.get(value.attr)
            if found is None or not same(found, args[0]):
                env[value.attr] = args[0]
                self._emit(value, args)
        elif mergeable(value):
            made = self.make(op, *args, type=value.type, attr=value.attr, old=value)
            if made is not value:
                self.instead[value] = made
                if made.label is None and made.op is not OPS.const:
                    made.label = value.label
        elif op is not OPS.discard or args[0].attr != 0:
            made = self._emit(value, args)
            if made is not value:
                self.instead[value] = made

    def _emit(self, value: Value, args: tuple[Value, ...] | None = None) -> Value:
        if args is not None and args != value.args:
            value = value.with_args(args, value.attr)
        scope = self.scopes[-1]
        scope.out.append(value)
        if value.type.kind != "v":
            self.order[value] = len(self.order)
            self.visible.add(value)
            scope.values.append(value)
        return value

    def make(
        self,
        op: Op,
        *args: Value,
        type: Type | None = None,
        attr: Any = None,
        old: Value | None = None,
    ) -> Value:
        """Append an operation, simplified, or reuse a value; `old` is reused if it is unchanged."""
        type = type or result(op, args)
        if op is OPS.load:
            found = _from_table(attr, args, type)
            if found is not None:
                return found
        elif args and args[0].op is OPS.const and all(each.op is OPS.const for each in args):
            typed = tuple((each.attr, each.type) for each in args)
            bits = fold(op, type, typed, self.kernel.flush)
            if bits is not None:
                return constant(bits, type)
        if op in COMMUTE and self._after(*args):
            args = args[::-1]
        self.depth += 1
        try:
            if self.depth < MOST:
                found = simple(self, op, type, args)
                if found is not None:
                    return self.facts.get(found, found)
        finally:
            self.depth -= 1
        key = (op, type.name, attr, *[_key(each) for each in args])
        known = self.table.get(key)
        if known is not None:
            return self.facts.get(known, known)
        if old is None or args != old.args:
            old = Value(op, type, args, attr, self.line, self.location)
        self.table[key] = old
        self.scopes[-1].keys.append(key)
        return self._emit(old)

    def const(self, number: int, type: Type) -> Value:
        """Return a constant."""
        return constant(number, type)

    def range(self, value: Value) -> ValueRange:
        """Return the range of an integer."""
        if value.op is OPS.const:
            return exactly(value.attr, value.type)
        known = self.ranges.get(value)
        if known is not None:
            return known
        waiting = [value]
        while waiting:  # the operands first
            each = waiting[-1]
            if each.op is OPS.const or each.type.kind not in "ib" or each in self.ranges:
                waiting.pop()
                continue
            missing = [
                arg
                for arg in each.args
                if arg.op is not OPS.const and arg.type.kind in "ib" and arg not in self.ranges
            ]
            if missing:
                waiting += missing
            else:
                self.ranges[each] = range_of(each, self.ranges, self.kernel.group)
                waiting.pop()
        return self.ranges.get(value) or everything(value.type)

    def _after(self, a: Value, b: Value) -> bool:
        """Return True if operands are out of order; constants come second."""
        if a.op is OPS.const:
            return b.op is not OPS.const
        return b.op is not OPS.const and self.order[b] < self.order[a]


def _trim(region: Region, block: Block) -> None:
    """Remove exits at the end of their block."""
    todo = [region]
    while todo:
        last = todo[-1][-1] if todo[-1] else None
        if isinstance(last, Value) and leaves(last, block):
            todo[-1].pop()
            continue
        todo.pop()
        if isinstance(last, If | Switch | Block):
            todo.extend(regions(last))


def result(op: Op, args: tuple[Value, ...]) -> Type:
    """Return the result type of an operation without an explicit type."""
    match op.result:
        case "b":
            return BOOL
        case "I":
            return I32
        case "~i":
            return INTEGERS[args[0].type.bits]
        case "~f":
            return FLOATS[args[0].type.bits]
        case letter:
            return args[op.operands.index(letter)].type


def mergeable(value: Value) -> bool:
    """Return True if the result depends on the operands only, not on the position."""
    if value.op is OPS.load:
        memory: Memory = value.attr
        return not memory.writable and memory.space in (Space.CONSTANT, Space.TABLE, Space.BUFFER)
    if value.op is OPS.sample:  # its level may depend on other active lanes
        sample = value.attr
        return sample.action is not Action.LOD and sample.level not in (Level.AUTO, Level.BIAS)
    return value.op.pure


def _key(value: Value) -> object:
    return (value.type.name, value.attr) if value.op is OPS.const else value


def _from_table(memory: Memory, args: tuple[Value, ...], type: Type) -> Value | None:
    """Return the constant loaded from a table at constant addresses, else None."""
    if memory.space is not Space.TABLE or any(each.op is not OPS.const for each in args):
        return None
    at = byte_offset(memory, memory.count or 0, args[0].attr, args[1].attr, type.size)
    if at is None:
        return constant(0, type)
    return constant(int.from_bytes(memory.data[at : at + type.size], "little"), type)
