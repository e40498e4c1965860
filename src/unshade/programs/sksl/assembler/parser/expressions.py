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
from ..compilation import Compilation
from ..messages import Position, cover, span
from ..operators import binary, postfix, prefix, ternary
from ..swizzles import swizzle
from ..unfinished import CAPS, FunctionName, Poison, TypeName, functions_of, poison
from ..values import literal, moved, to_f32
from .cursor import TokenCursor
from .tokens import SourceToken, TokenKind

__all__ = ["int_value", "is_valid", "read_assignment", "read_expression"]

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


def _or_poison(found: Expression | None, position: Position) -> Expression:
    return poison(position) if found is None else found


# -- operators -----------------------------------------------------------------------------


def read_expression(c: Compilation, tokens: TokenCursor) -> Expression:
    """Read an expression, which may have commas."""
    with tokens.nested():
        left = read_assignment(c, tokens)
        while tokens.peek().kind == ",":
            tokens.next()
            tokens.deeper()
            left = _binary(c, left, Operator.COMMA, read_assignment(c, tokens))
        return left


def _binary(c: Compilation, left: Expression, operator: Operator, right: Expression) -> Expression:
    position = cover(left.position, right.position)
    return _or_poison(binary(c, position, left, operator, right), position)


def read_assignment(c: Compilation, tokens: TokenCursor) -> Expression:
    """Read an expression without commas."""
    with tokens.nested():
        left = _ternary(c, tokens)
        while True:
            operator = BINARY.get(tokens.peek().kind)
            if operator is None or not operator.is_assignment:
                return left
            tokens.next()
            tokens.deeper()
            left = _binary(c, left, operator, read_assignment(c, tokens))


def _ternary(c: Compilation, tokens: TokenCursor) -> Expression:
    test = _operators(c, tokens, Precedence.LOGICAL_OR)
    if tokens.accept("?") is None:
        return test
    with tokens.nested():
        tokens.deeper()
        if_true = read_expression(c, tokens)
        tokens.require(":", "':'")
        if_false = read_assignment(c, tokens)
    position = cover(test.position, if_false.position)
    return _or_poison(ternary(c, position, test, if_true, if_false), position)


def _operators(c: Compilation, tokens: TokenCursor, loosest: Precedence) -> Expression:
    """Read operands with operators that bind at least as tightly as `loosest`."""
    with tokens.nested():
        left = _unary(c, tokens)
        outer = tokens.depth
        levels: list[Precedence] = []  # of the operators that count for nesting
        while True:
            operator = BINARY.get(tokens.peek().kind)
            if operator is None or operator.precedence > loosest:
                return left
            levels = [each for each in levels if each >= operator.precedence]
            tokens.depth = outer + len(levels)
            tokens.next()
            tokens.deeper()
            levels.append(operator.precedence)
            right = _operators(c, tokens, Precedence(operator.precedence - 1))
            left = _binary(c, left, operator, right)


def _unary(c: Compilation, tokens: TokenCursor) -> Expression:
    start = tokens.peek()
    operator = PREFIXES.get(start.kind)
    if operator is None:
        return _postfix(c, tokens)
    with tokens.nested():
        tokens.next()
        tokens.deeper()
        given = _unary(c, tokens)
    end = given.position[1] if given.position else start.end
    position = span(start.start, end)
    return _or_poison(prefix(c, position, operator, given), position)


def _postfix(c: Compilation, tokens: TokenCursor) -> Expression:
    with tokens.nested():
        found = _term(c, tokens)
        while True:
            token = tokens.peek()
            swizzled = token.kind == TokenKind.FLOAT and token.text[0] == "."
            if token.kind not in SUFFIXES and not swizzled:
                return found
            tokens.deeper()
            found = _suffix(c, tokens, found)


# -- suffixes ------------------------------------------------------------------------------


def _suffix(c: Compilation, tokens: TokenCursor, base: Expression) -> Expression:
    token = tokens.next()
    start = base.position[0] if base.position else token.start
    with tokens.nested():
        tokens.deeper()
        if token.kind == "[":
            return _subscript(c, tokens, base, start, token)
        if token.kind == "(":
            return _call(c, tokens, base, start)
        if token.kind in ("++", "--"):
            position = tokens.range_from(start)
            operator = PREFIXES[token.kind]
            return _or_poison(postfix(c, position, base, operator), position)
        return _member(c, tokens, base, start, token)


def _subscript(
    c: Compilation, tokens: TokenCursor, base: Expression, start: int, bracket: SourceToken
) -> Expression:
    if tokens.accept("]"):
        tokens.error(tokens.range_from(bracket.start), "missing index in '[]'")
        return poison(tokens.range_from(start))
    index = read_expression(c, tokens)
    tokens.expect("]", "']' to complete array access expression")
    position = tokens.range_from(start)
    return _or_poison(subscript(c, position, base, index), position)


def _call(c: Compilation, tokens: TokenCursor, base: Expression, start: int) -> Expression:
    arguments: list[Expression] = []
    if tokens.peek().kind != ")":
        arguments.append(read_assignment(c, tokens))
        while tokens.accept(","):
            arguments.append(read_assignment(c, tokens))
    tokens.expect(")", "')' to complete function arguments")
    position = tokens.range_from(start)
    return _or_poison(call(c, position, base, arguments), position)


def _member(
    c: Compilation, tokens: TokenCursor, base: Expression, start: int, token: SourceToken
) -> Expression:
    """Read the member after a dot, or a swizzle that was lexed as a number: `.001r`."""
    if token.kind == ".":
        name = tokens.expect(TokenKind.WORD, "identifier")
        if name is not None:
            mask_position = tokens.range_from(token.end)
            return _select(c, tokens.range_from(start), base, name.text, mask_position)
    digits = token.text[1:]
    position, mask_position = tokens.range_from(start), tokens.range_from(token.start + 1)
    rest = tokens.next_raw()
    if rest.kind == TokenKind.WORD:
        position, mask_position = tokens.range_from(start), tokens.range_from(token.start + 1)
        return _select(c, position, base, digits + rest.text, mask_position)
    if not digits:
        tokens.error(position, "expected field name or swizzle mask after '.'")
        return poison(position)
    tokens.put_back(rest)
    return _select(c, position, base, digits, mask_position)


def _select(
    c: Compilation, position: Position, base: Expression, name: str, mask_position: Position
) -> Expression:
    if base.type.is_vector or base.type.is_scalar:
        return swizzle(c, position, mask_position, base, name)
    return _or_poison(member(c, position, base, name), position)


# -- terms ---------------------------------------------------------------------------------


def _term(c: Compilation, tokens: TokenCursor) -> Expression:
    token = tokens.peek()
    position = token.position
    if token.kind == TokenKind.WORD:
        tokens.next()
        return _or_poison(_named(c, token), position)
    if token.kind == TokenKind.INT:
        tokens.next()
        return literal(int_value(tokens, token), INT_LITERAL, position)
    if token.kind == TokenKind.FLOAT:
        tokens.next()
        return literal(_float_value(tokens, token), FLOAT_LITERAL, position)
    if token.kind in ("true", "false"):
        tokens.next()
        return literal(token.kind == "true", BOOL, position)
    tokens.next()
    if token.kind != "(":
        tokens.error(token, f"expected expression, but found '{token.text}'")
        tokens.fatal = True
        tokens.abandon()
    with tokens.nested():
        tokens.deeper()
        found = read_expression(c, tokens)
        tokens.expect(")", "')' to complete expression")
        return moved(found, tokens.range_from(token.start))


def int_value(tokens: TokenCursor, token: SourceToken) -> int:
    """Return the value of an integer; report one that is too large."""
    digits = token.text.rstrip("uU")
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
    # Longer numbers are too large whatever their digits; Python bounds what `int` takes.
    value = int(digits, base) if len(digits.lstrip("0")) <= 32 else MOST_INT + 1
    if value > MOST_INT:
        tokens.error(token, f"integer is too large: {token.text}")
        return 0
    return value


def _float_value(tokens: TokenCursor, token: SourceToken) -> float:
    value = to_f32(float(token.text))
    if not math.isfinite(value):
        tokens.error(token, f"floating-point value is too large: {token.text}")
        return 0.0
    return value


def _named(c: Compilation, token: SourceToken) -> Expression | None:
    """Return the expression for a name; None after reporting an error."""
    position = token.position
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
        owner = _reference(symbol.owner, position)
        block = OwnerKind.ANONYMOUS_INTERFACE_BLOCK
        return member_of(c, position, owner, symbol.index, block)
    return _reference(symbol, position)


def _reference(symbol: Symbol, position: Position) -> Expression:
    if isinstance(symbol, NamedSymbol):
        return VariableReference(variable=symbol, position=position, cached=CAPS)
    assert isinstance(symbol, VariableSymbol)
    return VariableReference(variable=symbol, reference=ReferenceKind.READ, position=position)


def is_valid(given: Expression) -> bool:
    """Return True unless an expression is the placeholder for an error."""
    return not isinstance(given, Poison)
