"""Derivatives of values over the pixels of a quad.

    OpDPdx, OpDPdxFine    along the lane's own row of the quad
    OpDPdxCoarse          along the first row, for the whole quad
    OpFwidth              |d/dx| + |d/dy|

Source: SPIR-V specification, section 3.49.16 (Derivative Instructions), which leaves open what
OpDPdx does; Vulkan specification, Derivative Operations.
"""

from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library.derivatives import X, Y, coarse, fine
from ..tables.numbers import Opcode
from .operations import Formula, Handlers, each_component
from .types import LeafType

__all__ = ["HANDLERS"]


def _along(axis: int, *, whole: bool = False) -> Formula:
    difference = coarse if whole else fine
    return lambda b, type, x: difference(b, x, axis)


def _width(*, whole: bool = False) -> Formula:
    difference = coarse if whole else fine

    def make(b: Builder, type: LeafType, x: Value) -> Value:
        return b.fadd(b.fabs(difference(b, x, X)), b.fabs(difference(b, x, Y)))

    return make


HANDLERS: Handlers = {
    Opcode.DPdx: each_component(_along(X)),
    Opcode.DPdy: each_component(_along(Y)),
    Opcode.Fwidth: each_component(_width()),
    Opcode.DPdxFine: each_component(_along(X)),
    Opcode.DPdyFine: each_component(_along(Y)),
    Opcode.FwidthFine: each_component(_width()),
    Opcode.DPdxCoarse: each_component(_along(X, whole=True)),
    Opcode.DPdyCoarse: each_component(_along(Y, whole=True)),
    Opcode.FwidthCoarse: each_component(_width(whole=True)),
}
