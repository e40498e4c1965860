"""The levels, layers and slices of a texture, cut from the bytes of a file.

level n is max(1, size >> n) texels along each axis but the axis of the layers, in whole blocks
"""

import numpy as np

from ...dataclass import dataclass
from ...errors import FormatError, LimitError
from ...ir.textures import Shape
from ...limits import Limits
from ...vm.launch import Array
from ..binding.texture_image import TextureImage
from .formats import StoredFormat

CHUNK = 1 << 18  # texels that are decoded at once: a decoder needs up to 300 bytes for each


@dataclass(frozen=True, slots=True)
class TextureSize:
    """The declared size of a texture; `layers` counts the faces of cubes."""

    width: int
    height: int
    depth: int
    layers: int
    levels: int

    def level(self, number: int) -> tuple[int, int, int]:
        """Return width, height and depth of a level."""
        width, height, depth = (
            max(1, each >> number) for each in (self.width, self.height, self.depth)
        )
        return width, height, depth

    @property
    def most_levels(self) -> int:
        """The number of levels down to a single texel."""
        return max(self.width, self.height, self.depth).bit_length()

    def size(self, number: int, form: StoredFormat) -> int:
        """Return the bytes of one layer of a level."""
        width, height, depth = self.level(number)
        return -(-width // form.width) * -(-height // form.height) * depth * form.size

    def check(self, limits: Limits, offset: int) -> None:
        """Raise an error if the size is impossible or exceeds the limit `texels`.

        `offset` is the place of the size in the file.
        """
        if not 1 <= self.levels <= self.most_levels:
            raise FormatError(
                f"expected 1 to {self.most_levels} mip levels, got {self.levels}",
                offset=offset, path="levels",
            )  # fmt: skip
        texels = self.width * self.height * self.depth * self.layers
        if texels > limits.texels:
            raise LimitError("texels", limits.texels, texels)


def image(
    form: StoredFormat,
    shape: Shape,
    layered: bool,
    extent: TextureSize,
    levels: list[Array],
    swizzle: str = "rgba",
) -> TextureImage:
    """Return the texture of stored levels; a level is the bytes of all its layers in order."""
    made = tuple(_level(form, extent, number, data) for number, data in enumerate(levels))
    return TextureImage(form.name, shape, layered, made, form.pixels, form.srgb, swizzle)


def _level(form: StoredFormat, extent: TextureSize, number: int, data: Array) -> Array:
    width, height, depth = extent.level(number)
    if form.decode is None:
        return data.reshape(extent.layers, depth, height, width, form.size)
    across, down = -(-width // form.width), -(-height // form.height)
    blocks = data.reshape(-1, form.size)
    step = CHUNK // (form.width * form.height)
    parts = [form.decode(blocks[at : at + step]) for at in range(0, len(blocks), step)]
    texels = np.concatenate(parts)
    whole = texels.reshape(extent.layers * depth, down, across, form.height, form.width, -1)
    whole = whole.transpose(0, 1, 3, 2, 4, 5)
    whole = whole.reshape(extent.layers, depth, down * form.height, across * form.width, -1)
    return np.ascontiguousarray(whole[:, :, :height, :width])
