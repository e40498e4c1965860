"""Fields of parts that follow from other parts, and are left out of plain data if they do.

    HASH.digest     MD5 of the bitcode of DXIL, or of ILDB if the flags say that it has the source

So bitcode that is edited as YAML gets its hash, and a hash of anything else is kept. Source: files
of dxc; those with the hash of a source text state it.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from ...errors import LimitError
from .part import DxPart
from .parts.dxil import is_dxil
from .parts.hash import DxilShaderHash

__all__ = ["fill_derived", "omit_derived"]

INCLUDES_SOURCE = 1
NAME, FIELD = "HASH", "digest"


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


def hash_of(parts: Iterable[DxPart], flags: int) -> bytes | None:
    """Return the hash of the program that HASH with these flags is about, or None."""
    name = "ILDB" if flags & INCLUDES_SOURCE else "DXIL"
    for part in parts:
        if part.name == name and is_dxil(part.value):
            try:
                return hashlib.md5(part.value.bitcode_bytes(), usedforsecurity=False).digest()
            except LimitError:
                return None
    return None
