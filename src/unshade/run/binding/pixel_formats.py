"""Formats of pixels, read from their names in Vulkan and Direct3D, which describe them.

    B8G8R8A8_UNORM            four components of 8 bits, in memory blue first
    A2B10G10R10_UINT_PACK32   one integer of 32 bits; its first component has the highest bits
    R11G11B10_FLOAT           DXGI's name; its first component has the lowest bits
    D24_UNORM_S8_UINT         depth, which reads as red; stencil is not read
    X8_D24_UNORM_PACK32       the same bits, by Vulkan's name
    R9G9B9E5_SHAREDEXP        a common exponent, in the highest bits

Texels are decoded to four 32-bit numbers: missing components are 0, and 1 for the fourth. Encoding
rounds to the nearest, normalised numbers with halves away from zero as in `texels`, and clamps.
Unsigned floats have 5 bits of exponent and no sign: negative numbers become 0.

Sources: Vulkan specification, Format Definition; Direct3D 11.3 functional specification, section
19 (formats).
"""

import re
from functools import cache
from typing import Any

import numpy as np

from ...dataclass import dataclass
from ...errors import UnsupportedError, UsageError
from ...ir.library.sampling import TexelFormat
from ...vm.launch import Array
from . import texels
from .shared_exponent import of_words, to_words

__all__ = ["PixelFormat", "pixel_format"]

PREFIX = re.compile(r"^(?:VK_FORMAT_|DXGI_FORMAT_)")
NAME = re.compile(
    r"^((?:X8_)?(?:[RGBAXDSE]\d+)+)_([A-Z]+)(?:_([SX])8(?:_UINT)?)?(?:_PACK(8|16|32))?$"
)
COMPONENT = re.compile(r"([A-Z])(\d+)")
CHANNELS = {"R": 0, "G": 1, "B": 2, "A": 3, "D": 0}
KINDS = frozenset({
    "UNORM", "SNORM", "UINT", "SINT", "SFLOAT", "UFLOAT", "FLOAT", "SRGB", "USCALED", "SSCALED",
})  # fmt: skip
SHARED = "SHAREDEXP"  # the kind of both, and where components lie
SHARED_NAMES = frozenset({"R9G9B9E5_SHAREDEXP", "E5B9G9R9_UFLOAT_PACK32"})
SHARED_COMPONENTS = tuple((channel, 9 * channel, 9) for channel in range(3))
GREATEST = {11: 65024.0, 10: 64512.0}  # unsigned floats
LEAST_EXPONENT = -14


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """A format: for each component that is read (channel, lowest bit, number of bits)."""

    name: str
    size: int  # bytes
    components: tuple[tuple[int, int, int], ...]
    kind: str

    @property
    def returns(self) -> tuple[str, ...]:
        """The type of the components in a shader, as in `LoweredResource.returns`."""
        word = {"UINT": "uint", "SINT": "sint", "UNORM": "unorm", "SNORM": "snorm"}
        return (word.get(self.kind, "float"),) * 4

    @property
    def channels(self) -> int:
        """One more than the highest channel of the format: 4 for A8, since alpha is channel 3."""
        return max(channel for channel, _, _ in self.components) + 1

    @property
    def range(self) -> tuple[float, float] | None:
        """The range of the numbers in a shader; None for floats and 32-bit integers."""
        bits = max(each for _, _, each in self.components)
        match self.kind:
            case "UNORM" | "SRGB":
                return 0.0, 1.0
            case "SNORM":
                return -1.0, 1.0
            case "UINT" if bits < 32:
                return 0.0, float((1 << bits) - 1)
            case "SINT" if bits < 32:
                return -float(1 << bits - 1), float((1 << bits - 1) - 1)
        return None

    @property
    def stored(self) -> TexelFormat:
        """The precision of the components that a shader stores."""
        bits = tuple(each for _, _, each in self.components)
        if self.kind == "UFLOAT":
            return TexelFormat.UFLOAT11
        if bits == (10, 10, 10, 2) and self.kind in ("UNORM", "UINT"):
            return TexelFormat(f"{self.kind.lower()}10")
        name = f"{'float' if self.kind == 'SFLOAT' else self.kind.lower()}{bits[0]}"
        narrow = {each.value for each in TexelFormat}
        return TexelFormat(name) if len({*bits}) == 1 and name in narrow else TexelFormat.WIDE

    def decode(self, data: Array) -> Array:
        """Return texels (n, 4) of float32, int32 or uint32 from bytes (n, size)."""
        integer = self.kind in ("UINT", "SINT")
        kind = ("<i4" if self.kind == "SINT" else "<u4") if integer else "<f4"
        made = np.zeros((len(data), 4), kind)
        made[:, 3] = 1
        if self.kind == SHARED:
            made[:, :3] = of_words(np.ascontiguousarray(data).view("<u4").reshape(-1))
            return made
        for channel, low, bits in self.components:
            made[:, channel] = self._number(self._field(data, low, bits), channel, bits)
        return made

    def encode(self, numbers: Array, before: Array | None = None) -> Array:
        """Return bytes (n, size) from texels (n, 4); bits that no channel has stay as before."""
        count = len(numbers)
        made = np.zeros((count, self.size), np.uint8) if before is None else before.copy()
        if self.kind == SHARED:
            colours = self.decode(made)[:, :3]
            for channel, _, _ in self.components:
                colours[:, channel] = numbers[:, channel]
            return to_words(colours).view(np.uint8).reshape(count, self.size)
        for channel, low, bits in self.components:
            field = self._stored(numbers[:, channel], channel, bits).astype(np.uint64)
            first, last = low // 8, (low + bits - 1) // 8
            field = field << np.uint64(low % 8)
            mask = ((1 << bits) - 1) << low % 8
            for at in range(first, last + 1):
                shift = 8 * (at - first)
                keep = 0xFF & ~(mask >> shift)
                part = (field >> np.uint64(shift) & np.uint64(0xFF)).astype(np.uint8)
                made[:, at] = (made[:, at] & np.uint8(keep)) | part
        return made

    def _field(self, data: Array, low: int, bits: int) -> Array:
        """Return the unsigned integer in bits of each texel."""
        found = np.zeros(len(data), np.uint64)
        for at in range(low // 8, (low + bits - 1) // 8 + 1):
            found |= data[:, at].astype(np.uint64) << np.uint64(8 * (at - low // 8))
        return found >> np.uint64(low % 8) & np.uint64((1 << bits) - 1)

    def _number(self, field: Array, channel: int, bits: int) -> Array:
        signed = (field.astype(np.int64) ^ (1 << bits - 1)) - (1 << bits - 1)
        match self.kind:
            case "UINT" | "USCALED":
                return field
            case "SINT" | "SSCALED":
                return signed
            case "UNORM":
                return field.astype("<f4") / np.float32((1 << bits) - 1)
            case "SNORM":
                most = np.float32((1 << bits - 1) - 1)
                return np.maximum(signed.astype("<f4") / most, np.float32(-1.0))
            case "SRGB":
                unit: Array = field.astype("<f4") / np.float32((1 << bits) - 1)
                return unit if channel == 3 else texels.linear_of(unit)
        if bits == 32:
            return field.astype("<u4").view("<f4")
        if bits < 16:  # as a half without its sign and last bits
            field = field << np.uint64(15 - bits)
        return field.astype("<u2").view("<f2").astype("<f4")

    def _stored(self, numbers: Array, channel: int, bits: int) -> Array:
        whole = (1 << bits) - 1
        match self.kind:
            case "UINT":
                return np.clip(numbers.astype(np.int64), 0, whole)
            case "SINT":
                half = 1 << bits - 1
                return np.clip(numbers.astype(np.int64), -half, half - 1) & whole
            case "USCALED" | "SSCALED":
                low = 0 if self.kind == "USCALED" else -(1 << bits - 1)
                clean = np.where(np.isnan(numbers), 0, numbers)
                return np.clip(np.trunc(clean), low, whole + low).astype(np.int64) & whole
            case "UNORM":
                return _normalised(numbers, 0.0, whole)
            case "SNORM":
                return _normalised(numbers, -1.0, whole >> 1) & whole
            case "SRGB":
                unit = numbers if channel == 3 else texels.srgb_of(numbers)
                return _normalised(unit, 0.0, whole)
        if bits == 32:
            return np.ascontiguousarray(numbers, "<f4").view("<u4")
        with np.errstate(over="ignore"):
            if bits < 16:
                small = _unsigned_float(numbers.astype(np.float64), bits)
                return small.astype("<f2").view("<u2") >> np.uint16(15 - bits)
            return texels.halves_of(numbers).view("<u2")


def _normalised(numbers: Array, low: float, most: int) -> Array:
    clean = np.where(np.isnan(numbers), np.float32(0.0), numbers).astype(np.float64)
    scaled = np.clip(clean, low, 1.0) * most
    return np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int64)


def _unsigned_float(numbers: Array, bits: int) -> Array:
    """Round to floats without sign; 5 bits are the exponent, the others the significand."""
    digits = bits - 5
    with np.errstate(all="ignore"):
        _, exponents = np.frexp(numbers)
        step = 2.0 ** (np.maximum(exponents - 1, LEAST_EXPONENT) - digits)
        found = np.rint(numbers / step) * step
    found = np.where(numbers > 0, found, 0.0)
    found = np.where(np.isfinite(numbers), np.minimum(found, GREATEST[bits]), found)
    found = np.where(np.isposinf(numbers), np.inf, found)
    made: Array = np.where(np.isnan(numbers), np.nan, found)
    return made


@cache
def pixel_format(name: Any) -> PixelFormat:
    """Return a format by its name in Vulkan or DXGI, in any case, with or without its prefix.

    Raises:
        UsageError: The name is not a known format.
        UnsupportedError: The format is compressed, or has components of 64 bits.
    """
    plain = PREFIX.sub("", str(name).upper())
    if plain in SHARED_NAMES:
        return PixelFormat(plain, 4, SHARED_COMPONENTS, SHARED)
    match = NAME.match(plain.replace("_UNORM_SRGB", "_SRGB"))  # DXGI's name
    if match is None:
        if "BLOCK" in plain or plain.startswith("BC"):
            raise UnsupportedError(f"compressed pixels cannot be read: {name}")
        raise UsageError(f"unknown pixel format {name!r:.60}; expected a name as R8G8B8A8_UNORM")
    parts = [(letter, int(bits)) for letter, bits in COMPONENT.findall(match[1])]
    total = sum(bits for _, bits in parts)
    kind = match[2]
    if kind not in KINDS or total % 8 or any(bits > 64 for _, bits in parts):
        raise UsageError(f"unknown pixel format {name!r:.60}")
    if any(bits > 32 for _, bits in parts) or any(letter == "E" for letter, _ in parts):
        raise UnsupportedError(f"pixels of the format {name} cannot be read")
    if kind == "FLOAT":
        kind = "SFLOAT"
    found = []
    low = 0
    for letter, bits in reversed(parts) if match[4] else parts:
        if letter in CHANNELS:
            if kind == "SFLOAT" and bits < 16:
                kind = "UFLOAT"
            found.append((CHANNELS[letter], low, bits))
        low += bits
    size = total // 8 + (1 if match[3] and not match[4] else 0)
    if match[1] == "D32" and match[3]:
        size = 8
    return PixelFormat(plain, size, tuple(sorted(found)), kind)
