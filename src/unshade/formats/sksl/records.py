"""The header of an SkSL binary file.

    u16 version   u16 size of the pool   string pool   commands to the end

Everything is little-endian and unaligned. The format has no magic number, checksum or trailer.
"""

from ...wire import Record, blob, derived, field, u16

__all__ = ["SkslFile"]

SOURCE = "SkSLRehydrator.cpp of Skia's milestone 104, checked against files that its tools wrote"


class SkslFile(Record, source=SOURCE):
    """The whole file."""

    version: u16 = field("version of the format: 11 in milestone 104")
    pool_size: u16 | None = derived("bytes of the string pool", "len(pool)")
    pool: bytes = blob(
        "strings, each a byte with its size and its bytes", "pool_size", opaque=False
    )
    commands: bytes = blob(
        "a program or module: one command, in which all others are", opaque=False
    )
