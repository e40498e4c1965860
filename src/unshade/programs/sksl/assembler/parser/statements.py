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
from .declarations import PRECISIONS, DeclarationReader
from .token_reader import Abandoned
from .tokens import END, SourceToken, TokenKind

__all__ = ["StatementReader"]


class StatementReader(DeclarationReader):
    """A reader of statements."""

    def _declaration_or_expression(self) -> Statement:
        token = self.peek()
        if token.kind == "const":
            return self.locals(self.heading())
        if token.kind in PRECISIONS or self.c.is_type(token.text):
            # Most often a declaration, but perhaps a constructor whose value is not used.
            checkpoint = self.checkpoint()
            depth = self.depth
            try:
                heading = self.heading()
            except Abandoned:
                self.rewind(checkpoint)
                self.depth = depth
            else:
                return self.locals(heading)
        return self._expression_statement()

    def _expression_statement(self) -> Statement:
        given = self.expression()
        self.require(";", "';'")
        return expression_statement(self.c, given) or NopStatement()

    # -- statements ----------------------------------------------------------------------------

    def statement(self) -> Statement:
        """Read a statement."""
        token = self.next()
        with self.nested():
            self.deeper_before(token)
            reader = READERS.get(token.kind)
            if reader is not None:
                return reader(self)
            if token.kind in (*PRECISIONS, "const", TokenKind.WORD):
                return self._declaration_or_expression()
            return self._expression_statement()

    def deeper_before(self, token: SourceToken) -> None:
        """Count one more level of nesting for a statement whose first token was read."""
        try:
            self.deeper()
        finally:
            if self.ahead is None:
                self.ahead = token

    def block(self) -> BlockStatement:
        """Read statements in braces."""
        start = self.require("{", "'{'")
        statements: list[Statement] = []
        with self.nested():
            self.deeper()
            symbols = self.c.push()
            try:
                while not self.accept("}"):
                    if self.peek().kind == END:
                        self.error(self.peek(), "expected '}', but found end of file")
                        self.abandon()
                    try:
                        statements.append(self.statement())
                    except Abandoned:
                        if self.fatal:
                            raise
                    if self.fatal:
                        self.abandon()
            finally:
                self.c.pop()
        return BlockStatement(
            symbols=symbols,
            statements=statements,
            form=BlockForm.BRACED_SCOPE,
            position=self.range_from(start.start),
        )

    def _empty(self) -> Statement:
        """Read `;`."""
        self.next()
        return NopStatement() if self.c.settings.native else self._bare()

    def _bare(self) -> BlockStatement:
        return BlockStatement(symbols=None, statements=[], form=BlockForm.BRACED_SCOPE)

    def _braces(self) -> Statement:
        """Read a block that is a statement."""
        start = self.peek()
        found = self.block()
        end = found.position
        if self.c.settings.native and end is not None and end[1] - start.start == len("{}"):
            return self._bare()
        return found

    def _or_nop(self, found: Statement | None, position: Position) -> Statement:
        made = NopStatement() if found is None else found
        if made.position is None:
            made.position = position
        return made

    def _condition(self) -> Expression:
        self.require("(", "'('")
        test = self.expression()
        self.require(")", "')'")
        return test

    def _if(self) -> Statement:
        start = self.next()
        test = self._condition()
        if_true = self.statement()
        if_false = self.statement() if self.accept("else") else None
        position = self.range_from(start.start)
        static = start.kind == "@if"
        made = conditional(self.c, position, static, test, if_true, if_false)
        return self._or_nop(made, position)

    def _do(self) -> Statement:
        start = self.next()
        body = self.statement()
        self.require("while", "'while'")
        test = self._condition()
        self.require(";", "';'")
        position = self.range_from(start.start)
        return self._or_nop(do_loop(self.c, position, body, test), position)

    def _while(self) -> Statement:
        start = self.next()
        test = self._condition()
        body = self.statement()
        position = self.range_from(start.start)
        made = while_loop(self.c, position, test, body, self.c.table)
        return self._or_nop(made, position)

    def _for(self) -> Statement:
        start = self.next()
        opening = self.require("(", "'('")
        symbols = self.c.push()
        try:
            initialiser: Statement | None = None
            if self.peek().kind == ";":
                first = self.next().start
            else:
                initialiser = self._declaration_or_expression()
                first = self.lexer.at - 1
            test = self.expression() if self.peek().kind != ";" else None
            second = self.require(";", "';'").start
            step = self.expression() if self.peek().kind != ")" else None
            closing = self.require(")", "')'").start
            body = self.statement()
            positions = LoopPositions(
                _at_least_one(opening.start + 1, first),
                _at_least_one(first + 1, second),
                _at_least_one(second + 1, closing),
            )
            position = self.range_from(start.start)
            made = for_loop(self.c, position, positions, initialiser, test, step, body, symbols)
            return self._or_nop(made, position)
        finally:
            self.c.pop()

    def _switch(self) -> Statement:
        start = self.next()
        value = self._condition()
        self.require("{", "'{'")
        cases: list[tuple[Expression | None, list[Statement]]] = []
        while self.accept("case"):
            label = self.constant(self.expression)
            self.require(":", "':'")
            cases.append((label, self._case_body("case", "default", "}")))
        if self.accept("default"):
            self.require(":", "':'")
            cases.append((None, self._case_body("}")))
        self.require("}", "'}'")
        position = self.range_from(start.start)
        static = start.kind == "@switch"
        made = switch(self.c, position, static, value, cases, self.c.table)
        return self._or_nop(made, position)

    def _case_body(self, *ends: str) -> list[Statement]:
        found: list[Statement] = []
        while self.peek().kind not in ends:
            found.append(self.statement())
        return found

    def _return(self) -> Statement:
        start = self.next()
        value = self.expression() if self.peek().kind != ";" else None
        self.require(";", "';'")
        return ReturnStatement(value=value, position=self.range_from(start.start))

    def _break(self) -> Statement:
        start = self.next()
        self.require(";", "';'")
        return BreakStatement(position=self.place(start))

    def _continue(self) -> Statement:
        start = self.next()
        self.require(";", "';'")
        return ContinueStatement(position=self.place(start))

    def _discard(self) -> Statement:
        start = self.next()
        self.require(";", "';'")
        if not self.c.settings.is_fragment:
            self.error(start, "discard statement is only permitted in fragment shaders")
        return DiscardStatement(position=self.place(start))


READERS = {
    "if": StatementReader._if,
    "@if": StatementReader._if,
    "for": StatementReader._for,
    "do": StatementReader._do,
    "while": StatementReader._while,
    "switch": StatementReader._switch,
    "@switch": StatementReader._switch,
    "return": StatementReader._return,
    "break": StatementReader._break,
    "continue": StatementReader._continue,
    "discard": StatementReader._discard,
    "{": StatementReader._braces,
    ";": StatementReader._empty,
}


def _at_least_one(start: int, end: int) -> Position:
    return span(start, max(end, start + 1))
