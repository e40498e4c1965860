"""Texels of any format as the kernels see them: four 32-bit components, and back.

    uint8   0 … 255     what the shader declares: float, unorm     0.0 … 1.0
    int8  -128 … 127                              float, snorm    -1.0 … 1.0
    uint8, uint16, uint32                         uint            the number
    float16, float32                              float, unorm, snorm

Components that a format lacks are 0, the fourth is 1. Numbers are rounded and clamped as the public
documentation "Data conversion rules" of Direct3D says: to unorm and snorm to the nearest, halves
away from zero, NaN to 0; integers are clamped.
"""

from typing import Any

import numpy as np

from ..errors import UsageError
from ..vm.launch import Array

FLOATS = frozenset({"float", "unorm", "snorm", "mixed", "double"})


def kind_of(returns: tuple[str, ...]) -> str:
    """What components are to the shader: float, sint or uint."""
    word = returns[0] if returns else "float"
    return word if word in ("sint", "uint") else "float"


def accepted(returns: tuple[str, ...]) -> tuple[str, ...]:
    """The dtypes of arrays that may stand for texels of that kind."""
    word = returns[0] if returns else "float"
    return {
        "sint": ("int8", "int16", "int32"),
        "uint": ("uint8", "uint16", "uint32"),
        "unorm": ("uint8", "uint16", "float16", "float32"),
        "snorm": ("int8", "int16", "float16", "float32"),
    }.get(word, ("uint8", "uint16", "int8", "int16", "float16", "float32"))


def check(array: Array, returns: tuple[str, ...], where: str) -> None:
    """UsageError where an array's dtype cannot hold such texels."""
    allowed = accepted(returns)
    if array.dtype.name not in allowed:
        told = returns[0] if returns else "float"
        raise UsageError(
            f"{where} holds texels of {told}: an array of {', '.join(allowed)} expected, not"
            f" {array.dtype}"
        )


def decode(array: Array, returns: tuple[str, ...], srgb: bool = False) -> Array:
    """Texels (…, components) as (…, 4) of float32, or of int32 and uint32."""
    kind = kind_of(returns)
    components = array.shape[-1]
    if kind != "float":
        made = np.zeros((*array.shape[:-1], 4), "<i4" if kind == "sint" else "<u4")
        made[..., 3] = 1
        made[..., :components] = array
        return made
    made = np.zeros((*array.shape[:-1], 4), "<f4")
    made[..., 3] = 1.0
    made[..., :components] = as_floats(array)
    if srgb:
        made[..., :3] = linear_of(made[..., :3])
    return made


def as_floats(array: Array) -> Array:
    """Normalised integers as numbers, floats as float32."""
    if array.dtype.kind == "f":
        return array.astype("<f4")
    most = np.float32(np.iinfo(array.dtype).max)
    return np.maximum(array.astype("<f4") / most, np.float32(-1.0))


def linear_of(colour: Array) -> Array:
    """sRGB to linear."""
    high = ((colour + np.float32(0.055)) / np.float32(1.055)) ** np.float32(2.4)
    return np.where(colour <= 0.04045, colour / np.float32(12.92), high)


def srgb_of(colour: Array) -> Array:
    """Linear to sRGB, of numbers from 0 to 1."""
    colour = np.clip(colour, 0.0, 1.0)
    high = np.float32(1.055) * colour ** np.float32(1 / 2.4) - np.float32(0.055)
    return np.where(colour <= 0.0031308, colour * np.float32(12.92), high)


def encode(texels: Array, dtype: np.dtype[Any], components: int) -> Array:
    """Texels (…, 4) as numbers of a format."""
    given = texels[..., :components]
    if given.dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        return np.clip(given.astype(np.int64), bounds.min, bounds.max).astype(dtype)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return given.astype(dtype)
    return quantised(given, dtype)


def quantised(numbers: Array, dtype: np.dtype[Any]) -> Array:
    """Numbers as normalised integers."""
    most = np.float32(np.iinfo(dtype).max)
    low = np.float32(0.0 if dtype.kind == "u" else -1.0)
    clean = np.where(np.isnan(numbers), np.float32(0.0), numbers)
    scaled = np.clip(clean, low, np.float32(1.0)) * most
    half = np.copysign(np.float32(0.5), scaled)
    return np.trunc(scaled.astype(np.float64) + half).astype(dtype)
