"""Texts of operands.

id                   %main, %12
value, mask          Uniform, Volatile|Aligned
literal integer      4
number, string       0.5, "main"
instruction of an extended set, nested operation    Exp, IAdd
"""

from collections.abc import Callable
from functools import lru_cache

from ..context import Number, string_of
from ..operands import STRING, DecodedOperand
from ..tables.grammar import OperandKind, grammar
from .literals import number_text, string_text

__all__ = ["NESTED", "enum_text", "id_text", "literal_text", "operand_text", "operation_text"]

NESTED = "LiteralSpecConstantOpInteger"
CACHE_SIZE = 1 << 12


def operand_text(piece: DecodedOperand, ids: dict[int, str]) -> str:
    """Return the text of an operand; `ids` are the names of ids, which are extended."""
    word = piece.words[0]
    if piece.is_id:
        return id_text(word, ids)
    literal = literal_text(piece)
    if literal is not None:
        return literal(piece.words)
    if piece.op is not None:
        return operation_text(piece)
    return str(word) if piece.enum is None else enum_text(piece.enum, word)


def id_text(number: int, ids: dict[int, str]) -> str:
    """Return the text of an id; one without a name is its number."""
    found = ids.get(number)
    if found is None:
        found = ids[number] = f"%{number}"
    return found


def operation_text(piece: DecodedOperand) -> str:
    """Return the name of an instruction of an extended set or of a nested operation."""
    assert piece.op is not None
    return piece.op.name[2:] if piece.kind == NESTED else piece.op.name


def literal_text(piece: DecodedOperand) -> Callable[[tuple[int, ...]], str] | None:
    """Return the function that converts the words of a number or string to text."""
    if piece.number is not None:
        return _text_of(piece.number)
    return _whole_string if piece.kind == STRING else None


@lru_cache(maxsize=CACHE_SIZE)
def enum_text(kind: OperandKind, word: int) -> str:
    """Return the text of a value or mask; KeyError for a value that is not in the grammar."""
    if not kind.is_mask:
        return kind.by_value[word].name
    if not word:
        return kind.by_value[0].name if 0 in kind.by_value else "0"
    names = []
    while word:
        bit = word & -word
        names.append(kind.by_value[bit].name)
        word ^= bit
    return "|".join(names)


@lru_cache(maxsize=CACHE_SIZE)
def _text_of(number: Number) -> Callable[[tuple[int, ...]], str]:
    encodings = grammar().float_encodings
    return lambda words: number_text(number, words, encodings)


def _whole_string(words: tuple[int, ...]) -> str:
    """Return the text of a string that takes all the words; KeyError if it takes fewer."""
    text, count = string_of(words)
    if count != len(words):
        raise KeyError(count)
    return string_text(text)
