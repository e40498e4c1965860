"""Samples, fetches and sizes of textures; counts of elements of buffers.

albedo.SampleLevel(linear_clamp, uv, 0.0)
"""

from collections.abc import Sequence

from ...ir.kernel import KernelIR, Value
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...ir.textures import Action, Level, Sample, Shape
from ...ir.types import I32
from ...model import Reflection
from ...vocab.slots import ResourceSlot
from ..expressions import Expressions, refused
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, TextureCall, swizzle
from .context import (
    UINT,
    ResourceContext,
    SizeFunction,
    attachment_of,
    is_multisampled,
    is_raw,
    resource_name,
    size_function,
)
from .declared import texel_kind

__all__ = [
    "element_count",
    "sampled",
    "without_places",
]

ORIGIN = Value(OPS.const, I32, (), 0)  # the first level, texel or layer


def without_places(kernel: KernelIR, reflection: Reflection | None) -> None:
    """Remove the coordinates of reads of input attachments, in place: they are of the lane's pixel.

    Raises:
        UnsupportedError: The attachments are an array.
    """
    resources = reflection.resources if reflection is not None else ()
    places = {
        (each.register, each.space): each for each in resources if each.attachment is not None
    }
    for value in kernel.values():
        if value.op is not OPS.sample or value.attr.action is not Action.FETCH:
            continue
        slot = value.attr.texture.slot
        found = places.get((slot.number, slot.space)) if isinstance(slot, ResourceSlot) else None
        if found is not None:
            if found.count != 1:
                raise refused("an array of input attachments", value.line)
            count = value.attr.texture.shape.coordinates
            value.args = (*[ORIGIN] * count, *value.args[count:])


def sampled(context: ResourceContext, made: Expressions, value: Value) -> SourceExpression:
    """Return the expression of a sample, fetch or query."""
    sample: Sample = value.attr
    texture = sample.texture
    found = context.known[texture]
    found.used = True
    base = resource_name(found)
    kind = texel_kind(context, texture)
    if sample.compare or sample.action is Action.LOD:
        kind = ScalarKind.FLOAT
    many = texture.samples > 1 or is_multisampled(found)
    shape = texture.shape
    args = list(value.args)
    count = shape.coordinates + texture.layered
    type = TermType(kind, 32, 4)
    operands: dict[str, SourceExpression] = {"texture": base}

    def call(type: TermType) -> SourceExpression:
        attr = TextureCall(sample, tuple(operands), texel_kind(context, texture), many)
        return SourceExpression(NodeForm.TEXTURE, type, tuple(operands.values()), attr)

    if sample.sampler is not None and sample.action is not Action.FETCH:
        sampler = context.known[sample.sampler]
        sampler.used = True
        operands["sampler"] = resource_name(sampler)
    place, rest = args[:count], args[count:]
    match sample.action:
        case Action.SIZE | Action.SAMPLES:
            return texture_size(context, made, value)
        case Action.EVALUATE:
            raise refused("the colour of a child", value.line)
        case Action.FETCH if context.rules.attachments and attachment_of(found) is not None:
            if many:
                operands["sample"] = made.scalar(rest[-1], ScalarKind.INT)
            return call(type)
        case Action.FETCH:
            level = rest.pop(0) if sample.level is Level.EXPLICIT else ORIGIN
            if not many:
                place.append(level)
            operands["coordinates"] = made.vector(place, ScalarKind.INT)
            if many:
                operands["sample"] = made.scalar(rest.pop(0), ScalarKind.INT)
            texel_offset(made, sample, rest, operands)
            return call(type)
        case Action.LOD:
            operands["coordinates"] = made.vector(args, ScalarKind.FLOAT)
            return call(type)
    operands["coordinates"] = made.vector(place, ScalarKind.FLOAT)
    if sample.compare:
        operands["reference"] = made.scalar(rest.pop(0), ScalarKind.FLOAT)
        type = type.wide(1) if sample.action is Action.SAMPLE else type
    if sample.level in (Level.BIAS, Level.EXPLICIT):
        operands["level"] = made.scalar(rest.pop(0), ScalarKind.FLOAT)
    elif sample.level is Level.GRADIENT:
        for role in ("x", "y"):
            operands[role] = made.vector(rest[: shape.coordinates], ScalarKind.FLOAT)
            rest = rest[shape.coordinates :]
    clamp = made.scalar(rest.pop(), ScalarKind.FLOAT) if sample.clamped else None
    texel_offset(made, sample, rest, operands)
    if clamp is not None:
        operands["clamp"] = clamp
    return call(type)


def element_count(context: ResourceContext, value: Value) -> SourceExpression:
    """Return the number of elements of a buffer, as a call of a function in the source."""
    memory: Memory = value.attr
    found = context.known[memory]
    if found.resource is None or not isinstance(memory.slot, ResourceSlot):
        raise refused(f"the size of {memory.name}", value.line)
    function = size_function(
        context,
        ("count", memory),
        "count",
        SizeFunction("", found, element=memory.stride if is_raw(memory, found) else 0),
    )
    return SourceExpression(NodeForm.CALL, UINT, (), function.name)


def texel_offset(
    made: Expressions,
    sample: Sample,
    rest: Sequence[Value],
    operands: dict[str, SourceExpression],
) -> None:
    """Add the offset, if there is one."""
    width = sample.texture.shape.coordinates
    if sample.moving:
        operands["offset"] = made.vector(rest[:width], ScalarKind.INT)
    elif any(sample.offset):
        bits = tuple(each & 0xFFFF_FFFF for each in sample.offset[:width])
        type = TermType(ScalarKind.INT, 32, width)
        operands["offset"] = SourceExpression(NodeForm.LITERAL, type, (), bits)


def texture_size(context: ResourceContext, made: Expressions, value: Value) -> SourceExpression:
    """Return the sizes of a texture: a function that the source defines returns them."""
    sample: Sample = value.attr
    texture = sample.texture
    found = context.known[texture]
    many = is_multisampled(found)
    count = (2 if texture.shape is Shape.CUBE else texture.shape.coordinates) + texture.layered
    level = [] if many or not value.args else [made.scalar(value.args[0], ScalarKind.UINT)]
    function = size_function(
        context, (texture, many and not value.args), "size",
        SizeFunction("", found, count, not many, many),
    )  # fmt: skip
    whole = SourceExpression(NodeForm.CALL, UINT.wide(4), tuple(level), function.name)
    if sample.action is Action.SAMPLES:
        return swizzle(whole, (3, 3, 3, 3))
    return whole
