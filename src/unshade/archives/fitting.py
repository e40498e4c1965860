"""Room for contents that are put back: where the size may change, and how a gap is filled.

A shader or a stream in the midst of other data keeps its size: references to it, and to the data
after it, are stored in unknown places. Smaller contents are filled up in a way that readers of the
format skip.
"""

from collections.abc import Callable, Iterable

from ..errors import UsageError

SKIPPABLE = 0x184D2A50  # magic of a frame to skip, of Zstandard and of LZ4
SKIPPABLE_HEADER = 8

Fill = Callable[[bytes, int], bytes | None]


def zeros(packed: bytes, room: int) -> bytes:
    """Fill with zeros after the end: readers stop at the end that the stream marks."""
    return packed + bytes(room - len(packed))


def words_of_zeros(packed: bytes, room: int) -> bytes | None:
    """Fill with whole words of zeros, as the padding of a stream of xz."""
    return None if (room - len(packed)) % 4 else zeros(packed, room)


def skippable(packed: bytes, room: int) -> bytes | None:
    """Fill with a skippable frame, which takes at least eight bytes."""
    left = room - len(packed) - SKIPPABLE_HEADER
    if left < 0:
        return None
    return packed + SKIPPABLE.to_bytes(4, "little") + left.to_bytes(4, "little") + bytes(left)


def fitted(made: Iterable[bytes], room: int | None, fill: Fill, what: str) -> bytes:
    """Return the first of several packed forms that can be filled to a size.

    Args:
        made: Packed forms, the most similar to the original first.
        room: The size; None if it may change.
        fill: Returns a smaller form with this size, or None.
        what: A noun phrase for error messages.

    Raises:
        UsageError: None of the forms fits.
    """
    least: int | None = None
    for packed in made:
        if room is None or len(packed) == room:
            return packed
        if len(packed) < room:
            filled = fill(packed, room)
            if filled is not None:
                return filled
        least = len(packed) if least is None else min(least, len(packed))
    raise UsageError(
        f"{what}: expected at most {room:,} bytes when packed, got {least or 0:,}"
        if least is None or room is None or least > room
        else f"{what}: no packing has {room:,} bytes, nor leaves room for what readers skip"
    )
