"""Lines of program text split into operation, results and operands, for comparison.

    mul_sat r0.xyz, r1.xyzx, l(2, 2, 2, 0)

    operation   mul_sat
    results     r0.xyz
    operands    r1.xyzx   l(2, 2, 2, 0)

    text        r1.xyzx         as written
    shape       r#.xyzx         without register numbers
    loose       r#.####         without register numbers and components

A compiler renumbers registers when an instruction is added; the shape stays the same. The lexer of
the text recognises operations and registers, so this module is independent of the language.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias

from ..tuples import NamedTuple
from .lexer import Kind, Lexer, Token

__all__ = ["OPERATIONS", "Step", "Term", "step_of"]

OPERATIONS = frozenset((Kind.OPERATION, Kind.ACCESS, Kind.FLOW, Kind.DECLARATION))
NUMBER = re.compile(r"(?<=[A-Za-z%])\d+")
COMPONENTS = re.compile(r"\.([A-Za-z]{1,4})\Z")
WORD = re.compile(r"\s*([^\s(]+)")
OPENING, CLOSING = "([{", ")]}"
CACHE_SIZE = 1 << 13  # lines
LONGEST = 200  # letters of a line that is remembered

Results: TypeAlias = Callable[[str], int]


class Term(NamedTuple):
    """An operand or result."""

    text: str
    shape: str
    loose: str
    registers: tuple[str, ...]  # in order, without components: cb0, r1


class Step(NamedTuple):
    """A line: an instruction, a declaration, or anything else.

    `controls` is the text between the operation and its operands: `(texture2d)`, `[precise]`.
    """

    operation: str
    controls: str
    results: tuple[Term, ...]
    operands: tuple[Term, ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """Results, then operands."""
        return self.results + self.operands

    @property
    def rest(self) -> tuple[str, ...]:
        """Everything after the operation, as written."""
        return (self.controls, *(term.text for term in self.terms))

    @property
    def shape(self) -> tuple[str, ...]:
        """The line without register numbers."""
        return (self.operation, self.controls, *(term.shape for term in self.terms))

    @property
    def loose(self) -> tuple[str, ...]:
        """The line without register numbers and components."""
        return (self.operation, self.controls, *(term.loose for term in self.terms))

    @property
    def registers(self) -> tuple[str, ...]:
        """The registers in the line, in order."""
        return tuple(register for term in self.terms for register in term.registers)


def step_of(lexer: Lexer, line: str, results: Results = lambda operation: 0) -> Step:
    """Split a line; `results` returns the number of results of an operation.

    Lines of usual length are cached, since versions of a program share most of their lines.
    """
    line = line.strip()
    return (_split_line if len(line) <= LONGEST else _split_line.__wrapped__)(lexer, line, results)


@lru_cache(maxsize=CACHE_SIZE)
def _split_line(lexer: Lexer, line: str, results: Results) -> Step:
    tokens = list(lexer.tokens(line))
    at = next((i for i, (_, kind) in enumerate(tokens) if kind in OPERATIONS), None)
    if at is None:  # no operation of the language: take the first word
        found = WORD.match(line)
        operation = found[1] if found else line
        before: list[Token] = []
        after = list(lexer.tokens(line[len(operation) :]))
    else:
        operation = tokens[at][0]
        before, after = tokens[:at], tokens[at + 1 :]
    controls, start = _controls(after)
    terms = [_term(each) for each in _split(after[start:])]
    count = results(operation)
    first = tuple(_term(each) for each in _split(before))
    if first and first[-1].text.endswith("="):  # %5 = OpFAdd …
        return Step(operation, controls, (*first, *terms[:count]), tuple(terms[count:]))
    return Step(operation, controls, tuple(terms[:count]), (*first, *terms[count:]))


def _controls(tokens: list[Token]) -> tuple[str, int]:
    """Return the controls, directly after the operation or in brackets, and their tokens."""
    depth = taken = 0
    for count, (word, _) in enumerate(tokens, 1):
        if not depth and word.strip()[:1] not in OPENING:
            break
        depth += sum((letter in OPENING) - (letter in CLOSING) for letter in word)
        if not depth:
            taken = count
    return "".join(word for word, _ in tokens[:taken]).strip(), taken


def _split(tokens: Iterable[Token]) -> list[list[Token]]:
    """Split tokens at commas outside of brackets."""

    found: list[list[Token]] = []
    term: list[Token] = []
    depth = 0
    for word, kind in tokens:
        if kind is not None:
            term.append((word, kind))
            continue
        start = 0
        for at, letter in enumerate(word):
            depth += (letter in OPENING) - (letter in CLOSING)
            if letter == "," and not depth:
                term.append((word[start:at], None))
                found.append(term)
                term, start = [], at + 1
        term.append((word[start:], None))
    return [each for each in (*found, term) if "".join(word for word, _ in each).strip()]


@lru_cache(maxsize=CACHE_SIZE)
def _register(word: str) -> tuple[str, str, str]:
    """Return a register's name, empty without a number; its shape; its shape without components."""
    selected = COMPONENTS.search(word)
    name = word[: selected.start()] if selected else word
    letters = selected[0] if selected else ""
    shape, count = NUMBER.subn("#", name)
    return name if count else "", shape + letters, shape + letters[:1] + "#" * (len(letters) - 1)


def _term(tokens: list[Token]) -> Term:
    shape = loose = ""
    registers = []
    for word, kind in tokens:
        if kind is not Kind.REGISTER:
            shape += word
            loose += word
            continue
        name, open_, wide = _register(word)
        if name:
            registers.append(name)
        shape += open_
        loose += wide
    text = "".join(word for word, _ in tokens)
    return Term(text.strip(), shape.strip(), loose.strip(), tuple(registers))
