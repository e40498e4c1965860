"""OpenEXR files, by the package OpenEXR (extra `[scene]`): floats of 16 or 32 bits.

    R G B A              colours; A may be missing
    Y                    grey
    one other            a single channel, such as Z

The first of several parts is read, and the largest of several levels.
"""

from contextlib import redirect_stdout
from io import BytesIO, StringIO
from typing import Any

import numpy as np

from ...errors import LimitError, UnshadeError, UsageError, not_installed
from ...limits import Limits
from ...vm.launch import Array

MAGIC = b"v/1\x01"
COLOURS = ("R", "G", "B", "A")
NAMES = {1: "Y", 2: "RG", 3: "RGB", 4: "RGBA"}  # channels of an array by its components
MOST_CHANNELS = 64


def read_exr(data: bytes, limits: Limits) -> Array:
    """Return the array (height, width, channels) of an OpenEXR file.

    Raises:
        LimitError: The picture is too large.
        UnsupportedError: OpenEXR is not installed.
        UsageError: It cannot be read.
    """
    library = _library()
    try:
        header = library.File(BytesIO(data), header_only=True).header()
        (left, top), (right, bottom) = header["dataWindow"]
        texels = (int(right) - int(left) + 1) * (int(bottom) - int(top) + 1)
        if texels > limits.texels:
            raise LimitError("texels", limits.texels, texels)
        if len(header["channels"]) > MOST_CHANNELS:
            raise UsageError(f"expected an OpenEXR file of at most {MOST_CHANNELS} channels")
        with redirect_stdout(StringIO()):  # where it prints that texels are damaged
            found = library.File(BytesIO(data), separate_channels=True).channels()
        planes = {name: each.pixels for name, each in found.items()}
    except UnshadeError:
        raise
    except Exception as error:  # the package raises many kinds
        raise UsageError(f"expected an OpenEXR file: {error}") from None
    return _joined(planes)


def _joined(planes: dict[str, Any]) -> Array:
    """Return channels as components."""
    names = [each for each in COLOURS if each in planes]
    if not {"R", "G", "B"} & {*names} and "Y" in planes:
        grey = planes["Y"]
        alpha = planes.get("A", np.ones_like(grey))
        names, arrays = ["Y"], [grey, grey, grey, alpha]
    elif names:
        arrays = [planes[name] for name in names]
        if "A" in names and len(names) < 4:  # alpha is the fourth component
            none = np.zeros_like(planes["A"])
            arrays = [planes.get(name, none) for name in COLOURS]
    elif len(planes) == 1:
        arrays = [*planes.values()]
    else:
        words = ", ".join(sorted(planes)[:8]) or "none"
        raise UsageError(f"expected the channels R, G, B and A, or Y, or one; got {words}")
    shapes = {getattr(each, "shape", None) for each in arrays}
    if len(shapes) != 1 or None in shapes:
        raise UsageError("expected an OpenEXR file whose channels have one size and all texels")
    return np.stack(arrays, axis=-1)


def exr(array: Array) -> bytes:
    """Return an OpenEXR file of an array (height, width[, 1 to 4]) of floats or unsigned ints."""
    library = _library()
    if array.ndim == 2:
        array = array[..., np.newaxis]
    if array.dtype.kind in "iu":
        if array.dtype.kind == "i" and array.size and array.min() < 0:
            raise UsageError("expected floats or unsigned integers for .exr, got negative integers")
        array = array.astype("<u4")
    elif array.dtype != np.float16:
        array = array.astype("<f4")
    names = NAMES[array.shape[2]]
    channels = {name: np.ascontiguousarray(array[..., at]) for at, name in enumerate(names)}
    header = {"compression": library.ZIP_COMPRESSION, "type": library.scanlineimage}
    into = BytesIO()
    library.File(header, channels).write(into)
    return into.getvalue()


def _library() -> Any:
    try:
        import OpenEXR
    except ImportError:
        raise not_installed("an OpenEXR file", "OpenEXR", "scene") from None
    return OpenEXR
