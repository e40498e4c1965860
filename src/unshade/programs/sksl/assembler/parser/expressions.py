"""Reading of expressions, from the loosest operator to the tightest.

A level of nesting is counted for each operator, and given back where upstream's reader leaves the
function for its precedence: `a + b * c + d` is two levels deep, not three.

Source: SkSLDSLParser.cpp of Skia's milestone 104.
"""

import math

from ...tables.enumerations import OwnerKind, ReferenceKind
from ...tables.operators import Operator, Precedence
from ...tree import (
    BOOL,
    FLOAT_LITERAL,
    INT_LITERAL,
    DataType,
    Expression,
    FieldSymbol,
    NamedSymbol,
    Symbol,
    VariableReference,
    VariableSymbol,
)
from ..access import checked_type, member, member_of, subscript
from ..calls import call
from ..messages import Position, cover, span
from ..operators import binary, postfix, prefix, ternary
from ..swizzles import swizzle
from ..unfinished import CAPS, FunctionName, Poison, TypeName, functions_of, poison
from ..values import literal, moved, to_f32
from .token_reader import SourceTokenReader
from .tokens import SourceToken, TokenKind

__all__ = ["ExpressionReader"]

BINARY = {
    each.spelling: each
    for each in Operator
    if each.precedence not in (Precedence.PREFIX, Precedence.POSTFIX, Precedence.SEQUENCE)
}
PREFIXES = {
    "+": Operator.PLUS,
    "-": Operator.MINUS,
    "!": Operator.LOGICAL_NOT,
    "~": Operator.BITWISE_NOT,
    "++": Operator.PLUS_PLUS,
    "--": Operator.MINUS_MINUS,
}
SUFFIXES = ("[", ".", "(", "++", "--")
MOST_INT = 0xFFFFFFFF


class ExpressionReader(SourceTokenReader):
    """A reader of expressions."""

    def _or_poison(self, found: Expression | None, position: Position) -> Expression:
        return poison(position) if found is None else found

    # -- operators -----------------------------------------------------------------------------

    def expression(self) -> Expression:
        """Read an expression, which may have commas."""
        with self.nested():
            left = self.assignment()
            while self.peek().kind == ",":
                self.next()
                self.deeper()
                left = self._binary(left, Operator.COMMA, self.assignment())
            return left

    def _binary(self, left: Expression, operator: Operator, right: Expression) -> Expression:
        position = cover(left.position, right.position)
        return self._or_poison(binary(self.c, position, left, operator, right), position)

    def assignment(self) -> Expression:
        """Read an expression without commas."""
        with self.nested():
            left = self._ternary()
            while True:
                operator = BINARY.get(self.peek().kind)
                if operator is None or not operator.is_assignment:
                    return left
                self.next()
                self.deeper()
                left = self._binary(left, operator, self.assignment())

    def _ternary(self) -> Expression:
        test = self._operators(Precedence.LOGICAL_OR)
        if self.accept("?") is None:
            return test
        with self.nested():
            self.deeper()
            if_true = self.expression()
            self.require(":", "':'")
            if_false = self.assignment()
        position = cover(test.position, if_false.position)
        return self._or_poison(ternary(self.c, position, test, if_true, if_false), position)

    def _operators(self, loosest: Precedence) -> Expression:
        """Read operands with operators that bind at least as tightly as `loosest`."""
        with self.nested():
            left = self._unary()
            outer = self.depth
            levels: list[Precedence] = []  # of the operators that count for nesting
            while True:
                operator = BINARY.get(self.peek().kind)
                if operator is None or operator.precedence > loosest:
                    return left
                levels = [each for each in levels if each >= operator.precedence]
                self.depth = outer + len(levels)
                self.next()
                self.deeper()
                levels.append(operator.precedence)
                right = self._operators(Precedence(operator.precedence - 1))
                left = self._binary(left, operator, right)

    def _unary(self) -> Expression:
        start = self.peek()
        operator = PREFIXES.get(start.kind)
        if operator is None:
            return self._postfix()
        with self.nested():
            self.next()
            self.deeper()
            given = self._unary()
        end = given.position[1] if given.position else start.end
        position = span(start.start, end)
        return self._or_poison(prefix(self.c, position, operator, given), position)

    def _postfix(self) -> Expression:
        with self.nested():
            found = self._term()
            while True:
                token = self.peek()
                swizzled = token.kind == TokenKind.FLOAT and token.text[0] == "."
                if token.kind not in SUFFIXES and not swizzled:
                    return found
                self.deeper()
                found = self._suffix(found)

    # -- suffixes ------------------------------------------------------------------------------

    def _suffix(self, base: Expression) -> Expression:
        token = self.next()
        start = base.position[0] if base.position else token.start
        with self.nested():
            self.deeper()
            if token.kind == "[":
                return self._subscript(base, start, token)
            if token.kind == "(":
                return self._call(base, start)
            if token.kind in ("++", "--"):
                position = self.range_from(start)
                operator = PREFIXES[token.kind]
                return self._or_poison(postfix(self.c, position, base, operator), position)
            return self._member(base, start, token)

    def _subscript(self, base: Expression, start: int, bracket: SourceToken) -> Expression:
        if self.accept("]"):
            self.error(self.range_from(bracket.start), "missing index in '[]'")
            return poison(self.range_from(start))
        index = self.expression()
        self.expect("]", "']' to complete array access expression")
        position = self.range_from(start)
        return self._or_poison(subscript(self.c, position, base, index), position)

    def _call(self, base: Expression, start: int) -> Expression:
        arguments: list[Expression] = []
        if self.peek().kind != ")":
            arguments.append(self.assignment())
            while self.accept(","):
                arguments.append(self.assignment())
        self.expect(")", "')' to complete function arguments")
        position = self.range_from(start)
        return self._or_poison(call(self.c, position, base, arguments), position)

    def _member(self, base: Expression, start: int, token: SourceToken) -> Expression:
        """Read what follows a dot, or a swizzle that was read as a number: `.001r`."""
        if token.kind == ".":
            name = self.expect(TokenKind.WORD, "identifier")
            if name is not None:
                mask_position = self.range_from(token.end)
                return self._select(self.range_from(start), base, name.text, mask_position)
        digits = token.text[1:]
        position, mask_position = self.range_from(start), self.range_from(token.start + 1)
        rest = self.next_raw()
        if rest.kind == TokenKind.WORD:
            position, mask_position = self.range_from(start), self.range_from(token.start + 1)
            return self._select(position, base, digits + rest.text, mask_position)
        if not digits:
            self.error(position, "expected field name or swizzle mask after '.'")
            return poison(position)
        self.ahead = rest
        return self._select(position, base, digits, mask_position)

    def _select(
        self, position: Position, base: Expression, name: str, mask_position: Position
    ) -> Expression:
        if base.type.is_vector or base.type.is_scalar:
            return swizzle(self.c, position, mask_position, base, name)
        return self._or_poison(member(self.c, position, base, name), position)

    # -- terms ---------------------------------------------------------------------------------

    def _term(self) -> Expression:
        token = self.peek()
        position = self.place(token)
        if token.kind == TokenKind.WORD:
            self.next()
            return self._or_poison(self._named(token), position)
        if token.kind == TokenKind.INT:
            self.next()
            return literal(self.int_value(token), INT_LITERAL, position)
        if token.kind == TokenKind.FLOAT:
            self.next()
            return literal(self._float_value(token), FLOAT_LITERAL, position)
        if token.kind in ("true", "false"):
            self.next()
            return literal(token.kind == "true", BOOL, position)
        self.next()
        if token.kind != "(":
            self.error(token, f"expected expression, but found '{token.text}'")
            self.fatal = True
            self.abandon()
        with self.nested():
            self.deeper()
            found = self.expression()
            self.expect(")", "')' to complete expression")
            return moved(found, self.range_from(token.start))

    def int_value(self, token: SourceToken) -> int:
        """Return the value of an integer; report one that is too large."""
        digits = token.text.rstrip("uU")
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
        # Longer numbers are too large whatever their digits; Python bounds what `int` takes.
        value = int(digits, base) if len(digits.lstrip("0")) <= 32 else MOST_INT + 1
        if value > MOST_INT:
            self.error(token, f"integer is too large: {token.text}")
            return 0
        return value

    def _float_value(self, token: SourceToken) -> float:
        value = to_f32(float(token.text))
        if not math.isfinite(value):
            self.error(token, f"floating-point value is too large: {token.text}")
            return 0.0
        return value

    def _named(self, token: SourceToken) -> Expression | None:
        """Return what a name stands for; None after reporting an error."""
        c, position = self.c, self.place(token)
        symbol = c.find(token.text)
        if symbol is None:
            c.error(position, f"unknown identifier '{token.text}'")
            return None
        functions = functions_of(symbol)
        if functions:
            return FunctionName(functions=functions, position=position)
        if isinstance(symbol, DataType):
            meaning = checked_type(c, symbol, position, private=False)
            return TypeName(meaning=meaning, position=position)
        if isinstance(symbol, FieldSymbol):
            owner = self._reference(symbol.owner, position)
            block = OwnerKind.ANONYMOUS_INTERFACE_BLOCK
            return member_of(c, position, owner, symbol.index, block)
        return self._reference(symbol, position)

    def _reference(self, symbol: Symbol, position: Position) -> Expression:
        if isinstance(symbol, NamedSymbol):
            return VariableReference(variable=symbol, position=position, cached=CAPS)
        assert isinstance(symbol, VariableSymbol)
        return VariableReference(variable=symbol, reference=ReferenceKind.READ, position=position)


def is_valid(given: Expression) -> bool:
    """Return True unless an expression stands for one with an error."""
    return not isinstance(given, Poison)
