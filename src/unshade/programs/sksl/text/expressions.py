"""Expressions as text, for every style.

A style chooses how operators are joined and grouped; names, literals, calls, constructors and
swizzles are common to all styles.
"""

from ..tables.operators import Operator
from ..tree import (
    CONSTRUCTORS,
    BinaryExpression,
    BoolLiteral,
    ChildCall,
    ConstructorExpression,
    Expression,
    FieldAccess,
    FloatLiteral,
    FunctionCall,
    IndexExpression,
    IntLiteral,
    PostfixExpression,
    PrefixExpression,
    SettingReference,
    StructDataType,
    SwizzleExpression,
    TernaryExpression,
    VariableReference,
)

__all__ = ["ExpressionPrinter", "float_text"]

SIGNS = (Operator.MINUS, Operator.PLUS)


def float_text(value: float) -> str:
    """Return a float of 32 bits with 17 digits, as upstream prints it."""
    text = f"{value:.17g}"
    return text if "." in text or "e" in text else f"{text}.0"


class ExpressionPrinter:
    """Upstream's style: parentheses around all operators."""

    __slots__ = ()

    def text(self, node: Expression) -> str:
        """Return an expression."""
        found: str = getattr(self, _METHODS[type(node)])(node)
        return found

    def binary(self, node: BinaryExpression) -> str:
        sign = node.operator.spelling
        between = f"{sign} " if node.operator is Operator.COMMA else f" {sign} "
        return f"({self.text(node.left)}{between}{self.text(node.right)})"

    def prefix(self, node: PrefixExpression) -> str:
        sign = node.operator.spelling
        if node.operator in SIGNS:
            sign = f" {sign} "
        return sign + self.text(node.operand)

    def postfix(self, node: PostfixExpression) -> str:
        return self.text(node.operand) + node.operator.spelling

    def ternary(self, node: TernaryExpression) -> str:
        texts = self.text(node.test), self.text(node.if_true), self.text(node.if_false)
        return "({} ? {} : {})".format(*texts)

    def index(self, node: IndexExpression) -> str:
        return f"{self.operand(node.base)}[{self.text(node.index)}]"

    def swizzle(self, node: SwizzleExpression) -> str:
        letters = "".join(each.letter for each in node.components)
        return f"{self.operand(node.base)}.{letters}"

    def field(self, node: FieldAccess) -> str:
        type_ = node.base.type.resolved
        known = isinstance(type_, StructDataType) and node.index < len(type_.members)
        name = type_.members[node.index].name if known else f"_{node.index}"  # type: ignore[attr-defined]
        return f"{self.operand(node.base)}.{name}"

    def operand(self, node: Expression) -> str:
        """Return the operand of a postfix."""
        return self.text(node)

    def arguments(self, nodes: list[Expression]) -> str:
        """Return arguments in parentheses."""
        return f"({', '.join(map(self.text, nodes))})"

    def call(self, node: FunctionCall) -> str:
        return node.function.name + self.arguments(node.arguments)

    def child_call(self, node: ChildCall) -> str:
        return f"{node.child.name}.eval{self.arguments(node.arguments)}"

    def constructor(self, node: ConstructorExpression) -> str:
        return node.type.shown + self.arguments(node.arguments)

    def variable(self, node: VariableReference) -> str:
        return node.variable.name

    def setting(self, node: SettingReference) -> str:
        return node.name

    def bool_literal(self, node: BoolLiteral) -> str:
        return "true" if node.value else "false"

    def int_literal(self, node: IntLiteral) -> str:
        return str(node.value)

    def float_literal(self, node: FloatLiteral) -> str:
        return float_text(node.value)


_METHODS: dict[type[Expression], str] = {
    BinaryExpression: "binary",
    PrefixExpression: "prefix",
    PostfixExpression: "postfix",
    TernaryExpression: "ternary",
    IndexExpression: "index",
    SwizzleExpression: "swizzle",
    FieldAccess: "field",
    FunctionCall: "call",
    ChildCall: "child_call",
    VariableReference: "variable",
    SettingReference: "setting",
    BoolLiteral: "bool_literal",
    IntLiteral: "int_literal",
    FloatLiteral: "float_literal",
    **dict.fromkeys(CONSTRUCTORS, "constructor"),
}
