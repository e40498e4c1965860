"""KTX 2.0 files: a header, an index of the mip levels, descriptions, the levels.

    +0   identifier, VkFormat, sizes, layers, faces, levels, supercompression
    +48  places of the data format descriptor, of key and value data, of supercompression data
    +80  for each level: offset, bytes, bytes before supercompression
    then the smallest level first; in a level: layers, of each its faces, of each its slices

Levels may be compressed as a whole with Zstandard or zlib. BasisLZ and UASTC are for transcoders to
other formats, and refused.

Source: Khronos KTX 2.0 specification.
"""

import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...enums import IntEnum
from ...errors import FormatError, LimitError, UnsupportedError, not_installed
from ...ir.textures import Shape
from ...limits import DEFAULT, Limits
from ...vm.launch import Array
from ...wire import Record, array, field, magic, read, u32, u64
from ..binding.texture_image import ONES, TextureImage
from .formats import StoredFormat, stored_format
from .subresources import TextureSize, image
from .vulkan import VK_FORMATS

SOURCE = "Khronos KTX 2.0 specification"
IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"
SIZE_AT, INDEX_AT = 20, 80
SWIZZLE = b"KTXswizzle"
MODELS = {163: "ETC1S", 166: "UASTC", 167: "UASTC HDR"}  # colour models of transcoders


class Supercompression(IntEnum):
    """The compression of levels."""

    NONE = 0
    BASIS_LZ = 1
    ZSTANDARD = 2
    ZLIB = 3


class LevelIndex(Record, source=SOURCE):
    """The place of a mip level."""

    offset: u64 = field("from the start of the file")
    size: u64 = field("bytes in the file")
    inflated: u64 = field("bytes before supercompression")


class KtxFile(Record, source=SOURCE):
    """The header of a KTX 2.0 file and its index of levels."""

    identifier: bytes = magic("identifies the format", IDENTIFIER)
    format: u32 = field("number of VkFormat; 0 is a format that only the descriptor describes")
    type_size: u32 = field("bytes of a component, for machines of the other byte order", default=1)
    width: u32 = field("texels of a row")
    height: u32 = field("rows; 0 for a 1D texture")
    depth: u32 = field("slices; 0 for 1D, 2D and cube textures")
    layers: u32 = field("elements of the array; 0 if it is none")
    faces: u32 = field("6 for cubes, else 1", default=1)
    levels: u32 = field("mip levels; 0: one, and the reader makes the others")
    supercompression: u32 = field("compression of the levels", enum=Supercompression)
    descriptor_at: u32 = field("offset of the data format descriptor")
    descriptor_size: u32 = field("its bytes")
    values_at: u32 = field("offset of key and value data")
    values_size: u32 = field("its bytes")
    global_at: u64 = field("offset of supercompression data")
    global_size: u64 = field("its bytes")
    index: list[LevelIndex] = array("the levels, the largest first", LevelIndex,
                                    count="levels or 1")  # fmt: skip


def read_ktx2(data: bytes, limits: Limits = DEFAULT) -> tuple[TextureImage, bool]:
    """Return the texture of a KTX 2.0 file, and whether the reader shall make its mip levels.

    Raises:
        FormatError: The file is malformed.
        LimitError: The texture is too large.
        UnsupportedError: Its format or supercompression is not read.
    """
    found = read(KtxFile, data, limits=limits)
    form = _format(found, data)
    shape, extent = _shape(found)
    extent.check(limits, SIZE_AT)
    inflate = _inflater(found.supercompression)
    total = extent.layers * sum(extent.size(each, form) for each in range(extent.levels))
    if inflate is not None and total > limits.inflated:
        raise LimitError("inflated", limits.inflated, total)
    levels = [
        _level(data, number, index, extent.layers * extent.size(number, form), inflate)
        for number, index in enumerate(found.index)
    ]
    swizzle = _swizzle(found, data)
    made = image(form, shape, found.layers > 0, extent, levels, swizzle)
    return made, found.levels == 0 and form.decode is None


def _format(found: KtxFile, data: bytes) -> StoredFormat:
    if found.supercompression == Supercompression.BASIS_LZ:
        raise UnsupportedError("a texture with the supercompression BasisLZ cannot be read")
    name = VK_FORMATS.get(found.format)
    if name is None:
        raise UnsupportedError(f"texels of the VkFormat {found.format} cannot be read")
    if found.format == 0:
        at = found.descriptor_at + 12  # after the sizes: the colour model
        model = data[at] if at < len(data) else 0
        what = MODELS.get(model, f"the colour model {model}")
        raise UnsupportedError(f"a texture of {what} without a VkFormat cannot be read")
    return stored_format(name)


def _shape(found: KtxFile) -> tuple[Shape, TextureSize]:
    problem = ""
    if not found.width:
        problem, at, path = "expected at least 1, got 0", SIZE_AT, "width"
    elif found.faces not in (1, 6):
        problem, at, path = f"expected 1 or 6, got {found.faces}", 36, "faces"
    elif found.depth and not found.height:
        problem, at, path = "expected at least 1 with a depth, got 0", SIZE_AT + 4, "height"
    elif found.depth and found.layers:
        problem, at, path = f"expected 0 with a depth, got {found.layers}", 32, "layers"
    elif found.faces == 6 and (found.depth or found.width != found.height):
        problem, at, path = "expected square faces of a cube", SIZE_AT, "width"
    if problem:
        raise FormatError(problem, offset=at, path=path)
    extent = TextureSize(
        found.width, found.height or 1, found.depth or 1, (found.layers or 1) * found.faces,
        found.levels or 1,
    )  # fmt: skip
    if found.faces == 6:
        return Shape.CUBE, extent
    if found.depth:
        return Shape.D3, extent
    return Shape.D2 if found.height else Shape.D1, extent


Inflate = Callable[[bytes, int], bytes]


def _level(
    data: bytes, number: int, index: LevelIndex, size: int, inflate: Inflate | None
) -> Array:
    """Return the bytes of a level."""
    at = INDEX_AT + 24 * number
    path = f"index[{number}]"
    if index.offset + index.size > len(data):
        raise FormatError(
            f"expected a level within {len(data):,} bytes, got {index.size:,} at"
            f" 0x{index.offset:x}",
            offset=at, path=path,
        )  # fmt: skip
    stored = memoryview(data)[index.offset : index.offset + index.size]
    if inflate is not None:
        if index.inflated != size:
            raise FormatError(
                f"expected {size:,} bytes before supercompression, got {index.inflated:,}",
                offset=at + 16, path=f"{path}.inflated",
            )  # fmt: skip
        try:
            stored = memoryview(inflate(bytes(stored), size))
        except (ValueError, EOFError) as error:
            raise FormatError(f"expected compressed texels: {error}", offset=index.offset,
                              path=path) from None  # fmt: skip
    if len(stored) != size:
        raise FormatError(
            f"expected {size:,} bytes of texels, got {len(stored):,}", offset=index.offset,
            path=path,
        )  # fmt: skip
    return np.frombuffer(stored, np.uint8)


def _inflater(scheme: int) -> Inflate | None:
    """Return the function that inflates a level to a known size, or None."""
    match scheme:
        case Supercompression.NONE:
            return None
        case Supercompression.ZLIB:
            return _zlib
        case Supercompression.ZSTANDARD:
            return partial(_zstandard, _zstandard_library())
    raise UnsupportedError(f"a texture with the supercompression {scheme} cannot be read")


def _zlib(data: bytes, size: int) -> bytes:
    """Inflate at most one byte more than a level has."""
    try:
        return zlib.decompressobj().decompress(data, size + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None


def _zstandard(library: Any, data: bytes, size: int) -> bytes:
    if hasattr(library, "ZstdDecompressor") and library.__name__ == "zstandard":
        import io

        try:
            with library.ZstdDecompressor().stream_reader(io.BytesIO(data)) as stream:
                made: bytes = stream.read(size + 1)
                return made
        except library.ZstdError as error:
            raise ValueError(str(error)) from None
    try:
        found: bytes = library.ZstdDecompressor().decompress(data, size + 1)
    except library.ZstdError as error:
        raise ValueError(str(error)) from None
    return found


def _zstandard_library() -> Any:
    """Return a module that inflates Zstandard: of Python 3.14, or the package."""
    try:
        from compression import zstd
    except ImportError:
        try:
            import zstandard
        except ImportError:
            raise not_installed(
                "a texture with the supercompression Zstandard", "zstandard", "scene"
            ) from None
        return zstandard
    return zstd


def _swizzle(found: KtxFile, data: bytes) -> str:
    """Return the order of the components from the key `KTXswizzle`."""
    at, end = found.values_at, found.values_at + found.values_size
    while at + 4 <= min(end, len(data)):
        size = int.from_bytes(data[at : at + 4], "little")
        key, _, value = data[at + 4 : at + 4 + size].partition(b"\0")
        if key == SWIZZLE:
            word = value.rstrip(b"\0").decode("latin-1")
            if len(word) != 4 or not set(word) <= set(ONES):
                raise FormatError(
                    f"expected four letters of {ONES}, got {word!r:.20}",
                    offset=at + 4, path="values.KTXswizzle",
                )  # fmt: skip
            return word
        at += 4 + (size + 3) // 4 * 4
    return "rgba"
