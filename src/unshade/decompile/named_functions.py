"""Functions of languages for the operations that compilers, or lowering, make of them.

    %3 = fmul %x, 1.442695       exp(x)           SPIR-V, and compilers for Direct3D
    %4 = exp2 %3
    a polynomial of %x           sin(x)           Skia's raster pipeline, for SkSL

A readable source has the name, although an implementation of the function may round otherwise, or
be more exact than Skia's; a comment says so. As in `operations`, a pattern is what the function of
the library appends. Outer functions are found first, because they consist of others.
"""

from functools import cache

from ..ir.kernel import KernelIR, Region, Value, regions
from ..ir.library import scalar_functions, skia
from ..ir.ops import OPS, Op
from ..ir.types import F32, I32, Type
from .operations import SOURCE_OPS, Function, LibraryPattern, bound_to, pattern_of

__all__ = ["name_functions"]

ONE, TWO = (F32,), (F32, F32)
# The word in HLSL, the operation, and the function; of those that begin alike the longer first.
NAMED: tuple[tuple[str, Op, Function, tuple[Type, ...]], ...] = (
    ("mod", SOURCE_OPS.modulo, scalar_functions.modulo, TWO),
    ("exp", SOURCE_OPS.exp, scalar_functions.exp, ONE),
    ("log", SOURCE_OPS.log, scalar_functions.log, ONE),
    ("atan2", SOURCE_OPS.atan2, scalar_functions.atan2, TWO),
    ("ldexp", SOURCE_OPS.ldexp, scalar_functions.ldexp, (F32, I32)),
    ("pow", OPS.pow, skia.power, TWO),
    ("exp", SOURCE_OPS.exp, skia.exp, ONE),
    ("exp2", OPS.exp2, skia.exp2, ONE),
    ("log", SOURCE_OPS.log, skia.log, ONE),
    ("log2", OPS.log2, skia.log2, ONE),
    ("cos", OPS.cos, skia.cos, ONE),
    ("sin", OPS.sin, skia.sin, ONE),
    ("tan", OPS.tan, skia.tan, ONE),
    ("acos", OPS.acos, skia.acos, ONE),
    ("asin", OPS.asin, skia.asin, ONE),
    ("atan2", SOURCE_OPS.atan2, skia.atan_of, TWO),
    ("atan", OPS.atan, skia.atan, ONE),
    ("frac", SOURCE_OPS.fraction, skia.fract, ONE),
)


@cache
def _patterns() -> dict[Op, list[tuple[str, LibraryPattern]]]:
    """Return words and patterns by the operation of their root."""
    found: dict[Op, list[tuple[str, LibraryPattern]]] = {}
    for word, op, function, types in NAMED:
        pattern = pattern_of(op, function, types)
        found.setdefault(pattern.root.op, []).append((word, pattern))
    return found


def name_functions(kernel: KernelIR) -> set[str]:
    """Replace the results of functions by operations of sources, in place; return their words.

    The operations that a function consists of stay, for another pass to remove.
    """
    words: set[str] = set()
    inner: set[Value] = set()
    patterns = _patterns()
    waiting: list[Region] = [kernel.body]
    while waiting:
        for statement in reversed(waiting.pop()):
            if not isinstance(statement, Value):
                waiting += regions(statement)
                continue
            for word, pattern in () if statement in inner else patterns.get(statement.op, ()):
                bound = bound_to(pattern, statement)
                if bound is not None:
                    operands = tuple(bound[each] for each in pattern.operands)
                    inner.update(each for each in bound.values() if each not in operands)
                    statement.op, statement.args, statement.attr = pattern.op, operands, None
                    words.add(word)
                    break
    return words
