"""Products in which zero times infinity is zero.

    x * y               IEEE 754: NaN for zero times infinity
    product(x, y)       0 for it; NaN times anything is NaN

Source: 3dbrew, "GPU/Shader Instruction Set" (floating-point behaviour of the PICA200).
"""

from ..builder import Builder
from ..kernel import Value

__all__ = ["product", "without_nan"]


def product(b: Builder, x: Value, y: Value) -> Value:
    """Append the product, which is 0 for zero times infinity."""
    return without_nan(b, x, y, b.fmul(x, y))


def without_nan(b: Builder, x: Value, y: Value, found: Value) -> Value:
    """Append 0 in place of a product that is NaN though both factors are numbers."""
    numbers = b.and_(b.feq(x, x), b.feq(y, y))
    made: Value = b.select(b.and_(numbers, b.fne(found, found)), b.f32(0.0), found)
    return made
