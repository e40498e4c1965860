"""Insertion, removal and replacement of statements.

The program is printed with the new text in place of the old, and compiled again without
optimisation, as any disassembled text. So everything that a statement needs is checked, and scopes,
symbols and types are updated.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...isa.source import Source
from .assembler import compile, settings_of
from .comparison import structure
from .instruction import StatementText, statements_of
from .text.native import disassemble
from .tree import Statement

if TYPE_CHECKING:
    from .code import Code

__all__ = ["replace"]


def replace(
    code: "Code", at: int, out: Sequence[int], given: Sequence[object]
) -> list[StatementText]:
    """Replace the statements numbered `out`, which begin at `at`.

    Returns:
        The new statements, without the statements inside them.

    Raises:
        UsageError: `out` has gaps, or an item is neither a statement nor a string.
        AssembleError: The program is invalid with the new text.
    """
    if [*out] != list(range(at, at + len(out))):
        raise UsageError("expected consecutive statements, got a slice with a step")
    texts = [_text(each) for each in given]
    before = statements_of(code)
    if not before:
        raise UsageError("the program has no statement to insert before")
    edits: dict[Statement, list[str]] = {before[each].node: [] for each in out}
    if out:
        edits[before[at].node] = texts
    elif at < len(before):
        edits[before[at].node] = [*texts, str(before[at])]
    else:
        last = _last(before)
        edits[last.node] = [str(last), *texts]
    source = Source(disassemble(code, edits=edits))
    unit = compile(source, settings_of(source), code.limits)
    if structure(unit) == structure(code.unit):
        return before[at : at + len(out)]
    unit.source = None  # its listing is its own text
    code.unit, code.odd, code.strings = unit, {}, None
    after = statements_of(code)
    paths = {each.path for each in after}
    grown = len(after) - len(before) + len(_within(before, out))
    found = after[at : at + grown]
    return [each for each in found if _parent(each.path, paths & {x.path for x in found}) is None]


def _text(given: object) -> str:
    if isinstance(given, str | StatementText):
        return str(given)
    raise UsageError(f"expected a statement or its text, got {given!r:.40}")


def _last(statements: Sequence[StatementText]) -> StatementText:
    """Return the outermost statement that is the last of the program."""
    paths = {each.path: each for each in statements}
    found = statements[-1]
    while (parent := _parent(found.path, paths.keys())) is not None:
        found = paths[parent]
    return found


def _within(statements: Sequence[StatementText], chosen: Sequence[int]) -> list[int]:
    """Return the numbers of chosen statements, including statements inside them."""
    inside = [f"{statements[each].path}." for each in chosen]
    return [
        number
        for number, each in enumerate(statements)
        if number in chosen or any(each.path.startswith(path) for path in inside)
    ]


def _parent(path: str, paths: "set[str] | object") -> str | None:
    """Return the path of the statement that a statement is in."""
    while "." in path:
        path = path.rpartition(".")[0]
        if path in paths:  # type: ignore[operator]
            return path
    return None
