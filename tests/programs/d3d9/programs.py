"""Programs of Direct3D 9, assembled by hand from the documentation of the tokens."""

from __future__ import annotations

import struct

from unshade.isa.source import ErrorList, Source
from unshade.programs.d3d9.assembler import assemble
from unshade.programs.d3d9.code import Code

# version, def c0, dcl t0.xy, dcl_2d s0, texld r0, mul r0, mov oC0, end
PIXEL_2_0 = (
    0xFFFF0200,
    0x05000051, 0xA00F0000, 0x3F000000, 0x3F800000, 0x00000000, 0x3DCCCCCD,
    0x0200001F, 0x80000000, 0xB0030000,
    0x0200001F, 0x90000000, 0xA00F0800,
    0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800,
    0x03000005, 0x800F0000, 0x80E40000, 0xA0000000,
    0x02000001, 0x800F0800, 0x80E40000,
    0x0000FFFF,
)  # fmt: skip
PIXEL_2_0_TEXT = """\
    ps_2_0
    def c0, 0.5, 1, 0, 0.100000001
    dcl t0.xy
    dcl_2d s0
    texld r0, t0, s0
    mul r0, r0, c0.x
    mov oC0, r0
"""


def packed(*words: int) -> bytes:
    """Return the bytes of tokens."""
    return struct.pack(f"<{len(words)}I", *words)


def assembled(text: str) -> Code:
    """Return the program of a text."""
    errors = ErrorList()
    found = assemble(Source(text), errors)
    errors.check()
    return found
