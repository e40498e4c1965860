"""Slots of bindings: which half of which push constant an index is computed from.

    %p = OpAccessChain %_ptr_PushConstant_uint %indices %int_1
    %w = OpLoad %uint %p                          word 1: slots 2 and 3
    %i = OpBitwiseAnd %uint %w %uint_65535        slot 2
    %i = OpShiftRightLogical %uint %w %int_16     slot 3

Modules that are not optimised keep the index in a variable of the function; the value is traced
through the single store to the variable.
"""

from ....programs.spirv.index import ModuleIndex
from ....programs.spirv.tables.numbers import Decoration, Opcode, StorageClass
from ....tuples import NamedTuple

__all__ = ["SlotFinder"]

HALF = 16  # bits of a slot
DEEP = 32  # steps from an index to its push constant
ALIKE = (Opcode.CopyObject, Opcode.Bitcast, Opcode.UConvert, Opcode.SConvert)
CHAINS = (Opcode.AccessChain, Opcode.InBoundsAccessChain)


class PushConstantBits(NamedTuple):
    """Bits of one word of the push constants: `width` bits, from bit `low` on."""

    word: int
    low: int
    width: int


class SlotFinder:
    """The slots of the indices of one module."""

    def __init__(self, index: ModuleIndex) -> None:
        self.index = index
        self._stored: dict[int, int | None] = {}  # by variable: the only value stored to it
        for each in index.module.instructions:
            if each.opcode == Opcode.Store and len(each.words) > 2:
                pointer, value = each.words[1:3]
                self._stored[pointer] = None if pointer in self._stored else value

    def slot(self, number: int) -> int | None:
        """Return the slot that an index reads; None if the index is not computed from a slot."""
        bits = self._bits(number, DEEP)
        if bits is None or bits.low // HALF != (bits.low + bits.width - 1) // HALF:
            return None
        return 2 * bits.word + bits.low // HALF

    def _bits(self, number: int, left: int) -> PushConstantBits | None:
        """Return the bits of the push constants that a value consists of."""
        found = self.index.definitions.get(number)
        if found is None or not left:
            return None
        words = found.words
        match found.opcode:
            case Opcode.Load:
                return self._loaded(words[3], left)
            case Opcode.BitwiseAnd:
                for value, mask in ((words[3], words[4]), (words[4], words[3])):
                    kept = self.index.integer(mask)
                    bits = self._bits(value, left - 1) if kept is not None else None
                    if bits is not None and kept is not None:
                        return self._masked(bits, kept & 0xFFFF_FFFF)
            case Opcode.ShiftRightLogical | Opcode.ShiftRightArithmetic:
                bits, by = self._bits(words[3], left - 1), self.index.integer(words[4])
                if bits is not None and by is not None and 0 <= by < bits.width:
                    return PushConstantBits(bits.word, bits.low + by, bits.width - by)
            case Opcode.BitFieldUExtract | Opcode.BitFieldSExtract:
                bits = self._bits(words[3], left - 1)
                start, width = map(self.index.integer, words[4:6])
                if bits is not None and start is not None and width:
                    return PushConstantBits(bits.word, bits.low + start, width)
            case opcode if opcode in ALIKE:
                return self._bits(words[3], left - 1)
        return None

    def _masked(self, bits: PushConstantBits, kept: int) -> PushConstantBits | None:
        """Return the bits that a mask keeps: from its lowest to its highest bit."""
        kept &= (1 << bits.width) - 1
        if not kept:
            return None
        low = (kept & -kept).bit_length() - 1
        return PushConstantBits(bits.word, bits.low + low, kept.bit_length() - low)

    def _loaded(self, pointer: int, left: int) -> PushConstantBits | None:
        found = self.index.definitions.get(pointer)
        if found is None:
            return None
        if found.opcode == Opcode.Variable:
            value = self._stored.get(pointer)
            return None if value is None else self._bits(value, left - 1)
        if found.opcode not in CHAINS:
            return None
        base = self.index.definitions.get(found.words[3])
        if base is None or base.opcode != Opcode.Variable:
            return None
        if base.words[3] != StorageClass.PushConstant:
            return None
        offset = self._offset(found.words[3], found.words[4:])
        return None if offset is None or offset % 4 else PushConstantBits(offset // 4, 0, 2 * HALF)

    def _offset(self, variable: int, indices: tuple[int, ...]) -> int | None:
        """Return the offset in bytes that the indices of an access chain lead to."""
        offset = 0
        kind = self.index.pointee(variable) or 0
        for each in indices:
            at = self.index.integer(each)
            found = self.index.definitions.get(kind)
            if at is None or found is None or at < 0:
                return None
            if found.opcode == Opcode.TypeStruct and at < len(found.words) - 2:
                step = self.index.decoration_word(Decoration.Offset, kind, at)
                kind = found.words[2 + at]
            elif found.opcode == Opcode.TypeArray:
                stride = self.index.decoration_word(Decoration.ArrayStride, kind)
                step = None if stride is None else at * stride
                kind = found.words[2]
            elif found.opcode == Opcode.TypeVector:
                step, kind = 4 * at, found.words[2]
            else:
                return None
            if step is None:
                return None
            offset += step
        return offset
