"""Arrays as textures: the meaning of the axes, mip levels, and the two memories of each.

    1d (w) · 1d layers (n, w) · 2d (h, w) · 2d layers (n, h, w) · 3d (d, h, w) · cube (6, h, w)
    multisampled (h, w, samples); behind these an axis of 1 to 4 components may stand

    [a, b, c, d, e, f]   of one size: the elements of the first axis (faces, layers or slices)
    [a, b, c]            each half the size of its predecessor: mip levels

The memories are those that `ir.library.sampling` draws: texels, and the shape in front of the
numbers of each level's first texel.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...dataclass import dataclass, replace
from ...errors import UsageError
from ...ir.library.sampling import SHAPE_WORDS, TextureState
from ...ir.lowered import LoweredResource
from ...ir.textures import Shape
from ...vm.launch import Array
from . import texels
from .numbers import as_array, converted
from .pixel_formats import PixelFormat, pixel_format
from .sampler import Texture
from .texture_image import TextureImage, levels_for, swizzled

AXES: dict[Shape, tuple[str, ...]] = {
    Shape.BUFFER: ("texels",),
    Shape.D1: ("width",),
    Shape.D2: ("height", "width"),
    Shape.D3: ("depth", "height", "width"),
    Shape.CUBE: ("6", "height", "width"),
}


def axes(resource: LoweredResource) -> tuple[str, ...]:
    """Return the names of the axes of an array for a resource, without components."""
    found = AXES[resource.shape or Shape.BUFFER]
    if resource.shape is Shape.CUBE:
        found = ("6 x layers" if resource.layered else "6", *found[1:])
    elif resource.layered:
        found = ("layers", *found)
    return (*found, "samples") if resource.multisampled else found


def smallest(resource: LoweredResource) -> tuple[int, ...]:
    """Return the smallest shape for a resource: 1 along each axis, or six faces."""
    faces = 6 if resource.shape is Shape.CUBE else 1
    return (faces, *[1] * (len(axes(resource)) - 1))


def shape_in_words(resource: LoweredResource) -> str:
    """Return the axes as text: `(height, width[, 1 to 4])`."""
    several = "" if resource.wide == 1 else f"[, 1 to {resource.wide or 4}]"
    return f"({', '.join(axes(resource))}{several})"


@dataclass(slots=True)
class PackedTexture:
    """A texture or typed buffer as memories.

    `levels` are the bound arrays, `before` the original texels if the shader may write them.
    """

    texels: Array
    shape: Array
    state: TextureState
    levels: list[Array]
    format: PixelFormat | None = None
    before: Array | None = None


def pack(resource: LoweredResource, given: Any, where: str, atomic: bool = False) -> PackedTexture:
    """Convert the value of a texture to memories; `atomic` if the program has atomics on it."""
    options = given if isinstance(given, Texture) else Texture(given)
    image = options.data if isinstance(options.data, TextureImage) else None
    if image is not None:
        if options.format is not None:
            raise UsageError(f"{where}: format: the texture is stored as {image.format}")
        form, given_levels = image.pixels, levels_for(image, resource, where)
    else:
        form = pixel_format(options.format) if options.format is not None else None
        given_levels = _levels(resource, options.data)
    if form is not None:
        levels = [_formatted(resource, each, where, form) for each in given_levels]
        decoded = [_decoded(resource, each, form) for each in levels]
    else:
        levels = [_level(resource, each, where, atomic) for each in given_levels]
        decoded = [texels.decode(_with_components(resource, x), resource.returns) for x in levels]
    if options.srgb or (image is not None and image.srgb):
        if resource.writable:
            raise UsageError(
                f"{where}: srgb is for textures that are only read; Direct3D stores no sRGB"
            )
        colours = image is not None or levels[0].dtype == np.uint8
        if not colours or decoded[0].dtype.kind != "f":
            raise UsageError(f"{where}: srgb: expected colours of uint8, got {levels[0].dtype}")
        for each in decoded:
            each[..., :3] = texels.linear_of(each[..., :3])
    if image is not None:
        decoded = [swizzled(image, each) for each in decoded]
    spatial = len(axes(resource))
    if options.mips:
        if len(levels) > 1 or resource.multisampled or decoded[0].dtype.kind != "f":
            raise UsageError(f"{where}: mips: expected one level of floats")
        decoded = _smaller(resource, decoded[0])
    for number, each in enumerate(decoded):
        wanted = _shape_at(resource, decoded[0].shape[:spatial], number)
        if each.shape[:spatial] != wanted:
            raise UsageError(
                f"{where}: mip level {number}: expected {wanted}, since level 0 is"
                f" {decoded[0].shape[:spatial]}, got {each.shape[:spatial]}"
            )
    flat = [np.ascontiguousarray(each).reshape(-1, 4) for each in decoded]
    joined = flat[0]
    if len(flat) > 1 or any(np.may_share_memory(joined, each) for each in levels):
        joined = np.concatenate(flat)
    starts = np.cumsum([0, *(each.size // 4 for each in decoded)])[:-1]
    samples = decoded[0].shape[spatial - 1] if resource.multisampled else 1
    sizes = _shape_words(resource, decoded[0].shape, len(decoded), samples)
    shape = np.array([*sizes, *starts], "<u4")
    if form is not None:
        stored = form.stored
        state = TextureState(len(decoded), samples, form.channels, form.range)
    else:
        first = _with_components(resource, levels[0])
        stored = texels.format_of(first.dtype, resource.returns)
        limits = texels.range_of(first.dtype, resource.returns)
        words = first.shape[-1] * max(first.dtype.itemsize // 4, 1)
        state = TextureState(len(decoded), samples, words, limits)
    if resource.writable:
        state = replace(state, format=stored)
    data = joined.reshape(-1).view(np.uint8)
    before = data.copy() if resource.writable else None
    return PackedTexture(data, shape.view(np.uint8), state, levels, form, before)


def null(resource: LoweredResource) -> PackedTexture:
    """Return a texture without texels: every read and every query of its size gives 0."""
    state = TextureState(0, 0)
    shape = np.zeros(SHAPE_WORDS + 1, "<u4").view(np.uint8)
    return PackedTexture(np.zeros(0, np.uint8), shape, state, [])


def unpack(packed: PackedTexture, resource: LoweredResource) -> Array:
    """Return the largest level of a texture that was written, in the format of its array.

    Texels that the shader did not change keep the current bits of the array: a round trip through
    the conversion may lose bits, and another binding of the same array may have changed them.
    """
    array, form = packed.levels[0], packed.format
    if form is not None:
        whole = _pixels(resource, array, form)
    else:
        whole = _with_components(resource, array)
    made = whole.reshape(-1, whole.shape[-1]).copy()
    dtype = {"sint": "<i4", "uint": "<u4"}.get(texels.kind_of(resource.returns), "<f4")
    found = packed.texels.view(dtype)[: 4 * len(made)].reshape(-1, 4)
    assert packed.before is not None
    before = packed.before.view("<u4")[: found.size].reshape(-1, 4)
    changed = (found.view("<u4") != before).any(axis=1)
    if form is not None:
        made[changed] = form.encode(found[changed], made[changed])
    else:
        made[changed] = texels.encode(found[changed], array.dtype, made.shape[-1])
    return made.reshape(-1).view(array.dtype).reshape(array.shape)


def _levels(resource: LoweredResource, data: Any) -> list[Any]:
    """Return the mip levels of a value; arrays of one size are the layers of one level."""
    if not isinstance(data, Sequence) or isinstance(data, str | bytes) or not len(data):
        return [data]
    arrays = [texels.pixels(each) for each in data]
    if not all(isinstance(each, np.ndarray) for each in arrays):
        return [data]
    first = arrays[0]
    spatial = len(axes(resource))
    several = resource.layered or resource.shape in (Shape.CUBE, Shape.D3)
    if several and first.ndim in (spatial - 1, spatial):
        same = all(each.shape == first.shape and each.dtype == first.dtype for each in arrays)
        slices = len(arrays) > 1 or first.ndim < spatial or texels.is_image(data[0])
        if same and slices:
            return [np.stack(arrays)]
    return arrays


def _level(resource: LoweredResource, given: Any, where: str, atomic: bool) -> Array:
    kind = texels.kind_of(resource.returns)
    given = texels.pixels(given)
    if isinstance(given, str | bytes):
        expected = f"an array {shape_in_words(resource)} or an opened image"
        raise UsageError(f"{where}: expected {expected}, got {given!r:.60}")
    if not isinstance(given, np.ndarray):
        wanted = f"{where}: expected an array {shape_in_words(resource)}"
        size = 8 if resource.wide else 4
        dtype = {"sint": f"<i{size}", "uint": f"<u{size}"}.get(kind, "<f4")
        given = converted(as_array(given, wanted), dtype, where)
    texels.check(given, resource.returns, where, atomic, resource.wide)
    spatial = len(axes(resource))
    wanted = shape_in_words(resource)
    if given.ndim not in (spatial, spatial + 1) or not given.size:
        raise UsageError(f"{where}: expected an array {wanted}, got {given.shape}")
    if given.ndim == spatial + 1 and given.shape[-1] > 4:
        raise UsageError(f"{where}: expected an array {wanted}, got {given.shape[-1]} components")
    most = resource.wide * (8 // given.dtype.itemsize)  # of 64 bits or pairs of 32 bits
    if resource.wide and given.ndim > spatial and given.shape[-1] > most:
        numbers = "1 component" if resource.wide == 1 else "1 or 2 components"
        raise UsageError(f"{where}: expected {numbers} of 64 bits, got {given.shape[-1]}")
    if resource.shape is Shape.CUBE and (
        given.shape[0] % 6 or (not resource.layered and given.shape[0] != 6)
    ):
        raise UsageError(f"{where}: expected the 6 faces of a cube, {wanted}, got {given.shape}")
    if resource.shape is Shape.CUBE and given.shape[1] != given.shape[2]:
        raise UsageError(f"{where}: expected square faces of a cube, {wanted}, got {given.shape}")
    array: Array = given
    return array


def _formatted(resource: LoweredResource, given: Any, where: str, form: PixelFormat) -> Array:
    """Return an array that holds pixels of a format."""
    if isinstance(given, bytes | bytearray | memoryview):
        given = np.frombuffer(bytes(given), np.uint8)
        if resource.shape is Shape.BUFFER:
            given = given[: len(given) // form.size * form.size].reshape(-1, form.size)
    array = as_array(given, f"{where}: expected an array {shape_in_words(resource)}")
    if texels.kind_of(form.returns) != texels.kind_of(resource.returns):
        kind = texels.kind_of(resource.returns)
        raise UsageError(f"{where}: expected pixels of {kind}, got the format {form.name}")
    spatial = len(axes(resource))
    size = array.dtype.itemsize * prod(array.shape[spatial:])
    if array.ndim < spatial or size != form.size or not array.size:
        wanted = f"({', '.join(axes(resource))}) of {form.size} bytes each"
        raise UsageError(
            f"{where}: expected an array {wanted} for {form.name}, got {array.shape} {array.dtype}"
        )
    return array


def _pixels(resource: LoweredResource, array: Array, form: PixelFormat) -> Array:
    """Return the bytes of each pixel."""
    shape = (*array.shape[: len(axes(resource))], form.size)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(shape)


def _decoded(resource: LoweredResource, array: Array, form: PixelFormat) -> Array:
    found = _pixels(resource, array, form)
    return form.decode(found.reshape(-1, form.size)).reshape(*found.shape[:-1], 4)


def _with_components(resource: LoweredResource, array: Array) -> Array:
    return array if array.ndim > len(axes(resource)) else array[..., np.newaxis]


def _shape_words(
    resource: LoweredResource, shape: tuple[int, ...], levels: int, samples: int
) -> list[int]:
    """Return u32 width, height, depth or layers, levels, samples, three zeros."""
    sizes = [*shape[: len(axes(resource)) - resource.multisampled]]
    layers = 1
    if resource.layered or resource.shape is Shape.CUBE:
        layers = sizes.pop(0)
    width, height, depth = [*reversed(sizes), 1, 1][:3]
    words = [width, height, depth if resource.shape is Shape.D3 else layers, levels, samples]
    return words + [0] * (SHAPE_WORDS - len(words))


def _shape_at(resource: LoweredResource, shape: tuple[int, ...], level: int) -> tuple[int, ...]:
    """Return the shape of a mip level."""
    fixed = int(resource.layered or resource.shape is Shape.CUBE)
    scaled = (max(1, size >> level) for size in shape[fixed:])
    return (*shape[:fixed], *scaled) if not resource.multisampled else shape


def _smaller(resource: LoweredResource, first: Array) -> list[Array]:
    """Return the mip levels: a texel is the mean of its area in the previous level."""
    fixed = int(resource.layered or resource.shape is Shape.CUBE)
    spatial = len(axes(resource))
    levels = [first]
    while max(levels[-1].shape[fixed:spatial]) > 1:
        now = levels[-1]
        for axis in range(fixed, spatial):
            with np.errstate(all="ignore"):  # of floats that are no numbers, or near the end
                now = halved(now, axis)
            now[np.isnan(now)] = np.nan  # whose bits would be the processor's
        levels.append(now)
    return levels


def halved(texels: Array, axis: int) -> Array:
    """Return texels halved in number along an axis, rounded down, but at least one.

    If there are 2n + 1 texels, each of the n results covers 2 + 1/n texels: one whole, and a part
    of both its neighbours.
    """
    size = texels.shape[axis]
    half = size // 2
    if not half:
        return texels.copy()
    before, middle = (np.take(texels, range(at, 2 * half, 2), axis) for at in (0, 1))
    made: Array
    if size % 2 == 0:
        made = (before + middle) * np.float32(0.5)
        return made
    after = np.take(texels, range(2, size, 2), axis)
    number = np.arange(half, dtype=np.float64).reshape(-1, *[1] * (texels.ndim - axis - 1))
    total = before * (half - number) + middle * np.float64(half) + after * (number + 1)
    made = (total / size).astype("<f4")
    return made
