"""Statements as the instructions of a program, and lines of source taken apart.

    half4 c = src.eval(p);    operation =        results c       operands c  src.eval(p)
    c.rgb *= gain;            operation *=       results c.rgb   operands c.rgb  gain
    f(c, 1.0);                operation f        results         operands c  1.0
    if (c.a > 0.5) { … }      operation if       results         operands c.a > 0.5  { … }

A statement includes the statements in it, which follow it in the list.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...isa.lexer import Kind
from ...isa.steps import Step, Term
from .lexer import FLOW, kind
from .places import nodes_with_paths
from .text.native import SourcePrinter
from .tree import (
    BlockStatement,
    ForStatement,
    NopStatement,
    Statement,
    TranslationUnit,
    walk,
)

if TYPE_CHECKING:
    from .code import Code

__all__ = ["StatementText", "source_step", "statements_of"]

WORD = re.compile(r"[A-Za-z_@$][\w$]*")
ASSIGNMENT = re.compile(r"(?<![=!<>])(?:<<|>>|[-+*/%&|^])?=(?!=)")
TYPE = r"[\w$]+(?:\([^)]*\))?(?:\[\d*\])*"  # or a word before it, such as `layout(…)`
DECLARED = re.compile(rf"(?:{TYPE}\s+)+([A-Za-z_$][\w$]*(?:\[\d*\])*)\s*\Z")
STEPS = ("++", "--")
OPENING, CLOSING = "([{", ")]}"


class StatementText:
    """A statement of a program: its node, its path in the tree, and its text.

    Attributes:
        node: The statement.
        path: Its path, in the form that `spans` uses.
    """

    __slots__ = ("_text", "node", "path")

    def __init__(self, node: Statement, path: str, printer: SourcePrinter) -> None:
        self.node = node
        self.path = path
        self._text = "\n".join(printer.statement(node))

    @property
    def name(self) -> str:
        """The operation: a word such as `return`, an assignment, or the name of a function."""
        return source_step(self._text).operation

    @property
    def operands(self) -> Sequence[str]:
        """The place that is assigned, then the values."""
        step = source_step(self._text)
        return [each.text for each in step.terms]

    @property
    def results(self) -> Sequence[str]:
        """The place that is assigned."""
        return [each.text for each in source_step(self._text).results]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<StatementText {self.path}: {self._text.splitlines()[0]}>"


def statements_of(code: "Code") -> list[StatementText]:
    """Return the statements of a program in the order of the text.

    Empty statements, blocks, and statements in the head of a loop are left out.
    """
    printer = SourcePrinter(code.unit.symbols)
    return [StatementText(node, path, printer) for node, path in _statements(code.unit)]


def _statements(unit: TranslationUnit) -> Iterator[tuple[Statement, str]]:
    heads = {id(each.initialiser) for each in walk(unit) if isinstance(each, ForStatement)}
    for node, path in nodes_with_paths(unit):
        if (
            isinstance(node, Statement)
            and not isinstance(node, BlockStatement | NopStatement)
            and id(node) not in heads
        ):
            yield node, path


# -- lines -------------------------------------------------------------------------------------


def source_step(line: str) -> Step:
    """Split a statement, or a line of one, into operation, results and operands."""
    text = line.strip().removesuffix(";").removesuffix("{").strip()
    word = WORD.match(text)
    first = word[0] if word is not None else ""
    if first.lstrip("@") in FLOW:
        return Step(first, "", (), tuple(_terms(text[len(first) :])))
    for found in ASSIGNMENT.finditer(text):
        if _depth(text[: found.start()]):
            continue
        place, value = text[: found.start()].strip(), text[found.end() :].strip()
        declared = DECLARED.fullmatch(place)
        controls = place[: declared.start(1)].strip() if declared else ""
        name = declared[1] if declared else place
        return Step(found[0], controls, (_term(name),), (_term(value),))
    for sign in STEPS:
        if text.startswith(sign) or text.endswith(sign):
            return Step(sign, "", (_term(text.replace(sign, "")),), ())
    declared = DECLARED.fullmatch(text)
    if declared is not None:
        return Step(text[: declared.start(1)].strip(), "", (_term(declared[1]),), ())
    return Step(first or text[:1], "", (), tuple(_terms(text[len(first) :])))


def _depth(text: str) -> int:
    return sum((letter in OPENING) - (letter in CLOSING) for letter in text)


def _terms(text: str) -> Iterator[Term]:
    """Yield the parts between top-level commas, without enclosing brackets."""
    text = text.strip()
    if text[:1] == "(" and text[-1:] == ")" and _closes_last(text):
        text = text[1:-1]
    start = depth = 0
    for at, letter in enumerate(f"{text},"):
        depth += (letter in OPENING) - (letter in CLOSING)
        if letter == "," and depth <= 0:
            if text[start:at].strip():
                yield _term(text[start:at].strip())
            start = at + 1


def _closes_last(text: str) -> bool:
    depth = 0
    for letter in text[:-1]:
        depth += (letter in OPENING) - (letter in CLOSING)
        if not depth:
            return False
    return True


def _term(text: str) -> Term:
    return Term(text, text, text, tuple(dict.fromkeys(_variables(text))))


def _variables(text: str) -> Iterator[str]:
    """Yield the names in an expression, except names of functions, types and components."""
    for found in WORD.finditer(text):
        before, after = text[: found.start()].rstrip()[-1:], text[found.end() :].lstrip()[:1]
        if before != "." and after != "(" and kind(found[0]) is Kind.NAME:
            yield found[0]
