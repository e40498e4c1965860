"""Arrays as pictures: PNG of 8 and 16 bits."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.run.binding.pictures import picture

image = pytest.importorskip("PIL.Image")


def opened(data: bytes) -> Any:
    return np.asarray(image.open(BytesIO(data)))


def test_eight_bits_by_default() -> None:
    found = opened(picture(np.array([[[0, 0.5, 1]]], np.float32), ".png"))
    assert (found.dtype, found.tolist()) == (np.uint8, [[[0, 128, 255]]])


def test_grey_of_sixteen_bits() -> None:
    array = np.random.default_rng(1).random((9, 5)).astype(np.float32)
    found = opened(picture(array, ".png", 16))
    assert np.array_equal(found, np.floor(array.astype(float) * 65535 + 0.5))
    numbers = np.arange(45, dtype=np.uint16).reshape(9, 5) * 1000
    assert np.array_equal(opened(picture(numbers, ".png")), numbers)


@pytest.mark.parametrize("components", [2, 3, 4])
def test_colours_of_sixteen_bits(components: int) -> None:
    """Pillow reads their high bytes; their low bytes are found by swapping the bytes."""
    array = np.random.default_rng(2).integers(0, 1 << 16, (9, 5, components), np.uint16)
    wanted = array if components > 2 else np.pad(array, ((0, 0), (0, 0), (0, 1)))
    assert np.array_equal(opened(picture(array, ".png")), wanted >> 8)
    assert np.array_equal(opened(picture(array.byteswap(), ".png")), wanted & 255)


def test_what_is_no_picture() -> None:
    with pytest.raises(UsageError, match=r"an image \(height, width\[, 1 to 4\]\), got \(5,\)"):
        picture(np.zeros(5, np.float32), ".png")
