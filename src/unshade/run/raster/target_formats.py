"""The formats of render targets: names, or the dtype of an array.

    dtype, components   shader      format
    uint8, 4            float       R8G8B8A8_UNORM
    int16, 2            float       R16G16_SNORM
    uint8, 1            uint        R8_UINT
    float32, 4          float       R32G32B32A32_SFLOAT

A format with a name is held in an array whose texels have as many bytes as the format: R5G6B5_UNORM
in uint16 without components, B8G8R8A8_UNORM in four of uint8, blue first.
"""

from functools import cache
from math import prod
from typing import Any

import numpy as np

from ...dataclass import dataclass, replace
from ...errors import UsageError
from ...vm.launch import Array
from ..binding.numbers import shown
from ..binding.pixel_formats import PixelFormat, pixel_format

__all__ = ["TargetFormat", "format_of_array", "named_format"]

LETTERS = "RGBA"


@dataclass(frozen=True, slots=True)
class TargetFormat:
    """A format that is drawn into: how texels are read and written."""

    pixel: PixelFormat

    @property
    def kind(self) -> str:
        """The kind of its numbers: UNORM, SNORM, UINT, SINT, SRGB, SFLOAT or UFLOAT."""
        return self.pixel.kind

    @property
    def is_integer(self) -> bool:
        """True if its numbers are integers to a shader, which are not blended."""
        return self.kind in ("UINT", "SINT")

    @property
    def limits(self) -> tuple[float, float] | None:
        """The range that colours are clamped to before blending; None for floats."""
        return None if self.is_integer else self.pixel.range

    @property
    def has_logic(self) -> bool:
        """True if logic operations apply: they do not to floats and sRGB."""
        return self.kind in ("UINT", "SINT", "UNORM", "SNORM")

    def decode(self, held: Array) -> Array:
        """Return colours (n, 4) for the texels of an array, (n, items)."""
        return self.pixel.decode(_bytes(held))

    def encode(self, colours: Array, held: Array, channels: tuple[int, ...]) -> Array:
        """Return texels for colours; the other channels stay as in `held`."""
        made = _some(self.pixel, channels).encode(colours, _bytes(held))
        return made.view(held.dtype).reshape(held.shape)

    def combine(
        self, colours: Array, held: Array, channels: tuple[int, ...], operation: Any
    ) -> Array:
        """Return the texels that a bitwise operation on colours and texels yields."""
        before = _bytes(held)
        some = _some(self.pixel, channels)
        bits = self._low_bits(colours) if self.is_integer else colours
        made = operation(self.pixel.encode(bits, before), before)
        ones = np.zeros_like(before[:1])
        for _, low, count in some.components:
            for bit in range(low, low + count):
                ones[:, bit // 8] |= np.uint8(1 << bit % 8)
        kept: Array = (made & ones) | (before & ~ones)
        return kept.view(held.dtype).reshape(held.shape)

    def _low_bits(self, colours: Array) -> Array:
        """Return integers cut to the bits of each channel, so that none is clamped."""
        made = colours.astype(np.int64)
        for channel, _, bits in self.pixel.components:
            most = 1 << bits
            made[:, channel] &= most - 1
            if self.kind == "SINT":
                made[:, channel] -= np.where(made[:, channel] >= most >> 1, most, 0)
        return made

    def new(self, places: tuple[int, ...]) -> Array:
        """Return an array of zeros for texels at places, (*places, items)."""
        sizes = {bits for _, _, bits in self.pixel.components}
        size = sizes.pop()
        if not sizes and size in (8, 16, 32):
            letter = {"SFLOAT": "f", "SINT": "i", "SNORM": "i"}.get(self.kind, "u")
            return np.zeros((*places, self.pixel.size * 8 // size), f"<{letter}{size // 8}")
        return np.zeros((*places, 1), f"<u{self.pixel.size}")

    def check(self, array: Array, places: int, where: str) -> None:
        """Raise UsageError unless an array holds texels of the format after its first axes."""
        size = array.dtype.itemsize * prod(array.shape[places:])
        if size != self.pixel.size:
            raise UsageError(
                f"{where}: expected texels of {self.pixel.size} bytes for {self.pixel.name}, got"
                f" {array.shape[places:]} of {array.dtype}"
            )


def _bytes(held: Array) -> Array:
    count, items = held.shape
    flat = np.ascontiguousarray(held).reshape(-1).view(np.uint8)
    return flat.reshape(count, items * held.dtype.itemsize)


@cache
def _some(pixel: PixelFormat, channels: tuple[int, ...]) -> PixelFormat:
    """Return a format without the other channels, whose bits stay when texels are encoded."""
    return replace(pixel, components=tuple(x for x in pixel.components if x[0] in channels))


def named_format(name: Any) -> TargetFormat:
    """Return the format with a name; UsageError if it cannot be drawn into."""
    if not isinstance(name, str):
        raise UsageError(f"formats: expected a name as R8G8B8A8_UNORM, got {shown(name)}")
    return _named_format(name)


@cache
def _named_format(name: str) -> TargetFormat:
    pixel = pixel_format(name)
    if pixel.kind in ("USCALED", "SSCALED") or "D" in pixel.name.split("_")[0]:
        raise UsageError(f"formats: expected a format of colours, got {name}")
    return TargetFormat(pixel)


@cache
def format_of_array(dtype: np.dtype[Any], components: int, is_float: bool) -> TargetFormat | None:
    """Return the format of an array; None if no format has such numbers.

    `is_float` is whether the shader outputs floats. An array of 32-bit integers keeps their bits.
    """
    bits = 8 * dtype.itemsize
    if bits > 32 or components > 4 or dtype.kind not in "fiu":
        return None
    if dtype.kind == "f":
        kind = "SFLOAT"
    elif is_float and bits < 32:
        kind = "UNORM" if dtype.kind == "u" else "SNORM"
    else:
        kind = "UINT" if dtype.kind == "u" else "SINT"
    return TargetFormat(
        pixel_format("".join(f"{x}{bits}" for x in LETTERS[:components]) + f"_{kind}")
    )
