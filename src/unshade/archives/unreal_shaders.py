"""Libraries of shaders of Unreal Engine (.ushaderbytecode), versions 1 and 2.

    version u32
    1: count, and for each shader        SHA-1  offset u64  packed u32  size u32  stage u8
    2: count, and for each of six        SHA-1 of shader maps  SHA-1 of shaders  shader maps
                                         shaders: offset, packed, size, stage as in 1
                                         ranges to load early  numbers of shaders of the maps
    code of the shaders; offsets count from its start

The code of a shader is packed by LZ4, or by zlib in older versions, unless it takes as many bytes
plain. It has tables of Unreal around the shader. Code that is packed by Oodle is named and not
read; neither are the libraries of containers (.utoc, .ucas), which have no code themselves.

Source: facts from FShaderCodeArchive and FSerializedShaderArchive of Unreal Engine, as CUE4Parse
reads them.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Any

from ..errors import UnsupportedError
from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .lz4 import block_contents
from .streams import unpacked

OLD, NEW = 1, 2  # versions
DIGEST = 20
SHADER = struct.Struct("<QIIB")
NAMED_SHADER = struct.Struct(f"<{DIGEST}sQIIB")
MAP, RANGE, NUMBER = 16, 16, 4  # bytes of the other rows
ZLIB = b"\x78"


class LibraryShader(NamedTuple):
    """A shader in a library: its hash, and the place of its code, from the start of all code."""

    name: str
    start: int
    packed: int
    size: int


def unreal_shaders(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a library that is all of the data."""
    version = int.from_bytes(data[at : at + 4], "little")
    if version not in (OLD, NEW):
        return None
    place = _old_rows(data, at + 4) if version == OLD else _new_rows(data, at + 4)
    if place is None:
        return None
    shaders, hashes, code = place
    row = NAMED_SHADER if version == OLD else SHADER
    rows = row.iter_unpack(memoryview(data)[shaders : shaders + hashes[1] * row.size])
    end = 0
    for *_, start, packed, size, _stage in rows:
        if packed > size or start + packed > len(data) - code:
            return None
        end = max(end, start + packed)
    if end != len(data) - code:
        return None
    return Opened(len(data) - at, _entries(data, version, place, budget))


Rows = tuple[int, tuple[int, int], int]  # place of the shaders, place and number of hashes, code


def _old_rows(data: Any, at: int) -> Rows | None:
    count = int.from_bytes(data[at : at + 4], "little")
    code = at + 4 + count * NAMED_SHADER.size
    return (at + 4, (at + 4, count), code) if count > 0 and code <= len(data) else None


def _new_rows(data: Any, at: int) -> Rows | None:
    places = []
    for size in (DIGEST, DIGEST, MAP, SHADER.size, RANGE, NUMBER):
        count = int.from_bytes(data[at : at + 4], "little")
        places.append((at + 4, count))
        at += 4 + count * size
        if at > len(data):
            return None
    maps, hashes, of_maps, shaders = places[:4]
    if maps[1] != of_maps[1] or hashes[1] != shaders[1] or not shaders[1]:
        return None
    return shaders[0], hashes, at


def _shaders(data: Any, version: int, rows: Rows) -> Iterator[LibraryShader]:
    place, (hashes, count), _ = rows
    row = NAMED_SHADER if version == OLD else SHADER
    for number in range(count):
        *_, start, packed, size, _stage = row.unpack_from(data, place + number * row.size)
        digest = hashes + number * (row.size if version == OLD else DIGEST)
        yield LibraryShader(bytes(data[digest : digest + DIGEST]).hex(), start, packed, size)


def _entries(data: Any, version: int, rows: Rows, budget: UnpackBudget) -> Iterator[ArchiveEntry]:
    unread = False
    for each in _shaders(data, version, rows):
        start = rows[2] + each.start
        packed = bytes(data[start : start + each.packed])
        if each.packed == each.size:
            budget.take(each.size)
            yield ArchiveEntry(each.name, packed)
            continue
        contents = block_contents(packed, each.size, budget, "a library of shaders of Unreal")
        if contents is None and packed.startswith(ZLIB):
            found = unpacked(packed, 0, zlib.decompressobj(), budget, (zlib.error,))
            contents = None if found is None or len(found[0]) != each.size else found[0]
        if contents is None:
            unread = True
        else:
            yield ArchiveEntry(each.name, contents)
    if unread:
        raise UnsupportedError(
            "shaders in a library of Unreal that are packed neither by LZ4 nor by zlib, as by"
            " Oodle, are not read"
        )
