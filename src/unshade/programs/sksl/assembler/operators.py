"""Expressions with operators: checks of their operands, and the expression.

Source: SkSLBinaryExpression.cpp and its neighbours of Skia's milestone 104.
"""

from ..tables.enumerations import ReferenceKind
from ..tables.operators import Operator
from ..tree import (
    BOOL,
    INT_LITERAL,
    BinaryExpression,
    BoolLiteral,
    DataType,
    Expression,
    IndexExpression,
    IntLiteral,
    PostfixExpression,
    PrefixExpression,
    TernaryExpression,
)
from .aggregates import coerce, has_literal_out_of_range
from .assignment import assign_to
from .compilation import Compilation
from .folding import fold
from .messages import Position, cover
from .negation import inverted, negated
from .swizzles import select
from .type_rules import (
    INTEGER_ONLY,
    display,
    is_boolean,
    is_integer,
    is_literal_type,
    is_number,
    is_opaque,
    of_component,
    operand_types,
    plain,
    same,
)
from .values import (
    constant_of,
    has_effects,
    holds_constants,
    is_trivial,
    literal,
    moved,
    same_tree,
)

__all__ = ["binary", "postfix", "prefix", "ternary"]

NOT_IN_ES2 = INTEGER_ONLY | {Operator.BITWISE_NOT}
LOW_PRECISION = 32  # bits of a component below which a matrix product may be rewritten


def binary(
    c: Compilation, position: Position, left: Expression, operator: Operator, right: Expression
) -> Expression | None:
    """Return `left operator right`; None after reporting an error."""
    raw_left, raw_right = left.type, right.type
    if isinstance(left, IntLiteral) and is_integer(right.type):
        raw_left = right.type
    if isinstance(right, IntLiteral) and is_integer(left.type):
        raw_right = left.type
    if operator.is_assignment:
        kind = ReferenceKind.WRITE if operator is Operator.EQ else ReferenceKind.READ_WRITE
        if not assign_to(c, left, kind):
            return None
    types = operand_types(operator, raw_left, raw_right, c.settings.narrowing)
    if types is None:
        c.error(
            position,
            f"type mismatch: '{operator.spelling}' cannot operate on '{display(left.type)}', "
            f"'{display(right.type)}'",
        )
        return None
    if operator.is_assignment and is_opaque(of_component(types.left)):
        shown = display(left.type)
        c.error(position, f"assignments to opaque type '{shown}' are not permitted")
        return None
    if c.strict and not _allowed_in_es2(c, position, operator, types.left):
        return None
    one = coerce(c, left, types.left)
    other = coerce(c, right, types.right)
    if one is None or other is None:
        return None
    return made_binary(c, position, one, operator, other, types.result)


def _allowed_in_es2(c: Compilation, position: Position, operator: Operator, left: DataType) -> bool:
    shown = operator.spelling
    if operator in NOT_IN_ES2:
        c.error(position, f"operator '{shown}' is not allowed")
        return False
    if c.types.facts(left).has_array:
        c.error(
            position,
            f"operator '{shown}' can not operate on arrays (or structs containing arrays)",
        )
        return False
    return True


def made_binary(
    c: Compilation,
    position: Position,
    left: Expression,
    operator: Operator,
    right: Expression,
    result: DataType,
) -> Expression:
    """Return `left operator right` for operands of the right types, in the simplest form."""
    if operator is Operator.EQ:
        has_literal_out_of_range(c, left.type, right)
    folded = fold(c, position, left, operator, right, result) if c.folds else None
    if folded is not None:
        return folded
    rewrites = c.settings.optimize and c.settings.capabilities["rewriteMatrixVectorMultiply"]
    if rewrites and _is_low_precision_product(c, left, operator, right, result):
        return _sum_of_columns(c, position, left, right)
    return BinaryExpression(
        left=left, operator=operator, right=right, position=position, cached=result
    )


def _is_low_precision_product(
    c: Compilation, left: Expression, operator: Operator, right: Expression, result: DataType
) -> bool:
    one, other = left.type.resolved, right.type.resolved
    return (
        operator is Operator.STAR
        and result.bits < LOW_PRECISION
        and one.is_matrix
        and other.is_vector
        and one.rows == other.columns
        and is_trivial(c, left)
        and is_trivial(c, right)
    )


def _sum_of_columns(
    c: Compilation, position: Position, left: Expression, right: Expression
) -> Expression:
    """Return a product of a matrix and a vector as `m[0] * v[0] + m[1] * v[1]` and so on."""
    total: Expression | None = None
    for at in range(left.type.resolved.rows):
        index = literal(at, INT_LITERAL, left.position)
        column = IndexExpression(base=left, index=index, position=position)
        scalar = select(c, cover(left.position, right.position), right, [at])
        product = made_binary(c, position, column, Operator.STAR, scalar, column.type)
        total = (
            product
            if total is None
            else made_binary(c, position, total, Operator.PLUS, product, column.type)
        )
    assert total is not None
    return total


def prefix(
    c: Compilation, position: Position, operator: Operator, given: Expression
) -> Expression | None:
    """Return `operator operand`; None after reporting an error."""
    type_, shown = given.type, operator.spelling
    refusal = f"'{shown}' cannot operate on '{display(type_)}'"
    component = of_component(type_)
    is_array = type_.resolved.kind == "array"
    if operator in (Operator.PLUS, Operator.MINUS):
        if is_array or not is_number(component):
            c.error(position, refusal)
            return None
        return moved(given, position) if operator is Operator.PLUS else negated(c, position, given)
    if operator is Operator.LOGICAL_NOT:
        if not is_boolean(type_):
            c.error(position, refusal)
            return None
        return inverted(c, position, given)
    if operator is Operator.BITWISE_NOT:
        if c.strict:
            c.error(position, f"operator '{shown}' is not allowed")
            return None
        if is_array or not is_integer(component):
            c.error(position, refusal)
            return None
        if is_literal_type(type_):
            cast = coerce(c, given, plain(type_))
            if cast is None:
                return None
            given = cast
    else:
        if not is_number(type_):
            c.error(position, refusal)
            return None
        if not assign_to(c, given, ReferenceKind.READ_WRITE):
            return None
    return PrefixExpression(operator=operator, operand=given, position=position)


def postfix(
    c: Compilation, position: Position, given: Expression, operator: Operator
) -> Expression | None:
    """Return `operand operator`; None after reporting an error."""
    if not is_number(given.type):
        c.error(position, f"'{operator.spelling}' cannot operate on '{display(given.type)}'")
        return None
    if not assign_to(c, given, ReferenceKind.READ_WRITE):
        return None
    return PostfixExpression(operator=operator, operand=given, position=position)


def ternary(
    c: Compilation,
    position: Position,
    test: Expression,
    if_true: Expression,
    if_false: Expression,
) -> Expression | None:
    """Return `test ? if_true : if_false`; None after reporting an error."""
    condition = coerce(c, test, BOOL)
    if condition is None:
        return None
    if is_opaque(of_component(if_true.type)):
        shown = display(if_true.type)
        c.error(position, f"ternary expression of opaque type '{shown}' not allowed")
        return None
    types = operand_types(Operator.EQEQ, if_true.type, if_false.type, c.settings.narrowing)
    if types is None or not same(types.left, types.right):
        c.error(
            cover(if_true.position, if_false.position),
            f"ternary operator result mismatch: '{display(if_true.type)}', "
            f"'{display(if_false.type)}'",
        )
        return None
    if c.strict and c.types.facts(types.left).has_array:
        c.error(
            position, "ternary operator result may not be an array (or struct containing an array)"
        )
        return None
    one = coerce(c, if_true, types.left)
    if one is None:
        return None
    other = coerce(c, if_false, types.right)
    if other is None:
        return None
    return made_ternary(c, position, condition, one, other)


def made_ternary(
    c: Compilation,
    position: Position,
    test: Expression,
    if_true: Expression,
    if_false: Expression,
) -> Expression:
    """Return a choice in the simplest form; the types fit."""
    known = constant_of(c, test)
    if isinstance(known, BoolLiteral):
        return moved(if_true if known.value else if_false, position)
    if c.settings.optimize and _same_values(c, if_true, if_false):
        if not has_effects(test):
            return moved(if_true, position)
        return made_binary(c, position, test, Operator.COMMA, if_true, if_true.type)
    return TernaryExpression(test=test, if_true=if_true, if_false=if_false, position=position)


def _same_values(c: Compilation, one: Expression, other: Expression) -> bool:
    one, other = constant_of(c, one), constant_of(c, other)
    if holds_constants(one):
        c.spend(c.types.slots(one.type))
    return same_tree(one, other)
