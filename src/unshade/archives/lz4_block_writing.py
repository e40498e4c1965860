"""LZ4 blocks of a given size: the size is stored in an unknown place, so it must not change.

A block is packed as small as possible. Then matches are shortened, whose first bytes become
literals: each makes the block one byte longer, until it has the size of the original.
"""

from collections.abc import Mapping

from ..errors import UsageError, not_installed
from ..tuples import NamedTuple
from .archive import ArchivePlace, Edit
from .lz4_block import EXTENDED, LEAST, read_length


class Sequence(NamedTuple):
    """Literals and a match: its distance back and its size, which are 0 in the last sequence."""

    literals: bytes
    back: int
    size: int


def put(place: ArchivePlace, edits: Mapping[str, Edit], free: bool) -> bytes:
    """Return a block with other contents and the size of the original."""
    try:
        from lz4.block import compress
    except ImportError:
        raise not_installed("an LZ4 block", "lz4", "find") from None
    (edit,) = edits.values()
    entry = next(place.opened.entries)
    new = edit(entry.data, False)
    old = bytes(place.data[place.at : place.at + place.opened.size])
    if new == entry.data:
        return old
    packed = compress(new, mode="high_compression", compression=12, store_size=False)
    if free:
        return bytes(packed)
    if len(packed) > len(old):
        problem = f"expected at most {len(old):,} bytes when packed, got {len(packed):,}"
        raise UsageError(f"{place.name}@0x{place.at:x}: {problem}")
    made = lengthened(bytes(packed), new, len(old))
    if made is None:
        raise UsageError(f"{place.name}@0x{place.at:x}: no packing has {len(old):,} bytes")
    return made


def lengthened(packed: bytes, data: bytes, size: int) -> bytes | None:
    """Return a block of a given size with the same contents; None if no block has the size."""
    sequences = parse(packed)
    total = len(packed)
    done = 0  # bytes of the contents before the sequence
    for number, each in enumerate(sequences):
        if total >= size:
            break
        done += len(each.literals)
        before = written(len(each.literals), each.size)
        for fewer in range(min(size - total, each.size - LEAST), 0, -1):
            more = written(len(each.literals) + fewer, each.size - fewer) - before
            if total + more <= size:
                literals = each.literals + data[done : done + fewer]
                sequences[number] = Sequence(literals, each.back, each.size - fewer)
                total += more
                break
        done += each.size
    made = write(sequences)
    return made if len(made) == size else None


def parse(packed: bytes) -> list[Sequence]:
    """Return the sequences of a block."""
    found, at = [], 0
    while at < len(packed):
        token = packed[at]
        count, at = read_length(packed, at + 1, token >> 4)
        literals = packed[at : at + count]
        at += count
        if at >= len(packed):
            found.append(Sequence(literals, 0, 0))
            break
        back = int.from_bytes(packed[at : at + 2], "little")
        count, at = read_length(packed, at + 2, token & EXTENDED)
        found.append(Sequence(literals, back, count + LEAST))
    return found


def written(literals: int, match: int) -> int:
    """Return the bytes of a sequence with so many literals, and a match of such a size."""
    return 1 + len(_rest(literals)) + literals + (2 + len(_rest(match - LEAST)) if match else 0)


def write(sequences: list[Sequence]) -> bytes:
    """Return the block of sequences."""
    made = bytearray()
    for each in sequences:
        match = each.size - LEAST if each.size else 0
        made.append(min(len(each.literals), EXTENDED) << 4 | min(match, EXTENDED))
        made += _rest(len(each.literals)) + each.literals
        if each.size:
            made += each.back.to_bytes(2, "little") + _rest(match)
    return bytes(made)


def _rest(size: int) -> bytes:
    """Return the bytes of a length behind its token."""
    if size < EXTENDED:
        return b""
    return b"\xff" * ((size - EXTENDED) // 255) + bytes([(size - EXTENDED) % 255])
