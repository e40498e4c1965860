"""Structure of loops: `while` and `for`, and variables that are defined where they are first set.

    while (true) {                        for (int i = 0; i < 4; i = i + 1) {
        if (i >= 4) { break; }     ->         …
        …                                 }
        i = i + 1;
    }

Lines are changed, not meaning: the test of a loop moves to its head if it is the first line, and
an assignment at its end becomes the step if nothing in the loop continues without it.
"""

from collections.abc import Iterator, Mapping, Sequence

from ..ir.ops import OPS, Op
from .tree import (
    Assign,
    BranchLine,
    Choice,
    Define,
    Evaluate,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
)

__all__ = [
    "ELEMENTS",
    "assigned",
    "assigned_names",
    "called_in",
    "changed",
    "continues",
    "expressions_of",
    "inner_lines",
    "is_pure",
    "jumps",
    "mentions",
    "negated",
    "own_names",
    "structured",
    "trailing_test",
    "words_of",
]

OPPOSITE = {
    OPS.ieq: OPS.ine, OPS.ine: OPS.ieq, OPS.feq: OPS.fne, OPS.fne: OPS.feq,
    OPS.ilt: OPS.ile, OPS.ile: OPS.ilt, OPS.ult: OPS.ule, OPS.ule: OPS.ult,
}  # fmt: skip
SWAPPED = frozenset({OPS.ilt, OPS.ile, OPS.ult, OPS.ule})
Variables = dict[str, TermType]
PURE = frozenset({
    NodeForm.LITERAL, NodeForm.NAME, NodeForm.SWIZZLE, NodeForm.CONSTRUCT, NodeForm.BITS,
    NodeForm.CONVERT, NodeForm.MEMBER,
})  # fmt: skip
ELEMENTS = PURE | {NodeForm.INDEX}  # unless an assignment to the array is between
MOST_WORDS = 2  # in a value that becomes part of a step


def structured(lines: list[Line], variables: Variables) -> list[Line]:
    """Return lines with `while` and `for`, and with definitions of the variables.

    Args:
        lines: The lines of the entry point.
        variables: The variables, which are zero at the start, with their types.
    """
    lines = _loops(lines)
    _define(lines, variables, NameUsers())
    return _steps(lines)


def assigned(lines: Sequence[Line]) -> dict[str, int]:
    """Return the components, as bits, of each name that every path through lines assigns."""
    found: dict[str, int] = {}
    for line in lines:
        if isinstance(line, Assign):
            target = line.target
            bits = (1 << target.type.width) - 1
            if target.op is NodeForm.SWIZZLE:
                bits = sum(1 << each for each in {*target.attr})
                target = target.args[0]
            if target.op is NodeForm.NAME:
                word = str(target.attr)
                found[word] = found.get(word, 0) | bits
        elif _returns(line):
            break
    return found


def changed(lines: Sequence[Line]) -> set[str]:
    """Return the names that lines assign, or define without a value."""
    found: set[str] = set()
    waiting = [*lines]
    while waiting:
        line = waiting.pop()
        steps: list[Line | None] = [line]
        if isinstance(line, Repeat):
            steps += [line.first, line.step]
            if isinstance(line.first, Define):
                found.add(line.first.name)
        for each in steps:
            if isinstance(each, Assign):
                found.add(str(_root(each.target).attr))
            elif isinstance(each, Define) and each.value is None:
                found.add(each.name)
        for inner in inner_lines(line):
            waiting += inner
    return found


def _returns(line: Line) -> bool:
    waiting = [line]
    while waiting:
        each = waiting.pop()
        if isinstance(each, JumpLine) and each.how is Leave.RETURN:
            return True
        for inner in inner_lines(each):
            waiting += inner
    return False


def negated(condition: SourceExpression) -> SourceExpression:
    """Return the condition that holds where another does not."""
    if condition.op is OPS.not_:
        return condition.args[0]
    op = OPPOSITE.get(condition.op) if isinstance(condition.op, Op) else None
    if op is None:
        return SourceExpression(OPS.not_, TermType(ScalarKind.BOOL), (condition,))
    args = condition.args[::-1] if op in SWAPPED else condition.args
    return SourceExpression(op, condition.type, args)


def inner_lines(line: Line) -> list[list[Line]]:
    """Return the lists of lines inside a line."""
    match line:
        case BranchLine():
            return [line.then, line.otherwise]
        case Repeat() | Once():
            return [line.body]
        case Choice():
            return [body for _, body in line.cases]
    return []


def jumps(lines: Sequence[Line]) -> bool:
    """Return True if a line, or a line inside one, is a jump."""
    return any(isinstance(each, JumpLine) or any(map(jumps, inner_lines(each))) for each in lines)


def _loops(lines: list[Line]) -> list[Line]:
    """Move the test of each loop to its head."""
    found: list[Line] = []
    for line in lines:
        for inner in inner_lines(line):
            inner[:] = _loops(inner)
        if isinstance(line, Repeat) and line.condition is None and line.body:
            first = line.body[0]
            if isinstance(first, BranchLine) and not first.otherwise and _breaks(first.then):
                line.condition = negated(first.condition)
                del line.body[0]
        found.append(line)
    return found


def _breaks(lines: Sequence[Line]) -> bool:
    return len(lines) == 1 and isinstance(lines[0], JumpLine) and lines[0].how is Leave.BREAK


# ---------------------------------------------------------------- definitions


def expressions_of(line: Line) -> Iterator[SourceExpression]:
    """Yield the expressions of a line itself."""
    match line:
        case Define():
            if line.value is not None:
                yield line.value
        case Assign():
            yield line.target
            yield line.value
        case Evaluate():
            yield line.value
        case BranchLine():
            yield line.condition
        case Repeat():
            if line.condition is not None:
                yield line.condition
        case Choice():
            yield line.value
        case JumpLine() if line.value is not None:
            yield line.value


def mentions(line: Line, word: str) -> bool:
    """Return True if a line, or a line inside it, contains a name."""
    return word in _names(line)


def _names(line: Line) -> frozenset[str]:
    """Return the names in a line and the lines inside it, which are collected once."""
    if line.names is None:
        found = own_names(line)
        for inner in inner_lines(line):
            for each in inner:
                found |= _names(each)
        line.names = frozenset(found)
    return line.names


def _contains(expression: SourceExpression, word: str) -> bool:
    return word in words_of(expression)


def _define(lines: list[Line], variables: Variables, users: "NameUsers") -> None:
    """Define variables in the innermost blocks with all their uses.

    A block inside a loop is entered anew, so a variable must be set there before it is read.
    """
    before: dict[int, list[Line]] = {}
    inside: dict[int, tuple[list[Line], dict[str, TermType]]] = {}
    for word, type in variables.items():
        places = users.of(lines).get(word)
        if places is None:
            continue
        at = places[0]
        first = lines[at]
        if isinstance(first, Assign) and _sets_whole(first, word):
            lines[at] = Define(word, type, first.value, first.line)
            continue
        block = users.only_block(first, word) if len(places) == 1 else None
        if block is None or (isinstance(first, Repeat) and not _set_first(block, word, users)):
            zero = literal((0,), type.wide(1))
            before.setdefault(at, []).append(Define(word, type, zero))
        else:
            inside.setdefault(id(block), (block, {}))[1][word] = type
    for inner, words in inside.values():
        _define(inner, words, users)
    if before:
        lines[:] = [each for at, line in enumerate(lines) for each in (*before.get(at, ()), line)]


class NameUsers:
    """The lines of blocks that mention each name, found once for each block."""

    def __init__(self) -> None:
        self._of: dict[int, dict[str, list[int]]] = {}

    def of(self, lines: Sequence[Line]) -> dict[str, list[int]]:
        """Return the places of the lines of a block that mention a name, by name."""
        found = self._of.get(id(lines))
        if found is None:
            found = self._of[id(lines)] = {}
            for at, line in enumerate(lines):
                for word in _names(line):
                    found.setdefault(word, []).append(at)
        return found

    def only_block(self, line: Line, word: str) -> list[Line] | None:
        """Return the block inside of a line with all uses of a name; None if there are others."""
        if word in own_names(line):
            return None
        blocks = [inner for inner in inner_lines(line) if word in self.of(inner)]
        return blocks[0] if len(blocks) == 1 else None


def _sets_whole(line: Assign, word: str) -> bool:
    target = line.target
    return target.op is NodeForm.NAME and target.attr == word and not _contains(line.value, word)


def own_names(line: Line) -> set[str]:
    """Return the names in a line, without the names in lines inside it."""
    return {word for each in expressions_of(line) for word in words_of(each)}


def called_in(expression: SourceExpression) -> Iterator[str]:
    """Yield the names of the functions of the source that an expression calls."""
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        if each.op is NodeForm.CALL:
            yield str(each.attr)
        waiting += each.args


def words_of(expression: SourceExpression) -> Iterator[str]:
    """Yield the names in an expression."""
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        if each.op is NodeForm.NAME:
            yield str(each.attr)
        waiting += each.args


def _set_first(lines: Sequence[Line], word: str, users: NameUsers) -> bool:
    """Return True if a block sets the whole variable before anything reads it."""
    block: Sequence[Line] | None = lines
    while block is not None:
        places = users.of(block)[word]
        first = block[places[0]]
        if isinstance(first, Assign):
            return _sets_whole(first, word)
        block = users.only_block(first, word) if len(places) == 1 else None
    return False


# ---------------------------------------------------------------- for


def _steps(lines: list[Line]) -> list[Line]:
    """Make a `for` of each loop with a counter that nothing else steps."""
    found: list[Line] = []
    for line in lines:
        for inner in inner_lines(line):
            inner[:] = _steps(inner)
        if isinstance(line, Repeat):
            _step(line, found)
        found.append(line)
    for at, line in enumerate(found):
        if isinstance(line, Repeat) and line.step is not None:
            _first(found, at, line)
            if line.first is None:  # a counter whose first value is set elsewhere
                line.body.append(line.step)
                line.step = None
    return [each for each in found if each is not MOVED]


MOVED = JumpLine(Leave.BREAK)  # stands for a line that moved


def _step(loop: Repeat, before: Sequence[Line]) -> None:
    """Move the assignment that steps the counter out of the body of a loop."""
    if loop.condition is None or continues(loop.body):
        return
    words = set(words_of(loop.condition))
    passed: set[str] = set()  # names in the lines after the assignment
    for at in range(len(loop.body) - 1, -1, -1):
        line = loop.body[at]
        if isinstance(line, Assign) and line.target.op is NodeForm.NAME:
            word = str(line.target.attr)
            if word in words and word not in passed:
                step = _stepping(line, word, loop.body, at)
                if step is not None:
                    loop.step = step
                    del loop.body[at]
                return
        if not isinstance(line, Assign) or _root(line.target).op is not NodeForm.NAME:
            return
        passed |= _names(line)


def _stepping(line: Assign, word: str, body: Sequence[Line], at: int) -> Assign | None:
    """Return the step of a loop that an assignment in its body is; None if it is not one."""
    inside = {each.name: each.value for each in body if isinstance(each, Define)}
    value = _inlined(line.value, inside, {*assigned_names(body)} - {word})
    if value is None or not _contains(value, word):
        return None
    if any(_sets(each, word) for place, each in enumerate(body) if place != at):
        return None
    later = {name for each in body[at + 1 :] for name in _names(each)}
    if later & {*words_of(value)}:  # a line that moves before the step may set them
        return None
    return Assign(line.target, value, line.line)


def assigned_names(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the names that lines assign to, and those that they define."""
    waiting = list(lines)
    while waiting:
        each = waiting.pop()
        if isinstance(each, Assign):
            yield str(_root(each.target).attr)
        if isinstance(each, Define):
            yield each.name
        for inner in inner_lines(each):
            waiting += inner


def _inlined(
    value: SourceExpression, defined: Mapping[str, SourceExpression | None], changing: set[str]
) -> SourceExpression | None:
    """Return a value with the variables of a loop's body replaced by their own values.

    None if one of these is not pure, or depends on what else the loop changes.
    """
    if not any(name in defined for name in words_of(value)):
        return value
    if value.op is not NodeForm.NAME:
        args = [_inlined(each, defined, changing) for each in value.args]
        made = [each for each in args if each is not None]
        if len(made) < len(args):
            return None
        return SourceExpression(value.op, value.type, tuple(made), value.attr)
    found = defined[str(value.attr)]
    if found is None or not is_pure(found) or len([*words_of(found)]) > MOST_WORDS:
        return None
    return None if changing & {*words_of(found)} else found


def is_pure(value: SourceExpression, forms: frozenset[NodeForm] = PURE) -> bool:
    """Return True if a value depends on nothing but the variables that it names."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each.op, Op):
            if not each.op.pure or each.op.convergent:
                return False
        elif each.op not in forms:
            return False
        waiting += each.args
    return True


def _sets(line: Line, word: str) -> bool:
    waiting = [line]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Assign) and _root(each.target).attr == word:
            return True
        for inner in inner_lines(each):
            waiting += inner
    return False


def _root(target: SourceExpression) -> SourceExpression:
    """Return the variable or resource that a target of an assignment is a part of."""
    while target.args:
        target = target.args[0]
    return target


def continues(lines: Sequence[Line]) -> bool:
    """Return True if a line continues the loop that the lines are the body of."""
    waiting = list(lines)
    while waiting:
        line = waiting.pop()
        if isinstance(line, JumpLine) and line.how is Leave.CONTINUE:
            return True
        if not isinstance(line, Repeat):
            for inner in inner_lines(line):
                waiting += inner
    return False


def trailing_test(loop: Repeat) -> SourceExpression | None:
    """Return the condition of a `do … while`, if a loop ends with a test and has no other."""
    tested = loop.condition is not None or loop.first is not None or loop.step is not None
    last = loop.body[-1] if len(loop.body) > 1 and not tested else None
    if not isinstance(last, BranchLine) or last.otherwise or not _breaks(last.then):
        return None
    inside = {each.name for each in loop.body if isinstance(each, Define)}
    if continues(loop.body) or inside & {*words_of(last.condition)}:
        return None
    return negated(last.condition)


def _first(lines: list[Line], at: int, loop: Repeat) -> None:
    """Move the first value of the counter into the loop; its definition, if only the loop uses it.

    uint i = 4;                        uint i;
    while (i < n) { …; i++; }    ->    for (i = 4; i < n; i++) { … }
    … i …                              … i …
    """
    assert loop.step is not None
    word = str(loop.step.target.attr)
    for place in range(at - 1, -1, -1):
        line = lines[place]
        if not mentions(line, word) and not (isinstance(line, Define) and line.name == word):
            continue
        if not isinstance(line, Define | Assign) or not _may_move(line, lines[place + 1 : at]):
            return
        if isinstance(line, Assign):
            if not _sets_whole(line, word):
                return
            loop.first = line
            lines[place] = MOVED
        elif line.name == word and line.value is not None:
            later = any(mentions(each, word) for each in lines[at + 1 :])
            loop.first, lines[place] = line, MOVED
            if later:
                loop.first = Assign(loop.step.target, line.value, line.line)
                lines[place] = Define(word, line.type, None, line.line)
        return


def _may_move(line: Define | Assign, passed: Sequence[Line]) -> bool:
    """Return True if the value of a variable is the same after some lines."""
    if line.value is None:
        return False
    between = [each for each in passed if each is not MOVED]
    if not between or line.value.op is NodeForm.LITERAL:
        return True
    for each in (line, *between):
        if inner_lines(each) or not all(is_pure(one, ELEMENTS) for one in expressions_of(each)):
            return False
    return not {*words_of(line.value)} & {*assigned_names(between)}
