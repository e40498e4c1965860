"""Operands as fxc prints them.

    -|cb0[r1.x + 4].xyzx {min16f as def32}|      source of four components
     ||  |         |     |
     ||  |         |     precision, if it is not the default or is converted
     ||  |         mask, swizzle or one component, as in the token
     ||  indices: the first after the name, the others (and any relative one) in brackets
     |magnitude
     negation

    l(1.000000, 0, -1, 0)   d(0.500000l, 2.000000l)   T0[3].xyzw   icb[r0.x + 0].x   this[0].y

Resource registers of Shader Model 5.1 have one more index (the range that declares them) and are
printed in capitals. Source: listings of fxc; tables/spellings.py lists the spellings that occur in
none of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ....vocab.d3d import UNBOUNDED
from ..tables.enumerations import Components, Modifier, OperandType, SelectionMode
from ..tables.selection import mask_letters, select_letter, swizzle_letters
from ..tables.spellings import NONUNIFORM, PRECISIONS, REGISTERS, word
from ..tables.tokens import OperandModifier
from . import literals
from .style import Style

if TYPE_CHECKING:
    from ..operands import Index, Operand

# Texts cached for one style. Programs repeat their operands: of 54,045 in the corpus, 3,042 differ.
KEPT = 1 << 16
# Levels of operands inside indices: compilers write one, damaged files more.
DEPTH = 8
DEEPEST = 64  # of exact text: the limit of the decoder

# Number of indices from Shader Model 5.1 on, with which a register is printed in capitals.
RANGED: dict[int, int] = {
    OperandType.SAMPLER: 2,
    OperandType.RESOURCE: 2,
    OperandType.UNORDERED_ACCESS_VIEW: 2,
    OperandType.CONSTANT_BUFFER: 3,
}
# Register files that are one array: their first index is in brackets too.
ARRAYS: frozenset[int] = frozenset({
    OperandType.IMMEDIATE_CONSTANT_BUFFER,
    OperandType.INPUT_CONTROL_POINT,
    OperandType.OUTPUT_CONTROL_POINT,
    OperandType.THIS_POINTER,
})  # fmt: skip
LITERALS = (OperandType.IMMEDIATE32, OperandType.IMMEDIATE64)
UNTYPED = "x"  # the letter of an operand printed alone

Key = tuple[int | str, ...]


class OperandTexts:
    """Printer of operands in one style, with a cache of operands without relative indices.

    `notes` are texts that follow some operands, by the id of the operand.
    """

    __slots__ = ("depth", "known", "notes", "style")

    def __init__(self, style: Style, notes: dict[int, str] | None = None) -> None:
        self.style = style
        self.depth = DEEPEST if style.exact else DEPTH
        self.notes = notes or {}
        self.known: dict[Key, str] = {}

    def text(self, operand: Operand, letter: str, tag: str = "") -> str:
        """Return one operand; `letter` is from the table of operations, `tag` its precision."""
        indices = operand.indices
        key: Key
        if self.notes:
            return self._text(operand, letter, tag, 0)
        if operand.extended or tag:
            key = (operand.token, letter, tag, *operand.extended, -1, *operand.literal)
            for index in indices:
                if index.relative is not None:
                    return self._text(operand, letter, tag, 0)
                key += (index.immediate,)
        elif len(indices) == 1:
            first = indices[0]
            if first.relative is not None:
                return self._text(operand, letter, tag, 0)
            key = (operand.token, first.immediate)
        elif not indices:
            key = (operand.token, letter, *operand.literal)
        else:
            key = (operand.token,)
            for index in indices:
                if index.relative is not None:
                    return self._text(operand, letter, tag, 0)
                key += (index.immediate,)
        text = self.known.get(key)
        if text is None:
            text = self._text(operand, letter, tag, 0)
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = text
        return text

    def register(self, operand: Operand) -> str:
        """Return name and indices, without components and modifiers."""
        return self._register(operand, operand.token >> 12 & 0xFF, 0)

    def range(self, operand: Operand) -> str:
        """Return a register as declared: `T0[3:7]` with bounds, else `t0`."""
        indices = operand.indices
        kind = operand.token >> 12 & 0xFF
        note = self.notes.get(id(operand), "") if self.notes else ""
        if kind in LITERALS:
            return self._text(operand, "", "", 0)
        if len(indices) != 3 or kind not in RANGED:
            return self.register(operand) + note
        number, low, high = (self._index(index, 0) for index in indices)
        if indices[0].relative is not None:
            number = f"[{number}]"
        if indices[2].relative is None and indices[2].immediate == UNBOUNDED:
            high = "*"
        return f"{word(REGISTERS, kind).upper()}{number}[{low}:{high}]{note}"

    def _text(self, operand: Operand, letter: str, tag: str, depth: int) -> str:
        kind = operand.token >> 12 & 0xFF
        if kind == OperandType.IMMEDIATE32:
            text = self._literal(operand.literal, letter)
        elif kind == OperandType.IMMEDIATE64:
            text = self._doubles(operand.literal)
        else:
            text = self._register(operand, kind, depth) + components(operand.token)
        if operand.indices and kind in LITERALS:  # which no compiler writes
            text += "".join(f"[{self._index(index, depth)}]" for index in operand.indices)
        text += tag
        modifier = operand.modifier_token
        if modifier & 0x3FC0:
            kinds = OperandModifier.modifier.of(modifier)
            if kinds in (Modifier.ABS, Modifier.ABSNEG):
                text = f"|{text}|"
            if kinds in (Modifier.NEG, Modifier.ABSNEG):
                text = "-" + text
        if OperandModifier.non_uniform.of(modifier):
            text += NONUNIFORM
        return text + self.notes.get(id(operand), "") if self.notes else text

    def _register(self, operand: Operand, kind: int, depth: int) -> str:
        name = word(REGISTERS, kind)
        indices = operand.indices
        if not indices:
            return name
        if len(indices) >= RANGED.get(kind, 4):
            name = name.upper()
        # The inputs of a geometry shader are an array of vertices.
        array = kind in ARRAYS or (kind == OperandType.INPUT and len(indices) > 1)
        texts = [self._index(index, depth) for index in indices]
        if not array and indices[0].relative is None:
            name += texts.pop(0)
        return name + "".join(f"[{text}]" for text in texts)

    def _index(self, index: Index, depth: int) -> str:
        if index.relative is None:
            return str(index.immediate)
        if depth >= self.depth:
            return f"... + {index.immediate}"
        return f"{self._text(index.relative, 'i', '', depth + 1)} + {index.immediate}"

    def _literal(self, words: tuple[int, ...], letter: str) -> str:
        style = self.style
        texts = [literals.number(bits, letter, style.library, style.exact) for bits in words]
        # Only untyped values are joined without a blank.
        return f"l({(',' if letter == 'x' else ', ').join(texts)})"

    def _doubles(self, words: tuple[int, ...]) -> str:
        style = self.style
        texts = [
            literals.double(low | high << 32, style.library, style.exact)
            for low, high in zip(words[::2], words[1::2], strict=False)
        ]
        texts += [f"0x{bits:08x}" for bits in words[len(words) & ~1 :]]  # half a double
        return f"d({', '.join(texts)})"


def components(token: int) -> str:
    """Return the component selection of an operand token: `.xy`, `.xxyw`, `.x` or nothing."""
    if token & 3 != Components.FOUR:
        return ""
    mode = token >> 2 & 3
    chosen = token >> 4
    if mode == SelectionMode.MASK:
        return "." + mask_letters(chosen) if chosen & 15 else ""
    if mode == SelectionMode.SWIZZLE:
        return "." + swizzle_letters(chosen)
    return "." + select_letter(chosen) if mode == SelectionMode.SELECT_1 else ""


def precision_tag(operand: Operand, target: int, converted: bool) -> str:
    """Return ` {min16f}`, ` {min16f as def32}` or nothing.

    An operand that is `converted` to the precision `target` of the destination gets a tag if the
    two precisions differ; any other operand gets a tag if its precision is not the default.
    """
    own = OperandModifier.min_precision.of(operand.modifier_token)
    if converted and own != target:
        return f" {{{word(PRECISIONS, own)} as {word(PRECISIONS, target)}}}"
    return f" {{{word(PRECISIONS, own)}}}" if own else ""


@lru_cache(maxsize=8)
def texts_in(style: Style) -> OperandTexts:
    """Return the printer of one style, shared by all programs."""
    return OperandTexts(style)


def text_of(operand: Operand) -> str:
    """Return one operand, or a placeholder if it cannot be printed."""
    try:
        return texts_in(Style()).text(operand, UNTYPED)
    except Exception as error:
        return unprintable(error)


def unprintable(error: Exception) -> str:
    """Return the placeholder for an instruction or operand that cannot be printed."""
    return f"that cannot be printed: {error!r}"
