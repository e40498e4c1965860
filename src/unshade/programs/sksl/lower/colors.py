"""Colours between the destination's colour space and linear sRGB.

Without a colour space of the destination nothing is converted. In sRGB a component c is linear as
((c + 0.055) / 1.055) ^ 2.4, below 0.04045 as c / 12.92; negative components mirror positive ones.

Source: IEC 61966-2-1; Skia's SkNamedTransferFn::kSRGB, and the raster pipeline's approximation of
powers.
"""

from ....errors import UsageError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library.skia import power

__all__ = ["SPACES", "checked_space", "from_linear", "to_linear"]

SPACES = ("srgb",)
SPLIT = 0.04045  # of a component in sRGB
SLOPE = 12.92
GAMMA = 2.4
INVERSE = (1.13728333, -0.0549698314)  # factor and offset: 1.055 ^ 2.4 and -0.055 by Skia's powers


def checked_space(name: str | None) -> str | None:
    """Return the name of a colour space; UsageError if it is unknown."""
    if name is not None and name not in SPACES:
        raise UsageError(f"color_space: expected {' or '.join(SPACES)}, got {name!r:.40}")
    return name


def to_linear(b: Builder, c: Value) -> Value:
    """Append the linear value of a component in sRGB."""
    size = b.fabs(c)
    curved = power(b, b.fadd(b.fmul(size, 1 / 1.055), 0.055 / 1.055), b.f32(GAMMA))
    found = b.select(b.flt(size, SPLIT), b.fmul(size, 1 / SLOPE), curved)
    return _signed(b, found, c)


def from_linear(b: Builder, c: Value) -> Value:
    """Append the value in sRGB of a linear component."""
    size = b.fabs(c)
    curved = b.fadd(power(b, b.fmul(size, INVERSE[0]), b.f32(1 / GAMMA)), INVERSE[1])
    found = b.select(b.flt(size, SPLIT / SLOPE), b.fmul(size, SLOPE), curved)
    return _signed(b, found, c)


def _signed(b: Builder, size: Value, like: Value) -> Value:
    return b.select(b.flt(like, 0.0), b.fneg(size), size)
