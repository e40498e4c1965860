"""Loops that a compiler rotated: the test at the end of the body goes back to the head.

    if (0 < n) {                       i = 0;
        i = 0;                         while (i < n) {
        while (true) {                     …
            …                              i = i + 1;
            t = i + 1;         ->      }
            if (n <= t) { break; }
            i = t;
        }
    }

The test may stand at the head if it holds before the first turn: the branch around the loop tests
the same, or the numbers are known. Lines are changed, not meaning: an assignment behind the test
moves before it if nothing reads the variable after the loop, or if the leaving path has it too.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

from ..dataclass import dataclass, field
from ..ir.ops import OPS
from .rewriting import rename, replaced
from .structure import (
    ELEMENTS,
    assigned_names,
    continues,
    inner_lines,
    is_pure,
    jumps,
    mentions,
    negated,
    own_names,
    words_of,
)
from .tree import (
    Assign,
    BranchLine,
    Define,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Repeat,
    ScalarKind,
    SourceExpression,
    literal,
    text_key,
)

__all__ = ["unrotated"]

SIGNED = {OPS.ilt: True, OPS.ile: True, OPS.ult: False, OPS.ule: False}
COMPARISONS = frozenset({OPS.ieq, OPS.ine, *SIGNED})
NEAR = 64  # lines before a loop that are looked through
LESS = {ScalarKind.INT: OPS.ilt, ScalarKind.UINT: OPS.ult}
Key = tuple[object, ...]


@dataclass(slots=True)
class _Uses:
    """The lines that mention each name, and the loops that a branch with the same test is around.

    `guarded` has the counters of these loops by the identity of the loop.
    """

    variables: Container[str]
    count: Counter[str]
    guarded: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Tail:
    """The end of a body: the number and condition of the test, and the assignments of each path."""

    at: int
    condition: SourceExpression
    leaving: list[Assign]
    staying: list[Assign]

    @property
    def targets(self) -> set[str]:
        """The names that are assigned behind the test."""
        return {str(each.target.attr) for each in self.staying}


def unrotated(lines: Sequence[Line], variables: Container[str]) -> list[Line]:
    """Return lines whose loops have their test at the head, as far as it may stand there.

    Args:
        lines: The lines of the entry point, which are changed.
        variables: The names of its variables.
    """
    return _region(_Uses(variables, _counted(lines)), lines, None, once=True)


def _counted(lines: Sequence[Line]) -> Counter[str]:
    """Return the number of lines, also of those inside others, that mention each name."""
    found: Counter[str] = Counter()
    waiting = [*lines]
    while waiting:
        line = waiting.pop()
        found.update(own_names(line))
        for inner in inner_lines(line):
            waiting += inner
    return found


def _region(
    uses: _Uses, lines: Sequence[Line], guard: SourceExpression | None, once: bool
) -> list[Line]:
    """Return the lines of a block.

    `guard` is the condition of the branch around them; with `once` no loop is around them.
    """
    found: list[Line] = []
    for line in lines:
        if isinstance(line, BranchLine):
            line.then[:] = _region(uses, line.then, line.condition, once)
            line.otherwise[:] = _region(uses, line.otherwise, negated(line.condition), once)
        else:
            for inner in inner_lines(line):
                inner[:] = _region(uses, inner, None, once and not isinstance(line, Repeat))
        line.names = None
        if isinstance(line, Repeat) and line.condition is None:
            _turn(uses, line, found, guard, once)
        if isinstance(line, BranchLine) and _repeats_test(uses, line):
            found += line.then
        else:
            found.append(line)
    return found


def _repeats_test(uses: _Uses, line: BranchLine) -> bool:
    """Return True for a branch around nothing but a loop with the same test, and its counter."""
    counter = uses.guarded.get(id(line.then[-1])) if line.then and not line.otherwise else None
    return counter is not None and all(
        isinstance(each, Assign) and each.target.attr == counter for each in line.then[:-1]
    )


def _turn(
    uses: _Uses,
    loop: Repeat,
    before: Sequence[Line],
    guard: SourceExpression | None,
    once: bool,
) -> None:
    """Move the test at the end of a loop to its head, if it holds before the first turn."""
    tail = _tail(loop.body)
    if tail is None or continues(loop.body):
        return
    front = loop.body[: tail.at]
    inside = _counted([loop])
    if tail.targets & {*assigned_names(front)} or not _may_move(uses, tail, inside, before, once):
        return
    for turn in _possible(tail, front, inside, uses):
        word = str(turn.counter.attr)
        alone = uses.count[word] == inside[word]
        start = _start(() if alone else before, turn.counter, once)
        hidden = {*_defined(front)} | tail.targets - {word}
        if start is None or hidden & {*words_of(turn.condition)}:
            continue
        bound = _counting(turn, {*assigned_names(loop.body)} - {word})
        chosen = _holds_first(turn, bound, start, guard)
        if chosen is None:
            continue
        if not _known(_with(chosen, {text_key(turn.counter): start})):
            if guard is None or not _still_holds(guard, before):
                continue
            if uses.count[word] <= inside[word] + 1:  # only its first value is set outside
                uses.guarded[id(loop)] = word
        loop.condition = chosen
        loop.body[:] = _without_copies(turn.kept, turn.last)
        return


@dataclass(slots=True)
class _Turn:
    """A loop with its test at the head."""

    counter: SourceExpression
    condition: SourceExpression  # to go on
    value: SourceExpression | None  # of the next turn's counter, if one assignment steps it
    kept: list[Line]
    last: list[Assign]


def _possible(
    tail: _Tail, front: Sequence[Line], inside: Counter[str], uses: _Uses
) -> Iterator[_Turn]:
    """Yield the ways to test a counter at the head: stepped behind the test, or before it."""
    for at, step in enumerate(tail.staying):
        word = str(step.target.attr)
        if any(word in words_of(each.value) for each in tail.staying[at + 1 :]):
            continue
        value, kept = _value_of(step, front, inside, tail)
        condition = _before_turn(step, value, tail)
        if condition is not None:
            others = [each for each in tail.staying if each is not step]
            last = [*others, Assign(step.target, value, step.line)]
            yield _Turn(step.target, condition, value, kept, last)
    stepped = Counter(assigned_names(front))
    for each in front:
        if isinstance(each, Assign) and each.target.op is NodeForm.NAME:
            word = str(each.target.attr)
            if word in uses.variables and word in words_of(tail.condition):
                value_ = each.value if stepped[word] == 1 else None
                condition = negated(tail.condition)
                yield _Turn(each.target, condition, value_, [*front], tail.staying)


def _still_holds(guard: SourceExpression, before: Sequence[Line]) -> bool:
    """Return True if a condition is the same after some lines, which are looked through if few."""
    plain = len(before) <= NEAR and all(isinstance(each, Assign | Define) for each in before)
    return plain and not {*words_of(guard)} & {*assigned_names(before)}


def _tail(body: Sequence[Line]) -> _Tail | None:
    """Return the end of a body whose last branch leaves the loop; None for other bodies."""
    at = len(body) - 1
    while at >= 0 and isinstance(body[at], Assign):
        at -= 1
    branch = body[at] if at >= 0 else None
    if not isinstance(branch, BranchLine):
        return None
    condition, leaving, staying = branch.condition, branch.then, [*body[at + 1 :]]
    if branch.otherwise:
        if _breaks(branch.otherwise):
            condition, leaving, other = negated(condition), branch.otherwise, branch.then
        else:
            other = branch.otherwise
        staying = [*other, *staying]
    if not _breaks(leaving) or not is_pure(condition, ELEMENTS):
        return None
    paths: list[list[Assign]] = [[], []]
    for lines, path in zip((leaving[:-1], staying), paths, strict=True):
        for line in lines:
            whole = isinstance(line, Assign) and line.target.op is NodeForm.NAME
            if not whole or not isinstance(line, Assign) or not is_pure(line.value):
                return None
            path.append(line)
    tail = _Tail(at, condition, *paths)
    return tail if len(tail.targets) == len(tail.staying) else None


def _breaks(lines: Sequence[Line]) -> bool:
    last = lines[-1] if lines else None
    return isinstance(last, JumpLine) and last.how is Leave.BREAK


def _may_move(
    uses: _Uses, tail: _Tail, inside: Counter[str], before: Sequence[Line], once: bool
) -> bool:
    """Return True if all assignments behind the test may stand before the test."""
    staying = {str(each.target.attr): each for each in tail.staying}
    leaving = {str(each.target.attr): each for each in tail.leaving}
    for word, each in leaving.items():
        other = staying.get(word)
        if other is None or text_key(other.value) != text_key(each.value):
            return False
        if tail.targets & {*words_of(each.value)}:
            return False
    for word, each in staying.items():
        if leaving.keys() & {*words_of(each.value)} or word not in uses.variables:
            return False
        if word in leaving:
            continue
        starts = 0
        for line in before[-NEAR:] if uses.count[word] != inside[word] else ():
            if isinstance(line, Assign) and mentions(line, word):
                if line.target.attr != word or word in words_of(line.value):
                    return False
                starts += 1
        if not (starts or once) or uses.count[word] != inside[word] + starts:
            return False
    return True


def _start(
    before: Sequence[Line], counter: SourceExpression, once: bool
) -> SourceExpression | None:
    """Return the value of a variable before the first turn; None if it is not sure."""
    for line in reversed(before[-NEAR:]):
        if mentions(line, str(counter.attr)):
            whole = isinstance(line, Assign) and line.target.op is NodeForm.NAME
            if not whole or not isinstance(line, Assign) or line.target.attr != counter.attr:
                return None
            return line.value if is_pure(line.value, ELEMENTS) else None
    return literal((0,), counter.type) if once and len(before) <= NEAR else None


def _defined(lines: Sequence[Line]) -> dict[str, Define]:
    return {each.name: each for each in lines if isinstance(each, Define)}


def _value_of(
    step: Assign, front: Sequence[Line], inside: Counter[str], tail: _Tail
) -> tuple[SourceExpression, list[Line]]:
    """Return the value of a step, and the lines before the test that are still needed.

    A variable that only the step and the test use is written as its value.
    """
    value = step.value
    found = _defined(front).get(str(value.attr)) if value.op is NodeForm.NAME else None
    if found is None or found.value is None or not is_pure(found.value):
        return value, [*front]
    if {*words_of(found.value)} - {str(step.target.attr)}:
        return value, [*front]
    users = 1 + (found.name in words_of(tail.condition))
    others = inside[found.name] > users
    return found.value, [each for each in front if others or each is not found]


def _without_copies(body: Sequence[Line], assigned: Sequence[Assign]) -> list[Line]:
    """Return the lines of a body; a value that a variable gets at its end is set at once."""
    lines = [*body]
    copies: list[Assign] = []
    while lines and isinstance(last := lines[-1], Assign) and _is_copy(last):
        copies.insert(0, last)
        lines.pop()
    assigned = [*copies, *assigned]
    places = {each.name: at for at, each in enumerate(lines) if isinstance(each, Define)}
    read = Counter(word for each in assigned for word in {*words_of(each.value)})
    left: list[Line] = []
    renames: dict[str, SourceExpression] = {}
    for each in assigned:
        word, value = str(each.target.attr), each.value
        at = places.get(str(value.attr)) if value.op is NodeForm.NAME else None
        line = lines[at] if at is not None else None
        if (
            at is None or not isinstance(line, Define) or line.value is None
            or line.type != each.target.type or read[word] or read[line.name] > 1
            or any(mentions(other, word) for other in lines[at + 1 :])
            or jumps(lines[at + 1 :])
        ):  # fmt: skip
            left.append(each)
            continue
        lines[at] = Assign(each.target, line.value, line.line)
        renames[line.name] = each.target
    rename(lines, renames)
    return [*lines, *left]


def _is_copy(line: Assign) -> bool:
    return line.target.op is line.value.op is NodeForm.NAME


def _before_turn(step: Assign, value: SourceExpression, tail: _Tail) -> SourceExpression | None:
    """Return the condition to go on, of the stepped variable; None if the test has other parts."""
    word = str(step.target.attr)
    stepped = _with(tail.condition, {text_key(each): step.target for each in (step.value, value)})
    if stepped is not tail.condition and not _unstepped(tail.condition, step, value):
        return negated(stepped)
    test = tail.condition
    if test.op in (OPS.ieq, OPS.ine) and value.op is OPS.iadd:
        one, other = test.args
        same = all(text_key(each) == text_key(step.target) for each in (one, value.args[0]))
        number = value.args[1]
        if same and other.op is number.op is NodeForm.LITERAL and word not in words_of(number):
            bits = other.attr[0] + number.attr[0] & (1 << one.type.bits) - 1
            bound = literal((bits,), other.type)
            return negated(SourceExpression(test.op, test.type, (one, bound)))
    return None


def _unstepped(value: SourceExpression, step: Assign, stepped: SourceExpression) -> bool:
    """Return True if an expression has the variable of a step without the step."""
    keys = {text_key(step.value), text_key(stepped)}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if text_key(each) in keys:
            continue
        if each.op is NodeForm.NAME and each.attr == step.target.attr:
            return True
        waiting += each.args
    return False


def _with(value: SourceExpression, others: Mapping[object, SourceExpression]) -> SourceExpression:
    """Return an expression with others in place of parts, by the keys of these."""
    return replaced(value, lambda each: others.get(text_key(each)))


# ---------------------------------------------------------------- conditions


def _number(value: SourceExpression, signed: bool) -> int | None:
    """Return the number that a literal is."""
    if value.op is not NodeForm.LITERAL or len(value.attr) != 1:
        return None
    bits = int(value.attr[0])
    return bits - (1 << value.type.bits) if signed and bits >> value.type.bits - 1 else bits


def _known(condition: SourceExpression) -> bool | None:
    """Return the result of a comparison of numbers; None if it is not known."""
    if condition.op not in COMPARISONS:
        return None
    signed = SIGNED.get(condition.op, False)
    one, other = (_number(each, signed) for each in condition.args)
    if one is None or other is None:
        return None
    if condition.op in (OPS.ieq, OPS.ine):
        return (one == other) is (condition.op is OPS.ieq)
    return one < other or (one == other and condition.op in (OPS.ile, OPS.ule))


def _canonical(condition: SourceExpression) -> Key:
    """Return a key that comparisons with the same result share: `0 < n`, `1 <= n`, `n != 0`."""
    op = condition.op
    if op not in COMPARISONS:
        return (text_key(condition),)
    if op in (OPS.ieq, OPS.ine):
        return op, *sorted(map(_term, condition.args))
    signed = SIGNED[op]
    one, other = condition.args
    less = OPS.ilt if signed else OPS.ult
    below, above = (_number(each, signed) for each in (one, other))
    least = -(1 << one.type.bits - 1) if signed else 0
    if op is not less:
        if below is not None and below > least:
            return _canonical(SourceExpression(less, condition.type, (_moved(one, -1), other)))
        if above is not None and above + 1 < least + (1 << one.type.bits):
            return _canonical(SourceExpression(less, condition.type, (one, _moved(other, 1))))
        return op, _term(one), _term(other)
    if below == 0 and not signed:
        return OPS.ine, *sorted(map(_term, condition.args))
    return op, _term(one), _term(other)


def _term(value: SourceExpression) -> str:
    """Return a key of an operand, whose sign the comparison has."""
    if value.op is NodeForm.LITERAL:
        return repr(value.attr)
    return repr(text_key(value))


def _moved(value: SourceExpression, by: int) -> SourceExpression:
    return literal((value.attr[0] + by & (1 << value.type.bits) - 1,), value.type)


def _counting(turn: _Turn, changing: set[str]) -> SourceExpression | None:
    """Return the bound n of a test `i != n` of a counter that grows one by one; None for others."""
    condition, counter, value = turn.condition, turn.counter, turn.value
    if condition.op is not OPS.ine or counter.type.kind not in LESS:
        return None
    ours = [text_key(each) == text_key(counter) for each in condition.args]
    if value is None or value.op is not OPS.iadd or ours.count(True) != 1:
        return None
    if text_key(value.args[0]) != text_key(counter) or _number(value.args[1], False) != 1:
        return None
    bound = condition.args[ours.index(False)]
    steady = bound.type.kind is counter.type.kind and not changing & {*words_of(bound)}
    return bound if steady else None


def _holds_first(
    turn: _Turn,
    bound: SourceExpression | None,
    start: SourceExpression,
    guard: SourceExpression | None,
) -> SourceExpression | None:
    """Return the test of a loop, if it holds before the first turn; None if that is not known.

    `i < n` stands for `i != n` where the counter reaches its bound from below.
    """
    condition, counter = turn.condition, turn.counter

    def with_start(test: SourceExpression) -> SourceExpression:
        return _with(test, {text_key(counter): start})

    kept = None if guard is None else _canonical(guard)
    tests = [condition]
    if bound is not None:
        forms = (LESS[counter.type.kind], condition.op)
        tests = [SourceExpression(op, condition.type, (counter, bound)) for op in forms]
    for test in tests:
        if _known(with_start(test)) or _canonical(with_start(test)) == kept:
            return test
    return None
