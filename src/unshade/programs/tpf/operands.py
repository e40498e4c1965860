"""Operands: a token, tokens that extend it, literal dwords, and indices that may be operands.

    operand  =  token  extension*  literal{0,1,4}  index{0,3}
    index    =  u32  |  u64 (low dword first)  |  operand  |  u32 operand  |  u64 operand

    mov r0.xyz, cb0[r1.x + 4].xyzx     the second operand: token, 0 (the buffer), 4, token, 1 (r1)

The number of literal dwords goes with the component count, also for doubles: four dwords are two
doubles. How many indices there are and what each is made of stands in `indices` alone: the bits of
the token that say so are derived from there, as are the bits that announce one more extension.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

import struct
from collections.abc import Sequence
from typing import Self, overload

from ...errors import EncodeError, FormatError, LimitError
from ...isa import Bits
from .tokens import (
    Components,
    ExtendedOperand,
    IndexRepresentation,
    MaskToken,
    ModeToken,
    OperandModifier,
    OperandToken,
    OperandType,
    SelectionMode,
    SelectToken,
    SwizzleToken,
)

LITERAL_DWORDS = (0, 1, 4, 0)  # by the token's component code
MORE = 1 << 31
IMMEDIATE_DWORDS = (1, 2, 0, 1, 2)  # by index representation
IS_RELATIVE = (False, False, True, True, True)


class TokenField:
    """A bit field of the `token` of an operand or instruction, as an attribute."""

    __slots__ = ("bits",)

    def __init__(self, bits: Bits) -> None:
        self.bits = bits

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: "HasToken", owner: type) -> int: ...
    def __get__(self, instance: "HasToken | None", owner: type) -> "Self | int":
        return self if instance is None else self.bits.of(instance.token)

    def __set__(self, instance: "HasToken", value: int) -> None:
        instance.token = self.bits.put(instance.token, value)


class HasToken:
    """What `TokenField` needs of its owner."""

    __slots__ = ("token",)
    token: int


class ModifierField:
    """A bit field of the operand's modifier token, which appears when it is needed."""

    __slots__ = ("bits",)

    def __init__(self, bits: Bits) -> None:
        self.bits = bits

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: "Operand", owner: type) -> int: ...
    def __get__(self, instance: "Operand | None", owner: type) -> "Self | int":
        if instance is None:
            return self
        at = instance.modifier_at()
        return 0 if at is None else self.bits.of(instance.extended[at])

    def __set__(self, instance: "Operand", value: int) -> None:
        words = list(instance.extended)
        at = instance.modifier_at()
        if at is None:
            if not value:
                return
            at = len(words)
            words.append(ExtendedOperand.MODIFIER)
        words[at] = self.bits.put(words[at], value)
        if words[at] & ~MORE == ExtendedOperand.MODIFIER:
            del words[at]  # compilers write no modifier that does nothing
        instance.extended = tuple(words)


class Index:
    """One index of an operand: a number, an operand whose value is added, or both."""

    __slots__ = ("immediate", "relative", "representation")
    immediate: int
    relative: "Operand | None"
    representation: int

    def __init__(
        self, immediate: int = 0, relative: "Operand | None" = None, representation: int = -1
    ) -> None:
        self.immediate = immediate
        self.relative = relative
        if representation < 0:
            representation = 0 if relative is None else 3 if immediate else 2
        self.representation = representation

    def words(self) -> list[int]:
        """The dwords of the index."""
        if not 0 <= self.representation < len(IS_RELATIVE):
            raise EncodeError(f"{self.representation} is no representation", path="representation")
        count = IMMEDIATE_DWORDS[self.representation]
        if self.immediate >> 32 * count:
            raise EncodeError(f"{self.immediate} does not fit {32 * count} bits", path="immediate")
        found = [self.immediate >> 32 * i & 0xFFFF_FFFF for i in range(count)]
        if IS_RELATIVE[self.representation] != (self.relative is not None):
            kind = IndexRepresentation(self.representation).name
            raise EncodeError(f"an index of kind {kind} has another shape", path="relative")
        return found if self.relative is None else found + self.relative.words()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Index) and _key(self) == _key(other)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        return f"Index({self.immediate}{f', {self.relative!r}' if self.relative else ''})"


def _key(index: Index) -> tuple[int, int, "Operand | None"]:
    return index.representation, index.immediate, index.relative


class Operand(HasToken):
    """One operand of an instruction, or of an index of an operand."""

    __slots__ = ("extended", "indices", "literal")
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

    type = TokenField(OperandToken.type)
    components = TokenField(OperandToken.components)
    mode = TokenField(ModeToken.mode)
    mask = TokenField(MaskToken.mask)
    select = TokenField(SelectToken.select)
    modifier = ModifierField(OperandModifier.modifier)
    min_precision = ModifierField(OperandModifier.min_precision)
    non_uniform = ModifierField(OperandModifier.non_uniform)

    def modifier_at(self) -> int | None:
        """Where in `extended` the modifier token is."""
        for at, word in enumerate(self.extended):
            if word & 63 == ExtendedOperand.MODIFIER:
                return at
        return None

    @property
    def swizzle(self) -> tuple[int, int, int, int]:
        """The component that stands for each of x, y, z, w."""
        word = self.token >> 4
        return word & 3, word >> 2 & 3, word >> 4 & 3, word >> 6 & 3

    @swizzle.setter
    def swizzle(self, value: Sequence[int]) -> None:
        if len(value) != 4 or any(component not in range(4) for component in value):
            raise EncodeError(
                f"four numbers from 0 to 3 expected, not {value!r:.40}", path="swizzle"
            )
        word = value[0] | value[1] << 2 | value[2] << 4 | value[3] << 6
        self.token = SwizzleToken.swizzle.put(self.token, word)

    @property
    def negate(self) -> bool:
        """-r0"""
        return bool(self.modifier & 1)

    @negate.setter
    def negate(self, value: bool) -> None:
        self.modifier = self.modifier & ~1 | bool(value)

    @property
    def absolute(self) -> bool:
        """|r0|"""
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
        """The literal dwords, two by two, as doubles."""
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
        """The operand's dwords."""
        extended = self.extended
        indices = self.indices
        token = self.token & 0x7FCF_FFFF
        if indices:
            if len(indices) > 3:
                raise EncodeError(f"{len(indices)} indices, at most 3 fit", path="indices")
            token |= len(indices) << 20
        tail: list[int] = []
        for i, index in enumerate(indices):
            shift = 22 + 3 * i
            token = token & ~(7 << shift) | index.representation << shift
            if index.representation == 0 and index.relative is None:
                tail.append(index.immediate)
                continue
            try:
                tail += index.words()
            except EncodeError as error:
                raise error.within(f"indices[{i}]") from None
        if self.literal or token & 0xFE000 == 0x4000:
            self._check_literal()
        if not extended:
            return [token, *self.literal, *tail]
        chain = [word | MORE for word in extended]
        chain[-1] ^= MORE
        return [token | MORE, *chain, *self.literal, *tail]

    def _check_literal(self) -> None:
        wanted = 0
        if self.type in (OperandType.IMMEDIATE32, OperandType.IMMEDIATE64):
            wanted = LITERAL_DWORDS[self.components]
        if len(self.literal) != wanted:
            found = len(self.literal)
            raise EncodeError(f"{found} dwords where the token has {wanted}", path="literal")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operand) and self.words() == other.words()

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        shown = " ".join(f"{word:08x}" for word in self.words())
        return f"<Operand {OperandToken(self.token)!r} [{shown}]>"


def decode_operand(
    words: Sequence[int], pos: int, base: int = 0, depth: int = 64, allowed: int = 64
) -> tuple[Operand, int]:
    """The operand at `words[pos]` and the position behind it.

    `words` ends where the instruction ends; `base` is the dword in the part that it starts at, so
    that errors can say where they are.
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
        if token & 0xFE000 == 0x4000:  # immediate32, immediate64
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
            index.representation = 0
            indices.append(index)
            return operand, pos + 1
        for i in range(dimension):
            representation = token >> 22 + 3 * i & 7
            index = Index.__new__(Index)
            index.relative = None
            index.representation = representation
            if representation == 0:
                index.immediate = words[pos]
                pos += 1
            elif representation > 4:
                raise FormatError(
                    f"index representation {representation}, at most 4 was expected",
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
                        raise LimitError(
                            "depth", allowed, f"{allowed + 1} operands inside operands"
                        )
                    try:
                        index.relative, pos = decode_operand(words, pos, base, depth - 1, allowed)
                    except FormatError as error:
                        raise error.within(0, f"indices[{i}].relative") from None
            indices.append(index)
    except IndexError:
        path = f"indices[{len(indices)}]" if dimension else ""
        raise FormatError(
            "the operand runs past the end of its instruction",
            offset=4 * (base + len(words)),
            path=path,
        ) from None
    return operand, pos


def temp(register: int, mask: int = 15) -> Operand:
    """A temporary register that is written: `r0.xyzw`."""
    return Operand(
        MaskToken(components=Components.FOUR, mode=SelectionMode.MASK, mask=mask).word,
        indices=[Index(register)],
    )


def immediate(*words: int) -> Operand:
    """A literal of one or four dwords."""
    components = Components.ONE if len(words) == 1 else Components.FOUR
    token = OperandToken(components=components, type=OperandType.IMMEDIATE32)
    return Operand(token.word, literal=words)
