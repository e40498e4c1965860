"""The resources of a frame while it runs: targets with their levels, textures, buffers, meshes."""

from math import prod
from typing import Any

import numpy as np

from ...dataclass import dataclass, field, replace
from ...errors import LimitError, UsageError, with_origin
from ...files import read_below
from ...ir.library.sample_positions import POSITIONS
from ...limits import Limits
from ...vm.launch import Array
from ..binding.npy import read_npy
from ..binding.numbers import shown
from ..binding.pixel_formats import PixelFormat
from ..binding.sampler import Texture
from ..binding.textures import halved
from ..meshes.files import mesh_of
from ..meshes.mesh import Mesh
from ..raster.depth_target import DepthTarget
from ..raster.resolve import (
    ResolveMode,
    resolved_colours,
    resolved_depths,
    resolved_stencils,
)
from ..raster.state import LAYERS
from ..raster.target_formats import TargetFormat, named_format
from ..textures.reading import read_texture
from .description import BufferDescription, FrameDescription, TargetDescription

DEPTHS: dict[str, np.dtype[Any]] = {
    "D32_FLOAT": np.dtype("<f4"), "D32_SFLOAT": np.dtype("<f4"), "D16_UNORM": np.dtype("<u2"),
    "D24_UNORM_S8_UINT": np.dtype("<u4"), "X8_D24_UNORM_PACK32": np.dtype("<u4"),
    "D32_FLOAT_S8X24_UINT": np.dtype("<f4"), "D32_SFLOAT_S8_UINT": np.dtype("<f4"),
    "D16_UNORM_S8_UINT": np.dtype("<u2"),
}  # fmt: skip
APART = ("D32_FLOAT_S8X24_UINT", "D32_SFLOAT_S8_UINT", "D16_UNORM_S8_UINT")  # stencils in an array
WIDEST = 1 << 14
DTYPES = ("float32", "float16", "int32", "uint32", "int16", "uint16", "int8", "uint8")


@dataclass(slots=True)
class FrameTarget:
    """A target: its array, the format of its texels (None: depth), and its smaller levels.

    The axes of the array are layers, height, width, samples and the items of a texel; layers and
    samples are there if the description has them. `stencils` are those of depths that have no room
    for them.
    """

    name: str
    array: Array
    described: TargetDescription
    pixels: PixelFormat | None
    smaller: list[Array] = field(default_factory=list)
    stencils: Array | None = None
    whole: bool = True  # not a layer

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        width, height = self.described.size
        return width, height

    @property
    def places(self) -> tuple[int, ...]:
        """The axes in front of the items of a texel."""
        return _places(self.described)

    def layer(self, number: int) -> "FrameTarget":
        """Return one layer as a target; both share their memory."""
        count = self.described.layers
        if count is None or not 0 <= number < count:
            room = "no layers" if count is None else f"{count} layers"
            raise UsageError(f"{self.name}[{number}]: the target has {room}")
        alone = replace(self.described, layers=None)
        smaller = [each[number] for each in self.smaller]
        name = f"{self.name}[{number}]"
        stencils = None if self.stencils is None else self.stencils[number]
        return FrameTarget(
            name, self.array[number], alone, self.pixels, smaller, stencils, whole=False
        )  # fmt: skip

    def clear(self) -> None:
        """Fill the target with its clear value."""
        value = self._clear_value()
        if self.pixels is None:
            depth = DepthTarget(self.array)
            cleared = depth.encoded(value[:1])[0]
            if self.stencils is not None:
                self.stencils[...] = int(value[1]) if len(value) > 1 else 0
            elif len(value) > 1:
                cleared = cleared | self.array.dtype.type(int(value[1]) << 24)
            self.array[...] = cleared
            return
        colour = np.zeros((1, 4))
        colour[0, : len(value)] = value
        if len(value) == 1:
            colour[:] = value[0]
        if self.pixels.kind in ("UINT", "SINT"):
            self._check_integers(colour[0])
            texel = self.pixels.encode(colour.astype(np.int64))
        else:
            texel = self.pixels.encode(colour.astype("<f4"))
        items = self.array.shape[len(self.places) :]
        self.array[...] = texel.reshape(-1).view(self.array.dtype).reshape(items)

    def _clear_value(self) -> Array:
        """Return the numbers of the clear value."""
        try:
            value = np.atleast_1d(np.asarray(self.described.clear, np.float64))
        except (TypeError, ValueError):
            value = np.zeros(0)
        most = 4
        if self.pixels is None:
            most = 2 if has_stencil(self.described.format) else 1
        if value.ndim != 1 or not 1 <= len(value) <= most:
            wanted = "a number" if most == 1 else f"1 to {most} numbers"
            raise UsageError(
                f"targets.{self.name}.clear: expected {wanted}, got {shown(self.described.clear)}"
            )
        if self.pixels is None and len(value) > 1 and value[1] not in range(256):
            raise UsageError(
                f"targets.{self.name}.clear: expected a stencil from 0 to 255, got {value[1]:g}"
            )
        if self.pixels is None and np.isnan(value[0]):
            raise UsageError(f"targets.{self.name}.clear: expected a depth, got {value[0]:g}")
        return value

    def _check_integers(self, colour: Array) -> None:
        """Raise UsageError for numbers that the texels of the target cannot hold."""
        assert self.pixels is not None
        for channel, _, bits in self.pixels.components:
            least, most = 0, (1 << bits) - 1
            if self.pixels.kind == "SINT":
                least, most = -(1 << bits - 1), (1 << bits - 1) - 1
            if not least <= colour[channel] <= most or colour[channel] % 1:
                raise UsageError(
                    f"targets.{self.name}.clear: expected integers from {least} to {most}, got"
                    f" {colour[channel]:g}"
                )

    def texture(self) -> Texture:
        """Return the target as the argument of a shader; writes of the shader change it."""
        if self.pixels is None:
            return Texture(self._depths(self.array) if self.array.itemsize == 4 else self.array)
        data = [self.array, *self.smaller] if self.smaller else self.array
        return Texture(data, format=self.pixels.name)

    def make_levels(self) -> None:
        """Make the smaller mip levels, each rounded to the format."""
        if self.pixels is None or self.pixels.kind in ("UINT", "SINT"):
            raise UsageError(f"mips: expected a target of colours, got {self.name}")
        if self.described.samples > 1:
            raise UsageError(f"mips: expected a target of one sample, got {self.name}")
        self.smaller = []
        width, height = self.size
        now = self.decoded()
        while max(width, height) > 1:
            now = halved(halved(now, now.ndim - 3), now.ndim - 2)
            height, width = now.shape[-3:-1]
            stored = self.pixels.encode(now.reshape(-1, 4))
            level = stored.reshape(-1).view(self.array.dtype)
            items = self.array.shape[len(self.places) :]
            self.smaller.append(level.reshape(*now.shape[:-1], *items))

    def copy_rest_to(self, other: "FrameTarget") -> None:
        """Copy stencils and mip levels to a target of the same size and format."""
        if (self.stencils is None) != (other.stencils is None):
            raise UsageError("copy: expected resources of one format, got one without a stencil")
        if self.stencils is not None and other.stencils is not None:
            other.stencils[...] = self.stencils
        if len(self.smaller) == len(other.smaller):
            for mine, level in zip(self.smaller, other.smaller, strict=True):
                level[...] = mine
        elif other.whole:
            other.smaller = [each.copy() for each in self.smaller]
        else:
            raise UsageError(
                f"copy: expected a destination of {len(self.smaller) + 1} mip levels, got"
                f" {other.name} with {len(other.smaller) + 1}"
            )

    def resolve_into(self, other: "FrameTarget", mode: ResolveMode | None) -> None:
        """Write one number for the samples of each pixel into another target."""
        if self.described.samples == 1 or other.described.samples != 1:
            raise UsageError(
                "resolve: expected a source of several samples, and a destination of 1"
            )
        made = self._resolved(mode)
        same = made.shape == other.array.shape and made.dtype == other.array.dtype
        stencils = (self.stencils is None) == (other.stencils is None)
        if not same or not stencils or self.pixels != other.pixels:
            raise UsageError(
                f"resolve: expected targets of one size and format, got {self.described.format}"
                f" {self.places} and {other.described.format} {other.places}"
            )
        other.array[...] = made
        if self.stencils is not None and other.stencils is not None:
            first = np.zeros((*self.places[:-1], 1), np.int64)
            single = None if mode is ResolveMode.AVERAGE else mode  # stencils have no average
            other.stencils[...] = resolved_stencils(self.stencils, first, single)

    def _resolved(self, mode: ResolveMode | None) -> Array:
        """Return the array without samples."""
        if self.described.samples == 1:
            return self.array
        first = np.zeros((*self.places[:-1], 1), np.int64)
        if self.pixels is None:
            return resolved_depths(self.array, first, mode)
        form = TargetFormat(self.pixels)
        return resolved_colours(self.array, first, mode, form, floats=True)

    def decoded(self, *, linear: bool = True) -> Array:
        """Return the colours ([layers, ]height, width, 4), or the depths without the last axis.

        Unless they are to be `linear`, sRGB stays encoded, as in picture files. Several samples are
        resolved.
        """
        array = self._resolved(None)
        if self.pixels is None:
            return self._depths(array)
        form = self.pixels
        if form.kind == "SRGB" and not linear:
            form = replace(form, kind="UNORM")
        places = _places(replace(self.described, samples=1))
        texels = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        return form.decode(texels.reshape(prod(places), -1)).reshape(*places, 4)

    def _depths(self, array: Array) -> Array:
        """Return depths as numbers, without stencils."""
        return DepthTarget(array).numbers((...,)).astype("<f4")  # type: ignore[arg-type]


def _places(given: TargetDescription) -> tuple[int, ...]:
    """Return the axes of a target in front of the items of a texel."""
    width, height = given.size
    layers = () if given.layers is None else (given.layers,)
    return (*layers, height, width, *((given.samples,) if given.samples > 1 else ()))


class FrameResources:
    """The resources of a frame, read from its folder."""

    def __init__(self, described: FrameDescription, folder: str, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        names = [*described.targets, *described.textures, *described.buffers]
        twice = {each for each in names if names.count(each) > 1}
        if twice:
            raise UsageError(f"expected one resource of each name, got {min(twice)} twice")
        self.texels = 0  # of all targets and buffers
        self.targets = {name: self._target(name, each) for name, each in described.targets.items()}
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

    def _target(self, name: str, given: TargetDescription) -> FrameTarget:
        """Return a new target, cleared."""
        check_target(name, given)
        self._count(prod(_places(given)))
        made = _new(name, given)
        made.clear()
        return made

    def _count(self, texels: int) -> None:
        """Count texels of targets and items of buffers; LimitError if all are too many."""
        self.texels += texels
        if self.texels > self.limits.texels:
            raise LimitError("texels", self.limits.texels, self.texels)

    def read(self, name: str) -> bytes:
        """Return the contents of a file below the folder."""
        return read_below(self.folder, name, self.limits.file_size)

    def _buffer(self, given: BufferDescription) -> Array:
        if given.dtype not in DTYPES:
            raise UsageError(f"dtype: expected one of {', '.join(DTYPES)}, got {given.dtype!r:.40}")
        if sum(each is not None for each in (given.file, given.data, given.zeros)) != 1:
            raise UsageError("expected a buffer with one of file, data and zeros")
        if given.zeros is not None:
            if given.zeros <= 0:
                raise UsageError(f"zeros: expected a number above 0, got {given.zeros}")
            self._count(given.zeros)
            return np.zeros(given.zeros, np.dtype(given.dtype))
        if given.file is None:
            try:
                return np.array(given.data, given.dtype)
            except (TypeError, ValueError, OverflowError) as error:
                raise UsageError(f"data: expected numbers of {given.dtype}: {error}") from None
        with with_origin(given.file):
            data = self.read(given.file)
            if given.file.lower().endswith(".npy"):
                return np.array(read_npy(data), order="C")
            size = np.dtype(given.dtype).itemsize
            if len(data) % size:
                raise UsageError(
                    f"expected a multiple of {size} bytes for {given.dtype}, got {len(data):,}"
                )
            return np.frombuffer(data, given.dtype).copy()


def check_target(name: str, given: TargetDescription) -> None:
    """Raise UsageError for a size, samples or layers that no target has."""
    if len(given.size) != 2 or not all(0 < each <= WIDEST for each in given.size):
        raise UsageError(f"targets.{name}.size: expected width and height from 1 to {WIDEST}, got"
                         f" {given.size}")  # fmt: skip
    if given.samples not in POSITIONS:
        counts = ", ".join(map(str, POSITIONS))
        raise UsageError(f"targets.{name}.samples: expected {counts}, got {given.samples}")
    if given.layers is not None and not 1 <= given.layers <= LAYERS:
        raise UsageError(f"targets.{name}.layers: expected 1 to {LAYERS}, got {given.layers}")


def _plain(name: str) -> str:
    """Return the name of a format without the prefix of an API."""
    return name.upper().removeprefix("DXGI_FORMAT_").removeprefix("VK_FORMAT_")


def has_stencil(name: str) -> bool:
    """Return whether a format of depth has a stencil."""
    return "_S8" in _plain(name)


def _new(name: str, given: TargetDescription) -> FrameTarget:
    """Return a new target."""
    places = _places(given)
    plain = _plain(given.format)
    if plain in DEPTHS:
        made = FrameTarget(name, np.zeros(places, DEPTHS[plain]), given, None)
        if plain in APART:
            made.stencils = np.zeros(places, np.uint8)
        return made
    form = named_format(given.format)
    return FrameTarget(name, form.new(places), given, form.pixel)
