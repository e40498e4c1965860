"""Caches of vkd3d-proton: SPIR-V that it made of DirectX shaders, with its words as varints.

    "VKS" version, header of 48 bytes   hash u64, checksum u64, size u32, type u32, data     entries
    "VKL" version, header of 56 bytes   offset u64, size of the name u32, size u32           a table

Source: libs/vkd3d/cache.c of HansKristian-Work/vkd3d-proton. An entry with SPIR-V has a checksum,
the size of the module, the size of the varints, and these.
"""

from collections.abc import Iterator
from typing import Any

from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .varint import words_of

STREAM_HEADER, STREAM_ENTRY, SPIRV, TYPES = 48, 24, 0, 3
LIBRARY_HEADER, LIBRARY_ENTRY = 56, 16
BLOB, CHECKSUM = 8, 4  # bytes of the sizes before the varints, and of the checksum before them


def _number(data: Any, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def stream(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read the cache that vkd3d-proton keeps by itself, up to the last whole entry."""
    found: list[tuple[str, int, int]] = []
    place = at + STREAM_HEADER
    headers = 0
    while True:
        aligned = place + -(place - at) % 8
        start = next((each for each in (place, aligned) if _is_entry(data, each)), None)
        if start is None:
            break
        headers += 1
        size = _number(data, start + 16, 4)
        if _number(data, start + 20, 4) == SPIRV:
            name = f"{_number(data, start, 8):016x}"
            found.append((name, start + STREAM_ENTRY, size))
        place = start + STREAM_ENTRY + size
    if found:
        return Opened(place - at, _modules(data, found, budget))
    budget.waste(0, headers)
    return None


def _is_entry(data: Any, at: int) -> bool:
    size, kind = _number(data, at + 16, 4), _number(data, at + 20, 4)
    end = at + STREAM_ENTRY + size
    return at + STREAM_ENTRY <= len(data) and end <= len(data) and kind < TYPES and size > 0


def library(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read the library that a program stores its pipelines in."""
    counts = [_number(data, at + each, 4) for each in (12, 16, 20)]
    table = at + LIBRARY_HEADER
    raw = table + LIBRARY_ENTRY * sum(counts)
    if raw > len(data):
        return None
    found: list[tuple[str, int, int]] = []
    end = raw
    for number in range(sum(counts)):
        row = table + LIBRARY_ENTRY * number
        start, size = raw + _number(data, row, 8), _number(data, row + 12, 4)
        if start + size > len(data):
            budget.waste(0, number)
            return None
        if number < counts[0]:
            found.append((f"{number}", start, size))
        end = max(end, start + size)
    if found:
        return Opened(end - at, _modules(data, found, budget))
    budget.waste(0, sum(counts))
    return None


def _modules(
    data: Any, found: list[tuple[str, int, int]], budget: UnpackBudget
) -> Iterator[ArchiveEntry]:
    left = len(data)
    for name, start, size in found:
        left -= size
        if left < 0:  # entries overlap
            return
        for at in (start + CHECKSUM, start):
            whole, packed = _number(data, at, 4), _number(data, at + 4, 4)
            if at + BLOB + packed <= start + size:
                module = words_of(bytes(data[at + BLOB : at + BLOB + packed]), whole)
                if module:
                    budget.take(len(module))
                    yield ArchiveEntry(name, module)
                    break
