"""Inputs of a pixel shader at other places of the pixel or primitive, as one operation.

    the code of ir.library.pixel_places  ->  %1 = at_centroid v1, %v1.x
                                             %2 = at_sample   v1, %v1.x, %number
                                             %3 = at_snapped  v1, %v1.x, %x, %y
                                             %4 = at_offset   v1, %v1.x, %x, %y
    an input at a vertex of the primitive    %5 = at_vertex   v1, %v1.x, 2

The attribute is the row of the input. Offsets are from the centre of the pixel: those of at_offset
in pixels, those of at_snapped integers in sixteenths, of which the low four bits count.

    HLSL   EvaluateAttributeCentroid(v1)   EvaluateAttributeAtSample(v1, n)   …Snapped(v1, int2)
    GLSL   interpolateAtCentroid(v1)       interpolateAtSample(v1, n)         …AtOffset(v1, vec2)

    HLSL   GetAttributeAtVertex(v1, 2)     GLSL   v1[2], declared pervertexEXT
"""

from collections.abc import Callable, Iterator, Mapping

from ..errors import UnsupportedError
from ..ir.builder import Builder, constant
from ..ir.fold import from_float, to_float
from ..ir.kernel import KernelIR, Region, Value, regions
from ..ir.library import pixel_places, sample_positions
from ..ir.memory import Port
from ..ir.ops import OPS, Op
from ..ir.types import F32, I32, Type
from ..vocab.slots import PortPart, Rate
from ..vocab.words import Interpolation
from .kinds import stripped
from .operations import SOURCE_OPS, LibraryPattern, matched
from .tree import LETTERS, NodeForm, ScalarKind, SourceExpression, TermType, literal

__all__ = ["offset_of", "recognise_places", "snapped_of"]

Place = Callable[..., list[Value]]
# The most special places first: each is at an offset.
PLACES: tuple[tuple[Op, Place, tuple[Type, ...]], ...] = (
    (SOURCE_OPS.at_centroid, pixel_places.centroid, ()),
    (SOURCE_OPS.at_sample, sample_positions.offset, (I32,)),
    (
        SOURCE_OPS.at_snapped,
        lambda b, x, y: [pixel_places.snapped(b, each) for each in (x, y)],
        (I32, I32),
    ),
    (SOURCE_OPS.at_offset, lambda b, x, y: [x, y], (F32, F32)),
)
STEPS = 1 << pixel_places.FRACTION_BITS  # of an offset in a pixel
UNUSED = 32 - pixel_places.FRACTION_BITS
FLOAT = TermType(ScalarKind.FLOAT)
INT = TermType(ScalarKind.INT)


def recognise_places(kernel: KernelIR) -> None:
    """Replace the code that evaluates inputs elsewhere, in place; its own steps stay.

    Runs before simplification, which would change the shapes.
    """
    by_centre: dict[Port, tuple[Port, list[LibraryPattern]]] = {}
    for port in _moved_ports(kernel):
        patterns = [*_patterns(kernel, port)]
        by_centre[stripped(patterns[0].root.args[1]).attr] = port, patterns
    at_vertices = {port: _pixel_port(kernel, port) for port in kernel.inputs if _is_at_vertex(port)}
    kernel.inputs += [own for own, _ in by_centre.values() if own not in kernel.inputs]
    kernel.inputs[:] = [port for port in kernel.inputs if port not in at_vertices]
    waiting: list[Region] = [kernel.body] if by_centre or at_vertices else []
    while waiting:
        region = waiting.pop()
        made: Region = []
        for statement in region:
            if not isinstance(statement, Value):
                waiting += regions(statement)
            elif statement.op is OPS.select:
                made += _recognised(statement, by_centre)
            elif statement.op is OPS.input and statement.attr in at_vertices:
                vertex = constant(statement.attr.slot.element, I32)
                made += _placed(
                    statement, SOURCE_OPS.at_vertex, at_vertices[statement.attr], (vertex,)
                )
            made.append(statement)
        region[:] = made


def _recognised(
    value: Value, by_centre: Mapping[Port, tuple[Port, list[LibraryPattern]]]
) -> Region:
    """Replace a choice that is an input elsewhere; return the operands to insert before it."""
    known = by_centre.get(stripped(value.args[1]).attr)
    for pattern in known[1] if known is not None else ():
        args = matched(pattern, value)
        if args is not None and known is not None:
            return _placed(value, pattern.op, known[0], args)
    return []


def _placed(value: Value, op: Op, port: Port, place: tuple[Value, ...]) -> Region:
    """Make a value an input elsewhere; return the operands to insert before it."""
    own = Value(OPS.input, port.type, (), port, value.line, value.location)
    value.op, value.args, value.attr = op, (own, *place), port.row or port.name
    return [own, *(each for each in place if each.op is OPS.const)]


def _is_at_vertex(port: Port) -> bool:
    """Return True for the value of a pixel's input at a vertex of the primitive."""
    slot = port.slot
    return slot is not None and slot.rate is Rate.VERTEX and slot.location is not None


def _pixel_port(kernel: KernelIR, port: Port) -> Port:
    """Return the input that a value at a vertex belongs to."""
    assert port.slot is not None
    slot = port.slot.of_pixel
    known = next((each for each in kernel.inputs if each.slot == slot), None)
    if known is not None:
        return known
    row = port.row.partition("[")[0]
    how = Interpolation.PER_VERTEX
    made = Port(f"{row}.{LETTERS[slot.component]}", port.type, None, how, slot, row)
    kernel.inputs.append(made)
    return made


def _moved_ports(kernel: KernelIR) -> Iterator[Port]:
    """Yield the inputs whose slopes a kernel has, as they are declared."""
    for each in kernel.inputs:
        slot = each.slot
        if slot is None or slot.part is not PortPart.SLOPE_X:
            continue
        own, centre = slot.of(PortPart.VALUE), slot.of(PortPart.CENTRE)
        known = {other.slot: other for other in kernel.inputs if other.slot in (own, centre)}
        if own in known:
            yield known[own]
        elif centre in known:
            name = each.name.rpartition(".")[0]
            yield Port(name, known[centre].type, None, each.interpolation, own, each.row)


def _patterns(kernel: KernelIR, port: Port) -> Iterator[LibraryPattern]:
    """Yield the code of a component at each kind of place."""
    for op, place, types in PLACES:
        operands = tuple(Value(OPS.get, each) for each in types)
        b = Builder(KernelIR(memories=[*kernel.memories], inputs=[*kernel.inputs]))
        yield LibraryPattern(
            op,
            pixel_places.moved(b, pixel_places.evaluated(b, port), place(b, *operands)),
            operands,
        )


# ---------------------------------------------------------------- offsets


def offset_of(value: SourceExpression) -> SourceExpression:
    """Return the offset of at_offset or at_snapped in pixels, a vector of two floats."""
    offset = value.args[1]
    if value.op is SOURCE_OPS.at_offset:
        return offset
    if offset.op is NodeForm.LITERAL:
        return _literal(FLOAT, [from_float(_signed(x) / STEPS, F32) for x in offset.attr])
    by = literal((UNUSED,), INT)
    left = SourceExpression(OPS.ishl, offset.type, (offset, by))
    low = SourceExpression(OPS.ishr, offset.type, (left, by))
    scale = literal((from_float(1 / STEPS, F32),), FLOAT)
    whole = SourceExpression(OPS.itof, FLOAT.wide(2), (low,))
    return SourceExpression(OPS.fmul, FLOAT.wide(2), (whole, scale))


def snapped_of(value: SourceExpression) -> SourceExpression:
    """Return the offset of at_offset or at_snapped in sixteenths, a vector of two integers.

    Raises:
        UnsupportedError: The offset is not known to be one in sixteenths of a pixel, from -8 to 7.
    """
    offset = value.args[1]
    if value.op is SOURCE_OPS.at_snapped:
        return offset
    if offset.op is NodeForm.LITERAL:
        steps = [to_float(each, F32) * STEPS for each in offset.attr]
        if all(each.is_integer() and -STEPS // 2 <= each < STEPS // 2 for each in steps):
            return _literal(INT, [int(each) & 0xFFFF_FFFF for each in steps])
    raise UnsupportedError(
        "HLSL evaluates inputs at offsets in sixteenths of a pixel, from -8 to 7, only"
    )


def _signed(steps: int) -> int:
    """Return an offset in sixteenths, which has four bits and a sign."""
    low = steps & STEPS - 1
    return low - STEPS if low >= STEPS // 2 else low


def _literal(type: TermType, bits: list[int]) -> SourceExpression:
    """Return a vector of two numbers, also of equal ones."""
    return SourceExpression(NodeForm.LITERAL, type.wide(2), (), tuple(bits * (2 // len(bits))))
