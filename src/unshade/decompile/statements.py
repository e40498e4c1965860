"""Statements: the items of a program as lines of source.

    set r5.x %1, set r5.y %2          r5.xy = …;
    if { … continue }                 if (…) { …; continue; }
    exit of a block in a loop         left = true; break;    and behind the loop    if (left) break;

A block is a `do … while (false)`. A jump that leaves several constructs sets a flag, and each
construct on its way is followed by a test of the flag.
"""

from collections.abc import Sequence
from typing import Protocol

from ..dataclass import dataclass, field
from ..ir.kernel import Block, If, Loop, Statement, Switch, Value
from ..ir.ops import OPS
from .expressions import Expressions, refused
from .interface import EntryParameter
from .names import DecompiledNames
from .operations import SOURCE_OPS
from .placement import ValuePlacement
from .tree import (
    Assign,
    BranchLine,
    Choice,
    Define,
    Evaluate,
    JumpLine,
    Leave,
    Line,
    Once,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
    swizzle,
)
from .vectors import Construct, Group, Item

__all__ = ["Effects", "StatementMaker"]

BOOL = TermType(ScalarKind.BOOL)


class Effects(Protocol):
    """The part of a target that writes statements about resources."""

    def store(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines of stores."""

    def atomic(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines of an atomic operation."""

    def stream(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines that append a vertex to a stream, or end a strip."""

    def point(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines that set components of a control point or of the patch."""

    def group(self, made: Expressions, group: Group) -> Line:
        """Return the line that sets the counts of a thread group, or launches groups."""

    def barrier(self, group: Group) -> SourceExpression:
        """Return the call of a barrier."""


@dataclass(slots=True)
class _Open:
    """An open construct that `break` can leave, and the flags that tell it was left by a jump."""

    statement: Statement
    flags: list[tuple[str, Statement, Leave]] = field(default_factory=list)


class StatementMaker:
    """Makes the lines of a program."""

    def __init__(
        self, made: Expressions, placement: ValuePlacement, effects: Effects, names: DecompiledNames
    ) -> None:
        self.made = made
        self.placement = placement
        self.effects = effects
        self.names = names
        self.flags: list[str] = []
        self._open: list[_Open] = []

    def region(self, items: Sequence[Item]) -> list[Line]:
        """Return the lines of a region."""
        found: list[Line] = []
        for item in items:
            found += self._group(item) if isinstance(item, Group) else self._construct(item)
        return found

    # ------------------------------------------------------------ values and effects

    def _group(self, group: Group) -> list[Line]:
        first = group.first
        op = first.op
        line = first.line
        made = self.made
        if op.atomic:
            return self.effects.atomic(made, group)
        match op:
            case OPS.set:
                return self._set(group)
            case OPS.output:
                return self._output(group)
            case OPS.store:
                return self.effects.store(made, group)
            case SOURCE_OPS.emit | SOURCE_OPS.cut:
                return self.effects.stream(made, group)
            case SOURCE_OPS.point:
                return self.effects.point(made, group)
            case SOURCE_OPS.counts | SOURCE_OPS.launch:
                return [self.effects.group(made, group)]
            case OPS.barrier:
                return [Evaluate(self.effects.barrier(group), line)]
            case OPS.discard:
                condition = made.scalar(first.args[0])
                leave = JumpLine(Leave.DISCARD, line)
                if first.args[0].op is OPS.const:
                    return [leave] if first.args[0].attr else []
                return [BranchLine(condition, [leave], [], line)]
            case OPS.return_:
                return [JumpLine(Leave.RETURN, line)]
            case OPS.break_ | OPS.continue_ | OPS.exit:
                return self._leave(first)
            case OPS.message:
                return [Evaluate(made.message(first), line)]
        if group.name:
            return [Define(group.name, made.type_of(group), made.computed(group), line)]
        return []

    def _set(self, group: Group) -> list[Line]:
        variable = self.made.variables[group.first.attr]
        type = self.made.variable_type(variable)
        lanes = sorted(group.lanes, key=lambda lane: variable.component(lane.attr))
        components = tuple(variable.component(lane.attr) for lane in lanes)
        target = swizzle(name(variable.name, type), components)
        value = self.made.pack([lane.args[0] for lane in lanes], type.kind)
        return [Assign(target, value, group.first.line)]

    def _output(self, group: Group) -> list[Line]:
        """Return the assignments of a register's components, one for each parameter in it."""
        found: list[Line] = []
        parts: dict[EntryParameter, list[tuple[int, Value]]] = {}
        for lane in group.lanes:
            parameter, at = self.made.interface.of[lane.attr]
            parts.setdefault(parameter, []).append((at, lane.args[0]))
        for parameter, lanes in parts.items():
            ordered = sorted(lanes, key=lambda each: each[0])
            whole = name(parameter.name, parameter.type)
            target = swizzle(whole, tuple(at for at, _ in ordered))
            value = self.made.pack([each for _, each in ordered], parameter.type.kind)
            found.append(Assign(target, value, group.first.line))
        return found

    # ------------------------------------------------------------ constructs

    def _construct(self, item: Construct) -> list[Line]:
        statement = item.statement
        match statement:
            case If():
                condition = self.made.scalar(statement.condition)
                then, otherwise = (self.region(each) for each in item.inner)
                return [BranchLine(condition, then, otherwise, statement.line)]
            case Loop():
                body, after = self._inside(statement, item.inner[0])
                return [Repeat(body, line=statement.line), *after]
            case Block():
                body, after = self._inside(statement, item.inner[0])
                return [Once(body, statement.line), *after]
            case Switch():
                return self._switch(statement, item)
        raise refused("a construct", 0)

    def _switch(self, statement: Switch, item: Construct) -> list[Line]:
        self._open.append(_Open(statement))
        signed = self.made.pack([statement.value])
        mask = statement.value.type.mask
        cases: list[tuple[tuple[int | None, ...], list[Line]]] = []
        for case, inner in zip(statement.cases, item.inner, strict=True):
            body = self.region(inner)
            if not body or not isinstance(body[-1], JumpLine):
                body.append(JumpLine(Leave.BREAK))
            labels: list[int | None] = [each & mask for each in case.labels]
            cases.append(((*labels, None) if case.default else tuple(labels), body))
        after = self._after(self._open.pop())
        value = (
            signed
            if signed.type.kind is not ScalarKind.FLOAT
            else self.made.cast(signed, ScalarKind.INT)
        )
        return [Choice(value, cases, statement.line, statement.branch), *after]

    def _inside(self, statement: Statement, items: Sequence[Item]) -> tuple[list[Line], list[Line]]:
        self._open.append(_Open(statement))
        body = self.region(items)
        return body, self._after(self._open.pop())

    def _after(self, left: _Open) -> list[Line]:
        """Return the tests that continue jumps which leave several constructs."""
        found: list[Line] = []
        for flag, target, how in left.flags:
            clear = Assign(name(flag, BOOL), literal((0,), BOOL))
            inner: list[Line] = [clear] if self._is_direct(target, how) else []
            inner += self._jump(target, how, flag)
            found.append(BranchLine(name(flag, BOOL), inner))
        return found

    def _leave(self, value: Value) -> list[Line]:
        how = Leave.CONTINUE if value.op is OPS.continue_ else Leave.BREAK
        for each in reversed(self._open):
            statement = each.statement
            kinds = {
                OPS.break_: (Loop, Switch), OPS.continue_: (Loop,), OPS.exit: (Block,),
            }[value.op]  # fmt: skip
            if isinstance(statement, kinds) and value.op is not OPS.exit:
                return self._jump(statement, how, "")
            if statement is value.attr:
                return self._jump(statement, how, "")
        raise refused("a jump without a construct", value.line)

    def _jump(self, target: Statement, how: Leave, flag: str) -> list[Line]:
        """Return the lines that jump to the end or the start of a construct."""
        if self._is_direct(target, how):
            return [JumpLine(how)]
        known = next((name for name, *to in self._open[-1].flags if to == [target, how]), "")
        found: list[Line] = []
        if not flag:
            flag = known or self.names.unique("leave")
            if flag not in self.flags:
                self.flags.append(flag)
            found.append(Assign(name(flag, BOOL), literal((1,), BOOL)))
        if not known:
            self._open[-1].flags.append((flag, target, how))
        return [*found, JumpLine(Leave.BREAK)]

    def _is_direct(self, target: Statement, how: Leave) -> bool:
        """Return True if a plain `break` or `continue` here refers to a construct."""
        for each in reversed(self._open):
            if each.statement is target:
                return True
            if how is Leave.BREAK or not isinstance(each.statement, Switch):
                return False
        return False
