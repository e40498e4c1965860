"""A lowered program as an engine runs it.

    lowered ── copy ── textures ── formats ── maths ── covered ── simplify ── flush ── canonicalise
                       written out (stores)            (pixels)   (engines)

Lowering is done once, this once for each set of texture and sampler states: so the lowered kernel
is copied first. A debugger leaves `simplify` out, which would take the variables away that stand
for registers.
"""

from collections.abc import Mapping
from typing import Any

from ..errors import UnsupportedError
from ..ir import flush
from ..ir.builder import Builder, constant
from ..ir.canonicalise import canonicalise
from ..ir.copying import copied_kernel
from ..ir.kernel import DEEPEST, Kernel, Value, ended, height
from ..ir.library import formats, maths, sampling
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import Lowered
from ..ir.memory import Port
from ..ir.ops import OPS
from ..ir.rewrite import rewrite
from ..ir.simplify import simplify
from ..ir.types import I32
from ..vocab.slots import Direction, Exchange, PortSlot, Rate

# An output: 1 where a pixel was not discarded.
COVERED = PortSlot(Direction.OUTPUT, Rate.PIXEL, Exchange.COVERED)


def prepare(
    lowered: Lowered,
    textures: Mapping[Any, TextureState],
    samplers: Mapping[Any, SamplerState],
    *,
    simplified: bool = True,
) -> Kernel:
    """Return a new kernel that both engines can run.

    Args:
        lowered: the program, its children inlined (ir/children.py); it stays as it is.
        textures, samplers: the states of what is bound, by key.
        simplified: False keeps the variables that stand for registers, for a debugger.

    Raises:
        UnsupportedError: its regions are nested too deep.
    """
    deep = height(lowered.kernel.body)
    if deep > DEEPEST:
        raise UnsupportedError(f"regions lie {deep} deep, more than {DEEPEST} cannot be run")
    kernel = copied_kernel(lowered.kernel)
    sampling.expand(kernel, textures, samplers)
    formats.expand(kernel, textures)
    maths.expand(kernel)
    if any(value.op is OPS.discard for value in kernel.values()):
        _cover(kernel)
    if simplified:
        simplify(kernel)
    flush.expand(kernel)
    canonicalise(kernel)
    return kernel


def _cover(kernel: Kernel) -> None:
    """Tell of each pixel that reaches its end: `discard` leaves no other mark."""
    port = Port("covered", I32, slot=COVERED)
    kernel.outputs.append(port)

    def rule(b: Builder, value: Value) -> Value | None:
        if value.op is OPS.return_:
            b.output(port, constant(1, I32))
        return None

    rewrite(kernel, rule)
    b = Builder(kernel)
    if not ended(kernel.body):
        b.output(port, constant(1, I32))
