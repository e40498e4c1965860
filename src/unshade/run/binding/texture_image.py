"""The texels of a texture file: mip levels of layers, faces or slices, in the file's own format.

    levels[n]    (layers, depth, height, width, bytes)         pixels of a format
                 (layers, depth, height, width, components)    numbers, of blocks that are decoded

The layers of a cube are its faces: +x, -x, +y, -y, +z, -z, for each cube of an array.
"""

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...ir.lowered import LoweredResource
from ...ir.textures import Shape
from ...vm.launch import Array
from .pixel_formats import PixelFormat

WORDS = {Shape.D1: "1D", Shape.D2: "2D", Shape.D3: "3D", Shape.CUBE: "cube"}
ONES = "rgba01"


@dataclass(frozen=True, slots=True)
class TextureImage:
    """The contents of a texture file.

    Attributes:
        format: The name of the format in the file, as Vulkan or Direct3D spells it.
        shape: 1D, 2D, 3D or cube.
        layered: Whether it is an array.
        levels: The mip levels, the largest first.
        pixels: The format of the pixels, if the levels hold their bytes.
        srgb: Whether the numbers are sRGB. Pixels of an sRGB format are decoded by that.
        swizzle: Where the four components come from: letters of rgba, 0 and 1.
    """

    format: str
    shape: Shape
    layered: bool
    levels: tuple[Array, ...]
    pixels: PixelFormat | None = None
    srgb: bool = False
    swizzle: str = "rgba"

    @property
    def size(self) -> tuple[int, int, int]:
        """Width, height and depth."""
        _, depth, height, width, _ = self.levels[0].shape
        return width, height, depth

    @property
    def layers(self) -> int:
        """The number of layers, or of faces."""
        return int(self.levels[0].shape[0])

    def __str__(self) -> str:
        width, height, depth = self.size
        sizes = {Shape.D1: (width,), Shape.D3: (width, height, depth)}
        size = " x ".join(map(str, sizes.get(self.shape, (width, height))))
        count = self.layers // 6 if self.shape is Shape.CUBE else self.layers
        several = f" array of {count}," if self.layered else ""
        levels = f", {len(self.levels)} levels" if len(self.levels) > 1 else ""
        return f"{WORDS[self.shape]}{several} {size} {self.format}{levels}"

    def __repr__(self) -> str:
        return f"<TextureImage {self}>"


def levels_for(image: TextureImage, resource: LoweredResource, where: str) -> list[Array]:
    """Return the levels with the axes that a resource has; UsageError if they do not suit."""
    width, height, depth = image.size
    suits = not resource.multisampled
    match resource.shape:
        case Shape.D1:
            suits &= height == depth == 1
        case Shape.D2:
            suits &= depth == 1
        case Shape.D3:
            suits &= image.shape is Shape.D3 or (image.layers == 1 and depth == 1)
        case Shape.CUBE:
            suits &= image.layers % 6 == 0 and width == height and depth == 1
        case _:
            suits = False
    cube = resource.shape is Shape.CUBE
    if not resource.layered and image.layers != (6 if cube else 1):
        suits = False
    if not suits:
        wanted = WORDS.get(resource.shape or Shape.BUFFER, "buffer")
        if resource.multisampled:
            wanted = f"multisampled {wanted}"
        kind = f"{wanted} {'array of textures' if resource.layered else 'texture'}"
        raise UsageError(f"{where}: expected a {kind}, got {image}")
    axes = {Shape.D1: 1, Shape.D2: 2, Shape.D3: 3, Shape.CUBE: 2}[resource.shape or Shape.D2]
    first = int(resource.layered or cube)
    return [
        each.reshape(*each.shape[:first], *each.shape[4 - axes : 4], each.shape[4])
        for each in image.levels
    ]


def swizzled(image: TextureImage, texels: Array) -> Array:
    """Return texels (…, 4) with the components in the order that the file asks for."""
    if image.swizzle == "rgba":
        return texels
    extra = np.broadcast_to(np.array([0, 1], texels.dtype), (*texels.shape[:-1], 2))
    every = np.concatenate([texels, extra], axis=-1)
    return np.ascontiguousarray(every[..., [ONES.index(each) for each in image.swizzle]])
