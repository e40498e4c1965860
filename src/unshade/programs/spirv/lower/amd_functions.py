"""SPV_AMD_shader_trinary_minmax: the least, the greatest and the middle of three numbers.

    %5 = OpExtInst %float %1 FMid3AMD %2 %3 %4

The middle is min(max(min(x, y), z), max(x, y)). Of a number and NaN the number counts, as in FMin
of GLSL.std.450.

Source: SPV_AMD_shader_trinary_minmax; AMD_shader_trinary_minmax for the order of operations.
"""

from collections.abc import Callable

from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.ops import OPS, Op

__all__ = ["TRINARY", "TRINARY_SET"]

TRINARY_SET = "SPV_AMD_shader_trinary_minmax"

Component = Callable[..., Value]


def _in_turn(op: Op) -> Component:
    return lambda b, x, y, z: b.make(op, b.make(op, x, y), z)


def _middle(low: Op, high: Op) -> Component:
    def middle(b: Builder, x: Value, y: Value, z: Value) -> Value:
        return b.make(low, b.make(high, b.make(low, x, y), z), b.make(high, x, y))

    return middle


# By number: FMin3AMD, UMin3AMD, SMin3AMD, likewise Max3 and Mid3.
TRINARY: dict[int, Component] = {
    1: _in_turn(OPS.fmin),
    2: _in_turn(OPS.umin),
    3: _in_turn(OPS.imin),
    4: _in_turn(OPS.fmax),
    5: _in_turn(OPS.umax),
    6: _in_turn(OPS.imax),
    7: _middle(OPS.fmin, OPS.fmax),
    8: _middle(OPS.umin, OPS.umax),
    9: _middle(OPS.imin, OPS.imax),
}
