"""Shaders in bundles of Unity, written here as its documentation describes them."""

from __future__ import annotations

import lzma
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

import unshade
from tests.archives.packing import around
from tests.examples import EXAMPLES
from unshade.archives import find
from unshade.errors import LimitError, UnsupportedError
from unshade.limits import Limits

lz4_block = pytest.importorskip("lz4.block")

PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()
PIECE = 1500  # bytes of a block
FILTER = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2}
NODES = [("CAB-1/phong", b"asset" + PHONG), ("CAB-1.resS", SAXPY)]


def plain(data: bytes) -> bytes:
    return data


def packed_lzma(data: bytes) -> bytes:
    raw = lzma.compress(data, lzma.FORMAT_RAW, filters=[FILTER])
    return bytes([(2 * 5 + 0) * 9 + 3]) + (1 << 16).to_bytes(4, "little") + raw


def packed_lz4(data: bytes) -> bytes:
    return bytes(lz4_block.compress(data, store_size=False))


METHODS: list[Callable[[bytes], bytes]] = [plain, packed_lzma, packed_lz4, packed_lz4]


def bundle(
    nodes: Sequence[tuple[str, bytes]] = NODES,
    *,
    method: int = 2,
    directory: int = 3,
    version: int = 8,
    flags: int = 0x40,
    claim: int | None = None,
) -> bytes:
    """Return a bundle whose blocks and directory are packed by these methods."""
    whole = b"".join(data for _, data in nodes)
    pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
    blocks = [METHODS[method](each) for each in pieces]
    listed = bytes(16) + struct.pack(">I", len(pieces))
    for piece, block in zip(pieces, blocks, strict=True):
        listed += struct.pack(">IIH", claim or len(piece), len(block), method)
    listed += struct.pack(">I", len(nodes))
    at = 0
    for path, data in nodes:
        listed += struct.pack(">QQI", at, len(data), 4) + path.encode() + b"\0"
        at += len(data)
    packed = METHODS[directory](listed)
    head = b"UnityFS\0" + struct.pack(">I", version) + b"5.x.x\0" + b"2022.3.1f1\0"
    rest = 20 + (-(len(head) + 20) % 16 if version >= 7 else 0)
    start = len(head) + rest
    body = b"".join(blocks)
    if flags & 0x80:
        gap = bytes(-start % 16 if flags & 0x200 else 0)
        after = gap + body + packed
    else:
        gap = bytes(-(start + len(packed)) % 16 if flags & 0x200 else 0)
        after = packed + gap + body
    sizes = struct.pack(">QIII", start + len(after), len(packed), len(listed), flags | directory)
    return head + sizes.ljust(rest, b"\0") + after


@pytest.mark.parametrize("method", range(4))
@pytest.mark.parametrize(
    ("version", "flags"), [(6, 0x40), (7, 0x40), (8, 0x240), (8, 0xC0), (8, 0x2C0)]
)
def test_shaders_in_the_files_of_a_bundle(method: int, version: int, flags: int) -> None:
    made = bundle(method=method, directory=method, version=version, flags=flags)
    found = [*find(around(made))]
    assert [each.data for each in found] == [PHONG, SAXPY]
    assert [each.path for each in found] == [
        "unity@0x1d/CAB-1/phong!dxbc@0x5", "unity@0x1d/CAB-1.resS!dxbc@0x0",
    ]  # fmt: skip


def test_code_that_is_packed_in_a_file() -> None:
    nodes = [("CAB", bytes(40) + packed_lz4(PHONG) + bytes(9))]
    assert [each.data for each in find(bundle(nodes))] == [PHONG]


def test_what_is_no_bundle() -> None:
    """Every truncation, and sizes that do not fit: what is inside is searched as it is."""
    made = bundle(method=0, directory=0)
    for size in range(8, len(made), 37):
        assert all(not each.path.startswith("unity") for each in find(made[:size], strict=False))
    assert [*find(bundle(claim=PIECE + 1))] == []
    assert [*find(bundle(claim=500_000))] == []  # more than LZ4 can make of so few bytes
    assert [*find(bundle(version=9))] == []
    for at in range(0, 200):
        broken = bytearray(bundle())
        broken[at] ^= 0xFF
        with suppress(unshade.UnshadeError):
            list(find(bytes(broken), strict=False))


def test_an_encrypted_bundle_is_named() -> None:
    """Its directory is no block of LZ4: the first literals begin behind its end."""
    made = bundle(flags=0x440)
    directory = 64  # after the header and its padding
    broken = made[:directory] + b"\xf0\xff\xff" + made[directory + 3 :]
    with pytest.raises(UnsupportedError, match="an encrypted bundle of Unity is not read"):
        list(find(broken))
    plain = bundle()
    assert [*find(plain[:directory] + b"\xf0\xff\xff" + plain[directory + 3 :])] == []


def test_a_bomb_ends_with_the_name_of_the_limit() -> None:
    zeros = [("CAB", bytes(1 << 20))]
    small = Limits(unpacked=1 << 16)
    for method in (1, 2):
        with pytest.raises(LimitError, match="limit unpacked"):
            list(find(bundle(zeros, method=method), limits=small))
    with pytest.raises(LimitError, match="limit file_size"):
        list(find(bundle(claim=1 << 31)))
    with pytest.raises(LimitError, match="limit entries"):
        list(find(bundle([(f"{n}", b"") for n in range(50)]), limits=Limits(entries=20)))
