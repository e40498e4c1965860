"""The digest of a DirectX container: MD5 with a modified final block.

The digest covers the n bytes from offset 20 (version, size, part table, parts) to the end. Whole
64-byte blocks are compressed as in RFC 1321. Where MD5 appends 0x80, zeros and the 64-bit length,
two words enclose the last r = n mod 64 bytes:

    r < 56    | A | tail, r bytes | 80 | 00 ... | B |                        one block
    r >= 56   | tail, r bytes | 80 | 00 ... |   | A | 00 x 56 | B |          two blocks

    retail    A = 8n              B = 2n | 1                 the digest of compilers
    debug     A = 16n | 0xF       B = 4n | 0x10000000        "only works with the debug layer"

A and B are 32-bit little-endian words; the digest is the final state. Three values are marks rather
than digests: all zero (not signed), and sixteen 01 or sixteen 02, which tell Direct3D 12 to skip
the comparison (hlsl-specs INF-0004; DxilContainer.h).

Sources: the compiler's own lib/DxilHash/DxilHash.cpp in DirectXShaderCompiler (ComputeHashRetail
and ComputeHashDebug, public since 2024), and every digest of the corpus: 1,124 containers have one.

No library's MD5 accepts another final block or exposes its state, so computing a digest takes the
compression in Python. Comparing one does not: MD5 of the message "whole blocks, final block" is
C(S, P), where C is the compression, S the digest, and P the block that pads a message of this
length. The library computes it, and for the digest in the file one compression of P does. Digests
that differ could agree here: Den Boer and Bosselaers (EUROCRYPT 1993) found states that differ in
the highest bit of each word with the same C; for a random state this has a probability of 2^-48.

The same MD5 identifies a digest that was computed or found valid before: a file that is converted
to plain data and back, written twice, or whose edits are undone, is written without computing it.

For many blocks the compression is generated once from the tables below, as 64 unrolled steps on
local variables; compiling that takes as long as a hundred blocks step by step. test_digest.py
contains the plain loop that both must agree with.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from typing import Any

OFFSET = 4  # of the digest in the container
SIZE = 16
COVERED_FROM = 20  # the first byte that the digest covers

FEW_BLOCKS = 100  # so many are compressed step by step
KEPT = 1 << 12  # valid digests that are remembered
_VALID: dict[bytes, bytes] = {}  # by the MD5 of the blocks

State = tuple[int, int, int, int]
Words = tuple[int, ...]


class DigestKind(Enum):
    """Kind of the digest of a container."""

    RETAIL = "retail"
    DEBUG = "debug"
    NONE = "none"  # all zero: written by a compiler that does not sign
    BYPASS = "bypass"
    PREVIEW_BYPASS = "preview bypass"
    UNKNOWN = "unknown"  # none of these: the bytes were changed after they were signed


MARKS: dict[DigestKind, bytes] = {
    DigestKind.NONE: bytes(SIZE),
    DigestKind.BYPASS: b"\x01" * SIZE,
    DigestKind.PREVIEW_BYPASS: b"\x02" * SIZE,
}


def digest(covered: bytes | bytearray | memoryview, kind: DigestKind = DigestKind.RETAIL) -> bytes:
    """Return the 16-byte digest of `covered`, the container's bytes from COVERED_FROM on."""
    if kind in MARKS:
        return MARKS[kind]
    view = memoryview(covered)
    hashed = _hashed(view, _last_blocks(view, kind))
    found = _VALID.get(hashed)
    if found is None:
        found = compute(view, kind)
        _keep(hashed, found)
    return found


def compute(covered: memoryview, kind: DigestKind) -> bytes:
    """Compute the digest, without the shortcuts of `digest`."""
    whole = len(covered) - len(covered) % 64
    compress = _compressor() if whole > FEW_BLOCKS * 64 else _step_by_step
    state = compress(_INITIAL, struct.iter_unpack("<16I", covered[:whole]))
    last = struct.iter_unpack("<16I", _last_blocks(covered, kind))
    return struct.pack("<4I", *compress(state, last))


def identify(stored: bytes, covered: bytes | bytearray | memoryview) -> DigestKind:
    """Return the kind of the digest `stored`; `covered` are the bytes from COVERED_FROM on."""
    for kind, mark in MARKS.items():
        if stored == mark:
            return kind
    view = memoryview(covered)
    for kind in (DigestKind.RETAIL, DigestKind.DEBUG):
        last = _last_blocks(view, kind)
        hashed = _hashed(view, last)
        if hashed == _padded(stored, len(view) - len(view) % 64 + len(last)):
            _keep(hashed, stored)
            return kind
    return DigestKind.UNKNOWN


def _keep(hashed: bytes, valid: bytes) -> None:
    if len(_VALID) >= KEPT:
        _VALID.clear()
    _VALID[hashed] = valid


def _hashed(covered: memoryview, last: bytes) -> bytes:
    """Return the MD5 of the whole blocks and the padded last blocks."""
    found = md5()(covered[: len(covered) - len(covered) % 64], usedforsecurity=False)
    found.update(last)
    return bytes(found.digest())


def _last_blocks(covered: memoryview, kind: DigestKind) -> bytes:
    n = len(covered)
    match kind:
        case DigestKind.RETAIL:
            a, b = 8 * n, 2 * n | 1
        case DigestKind.DEBUG:
            a, b = 16 * n | 0xF, 4 * n | 0x10000000
        case _:
            raise ValueError(f"{kind} cannot be computed")
    before, after = struct.pack("<I", a & _32), struct.pack("<I", b & _32)
    tail = bytes(covered[n - n % 64 :]) + b"\x80"
    if n % 64 < 56:
        return (before + tail).ljust(60, b"\0") + after
    return tail.ljust(64, b"\0") + before + bytes(56) + after


def _padded(digest: bytes, size: int) -> bytes:
    """Return the MD5 of a message of `size` bytes, in whole blocks, from the state `digest`."""
    words = (0x80, *(13 * (0,)), 8 * size & _32, 8 * size >> 32)
    state: State = struct.unpack("<4I", digest)
    return struct.pack("<4I", *_step_by_step(state, (words,)))


def md5() -> Any:
    """Return the constructor of MD5; hashlib first loads OpenSSL, which takes longer than hashing.

    hashlib itself takes Python's own MD5 where OpenSSL has none.
    """
    try:
        from _md5 import md5  # type: ignore[import-not-found]
    except ImportError:  # a Python that was built without it
        from hashlib import md5
    return md5


# The compression of RFC 1321: four rounds of sixteen steps, each
#     a = b + rotate(a + f(b, c, d) + X[word] + K[step], shift)
# after which the names move on: (a, b, c, d) = (d, a, b, c).
_32 = 0xFFFFFFFF
_INITIAL: State = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
_K = [int(abs(math.sin(step + 1)) * 2**32) for step in range(64)]
# fmt: off
_ROUNDS = (
    # f of the round            X[(factor * step + first) % 16]  shifts in turn
    ("{d} ^ ({b} & ({c} ^ {d}))",      1, 0,                     (7, 12, 17, 22)),
    ("{c} ^ ({d} & ({b} ^ {c}))",      5, 1,                     (5,  9, 14, 20)),
    ("{b} ^ {c} ^ {d}",                3, 5,                     (4, 11, 16, 23)),
    ("{c} ^ ({b} | ({d} ^ {ones}))",   7, 0,                     (6, 10, 15, 21)),
)
# fmt: on


def _step_by_step(state: State, blocks: Iterable[Words]) -> State:
    """Compress consecutive blocks one step after the other."""
    rounds = _functions()
    for words in blocks:
        a, b, c, d = state
        for step, k in enumerate(_K):
            f, factor, first, shifts = rounds[step // 16]
            t = (a + f(b, c, d) + words[(factor * step + first) % 16] + k) & _32
            shift = shifts[step % 4]
            a, b, c, d = d, (b + (t << shift | t >> 32 - shift)) & _32, b, c
        a0, b0, c0, d0 = state
        state = (a0 + a & _32, b0 + b & _32, c0 + c & _32, d0 + d & _32)
    return state


@cache
def _functions() -> list[tuple[Callable[[int, int, int], int], int, int, tuple[int, ...]]]:
    """Return the table of rounds with f as a function."""
    made = []
    for f, *others in _ROUNDS:
        formula = f.format(b="b", c="c", d="d", ones=_32)
        made.append((eval(f"lambda b, c, d: {formula}"), *others))
    return made


@cache
def _compressor() -> Callable[[State, Iterable[Words]], State]:
    """Return a function that compresses consecutive blocks, generated from the tables above.

    Two tricks make it fast. `t * 0x100000001` is two copies of t side by side, so a rotation is one
    shift. And only t is truncated to 32 bits: higher bits of the state do not affect the lower
    ones, and in 64 steps they hardly exceed two digits of a Python integer.
    """
    names = ", ".join(f"x{word}" for word in range(16))
    lines = [
        "def compress(state, blocks):",
        "    a, b, c, d = state",
        f"    for {names} in blocks:",
        "        a0, b0, c0, d0 = a, b, c, d",
    ]
    a, b, c, d = "abcd"
    for step in range(64):
        f, factor, first, shifts = _ROUNDS[step // 16]
        mixed = f.format(b=b, c=c, d=d, ones=_32)
        word = (factor * step + first) % 16
        t = f"({a} + ({mixed}) + x{word} + {_K[step]}) & {_32}"
        lines.append(f"        {a} = {b} + ((({t}) * {2**32 + 1}) >> {32 - shifts[step % 4]})")
        a, b, c, d = d, a, b, c
    lines += [f"        {name} = ({name} + {name}0) & {_32}" for name in "abcd"]
    lines += ["    return a, b, c, d"]
    namespace: dict[str, Callable[[State, Iterable[Words]], State]] = {}
    exec("\n".join(lines), namespace)
    return namespace["compress"]
