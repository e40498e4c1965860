"""Expressions as source: parentheses where precedence needs them, and literals of the right type.

A literal gets its type from its context: `1.0` is a half in `half x = 1.0` and in `y * 1.0`, if
y is a half. Where context would give a literal another type, it is written `half(1.0)`, which the
compiler turns into a literal again.
"""

import math
import struct

from ..tables.enumerations import OwnerKind
from ..tables.operators import Operator, Precedence
from ..tree import (
    INVALID,
    BinaryExpression,
    ConstructorExpression,
    DataType,
    Expression,
    FieldAccess,
    FloatLiteral,
    FunctionCall,
    FunctionDeclaration,
    IndexExpression,
    IntLiteral,
    PrefixExpression,
    SettingReference,
    StructDataType,
    SymbolTable,
    TernaryExpression,
    TypeKind,
    best_overload,
    final_types,
)
from ..tree.named_types import FLOAT_LITERAL, INT_LITERAL
from ..tree.types import NumberKind
from .expressions import SIGNS, ExpressionPrinter

__all__ = ["SourceExpressions", "short_float"]

P = Precedence
DIGITS = 9  # enough for every float of 32 bits


def short_float(value: float) -> str:
    """Return the shortest text of a 32-bit float, with a point or an exponent."""
    if not math.isfinite(value):
        return "(0.0 / 0.0)" if math.isnan(value) else f"({'-' * (value < 0)}1.0 / 0.0)"
    text = ""
    for digits in range(1, DIGITS + 1):
        text = f"{value:.{digits}g}"
        try:
            if struct.pack("<f", float(text)) == struct.pack("<f", value):
                break
        except OverflowError:
            continue
    return repr(float(text))


class SourceExpressions(ExpressionPrinter):
    """Source style. `scope` is where names of functions are looked up."""

    __slots__ = ("scope",)

    def __init__(self, scope: SymbolTable) -> None:
        self.scope = scope

    def within(self, node: Expression, limit: Precedence, wanted: DataType | None = None) -> str:
        """Return an expression, in parentheses if it binds less tightly than `limit`.

        `wanted` is the type that the place gives a literal; None if it gives none.
        """
        if isinstance(node, IntLiteral | FloatLiteral):
            text = self.literal(node, wanted)
        else:
            text = self.text(node)
        return f"({text})" if precedence(node) > limit else text

    # -- literals ------------------------------------------------------------------------------

    def literal(self, node: IntLiteral | FloatLiteral, wanted: DataType | None) -> str:
        """Return a literal, with its type if the context would give it another."""
        number = short_float(node.value) if isinstance(node, FloatLiteral) else str(node.value)
        own = FLOAT_LITERAL if isinstance(node, FloatLiteral) else INT_LITERAL
        given = own if wanted is None else _component(wanted)
        return number if given is node.type.resolved else f"{node.type.shown}({number})"

    def setting(self, node: SettingReference) -> str:
        return f"sk_Caps.{node.name}"

    def int_literal(self, node: IntLiteral) -> str:
        return self.literal(node, None)

    def float_literal(self, node: FloatLiteral) -> str:
        return self.literal(node, None)

    # -- operators -----------------------------------------------------------------------------

    def binary(self, node: BinaryExpression) -> str:
        sign, binds = node.operator.spelling, node.operator.precedence
        left, right = node.left, node.right
        if node.operator.is_assignment:
            target = self.within(left, P.PREFIX)
            return f"{target} {sign} {self.within(right, binds, left.type)}"
        if node.operator is Operator.COMMA:
            return f"{self.within(left, binds)}, {self.within(right, P.ASSIGNMENT)}"
        first = self.within(left, binds, _other(right))
        second = self.within(right, Precedence(binds - 1), _other(left))
        return f"{first} {sign} {second}"

    def prefix(self, node: PrefixExpression) -> str:
        sign = node.operator.spelling
        operand = self.within(node.operand, P.PREFIX)
        doubled = operand[:1] in "+-" and node.operator in SIGNS
        return f"{sign}({operand})" if doubled else sign + operand

    def ternary(self, node: TernaryExpression) -> str:
        test = self.within(node.test, P.LOGICAL_OR)
        first = self.within(node.if_true, P.ASSIGNMENT, _other(node.if_false))
        second = self.within(node.if_false, P.ASSIGNMENT, _other(node.if_true))
        return f"{test} ? {first} : {second}"

    def operand(self, node: Expression) -> str:
        return self.within(node, P.POSTFIX)

    def field(self, node: FieldAccess) -> str:
        text = super().field(node)
        anonymous = node.owner is OwnerKind.ANONYMOUS_INTERFACE_BLOCK
        return text.rpartition(".")[2] if anonymous else text

    def index(self, node: IndexExpression) -> str:
        return f"{self.operand(node.base)}[{self.within(node.index, P.SEQUENCE)}]"

    # -- calls ---------------------------------------------------------------------------------

    def constructor(self, node: ConstructorExpression) -> str:
        type_ = node.type.resolved
        wanted: list[DataType | None] = [type_.component] * len(node.arguments)
        if isinstance(type_, StructDataType):
            members: list[DataType | None] = [each.type for each in type_.members]
            wanted = members[: len(wanted)] + [None] * (len(wanted) - len(members))
        pairs = zip(node.arguments, wanted, strict=True)
        arguments = ", ".join(self.within(each, P.ASSIGNMENT, type_) for each, type_ in pairs)
        return f"{node.type.shown}({arguments})"

    def call(self, node: FunctionCall) -> str:
        wanted = self._parameters(node)
        pairs = zip(node.arguments, wanted, strict=True)
        arguments = ", ".join(self.within(each, P.ASSIGNMENT, type_) for each, type_ in pairs)
        return f"{node.function.name}({arguments})"

    def _parameters(self, node: FunctionCall) -> list[DataType | None]:
        """Return the types that the call gives its literals.

        If untyped literals fit another overload better, the literals need explicit types.
        """
        none: list[DataType | None] = [None] * len(node.arguments)
        found = self.scope.find(node.function.name)
        if found is None or not isinstance(node.function, FunctionDeclaration):
            return none
        given = [_untyped(each) for each in node.arguments]
        if best_overload(found, given) is not node.function:
            return none
        types = final_types(node.function, given)
        return none if types is None else [*types[0]]


def precedence(node: Expression) -> Precedence:
    """Return how tightly an expression binds."""
    if isinstance(node, BinaryExpression):
        return node.operator.precedence
    if isinstance(node, TernaryExpression):
        return P.TERNARY
    if isinstance(node, PrefixExpression):
        return P.PREFIX
    negative = isinstance(node, IntLiteral | FloatLiteral) and str(node.value).startswith("-")
    return P.PREFIX if negative else P.POSTFIX


def _component(type_: DataType) -> DataType:
    """Return the type that a place of some type gives a literal."""
    type_ = type_.resolved
    return type_.component if type_.is_vector or type_.is_matrix else type_


def _other(node: Expression) -> DataType | None:
    """Return the type that an operand gives the literal beside it; None for another literal."""
    if isinstance(node, IntLiteral | FloatLiteral):
        return None
    type_ = _component(node.type)
    return None if type_.kind is TypeKind.LITERAL or type_ is INVALID else type_


def _untyped(node: Expression) -> DataType:
    if isinstance(node, IntLiteral | FloatLiteral):
        is_float = isinstance(node, FloatLiteral) or node.type.resolved.number is NumberKind.FLOAT
        return FLOAT_LITERAL if is_float else INT_LITERAL
    return node.type
