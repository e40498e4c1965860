"""DXIL and ILDB: the header of a DXIL program; the program itself is LLVM bitcode.

    +0 u8 model (major, minor)  +1 u8 0  +2 u16 stage  +4 u32 size of all in words
    +8 DXIL  +12 u8 minor, u8 major of DXIL, u16 0  +16 u32 offset of the bitcode, from +8
    +20 u32 size of the bitcode   +24 bitcode, padded with zeros to 4 bytes

Source: DXC DxilContainer.h (DxilProgramHeader), LLVM DXContainer.h.
"""

from typing import Any

from ....errors import FormatError
from ....vocab.d3d import ShaderKind
from ....wire import Record, blob, derived, field, magic, padding, u8, u16, u32
from .kind import RecordKind

HEADER = 16  # from the magic to the bitcode


class ModelVersion:
    """A version in one byte: `6.5` for 0x65."""

    def shown(self, number: int) -> int | float | str:
        return f"{number >> 4}.{number & 15}"

    def number(self, given: object, path: str) -> int:
        major, _, minor = str(given).partition(".")
        if not (major.isdecimal() and minor.isdecimal() and int(major) < 16 and int(minor) < 16):
            raise FormatError(f"expected a version such as '6.5', got {given!r:.40}", path=path)
        return int(major) << 4 | int(minor)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^[0-9]+\.[0-9]+$"}


class DxilProgram(Record, source="DXC DxilContainer.h (DxilProgramHeader)"):
    """A DXIL program: parts DXIL and ILDB."""

    model: u8 = field("shader model; 6.15 is lib_6_x", spell=ModelVersion())
    unused: u8 = padding("rest of the version token")
    stage: u16 = field("stage", enum=ShaderKind)
    size: u32 | None = derived(
        "size in words of 4 bytes, header included", "(24 + size(gap) + size(bitcode) + 3) // 4"
    )
    magic: bytes = magic("magic number", b"DXIL")
    dxil_minor: u8 = field("minor version of DXIL")
    dxil_major: u8 = field("major version of DXIL")
    unused_2: u16 = padding("rest of the version")
    offset: u32 | None = derived("offset of the bitcode from the magic", "16 + len(gap)")
    bitcode_size: u32 | None = derived("size of the bitcode in bytes", "len(bitcode)")
    gap: bytes = blob("bytes before the bitcode", f"offset - {HEADER}", when=f"offset > {HEADER}")
    bitcode: bytes = blob("LLVM bitcode", "bitcode_size")


PART = RecordKind(DxilProgram)
