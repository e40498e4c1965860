"""Inputs of a fragment at other places of the pixel: InterpolateAt* of GLSL.std.450.

    InterpolateAtOffset %v2float %uv %offset      uv + offset.x * d(uv)/dx + offset.y * d(uv)/dy

Places are taken from the centre of the pixel, whatever the place is at which the input is declared
(ir.library.pixel_places). All use the slopes of the input over the quad, computed at the start,
where all four lanes are active: exact for what is linear on the screen, a first-order approximation
with perspective. A sample that does not exist is the centre.

Source: SPIR-V extended instructions for GLSL; Vulkan specification, Interpolation Decorations.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.library import sample_positions
from ....ir.library.derivatives import X, Y, fine
from ....ir.library.pixel_places import at_centre, centroid
from ....ir.types import F32
from ....vocab.words import Interpolation, Stage
from ..module import Instruction
from ..tables.numbers import Glsl, Opcode, StorageClass
from .image_operands import as_float, as_integer
from .interface import InputPorts
from .operations import Components, Handler
from .roots import ValueRoot

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["FUNCTIONS", "prepare_slopes"]

CHAINS = (Opcode.AccessChain, Opcode.InBoundsAccessChain, Opcode.CopyObject)


def prepare_slopes(lowering: "Lowering") -> None:
    """Append the slopes of the inputs that instructions of the module interpolate."""
    if lowering.kernel.stage is not Stage.PIXEL:
        return
    for each in lowering.index.module.instructions:
        if each.opcode != Opcode.ExtInst or each.words[4] not in FUNCTIONS:
            continue
        if lowering.index.imports.get(each.words[3]) != "GLSL.std.450":
            continue
        number = _variable(lowering, each.words[5])
        if number in lowering.used:
            root = lowering.pointer(number).root
            if isinstance(root, InputPorts) and not root.slopes:
                root.slopes = [_slope(lowering, root, at) for at in range(root.count)]


def _variable(lowering: "Lowering", number: int) -> int:
    """Return the variable that a pointer points into; -1 for others than inputs."""
    definitions = lowering.index.definitions
    for _ in range(len(definitions)):
        found = definitions.get(number)
        if found is None:
            break
        if found.opcode == Opcode.Variable and found.words[3] == StorageClass.Input:
            return number
        if found.opcode not in CHAINS:
            break
        number = found.words[3]
    return -1


def _slope(lowering: "Lowering", root: InputPorts, at: int) -> tuple[Value, Value, Value]:
    """Append the value of a leaf at the centre, and its slopes."""
    b = lowering.b
    port = root.ports[at]
    own = at_centre(b, port)
    value = root.make(at) if own is port else b.input(own)
    if value.type.kind != "f" or port.interpolation is Interpolation.CONSTANT:
        zero = constant(0, value.type)
        return value, zero, zero
    return value, fine(b, value, X), fine(b, value, Y)


def _moved(lowering: "Lowering", instruction: Instruction, offset: Sequence[Value]) -> Components:
    """Append an input at an offset from the centre, in pixels."""
    b = lowering.b
    pointer = lowering.pointer(instruction.words[5])
    root = pointer.root
    if not isinstance(root, InputPorts) or not root.slopes:
        raise UnsupportedError("expected a pointer to an input")
    slopes = root.slopes

    def leaves(which: int) -> Components:
        found = ValueRoot(lambda at: slopes[at][which], len(slopes))
        return replace(pointer, root=found).load(b)

    values = list(leaves(0))
    for axis, by in enumerate(offset, 1):
        for at, slope in enumerate(leaves(axis)):
            if slope.type.kind != "f":
                continue
            step = by if slope.type == F32 else b.fconv(by, type=slope.type)
            values[at] = b.fadd(values[at], b.fmul(slope, step))
    return tuple(values)


def _at_centroid(lowering: "Lowering", instruction: Instruction) -> Components:
    return _moved(lowering, instruction, centroid(lowering.b))


def _at_offset(lowering: "Lowering", instruction: Instruction) -> Components:
    given = lowering.value(instruction.words[6])
    return _moved(lowering, instruction, [as_float(lowering, each) for each in given])


def _at_sample(lowering: "Lowering", instruction: Instruction) -> Components:
    b = lowering.b
    number = as_integer(lowering, lowering.scalar(instruction.words[6]))
    row = sample_positions.row_of(b, number, sample_positions.of_target(b))
    offset = [sample_positions.position(b, row, axis) for axis in range(2)]
    return _moved(lowering, instruction, offset)


FUNCTIONS: dict[int, Handler] = {
    Glsl.InterpolateAtCentroid: _at_centroid,
    Glsl.InterpolateAtSample: _at_sample,
    Glsl.InterpolateAtOffset: _at_offset,
}
