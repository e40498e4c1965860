"""The base class of expressions, and the rules for the type of a result."""

from ..tables.operators import Operator
from .named_types import BOOL, INVALID, compound
from .node import TreeNode, extra
from .types import DataType, TypeKind

__all__ = ["Expression", "result_type"]


class Expression(TreeNode):
    """An expression.

    The type of many follows from their operands. The type is determined once, on first access: do
    not change the operands of an expression, but create a new expression.
    """

    cached: DataType | None = extra("the type, once it has been determined", default=None)

    @property
    def type(self) -> DataType:
        """Type of the value; INVALID if the operands do not fit."""
        found = self.cached
        if found is None:
            found = self.cached = self.determine_type()
        return found

    def determine_type(self) -> DataType:
        """Return the type that follows from the operands."""
        return INVALID


def result_type(operator: Operator, left: DataType, right: DataType) -> DataType:
    """Return the type of `left operator right`, for operands of a finished program.

    Their components have been converted to one type; only vectors, matrices and scalars are mixed.
    """
    if operator is Operator.COMMA:
        return right
    if operator.is_assignment:
        return left
    if operator.is_comparison or operator.is_logical:
        return BOOL
    one, other = left.resolved, right.resolved
    if operator is Operator.STAR and (one.is_matrix or other.is_matrix):
        return _product(left, right)
    if operator in (Operator.SHL, Operator.SHR) or other.is_scalar or one is other:
        literal = one.kind is TypeKind.LITERAL
        return right if literal and other.kind is not TypeKind.LITERAL else left
    if one.is_scalar:
        return right
    return left if one.columns == other.columns and one.rows == other.rows else INVALID


def _product(left: DataType, right: DataType) -> DataType:
    """Return the type of a product with a matrix."""
    one, other = left.resolved, right.resolved
    if one.is_scalar:
        return right
    if other.is_scalar:
        return left
    if one.is_vector:  # a row vector
        return compound(one.component, other.columns) if one.columns == other.rows else INVALID
    if one.columns != (other.rows if other.is_matrix else other.columns):
        return INVALID
    if other.is_vector:
        return compound(one.component, one.rows)
    return compound(one.component, other.columns, one.rows)
