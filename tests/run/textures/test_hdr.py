"""Radiance HDR files, put together by hand."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from unshade.errors import FormatError, LimitError, UnsupportedError
from unshade.limits import Limits
from unshade.run import open_texture
from unshade.run.textures.hdr import read_hdr

HEADER = b"#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\n\n"
ONE = bytes([128, 64, 0, 129])  # 1, 0.5, 0


def test_texels_without_runs() -> None:
    data = HEADER + b"-Y 1 +X 3\n" + ONE + bytes(4) + bytes([255, 1, 2, 136])
    found = read_hdr(data, Limits())
    assert found.dtype == np.float32
    assert found.tolist() == [[[1, 0.5, 0], [0, 0, 0], [255, 1, 2]]]
    assert open_texture(BytesIO(data)).data.shape == (1, 3, 3)


def test_repeated_texels() -> None:
    """1 1 1 n repeats; a second such adds n x 256."""
    data = HEADER + b"-Y 1 +X 301\n" + ONE + bytes([1, 1, 1, 44, 1, 1, 1, 1])
    found = read_hdr(data, Limits())
    assert found.shape == (1, 301, 3)
    assert (found == [1, 0.5, 0]).all()


def test_rows_of_runs() -> None:
    start = bytes([2, 2, 0, 8])
    first = bytes([136, 128]) + bytes([4, 1, 2, 3, 4, 132, 64]) + bytes([136, 0])
    row = start + first + bytes([136, 129])
    found = read_hdr(HEADER + b"-Y 2 +X 8\n" + row * 2, Limits())
    assert found.shape == (2, 8, 3)
    assert found[1, :, 0].tolist() == [1.0] * 8
    assert (found[0, :, 1] * 128).tolist() == [1, 2, 3, 4, 64, 64, 64, 64]


def test_rows_and_texels_in_another_order() -> None:
    pixels = b"".join(bytes([n, 0, 0, 136]) for n in range(1, 5))
    for axes, wanted in (
        (b"-Y 2 +X 2\n", [[1, 2], [3, 4]]), (b"+Y 2 +X 2\n", [[3, 4], [1, 2]]),
        (b"-Y 2 -X 2\n", [[2, 1], [4, 3]]),
    ):  # fmt: skip
        assert read_hdr(HEADER + axes + pixels, Limits())[..., 0].tolist() == wanted


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"#?RADIANCE\n", "expected an empty line after the header"),
        (HEADER + b"+X 3 -Y 2\n", "at 0x32: expected the axes as -Y 512"),
        (HEADER + b"-Y 1 +X 3\n" + ONE, "expected 3 texels, got 1"),
        (HEADER + b"-Y 0 +X 3\n" + ONE, "expected 0 rows of 3 texels"),
        (HEADER + b"-Y 1 +X 3\n" + bytes([1, 1, 1, 2]) * 3, "a texel to repeat"),
        (HEADER + b"-Y 1 +X 3\n" + ONE + bytes([1, 1, 1, 200]), "and space for it"),
        (HEADER + b"-Y 9000 +X 9\n" + b"\2\2\0\x09" + bytes(99), "9000 rows of 9 texels"),
        (HEADER + b"-Y 1 +X 8\n" + b"\2\2\0\x08" + bytes(20), "expected a run"),
        (HEADER + b"-Y 1 +X 8\n" + b"\2\2\0\x08" + b"\xff\1" * 9, "a run that ends with its row"),
    ],
)
def test_malformed_files(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_hdr(data, Limits())


def test_other_formats_and_large_files() -> None:
    with pytest.raises(UnsupportedError, match="'32-bit_rle_xyze' cannot be read"):
        read_hdr(HEADER.replace(b"rgbe", b"xyze") + b"-Y 1 +X 1\n" + ONE, Limits())
    with pytest.raises(LimitError, match="texels"):
        read_hdr(HEADER + b"-Y 99999 +X 99999\n" + ONE, Limits())
