"""Operands: a token, extended tokens, literal dwords, and indices that may contain operands.

    operand  =  token  extension*  literal{0,1,4}  index{0,3}
    index    =  u32  |  u64 (low dword first)  |  operand  |  u32 operand  |  u64 operand

    mov r0.xyz, cb0[r1.x + 4].xyzx     the second operand: token, 0 (the buffer), 4, token, 1 (r1)

The number of literal dwords is the number of components, also for doubles: four dwords are two
doubles. The number of indices and their representations are derived from `indices` when encoding,
as are the bits that announce another extended token.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache

from ...errors import EncodeError, FormatError, LimitError
from ...isa.representation import described
from .tables.enumerations import (
    Components,
    ExtendedOperand,
    IndexRepresentation,
    OperandType,
    SelectionMode,
)
from .tables.tokens import (
    MaskToken,
    ModeToken,
    OperandModifier,
    OperandToken,
    SelectToken,
    SwizzleToken,
)

LITERAL_DWORDS = (0, 1, 4, 0)  # by the token's component code
MORE = 1 << 31
SHAPE = MORE | 0x1F << 20  # number of indices, representation of the first, extended token
ONE_INDEX = 1 << 20  # of the shape: one index, a number of 32 bits
TYPES, LITERALS = 0xFE000, 0x4000  # both types of literals differ in one bit: immediate32 and 64
IMMEDIATE_DWORDS = (1, 2, 0, 1, 2)  # by index representation
IS_RELATIVE = (False, False, True, True, True)
RELATIVE = IndexRepresentation.RELATIVE


def chained(extended: Sequence[int]) -> list[int]:
    """Return extended tokens with the bit that announces the next set in all but the last."""
    *others, last = extended
    return [*(word | MORE for word in others), last & ~MORE]


class Index:
    """An index of an operand: a number, an operand (relative index), or the sum of both."""

    __slots__ = ("immediate", "kept", "relative")
    immediate: int
    relative: "Operand | None"
    kept: int  # the representation that was decoded or set

    def __init__(
        self, immediate: int = 0, relative: "Operand | None" = None, representation: int = 0
    ) -> None:
        self.immediate = immediate
        self.relative = relative
        if representation == 0:
            self.kept = 0
        else:
            self.representation = representation

    @property
    def representation(self) -> int:
        """The encoding of the index: as decoded or set, as long as it fits.

        Otherwise it is encoded as by compilers, with the width that it had: of 1,017 relative
        indices by fxc, the 518 that add 0 have no immediate part.
        """
        kept = self.kept
        relative = self.relative is not None
        if IS_RELATIVE[kept] == relative and (kept != RELATIVE or not self.immediate):
            return kept
        wide = IMMEDIATE_DWORDS[kept] == 2
        if not relative:
            return IndexRepresentation.IMMEDIATE64 if wide else IndexRepresentation.IMMEDIATE32
        if wide:
            return IndexRepresentation.IMMEDIATE64_PLUS_RELATIVE
        return IndexRepresentation.IMMEDIATE32_PLUS_RELATIVE if self.immediate else RELATIVE

    @representation.setter
    def representation(self, value: int) -> None:
        if value not in range(len(IS_RELATIVE)):
            raise EncodeError(
                f"expected a number from 0 to 4, got {value!r:.40}", path="representation"
            )
        self.kept = value

    def words(self) -> list[int]:
        """Return the dwords of the index."""
        count = IMMEDIATE_DWORDS[self.representation]
        if self.immediate >> 32 * count:
            raise EncodeError(f"{self.immediate} does not fit {32 * count} bits", path="immediate")
        found = [self.immediate >> 32 * i & 0xFFFF_FFFF for i in range(count)]
        if self.relative is None:
            return found
        try:
            return found + self.relative.words()
        except EncodeError as error:
            raise error.within("relative") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Index) and _of_index(self) == _of_index(other)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        return f"Index({self.immediate}{f', {self.relative!r}' if self.relative else ''})"


def _of_index(index: Index) -> tuple[object, ...]:
    return index.representation, index.immediate, index.relative


class Operand:
    """An operand of an instruction, or of an index."""

    __slots__ = ("extended", "indices", "literal", "token")
    token: int
    extended: tuple[int, ...]
    literal: tuple[int, ...]
    indices: list[Index]

    def __init__(
        self,
        token: int,
        extended: Sequence[int] = (),
        literal: Sequence[int] = (),
        indices: Sequence[Index] = (),
    ) -> None:
        self.token = token
        self.extended = tuple(extended)
        self.literal = tuple(literal)
        self.indices = list(indices)

    type = OperandToken.type.held_in("token")
    components = OperandToken.components.held_in("token")
    mode = ModeToken.mode.held_in("token")
    mask = MaskToken.mask.held_in("token")
    select = SelectToken.select.held_in("token")
    modifier = OperandModifier.modifier.held_in("modifier_token")
    min_precision = OperandModifier.min_precision.held_in("modifier_token")
    non_uniform = OperandModifier.non_uniform.held_in("modifier_token")

    @property
    def modifier_token(self) -> int:
        """The extended token with the modifier, 0 if there is none."""
        for word in self.extended:
            if word & 63 == ExtendedOperand.MODIFIER:
                return word
        return 0

    @modifier_token.setter
    def modifier_token(self, value: int) -> None:
        kinds = [word & 63 for word in self.extended]
        known = ExtendedOperand.MODIFIER in kinds
        at = kinds.index(ExtendedOperand.MODIFIER) if known else len(kinds)
        # Compilers write no token without a modifier.
        new = (value & ~63 | ExtendedOperand.MODIFIER,) if value & ~MORE & ~63 else ()
        self.extended = (*self.extended[:at], *new, *self.extended[at + known :])

    @property
    def swizzle(self) -> tuple[int, int, int, int]:
        """The sources of x, y, z and w, each a number from 0 to 3."""
        word = self.token >> 4
        return word & 3, word >> 2 & 3, word >> 4 & 3, word >> 6 & 3

    @swizzle.setter
    def swizzle(self, value: Sequence[int]) -> None:
        if len(value) != 4 or any(component not in range(4) for component in value):
            raise EncodeError(
                f"expected four numbers from 0 to 3, got {value!r:.40}", path="swizzle"
            )
        word = value[0] | value[1] << 2 | value[2] << 4 | value[3] << 6
        self.token = SwizzleToken.swizzle.put(self.token, word)

    @property
    def negate(self) -> bool:
        """True if the source is negated: `-r0`."""
        return bool(self.modifier & 1)

    @negate.setter
    def negate(self, value: bool) -> None:
        self.modifier = self.modifier & ~1 | bool(value)

    @property
    def absolute(self) -> bool:
        """True if the absolute value of the source is taken: `|r0|`."""
        return bool(self.modifier & 2)

    @absolute.setter
    def absolute(self, value: bool) -> None:
        self.modifier = self.modifier & ~2 | bool(value) << 1

    @property
    def literal_floats(self) -> tuple[float, ...]:
        """The literal dwords as floats."""
        return struct.unpack(f"<{len(self.literal)}f", self._literal_bytes())

    @literal_floats.setter
    def literal_floats(self, values: Sequence[float]) -> None:
        self._set_literal(values, "f")

    @property
    def literal_ints(self) -> tuple[int, ...]:
        """The literal dwords as signed integers."""
        return struct.unpack(f"<{len(self.literal)}i", self._literal_bytes())

    @literal_ints.setter
    def literal_ints(self, values: Sequence[int]) -> None:
        self._set_literal(values, "i")

    @property
    def literal_doubles(self) -> tuple[float, ...]:
        """The literal dwords, in pairs, as doubles."""
        return struct.unpack(f"<{len(self.literal) // 2}d", self._literal_bytes())

    @literal_doubles.setter
    def literal_doubles(self, values: Sequence[float]) -> None:
        self._set_literal(values, "d")

    def _set_literal(self, values: Sequence[float], code: str) -> None:
        try:
            raw = struct.pack(f"<{len(values)}{code}", *values)
        except (struct.error, OverflowError, TypeError) as error:
            raise EncodeError(f"{values!r:.40}: {error}", path="literal") from None
        self.literal = struct.unpack(f"<{len(raw) // 4}I", raw)

    def _literal_bytes(self) -> bytes:
        return struct.pack(f"<{len(self.literal)}I", *self.literal)

    def words(self) -> list[int]:
        """Return the dwords of the operand."""
        extended = self.extended
        indices = self.indices
        token = self.token & 0x7FCF_FFFF
        if indices:
            if len(indices) > 3:
                raise EncodeError(f"expected at most 3 indices, got {len(indices)}", path="indices")
            token |= len(indices) << 20
        tail: list[int] = []
        for i, index in enumerate(indices):
            shift = 22 + 3 * i
            token &= ~(7 << shift)
            if not index.kept and index.relative is None:
                tail.append(index.immediate)
                continue
            token |= index.representation << shift
            try:
                tail += index.words()
            except EncodeError as error:
                raise error.within(f"indices[{i}]") from None
        if self.literal or token & TYPES == LITERALS:
            self._check_literal()
        if not extended:
            return [token, *self.literal, *tail]
        return [token | MORE, *chained(extended), *self.literal, *tail]

    def _check_literal(self) -> None:
        wanted = 0
        if self.type in (OperandType.IMMEDIATE32, OperandType.IMMEDIATE64):
            wanted = LITERAL_DWORDS[self.components]
        if len(self.literal) != wanted:
            raise EncodeError(f"expected {wanted} dwords, got {len(self.literal)}", path="literal")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operand) and _of_operand(self) == _of_operand(other)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __str__(self) -> str:
        from .text.operands import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return described(self, str(self))


def _of_operand(operand: Operand) -> tuple[object, ...]:
    """Return all fields that are not derived when encoding, for comparison."""
    derived = MORE | 3 << 20 | (1 << 3 * min(len(operand.indices), 3)) - 1 << 22
    extended = [word & ~MORE for word in operand.extended]
    return operand.token & ~derived, extended, tuple(operand.literal), list(operand.indices)


def decode_operand(
    words: Sequence[int], pos: int, base: int = 0, depth: int = 64, allowed: int = 64
) -> tuple[Operand, int]:
    """Decode the operand at `words[pos]`; return it and the position after it.

    Args:
        words: The dwords of the instruction, to its end.
        pos: The index of the operand token.
        base: The index of `words[0]` in the part, for the offsets of errors.
        depth: The levels of nested operands that are left.
        allowed: The levels allowed in all, for the message.

    Raises:
        FormatError: The operand is malformed, or exceeds the instruction.
        LimitError: Operands are nested too deeply.
    """
    operand = Operand.__new__(Operand)
    operand.extended = operand.literal = ()
    operand.indices = indices = []
    dimension = 0
    try:
        operand.token = token = words[pos]
        pos += 1
        if token & MORE:
            start = pos
            while words[pos] & MORE:
                pos += 1
            pos += 1
            operand.extended = tuple(words[start:pos])
        if token & TYPES == LITERALS:
            count = LITERAL_DWORDS[token & 3]
            operand.literal = literal = tuple(words[pos : pos + count])
            if len(literal) < count:
                raise IndexError
            pos += count
        dimension = token >> 20 & 3
        if dimension == 1 and not token & 0x01C0_0000:
            index = Index.__new__(Index)
            index.immediate = words[pos]
            index.relative = None
            index.kept = 0
            indices.append(index)
            return operand, pos + 1
        for i in range(dimension):
            representation = token >> 22 + 3 * i & 7
            index = Index.__new__(Index)
            index.relative = None
            index.kept = representation
            if representation == 0:
                index.immediate = words[pos]
                pos += 1
            elif representation > 4:
                raise FormatError(
                    f"expected an index representation of 0 to 4, got {representation}",
                    offset=4 * (base + pos),
                    path=f"indices[{i}]",
                )
            else:
                count = IMMEDIATE_DWORDS[representation]
                index.immediate = words[pos] if count else 0
                if count == 2:
                    index.immediate |= words[pos + 1] << 32
                pos += count
                if representation > 1:
                    if not depth:
                        raise LimitError("depth", allowed, f"{allowed + 1} nested operands")
                    try:
                        index.relative, pos = decode_operand(words, pos, base, depth - 1, allowed)
                    except FormatError as error:
                        raise error.within(0, f"indices[{i}].relative") from None
            indices.append(index)
    except IndexError:
        path = f"indices[{len(indices)}]" if dimension else ""
        raise FormatError(
            "the operand exceeds its instruction",
            offset=4 * (base + len(words)),
            path=path,
        ) from None
    return operand, pos


def source_component(operand: Operand, at: int) -> int:
    """Return the component of a source that is read for component `at` of the destination."""
    return _source_component(operand.token, at)


@lru_cache(1024)
def _source_component(token: int, at: int) -> int:
    operand = Operand(token)
    if operand.components != Components.FOUR:
        return 0
    if operand.mode == SelectionMode.SWIZZLE:
        return operand.swizzle[at]
    if operand.mode == SelectionMode.SELECT_1:
        return operand.select
    return at


def written_components(operand: Operand) -> tuple[int, ...]:
    """Return the components that a destination writes, in order."""
    return _written_components(operand.token)


@lru_cache(1024)
def _written_components(token: int) -> tuple[int, ...]:
    operand = Operand(token)
    if operand.components != Components.FOUR:
        return (0,)
    return tuple(at for at in range(4) if operand.mask >> at & 1)
