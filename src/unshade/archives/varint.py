"""SPIR-V whose words are written with seven bits in a byte, as pipeline caches store it."""

from array import array

__all__ = ["words_of"]

MOST = 5  # bytes of a word


def words_of(data: bytes, size: int) -> bytes | None:
    """Return the module that data encodes; None if its size is not `size` bytes."""
    if size % 4 or not size <= 4 * len(data) <= MOST * size:
        return None
    words = array("I")
    word = shift = 0
    for byte in data:
        word |= (byte & 0x7F) << shift
        if byte < 0x80:
            if word >> 32:
                return None
            words.append(word)
            word = shift = 0
        else:
            shift += 7
            if shift > 28:
                return None
    if shift or 4 * len(words) != size:
        return None
    return b"".join(each.to_bytes(4, "little") for each in words)
