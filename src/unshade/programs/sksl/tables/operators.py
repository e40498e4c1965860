"""Operators: their numbers, spelling and precedence.

Source: the header SkSLOperator.h of Skia's milestone 104; precedence is as in C, with `^^` between
`&&` and `||`.
"""

from ....enums import IntEnum
from ....tuples import NamedTuple

__all__ = ["OPERATORS", "Operator", "OperatorRow", "Precedence"]


class Precedence(IntEnum):
    """Precedence of operators; a smaller number binds tighter."""

    PARENTHESES = 1
    POSTFIX = 2
    PREFIX = 3
    MULTIPLICATIVE = 4
    ADDITIVE = 5
    SHIFT = 6
    RELATIONAL = 7
    EQUALITY = 8
    BITWISE_AND = 9
    BITWISE_XOR = 10
    BITWISE_OR = 11
    LOGICAL_AND = 12
    LOGICAL_XOR = 13
    LOGICAL_OR = 14
    TERNARY = 15
    ASSIGNMENT = 16
    SEQUENCE = 17


class Operator(IntEnum):
    """An operator, numbered as in version 11."""

    PLUS = 0
    MINUS = 1
    STAR = 2
    SLASH = 3
    PERCENT = 4
    SHL = 5
    SHR = 6
    LOGICAL_NOT = 7
    LOGICAL_AND = 8
    LOGICAL_OR = 9
    LOGICAL_XOR = 10
    BITWISE_NOT = 11
    BITWISE_AND = 12
    BITWISE_OR = 13
    BITWISE_XOR = 14
    EQ = 15
    EQEQ = 16
    NEQ = 17
    LT = 18
    GT = 19
    LTEQ = 20
    GTEQ = 21
    PLUS_EQ = 22
    MINUS_EQ = 23
    STAR_EQ = 24
    SLASH_EQ = 25
    PERCENT_EQ = 26
    SHL_EQ = 27
    SHR_EQ = 28
    BITWISE_AND_EQ = 29
    BITWISE_OR_EQ = 30
    BITWISE_XOR_EQ = 31
    PLUS_PLUS = 32
    MINUS_MINUS = 33
    COMMA = 34

    @property
    def spelling(self) -> str:
        """The operator in source."""
        return OPERATORS[self].spelling

    @property
    def precedence(self) -> Precedence:
        """Precedence as an operator between two operands."""
        return OPERATORS[self].precedence

    @property
    def is_assignment(self) -> bool:
        """True for `=` and the compound assignments."""
        return self is Operator.EQ or Operator.PLUS_EQ <= self <= Operator.BITWISE_XOR_EQ

    @property
    def without_assignment(self) -> "Operator":
        """The operator that a compound assignment applies; any other is returned unchanged."""
        return _APPLIED.get(self, self)

    @property
    def is_comparison(self) -> bool:
        """True for operators whose result is a bool whatever they compare."""
        return Operator.EQEQ <= self <= Operator.GTEQ

    @property
    def is_logical(self) -> bool:
        """True for `&&`, `||` and `^^`."""
        return Operator.LOGICAL_AND <= self <= Operator.LOGICAL_XOR


class OperatorRow(NamedTuple):
    """Properties of an operator."""

    spelling: str
    precedence: Precedence


P = Precedence
OPERATORS: tuple[OperatorRow, ...] = tuple(
    OperatorRow(*row)
    for row in (
        ("+",   P.ADDITIVE),
        ("-",   P.ADDITIVE),
        ("*",   P.MULTIPLICATIVE),
        ("/",   P.MULTIPLICATIVE),
        ("%",   P.MULTIPLICATIVE),
        ("<<",  P.SHIFT),
        (">>",  P.SHIFT),
        ("!",   P.PREFIX),
        ("&&",  P.LOGICAL_AND),
        ("||",  P.LOGICAL_OR),
        ("^^",  P.LOGICAL_XOR),
        ("~",   P.PREFIX),
        ("&",   P.BITWISE_AND),
        ("|",   P.BITWISE_OR),
        ("^",   P.BITWISE_XOR),
        ("=",   P.ASSIGNMENT),
        ("==",  P.EQUALITY),
        ("!=",  P.EQUALITY),
        ("<",   P.RELATIONAL),
        (">",   P.RELATIONAL),
        ("<=",  P.RELATIONAL),
        (">=",  P.RELATIONAL),
        ("+=",  P.ASSIGNMENT),
        ("-=",  P.ASSIGNMENT),
        ("*=",  P.ASSIGNMENT),
        ("/=",  P.ASSIGNMENT),
        ("%=",  P.ASSIGNMENT),
        ("<<=", P.ASSIGNMENT),
        (">>=", P.ASSIGNMENT),
        ("&=",  P.ASSIGNMENT),
        ("|=",  P.ASSIGNMENT),
        ("^=",  P.ASSIGNMENT),
        ("++",  P.POSTFIX),
        ("--",  P.POSTFIX),
        (",",   P.SEQUENCE),
    )
)  # fmt: skip

_APPLIED = {
    Operator.PLUS_EQ: Operator.PLUS,
    Operator.MINUS_EQ: Operator.MINUS,
    Operator.STAR_EQ: Operator.STAR,
    Operator.SLASH_EQ: Operator.SLASH,
    Operator.PERCENT_EQ: Operator.PERCENT,
    Operator.SHL_EQ: Operator.SHL,
    Operator.SHR_EQ: Operator.SHR,
    Operator.BITWISE_AND_EQ: Operator.BITWISE_AND,
    Operator.BITWISE_OR_EQ: Operator.BITWISE_OR,
    Operator.BITWISE_XOR_EQ: Operator.BITWISE_XOR,
}
