"""The advanced blend operations of Vulkan: modes of picture editors, and of Porter and Duff.

    colour  f(s, d) p0 + Y s p1 + Z d p2        s, d are not premultiplied
    alpha   X p0 + Y p1 + Z p2                  p0, p1, p2: the shares of the pixel that source and
                                                destination, source alone, destination alone cover

The operations from "plus" on have separate formulas, on premultiplied colours.

Source: Vulkan specification, Advanced Blend Operations (VK_EXT_blend_operation_advanced).
"""

from collections.abc import Callable

import numpy as np

from ...vm.launch import Array
from .states.words import BlendOp, Overlap

Weights = tuple[int, int, int]
Function = Callable[[Array, Array], Array]
LUMINOSITY = np.array([0.30, 0.59, 0.11], np.float32)
EVERY: Weights = (1, 1, 1)


def advanced(
    op: str, source: Array, destination: Array, premultiplied: tuple[bool, bool], overlap: str
) -> Array:
    """Return the colours (n, 4) of an advanced operation.

    Args:
        op: The operation, one of `states.words.ADVANCED`.
        source: The colours of the shader, (n, 4).
        destination: The colours of the target.
        premultiplied: Whether source and destination are multiplied by their alpha.
        overlap: How the coverage of both is correlated.
    """
    alphas = source[:, 3:], destination[:, 3:]
    colours = source[:, :3], destination[:, :3]
    with np.errstate(all="ignore"):
        if op in _OWN:
            s, d = (
                colour if given else colour * alpha
                for colour, alpha, given in zip(colours, alphas, premultiplied, strict=True)
            )
            colour, alpha = _OWN[op](s, d, *alphas)
        else:
            s, d = (
                np.where(alpha == 0, np.float32(0), colour / alpha) if given else colour
                for colour, alpha, given in zip(colours, alphas, premultiplied, strict=True)
            )
            (x, y, z), function = _MIXED[op]
            p0, p1, p2 = _OVERLAPS[overlap](*alphas)
            colour = function(s, d) * p0 + y * s * p1 + z * d * p2
            alpha = x * p0 + y * p1 + z * p2
    return np.concatenate([colour, np.broadcast_to(alpha, (len(colour), 1))], axis=1)


_OVERLAPS: dict[str, Callable[[Array, Array], tuple[Array, Array, Array]]] = {
    Overlap.UNCORRELATED: lambda s, d: (s * d, s * (1 - d), d * (1 - s)),
    Overlap.CONJOINT: lambda s, d: (
        np.minimum(s, d), np.maximum(s - d, 0), np.maximum(d - s, 0),
    ),
    Overlap.DISJOINT: lambda s, d: (
        np.maximum(s + d - 1, 0), np.minimum(s, 1 - d), np.minimum(d, 1 - s),
    ),
}  # fmt: skip


def _color_dodge(s: Array, d: Array) -> Array:
    made = np.where(s < 1, np.minimum(1, d / (1 - s)), 1)
    return np.where(d <= 0, 0, made)


def _color_burn(s: Array, d: Array) -> Array:
    made = np.where(s > 0, 1 - np.minimum(1, (1 - d) / s), 0)
    return np.where(d >= 1, 1, made)


def _hard_light(s: Array, d: Array) -> Array:
    return np.where(s <= 0.5, 2 * s * d, 1 - 2 * (1 - s) * (1 - d))


def _soft_light(s: Array, d: Array) -> Array:
    dark = d - (1 - 2 * s) * d * (1 - d)
    low = d + (2 * s - 1) * d * ((16 * d - 12) * d + 3)
    high = d + (2 * s - 1) * (np.sqrt(d) - d)
    light: Array = np.where(d <= 0.25, low, high)
    return np.where(s <= 0.5, dark, light)


def _vivid_light(s: Array, d: Array) -> Array:
    low = np.where(s <= 0, 0, 1 - np.minimum(1, (1 - d) / (2 * s)))
    high: Array = np.where(s < 1, np.minimum(1, d / (2 * (1 - s))), 1)
    return np.where(s < 0.5, low, high)


def _pin_light(s: Array, d: Array) -> Array:
    high = np.where(s < 0.5, 0, 2 * s - 1)
    return np.where(2 * s - 1 > d, high, np.where(s < 0.5 * d, 2 * s, d))


def _luminosity(colour: Array) -> Array:
    found: Array = (colour * LUMINOSITY).sum(axis=1, keepdims=True)
    return found


def _with_luminosity(base: Array, of: Array) -> Array:
    """Return colours with the luminosity of others, moved towards grey into the range 0 to 1."""
    level = _luminosity(of)
    colour = base + (level - _luminosity(base))
    level = _luminosity(colour)
    low, high = colour.min(axis=1, keepdims=True), colour.max(axis=1, keepdims=True)
    colour = np.where(low < 0, level + (colour - level) * level / (level - low), colour)
    made: Array = np.where(
        high > 1, level + (colour - level) * (1 - level) / (high - level), colour
    )
    return made


def _with_saturation(base: Array, saturation: Array, luminosity: Array) -> Array:
    low = base.min(axis=1, keepdims=True)
    span = base.max(axis=1, keepdims=True) - low
    wanted = saturation.max(axis=1, keepdims=True) - saturation.min(axis=1, keepdims=True)
    colour = np.where(span > 0, (base - low) * wanted / span, 0)
    return _with_luminosity(colour, luminosity)


def _source(s: Array, d: Array) -> Array:
    return s


def _destination(s: Array, d: Array) -> Array:
    return d


def _nothing(s: Array, d: Array) -> Array:
    return np.zeros_like(s)


# The weights X, Y, Z and the function of each operation.
_MIXED: dict[str, tuple[Weights, Function]] = {
    BlendOp.ZERO: ((0, 0, 0), _nothing),
    BlendOp.SRC: ((1, 1, 0), _source),
    BlendOp.DST: ((1, 0, 1), _destination),
    BlendOp.SRC_OVER: (EVERY, _source),
    BlendOp.DST_OVER: (EVERY, _destination),
    BlendOp.SRC_IN: ((1, 0, 0), _source),
    BlendOp.DST_IN: ((1, 0, 0), _destination),
    BlendOp.SRC_OUT: ((0, 1, 0), _nothing),
    BlendOp.DST_OUT: ((0, 0, 1), _nothing),
    BlendOp.SRC_ATOP: ((1, 0, 1), _source),
    BlendOp.DST_ATOP: ((1, 1, 0), _destination),
    BlendOp.XOR: ((0, 1, 1), _nothing),
    BlendOp.MULTIPLY: (EVERY, lambda s, d: s * d),
    BlendOp.SCREEN: (EVERY, lambda s, d: s + d - s * d),
    BlendOp.OVERLAY: (EVERY, lambda s, d: _hard_light(d, s)),
    BlendOp.DARKEN: (EVERY, np.minimum),
    BlendOp.LIGHTEN: (EVERY, np.maximum),
    BlendOp.COLORDODGE: (EVERY, _color_dodge),
    BlendOp.COLORBURN: (EVERY, _color_burn),
    BlendOp.HARDLIGHT: (EVERY, _hard_light),
    BlendOp.SOFTLIGHT: (EVERY, _soft_light),
    BlendOp.DIFFERENCE: (EVERY, lambda s, d: np.abs(d - s)),
    BlendOp.EXCLUSION: (EVERY, lambda s, d: s + d - 2 * s * d),
    BlendOp.INVERT: ((1, 0, 1), lambda s, d: 1 - d),
    BlendOp.INVERT_RGB: ((1, 0, 1), lambda s, d: s * (1 - d)),
    BlendOp.LINEARDODGE: (EVERY, lambda s, d: np.minimum(s + d, 1)),
    BlendOp.LINEARBURN: (EVERY, lambda s, d: np.maximum(s + d - 1, 0)),
    BlendOp.VIVIDLIGHT: (EVERY, _vivid_light),
    BlendOp.LINEARLIGHT: (EVERY, lambda s, d: np.clip(2 * s + d - 1, 0, 1)),
    BlendOp.PINLIGHT: (EVERY, _pin_light),
    BlendOp.HARDMIX: (EVERY, lambda s, d: np.where(s + d < 1, 0, 1)),
    BlendOp.HSL_HUE: (EVERY, lambda s, d: _with_saturation(s, d, d)),
    BlendOp.HSL_SATURATION: (EVERY, lambda s, d: _with_saturation(d, s, d)),
    BlendOp.HSL_COLOR: (EVERY, _with_luminosity),
    BlendOp.HSL_LUMINOSITY: (EVERY, lambda s, d: _with_luminosity(d, s)),
}

Own = Callable[[Array, Array, Array, Array], tuple[Array, Array]]


def _limited(s: Array, d: Array, a: Array, b: Array) -> tuple[Array, Array]:
    alpha = np.minimum(1, a + b)
    return np.minimum(alpha, s + d), alpha


def _darker(s: Array, d: Array, a: Array, b: Array) -> tuple[Array, Array]:
    alpha = np.minimum(1, a + b)
    return np.maximum(0, alpha - ((a - s) + (b - d))), alpha


def _channel(number: int) -> Own:
    """Return the operation that takes one channel of the source."""

    def operation(s: Array, d: Array, a: Array, b: Array) -> tuple[Array, Array]:
        made = d.copy()
        made[:, number] = s[:, number]
        return made, b

    return operation


# Colour and alpha, of premultiplied colours s and d, and alphas a and b.
_OWN: dict[str, Own] = {
    BlendOp.PLUS: lambda s, d, a, b: (s + d, a + b),
    BlendOp.PLUS_CLAMPED: lambda s, d, a, b: (np.minimum(1, s + d), np.minimum(1, a + b)),
    BlendOp.PLUS_CLAMPED_ALPHA: _limited,
    BlendOp.PLUS_DARKER: _darker,
    BlendOp.MINUS: lambda s, d, a, b: (d - s, b - a),
    BlendOp.MINUS_CLAMPED: lambda s, d, a, b: (np.maximum(0, d - s), np.maximum(0, b - a)),
    BlendOp.CONTRAST: lambda s, d, a, b: (b / 2 + 2 * (d - b / 2) * (s - a / 2), b),
    BlendOp.INVERT_OVG: lambda s, d, a, b: (a * (1 - d) + (1 - a) * d, a + b - a * b),
    BlendOp.RED: _channel(0),
    BlendOp.GREEN: _channel(1),
    BlendOp.BLUE: _channel(2),
}
