"""Result arrays as a line of text, as JSON and as the bytes of a file.

SV_Position  float32 (2, 4)  0 1 2 1, 3 4 5 1            rows of up to four, separated by commas
Y  {p, v} (2,)  {p 1 2, v 0 0} {p 3 4, v 0 0}            structures by member
[1.5, "NaN", "-Infinity"]                                numbers that JSON lacks, as strings
"""

import json
import math
import os
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..files import write_atomically

if TYPE_CHECKING:
    from .output import CommandOutput

OTHERS = (".hdr", ".dds", ".ktx", ".ktx2", ".npz", ".csv", ".txt", ".yaml")
PICTURES = (".exr", ".hdr")  # of floats, which are read as textures
TEXTURES = (".dds", ".ktx2")  # with levels and layers
NUMBERS = (".npy", ".json", ".exr")  # whose numbers are written as they are
IMAGES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".tga")
SHOWN = 8  # numbers shown of an array
WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

# ---------------------------------------------------------------- as a line


def line(name: str, array: Any) -> str:
    """Return a line for an array: name, type, shape, first numbers."""
    import numpy as np

    array = np.asarray(array)
    names = array.dtype.names
    kind = f"{{{', '.join(names)}}}" if names else str(array.dtype)
    count = max(1, SHOWN // _width(array.dtype)) if names else SHOWN
    first = array.reshape(-1)[:count]
    if not names and array.ndim > 1 and 1 < array.shape[-1] <= 4:
        rows = first[: SHOWN // array.shape[-1] * array.shape[-1]].reshape(-1, array.shape[-1])
        text, shown = ", ".join(_words(row) for row in rows), rows.size
    else:
        text, shown = _words(first), len(first)
    return f"{name}  {kind} {array.shape}  {text}{' …' if array.size > shown else ''}".rstrip()


def _width(dtype: Any) -> int:
    """Return the count of numbers in an element."""
    if dtype.names:
        return sum(_width(dtype[name]) for name in dtype.names)
    base, shape = dtype.subdtype or (dtype, ())
    return math.prod(shape) * (_width(base) if base.names else 1)


def _words(array: Any) -> str:
    """Return the numbers of a one-dimensional array as text; structures in braces."""
    names = array.dtype.names
    if names:
        texts = (", ".join(f"{name} {_words(one[name].reshape(-1))}" for name in names)
                 for one in array.reshape(-1, 1))  # fmt: skip
        return " ".join(f"{{{each}}}" for each in texts)
    return " ".join(f"{each:.9g}" if array.dtype.kind == "f" else str(each) for each in array)


# ---------------------------------------------------------------- as JSON


def plain(array: Any) -> Any:
    """Return an array as lists and numbers, structures as dicts, NaN and infinity as strings."""
    import numpy as np

    array = np.asarray(array)
    names = array.dtype.names
    if names:
        columns = [plain(array[name].reshape(array.size, *array.dtype[name].shape))
                   for name in names]  # fmt: skip
        flat = np.empty(array.size, object)
        for at, row in enumerate(zip(*columns, strict=True)):
            flat[at] = dict(zip(names, row, strict=True))
        return flat.reshape(array.shape).tolist()
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        worded = array.astype(object)
        for word, mask in (
            ("NaN", np.isnan(array)), ("Infinity", array == np.inf),
            ("-Infinity", array == -np.inf),
        ):  # fmt: skip
            worded[mask] = word
        return worded.tolist() if array.ndim else worded.item()
    return array.tolist()


def numbers_of(data: Any) -> Any:
    """Return JSON data with the strings for NaN and infinity converted back to numbers."""
    if isinstance(data, list):
        return [numbers_of(each) for each in data]
    if isinstance(data, dict):
        return {name: numbers_of(each) for name, each in data.items()}
    return WORDS.get(data, data) if isinstance(data, str) else data


# ---------------------------------------------------------------- as a file


def save(
    array: Any,
    path: str,
    out: "CommandOutput",
    suffix: str = "",
    *,
    bits: int = 8,
    in_place: bool = False,
) -> None:
    """Write an array atomically in the format of the path's suffix; for `-`, of `suffix`.

    `bits` is the number of bits of a component in a PNG.
    """
    if path == "-":
        out.binary(encoded(array, suffix, bits))
    else:
        write_atomically(path, encoded(array, suffix_of(path), bits), in_place=in_place)


def check_suffix(path: str) -> None:
    """Raise UsageError for the suffix of a format that is not written, such as .exr."""
    suffix = suffix_of(path)
    if suffix in OTHERS:
        known = ", ".join((*NUMBERS, *IMAGES))
        raise UsageError(f"-o {path}: expected one of {known}, or a suffix for bytes, got {suffix}")


def suffix_of(path: str) -> str:
    """Return the suffix in lower case: `.png`."""
    return os.path.splitext(path)[1].lower()


def encoded(array: Any, suffix: str, bits: int = 8) -> bytes:
    """Return an array encoded as .npy, .json, .exr or image; as raw bytes for other suffixes."""
    from io import BytesIO

    import numpy as np

    array = np.asarray(array)
    if suffix == ".npy":
        into = BytesIO()
        np.save(into, array, allow_pickle=False)
        return into.getvalue()
    if suffix == ".json":
        return (json.dumps(plain(array), allow_nan=False) + "\n").encode()
    if suffix == ".exr":
        from ..run.binding.pictures import check_image
        from ..run.textures.exr import exr

        check_image(array)
        return exr(array)
    if suffix in IMAGES:
        from ..run.binding.pictures import picture

        return picture(array, suffix, bits)
    data: bytes = array.tobytes()
    return data
