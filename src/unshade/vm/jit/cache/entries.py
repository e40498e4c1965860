"""Entries of the cache that hold values (values.py).

    name    hash of the identity: everything that determines the value, besides our own code
    data    set of modules, their digest, number and sizes of the parts
            parts, each read when it is used

The identity is a tree of plain values: numbers, strings, tuples, mappings, enumerations, and data
classes, of which every field counts. A new field of an option is therefore part of the identity
without further work.
"""

import hashlib
import struct
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from . import disk, module_digests
from .values import Codec

HEAD = struct.Struct("<64s64sI")  # set of modules, digest, number of parts

PLATFORM = (
    module_digests.LAYOUT, sys.implementation.name, sys.hexversion, sys.platform, np.__version__,
    module_digests.ROOT,
)  # fmt: skip


class NoIdentityError(Exception):
    """An object whose identity is unknown, so that dependent results are not stored."""


def name_of(*identity: object) -> str:
    """Return the name of the entry with this identity.

    Raises:
        NoIdentityError: The identity contains an object of an unknown kind.
    """
    return hashlib.sha256(START + b"".join(_encoded(identity))).hexdigest()


def _encoded(value: Any) -> Iterator[bytes]:
    """Yield bytes that differ for different values."""
    kind = type(value)
    if value is None or kind is bool or kind is int:
        yield b"%r;" % value
    elif kind is str or kind is bytes:
        data = value.encode("utf-8", "surrogatepass") if kind is str else value
        yield b"%s%d:" % (b"s" if kind is str else b"b", len(data))
        yield data
    elif kind is tuple or kind is list:
        yield b"%s%d(" % (kind.__name__.encode(), len(value))
        for each in value:
            yield from _encoded(each)
    elif kind is float:
        yield b"f" + struct.pack("<d", value)
    elif isinstance(value, Enum):
        yield b"e"
        yield from _encoded((kind.__qualname__, value.value))
    elif isinstance(value, tuple | list | frozenset):
        parts = [b"".join(_encoded(each)) for each in value]
        yield f"{kind.__qualname__}{len(parts)}(".encode()
        yield from sorted(parts) if kind is frozenset else parts
    elif kind is MappingProxyType or isinstance(value, Mapping):
        yield f"map{len(value)}(".encode()
        for each in value.items():
            yield from _encoded(each)
    elif is_dataclass(kind):
        yield f"{kind.__qualname__}(".encode()
        for field in fields(kind):
            yield from _encoded((field.name, getattr(value, field.name)))
    else:
        raise NoIdentityError(f"{kind.__module__}.{kind.__qualname__}")


START = b"".join(_encoded(PLATFORM))


# ---------------------------------------------------------------- values


def read(name: str) -> tuple[bytes, ...] | None:
    """Return the parts of an entry; None unless this code made it."""
    data = disk.read(name, disk.ENTRY)
    if data is None:
        return None
    try:
        modules, digest, count = HEAD.unpack_from(data)
        sizes = struct.unpack_from(f"<{count}I", data, HEAD.size)
        names = modules.decode("ascii"), digest.decode("ascii")
    except (struct.error, ValueError):
        return None
    if names[1] != module_digests.HERE.digest_of_set(names[0]):
        return None
    ends = [*accumulate(sizes, initial=HEAD.size + 4 * count)]
    return tuple(data[start:end] for start, end in pairwise(ends))


def write(name: str, codec: Codec, *parts: tuple[object, ...]) -> None:
    """Store an entry, unless this process may run code that differs from the code on disk.

    An entry with objects of classes that are unknown to the codec is not stored.
    """
    names = module_digests.HERE.loaded()
    digest = module_digests.HERE.digest(names) if names else ""
    if not digest:
        return
    try:
        packed = [codec.packed(*each) for each in parts]
    except TypeError:
        return
    modules = module_digests.HERE.store_set(names)
    head = HEAD.pack(modules.encode(), digest.encode(), len(packed))
    sizes = struct.pack(f"<{len(packed)}I", *map(len, packed))
    disk.write(name, head + sizes + b"".join(packed), disk.ENTRY)
