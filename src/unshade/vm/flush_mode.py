"""The processor's mode of flushing subnormal floats to zero, which Direct3D requires.

The mode is a bit of each thread's floating-point environment: FTZ and DAZ (bits 15 and 6 of MXCSR)
on x86-64, FZ (bit 24 of FPCR) on AArch64. C99's fegetenv and fesetenv read and write it; the offset
of the register in fenv_t is part of the platform's ABI:

    x86-64 glibc, musl, macOS   MXCSR at byte 28 of fenv_t          (macOS: at 4)
    AArch64 glibc, musl         FPCR at byte 0 of fenv_t            (macOS: FPCR at byte 8, 64 bits)
    Windows                     _controlfp_s(_DN_FLUSH, _MCW_DN)
"""

import ctypes
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

SIZE = 256  # bytes, more than any fenv_t
# (machine, system): offset of the register in fenv_t, its flush bits
PLACES: dict[tuple[str, str], tuple[int, int]] = {
    ("x86_64", "linux"): (28, 0x8040),
    ("x86_64", "darwin"): (4, 0x8040),
    ("aarch64", "linux"): (0, 1 << 24),
    ("arm64", "darwin"): (8, 1 << 24),
}
DN_FLUSH, DN_SAVE, MCW_DN = 0x0100_0000, 0, 0x0300_0000


@contextmanager
def flushing(on: bool) -> Iterator[None]:
    """Set the mode of this thread in the block, and restore it afterwards."""
    before = set_flushing(on)
    try:
        yield
    finally:
        if before is not None and before != on:
            set_flushing(before)


def set_flushing(on: bool) -> bool | None:
    """Set this thread's mode; return the previous one, or None if it is unknown on this machine."""
    if sys.platform == "win32":
        return _set_windows(on)
    place, library = _place(), _library()
    if place is None or library is None:
        return None
    offset, bits = place
    environment = (ctypes.c_uint32 * (SIZE // 4))()
    library.fegetenv(ctypes.byref(environment))
    word = environment[offset // 4]
    wanted = word | bits if on else word & ~bits
    if wanted != word:
        environment[offset // 4] = wanted
        library.fesetenv(ctypes.byref(environment))
    return word & bits == bits


@cache
def _place() -> tuple[int, int] | None:
    """Return the offset of the register and its bits, if they are known."""
    return PLACES.get((platform.machine(), sys.platform))


@cache
def _library() -> Any:
    return _with_functions(None) or _with_functions(_name())


def _name() -> str | None:
    """Return the name of the library of mathematical functions; finding it starts a program."""
    from ctypes.util import find_library

    return find_library("m")


def _with_functions(name: str | None) -> Any:
    """Return a library if it contains the functions; None is the loaded process."""
    try:
        library = ctypes.CDLL(name)
        library.fegetenv, library.fesetenv  # noqa: B018
    except (OSError, AttributeError):
        return None
    return library


def _set_windows(on: bool) -> bool | None:
    try:
        control = ctypes.CDLL("ucrtbase")._controlfp_s
    except (OSError, AttributeError):
        return None
    now = ctypes.c_uint(0)
    control(ctypes.byref(now), 0, 0)
    was = bool(now.value & MCW_DN)
    if was != on:
        control(ctypes.byref(now), DN_FLUSH if on else DN_SAVE, MCW_DN)
    return was
