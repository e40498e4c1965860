"""Inputs of a fragment at other places of the pixel: InterpolateAt* of GLSL.std.450.

    InterpolateAtOffset %v2float %uv %offset      uv at an offset in pixels from the centre

Places are taken from the centre of the pixel, whatever the place is at which the input is declared,
and values are exact (ir.library.pixel_places). A sample that does not exist is the centre.

Source: SPIR-V extended instructions for GLSL; Vulkan specification, Interpolation Decorations.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library import pixel_places, sample_positions
from ..module import Instruction
from ..tables.numbers import GlslStd450
from .image_operands import as_float, as_integer
from .interface import InputPorts
from .operations import Components, Handler
from .roots import ValueRoot

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["FUNCTIONS"]


def _moved(lowering: "Lowering", instruction: Instruction, offset: Sequence[Value]) -> Components:
    """Append an input at an offset from the centre, in pixels."""
    pointer = lowering.pointer(instruction.words[5])
    root = pointer.root
    if not isinstance(root, InputPorts):
        raise UnsupportedError("expected a pointer to an input")
    there = ValueRoot(lambda at: _leaf(lowering, root, at, offset), root.count)
    return replace(pointer, root=there).load(lowering.b)


def _leaf(lowering: "Lowering", root: InputPorts, at: int, offset: Sequence[Value]) -> Value:
    port = root.ports[at]
    if port.type.kind != "f":  # flat
        return root.make(at)
    b = lowering.b
    return root.converted(at, pixel_places.moved(b, pixel_places.evaluated(b, port), offset))


def _at_centroid(lowering: "Lowering", instruction: Instruction) -> Components:
    return _moved(lowering, instruction, pixel_places.centroid(lowering.b))


def _at_offset(lowering: "Lowering", instruction: Instruction) -> Components:
    given = lowering.value(instruction.words[6])
    return _moved(lowering, instruction, [as_float(lowering, each) for each in given])


def _at_sample(lowering: "Lowering", instruction: Instruction) -> Components:
    number = as_integer(lowering, lowering.scalar(instruction.words[6]))
    return _moved(lowering, instruction, sample_positions.offset(lowering.b, number))


FUNCTIONS: dict[int, Handler] = {
    GlslStd450.InterpolateAtCentroid: _at_centroid,
    GlslStd450.InterpolateAtSample: _at_sample,
    GlslStd450.InterpolateAtOffset: _at_offset,
}
