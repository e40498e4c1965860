"""Allocation of operand descriptors: as few as possible, by picasso's algorithm.

    instruction     needs            descriptor 0 so far    what happens
    mov r0.x, v0    x, x---          there is none          0 is appended: x, xyzw
    mov r1.x, v1    x, x---          x, x---                0 is used again
    rcp r1.x, v1.y  x, y---          x, x---                1 is appended: x, yyyy
    add r2.x, …     x, x---, y---    x, x---                0 gets a second source, and claims it

Each entry records the bits that its instructions claim. An instruction uses the first entry that
agrees in the bits that both claim, and adds its own bits to it. `mad` reaches only 32 entries: a
later entry is swapped with the first that no `mad` uses, and earlier instructions are adjusted.

Source: picasso's descriptor tables, of the corpus and of generated sources. The table of operations
lists the bits that an operation claims.
"""

from ....errors import EncodeError
from ....vocab.pica import COMPONENTS
from ..descriptors import (
    MAX_DESCRIPTORS,
    MAX_MAD_DESCRIPTORS,
    OperandDescriptor,
    mask_letters,
)
from ..tables.ops import Op

__all__ = ["TEXT_BITS", "DescriptorPool", "claimed_bits", "text_bits"]

D = OperandDescriptor
DESTINATION = D(mask=0xF).word
SOURCES = (D(neg1=1, swz1=0xFF).word, D(neg2=1, swz2=0xFF).word, D(neg3=1, swz3=0xFF).word)
TEXT_BITS = DESTINATION | SOURCES[0] | SOURCES[1] | SOURCES[2]  # bits that a text determines
WHOLE = 0xFFFF_FFFF
SWIZZLES = (D.swz1, D.swz2, D.swz3)


def text_bits(op: Op, word: int) -> int:
    """Return the bits of a descriptor that the text of an operation determines."""
    mask = DESTINATION if op.writes & {"dst", "a0"} else 0
    for source in range(len(op.sources)):
        mask |= SOURCES[source]
    return word & mask


def claimed_bits(op: Op, word: int) -> int:
    """Return the mask of the bits of a descriptor that an operation claims."""
    mask = DESTINATION if op.writes & {"dst", "a0"} else 0
    written = mask_letters(D.mask.of(word))
    for source, swizzle in enumerate(SWIZZLES[: len(op.sources)]):
        mask |= SOURCES[source]
        claimed = op.claims(source, written)
        for place, component in enumerate(COMPONENTS):
            if component not in claimed:
                mask &= ~(0xC0 >> 2 * place << swizzle.low)
    return mask


class _Entry:
    __slots__ = ("by_mad", "claimed", "high", "users", "word")

    def __init__(self, word: int, claimed: int, high: int = 0) -> None:
        self.word = word
        self.claimed = claimed
        self.high = high
        self.users: list[int] = []  # words of the program that name it, except mad
        self.by_mad = False


class DescriptorPool:
    """The descriptors of one program; a swap changes their numbers in its code, `words`."""

    def __init__(self, words: list[int]) -> None:
        self.words = words
        self._entries: list[_Entry] = []

    def __len__(self) -> int:
        return len(self._entries)

    def descriptors(self) -> list[OperandDescriptor]:
        """Return the table."""
        return [OperandDescriptor(entry.word, entry.high) for entry in self._entries]

    def pin(self, word: int, high: int = 0, *, any_number: bool = False) -> None:
        """Append an entry that keeps all its bits, whatever uses it."""
        self._append(word, WHOLE, high, any_number=any_number)

    def named(self, index: int, word: int, claimed: int) -> bool:
        """Return True if entry `index` exists and agrees in the bits `claimed`."""
        return index < len(self) and not (self._entries[index].word ^ word) & claimed

    def first_fit(self, word: int, claimed: int, *, mad: bool = False) -> int | None:
        """Return the first entry that fits an instruction, None if there is none."""
        entries = self._entries[:MAX_MAD_DESCRIPTORS] if mad else self._entries
        for index, entry in enumerate(entries):
            if not (entry.word ^ word) & entry.claimed & claimed:
                return index
        return None

    def place(self, word: int, claimed: int, *, mad: bool = False) -> int:
        """Return the entry for the next instruction; EncodeError if the table is full."""
        index = self._serve(word, claimed)
        if mad:
            if index >= MAX_MAD_DESCRIPTORS:
                index = self._swap(index)
            self._entries[index].by_mad = True
        else:
            self._entries[index].users.append(len(self.words))
        return index

    def _serve(self, word: int, claimed: int) -> int:
        index = self.first_fit(word, claimed)
        if index is None:
            self._append(word, claimed)
            return len(self) - 1
        entry = self._entries[index]
        entry.word = entry.word & ~claimed | word & claimed
        entry.claimed |= claimed
        return index

    def _append(self, word: int, claimed: int, high: int = 0, *, any_number: bool = False) -> None:
        if len(self) >= MAX_DESCRIPTORS and not any_number:
            raise EncodeError(f"expected at most {MAX_DESCRIPTORS} operand descriptors, got more")
        self._entries.append(_Entry(word, claimed, high))

    def _swap(self, late: int) -> int:
        """Swap the entry `late` into the first 32; return its new number."""
        entries = self._entries
        for early in range(MAX_MAD_DESCRIPTORS):
            if not entries[early].by_mad and entries[early].claimed != WHOLE:
                break
        else:
            raise EncodeError(
                f"expected at most {MAX_MAD_DESCRIPTORS} descriptors of mad, got more"
            )
        entries[early], entries[late] = entries[late], entries[early]
        for index in early, late:
            for at in entries[index].users:
                self.words[at] = self.words[at] & ~0x7F | index
        return early
