"""Texels of any format as the kernels see them: four 32-bit components, and back.

    uint8   0 … 255     what the shader declares: float, unorm     0.0 … 1.0
    int8  -128 … 127                              float, snorm    -1.0 … 1.0
    uint8, uint16, uint32                         uint            the number
    float16, float32                              float, unorm, snorm

Components that a format lacks are 0, the fourth is 1. Numbers are rounded and clamped as the public
documentation "Data conversion rules" of Direct3D specifies: to unorm and snorm to the nearest,
halves away from zero, NaN to 0; integers are clamped. To float16 they are rounded to the nearest:
`ir.library.formats` explains why, and converts stored values in the same way.
"""

from typing import Any

import numpy as np

from ...errors import UsageError
from ...ir.library.sampling import TexelFormat
from ...vm.launch import Array

FLOATS = frozenset({"float", "unorm", "snorm", "mixed", "double"})


def kind_of(returns: tuple[str, ...]) -> str:
    """Return the type of the components in the shader: float, sint or uint."""
    word = returns[0] if returns else "float"
    return word if word in ("sint", "uint") else "float"


def accepted(returns: tuple[str, ...], atomic: bool = False, wide: int = 0) -> tuple[str, ...]:
    """Return the dtypes of arrays for texels of a type; atomics need the full width.

    Numbers of 64 bits (`wide`) may also be two of 32 bits, the low word first.
    """
    word = returns[0] if returns else "float"
    if wide:
        return ("int64", "int32") if word == "sint" else ("uint64", "uint32")
    if atomic:
        return ({"sint": "int32", "uint": "uint32"}.get(word, "float32"),)
    return {
        "sint": ("int8", "int16", "int32"),
        "uint": ("uint8", "uint16", "uint32"),
        "unorm": ("uint8", "uint16", "float16", "float32"),
        "snorm": ("int8", "int16", "float16", "float32"),
    }.get(word, ("uint8", "uint16", "int8", "int16", "float16", "float32"))


def check(
    array: Array, returns: tuple[str, ...], where: str, atomic: bool = False, wide: int = 0
) -> None:
    """Raise UsageError if an array's dtype does not suit the texels.

    Integers of full width may have the other sign, and numbers of 64 bits be floats: their bits are
    kept, as by a view of a resource.
    """
    allowed = accepted(returns, atomic, wide)
    full = ("int32", "uint32", *(("int64", "uint64", "float64") if wide else ()))
    same_bits = kind_of(returns) != "float" and array.dtype.name in full
    if array.dtype.name not in allowed and not same_bits:
        kind = (returns[0] if returns else "float") + (" with atomics" if atomic else "")
        raise UsageError(
            f"{where}: expected texels of {kind} in an array of {', '.join(allowed)}, got"
            f" {array.dtype}; use array.astype(np.{allowed[-1]})"
        )


def format_of(dtype: np.dtype[Any], returns: tuple[str, ...]) -> TexelFormat:
    """Return the format in which an array of this dtype stores texels."""
    if dtype.itemsize >= 4:
        return TexelFormat.WIDE
    if dtype.kind == "f":
        return TexelFormat.FLOAT16
    kind = kind_of(returns)
    if kind == "float":
        kind = "unorm" if dtype.kind == "u" else "snorm"
    return TexelFormat(f"{kind}{8 * dtype.itemsize}")


def range_of(dtype: np.dtype[Any], returns: tuple[str, ...]) -> tuple[float, float] | None:
    """Return the range of the numbers in the shader; None for floats and 32-bit integers."""
    if dtype.kind == "f" or dtype.itemsize >= 4:
        return None
    if kind_of(returns) == "float":
        return (0.0, 1.0) if dtype.kind == "u" else (-1.0, 1.0)
    bounds = np.iinfo(dtype)
    return float(bounds.min), float(bounds.max)


def is_image(given: Any) -> bool:
    """Return whether a value is a Pillow image, without importing Pillow."""
    return isinstance(getattr(given, "mode", None), str) and hasattr(given, "convert")


def pixels(given: Any) -> Any:
    """Return a Pillow image as an array of four components, grey as (v, v, v, 1); other values
    unchanged.
    """
    if not is_image(given):
        return given
    mode = given.mode if given.mode in ("F", "I", "I;16") else "RGBA"
    array = np.asarray(given if given.mode == mode else given.convert(mode))
    if mode == "RGBA":
        return array
    if mode == "I" and 0 <= array.min() <= array.max() < 1 << 16:
        array = array.astype("<u2")
    opaque = 0xFFFF if array.dtype.itemsize == 2 else 1
    return np.stack([array, array, array, np.full_like(array, opaque)], -1)


def decode(array: Array, returns: tuple[str, ...]) -> Array:
    """Convert texels (…, components) to (…, 4) of float32, int32 or uint32."""
    kind = kind_of(returns)
    if array.dtype.itemsize == 8:
        array = np.ascontiguousarray(array).view("<u4")
    components = array.shape[-1]
    if components == 4:
        return (
            as_floats(array)
            if kind == "float"
            else array.astype("<i4" if kind == "sint" else "<u4")
        )
    if kind != "float":
        made = np.zeros((*array.shape[:-1], 4), "<i4" if kind == "sint" else "<u4")
        made[..., 3] = 1
        made[..., :components] = array
        return made
    made = np.zeros((*array.shape[:-1], 4), "<f4")
    made[..., 3] = 1.0
    made[..., :components] = as_floats(array)
    return made


def as_floats(array: Array) -> Array:
    """Convert normalised integers and floats to float32."""
    if array.dtype.kind == "f":
        return array.astype("<f4")
    most = np.float32(np.iinfo(array.dtype).max)
    return np.maximum(array.astype("<f4") / most, np.float32(-1.0))


def halves_of(numbers: Array) -> Array:
    """Return the nearest halves of floats; any NaN is one, which NumPy converts in two ways."""
    with np.errstate(over="ignore", invalid="ignore"):
        made = numbers.astype("<f2")
    made[np.isnan(numbers)] = np.nan
    return made


def linear_of(colour: Array) -> Array:
    """Convert sRGB to linear."""
    high = ((colour + np.float32(0.055)) / np.float32(1.055)) ** np.float32(2.4)
    return np.where(colour <= 0.04045, colour / np.float32(12.92), high)


def srgb_of(colour: Array) -> Array:
    """Convert linear numbers from 0 to 1 to sRGB."""
    with np.errstate(invalid="ignore"):  # of signalling NaNs
        colour = np.clip(colour, 0.0, 1.0)
        high = np.float32(1.055) * colour ** np.float32(1 / 2.4) - np.float32(0.055)
        return np.where(colour <= 0.0031308, colour * np.float32(12.92), high)


def encode(texels: Array, dtype: np.dtype[Any], components: int) -> Array:
    """Convert texels (…, 4) to the dtype of an array."""
    given = texels[..., : components * max(dtype.itemsize // 4, 1)]
    if given.dtype.kind in "iu" and dtype.itemsize >= 4:
        return np.ascontiguousarray(given).view(dtype)
    if given.dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        return np.clip(given.astype(np.int64), bounds.min, bounds.max).astype(dtype)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return given.astype(dtype)
    return quantised(given, dtype)


def quantised(numbers: Array, dtype: np.dtype[Any]) -> Array:
    """Convert numbers to normalised integers."""
    most = np.float32(np.iinfo(dtype).max)
    low = np.float32(0.0 if dtype.kind == "u" else -1.0)
    clean = np.where(np.isnan(numbers), np.float32(0.0), numbers)
    scaled = np.clip(clean, low, np.float32(1.0)) * most
    half = np.copysign(np.float32(0.5), scaled)
    return np.trunc(scaled.astype(np.float64) + half).astype(dtype)
