"""DDS files: a header of fixed size, then for each layer all of its mip levels.

    +0    "DDS ", header of 124 bytes, which holds the pixel format of 32
    +128  with the FourCC "DX10": DXGI format, dimension, flags, array size
    then  layer 0: level 0, level 1, …  layer 1: level 0, …      faces of a cube are layers

Before the DX10 header, formats are FourCCs, numbers of D3DFORMAT in their place, or the masks of
the components.

Source: Microsoft's programming guide for DDS, and the reference of its structures; the formats of
Direct3D 9 as its enumeration D3DFORMAT documents them.
"""

from enum import IntFlag

import numpy as np

from ...enums import IntEnum
from ...errors import FormatError, UnsupportedError
from ...ir.textures import Shape
from ...limits import DEFAULT, Limits
from ...vm.launch import Array
from ...vocab.dxgi import DXGI_FORMATS
from ...wire import Record, array, field, magic, nested, padding, read_prefix, u32
from ..binding.pixel_formats import PixelFormat
from ..binding.texture_image import TextureImage
from .formats import StoredFormat, stored_format
from .subresources import TextureSize, image

SOURCE = "Microsoft's reference of the structures of DDS files"
MAGIC = b"DDS "
FORMAT_AT, SIZE_AT = 76, 12  # of the pixel format, and of height, width, …


class Flags(IntFlag):
    """Flags of a pixel format (DDPF)."""

    ALPHA_PIXELS = 0x1
    ALPHA = 0x2
    FOURCC = 0x4
    RGB = 0x40
    YUV = 0x200
    LUMINANCE = 0x20000
    BUMP = 0x80000  # signed components


class Capabilities(IntFlag):
    """Kinds of legacy textures (DDSCAPS2)."""

    CUBE = 0x200
    FACES = 0xFC00
    VOLUME = 0x200000


class DdsDimension(IntEnum):
    """The dimension of a DX10 texture (D3D10_RESOURCE_DIMENSION)."""

    D1 = 2
    D2 = 3
    D3 = 4


IS_CUBE = 4  # D3D10_RESOURCE_MISC_TEXTURECUBE


class DdsPixelFormat(Record, source=SOURCE):
    """The pixel format of a legacy texture, or the FourCC of the DX10 header."""

    size: u32 = field("bytes of this structure: 32", default=32)
    flags: u32 = field("what is present (DDPF)")
    fourcc: u32 = field("four letters, or a number of D3DFORMAT")
    bits: u32 = field("bits of a pixel")
    red: u32 = field("mask of red, or of luminance")
    green: u32 = field("mask of green")
    blue: u32 = field("mask of blue")
    alpha: u32 = field("mask of alpha")


class Dx10Header(Record, source=SOURCE):
    """The additional header of Direct3D 10 and later."""

    format: u32 = field("number of DXGI_FORMAT")
    dimension: u32 = field("2 to 4: 1D, 2D, 3D", enum=DdsDimension)
    flags: u32 = field("4: a cube")
    layers: u32 = field("elements of the array; of cubes, each has six faces", default=1)
    alpha: u32 = field("meaning of alpha")


class DdsHeader(Record, source=SOURCE):
    """The header of a DDS file."""

    magic: bytes = magic("identifies the format", MAGIC)
    size: u32 = field("bytes of the header without the magic: 124", default=124)
    flags: u32 = field("which fields are valid (DDSD)")
    height: u32 = field("rows of texels")
    width: u32 = field("texels of a row")
    pitch: u32 = field("bytes of a row, or of the largest level; writers differ")
    depth: u32 = field("slices of a volume")
    levels: u32 = field("mip levels; 0 is 1")
    reserved: list[int] = array("not used", u32, count=11)
    format: DdsPixelFormat = nested("the format of pixels", DdsPixelFormat)
    caps: u32 = field("complex, texture, mip map (DDSCAPS)")
    caps2: u32 = field("cube and its faces, volume (DDSCAPS2)")
    unused: bytes = padding("not used", 12)
    dx10: Dx10Header | None = field(
        "of Direct3D 10 and later", when="format.flags & 4 and format.fourcc == 0x30315844"
    )


FOURCCS = {
    "DXT1": "BC1_UNORM", "DXT2": "BC2_UNORM", "DXT3": "BC2_UNORM", "DXT4": "BC3_UNORM",
    "DXT5": "BC3_UNORM", "ATI1": "BC4_UNORM", "BC4U": "BC4_UNORM", "BC4S": "BC4_SNORM",
    "ATI2": "BC5_UNORM", "BC5U": "BC5_UNORM", "BC5S": "BC5_SNORM",
    "RGBG": "R8G8_B8G8_UNORM", "GRGB": "G8R8_G8B8_UNORM",
}  # fmt: skip
NUMBERS = {
    36: "R16G16B16A16_UNORM", 110: "R16G16B16A16_SNORM", 111: "R16_FLOAT", 112: "R16G16_FLOAT",
    113: "R16G16B16A16_FLOAT", 114: "R32_FLOAT", 115: "R32G32_FLOAT", 116: "R32G32B32A32_FLOAT",
}  # fmt: skip


def read_dds(data: bytes, limits: Limits = DEFAULT) -> TextureImage:
    """Return the texture of a DDS file.

    Raises:
        FormatError: The file is malformed.
        LimitError: The texture is too large.
        UnsupportedError: Its format is not read.
    """
    header, start = read_prefix(DdsHeader, data, limits=limits)
    for size, wanted, at, path in (
        (header.size, 124, 4, "size"), (header.format.size, 32, FORMAT_AT, "format.size"),
    ):  # fmt: skip
        if size != wanted:
            raise FormatError(f"expected {wanted}, got {size}", offset=at, path=path)
    form = _format(header)
    shape, layered, extent = _shape(header)
    extent.check(limits, SIZE_AT)
    sizes = [extent.size(number, form) for number in range(extent.levels)]
    layer = sum(sizes)
    needed, left = layer * extent.layers, len(data) - start
    if left < needed:
        raise FormatError(
            f"expected {needed:,} bytes of texels, got {left:,}", offset=start, path="texels"
        )
    whole = np.frombuffer(data, np.uint8, needed, start).reshape(extent.layers, layer)
    starts = np.cumsum([0, *sizes])
    levels: list[Array] = [
        np.ascontiguousarray(whole[:, at : at + size])
        for at, size in zip(starts.tolist(), sizes, strict=False)
    ]
    return image(form, shape, layered, extent, levels)


def _shape(header: DdsHeader) -> tuple[Shape, bool, TextureSize]:
    """Return the shape, whether it is an array, and the size."""
    levels = max(1, header.levels)
    width, height = header.width, header.height
    for size, at, path in ((height, SIZE_AT, "height"), (width, SIZE_AT + 4, "width")):
        if not size:
            raise FormatError("expected at least 1, got 0", offset=at, path=path)
    more = header.dx10
    if more is None:
        if header.caps2 & Capabilities.CUBE:
            if header.caps2 & Capabilities.FACES != Capabilities.FACES:
                raise UnsupportedError("a cube texture of fewer than six faces cannot be read")
            return Shape.CUBE, False, TextureSize(width, height, 1, 6, levels)
        if header.caps2 & Capabilities.VOLUME:
            return Shape.D3, False, TextureSize(width, height, max(1, header.depth), 1, levels)
        return Shape.D2, False, TextureSize(width, height, 1, 1, levels)
    layers = more.layers or 1  # Pillow writes 0
    match more.dimension:
        case DdsDimension.D1:
            return Shape.D1, layers > 1, TextureSize(width, 1, 1, layers, levels)
        case DdsDimension.D2 if more.flags & IS_CUBE:
            extent = TextureSize(width, height, 1, 6 * layers, levels)
            return Shape.CUBE, layers > 1, extent
        case DdsDimension.D2:
            return Shape.D2, layers > 1, TextureSize(width, height, 1, layers, levels)
        case DdsDimension.D3 if layers == 1:
            return Shape.D3, False, TextureSize(width, height, max(1, header.depth), 1, levels)
        case DdsDimension.D3:
            problem = f"expected 1 for a 3D texture, got {layers}"
            raise FormatError(problem, offset=140, path="dx10.layers")
    raise FormatError(f"expected 2 to 4, got {more.dimension}", offset=132, path="dx10.dimension")


def _format(header: DdsHeader) -> StoredFormat:
    if header.dx10 is not None:
        number = header.dx10.format
        if number not in DXGI_FORMATS:
            raise UnsupportedError(f"texels of the DXGI format {number} cannot be read")
        return stored_format(DXGI_FORMATS[number])
    given = header.format
    if not given.flags & Flags.FOURCC:
        return _masked(given)
    letters = given.fourcc.to_bytes(4, "little")
    name = FOURCCS.get(letters.decode("latin-1")) or NUMBERS.get(given.fourcc)
    if name is None:
        shown = repr(letters.decode("latin-1")) if letters.isalnum() else given.fourcc
        raise UnsupportedError(f"texels of the FourCC {shown} cannot be read")
    return stored_format(name)


def _masked(given: DdsPixelFormat) -> StoredFormat:
    """Return the format of masks: of colours, luminance, alpha, or signed components."""
    red, green, blue = (
        (given.red,) * 3 if given.flags & Flags.LUMINANCE
        else (given.red, given.green, given.blue)
    )  # fmt: skip
    if given.flags & Flags.YUV or not given.flags & (
        Flags.RGB | Flags.LUMINANCE | Flags.ALPHA | Flags.BUMP
    ):
        raise UnsupportedError(f"pixels with the flags 0x{given.flags:x} cannot be read")
    if given.flags & Flags.ALPHA and not given.flags & Flags.RGB:
        red = green = blue = 0
    has_alpha = given.flags & (Flags.ALPHA_PIXELS | Flags.ALPHA) or given.flags & Flags.BUMP
    masks = (red, green, blue, given.alpha if has_alpha else 0)
    if given.bits not in (8, 16, 24, 32) or not any(masks):
        raise FormatError(
            f"expected 8, 16, 24 or 32 bits with a mask, got {given.bits}",
            offset=FORMAT_AT + 12, path="format.bits",
        )  # fmt: skip
    components = []
    for channel, mask in enumerate(masks):
        if mask:
            low = (mask & -mask).bit_length() - 1
            bits = mask.bit_count()
            if mask >> low != (1 << bits) - 1 or mask >> given.bits:
                raise FormatError(
                    f"expected adjacent bits of {given.bits}, got the mask 0x{mask:x}",
                    offset=FORMAT_AT + 16 + 4 * channel, path="format",
                )  # fmt: skip
            components.append((channel, low, bits))
    kind = "SNORM" if given.flags & Flags.BUMP else "UNORM"
    words = ", ".join(f"{'RGBA'[channel]}{bits}" for channel, _, bits in components)
    pixels = PixelFormat(f"{words} {kind}", given.bits // 8, tuple(components), kind)
    return StoredFormat(pixels.name, 1, 1, pixels.size, pixels=pixels)
