"""Variables for expressions that several lines, or several places of a line, repeat.

    d = dot(float3(t, p.z), float3(t, p.z));          float3 t_1 = float3(t, p.z);
    if (d > 1.0) {                                    d = dot(t_1, t_1);
        n = float3(t, p.z) * rsqrt(d);        ->      if (d > 1.0) {
    }                                                     n = t_1 * rsqrt(d);
                                                      }

An operation of the program that several others use has a variable by its placement. What is left
are vectors of several values, which are no operations, and what a program computes several times.

The variable is defined before the first line that evaluates the expression itself, and stands for
the expression in this line, and in those behind it of the same block and of the blocks inside, as
far as no line between assigns to what the expression reads. The expression is pure, and reads no
memory that the program writes. It gets a variable if the text becomes shorter.
"""

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from typing import TypeAlias

from ..dataclass import dataclass, field, replace
from .names import DecompiledNames
from .operations import PLACED
from .rewriting import replaced, rewrite_own
from .selection import NON_UNIFORM
from .structure import expressions_of, inner_lines, trailing_test
from .tree import (
    Assign,
    BranchLine,
    Define,
    Line,
    NodeForm,
    Repeat,
    SourceExpression,
    TermType,
    name,
)

__all__ = ["name_repeated"]

LEAST = 5  # tokens of an expression that gets a variable
GAIN = 2  # tokens by which the text becomes shorter
DEFINITION = 4  # tokens beside the expression: type, name, `=` and `;`
# Values that are made of values, which may have a variable; others are places, or have effects.
COMPUTED = frozenset({
    NodeForm.CONSTRUCT, NodeForm.BITS, NodeForm.CONVERT, NodeForm.CALL, NodeForm.PRODUCT,
})  # fmt: skip
READ = frozenset({
    NodeForm.LITERAL, NodeForm.NAME, NodeForm.SWIZZLE, NodeForm.INDEX, NodeForm.MEMBER,
    NodeForm.LINE,
})  # fmt: skip
# Tokens beside the operands, at least; a comma between operands is counted apart.
TOKENS = {
    NodeForm.CONSTRUCT: 3, NodeForm.BITS: 3, NodeForm.CONVERT: 3, NodeForm.CALL: 3,
    NodeForm.PRODUCT: 3, NodeForm.SWIZZLE: 2, NodeForm.INDEX: 2, NodeForm.MEMBER: 2,
    NodeForm.LINE: 2, NodeForm.LITERAL: 1, NodeForm.NAME: 1,
}  # fmt: skip
SEPARATED = frozenset({NodeForm.CONSTRUCT, NodeForm.CALL, NodeForm.PRODUCT})

Key: TypeAlias = "tuple[object, TermType, Hashable, tuple[int, ...]]"


def name_repeated(lines: list[Line], names: DecompiledNames) -> None:
    """Define variables for expressions that lines repeat, in place."""
    text = _Text()
    text.block(lines, ())
    made = _Variables(text, names)
    for number in text.repeated():
        made.add(number)
    made.write(lines)


@dataclass(slots=True, eq=False)
class _Span:
    """The numbers of the first and last line of a block or loop, with the lines inside them."""

    start: int
    end: int = 0


@dataclass(slots=True, eq=False)
class _Site:
    """A line, its number, and the block and loops around the evaluation of its expressions.

    With `leads`, a variable may be defined before the line.
    """

    line: Line
    at: int
    block: _Span
    loops: tuple[_Span, ...]
    leads: bool


@dataclass(slots=True, eq=False)
class _Occurrence:
    """An expression in a line, and the expression around it, if that may get a variable, too."""

    value: SourceExpression
    place: _Site
    around: "_Occurrence | None"
    number: int = 0  # in the order of the text, an expression behind its parts
    gone: bool = False  # a variable stands in its place


@dataclass(slots=True, eq=False)
class _Known:
    """The size in tokens of equal expressions, the names that they read, and their uses."""

    size: int
    reads: frozenset[str]
    uses: list[_Occurrence] = field(
        default_factory=list
    )  # none for an expression that gets no variable


class _Text:
    """The lines of a source, numbered in the order of the text, and the expressions in them."""

    def __init__(self) -> None:
        self.known: list[_Known] = []
        self.numbers: dict[int, int] = {}  # in `known`, of expressions by their identity
        self.changes: dict[str, list[int]] = {}  # the numbers of the lines that assign to a name
        self.written: set[str] = set()  # memories of which the program writes elements
        self._count = 0
        self._uses = 0
        self._by_key: dict[Key, int] = {}

    def repeated(self) -> list[int]:
        """Return the numbers of the expressions with several uses, the largest first."""
        found = [
            number for number, each in enumerate(self.known)
            if len(each.uses) > 1 and each.size >= LEAST
            and each.reads and not each.reads & self.written
        ]  # fmt: skip
        return sorted(found, key=lambda number: -self.known[number].size)

    def is_changed(self, known: _Known, since: int, use: _Occurrence) -> bool:
        """Return True if what an expression reads changes between a line and a use behind it."""
        loop = next((each for each in use.place.loops if each.start >= since), None)
        until = use.place.at if loop is None else loop.end + 1
        for word in known.reads:
            places = self.changes.get(word, ())
            at = bisect_left(places, since)
            if at < len(places) and places[at] < until:
                return True
        return False

    # ------------------------------------------------------------ lines

    def block(
        self,
        lines: Sequence[Line],
        loops: tuple[_Span, ...],
        leads: bool = True,
        passed: "Line | None" = None,
    ) -> None:
        """Collect the expressions of a block, but not that of the line `passed` itself."""
        block = _Span(self._count + 1)
        for line in lines:
            self._count += 1
            if isinstance(line, Repeat):
                self._loop(line, block, loops)
                continue
            if line is not passed:
                self._line(_Site(line, self._count, block, loops, leads))
            for inner in inner_lines(line):
                self.block(inner, loops, leads=not _is_chained(line, inner))
        block.end = self._count

    def _loop(self, line: Repeat, block: _Span, loops: tuple[_Span, ...]) -> None:
        loop = _Span(self._count)
        loops = (*loops, loop)
        self._line(_Site(line, self._count, block, loops, True))
        for each in (line.first, line.step):
            if each is not None:
                self._count += 1
                self._line(_Site(each, self._count, block, loops, False))
        # A definition in the body would keep the test from standing behind it.
        tested = line.body[-1] if trailing_test(line) is not None else None
        self.block(line.body, loops, passed=tested)
        loop.end = self._count

    def _line(self, place: _Site) -> None:
        line = place.line
        if isinstance(line, Define):
            self.changes.setdefault(line.name, []).append(place.at)
        if isinstance(line, Assign):
            self._assigned(line.target, place.at)
        for each in expressions_of(line):
            is_target = isinstance(line, Assign) and each is line.target
            self._value(each, place, None, is_target)

    def _assigned(self, target: SourceExpression, at: int) -> None:
        is_variable = True
        while target.args:
            is_variable &= target.op is NodeForm.SWIZZLE
            target = target.args[0]
        word = str(target.attr)
        if is_variable:
            self.changes.setdefault(word, []).append(at)
        else:
            self.written.add(word)

    # ------------------------------------------------------------ expressions

    def _value(
        self, value: SourceExpression, place: _Site, around: _Occurrence | None, is_place: bool
    ) -> int | None:
        """Return the number of an expression, whose parts are collected; None if it is not pure."""
        op = value.op
        if op is NodeForm.BYTES:  # targets write addresses in units of their own
            return None
        if op is NodeForm.ATOMIC:
            self._assigned(value.args[0], place.at)
        computes = op in COMPUTED if isinstance(op, NodeForm) else op.pure and not op.convergent
        use = _Occurrence(value, place, around) if computes and not is_place else None
        parts: list[int] = []
        for at, each in enumerate(value.args):
            inner = _is_place(value, at) or (is_place and op is NodeForm.SWIZZLE)
            number = self._value(each, place, use or around, inner)
            if number is not None:
                parts.append(number)
        pure = (computes or op in READ) and value.attr != NON_UNIFORM
        if not pure or len(parts) < len(value.args):
            return None
        number = self._number(value, (*parts,))
        if use is not None:
            self._uses += 1
            use.number = self._uses
            self.known[number].uses.append(use)
            self.numbers[id(value)] = number
        return number

    def _number(self, value: SourceExpression, parts: tuple[int, ...]) -> int:
        attr = value.attr
        key = value.op, value.type, attr if isinstance(attr, str | tuple) else repr(attr), parts
        number = self._by_key.get(key)
        if number is None:
            number = self._by_key[key] = len(self.known)
            inside = [self.known[each] for each in parts]
            reads = frozenset[str]().union(*(each.reads for each in inside))
            if value.op is NodeForm.NAME:
                reads = frozenset((str(attr),))
            self.known.append(_Known(_tokens(value) + sum(each.size for each in inside), reads))
        return number


def _is_chained(line: Line, inner: Sequence[Line]) -> bool:
    """Return True for the lines of an `else if`, which a definition would take apart."""
    return (
        isinstance(line, BranchLine) and inner is line.otherwise
        and len(inner) == 1 and isinstance(inner[0], BranchLine)
    )  # fmt: skip


def _is_place(value: SourceExpression, at: int) -> bool:
    """Return True for an operand that is a variable or resource, or a part of one."""
    op = value.op
    if op is NodeForm.TEXTURE:
        return value.attr.roles[at] in ("texture", "sampler")
    if op is NodeForm.PRODUCT:
        return at == 1
    if isinstance(op, NodeForm):
        return at == 0 and op not in COMPUTED and op is not NodeForm.SWIZZLE
    return at == 0 and op in PLACED


def _tokens(value: SourceExpression) -> int:
    """Return the tokens of an expression without its operands, at least."""
    op, count = value.op, len(value.args)
    if op is NodeForm.LITERAL and len(value.attr) > 1:
        return 2 * len(value.attr) + 2
    if isinstance(op, NodeForm):
        return TOKENS[op] + (count - 1 if op in SEPARATED and count else 0)
    return max(1, count - 1)


class _Variables:
    """The variables that are made, and the lines that they are written in."""

    def __init__(self, text: _Text, names: DecompiledNames) -> None:
        self.text = text
        self.names = names
        # By the identity of the line: what is defined before it, and the variables.
        self._before: dict[int, list[tuple[_Occurrence, SourceExpression]]] = {}
        self._in: dict[int, dict[int, SourceExpression]] = {}  # by the expression's number

    def add(self, number: int) -> None:
        """Make variables for an expression."""
        known = self.text.known[number]
        uses = [each for each in known.uses if not _is_gone(each)]
        at = 0
        while at + 1 < len(uses):
            first, count = uses[at], self._reached(known, uses, at)
            whole = self._defined_by(first)
            less = (count - 1) * known.size - count - (0 if whole else DEFINITION)
            if count < 2 or less < GAIN:
                at += 1
                continue
            line = first.place.line
            label = name("" if whole is None else whole.name, first.value.type)
            if whole is None:
                self._before.setdefault(id(line), []).append((first, label))
            for each in uses[at : at + count]:
                each.gone = each is not first
                if each.gone or whole is None:
                    self._in.setdefault(id(each.place.line), {})[number] = label
            at += count

    def _reached(self, known: _Known, uses: Sequence[_Occurrence], at: int) -> int:
        """Return the number of uses that a variable before the line of the first can stand for."""
        first = uses[at].place
        end = at
        while (
            first.leads and end < len(uses) and uses[end].place.at <= first.block.end
            and not self.text.is_changed(known, first.at, uses[end])
        ):  # fmt: skip
            end += 1
        return end - at

    def _defined_by(self, use: _Occurrence) -> Define | None:
        """Return the definition of a variable whose value, at any time, an expression is."""
        line = use.place.line
        if not isinstance(line, Define) or line.value is not use.value:
            return None
        once = len(self.text.changes[line.name]) == 1
        return line if once and line.type == use.value.type else None

    def write(self, lines: list[Line]) -> None:
        """Write the variables, and their definitions, in a block."""
        found: list[Line] = []
        for line in lines:
            labels = self._in.get(id(line), {})
            waiting = sorted(self._before.get(id(line), ()), key=lambda each: each[0].number)
            for first, label in waiting:
                label.attr = self.names.mark()
                args = tuple(self._with(each, labels) for each in first.value.args)
                value = replace(first.value, args=args)
                found.append(Define(label.attr, label.type, value, line.line))
            steps = [line.first, line.step] if isinstance(line, Repeat) else []
            for each in (line, *steps):
                if each is not None:
                    self._write_own(each)
            for inner in inner_lines(line):
                self.write(inner)
            found.append(line)
        lines[:] = found

    def _write_own(self, line: Line) -> None:
        labels = self._in.get(id(line))
        line.names = None
        if labels:
            rewrite_own(line, lambda each: labels.get(self.text.numbers.get(id(each), -1)))

    def _with(
        self, value: SourceExpression, labels: dict[int, SourceExpression]
    ) -> SourceExpression:
        return replaced(value, lambda each: labels.get(self.text.numbers.get(id(each), -1)))


def _is_gone(use: _Occurrence) -> bool:
    """Return True if a variable stands for an expression around a use."""
    around = use.around
    while around is not None and not around.gone:
        around = around.around
    return around is not None
