"""Reading of statements.

Source: SkSLDSLParser.cpp of Skia's milestone 104.
"""

from ...tables.enumerations import BlockForm
from ...tree import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DiscardStatement,
    Expression,
    NopStatement,
    ReturnStatement,
    Statement,
)
from ..compilation import Compilation
from ..loops import LoopPositions
from ..messages import Position, span
from ..statements import (
    conditional,
    do_loop,
    expression_statement,
    for_loop,
    switch,
    while_loop,
)
from .cursor import Abandoned, Reader, TokenCursor
from .declarations import PRECISIONS, read_constant, read_heading, read_locals
from .expressions import read_expression
from .tokens import END, TokenKind

__all__ = ["read_block"]


def _declaration_or_expression(c: Compilation, tokens: TokenCursor) -> Statement:
    token = tokens.peek()
    if token.kind == "const":
        return read_locals(c, tokens, read_heading(c, tokens))
    if token.kind in PRECISIONS or c.is_type(token.text):
        # Most often a declaration, but perhaps a constructor whose value is not used.
        checkpoint = tokens.checkpoint()
        try:
            heading = read_heading(c, tokens)
        except Abandoned:
            tokens.rewind(checkpoint)
        else:
            return read_locals(c, tokens, heading)
    return _expression_statement(c, tokens)


def _expression_statement(c: Compilation, tokens: TokenCursor) -> Statement:
    given = read_expression(c, tokens)
    tokens.require(";", "';'")
    return expression_statement(c, given) or NopStatement()


# -- statements ----------------------------------------------------------------------------


def read_statement(c: Compilation, tokens: TokenCursor) -> Statement:
    """Read a statement."""
    token = tokens.next()
    with tokens.nested():
        tokens.deeper_before(token)
        reader = READERS.get(token.kind)
        if reader is not None:
            return reader(c, tokens)
        if token.kind in (*PRECISIONS, "const", TokenKind.WORD):
            return _declaration_or_expression(c, tokens)
        return _expression_statement(c, tokens)


def read_block(c: Compilation, tokens: TokenCursor) -> BlockStatement:
    """Read statements in braces."""
    start = tokens.require("{", "'{'")
    statements: list[Statement] = []
    with tokens.nested():
        tokens.deeper()
        symbols = c.push()
        try:
            while not tokens.accept("}"):
                if tokens.peek().kind == END:
                    tokens.error(tokens.peek(), "expected '}', but found end of file")
                    tokens.abandon()
                try:
                    statements.append(read_statement(c, tokens))
                except Abandoned:
                    if tokens.fatal:
                        raise
                if tokens.fatal:
                    tokens.abandon()
        finally:
            c.pop()
    return BlockStatement(
        symbols=symbols,
        statements=statements,
        form=BlockForm.BRACED_SCOPE,
        position=tokens.range_from(start.start),
    )


def _empty(c: Compilation, tokens: TokenCursor) -> Statement:
    """Read `;`."""
    tokens.next()
    return NopStatement() if c.settings.native else _bare()


def _bare() -> BlockStatement:
    return BlockStatement(symbols=None, statements=[], form=BlockForm.BRACED_SCOPE)


def _braces(c: Compilation, tokens: TokenCursor) -> Statement:
    """Read a block that is a statement."""
    start = tokens.peek()
    found = read_block(c, tokens)
    end = found.position
    if c.settings.native and end is not None and end[1] - start.start == len("{}"):
        return _bare()
    return found


def _or_nop(found: Statement | None, position: Position) -> Statement:
    made = NopStatement() if found is None else found
    if made.position is None:
        made.position = position
    return made


def _condition(c: Compilation, tokens: TokenCursor) -> Expression:
    tokens.require("(", "'('")
    test = read_expression(c, tokens)
    tokens.require(")", "')'")
    return test


def _if(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    test = _condition(c, tokens)
    if_true = read_statement(c, tokens)
    if_false = read_statement(c, tokens) if tokens.accept("else") else None
    position = tokens.range_from(start.start)
    static = start.kind == "@if"
    made = conditional(c, position, static, test, if_true, if_false)
    return _or_nop(made, position)


def _do(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    body = read_statement(c, tokens)
    tokens.require("while", "'while'")
    test = _condition(c, tokens)
    tokens.require(";", "';'")
    position = tokens.range_from(start.start)
    return _or_nop(do_loop(c, position, body, test), position)


def _while(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    test = _condition(c, tokens)
    body = read_statement(c, tokens)
    position = tokens.range_from(start.start)
    made = while_loop(c, position, test, body, c.table)
    return _or_nop(made, position)


def _for(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    opening = tokens.require("(", "'('")
    symbols = c.push()
    try:
        initialiser: Statement | None = None
        if tokens.peek().kind == ";":
            first = tokens.next().start
        else:
            initialiser = _declaration_or_expression(c, tokens)
            first = tokens.lexer.at - 1
        test = read_expression(c, tokens) if tokens.peek().kind != ";" else None
        second = tokens.require(";", "';'").start
        step = read_expression(c, tokens) if tokens.peek().kind != ")" else None
        closing = tokens.require(")", "')'").start
        body = read_statement(c, tokens)
        positions = LoopPositions(
            _at_least_one(opening.start + 1, first),
            _at_least_one(first + 1, second),
            _at_least_one(second + 1, closing),
        )
        position = tokens.range_from(start.start)
        made = for_loop(c, position, positions, initialiser, test, step, body, symbols)
        return _or_nop(made, position)
    finally:
        c.pop()


def _switch(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    value = _condition(c, tokens)
    tokens.require("{", "'{'")
    cases: list[tuple[Expression | None, list[Statement]]] = []
    while tokens.accept("case"):
        label = read_constant(c, tokens, read_expression)
        tokens.require(":", "':'")
        cases.append((label, _case_body(c, tokens, "case", "default", "}")))
    if tokens.accept("default"):
        tokens.require(":", "':'")
        cases.append((None, _case_body(c, tokens, "}")))
    tokens.require("}", "'}'")
    position = tokens.range_from(start.start)
    static = start.kind == "@switch"
    made = switch(c, position, static, value, cases, c.table)
    return _or_nop(made, position)


def _case_body(c: Compilation, tokens: TokenCursor, *ends: str) -> list[Statement]:
    found: list[Statement] = []
    while tokens.peek().kind not in ends:
        found.append(read_statement(c, tokens))
    return found


def _return(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    value = read_expression(c, tokens) if tokens.peek().kind != ";" else None
    tokens.require(";", "';'")
    return ReturnStatement(value=value, position=tokens.range_from(start.start))


def _break(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    tokens.require(";", "';'")
    return BreakStatement(position=start.position)


def _continue(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    tokens.require(";", "';'")
    return ContinueStatement(position=start.position)


def _discard(c: Compilation, tokens: TokenCursor) -> Statement:
    start = tokens.next()
    tokens.require(";", "';'")
    if not c.settings.is_fragment:
        tokens.error(start, "discard statement is only permitted in fragment shaders")
    return DiscardStatement(position=start.position)


READERS: dict[str, Reader[Statement]] = {
    "if": _if,
    "@if": _if,
    "for": _for,
    "do": _do,
    "while": _while,
    "switch": _switch,
    "@switch": _switch,
    "return": _return,
    "break": _break,
    "continue": _continue,
    "discard": _discard,
    "{": _braces,
    ";": _empty,
}


def _at_least_one(start: int, end: int) -> Position:
    return span(start, max(end, start + 1))
