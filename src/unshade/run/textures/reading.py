"""Texture files as arguments of kernels, recognised by their first bytes.

DDS, KTX 2.0         levels, layers, faces, slices, in the format of the file
OpenEXR, Radiance    floats
NPY                  the array
others               what Pillow reads
"""

from io import BytesIO
from typing import Any

from ...errors import LimitError, UnshadeError, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ..binding import deep_png, npy
from ..binding.pictures import pillow
from ..binding.sampler import Sampler, Texture
from ..binding.texels import pixels
from . import dds, exr, hdr, ktx2


def read_texture(
    data: bytes,
    *,
    mips: bool = False,
    srgb: bool = False,
    sampler: Sampler | str | None = None,
    limits: Limits = DEFAULT,
) -> Texture:
    """Return the texture in the bytes of a file; the options are as for `Texture`.

    Raises:
        FormatError: The file is malformed.
        LimitError: The file or the texture is too large.
        UnsupportedError: The format is not read, or a package is not installed.
        UsageError: Pillow does not read the file.
    """
    check_file_size(len(data), limits)
    made: Any
    if data.startswith(dds.MAGIC):
        made = dds.read_dds(data, limits)
    elif data.startswith(ktx2.IDENTIFIER):
        made, without_levels = ktx2.read_ktx2(data, limits)
        mips = mips or without_levels
    else:
        made = read_picture(data, limits)
    return Texture(made, mips=mips, srgb=srgb, sampler=sampler)


def read_picture(data: bytes, limits: Limits = DEFAULT) -> Any:
    """Return the array in the bytes of a picture that has neither levels nor layers."""
    if data.startswith(npy.MAGIC):
        return npy.read_npy(data)
    if data.startswith(exr.MAGIC):
        return exr.read_exr(data, limits)
    if data.startswith(hdr.MAGIC):
        return hdr.read_hdr(data, limits)
    if deep_png.is_deep(data):
        return deep_png.read_deep(data, limits)
    try:
        with pillow().open(BytesIO(data)) as found:
            texels = found.width * found.height
            if texels > limits.texels:
                raise LimitError("texels", limits.texels, texels)
            return pixels(found)
    except UnshadeError:
        raise
    except pillow().UnidentifiedImageError:
        raise UsageError("expected a picture or texture, got none of their formats") from None
    except Exception as error:  # of Pillow's plugins, any
        raise UsageError(f"expected a picture or texture: {error}") from None
