"""Products in which zero times infinity is zero."""

from math import inf, isnan, nan

import pytest

from unshade.ir.builder import Builder, constant
from unshade.ir.fold import fold, from_float, to_float
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.library.products import product
from unshade.ir.ops import OPS
from unshade.ir.types import F32, KEEP


def folded(value: Value) -> int:
    """Return the bits of an expression of constants."""
    if value.op is OPS.const:
        return int(value.attr)
    args = tuple((folded(each), each.type) for each in value.args)
    found = fold(value.op, value.type, args, KEEP)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(2.0, 3.0, 6.0), (0.0, inf, 0.0), (-inf, 0.0, 0.0), (0.0, nan, nan), (nan, inf, nan),
     (-0.0, 5.0, -0.0), (inf, -2.0, -inf)],
)  # fmt: skip
def test_products(x: float, y: float, expected: float) -> None:
    one, other = (constant(from_float(each, F32), F32) for each in (x, y))
    bits = folded(product(Builder(KernelIR()), one, other))
    if isnan(expected):
        assert isnan(to_float(bits, F32))
    else:
        assert bits == from_float(expected, F32)
