"""A cursor in the tokens of LLVM assembly: look at the next token, take it, refuse it."""

from typing import NoReturn

from ....isa.source import Source
from .tokens import BITS, END, MASK, AssemblyToken, AssemblyTokens, error_at, unescaped

__all__ = ["Cursor"]

LONGEST = 40


class Cursor:
    """A position in the tokens of a text.

    Attributes:
        token: The next token.
        opcode: The opcode of the instruction that is being read, where its errors are.
    """

    __slots__ = ("_at", "_piece", "opcode", "source", "token", "tokens")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = AssemblyTokens(source)
        self.at = 0
        self.opcode = self.token

    @property
    def at(self) -> int:
        """The index of the next token."""
        return self._at

    @at.setter
    def at(self, at: int) -> None:
        self._at = at
        self._piece = self.tokens.piece(at >> BITS)
        self.token: AssemblyToken = self._piece[at & MASK]

    def next(self) -> AssemblyToken:
        """Return the next token and move past it; stay at the end."""
        token = self.token
        if token.kind != END:
            self._at = at = self._at + 1
            if not at & MASK:
                self._piece = self.tokens.piece(at >> BITS)
            self.token = self._piece[at & MASK]
        return token

    def fail(self, problem: str, token: AssemblyToken | None = None) -> NoReturn:
        """Raise AssembleError at a token; by default the next one."""
        token = token or self.token
        raise error_at(self.source, token.offset, problem, len(token.text))

    def expected(self, wanted: str) -> NoReturn:
        """Raise AssembleError that another token was expected here."""
        text = self.token.text
        self.fail(f"expected {wanted}, got {f'{text!r:.{LONGEST}}' if text else 'the end'}")

    def accept(self, text: str) -> bool:
        """Move past a mark or word if it is next."""
        token = self.token
        if token.text == text and token.kind in ("mark", "word"):
            self.next()
            return True
        return False

    def expect(self, text: str) -> None:
        """Move past a mark or word."""
        if not self.accept(text):
            self.expected(repr(text))

    def take(self, kind: str, wanted: str) -> AssemblyToken:
        """Return the next token, which is of a kind."""
        if self.token.kind != kind:
            self.expected(wanted)
        return self.next()

    def take_number(self, wanted: str = "a number") -> int:
        """Return the next token, which is an integer."""
        token = self.take("number", wanted)
        try:
            return int(token.text)
        except ValueError:
            self.fail(f"expected {wanted}, got {token.text!r:.{LONGEST}}", token)

    def take_text(self) -> str:
        """Return the next token, which is a string in quotes."""
        token = self.take("text", "a string")
        if not token.text.startswith('"'):
            self.fail("expected a string in plain quotes", token)
        return unescaped(token.text[1:-1])

    def accept_node(self, name: str) -> bool:
        """Move past the name of attached metadata if it is next."""
        found = self.token.kind == "node" and self.token.name == name
        self.at += found
        return found

    def skip_parentheses(self) -> None:
        """Move past a text in parentheses, which may hold others."""
        self.expect("(")
        depth = 1
        while depth and self.token.kind != END:
            text = self.next().text
            depth += (text == "(") - (text == ")")

    def skip_statement(self) -> int:
        """Move to the next token that begins a line outside of braces; return where it began."""
        start, depth = self.at, 0
        while self.token.kind != END:
            if self.token.is_first and not depth and self.at > start:
                break
            depth += self.token.text in ("{", "!{", "[")
            depth -= self.token.text in ("}", "]")
            self.at += 1
        return start
