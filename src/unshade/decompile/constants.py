"""Functions of constants, as their results.

    normalize(float2(3.0, 4.0))   ->   float2(0.6, 0.8)

Compilers compute such calls in double precision, glslangValidator with the digits of the literals
rather than the floats that they stand for, so that the bits may be others than those of a call.
"""

from ..errors import UnsupportedError
from ..ir.builder import Builder, constant
from ..ir.kernel import KernelIR, Value
from ..ir.library import maths
from ..ir.memory import Port
from ..ir.ops import OPS
from ..ir.simplify import simplify
from ..ir.transforms.rewrite import rewrite
from ..ir.types import Widths
from .operations import FUNCTIONS, SOURCE_OPS

__all__ = ["fold_functions"]

PURE = {op: function for op, function, _ in FUNCTIONS if op.pure}


def fold_functions(kernel: KernelIR) -> None:
    """Replace functions of the library whose operands are constants, in place."""

    def rule(_: Builder, value: Value) -> Value | None:
        is_function = value.op.library or value.op is SOURCE_OPS.dot or value.op in PURE
        if not is_function or any(each.op is not OPS.const for each in value.args):
            return None
        return folded(value, kernel.flush)

    rewrite(kernel, rule)


def folded(value: Value, flush: Widths) -> Value | None:
    """Return the constant that a function of constants is; None if it is not folded."""
    kernel = KernelIR(flush=flush)
    b = Builder(kernel)
    args = [constant(each.attr, each.type) for each in value.args]
    if value.op is SOURCE_OPS.dot:
        half = len(args) // 2
        found, *rest = (b.fmul(x, y) for x, y in zip(args[:half], args[half:], strict=True))
        for each in rest:
            found = b.fadd(found, each)
    elif value.op.library:
        found = b.make(value.op, *args, type=value.type, attr=value.attr)
    else:
        found = PURE[value.op](b, *args)
    kernel.outputs.append(Port("result", value.type))
    b.output(kernel.outputs[0], found)
    try:
        maths.expand(kernel)
    except UnsupportedError:
        return None
    simplify(kernel)
    result = next(each.args[0] for each in kernel.values() if each.op is OPS.output)
    return result if result.op is OPS.const else None
