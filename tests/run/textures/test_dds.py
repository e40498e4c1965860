"""DDS files: formats by FourCC, masks and DXGI, arrays, cubes, volumes, mip levels."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from tests.run.textures.files import (
    ALPHA,
    ALPHA_PIXELS,
    BUMP,
    CUBE,
    FACES,
    LUMINANCE,
    RGB,
    VOLUME,
    dds,
    dx10,
)
from unshade.errors import FormatError, LimitError, UnsupportedError
from unshade.ir.textures import Shape
from unshade.limits import Limits
from unshade.run.binding.texture_image import TextureImage
from unshade.run.textures.bc import bc1
from unshade.run.textures.dds import read_dds
from unshade.vocab.dxgi import DXGI_FORMATS

Masks = tuple[int, int, int, int, int, int]


def texels(image: TextureImage, level: int = 0) -> Any:
    """The pixels of a level, (layers, depth, height, width, 4)."""
    array = image.levels[level]
    assert image.pixels is not None
    return image.pixels.decode(array.reshape(-1, array.shape[-1])).reshape(*array.shape[:-1], 4)


@pytest.mark.parametrize(
    ("form", "pixel", "wanted"),
    [
        ((RGB | ALPHA_PIXELS, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), "336699cc",
         [0x99 / 255, 0x66 / 255, 0x33 / 255, 0xCC / 255]),
        ((RGB, 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000), "336699cc",
         [0x33 / 255, 0x66 / 255, 0x99 / 255, 1]),  # X: not alpha
        ((RGB, 24, 0xFF0000, 0xFF00, 0xFF, 0), "336699", [0.6, 0.4, 0.2, 1]),
        ((RGB, 16, 0xF800, 0x7E0, 0x1F, 0), "1ff8", [1, 0, 1, 1]),
        ((RGB | ALPHA_PIXELS, 16, 0x7C00, 0x3E0, 0x1F, 0x8000), "e083", [0, 1, 0, 1]),
        ((RGB | ALPHA_PIXELS, 16, 0xF00, 0xF0, 0xF, 0xF000), "f35c", [12 / 15, 1, 3 / 15, 5 / 15]),
        ((RGB | ALPHA_PIXELS, 32, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000), "ff030080",
         [1, 0, 0, 2 / 3]),
        ((RGB, 32, 0xFFFF, 0xFFFF0000, 0, 0), "ffff0000", [1, 0, 0, 1]),
        ((LUMINANCE, 8, 0xFF, 0, 0, 0), "33", [0.2, 0.2, 0.2, 1]),
        ((LUMINANCE | ALPHA_PIXELS, 16, 0xFF, 0, 0, 0xFF00), "3366", [0.2, 0.2, 0.2, 0.4]),
        ((ALPHA, 8, 0, 0, 0, 0xFF), "33", [0, 0, 0, 0.2]),
        ((BUMP, 16, 0xFF, 0xFF00, 0, 0), "7f81", [1, -1, 0, 1]),
    ],
)  # fmt: skip
def test_masks(form: Masks, pixel: str, wanted: list[float]) -> None:
    found = read_dds(dds(bytes.fromhex(pixel), (1, 1), form))
    assert texels(found).reshape(4).tolist() == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    ("code", "size", "wanted"),
    [
        ("DXT1", 8, "BC1_UNORM"), ("DXT2", 16, "BC2_UNORM"), ("DXT3", 16, "BC2_UNORM"),
        ("DXT4", 16, "BC3_UNORM"), ("DXT5", 16, "BC3_UNORM"), ("ATI1", 8, "BC4_UNORM"),
        ("BC4U", 8, "BC4_UNORM"), ("BC4S", 8, "BC4_SNORM"), ("ATI2", 16, "BC5_UNORM"),
        ("BC5U", 16, "BC5_UNORM"), ("BC5S", 16, "BC5_SNORM"),
    ],
)  # fmt: skip
def test_four_letters(code: str, size: int, wanted: str) -> None:
    found = read_dds(dds(bytes(size), (3, 2), code))
    assert (found.format, found.size) == (wanted, (3, 2, 1))


@pytest.mark.parametrize(
    ("number", "pixel", "wanted"),
    [
        (36, "0000ffff00003333", [0, 1, 0, 0.2]),
        (110, "ff7f0180000000c0", [1, -1, 0, -0.5000153]),
        (111, "003c", [1, 0, 0, 1]),
        (112, "003c00bc", [1, -1, 0, 1]),
        (113, "003c00bc00400000", [1, -1, 2, 0]),
        (114, "0000803f", [1, 0, 0, 1]),
        (115, "0000803f000080bf", [1, -1, 0, 1]),
        (116, "0000803f000080bf000000400000003f", [1, -1, 2, 0.5]),
    ],
)
def test_numbers_of_direct3d_9(number: int, pixel: str, wanted: list[float]) -> None:
    found = texels(read_dds(dds(bytes.fromhex(pixel), (1, 1), number)))
    assert found.reshape(4).tolist() == pytest.approx(wanted, abs=1e-6)


def test_every_dxgi_format_is_read_or_refused_by_name() -> None:
    unread = {}
    for number, name in DXGI_FORMATS.items():
        data = dx10(bytes(64), (2, 2), number)
        try:
            assert read_dds(data).levels
        except UnsupportedError as error:
            unread[name] = str(error)
    video = {"AYUV", "Y410", "Y416", "NV12", "P010", "P016", "420_OPAQUE", "YUY2", "Y210", "Y216",
             "NV11", "AI44", "IA44", "P8", "A8P8"}  # fmt: skip
    assert {name for name in unread if "TYPELESS" not in name} == {"UNKNOWN", "R1_UNORM"} | video
    assert all(text == f"texels of the format {name} cannot be read"
               for name, text in unread.items())  # fmt: skip
    with pytest.raises(UnsupportedError, match="the DXGI format 5000 cannot be read"):
        read_dds(dx10(bytes(64), (2, 2), 5000))


def test_layers_have_their_levels_one_after_another() -> None:
    """Two layers of 4 x 2, 2 x 1, 1 x 1 in R8_UNORM: 11 bytes each."""
    found = read_dds(dx10(bytes(range(22)), (4, 2), 61, layers=2, levels=3))
    assert (found.shape, found.layered, found.layers) == (Shape.D2, True, 2)
    assert [each.shape for each in found.levels] == [
        (2, 1, 2, 4, 1), (2, 1, 1, 2, 1), (2, 1, 1, 1, 1)
    ]  # fmt: skip
    assert found.levels[0][1].reshape(-1).tolist() == list(range(11, 19))
    assert found.levels[1].reshape(-1).tolist() == [8, 9, 19, 20]
    assert found.levels[2].reshape(-1).tolist() == [10, 21]


def test_volumes_have_all_slices_of_a_level_together() -> None:
    """4 x 2 x 2, then 2 x 1 x 1."""
    for data in (
        dds(bytes(range(18)), (4, 2), (LUMINANCE, 8, 255, 0, 0, 0), levels=2, depth=2,
            caps2=VOLUME),
        dx10(bytes(range(18)), (4, 2), 61, dimension=4, levels=2, depth=2),
    ):  # fmt: skip
        found = read_dds(data)
        assert (found.shape, found.layered, found.size) == (Shape.D3, False, (4, 2, 2))
        assert found.levels[0][0, 1, 0].reshape(-1).tolist() == [8, 9, 10, 11]
        assert found.levels[1].reshape(-1).tolist() == [16, 17]


def test_cubes_and_arrays_of_cubes() -> None:
    old = dds(bytes(range(6)), (1, 1), (LUMINANCE, 8, 255, 0, 0, 0), caps2=CUBE | FACES)
    assert (read_dds(old).shape, read_dds(old).layers) == (Shape.CUBE, 6)
    new = read_dds(dx10(bytes(range(12)), (1, 1), 61, flags=4, layers=2))
    assert (new.shape, new.layered, new.layers) == (Shape.CUBE, True, 12)
    assert str(new) == "cube array of 2, 1 x 1 R8_UNORM"
    line = read_dds(dx10(bytes(3), (3, 1), 61, dimension=2))
    assert (line.shape, str(line)) == (Shape.D1, "1D 3 R8_UNORM")


def test_levels_of_blocks_are_whole_blocks() -> None:
    """5 x 3: two blocks; 2 x 1 and 1 x 1: one each."""
    data = np.random.default_rng(1).integers(0, 256, (4, 8), np.uint8)
    found = read_dds(dx10(data.tobytes(), (5, 3), 71, levels=3))
    first = np.concatenate([each.reshape(4, 4, 4) for each in bc1(data[:2])], axis=1)
    assert np.array_equal(found.levels[0][0, 0], first[:3, :5])
    assert np.array_equal(found.levels[1][0, 0], bc1(data[2:3]).reshape(4, 4, 4)[:1, :2])
    assert np.array_equal(found.levels[2][0, 0], bc1(data[3:]).reshape(4, 4, 4)[:1, :1])
    assert [read_dds(dx10(data.tobytes(), (5, 3), code)).srgb for code in (71, 72)] == [False, True]


@pytest.mark.parametrize("form", ["DXT1", "DXT3", "DXT5", "BC5", None])
def test_files_of_pillow(form: str | None) -> None:
    image = pytest.importorskip("PIL.Image")
    colours = np.random.default_rng(2).integers(0, 256, (9, 13, 4), np.uint8)
    given = image.fromarray(colours).convert("RGB" if form == "BC5" else "RGBA")
    into = BytesIO()
    given.save(into, "DDS", **({"pixel_format": form} if form else {}))
    found = read_dds(into.getvalue())
    assert found.size == (13, 9, 1)
    wanted = np.asarray(image.open(BytesIO(into.getvalue())).convert("RGBA")).astype(float)
    if form is None:
        assert np.array_equal(np.rint(texels(found)[0, 0] * 255), wanted)
    else:
        numbers = found.levels[0][0, 0]
        parts = numbers.shape[-1]
        assert np.abs(numbers * 255 - wanted[..., :parts]).max() < 1.1  # it truncates


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"DDS ", FormatError, "at 0x4, size: expected 4 bytes"),
        (dds(bytes(7), (1, 1), "DXT1"), FormatError,
         "at 0x80, texels: expected 8 bytes of texels, got 7"),
        (dds(b"", (60000, 60000), "DXT1"), LimitError, "texels = 134217728 exceeded"),
        (dds(b"", (0xFFFFFFFF, 0xFFFFFFFF), (RGB, 32, 255, 0, 0, 0)), LimitError, "texels"),
        (dx10(b"", (8192, 8192), 71, layers=0xFFFFFFFF), LimitError, "texels"),
        (dds(b"", (8192, 8192), "DXT1"), FormatError, "expected 33,554,432 bytes of texels, got 0"),
        (dds(bytes(8), (0, 1), "DXT1"), FormatError, "at 0x10, width: expected at least 1, got 0"),
        (dds(bytes(8), (4, 4), "DXT1", levels=4), FormatError, "1 to 3 mip levels, got 4"),
        (dds(bytes(8), (4, 4), "DXT1", levels=0xFFFFFFFF), FormatError, "got 4294967295"),
        (dds(bytes(8), (1, 1), "PVRT"), UnsupportedError, "the FourCC 'PVRT' cannot be read"),
        (dds(bytes(8), (1, 1), 60), UnsupportedError, "the FourCC 60 cannot be read"),
        (dds(bytes(8), (1, 1), (0x200, 32, 1, 2, 4, 8)), UnsupportedError, "the flags 0x200"),
        (dds(bytes(8), (1, 1), (RGB, 32, 0x5, 0, 0, 0)), FormatError,
         "at 0x5c, format: expected adjacent bits of 32, got the mask 0x5"),
        (dds(bytes(8), (1, 1), (RGB, 16, 0, 0x10000, 0, 0)), FormatError, "at 0x60, format"),
        (dds(bytes(8), (1, 1), (RGB, 7, 1, 0, 0, 0)), FormatError, "expected 8, 16, 24 or 32 bits"),
        (dds(bytes(8), (1, 1), (RGB, 32, 0, 0, 0, 0)), FormatError, "with a mask"),
        (dds(bytes(8), (1, 1), "DXT1", caps2=CUBE | 0x400), UnsupportedError, "fewer than six"),
        (dx10(bytes(8), (1, 1), 71, dimension=9), FormatError,
         "at 0x84, dx10.dimension: expected 2 to 4, got 9"),
        (dx10(bytes(8), (1, 1), 71, dimension=4, layers=2), FormatError, "for a 3D texture, got 2"),
    ],
)  # fmt: skip
def test_malformed_and_unread_files(data: bytes, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        read_dds(data)


def test_every_truncation_and_changed_byte_has_a_documented_error() -> None:
    data = dx10(bytes(48), (4, 4), 71, layers=2, levels=3)
    read_dds(data)
    for size in range(len(data)):
        with pytest.raises(FormatError):
            read_dds(data[:size])
    for at in range(148):
        for change in (0x01, 0x80, 0xFF):
            broken = bytearray(data)
            broken[at] ^= change
            try:
                read_dds(bytes(broken), Limits(texels=1 << 16))
            except (FormatError, LimitError, UnsupportedError):
                continue
