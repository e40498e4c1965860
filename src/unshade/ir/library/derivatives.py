"""Derivatives of values over the pixels of a quad.

    lanes  0 1      coarse d/dx  v1 - v0 in all four      fine d/dx  v1 - v0 above, v3 - v2 below
           2 3      coarse d/dy  v2 - v0 in all four      fine d/dy  v2 - v0 left, v3 - v1 right

If the partner is not active at the same statement, the difference is 0.
Source: Direct3D 11.3 functional specification, sections 22.5.2 to 22.5.5; the row and column of
coarse derivatives are implementation-defined, and all examined drivers use the first.
"""

from ..builder import Builder
from ..kernel import Value

X, Y = 1, 2  # the bit of the lane index that differs


def fine(b: Builder, value: Value, axis: int) -> Value:
    """Append the derivative along the lane's own row (d/dx) or column (d/dy)."""
    partner = b.quad_swap(value, attr=axis)
    second = b.ine(b.and_(b.source("quad_lane"), axis), 0)
    found: Value = b.select(second, b.fsub(value, partner), b.fsub(partner, value))
    return found


def coarse(b: Builder, value: Value, axis: int) -> Value:
    """Append the derivative along the first row or column, for the whole quad."""
    other = X + Y - axis
    first = b.ieq(b.and_(b.source("quad_lane"), other), 0)
    return fine(b, b.select(first, value, b.quad_swap(value, attr=other)), axis)
