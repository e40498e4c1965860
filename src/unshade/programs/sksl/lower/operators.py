"""Operators: arithmetic, comparisons, assignments."""

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.types import BOOL, F32
from ..tables.operators import Operator
from ..tree import BinaryExpression, DataType, PostfixExpression, PrefixExpression
from .expressions import chosen, place_of
from .matrices import product
from .scalars import all_of, apply, negate
from .state import LoweringState
from .types import is_unsigned
from .usage import is_cheap

__all__ = ["binary", "postfix", "prefix"]

STEPS = {Operator.PLUS_PLUS: Operator.PLUS, Operator.MINUS_MINUS: Operator.MINUS}


def binary(state: LoweringState, node: BinaryExpression) -> list[Value]:
    """Lower an operator with two operands."""
    operator = node.operator
    if operator.is_assignment:
        return _assign(state, node)
    if operator is Operator.COMMA:
        state.values(node.left)
        return state.values(node.right)
    if operator in (Operator.LOGICAL_AND, Operator.LOGICAL_OR):
        return [_short_circuit(state, node)]
    left, right = state.values(node.left), state.values(node.right)
    return _combined(state, operator, left, node.left.type, right, node.right.type)


def _combined(
    state: LoweringState,
    operator: Operator,
    left: list[Value],
    one: DataType,
    right: list[Value],
    other: DataType,
) -> list[Value]:
    b = state.b
    if operator is Operator.LOGICAL_XOR:
        return [b.xor(left[0], right[0])]
    is_product = operator is Operator.STAR and (one.is_matrix or other.is_matrix)
    if is_product and not one.is_scalar and not other.is_scalar:
        return product(b, left, one, right, other)
    size = max(len(left), len(right))
    left, right = _spread(left, size), _spread(right, size)
    if len(left) != len(right):
        sizes = f"{len(left)} and {len(right)} components"
        raise UnsupportedError(f"expected operands of one size, got {sizes}")
    pairs = list(zip(left, right, strict=True))
    unsigned = is_unsigned(one)
    if operator is Operator.EQEQ:
        return [all_of(b, [apply(b, operator, x, y, unsigned) for x, y in pairs])]
    if operator is Operator.NEQ:
        same = all_of(b, [apply(b, Operator.EQEQ, x, y, unsigned) for x, y in pairs])
        return [b.not_(same)]
    return [apply(b, operator, x, y, unsigned) for x, y in pairs]


def _spread(values: list[Value], size: int) -> list[Value]:
    return values * size if len(values) == 1 else values


def _short_circuit(state: LoweringState, node: BinaryExpression) -> Value:
    b = state.b
    is_and = node.operator is Operator.LOGICAL_AND
    left = state.value(node.left)
    if is_cheap(node.right):
        right = state.value(node.right)
        return b.and_(left, right) if is_and else b.or_(left, right)

    def right_side() -> list[Value]:
        return [state.value(node.right)]

    def known() -> list[Value]:
        return [b.bool(not is_and)]

    sides = (right_side, known) if is_and else (known, right_side)
    return chosen(state, left, *sides, [BOOL])[0]


def _assign(state: LoweringState, node: BinaryExpression) -> list[Value]:
    """Lower an assignment; its value is the assigned value."""
    place = place_of(state, node.left)
    operator = node.operator.without_assignment
    if operator is Operator.EQ:
        values = state.values(node.right)
    else:
        before = place.read(state.b)
        right = state.values(node.right)
        values = _combined(state, operator, before, node.left.type, right, node.right.type)
    if len(values) != len(place.scalars):
        expected = len(place.scalars)
        raise UnsupportedError(f"expected a value of {expected} components, got {len(values)}")
    place.write(state.b, values)
    return values


def prefix(state: LoweringState, node: PrefixExpression) -> list[Value]:
    """Lower an operator before its operand."""
    b = state.b
    if node.operator in STEPS:
        return _step(state, node)[1]
    values = state.values(node.operand)
    match node.operator:
        case Operator.PLUS:
            return values
        case Operator.MINUS:
            return [negate(b, each) for each in values]
        case Operator.LOGICAL_NOT | Operator.BITWISE_NOT:
            return [b.not_(each) for each in values]
    raise UnsupportedError(f"the operator {node.operator.spelling} cannot be run")


def postfix(state: LoweringState, node: PostfixExpression) -> list[Value]:
    """Lower `x++` or `x--`; the result is the old value."""
    return _step(state, node)[0]


def _step(
    state: LoweringState, node: PrefixExpression | PostfixExpression
) -> tuple[list[Value], list[Value]]:
    """Return the values before and after a step."""
    b = state.b
    place = place_of(state, node.operand)
    before = place.read(b)
    operator = STEPS[node.operator]
    after = [apply(b, operator, each, _one(state, each), False) for each in before]
    place.write(b, after)
    return before, after


def _one(state: LoweringState, like: Value) -> Value:
    return state.b.f32(1.0) if like.type == F32 else state.b.i32(1)
