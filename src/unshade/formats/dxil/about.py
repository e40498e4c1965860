"""The description of DXIL programs without a container, for the registry and the command line.

    42 43 c0 de 21 0c 00 00          bitcode of LLVM 3.7: its first block is the module
    de c0 17 0b … offset             the same in a wrapper
    token size 44 58 49 4c …         the data of a DXIL or ILDB part

Bitcode of later versions begins with another block and is not DXIL.
"""

from collections.abc import Iterator
from typing import Any

from ...format import Format, Option

BITCODE, WRAPPER, MAGIC = b"BC\xc0\xde", b"\xde\xc0\x17\x0b", b"DXIL"
HEADER = 24  # bytes of the header of a part
WRAPPER_SIZE = 20  # bytes of a wrapper
STAGES = 16
# The first word of a module: 2 bits to enter a block, its id 8 in 8 bits.
MODULE, MODULE_BITS = 1 | 8 << 2, (1 << 10) - 1


def _matches(data: bytes) -> bool:
    if data[:4] == WRAPPER:
        start = int.from_bytes(data[8:12], "little")
        return _is_module(data[start : start + 8])
    if data[8:12] == MAGIC:
        return len(data) >= HEADER and int.from_bytes(data[2:4], "little") < STAGES
    return _is_module(data[:8])


def _word(data: Any, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _is_module(start: bytes) -> bool:
    word = int.from_bytes(start[4:8], "little")
    return start[:4] == BITCODE and word & MODULE_BITS == MODULE


def starts(data: Any, at: int) -> Iterator[int]:
    """Yield the possible starts of a file whose magic of bitcode is at the offset `at`."""
    part = at - HEADER
    if part >= 0 and data[part + 8 : part + 12] == MAGIC:
        words, offset, size = (_word(data, part + each) for each in (4, 16, 20))
        if 8 + offset + size <= 4 * words <= len(data) - part:
            yield part
    wrapper = at - WRAPPER_SIZE
    if wrapper >= 0 and data[wrapper : wrapper + 4] == WRAPPER:
        yield wrapper
    if _is_module(bytes(data[at : at + 8])):
        yield at


DXIL = Format(
    "dxil",
    b"",
    "unshade.formats.dxil.shader:DxilFile",
    matches=_matches,
    suffix=".bc",
    sized=False,
    pipelines="direct3d",
    marks=(BITCODE,),
    starts=starts,
    assembler=(
        Option("strict", "Refuse DXIL whose values are not numbered consecutively, like LLVM 3.7."),
    ),
    strips=(
        ("debug", "lines, variables and sources"),
        ("reflection", "names of resources, values and types"),
    ),
    reveals=((r"bitcode\.blocks\b.*\.text$", ""),),  # bits: 6, 7 or 8 for a letter
)
