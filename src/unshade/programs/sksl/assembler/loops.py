"""Loops that GLSL ES 1.00 allows: those whose number of rounds is known.

    for (int i = 0; i < 10; i += 2) …        5 rounds

Source: SkSLGetLoopUnrollInfo.cpp of Skia's milestone 104.
"""

import math

from ....tuples import NamedTuple
from ..tables.enumerations import ReferenceKind
from ..tables.operators import Operator
from ..tree import (
    BinaryExpression,
    Expression,
    PostfixExpression,
    PrefixExpression,
    Statement,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
)
from .compilation import Compilation
from .messages import NOWHERE, Position
from .traversal import expressions
from .type_rules import is_number
from .values import LITERALS, constant_of

__all__ = ["LoopPositions", "iterations"]

MOST_ROUNDS = 100_000
RELATIONS = (
    Operator.GT, Operator.GTEQ, Operator.LT, Operator.LTEQ, Operator.EQEQ, Operator.NEQ,
)  # fmt: skip
STEPS = {
    Operator.PLUS_PLUS: 1,
    Operator.MINUS_MINUS: -1,
    Operator.PLUS_EQ: 1,
    Operator.MINUS_EQ: -1,
}


class LoopPositions(NamedTuple):
    """Places of the three parts of `for (…; …; …)`."""

    initialiser: Position = NOWHERE
    test: Position = NOWHERE
    next: Position = NOWHERE


class _NotUnrollable(Exception):
    """The loop is of another form."""

    def __init__(self, position: Position, text: str) -> None:
        super().__init__(text)
        self.position = position
        self.text = text


def iterations(
    c: Compilation,
    position: Position,
    positions: LoopPositions,
    initialiser: Statement | None,
    test: Expression | None,
    step: Expression | None,
    body: Statement,
) -> int | None:
    """Return the number of rounds of a loop; None if ES2 does not allow its form.

    An unbounded loop is an error only in programs that must conform to ES2.
    """
    try:
        return _counted(c, position, positions, initialiser, test, step, body)
    except _NotUnrollable as problem:
        if c.strict:
            c.error(problem.position, problem.text)
        return None


def _counted(
    c: Compilation,
    position: Position,
    positions: LoopPositions,
    initialiser: Statement | None,
    test: Expression | None,
    step: Expression | None,
    body: Statement,
) -> int:
    index, start = _start(c, positions.initialiser or position, initialiser)
    relation, end = _end(c, positions.test or position, test, index)
    delta = _delta(c, positions.next or position, step, index)
    if writes_to(body, index):
        raise _NotUnrollable(
            body.position, "loop index must not be modified within body of the loop"
        )
    count = _rounds(relation, start, end, delta)
    if count >= MOST_ROUNDS:
        raise _NotUnrollable(position, "loop must guarantee termination in fewer iterations")
    return count


def _number(c: Compilation, given: Expression) -> float | None:
    known = constant_of(c, given)
    return float(known.value) if isinstance(known, LITERALS) else None


def _start(
    c: Compilation, position: Position, given: Statement | None
) -> tuple[VariableSymbol, float]:
    if given is None:
        raise _NotUnrollable(position, "missing init declaration")
    at = given.position
    if not isinstance(given, VariableDeclaration):
        raise _NotUnrollable(at, "invalid init declaration")
    if not is_number(given.base) or given.array_size:
        raise _NotUnrollable(at, "invalid type for loop index")
    if given.value is None:
        raise _NotUnrollable(at, "missing loop index initializer")
    start = _number(c, given.value)
    if start is None:
        raise _NotUnrollable(at, "loop index initializer must be a constant expression")
    return given.variable, start


def _is(given: Expression, index: VariableSymbol) -> bool:
    return isinstance(given, VariableReference) and given.variable is index


def _end(
    c: Compilation, position: Position, given: Expression | None, index: VariableSymbol
) -> tuple[Operator, float]:
    if given is None:
        raise _NotUnrollable(position, "missing condition")
    at = given.position
    if not isinstance(given, BinaryExpression):
        raise _NotUnrollable(at, "invalid condition")
    if not _is(given.left, index):
        raise _NotUnrollable(at, "expected loop index on left hand side of condition")
    if given.operator not in RELATIONS:
        raise _NotUnrollable(at, "invalid relational operator")
    end = _number(c, given.right)
    if end is None:
        raise _NotUnrollable(at, "loop index must be compared with a constant expression")
    return given.operator, end


def _delta(
    c: Compilation, position: Position, given: Expression | None, index: VariableSymbol
) -> float:
    if given is None:
        raise _NotUnrollable(position, "missing loop expression")
    at = given.position
    if isinstance(given, BinaryExpression):
        changed = given.left
    elif isinstance(given, PrefixExpression | PostfixExpression):
        changed = given.operand
    else:
        raise _NotUnrollable(at, "invalid loop expression")
    if not _is(changed, index):
        raise _NotUnrollable(at, "expected loop index in loop expression")
    size: float | None = 1.0
    if isinstance(given, BinaryExpression):
        size = _number(c, given.right)
        if size is None:
            raise _NotUnrollable(at, "loop index must be modified by a constant expression")
    if given.operator not in STEPS:
        raise _NotUnrollable(at, "invalid operator in loop expression")
    return (size or 0.0) * STEPS[given.operator]


def writes_to(given: Statement, variable: VariableSymbol) -> bool:
    """Return True if a statement changes a variable."""
    return any(
        isinstance(each, VariableReference)
        and each.variable is variable
        and each.reference is not ReferenceKind.READ
        for each in expressions(given)
    )


def _rounds(relation: Operator, start: float, end: float, delta: float) -> int:
    if relation is Operator.NEQ:
        steps = (end - start) / delta if delta else math.inf
        whole = math.isfinite(steps) and steps >= 0 and steps == math.ceil(steps)
        return int(min(steps, MOST_ROUNDS)) if whole else MOST_ROUNDS
    if relation is Operator.EQEQ:
        if start != end:
            return 0
        return 1 if delta else MOST_ROUNDS
    forwards = relation in (Operator.LT, Operator.LTEQ)
    inclusive = relation in (Operator.LTEQ, Operator.GTEQ)
    if forwards is not (start < end):
        return 0
    if delta <= 0 if forwards else delta >= 0:
        return MOST_ROUNDS
    steps = (end - start) / delta
    count = math.ceil(steps) if math.isfinite(steps) else MOST_ROUNDS
    if inclusive and count == steps:
        count += 1
    return min(count, MOST_ROUNDS)
