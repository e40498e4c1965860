"""LZ4 blocks without a frame (LZ4 Block Format Description), as engines store them in pack files.

    token  [255 … n]  literals  offset  [255 … n]       a sequence; the last ends after its literals

Nothing marks where such a block begins or ends. But the first sequence of a block contains only
literals: if the block begins with a shader, the magic stands there in plain sight, with the token
before it. The structure of the shader decides how much has to be unpacked, and whether this is a
block at all.
"""

from typing import Any

from .. import formats
from ..errors import UnshadeError
from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget

MOST = 4 << 20  # bytes of a block; those of Unreal and Unity have at most 128 KiB
EXTENDED = 15  # in a token: the length goes on in the next bytes
LEAST = 4  # bytes of a match
EXTENSIONS = 64  # bytes of the length of the literals before the magic
FEW = 1 << 6, 1 << 9  # bytes to unpack before the structure is tried; most blocks are none
STEPS = *FEW, 1 << 12, 1 << 15, 1 << 18, 1 << 21, MOST
SLOW = 64  # bytes that a library unpacks in the time of one


class UnpackedBlock(NamedTuple):
    """The contents of a block.

    `ends` are the lengths at which it may end, and the places behind them in the data.
    """

    data: bytes
    ends: list[tuple[int, int]]
    limited: bool  # the given size ended it


def decode(data: Any, at: int, most: int) -> UnpackedBlock:
    """Unpack a block from an offset to the first invalid sequence, or to a size."""
    out = bytearray()
    ends: list[tuple[int, int]] = []
    stop = len(data)
    while at < stop and len(out) < most:
        token = data[at]
        size, at = read_length(data, at + 1, token >> 4)
        if at + size > stop:
            break
        out += data[at : at + size]
        at += size
        ends.append((len(out), at))
        if at + 2 > stop:
            break
        back = data[at] | data[at + 1] << 8
        size, at = read_length(data, at + 2, token & EXTENDED)
        size += LEAST
        if not 0 < back <= len(out):
            break
        size = max(0, min(size, most - len(out)))
        if back >= size:
            start = len(out) - back
            out += out[start : start + size]
        else:
            pattern = bytes(out[-back:])
            out += (pattern * (size // back + 1))[:size]
    return UnpackedBlock(bytes(out), ends, len(out) >= most)


def read_length(data: Any, at: int, size: int) -> tuple[int, int]:
    """Return the length that begins in a token, and the offset after the bytes of the length."""
    if size == EXTENDED:
        while at < len(data):
            more = data[at]
            at += 1
            size += more
            if more != 255:
                break
    return size, at


def block(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read the block whose first literals are the magic of a shader, at an offset."""
    for start in _tokens(data, at):
        before: int | str | None = None
        used = 0
        for most in STEPS:
            made = decode(data, start, most)
            budget.take(len(made.data))
            used += 0 if most in FEW else len(made.data)
            verdict = _verdict(made.data)
            if not made.limited or verdict == before:
                break
            before = verdict
        if isinstance(verdict, int):
            # The last bytes of a block are literals.
            end = next((each for each in made.ends if each[0] >= verdict), None)
            if end is not None:
                contents = made.data[: end[0]]
                return Opened(end[1] - start, iter([ArchiveEntry("", contents)]), start)
        budget.waste((SLOW - 1) * used)
    return None


def _tokens(data: Any, at: int) -> list[int]:
    """Return the offsets of tokens whose literals begin at an offset."""
    if at < 1:
        return []
    found = [at - 1] if LEAST <= data[at - 1] >> 4 < EXTENDED else []
    place = at - 2
    if data[at - 1] != 255:
        while place >= max(0, at - EXTENSIONS):
            if data[place] >> 4 == EXTENDED:
                found.append(place)
            if data[place] != 255:
                break
            place -= 1
    return found


def _verdict(data: bytes) -> int | str:
    """Return the size of the shader at the start of data, or the error if there is none.

    The verdict is final if it stays the same when more of the data is known.
    """
    name = formats.identify(data)
    if name is None:
        return ""
    try:
        return formats.format_named(name).shader().measure(data)
    except UnshadeError as error:
        return str(error)
