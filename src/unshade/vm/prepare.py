"""Preparation of a lowered program for an engine.

    lowered ── copy ── textures ── formats ── maths ── covered ── simplify ── flush ── canonicalise
                       inlined (stores)                (pixels)   (engines)

A program is lowered once, and prepared once for each set of texture and sampler states; so the
lowered kernel is copied first. A debugger skips `simplify`, which would remove the variables that
are registers.
"""

from collections.abc import Mapping
from typing import Any

from ..errors import UnsupportedError
from ..garbage_collection import uncollected
from ..ir.builder import Builder, constant
from ..ir.kernel import DEEPEST, KernelIR, Value, ended, height
from ..ir.library import formats, maths, sampling
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import Lowered
from ..ir.memory import Port
from ..ir.ops import OPS
from ..ir.simplify import simplify
from ..ir.transforms import flush
from ..ir.transforms.canonicalise import canonicalise
from ..ir.transforms.copying import copied_kernel
from ..ir.transforms.rewrite import rewrite
from ..ir.types import I32
from ..vocab.slots import Direction, Exchange, PortSlot, Rate

# Output port: 1 for pixels that were not discarded.
COVERED = PortSlot(Direction.OUTPUT, Rate.PIXEL, Exchange.COVERED)


@uncollected
def prepare(
    lowered: Lowered,
    textures: Mapping[Any, TextureState],
    samplers: Mapping[Any, SamplerState],
    *,
    simplified: bool = True,
) -> KernelIR:
    """Return a new kernel that both engines can run.

    Args:
        lowered: The program, its children inlined (ir/children.py); it is not changed.
        textures: The state of each texture, by its key.
        samplers: The state of each sampler, by its key.
        simplified: Optimise the kernel; False keeps the registers, for a debugger.

    Raises:
        UnsupportedError: The regions are nested too deeply.
    """
    deep = height(lowered.kernel.body)
    if deep > DEEPEST:
        raise UnsupportedError(f"regions are nested {deep} deep; at most {DEEPEST} are supported")
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


def _cover(kernel: KernelIR) -> None:
    """Output a mark for each pixel that reaches the end: `discard` leaves no other trace."""
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
