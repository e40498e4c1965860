"""Sums of three products, in one order on every processor.

The order of a sum changes the last bit of it, and where it starts changes the sign of a zero. Both
orders are used, as drawings have always had them. They take arrays, and values of machine code.
"""

from collections.abc import Sequence
from typing import Any

__all__ = ["by_columns", "in_turn"]


def in_turn(parts: Sequence[Any], start: Any = None) -> Any:
    """Return (start + first + second) + third; without a start, first + second + third."""
    first, second, third = parts
    total = first if start is None else first + start
    return third + (second + total)  # of two NaNs, processors keep the first


def by_columns(parts: Sequence[Any], start: Any = None) -> Any:
    """Return (start + first + third) + second, as registers of two numbers add them up."""
    first, second, third = parts
    return in_turn((first, third, second), start)
