"""The declarations of a builtin function that a line calls."""

import re
from collections.abc import Iterable

from .builtins import module
from .lexer import FUNCTIONS
from .text.native import SourcePrinter
from .tree import FunctionDeclaration, OverloadSet

__all__ = ["called", "explain", "words"]

WORD = re.compile(r"[A-Za-z_$][\w$]*")
UNNAMED = re.compile(r" (?=[,)])")  # parameters of builtin functions have no names
MODULES = ("public", "gpu")
MOST = 8  # declarations


def words() -> Iterable[str]:
    """Return the words that `explain` knows: the builtin functions."""
    return FUNCTIONS


def called(text: str) -> str:
    """Return the first builtin function that a text calls, else ""."""
    return next((each for each in WORD.findall(text) if each in FUNCTIONS), "")


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about a builtin function; empty for another operation."""
    for name in MODULES:
        symbols = module(name)
        found = symbols.names.get(operation)
        if not isinstance(found, FunctionDeclaration | OverloadSet):
            continue
        overloads = found.functions if isinstance(found, OverloadSet) else [found]
        printer = SourcePrinter(symbols)
        texts = [UNNAMED.sub("", printer.signature(each)) for each in overloads]
        if len(texts) > MOST:
            texts[MOST:] = [f"and {len(texts) - MOST} more"]
        return [("", f"builtin function of the module {name}"), ("operands", "\n".join(texts))]
    return []
