"""Fossilize's databases (.foz), in which Steam and Proton store pipelines.

    81 "FOSSILIZEDB" 0 0 0 version                          header
    tag[24] hash[16]  stored  flags  crc  size  payload     entries; tag and hash in hexadecimal

Source: the comment on the format in fossilize_db.cpp of ValveSoftware/Fossilize. The payload of a
shader module is JSON, a zero, and the module with its words as varints.
"""

import json
import zlib
from collections.abc import Iterator
from typing import Any

from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .streams import unpacked
from .varint import words_of

HEADER, VERSIONS = 16, (5, 6)
TAG, NAME, ENTRY = 24, 40, 56  # bytes of the tag, of tag and hash, and of the header of an entry
STORED, DEFLATED = 1, 2


def fossilize(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a database up to its last whole entry."""
    if data[at + HEADER - 1 : at + HEADER] not in [bytes([each]) for each in VERSIONS]:
        return None
    found: list[tuple[str, int, int, int, int]] = []
    place = at + HEADER
    while True:
        head = bytes(data[place : place + ENTRY])
        stored, flags, crc, _ = (
            int.from_bytes(head[each : each + 4], "little") for each in (40, 44, 48, 52)
        )
        end = place + ENTRY + stored
        if len(head) < ENTRY or end > len(data) or not _is_hex(head[:NAME]):
            break
        name = f"{head[TAG - 2 : TAG].decode()}.{head[TAG:NAME].decode()}"
        found.append((name, place + ENTRY, stored, flags, crc))
        place = end
    return Opened(place - at, _modules(data, found, budget))


def _is_hex(name: bytes) -> bool:
    return all(each in b"0123456789abcdefABCDEF" for each in name)


def _modules(
    data: Any, found: list[tuple[str, int, int, int, int]], budget: UnpackBudget
) -> Iterator[ArchiveEntry]:
    for name, place, stored, flags, crc in found:
        payload = bytes(data[place : place + stored])
        if crc and zlib.crc32(payload) != crc:
            continue
        if flags == DEFLATED:
            made = unpacked(payload, 0, zlib.decompressobj(), budget, (zlib.error,))
            payload = b"" if made is None else made[0]
        elif flags != STORED:
            continue
        for module in _of_payload(payload):
            budget.take(len(module))
            yield ArchiveEntry(name, module)


def _of_payload(payload: bytes) -> Iterator[bytes]:
    """Yield the modules of an entry, if it has any."""
    text, zero, rest = payload.partition(b"\0")
    if not zero or b'"varintOffset"' not in text:
        return
    try:
        modules = json.loads(text)["shaderModules"].values()
        left = len(rest)
        for each in modules:
            start, size = int(each["varintOffset"]), int(each["varintSize"])
            left -= size
            if start < 0 or size < 0 or left < 0:  # or modules overlap
                return
            module = words_of(rest[start : start + size], int(each["codeSize"]))
            if module is not None:
                yield module
    except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
