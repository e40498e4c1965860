"""LZ4 blocks without a frame are found by the magic of the shader that they begin with."""

import struct
import zlib

import pytest

import unshade
from tests.archives.packing import around
from tests.archives.test_inside import one_of_each_format
from tests.examples import EXAMPLES
from unshade import formats
from unshade.archives.lz4_block import UnpackedBlock, decode

lz4_block = pytest.importorskip("lz4.block")

PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
MODES = "fast", "default", "high_compression"
WITH_MAGIC = [each.name for each in formats.own() if each.magics]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", WITH_MAGIC)
def test_a_block_that_begins_with_a_shader(name: str, mode: str) -> None:
    sample = one_of_each_format()[name]
    packed = lz4_block.compress(sample.data, mode=mode, store_size=False)
    data = around(packed)
    for strict in (True, False):
        found, *_ = unshade.find(data, strict=strict)
        assert (found.data, found.damage) == (sample.data, None)
        assert found.steps[0][:2] == ("lz4-block", 29)
    found, *_ = unshade.find(zlib.compress(data))
    assert [each.name for each in found.steps] == ["zlib", "lz4-block"]


def test_blocks_one_after_the_other() -> None:
    packed = lz4_block.compress(PHONG, store_size=False)
    assert [each.data for each in unshade.find(packed * 3 + PHONG)] == [PHONG] * 4


@pytest.mark.parametrize(
    "data", [b"", b"a", bytes(70_000), b"ab" * 5000, bytes(range(256)) * 90, PHONG]
)
@pytest.mark.parametrize("mode", MODES)
def test_decoding(data: bytes, mode: str) -> None:
    packed = lz4_block.compress(data, mode=mode, store_size=False)
    made = decode(packed, 0, 1 << 20)
    assert made.data == data
    assert made.ends[-1] == (len(data), len(packed))
    assert not made.limited


def test_decoding_stops_at_the_size() -> None:
    packed = lz4_block.compress(bytes(100_000), store_size=False)
    assert decode(packed, 0, 5000).limited


def module(size: int) -> bytes:
    """Return a SPIR-V module of at least this size: it may end after each instruction."""
    names = "".join(f'OpString "{number:032}"\n' for number in range(size // 44 + 1))
    lines = [f"%a{at} = {each}" for at, each in enumerate(names.splitlines())]
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + "\n".join(lines)
    return unshade.assemble(text, format="spirv").to_bytes()


@pytest.mark.parametrize("size", [100, 600, 5000, 70_000])
def test_a_module_is_whole_whatever_its_size(size: int) -> None:
    data = module(size)
    packed = lz4_block.compress(data, store_size=False)
    (found,) = unshade.find(around(packed))
    assert found.data == data


def test_few_bytes_are_unpacked_of_a_block_with_a_wrong_header(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []

    def counted(data: bytes, at: int, most: int) -> UnpackedBlock:
        block = decode(data, at, most)
        made.append(len(block.data))
        return block

    monkeypatch.setattr("unshade.archives.lz4_block.decode", counted)
    header = b"DXBC" + bytes(16) + struct.pack("<4I", 1, 31, 0, 0)  # the size should be 32
    data = (bytes([0xF0, len(header) - 15]) + header + b"\4\0") * 200
    assert list(unshade.find(data)) == []
    assert sum(made) <= 200 * (64 + 512 + 2 * len(header))


@pytest.mark.parametrize(
    "data", [b"\x10", b"\x10a\0\0", b"\x10a\5\0", b"\xf0\xff\xff", b"\x1fa\1\0"]
)
def test_malformed_sequences_end_a_block(data: bytes) -> None:
    assert len(decode(data, 0, 1 << 20).data) < 1 << 10
