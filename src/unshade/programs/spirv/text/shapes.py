"""Shapes of instructions: functions from words to a line, which are made once.

    OpFAdd, 5 words                              one shape
    OpLoad, 6 words, Aligned                     one for each mask
    OpExtInst, 6 words, GLSL.std.450, Exp        one for each set and instruction
    OpConstant, 4 words, a float of 32 bits      one for each type

The words that decide which operands follow are looked up one after the other; at the end is a
function that puts the texts of the others in their places. A shape is made from the first
instruction of its kind, which was decoded. Some instructions have no shape: OpSwitch, instructions
outside the grammar, and instructions with a string that is not the last operand.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import Any, cast

from ....tuples import NamedTuple
from ..context import Context
from ..operands import STRING, TYPED_NUMBER, Decoded, DecodedOperand
from .operands import NESTED, enum_text, literal_text, operation_text

__all__ = ["INDENT", "LEAD", "LineStyle", "Shapes", "Writer"]

INDENT = 15  # columns before an opcode; a result id ends three before
LEAD = "\0"  # where nested blocks are indented; no text has this character
LONGEST = 64  # words
MOST = 1 << 14  # shapes; with more, all are forgotten

# From the words of an instruction, the texts of ids, and the imports and types before it; KeyError
# for an instruction that has to be decoded.
Writer = Callable[[tuple[int, ...], dict[int, str], Context], str]
Key = Callable[[tuple[int, ...], Context], Hashable]


class LineStyle(NamedTuple):
    """The layout of a line; with `lead`, it has LEAD before the opcode."""

    indent: bool
    lead: bool = False

    def pattern(self, result: bool, operands: int) -> str:
        """Return a format of the result, if there is one, the opcode and the operands."""
        before = ("{:>12} = " if self.indent else "{} = ") if result else ""
        if self.indent and not result:
            before = " " * INDENT
        return before + (LEAD if self.lead else "") + "{}" + " {}" * operands


class Shapes:
    """The shapes that were met, of all modules; `by_head` maps the first word to shapes."""

    def __init__(self, style: LineStyle) -> None:
        self.style = style
        self.by_head: dict[Any, Writer] = {}
        self.branches: dict[tuple[Hashable, ...], dict[Any, Writer]] = {}
        self.count = 0

    @staticmethod
    @cache
    def of(style: LineStyle) -> "Shapes":
        """Return the shapes of lines of a style."""
        return Shapes(style)

    def add(self, words: tuple[int, ...], decoded: Decoded, context: Context) -> None:
        """Add the shape of an instruction, if it has one."""
        if len(words) > LONGEST:
            return
        keys = _keys(decoded.operands)
        if keys is None:
            return
        if self.count >= MOST:
            self.by_head.clear()
            self.branches.clear()
            self.count = 0
        self.count += 1
        path: tuple[Hashable, ...] = words[:1]
        table = self.by_head
        for key in keys:
            inner = self.branches.get(path)
            if inner is None:
                inner = self.branches[path] = {}
                table[path[-1]] = _branch(key, inner)
            path += (key(words, context),)
            table = inner
        table[path[-1]] = self._writer(decoded)

    def _writer(self, decoded: Decoded) -> Writer:
        """Return the function of a shape."""
        assert decoded.op is not None
        result = 0
        pieces: list[tuple[int, str]] = []
        values: list[Any] = []
        for piece in decoded.operands:
            literal = literal_text(piece)
            if piece.kind == "IdResult":
                result = piece.at
            elif piece.is_id:
                pieces.append((piece.at, "id"))
            elif literal is not None:
                pieces.append((piece.at, "words"))
                values.append(literal)
            elif piece.op is not None or (piece.enum is not None and piece.enum.has_operands):
                pieces.append((piece.at, "known"))
                name = piece.enum is not None and enum_text(piece.enum, piece.words[0])
                values.append(name or operation_text(piece))
            elif piece.enum is not None:
                pieces.append((piece.at, "enum"))
                values.append(piece.enum)
            else:
                pieces.append((piece.at, "integer"))
        make = _maker(self.style, result, tuple(pieces))
        return make(enum_text, decoded.op.name, *values)


def _keys(operands: Sequence[DecodedOperand]) -> list[Key] | None:
    """Return the words that determine the places of operands, in order; None without a shape."""
    found: dict[int, Key] = {}
    for number, piece in enumerate(operands):
        if piece.number is not None and piece.kind != TYPED_NUMBER:
            return None
        if piece.kind == STRING and number < len(operands) - 1:
            return None
        if piece.kind == TYPED_NUMBER:
            found[operands[0].at] = _type_at(operands[0].at)
        elif piece.kind == "LiteralExtInstInteger":
            at = operands[number - 1].at
            found |= {at: _set_at(at), piece.at: _word_at(piece.at)}
        elif piece.kind == NESTED or (piece.enum is not None and piece.enum.has_operands):
            found[piece.at] = _word_at(piece.at)
    return [found[at] for at in sorted(found)]


def _word_at(place: int) -> Key:
    return lambda words, _: words[place]


def _set_at(place: int) -> Key:
    return lambda words, context: context.imports.get(words[place])


def _type_at(place: int) -> Key:
    return lambda words, context: context.numbers[words[place]]


def _branch(key: Key, table: dict[Any, Writer]) -> Writer:
    return lambda words, ids, context: table[key(words, context)](words, ids, context)


@cache
def _maker(
    style: LineStyle, result: int, pieces: tuple[tuple[int, str], ...]
) -> Callable[..., Writer]:
    """Return a function that makes writers from an opcode and the data of the pieces.

    A writer is an f-string, which is the fastest way from words to a line.
    """
    names = ["enum", "opcode"]
    values = [f"ids[w[{result}]]"] if result else []
    values.append("opcode")
    for place, form in pieces:
        match form:
            case "id":
                values.append(f"ids[w[{place}]]")
                continue
            case "integer":
                values.append(f"w[{place}]")
                continue
            case "words":
                values.append(f"t{place}(w[{place}:])")
            case "enum":
                values.append(f"enum(t{place}, w[{place}])")
            case _:
                values.append(f"t{place}")
        names.append(f"t{place}")
    first, *rest = style.pattern(bool(result), len(pieces)).split("{")
    text = first + "".join(f"{{{value}{after}" for value, after in zip(values, rest, strict=True))
    made = eval(f"lambda {', '.join(names)}: lambda w, ids, context: f{text!r}")
    return cast("Callable[..., Writer]", made)
