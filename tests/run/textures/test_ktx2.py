"""KTX 2.0 files: every VkFormat, levels, layers, faces, supercompression, swizzles."""

from __future__ import annotations

import re
import zlib

import numpy as np
import pytest

from tests.run.textures.files import ktx2
from unshade.errors import FormatError, LimitError, UnsupportedError
from unshade.ir.textures import Shape
from unshade.limits import Limits
from unshade.run.binding.texture_image import swizzled
from unshade.run.textures.ktx2 import read_ktx2
from unshade.run.textures.vulkan import VK_FORMATS

R8, BC1, BC1_SRGB, ASTC = 9, 133, 134, 157


def test_numbers_are_those_of_the_header() -> None:
    assert [VK_FORMATS[each] for each in (0, 9, 37, 43, 64, 97, 122, 123, 145, 151, 157, 184)] == [
        "UNDEFINED", "R8_UNORM", "R8G8B8A8_UNORM", "R8G8B8A8_SRGB", "A2B10G10R10_UNORM_PACK32",
        "R16G16B16A16_SFLOAT", "B10G11R11_UFLOAT_PACK32", "E5B9G9R9_UFLOAT_PACK32",
        "BC7_UNORM_BLOCK", "ETC2_R8G8B8A8_UNORM_BLOCK", "ASTC_4x4_UNORM_BLOCK",
        "ASTC_12x12_SRGB_BLOCK",
    ]  # fmt: skip
    assert VK_FORMATS[1000340001] == "A4B4G4R4_UNORM_PACK16"
    assert VK_FORMATS[1000066013] == "ASTC_12x12_SFLOAT_BLOCK"


@pytest.mark.parametrize(
    ("form", "pixel", "wanted"),
    [
        ("R4G4B4A4_UNORM_PACK16", "8f4f", [4 / 15, 1, 8 / 15, 1]),
        ("A4R4G4B4_UNORM_PACK16", "8f4f", [1, 8 / 15, 1, 4 / 15]),
        ("R5G6B5_UNORM_PACK16", "1f00", [0, 0, 1, 1]),
        ("B8G8R8A8_UNORM", "ff000033", [0, 0, 1, 0.2]),
        ("A2B10G10R10_UNORM_PACK32", "ff0300c0", [1, 0, 0, 1]),
        ("R16G16B16A16_SFLOAT", "003c00bc00400000", [1, -1, 2, 0]),
        ("B10G11R11_UFLOAT_PACK32", "c0030000", [1, 0, 0, 1]),
        ("R10X6G10X6_UNORM_2PACK16", "c0ff3f00", [1, 0, 0, 1]),
        ("R8G8B8A8_SRGB", "ff008080", [1, 0, 0.21586, 128 / 255]),
    ],
)
def test_pixels(form: str, pixel: str, wanted: list[float]) -> None:
    number = next(number for number, name in VK_FORMATS.items() if name == form)
    found, _ = read_ktx2(ktx2([bytes.fromhex(pixel)], number, (1, 1, 0)))
    assert found.pixels is not None
    decoded = found.pixels.decode(found.levels[0].reshape(1, -1))[0]
    assert decoded.tolist() == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("form", "pixel", "wanted"),
    [
        ("E5B9G9R9_UFLOAT_PACK32", "00010080", [[1, 0, 0]]),  # 256 x 2 ** (16 - 15 - 9)
        ("B8G8R8G8_422_UNORM", "00336699", [[0.4, 0.2, 0], [0.4, 0.6, 0]]),
        ("G8B8G8R8_422_UNORM", "33006699", [[0.6, 0.2, 0], [0.6, 0.4, 0]]),
    ],
)
def test_pixels_that_share_bits(form: str, pixel: str, wanted: list[list[float]]) -> None:
    number = next(number for number, name in VK_FORMATS.items() if name == form)
    found, _ = read_ktx2(ktx2([bytes.fromhex(pixel)], number, (len(wanted), 1, 0)))
    assert found.levels[0].reshape(-1, 3) == pytest.approx(np.array(wanted))


def test_every_format_is_read_or_refused_by_name() -> None:
    """Not read: 64 bits, stencil alone, planes, 4:2:2 of more than 8 bits, PVRTC, 3D ASTC."""
    pytest.importorskip("texture2ddecoder")
    unread = {}
    for number, name in VK_FORMATS.items():
        if number == 0:
            continue
        for size in (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32):
            try:
                read_ktx2(ktx2([bytes(size)], number, (1, 1, 0)))
            except FormatError:
                continue
            except UnsupportedError as error:
                unread[name] = str(error)
            break
        else:
            pytest.fail(name)
    expected = re.compile(r"R64|S8_UINT|.*PLANE|PVRTC|[GB]1[026].*_422|ASTC_\dx\dx\d")
    assert {name for name in unread if not expected.match(name)} == set()
    assert all(text == f"texels of the format {name} cannot be read"
               for name, text in unread.items())  # fmt: skip


def test_levels_layers_and_faces() -> None:
    """Two cubes of 2 x 2, then 1 x 1: in a level, the layers; in a layer, the faces."""
    levels = [bytes(range(48)), bytes(range(48, 60))]
    found, missing = read_ktx2(ktx2(levels, R8, (2, 2, 0), layers=2, faces=6))
    assert (found.shape, found.layered, found.layers, missing) == (Shape.CUBE, True, 12, False)
    assert found.levels[0][7, 0].reshape(-1).tolist() == [28, 29, 30, 31]
    assert found.levels[1].reshape(-1).tolist() == list(range(48, 60))
    volume, _ = read_ktx2(ktx2([bytes(range(12))], R8, (2, 2, 3)))
    assert (volume.shape, volume.size) == (Shape.D3, (2, 2, 3))
    assert volume.levels[0][0, 2, 1].reshape(-1).tolist() == [10, 11]
    line, _ = read_ktx2(ktx2([bytes(6)], R8, (3, 0, 0), layers=2))
    assert (line.shape, line.layered, line.size) == (Shape.D1, True, (3, 1, 1))


def test_levels_that_the_reader_makes() -> None:
    _, missing = read_ktx2(ktx2([bytes(16)], R8, (4, 4, 0), declared=0))
    assert missing
    _, missing = read_ktx2(ktx2([bytes(8)], BC1, (4, 4, 0), declared=0))
    assert not missing  # nobody makes blocks of these


def test_srgb_of_blocks() -> None:
    for number, srgb in ((BC1, False), (BC1_SRGB, True)):
        assert read_ktx2(ktx2([bytes(8)], number, (4, 4, 0)))[0].srgb is srgb


def test_zlib() -> None:
    levels = [bytes(range(16)), bytes(range(4)), b"\x07"]
    packed = [zlib.compress(each) for each in levels]
    sizes = [len(each) for each in levels]
    data = ktx2(packed, R8, (4, 4, 0), scheme=3, inflated=sizes)
    found, _ = read_ktx2(data)
    assert [each.reshape(-1).tobytes() for each in found.levels] == levels
    with pytest.raises(LimitError, match="inflated = 20 exceeded: the data needs 21"):
        read_ktx2(data, Limits(inflated=20))
    more = ktx2([zlib.compress(bytes(1_000_000))], R8, (4, 4, 0), scheme=3, inflated=[16])
    with pytest.raises(FormatError, match="expected 16 bytes of texels, got 17"):
        read_ktx2(more)
    for broken, words in (
        (ktx2([b"none"], R8, (4, 4, 0), scheme=3, inflated=[16]), "expected compressed texels"),
        (ktx2([packed[0]], R8, (4, 4, 0), scheme=3, inflated=[99]), "expected 16 bytes before"),
    ):
        with pytest.raises(FormatError, match=words):
            read_ktx2(broken)


def test_zstandard() -> None:
    zstandard = pytest.importorskip("zstandard")
    data = ktx2([zstandard.ZstdCompressor().compress(bytes(range(16)))], R8, (4, 4, 0), scheme=2,
                inflated=[16])  # fmt: skip
    assert read_ktx2(data)[0].levels[0].reshape(-1).tobytes() == bytes(range(16))
    broken = ktx2([b"none"], R8, (4, 4, 0), scheme=2, inflated=[16])
    with pytest.raises(FormatError, match="expected compressed texels"):
        read_ktx2(broken)


def test_zstandard_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression", "zstandard"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    data = ktx2([b""], R8, (4, 4, 0), scheme=2, inflated=[16])
    with pytest.raises(UnsupportedError, match=r"Zstandard needs zstandard: .*\[scene\]"):
        read_ktx2(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (ktx2([bytes(16)], 0, (4, 4, 0), scheme=1), "supercompression BasisLZ cannot be read"),
        (ktx2([bytes(16)], 0, (4, 4, 0), descriptor=bytes(12) + b"\xa6"), "a texture of UASTC"),
        (ktx2([bytes(16)], R8, (4, 4, 0), scheme=9), "supercompression 9 cannot be read"),
        (ktx2([bytes(16)], 7777, (4, 4, 0)), "the VkFormat 7777 cannot be read"),
        (ktx2([bytes(32)], 119, (1, 1, 0)), "the format R64G64B64A64_UINT cannot be read"),
    ],
)
def test_refusals_name_what_is_not_read(data: bytes, words: str) -> None:
    with pytest.raises(UnsupportedError, match=words):
        read_ktx2(data)


def test_swizzles() -> None:
    entry = b"KTXswizzle\0rrr1\0"
    values = len(entry).to_bytes(4, "little") + entry + bytes(-len(entry) % 4)
    other = b"KTXwriter\0x\0"
    values = len(other).to_bytes(4, "little") + other + bytes(-len(other) % 4) + values
    found, _ = read_ktx2(ktx2([b"\x33"], R8, (1, 1, 0), values=values))
    assert found.swizzle == "rrr1"
    assert swizzled(found, np.array([[5.0, 6, 7, 8]])).tolist() == [[5, 5, 5, 1]]
    with pytest.raises(FormatError, match="expected four letters of rgba01, got 'rrrx'"):
        read_ktx2(ktx2([b"\x33"], R8, (1, 1, 0), values=values.replace(b"rrr1", b"rrrx")))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (ktx2([bytes(16)], R8, (0, 4, 0)), "at 0x14, width: expected at least 1, got 0"),
        (ktx2([bytes(16)], R8, (4, 4, 0), faces=3), "at 0x24, faces: expected 1 or 6, got 3"),
        (ktx2([bytes(16)], R8, (4, 0, 2)), "height: expected at least 1 with a depth"),
        (ktx2([bytes(16)], R8, (4, 4, 1), layers=2), "layers: expected 0 with a depth, got 2"),
        (ktx2([bytes(48)], R8, (4, 2, 0), faces=6), "square faces"),
        (ktx2([bytes(15)], R8, (4, 4, 0)), r"index\[0\]: expected 16 bytes of texels, got 15"),
        (ktx2([bytes(16)], R8, (4, 4, 0))[:-1], "expected a level within 119 bytes"),
        (ktx2([bytes(16), b"1234", b"1", b"1"], R8, (4, 4, 0)), "1 to 3 mip levels, got 4"),
    ],
)
def test_malformed_files(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_ktx2(data)


def test_declared_sizes_allocate_nothing() -> None:
    huge = bytearray(ktx2([bytes(16)], R8, (4, 4, 0)))
    huge[20:24] = huge[24:28] = b"\xff" * 4
    with pytest.raises(LimitError, match="texels"):
        read_ktx2(bytes(huge))
    levels = bytearray(ktx2([bytes(16)], R8, (4, 4, 0)))
    levels[40:44] = b"\xff" * 4  # 4,294,967,295 levels: more than there are bytes for
    with pytest.raises(FormatError):
        read_ktx2(bytes(levels))


def test_every_truncation_and_changed_byte_has_a_documented_error() -> None:
    data = ktx2([bytes(16), bytes(4), b"1"], R8, (4, 4, 0), layers=1)
    for size in range(len(data)):
        with pytest.raises(FormatError):
            read_ktx2(data[:size])
    for at in range(80 + 72):
        for change in (0x01, 0x80, 0xFF):
            broken = bytearray(data)
            broken[at] ^= change
            try:
                read_ktx2(bytes(broken), Limits(texels=1 << 16))
            except (FormatError, LimitError, UnsupportedError):
                continue
