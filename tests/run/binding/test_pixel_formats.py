"""Pixels by the names of their formats."""

import numpy as np
import pytest

from unshade.errors import UnsupportedError, UsageError
from unshade.run.binding.pixel_formats import pixel_format

NAN = float("nan")


def decoded(name: str, *data: int) -> list[float]:
    array = np.array([data], np.uint8)
    (found,) = pixel_format(name).decode(array)
    return [*found.tolist()]


def test_components_are_in_the_order_of_the_name() -> None:
    assert decoded("B8G8R8A8_UNORM", 255, 0, 51, 255) == [np.float32(0.2), 0, 1, 1]
    assert decoded("VK_FORMAT_R8G8_SNORM", 0x81, 0x80) == [-1, -1, 0, 1]
    assert decoded("R16_UINT", 0x34, 0x12) == [0x1234, 0, 0, 1]


def test_packed_formats_begin_with_the_highest_bits() -> None:
    word = (3 << 30 | 1 << 20 | 2 << 10 | 1023).to_bytes(4, "little")
    assert decoded("A2B10G10R10_UINT_PACK32", *word) == [1023, 2, 1, 3]
    assert decoded("DXGI_FORMAT_R10G10B10A2_UINT", *word) == [1023, 2, 1, 3]
    assert decoded("R5G6B5_UNORM_PACK16", 0x1F, 0xF8) == [1, 0, 1, 1]
    assert decoded("B5G6R5_UNORM", 0x1F, 0x00) == [0, 0, 1, 1]


def test_depth_is_red() -> None:
    assert decoded("D32_SFLOAT", 0, 0, 0x80, 0x3F) == [1, 0, 0, 1]
    assert decoded("D24_UNORM_S8_UINT", 255, 255, 255, 7) == [1, 0, 0, 1]
    assert decoded("X8_D24_UNORM_PACK32", 255, 255, 255, 7) == [1, 0, 0, 1]


def test_colours_of_srgb_are_linear_but_for_alpha() -> None:
    red, _, _, alpha = decoded("R8G8B8A8_SRGB", 188, 0, 0, 128)
    assert abs(red - 0.5029) < 1e-4
    assert abs(alpha - 128 / 255) < 1e-6


def test_small_floats_have_no_sign() -> None:
    numbers = np.array([[1.0, -3.0, 1e9, 0], [NAN, float("inf"), 2.0**-20, 0]], "<f4")
    form = pixel_format("B10G11R11_UFLOAT_PACK32")
    back = form.decode(form.encode(numbers))
    assert back[0].tolist() == [1, 0, 64512, 1]
    assert np.isnan(back[1, 0])
    assert back[1, 1] == np.inf
    assert back[1, 2] == 0  # half of the least number, to even
    halfway = np.array([[1 + 2.0**-7, 0, 0, 0]], "<f4")
    assert form.decode(form.encode(halfway))[0, 0] == 1


@pytest.mark.parametrize(
    "name", ["R8G8B8A8_UNORM", "B8G8R8A8_SRGB", "R16G16_SNORM", "A2R10G10B10_UNORM_PACK32",
             "R32G32B32A32_SFLOAT", "A8B8G8R8_SINT_PACK32", "R16G16B16_SFLOAT", "R8_USCALED",
             "B4G4R4A4_UNORM_PACK16", "D16_UNORM"],
)  # fmt: skip
def test_encoding_is_the_inverse(name: str) -> None:
    form = pixel_format(name)
    data = np.random.default_rng(1).integers(0, 120, (50, form.size), np.uint8)
    np.testing.assert_array_equal(form.encode(form.decode(data)), data)


def test_other_bits_stay() -> None:
    form = pixel_format("D24_UNORM_S8_UINT")
    before = np.array([[1, 2, 3, 9]], np.uint8)
    assert form.encode(np.zeros((1, 4), "<f4"), before).tolist() == [[0, 0, 0, 9]]


def test_unknown_and_unsupported_names() -> None:
    with pytest.raises(UsageError, match="unknown pixel format 'R8G9_UNORM'"):
        pixel_format("R8G9_UNORM")
    with pytest.raises(UsageError, match="expected a name as R8G8B8A8_UNORM"):
        pixel_format("rgba8")
    with pytest.raises(UnsupportedError, match="compressed"):
        pixel_format("BC1_RGBA_UNORM_BLOCK")
    with pytest.raises(UnsupportedError, match="R64_UINT"):
        pixel_format("R64_UINT")
