"""A pixel shader that shows an output of a vertex shader, for hardware without pixel shaders.

color float4     the target is the colour       no colour, texcoord0 float2     (u, v, 0, 1)
only a position  the target is white
"""

from ...ir.builder import Builder
from ...ir.kernel import KernelIR as Code
from ...ir.lowered import Lowered
from ...ir.memory import Port
from ...ir.types import I32
from ...model import ComponentType, Reflection, SignatureParameter, SystemValue
from ...vocab.slots import Direction, PortSlot, Rate
from ...vocab.words import Interpolation, Stage
from .. import engines
from ..execution import Execution
from ..kernels import Kernel
from ..program import RunProgram
from ..signature import SignatureRow

COMPONENTS = "xyzw"
FIRST = ("color", "texcoord", "normal")  # how the names of what is shown begin, the best first
REST = (0.0, 0.0, 0.0, 1.0)  # of a target, where a vertex has fewer components


def showing(vertex: RunProgram, engine: str) -> Kernel:
    """Return a pixel shader that outputs a vertex shader's output: the colour, if any."""
    row = _chosen(vertex)
    parts = len(row.ports) if row is not None else 0
    code = Code("main", Stage.PIXEL)
    b = Builder(code)
    for at, letter in enumerate(COMPONENTS):
        slot = PortSlot(Direction.OUTPUT, Rate.PIXEL, 0, at)
        target = Port(f"o0.{letter}", I32, slot=slot, row="o0")
        code.outputs.append(target)
        if at < parts:
            slot = PortSlot(Direction.INPUT, Rate.PIXEL, 0, at)
            port = Port(f"v0.{letter}", I32, None, Interpolation.LINEAR, slot, "v0")
            code.inputs.append(port)
            b.output(target, b.input(port))
        else:
            b.output(target, b.asint(b.f32(REST[at] if parts else 1.0)))
    reflection = Reflection(format="", code="", stage=Stage.PIXEL)
    if row is not None:
        reflection.inputs = [_parameter(row.name, row.index, COMPONENTS[:parts])]
    reflection.outputs = [_parameter("SV_Target", 0, COMPONENTS)]
    reflection.outputs[0].system_value = SystemValue.TARGET
    return Kernel(Execution(RunProgram(Lowered(code), reflection), engines.choose(engine, False)))


def _chosen(vertex: RunProgram) -> SignatureRow | None:
    """Return the output that is shown; None if no float but the position is output."""
    rows = [
        row
        for row in vertex.outputs
        if row.needed and row.dtype.kind == "f" and row.meaning != SystemValue.POSITION
    ]
    for name in FIRST:
        for row in rows:
            if row.name.casefold().startswith(name):
                return row
    return rows[0] if rows else None


def _parameter(semantic: str, index: int, components: str) -> SignatureParameter:
    return SignatureParameter(
        semantic=semantic, index=index, register=0, components=components, used=components,
        component_type=ComponentType.FLOAT32,
    )  # fmt: skip
