"""A lowered program as an engine runs it.

    lowered ── copy ── textures ── formats ── maths ── covered ── simplify ── flush ── observe
                       written out (stores)            (pixels)   (engines)

Lowering is done once, this once for each set of texture and sampler states: so the lowered kernel
is copied first. A debugger leaves `simplify` out, which would take the variables away that stand
for registers.
"""

from collections.abc import Mapping

from ..ir import flush
from ..ir.builder import Builder, constant
from ..ir.kernel import Case, If, Kernel, Loop, Region, Switch, Value
from ..ir.library import formats, maths, sampling
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import Lowered
from ..ir.memory import Port
from ..ir.observe import observe
from ..ir.rewrite import rewrite
from ..ir.simplify import simplify
from ..ir.types import I32

COVERED = "covered"  # output port: 1 where a pixel was not discarded


def prepare(
    lowered: Lowered,
    textures: Mapping[str, TextureState],
    samplers: Mapping[str, SamplerState],
    *,
    simplified: bool = True,
) -> Kernel:
    """A new kernel that both engines can run with textures and samplers of these states."""
    kernel = copy(lowered.kernel)
    sampling.expand(kernel, textures, samplers)
    formats.expand(kernel, textures)
    maths.expand(kernel)
    if any(value.op.name == "discard" for value in kernel.values()):
        _cover(kernel)
    if simplified:
        simplify(kernel)
    if flush.mixes(kernel):
        flush.by_hand(kernel)
    observe(kernel)
    return kernel


def _cover(kernel: Kernel) -> None:
    """Tell of each pixel that reaches its end: `discard` leaves no other mark."""
    port = Port(COVERED, I32)
    kernel.outputs.append(port)

    def rule(b: Builder, value: Value) -> Value | None:
        if value.op.name == "return":
            b.output(port, constant(1, I32))
        return None

    rewrite(kernel, rule)
    b = Builder(kernel)
    last = kernel.body[-1] if kernel.body else None
    if not (isinstance(last, Value) and last.op.ends):
        b.output(port, constant(1, I32))


def copy(kernel: Kernel) -> Kernel:
    """The same kernel in statements of its own; memories, ports and variables are shared."""
    made: dict[Value, Value] = {}

    def operand(value: Value) -> Value:
        return made.get(value, value)  # a constant is no statement, and never changed

    def region(old: Region) -> Region:
        new: Region = []
        for each in old:
            if isinstance(each, Value):
                args = tuple(operand(arg) for arg in each.args)
                twin = made[each] = Value(each.op, each.type, args, each.attr, each.line)
                new.append(twin)
            elif isinstance(each, If):
                then, otherwise = region(each.then), region(each.otherwise)
                new.append(If(operand(each.condition), then, otherwise, each.line))
            elif isinstance(each, Loop):
                new.append(Loop(region(each.body), each.line))
            else:
                cases = [Case(case.labels, case.default, region(case.body)) for case in each.cases]
                new.append(Switch(operand(each.value), cases, each.line))
        return new

    return Kernel(
        kernel.name, kernel.stage, kernel.group, kernel.flush,
        list(kernel.memories), list(kernel.textures), list(kernel.samplers),
        list(kernel.inputs), list(kernel.outputs), list(kernel.variables), region(kernel.body),
    )  # fmt: skip
