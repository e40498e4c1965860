"""The description of DXIL programs without a container, for the registry and the command line.

    42 43 c0 de 21 0c 00 00          bitcode of LLVM 3.7: its first block is the module
    de c0 17 0b … offset             the same in a wrapper
    token size 44 58 49 4c …         the data of a DXIL or ILDB part

Bitcode of later versions begins with another block and is not DXIL.
"""

from ...format import Format, Option

BITCODE, WRAPPER, MAGIC = b"BC\xc0\xde", b"\xde\xc0\x17\x0b", b"DXIL"
HEADER = 24  # bytes of the header of a part
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


def _is_module(start: bytes) -> bool:
    word = int.from_bytes(start[4:8], "little")
    return start[:4] == BITCODE and word & MODULE_BITS == MODULE


DXIL = Format(
    "dxil",
    b"",
    "unshade.formats.dxil.shader:DxilFile",
    matches=_matches,
    suffix=".bc",
    pipelines="direct3d",
    assembler=(
        Option("strict", "Refuse DXIL whose values are not numbered consecutively, like LLVM 3.7."),
    ),
    strips=(
        ("debug", "lines, variables and sources"),
        ("reflection", "names of resources, values and types"),
    ),
    reveals=((r"bitcode\.blocks\b.*\.text$", ""),),  # bits: 6, 7 or 8 for a letter
)
