"""The digest compared with a slow implementation, with hashlib, and with real files."""

from __future__ import annotations

import hashlib
import math
import struct
import sys
from pathlib import Path

import pytest

from tests.examples import each_container
from tests.fixtures import blog_vs_4_0
from unshade.formats.dxcontainer import digest as module
from unshade.formats.dxcontainer.digest import (
    COVERED_FROM,
    FEW_BLOCKS,
    MARKS,
    OFFSET,
    SIZE,
    DigestKind,
    _compressor,
    _step_by_step,
    compute,
    digest,
    identify,
)

SIGNED = (DigestKind.RETAIL, DigestKind.DEBUG)
INITIAL = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)


def slow_md5_blocks(message: bytes) -> bytes:
    """RFC 1321 step by step, without its padding."""
    shifts = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
    state = INITIAL
    for start in range(0, len(message), 64):
        words = struct.unpack_from("<16I", message, start)
        a, b, c, d = state
        for i in range(64):
            f, g = (
                ((b & c) | (~b & d), i),
                ((d & b) | (~d & c), 5 * i + 1),
                (b ^ c ^ d, 3 * i + 5),
                (c ^ (b | ~d), 7 * i),
            )[i // 16]
            total = (a + f + words[g % 16] + int(abs(math.sin(i + 1)) * 2**32)) % 2**32
            shift = shifts[i // 16][i % 4]
            turned = (total << shift | total >> (32 - shift)) % 2**32
            a, b, c, d = d, (b + turned) % 2**32, b, c
        old_and_new = zip(state, (a, b, c, d), strict=True)
        a, b, c, d = ((old + new) % 2**32 for old, new in old_and_new)
        state = (a, b, c, d)
    return struct.pack("<4I", *state)


def slow_digest(covered: bytes, kind: DigestKind) -> bytes:
    n, r = len(covered), len(covered) % 64
    if kind is DigestKind.RETAIL:
        a, b = n * 8, n * 2 + 1
    else:
        a, b = n * 16 + 15, n * 4 | 1 << 28
    head, tail = covered[: n - r], covered[n - r :] + b"\x80"
    first, last = struct.pack("<I", a), struct.pack("<I", b)
    if r < 56:
        return slow_md5_blocks(head + first + tail + bytes(64 - 8 - len(tail)) + last)
    return slow_md5_blocks(head + tail + bytes(64 - len(tail)) + first + bytes(56) + last)


def test_the_compression_is_md5() -> None:
    message = bytes(range(251)) * 20
    padded = (
        message + b"\x80" + bytes(-(len(message) + 9) % 64) + struct.pack("<Q", 8 * len(message))
    )
    assert len(padded) > 64
    for compress in (_compressor(), _step_by_step):
        state = compress(INITIAL, struct.iter_unpack("<16I", padded))
        assert struct.pack("<4I", *state) == hashlib.md5(message).digest()


def test_md5_is_that_of_hashlib() -> None:
    for made in (module.md5(), hashlib.md5):
        assert made(b"abc", usedforsecurity=False).hexdigest() == "900150983cd24fb0d6963f7d28e17f72"


def test_md5_of_a_python_without_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_md5", None)
    assert module.md5() is hashlib.md5


@pytest.mark.parametrize("blocks", [FEW_BLOCKS, FEW_BLOCKS + 1])
@pytest.mark.parametrize("kind", SIGNED)
def test_few_and_many_blocks(kind: DigestKind, blocks: int) -> None:
    data = bytes(i * 11 + 5 & 0xFF for i in range(64 * blocks + 7))
    assert compute(memoryview(data), kind) == slow_digest(data, kind)


@pytest.mark.parametrize("kind", SIGNED)
def test_every_length_of_tail(kind: DigestKind) -> None:
    data = bytes(i * 7 + 3 & 0xFF for i in range(200))
    for n in (*range(68), *range(119, 129), *range(183, 194)):  # around each end of a block
        assert digest(data[:n], kind) == slow_digest(data[:n], kind), n


def test_extreme_words() -> None:
    # All ones makes every sum carry as far as it can.
    for data in (b"\xff" * 640, bytes(640), b"\x00\x00\x00\x80" * 160):
        assert digest(data) == slow_digest(data, DigestKind.RETAIL)


def test_digest_takes_any_buffer() -> None:
    data = bytes(100)
    assert digest(bytearray(data)) == digest(memoryview(data)) == digest(data)


def test_the_blog_file_carries_the_published_checksum() -> None:
    data = blog_vs_4_0.build()
    assert struct.unpack_from("<4I", data, OFFSET) == blog_vs_4_0.CHECKSUM


@each_container
def test_examples_are_signed(path: Path) -> None:
    data = path.read_bytes()
    stored = data[OFFSET : OFFSET + SIZE]
    assert compute(memoryview(data)[COVERED_FROM:], DigestKind.RETAIL) == stored
    assert identify(stored, data[COVERED_FROM:]) is DigestKind.RETAIL


@pytest.mark.parametrize("kind", [kind for kind in DigestKind if kind is not DigestKind.UNKNOWN])
def test_identify_returns_what_digest_was_asked_for(kind: DigestKind) -> None:
    data = b"covered" * 40
    assert identify(digest(data, kind), data) is kind


@pytest.mark.parametrize("kind", SIGNED)
def test_a_digest_that_was_found_valid_is_not_computed_again(
    kind: DigestKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = kind.value.encode() * 40
    stored = digest(data, kind)
    assert identify(stored, data) is kind
    monkeypatch.setattr(module, "compute", lambda *_: bytes(SIZE))
    assert digest(data, kind) == stored
    other = next(each for each in SIGNED if each is not kind)
    for changed, one in ((data + b"!", kind), (b"V" + data[1:], kind), (data, other)):
        assert digest(changed, one) == bytes(SIZE)


def test_a_changed_byte_is_noticed() -> None:
    data = bytearray(b"covered" * 40)
    stored = digest(data)
    data[123] ^= 1
    assert identify(stored, data) is DigestKind.UNKNOWN


@pytest.mark.parametrize("kind", SIGNED)
def test_identify_notices_each_changed_bit_of_the_digest(kind: DigestKind) -> None:
    for n in (*range(52, 68), 200):
        data = bytes(i * 5 + n & 0xFF for i in range(n))
        stored = digest(data, kind)
        assert identify(stored, data) is kind, n
        number = int.from_bytes(stored, "little")
        for bit in range(n % 7, 128, 7):
            changed = (number ^ 1 << bit).to_bytes(SIZE, "little")
            assert identify(changed, data) is DigestKind.UNKNOWN, (n, bit)
        highest = number ^ sum(1 << 32 * word + 31 for word in range(4))
        assert identify(highest.to_bytes(SIZE, "little"), data) is DigestKind.UNKNOWN, n


def test_bypass_marks() -> None:
    assert {mark[0] for mark in MARKS.values()} == {0, 1, 2}
    assert all(len(mark) == SIZE and len(set(mark)) == 1 for mark in MARKS.values())


def test_unknown_cannot_be_computed() -> None:
    with pytest.raises(ValueError, match="cannot be computed"):
        digest(b"", DigestKind.UNKNOWN)
