"""Depth targets: the arrays that depths are tested against and written to, and their formats.

    array     format                   contents
    float32   D32_FLOAT                the depth; also float16 and float64
    uint16    D16_UNORM                depth * 65535
    uint32    D24_UNORM_S8_UINT        depth * 16777215 in the low 24 bits; the high 8 bits, which
              D24_UNORM_X8             may be a stencil, stay as they are

A depth is converted to the format before it is compared, so that equal numbers are equal depths.
Normalised depths are clamped to 0 to 1 and rounded to the nearest, halves upward; a NaN is 0.

Sources: Direct3D 11.3 functional specification, sections 3.2.3 (data conversion) and 17.12 (depth
comparison); Vulkan specification, Depth Test, and the layout of VK_FORMAT_X8_D24_UNORM_PACK32.
"""

from typing import Any

import numpy as np

from ...errors import UsageError
from ...vm.launch import Array
from ..binding.numbers import shown
from .clip import doubles

BITS = {np.dtype(np.uint16): 16, np.dtype(np.uint32): 24}  # of normalised depths


class DepthTarget:
    """An array of depths, (layers, height, width, samples)."""

    def __init__(self, array: Array) -> None:
        self.array = array
        bits = BITS.get(array.dtype)
        self._most = None if bits is None else (1 << bits) - 1
        # The bits beside the depth, which a write keeps.
        self._others = 0xFF00_0000 if bits == 24 else 0

    def encoded(self, depths: Array) -> Array:
        """Return depths in the format of the target."""
        if self._most is None:
            found: Array = depths.astype(self.array.dtype)
            return found
        clean = np.clip(np.where(np.isnan(depths), 0.0, depths), 0.0, 1.0)
        return np.floor(clean * np.float64(self._most) + 0.5).astype(self.array.dtype)

    @property
    def depths(self) -> Array:
        """The depths, encoded, in one dimension."""
        return self.only_depths(self.array.reshape(-1))

    def only_depths(self, held: Array) -> Array:
        """Return depths without the bits beside them."""
        return held & np.uint32(self._most or 0) if self._others else held

    def beside(self, held: Array) -> Array:
        """Return the bits beside depths."""
        return held & np.uint32(self._others)

    def read(self, place: tuple[Array, ...]) -> Array:
        """Return the depths of places, encoded."""
        return self.only_depths(self.array[place])

    def numbers(self, place: tuple[Array, ...]) -> Array:
        """Return the depths of places as numbers."""
        found = doubles(self.read(place))
        return found if self._most is None else found / self._most

    def write(self, place: tuple[Array, ...], depths: Array) -> None:
        """Write encoded depths to places."""
        if self._others:
            depths = self.array[place] & np.uint32(self._others) | depths
        self.array[place] = depths


def check_depth(given: Any, shape: tuple[int, ...]) -> None:
    """Raise UsageError unless an object is an array that depths can be drawn into."""
    if not isinstance(given, np.ndarray) or not (given.dtype.kind == "f" or given.dtype in BITS):
        raise UsageError(
            f"depth: expected an array of floats, uint16 or uint32, got {shown(given)}"
        )
    if given.shape != shape:
        raise UsageError(f"depth: expected an array {shape}, got {given.shape}")
    if not given.flags.writeable:
        raise UsageError("depth: expected an array that can be written")
