"""The resolve: one number of a pixel from the numbers of its samples.

    average        the mean: of sRGB in linear numbers, of normalised numbers rounded once
    min, max       the least or greatest number of each component
    sample_zero    the first sample

Without a mode, floats and normalised numbers are averaged; integers, depth and stencil are taken
from the first sample that was drawn, or from the first one if none was.

Sources: D3D12_RESOLVE_MODE; VkResolveModeFlagBits, and in Vulkan's specification Multisample
Resolve Operations and Depth/Stencil Resolve Operations.
"""

from collections.abc import Callable

import numpy as np

from ...enums import StrEnum
from ...errors import UsageError
from ...vm.launch import Array
from .depth_target import DepthTarget
from .states.words import word_of
from .target_formats import TargetFormat


class ResolveMode(StrEnum):
    """The computation of a pixel's number, as in D3D12_RESOLVE_MODE and VkResolveModeFlagBits."""

    AVERAGE = "average"
    MIN = "min"
    MAX = "max"
    SAMPLE_ZERO = "sample_zero"


def mode_of(given: str | None) -> ResolveMode | None:
    """Return the mode with a name; None for the default."""
    return None if given is None else word_of(ResolveMode, given, "resolve mode")


def resolved_colours(
    array: Array, first: Array, mode: ResolveMode | None, form: TargetFormat | None, *, floats: bool
) -> Array:
    """Return a target with one sample for each pixel.

    Args:
        array: The target, (…, samples[, components]).
        first: The sample of each pixel that was drawn first, (…, 1).
        mode: How samples are resolved; None for the default.
        form: The format of texels by name; None if numbers are components.
        floats: Whether integers of the array are normalised numbers.
    """
    axis = first.ndim - 1
    if form is not None:
        shape = (*array.shape[: axis + 1], -1)
        items = array.reshape(shape)
        colours = form.decode(items.reshape(-1, items.shape[-1])).reshape(*shape[:-1], 4)
        floats = not form.is_integer
        made = resolved_colours(colours, first, mode, None, floats=floats)
        flat = made.reshape(-1, 4)
        texels = form.encode(flat, items[..., 0, :].reshape(len(flat), -1), (0, 1, 2, 3))
        return texels.reshape(*array.shape[:axis], *array.shape[axis + 1 :])
    if mode is None:
        mean = array.dtype.kind == "f" or floats
        return _average(array, axis) if mean else _taken(array, first)
    if mode is ResolveMode.AVERAGE and array.dtype.kind != "f" and not floats:
        raise UsageError("resolve mode: expected min, max or sample_zero for integers, got average")
    return _MODES[mode](array, axis)


def resolved_depths(array: Array, first: Array, mode: ResolveMode | None) -> Array:
    """Return depths, (…), of a depth target, (…, samples); the bits beside a depth stay."""
    if mode is None:
        return _taken(array, first)
    target = DepthTarget(array)
    depths = _MODES[mode](target.only_depths(array), array.ndim - 1)
    return target.beside(array[..., 0]) | depths if array.dtype == np.uint32 else depths


def resolved_stencils(array: Array, first: Array, mode: ResolveMode | None) -> Array:
    """Return stencils, (…), of (…, samples)."""
    if mode is ResolveMode.AVERAGE:
        raise UsageError("resolve mode: expected min, max or sample_zero for stencils, got average")
    return _taken(array, first) if mode is None else _MODES[mode](array, array.ndim - 1)


def _taken(array: Array, first: Array) -> Array:
    axis = first.ndim - 1
    which = first.reshape(*first.shape, *[1] * (array.ndim - first.ndim))
    return np.asarray(np.take_along_axis(array, which, axis).take(0, axis))


def _average(array: Array, axis: int) -> Array:
    with np.errstate(all="ignore"):
        mean = array.mean(axis=axis, dtype=np.float64)
        return np.asarray((mean if array.dtype.kind == "f" else np.rint(mean)).astype(array.dtype))


_MODES: dict[ResolveMode, Callable[[Array, int], Array]] = {
    ResolveMode.AVERAGE: _average,
    ResolveMode.MIN: lambda array, axis: np.asarray(np.fmin.reduce(array, axis=axis)),
    ResolveMode.MAX: lambda array, axis: np.asarray(np.fmax.reduce(array, axis=axis)),
    ResolveMode.SAMPLE_ZERO: lambda array, axis: np.asarray(array.take(0, axis)),
}
