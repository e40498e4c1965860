"""The resources of a frame while it runs: targets with their levels, textures, buffers, meshes."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import LimitError, UsageError, with_origin
from ...files import read_below
from ...limits import Limits
from ...vm.launch import Array
from ..binding.npy import read_npy
from ..binding.pixel_formats import PixelFormat
from ..binding.sampler import Texture
from ..binding.textures import halved
from ..raster.depth_target import DepthTarget
from ..raster.mesh import Mesh
from ..raster.mesh_files import mesh_of
from ..raster.target_formats import named_format
from ..textures.reading import read_texture
from .description import BufferDescription, FrameDescription, TargetDescription

DEPTHS: dict[str, np.dtype[Any]] = {
    "D32_FLOAT": np.dtype("<f4"), "D32_SFLOAT": np.dtype("<f4"), "D16_UNORM": np.dtype("<u2"),
    "D24_UNORM_S8_UINT": np.dtype("<u4"), "X8_D24_UNORM_PACK32": np.dtype("<u4"),
}  # fmt: skip
WIDEST = 1 << 14
DTYPES = ("float32", "float16", "int32", "uint32", "int16", "uint16", "int8", "uint8")


@dataclass(slots=True)
class FrameTarget:
    """A target: its array, the format of its texels (None: depth), and its smaller levels."""

    name: str
    array: Array
    described: TargetDescription
    pixels: PixelFormat | None
    smaller: list[Array] = field(default_factory=list)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        width, height = self.described.size
        return width, height

    def clear(self) -> None:
        """Fill the target with its clear value."""
        value = np.atleast_1d(np.asarray(self.described.clear, np.float64))
        if self.pixels is None:
            depth = DepthTarget(self.array)
            self.array[...] = depth.encoded(np.full(1, value[0]))[0]
            return
        colour = np.zeros((1, 4))
        colour[0, : len(value)] = value[:4]
        if len(value) == 1:
            colour[:] = value[0]
        integer = self.pixels.kind in ("UINT", "SINT")
        texel = self.pixels.encode(colour.astype(np.int64 if integer else "<f4"))
        self.array[...] = texel.reshape(-1).view(self.array.dtype).reshape(self.array.shape[2:])

    def texture(self) -> Texture:
        """Return the target as the argument of a shader; writes of the shader change it."""
        if self.pixels is None:
            return Texture(self.array)
        data = [self.array, *self.smaller] if self.smaller else self.array
        return Texture(data, format=self.pixels.name)

    def make_levels(self) -> None:
        """Make the smaller mip levels, each rounded to the format."""
        if self.pixels is None or self.pixels.kind in ("UINT", "SINT"):
            raise UsageError(f"mips: expected a target of colours, got {self.name}")
        self.smaller = []
        width, height = self.size
        now = self.decoded()
        while max(width, height) > 1:
            now = halved(halved(now, 0), 1)
            height, width = now.shape[:2]
            stored = self.pixels.encode(now.reshape(-1, 4))
            level = stored.reshape(-1).view(self.array.dtype)
            self.smaller.append(level.reshape(height, width, *self.array.shape[2:]))

    def decoded(self, *, linear: bool = True) -> Array:
        """Return the colours (height, width, 4), or depths (height, width).

        Unless they are to be `linear`, sRGB stays encoded, as in picture files.
        """
        if self.pixels is None:
            depth = DepthTarget(self.array)
            return depth.numbers((slice(None), slice(None))).astype("<f4")  # type: ignore[arg-type]
        form = self.pixels
        if form.kind == "SRGB" and not linear:
            form = replace(form, kind="UNORM")
        width, height = self.size
        texels = np.ascontiguousarray(self.array).reshape(-1).view(np.uint8)
        return form.decode(texels.reshape(width * height, -1)).reshape(height, width, 4)


class FrameResources:
    """The resources of a frame, read from its folder."""

    def __init__(self, described: FrameDescription, folder: str, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        names = [*described.targets, *described.textures, *described.buffers]
        twice = {each for each in names if names.count(each) > 1}
        if twice:
            raise UsageError(f"expected one resource of each name, got {min(twice)} twice")
        self.targets = {
            name: _target(name, each, limits) for name, each in described.targets.items()
        }
        self.textures: dict[str, Texture] = {}
        for name, texture in described.textures.items():
            with with_origin(texture.file):
                self.textures[name] = read_texture(
                    self.read(texture.file), mips=texture.mips, srgb=texture.srgb, limits=limits
                )
        self.buffers = {name: self._buffer(each) for name, each in described.buffers.items()}
        self.meshes: dict[str, Mesh] = {}
        for name, mesh in described.meshes.items():
            with with_origin(mesh.file):
                path = f"{folder}/{mesh.file}"
                self.meshes[name] = mesh_of(self.read(mesh.file), path, limits)

    def read(self, name: str) -> bytes:
        """Return the contents of a file below the folder."""
        return read_below(self.folder, name, self.limits.file_size)

    def _buffer(self, given: BufferDescription) -> Array:
        if given.dtype not in DTYPES:
            raise UsageError(f"dtype: expected one of {', '.join(DTYPES)}, got {given.dtype!r:.40}")
        if sum(each is not None for each in (given.file, given.data, given.zeros)) != 1:
            raise UsageError("expected a buffer with one of file, data and zeros")
        if given.zeros is not None:
            if not 0 < given.zeros <= self.limits.texels:
                raise LimitError("texels", self.limits.texels, given.zeros)
            return np.zeros(given.zeros, np.dtype(given.dtype))
        if given.file is None:
            try:
                return np.array(given.data, given.dtype)
            except (TypeError, ValueError, OverflowError) as error:
                raise UsageError(f"data: expected numbers of {given.dtype}: {error}") from None
        with with_origin(given.file):
            data = self.read(given.file)
            if given.file.lower().endswith(".npy"):
                return np.array(read_npy(data))
            size = np.dtype(given.dtype).itemsize
            return np.frombuffer(data[: len(data) // size * size], given.dtype).copy()


def _target(name: str, given: TargetDescription, limits: Limits) -> FrameTarget:
    """Return a new target, cleared."""
    if len(given.size) != 2 or not all(0 < each <= WIDEST for each in given.size):
        raise UsageError(f"targets.{name}.size: expected width and height from 1 to {WIDEST}, got"
                         f" {given.size}")  # fmt: skip
    width, height = given.size
    if width * height > limits.texels:
        raise LimitError("texels", limits.texels, width * height)
    plain = given.format.upper().removeprefix("DXGI_FORMAT_").removeprefix("VK_FORMAT_")
    if plain in DEPTHS:
        made = FrameTarget(name, np.zeros((height, width), DEPTHS[plain]), given, None)
    else:
        form = named_format(given.format)
        made = FrameTarget(name, form.new((height, width)), given, form.pixel)
    made.clear()
    return made
