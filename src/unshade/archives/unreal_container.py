"""Tables of contents of Unreal's containers (.utoc), versions 1 to 8.

    magic  version u8, 3 bytes  144: bytes of the header  numbers of chunks, of blocks  12
    number and bytes of names   bytes of a block  …  flags  …  numbers of hash seeds, of overflows
    chunks: ids of 12 bytes, then places of 10
    seeds and overflows of 4 bytes
    blocks of 12 bytes
    names of compressions

The chunks are in the file with the same name and the suffix .ucas, which has no structure of its
own: plain blocks, and those that zlib, gzip or Zstandard packed, are found in it like in any data.
So the table only tells what is not: anything in an encrypted container, or packed by Oodle or LZ4.

Source: facts from FIoStoreTocHeader of Unreal Engine.
"""

import struct
from typing import Any

from ..errors import UnsupportedError
from .archive import Opened
from .budget import UnpackBudget

MAGIC = b"-==--==--==--==-"
VERSIONS = range(1, 9)
HEADER = struct.Struct("<16sB3x8I28xB3xI8xI44x")
ENCRYPTED = 2  # flag
CHUNK, SEED, BLOCK = 12 + 10, 4, 12  # bytes
LONGEST, MOST = 64, 255  # bytes of a name, and names: a block has the number of one in a byte
FOUND = {"", "zlib", "gzip", "zstd"}  # packed blocks that begin with a magic
KIND = "a container of Unreal (.utoc, .ucas)"


def unreal_container(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a table of contents that is all of the data; it has no entries.

    Raises:
        UnsupportedError: The container is encrypted, or packed by what is not read.
    """
    head = bytes(data[at : at + HEADER.size])
    if len(head) < HEADER.size:
        return None
    (
        magic, version, size, chunks, blocks, block, names, longest, _, _, flags, seeds, overflows,
    ) = HEADER.unpack(head)  # fmt: skip
    if magic != MAGIC or version not in VERSIONS or (size, block) != (HEADER.size, BLOCK):
        return None
    first = at + size + chunks * CHUNK + (seeds + overflows) * SEED + blocks * BLOCK
    end = first + names * longest
    if longest > LONGEST or names > MOST or end > len(data):
        return None
    if flags & ENCRYPTED:
        raise UnsupportedError(f"{KIND} that is encrypted is not read")
    for place in range(first, end, longest or 1):
        name = bytes(data[place : place + longest]).rstrip(b"\0").decode("ascii", "replace")
        if name.lower() not in FOUND:
            shown = name if name.isidentifier() else "an unknown method"
            raise UnsupportedError(f"blocks of {KIND} that are packed by {shown} are not read")
    return Opened(len(data) - at, iter(()))
