"""printf in sources: a call of the language, with the operands of each conversion as one argument.

    message "light %d: %v3f", %i, %c.x, %c.y, %c.z       printf("light %d: %v3f", i, c);

A kernel that becomes a source has a message where the program prints (ir/library/printing.py). The
letter of a conversion says how the bits of an integer are printed, so an argument keeps its sign.
"""

from collections.abc import Iterable, Iterator

from ..ir.kernel import Value
from ..vocab.printf import FLOATS, PrintFormat, conversions
from .tree import ScalarKind

__all__ = ["escaped", "kinds_of_message", "left_out", "print_call", "vectors_of_message"]

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def vectors_of_message(message: Value) -> Iterator[tuple[ScalarKind, list[Value]]]:
    """Yield the kind of each argument, a float or an integer, and its components."""
    at = 0
    for each in conversions(message.attr):
        kind = ScalarKind.FLOAT if each.letter in FLOATS else ScalarKind.INT
        yield kind, [*message.args[at : at + each.components]]
        at += each.components


def kinds_of_message(message: Value) -> Iterator[ScalarKind]:
    """Yield the kind of each operand."""
    for kind, lanes in vectors_of_message(message):
        yield from [kind] * len(lanes)


def escaped(text: str) -> str:
    """Return a text as a literal of the languages."""
    parts = (ESCAPES.get(each, each if each >= " " else f"\\{ord(each):03o}") for each in text)
    return f'"{"".join(parts)}"'


def print_call(word: str, text: str, arguments: str) -> str:
    """Return the call of a function that prints."""
    return f"{word}({', '.join(each for each in (escaped(text), arguments) if each)})"


def left_out(formats: Iterable[PrintFormat]) -> list[str]:
    """Return a note for each format that prints nothing."""
    return [
        f"printf({escaped(each.text)}) prints nothing in the program: {each.problem}"
        for each in formats
        if each.problem
    ]
