"""A set of digests within a fixed amount of memory, which forgets.

    slot 0x1f3 of 262,144      the digest that was added last, of those whose first bits are these

So memory does not grow with the number of files. What was forgotten is read again, which gives the
same rows once more.
"""

__all__ = ["DigestCache"]

SIZE = 32  # bytes of a SHA-256


class DigestCache:
    """Digests in hexadecimal that were added, as far as they were not replaced by others.

    Args:
        slots: The number of digests that there is room for, a power of two.
    """

    def __init__(self, slots: int) -> None:
        self._mask = slots - 1
        self._room = bytearray(slots * SIZE)

    def _place(self, digest: bytes) -> int:
        return (int.from_bytes(digest[:8], "little") & self._mask) * SIZE

    def __contains__(self, digest: str) -> bool:
        data = bytes.fromhex(digest)
        at = self._place(data)
        return self._room[at : at + SIZE] == data

    def add(self, digest: str) -> None:
        """Add a digest, in place of the one in its slot."""
        data = bytes.fromhex(digest)
        at = self._place(data)
        self._room[at : at + SIZE] = data

    def clear(self) -> None:
        """Remove all digests."""
        self._room = bytearray(len(self._room))
