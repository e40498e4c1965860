"""Compressions without a magic, at the start of a file or an entry.

    brotli       the stream ends with the data
    lz4-start    a block of LZ4, or its size in 4 or 8 bytes and the block, ends with the data

Data is taken for something else if its stream does not end with the last byte, or would exceed a
limit: it need not be packed at all.
"""

from typing import Any

from ..errors import LimitError
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .lz4_block import decode
from .streams import MOST

RATIO = 1000  # bytes unpacked for each byte, at most
BLOCKS = 16 << 20  # bytes of a block without a frame
LAST = 5  # bytes: the last of a block are literals


def brotli(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a stream of Brotli that is all of the data."""
    if len(data) < LAST:
        return None
    try:
        import brotli as library
    except ImportError:  # nothing tells whether it is needed
        return None
    decoder = library.Decompressor()
    pieces: list[bytes] = []
    made = fed = 0
    whole = False
    try:
        while fed < len(data):
            step = bytes(data[fed : fed + (512 if not fed else MOST)])
            fed += len(step)
            out = decoder.process(step, output_buffer_limit=MOST)
            while out:
                made += len(out)
                pieces.append(out)
                if made > min(budget.room, RATIO * fed):
                    return None
                out = (
                    b"" if decoder.is_finished() else decoder.process(b"", output_buffer_limit=MOST)
                )
            if decoder.is_finished():
                break
        whole = decoder.is_finished() and fed == len(data) and made > 0
    except library.error:
        return None
    finally:
        if not whole:
            budget.waste(made)
    if not whole:
        return None
    budget.take(made)
    return Opened(len(data), iter([ArchiveEntry("", b"".join(pieces))]))


def lz4_start(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a block of LZ4 that is all of the data, perhaps behind its size."""
    if not LAST < len(data) <= BLOCKS:
        return None
    whole = bytes(data)
    for size in (4, 8, 0):
        wanted = int.from_bytes(whole[:size], "little") if size else None
        if wanted is not None and not len(whole) < wanted + 16 <= BLOCKS:
            continue
        made = decode(whole, size, BLOCKS if wanted is None else wanted + 1)
        ended = bool(made.ends) and made.ends[-1] == (len(made.data), len(whole))
        if ended and len(made.data) > LAST and wanted in (None, len(made.data)):
            try:
                budget.take(len(made.data))
            except LimitError:
                return None
            return Opened(len(whole), iter([ArchiveEntry("", made.data)]))
        budget.waste(len(made.data))
    return None
