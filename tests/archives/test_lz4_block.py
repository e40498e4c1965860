"""LZ4 blocks without a frame are found by the magic of the shader that they begin with."""

import zlib

import pytest

import unshade
from tests.archives.packing import around
from tests.archives.test_inside import FEW
from tests.contract.samples import Sample
from tests.examples import EXAMPLES
from unshade.archives.lz4_block import decode

lz4_block = pytest.importorskip("lz4.block")

PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
MODES = "fast", "default", "high_compression"
WITH_MAGIC = [each for each in FEW if each.format.magics]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sample", WITH_MAGIC, ids=lambda each: each.format.name)
def test_a_block_that_begins_with_a_shader(sample: Sample, mode: str) -> None:
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


@pytest.mark.parametrize(
    "data", [b"\x10", b"\x10a\0\0", b"\x10a\5\0", b"\xf0\xff\xff", b"\x1fa\1\0"]
)
def test_malformed_sequences_end_a_block(data: bytes) -> None:
    assert len(decode(data, 0, 1 << 20).data) < 1 << 10
