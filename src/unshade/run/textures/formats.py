"""Formats of stored texels: pixels, and blocks that a decoder knows.

R8G8B8A8_UNORM                       a pixel (`binding.pixel_formats`)
BC1_RGBA_UNORM_BLOCK                 8 bytes for 4 x 4 texels
BC1_UNORM_SRGB                       the same by DXGI's name, as sRGB
ASTC_8x6_UNORM_BLOCK                 16 bytes for 8 x 6 texels
"""

import re
from collections.abc import Callable
from functools import cache, partial

from ...dataclass import dataclass
from ...errors import UnsupportedError, UsageError
from ...vm.launch import Array
from ..binding.pixel_formats import PixelFormat, pixel_format
from . import bc, bc6h, eac, packed
from .astc import astc
from .library import bc7, etc2

Decoder = Callable[[Array], Array]  # blocks (n, bytes) to texels (n, width x height, components)

DECODERS: dict[str, tuple[int, Decoder]] = {
    "BC1_UNORM": (8, bc.bc1),
    "BC1_RGBA_UNORM": (8, bc.bc1),
    "BC1_RGB_UNORM": (8, bc.bc1_opaque),
    "BC2_UNORM": (16, bc.bc2),
    "BC3_UNORM": (16, bc.bc3),
    "BC4_UNORM": (8, bc.bc4),
    "BC4_SNORM": (8, partial(bc.bc4, signed=True)),
    "BC5_UNORM": (16, bc.bc5),
    "BC5_SNORM": (16, partial(bc.bc5, signed=True)),
    "BC6H_UFLOAT": (16, bc6h.bc6h),
    "BC6H_SFLOAT": (16, partial(bc6h.bc6h, signed=True)),
    "BC7_UNORM": (16, bc7),
    "ETC2_R8G8B8_UNORM": (8, partial(etc2, "decode_etc2")),
    "ETC2_R8G8B8A1_UNORM": (8, partial(etc2, "decode_etc2a1")),
    "ETC2_R8G8B8A8_UNORM": (16, partial(etc2, "decode_etc2a8")),
    "EAC_R11_UNORM": (8, eac.r11),
    "EAC_R11_SNORM": (8, partial(eac.r11, signed=True)),
    "EAC_R11G11_UNORM": (16, eac.rg11),
    "EAC_R11G11_SNORM": (16, partial(eac.rg11, signed=True)),
}
# Pixels that have no component to itself: width in texels, bytes, decoder.
PACKED: dict[str, tuple[int, int, Decoder]] = {
    "E5B9G9R9_UFLOAT_PACK32": (1, 4, packed.shared_exponent),
    "R9G9B9E5_SHAREDEXP": (1, 4, packed.shared_exponent),
    "R10G10B10_XR_BIAS_A2_UNORM": (1, 4, packed.xr_bias),
    "R8G8_B8G8_UNORM": (2, 4, partial(packed.shared_colour, order="rgbh")),
    "G8R8_G8B8_UNORM": (2, 4, partial(packed.shared_colour, order="grhb")),
    "B8G8R8G8_422_UNORM": (2, 4, partial(packed.shared_colour, order="bgrh")),
    "G8B8G8R8_422_UNORM": (2, 4, partial(packed.shared_colour, order="gbhr")),
}
ASTC = re.compile(r"ASTC_(\d+)x(\d+)_(UNORM|SRGB|SFLOAT)")
PREFIX = re.compile(r"^(?:VK_FORMAT_|DXGI_FORMAT_)")
# DXGI's typeless formats of which every view reads the same numbers.
TYPELESS = re.compile(r"(BC[123457]|B8G8R8[AX]8)_TYPELESS")
NAMES = {
    "BC6H_UF16": "BC6H_UFLOAT",
    "BC6H_SF16": "BC6H_SFLOAT",
    "D32_FLOAT_S8X24_UINT": "D32_SFLOAT_S8_UINT",
}
# Components of 10 or 12 bits, each in the highest bits of a word.
HIGH = re.compile(r"((?:[RGBA]1[02]X[46])+)_UNORM_[24]PACK16")


@dataclass(frozen=True, slots=True)
class StoredFormat:
    """A format: the number of texels and of bytes in a block, and how a block is decoded.

    `pixels` is the format of a pixel, `decode` the decoder of a block; `srgb` is for blocks.
    """

    name: str
    width: int
    height: int
    size: int
    pixels: PixelFormat | None = None
    decode: Decoder | None = None
    srgb: bool = False


@cache
def stored_format(name: str) -> StoredFormat:
    """Return a format by its name in Vulkan or DXGI; UnsupportedError if it cannot be read."""
    plain = PREFIX.sub("", name)
    shown = plain
    if TYPELESS.fullmatch(plain):
        plain = plain.replace("_TYPELESS", "_UNORM")
    plain = NAMES.get(plain, plain).removesuffix("_BLOCK")
    srgb = plain.endswith("SRGB")
    unorm = re.sub(r"(_UNORM)?_SRGB$", "_UNORM", plain)
    if unorm in DECODERS:
        size, decode = DECODERS[unorm]
        return StoredFormat(shown, 4, 4, size, decode=decode, srgb=srgb)
    found = ASTC.fullmatch(plain)
    if found is not None:
        wide, high, kind = int(found[1]), int(found[2]), found[3]
        decode = partial(astc, width=wide, height=high, kind=kind)
        return StoredFormat(shown, wide, high, 16, decode=decode, srgb=srgb)
    if plain in PACKED:
        width, size, decode = PACKED[plain]
        return StoredFormat(shown, width, 1, size, decode=decode)
    if HIGH.fullmatch(plain):
        pixels = _high_bits(plain)
        return StoredFormat(shown, 1, 1, pixels.size, pixels=pixels)
    try:
        pixels = pixel_format(plain)
    except (UsageError, UnsupportedError):
        raise UnsupportedError(f"texels of the format {shown} cannot be read") from None
    return StoredFormat(shown, 1, 1, pixels.size, pixels=pixels)


def _high_bits(name: str) -> PixelFormat:
    parts = re.findall(r"([RGBA])(\d+)X(\d+)", name)
    components = tuple(
        ("RGBA".index(letter), 16 * word + int(unused), int(bits))
        for word, (letter, bits, unused) in enumerate(parts)
    )
    return PixelFormat(name, 2 * len(parts), components, "UNORM")
