"""A cursor over the tokens of a source: expectations, positions, and the bound on nesting."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from .....tuples import NamedTuple
from ..compilation import Compilation
from ..messages import Position, Reporter, span
from .tokens import SourceToken, TokenKind, TokenLexer

__all__ = ["Abandoned", "Reader", "TokenCursor"]


class Abandoned(Exception):
    """The statement or declaration cannot be read; the error has been reported."""


class ReadingState(NamedTuple):
    """A state to which a reader may return."""

    at: int
    ahead: SourceToken | None
    fatal: bool
    depth: int
    messages: int


class TokenCursor:
    """A place among the tokens of a source.

    Attributes:
        reporter: Receives the error messages.
        fatal: An error was found after which parsing stops.
        depth: Nesting of the current construct.
    """

    def __init__(self, text: str, reporter: Reporter, nesting: int) -> None:
        self.reporter = reporter
        self.nesting = nesting
        self.lexer = TokenLexer(text)
        self.ahead: SourceToken | None = None
        self.fatal = False
        self.depth = 0

    # -- tokens --------------------------------------------------------------------------------

    def next_raw(self) -> SourceToken:
        """Return the next token, perhaps white space; report those that are never valid."""
        if self.ahead is not None:
            token, self.ahead = self.ahead, None
            return token
        token = self.lexer.next()
        if token.kind == TokenKind.RESERVED:
            self.error(token, f"'{token.text}' is a reserved word")
            return token._replace(kind=TokenKind.WORD)  # so that it causes no further errors
        if token.kind == TokenKind.BAD_OCTAL:
            self.error(token, f"'{token.text}' is not a valid octal number")
        return token

    def next(self) -> SourceToken:
        """Return the next token that is not white space."""
        while True:
            token = self.next_raw()
            if token.kind != TokenKind.SPACE:
                return token

    def peek(self) -> SourceToken:
        """Return the next token and leave it to be read."""
        if self.ahead is None:
            self.ahead = self.next()
        return self.ahead

    def put_back(self, token: SourceToken) -> None:
        """Leave the token that was returned last to be read again."""
        self.ahead = token

    def accept(self, kind: str) -> SourceToken | None:
        """Return the next token if it is of a kind; else leave it and return None."""
        if self.peek().kind != kind:
            return None
        return self.next()

    def expect(self, kind: str, wanted: str) -> SourceToken | None:
        """Return the next token; report an error and return None if it is of another kind."""
        token = self.next()
        if token.kind == kind:
            return token
        self.error(token, f"expected {wanted}, but found '{token.text}'")
        self.fatal = True
        return None

    def require(self, kind: str, wanted: str) -> SourceToken:
        """Return the next token; abandon parsing of the construct if it is of another kind."""
        return self.expect(kind, wanted) or self.abandon()

    def abandon(self) -> NoReturn:
        """Abandon the statement or declaration that is being read."""
        raise Abandoned

    # -- positions and errors ---------------------------------------------------------------------

    def error(self, at: SourceToken | Position, text: str) -> None:
        """Report an error at a token or position."""
        self.reporter.error(at.position if isinstance(at, SourceToken) else at, text)

    def range_from(self, start: int) -> Position:
        """Return the position from an offset to the next token."""
        return span(start, self.ahead.start if self.ahead is not None else self.lexer.at)

    # -- going back ----------------------------------------------------------------------------

    def checkpoint(self) -> ReadingState:
        """Return the present state."""
        return ReadingState(self.lexer.at, self.ahead, self.fatal, self.depth, self.reporter.count)

    def rewind(self, to: ReadingState) -> None:
        """Return to a state; messages since then are dropped."""
        self.lexer.at, self.ahead = to.at, to.ahead
        self.fatal, self.depth = to.fatal, to.depth
        del self.reporter.messages[to.messages :]

    # -- nesting -------------------------------------------------------------------------------

    def deeper(self) -> None:
        """Count one more level of nesting; abandon parsing of the construct at the bound."""
        self.depth += 1
        if self.depth > self.nesting:
            self.error(self.peek(), "exceeded max parse depth")
            self.fatal = True
            self.abandon()

    def deeper_before(self, token: SourceToken) -> None:
        """Count one more level of nesting for a construct; move back before its first token."""
        try:
            self.deeper()
        finally:
            if self.ahead is None:
                self.put_back(token)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Restore the depth of nesting at the end."""
        before = self.depth
        try:
            yield
        finally:
            self.depth = before


T_co = TypeVar("T_co", covariant=True)
Reader = Callable[[Compilation, TokenCursor], T_co]  # the function that reads a construct
