"""HASH: the compiler's MD5 of the program, or of its source. 20 bytes.

Source: DXC DxilContainer.h (DxilShaderHash).
"""

from ....wire import Record, blob, field, u32
from .kind import RecordKind


class DxilShaderHash(Record, source="DXC DxilContainer.h (DxilShaderHash)"):
    """The HASH part."""

    flags: u32 = field("1: the hash includes the source")
    digest: bytes = blob("MD5", 16, default=bytes(16), opaque=False)


PART = RecordKind(DxilShaderHash)
