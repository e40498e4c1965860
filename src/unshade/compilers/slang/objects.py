"""Methods of COM objects of the Slang library, by their slot in the table of methods."""

import ctypes
from ctypes import POINTER, c_size_t, c_uint32, c_void_p

RELEASE, POINTER_OF, SIZE_OF = 2, 3, 4  # slots of ISlangBlob


def called(thing: c_void_p, slot: int, result: type | None) -> object:
    """Call a method without arguments."""
    table = ctypes.cast(thing, POINTER(POINTER(c_void_p))).contents
    return ctypes.CFUNCTYPE(result, c_void_p)(table[slot] or 0)(thing)


def taken(blob: c_void_p) -> bytes:
    """Return the bytes of a blob, and release it."""
    start, size = called(blob, POINTER_OF, c_void_p), called(blob, SIZE_OF, c_size_t)
    assert isinstance(size, int)
    found = ctypes.string_at(start, size) if isinstance(start, int) else b""
    called(blob, RELEASE, c_uint32)
    return found
