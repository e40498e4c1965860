"""Fields of parts that follow from other parts, and are left out of plain data if they do.

    HASH.digest     MD5 of the bitcode of DXIL, or of ILDB if the flags say that it has the source

So bitcode that is edited, as YAML or as objects, gets its hash, and a hash of anything else is
kept. Source: files of dxc; those with the hash of a source text state it.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from ...errors import LimitError
from ...limits import Limits
from .container import structure
from .part import PART_HEADER, DxPart, PartList
from .parts.dxil import is_dxil
from .parts.hash import SIZE, DxilShaderHash

__all__ = ["fill_derived", "follow_hash", "hash_as_read", "omit_derived"]

INCLUDES_SOURCE = 1
FLAGS_SIZE = 4
HASH_SIZE = FLAGS_SIZE + SIZE
NAME, FIELD = "HASH", "digest"

Hashed = tuple[bytes, bytes]  # the bytes of HASH, and of the program it is about


def omit_derived(data: dict[str, Any], parts: Iterable[DxPart]) -> None:
    """Remove the fields of plain data that have the derived value."""
    listed = list(parts)
    for part, plain in zip(listed, data["parts"], strict=True):
        if part.name != NAME or not isinstance(part.value, DxilShaderHash) or "fields" not in plain:
            continue
        if part.value.digest == hash_of(listed, part.value.flags):
            del plain["fields"][FIELD]


def fill_derived(data: dict[str, Any], parts: Iterable[DxPart]) -> None:
    """Set the fields that plain data leaves out."""
    listed = list(parts)
    for part, plain in zip(listed, data["parts"], strict=True):
        fields = plain.get("fields")
        if part.name == NAME and isinstance(fields, dict) and FIELD not in fields:
            found = hash_of(listed, part.value.flags)
            if found is not None:
                part.value.digest = found


def hash_as_read(source: bytes, limits: Limits) -> Hashed | None:
    """Return HASH and its program in the bytes of a container; None if one is missing."""
    found: dict[str, bytes] = {}
    for place in structure(source, limits)[1]:
        name, start = source[place.offset : place.offset + 4], place.offset + PART_HEADER
        found.setdefault(name.decode("latin-1"), source[start : place.end])
    program = _program_of(found.get(NAME, b""))
    return (found[NAME], found[program]) if {NAME, program} <= found.keys() else None


def follow_hash(parts: PartList, contents: list[bytes], before: Hashed | None) -> Hashed | None:
    """Update HASH if it is that of a program that was edited since.

    Args:
        parts: The parts; HASH is one of them.
        contents: Their bytes now; those of HASH are replaced.
        before: The bytes of HASH and of its program when they were last known.

    Returns:
        Both now; None if HASH stays.
    """
    at = parts.index(NAME)
    data = contents[at]
    program = _program_of(data)
    if before is None or data != before[0] or len(data) != HASH_SIZE or parts.get(program) is None:
        return None
    new = contents[parts.index(program)]
    if new == before[1] or data[FLAGS_SIZE:] != _hash(DxPart(program, before[1]).value):
        return None
    found = _hash(DxPart(program, new).value)
    if found is None:
        return None
    parts[at].value.digest = found
    contents[at] = data[:FLAGS_SIZE] + found
    return contents[at], new


def _program_of(data: bytes) -> str:
    """Return the name of the program that a HASH with these bytes is about."""
    return _hashed_program(int.from_bytes(data[:FLAGS_SIZE], "little"))


def _hashed_program(flags: int) -> str:
    return "ILDB" if flags & INCLUDES_SOURCE else "DXIL"


def hash_of(parts: Iterable[DxPart], flags: int) -> bytes | None:
    """Return the hash of the program that HASH with these flags is about, or None."""
    name = _hashed_program(flags)
    values = (part.value for part in parts if part.name == name)
    return next((_hash(each) for each in values if is_dxil(each)), None)


def _hash(program: object) -> bytes | None:
    """Return the hash of a program; None of anything else, and of what exceeds a limit."""
    if not is_dxil(program):
        return None
    try:
        return hashlib.md5(program.bitcode_bytes(), usedforsecurity=False).digest()
    except LimitError:
        return None
