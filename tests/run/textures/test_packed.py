"""Pixels whose components share bits, against the formulas of Direct3D 11 and Vulkan."""

from __future__ import annotations

import numpy as np
import pytest

from unshade.run.textures.formats import stored_format


def decoded(name: str, *pixels: int) -> list[list[list[float]]]:
    found = stored_format(name)
    assert found.decode is not None
    given = np.array(pixels, "<u4").view(np.uint8).reshape(-1, 4)
    assert (found.width, found.height, found.size) == (found.decode(given).shape[1], 1, 4)
    texels: list[list[list[float]]] = found.decode(given).tolist()
    return texels


@pytest.mark.parametrize("name", ["E5B9G9R9_UFLOAT_PACK32", "R9G9B9E5_SHAREDEXP"])
def test_a_shared_exponent(name: str) -> None:
    """significand * 2^(exponent - 15 - 9), red in the lowest bits."""
    for exponent in (0, 1, 15, 24, 31):
        unit = 2.0 ** (exponent - 24)
        word = 1 | 511 << 9 | 256 << 18 | exponent << 27
        assert decoded(name, word) == [[[unit, 511 * unit, 256 * unit]]]
    assert decoded(name, 0, 31 << 27) == [[[0, 0, 0]], [[0, 0, 0]]]


def test_a_bias() -> None:
    """(number - 0x180) / 510: 0 to 1023 are -0.7529 to 1.2529; alpha is a plain fraction."""
    numbers = (0, 1, 0x180, 0x180 + 255, 0x180 + 510, 1023)
    for at, red in enumerate(numbers):
        green, blue, alpha = numbers[at - 1], numbers[at - 2], at % 4
        word = red | green << 10 | blue << 20 | alpha << 30
        ((found,),) = decoded("R10G10B10_XR_BIAS_A2_UNORM", word)
        wanted = [(each - 0x180) / 510 for each in (red, green, blue)] + [alpha / 3]
        assert found == [float(np.float32(each)) for each in wanted]


# The bytes of two texels: their greens are 51 and 255, red is 102, blue is 0.
TEXELS = [
    ("R8G8_B8G8_UNORM", (102, 51, 0, 255)),
    ("G8R8_G8B8_UNORM", (51, 102, 255, 0)),
    ("B8G8R8G8_422_UNORM", (0, 51, 102, 255)),
    ("G8B8G8R8_422_UNORM", (51, 0, 255, 102)),
]


@pytest.mark.parametrize(("name", "given"), TEXELS)
def test_two_texels_of_one_colour(name: str, given: tuple[int, ...]) -> None:
    red, green = float(np.float32(102) / np.float32(255)), float(np.float32(51) / np.float32(255))
    found = decoded(name, int.from_bytes(bytes(given), "little"))
    assert found == [[[red, green, 0], [red, 1, 0]]]
