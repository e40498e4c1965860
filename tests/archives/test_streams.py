"""Streams of zlib begin with a block of DEFLATE, of any kind."""

import random
import zlib

import pytest

from unshade.archives.budget import UnpackBudget
from unshade.archives.streams import _may_begin, zlib_stream
from unshade.limits import DEFAULT


@pytest.mark.parametrize("level", [0, 1, 9])
def test_each_kind_of_block_may_begin_a_stream(level: int) -> None:
    for size in (0, 1, 3, 100, 70_000):
        data = random.Random(size).randbytes(size // 2) + bytes(size - size // 2)
        found = zlib_stream(zlib.compress(data, level), 0, UnpackBudget(DEFAULT, 1 << 20))
        assert found is not None
        assert [each.data for each in found.entries] == [data]


def test_no_stream_is_taken_apart_that_cannot_begin() -> None:
    assert not _may_begin(b"\x06\0\0\0\0")
    assert not _may_begin(b"\x00\x10\x20\xef\xde")
    assert _may_begin(b"\x00\x10\x20\xef\xdf")
