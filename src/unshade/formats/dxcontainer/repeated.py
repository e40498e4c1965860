"""Plain data of parts that repeat in many files: signatures, resource definitions, counts.

    name, padding byte, bytes       ->  plain data     to_data of a part that nobody has edited
    name, padding byte, plain data  ->  bytes          from_data

Stages share their signatures, and variants of a shader their resources: of 833 parts ISGN in the
corpus 211 differ, of 324 parts RDEF 182. The cache is bounded, and entries are stored by `marshal`,
whose version 2 distinguishes 1 from True and from 1.0.
"""

import marshal
from contextlib import suppress
from typing import Any

from ...errors import FormatError, LimitError
from ...limits import DEFAULT
from .parts.kind import PartKind, RecordKind

__all__ = ["bytes_like", "fields_like", "keep_bytes", "keep_fields"]

MOST = 1 << 12
LONGEST = 4096  # bytes of a part or of its plain data

Key = tuple[str, int, bytes]

_FIELDS: dict[Key, bytes] = {}
_BYTES: dict[Key, bytes] = {}


def fields_like(name: str, pad: int, data: bytes) -> Any:
    """Return the plain data of an equal part, or None if there was none."""
    found = _FIELDS.get((name, pad, data))
    return None if found is None else marshal.loads(found)


def keep_fields(kind: PartKind, name: str, pad: int, data: bytes, fields: Any) -> None:
    """Remember the plain data of a part."""
    if type(kind) is RecordKind and len(data) <= LONGEST:
        _keep(_FIELDS, (name, pad, data), marshal.dumps(fields))


def bytes_like(kind: PartKind, name: str, pad: int, fields: Any) -> bytes | None:
    """Return the bytes of a part with equal plain data, or None if there was none."""
    key = _key(kind, fields)
    return None if key is None else _BYTES.get((name, pad, key))


def keep_bytes(kind: PartKind, name: str, pad: int, fields: Any, value: Any, data: bytes) -> None:
    """Remember the bytes of a part with this plain data if they are read as the same value."""
    key = _key(kind, fields)
    if key is None or len(key) > LONGEST:
        return
    with suppress(FormatError, LimitError):  # plain data can describe what cannot be read
        if kind.read(name, data, DEFAULT) == value:
            _keep(_BYTES, (name, pad, key), data)


def _key(kind: PartKind, fields: Any) -> bytes | None:
    if type(kind) is RecordKind:
        with suppress(ValueError):  # it has an object of another type
            return marshal.dumps(fields, 2)
    return None


def _keep(known: dict[Key, bytes], key: Key, value: bytes) -> None:
    if len(value) <= LONGEST:
        if len(known) >= MOST:
            known.clear()
        known[key] = value
