"""Bitstreams made bit by bit, for files that no writer makes."""

from __future__ import annotations

MAGIC = b"BC\xc0\xde"


class Bits:
    """A row of bits."""

    def __init__(self) -> None:
        self.value = 0
        self.count = 0

    def fixed(self, value: int, width: int) -> Bits:
        self.value |= value << self.count
        self.count += width
        return self

    def vbr(self, value: int, width: int, extra: int = 0) -> Bits:
        """Add a number in chunks, with superfluous ones."""
        more = 1 << (width - 1)
        while value >= more or extra:
            extra -= value < more
            self.fixed(value & (more - 1) | more, width)
            value >>= width - 1
        return self.fixed(value, width)

    def align(self) -> Bits:
        return self.fixed(0, -self.count & 31)

    def enter(self, block: int, width: int, outer: int = 2, words: int = 0) -> Bits:
        """Begin a block."""
        self.fixed(1, outer).vbr(block, 8).vbr(width, 4).align()
        return self.fixed(words, 32)

    def add(self, other: Bits) -> Bits:
        return self.fixed(other.value, other.count)

    def data(self) -> bytes:
        return MAGIC + self.align().value.to_bytes(self.count // 8, "little")


def stream(items: Bits, block: int = 8, width: int = 3) -> bytes:
    """Return a stream of one block with items and its end."""
    inner = Bits().add(items).fixed(0, width).align()
    return Bits().enter(block, width, words=inner.count // 32).add(inner).data()
