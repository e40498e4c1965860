"""Samples, fetches and sizes of textures; counts of elements of buffers.

albedo.SampleLevel(linear_clamp, uv, 0.0)
"""

from collections.abc import Sequence

from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...ir.textures import Action, Level, Sample, Shape
from ...ir.types import I32
from ...vocab.slots import ResourceSlot
from ..expressions import Expressions, refused
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, swizzle
from .context import UINT, ResourceContext, is_multisampled, resource_name
from .declared import texel_kind

__all__ = [
    "element_count",
    "sampled",
]

FIRST_LEVEL = Value(OPS.const, I32, (), 0)


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
    shape = texture.shape
    args = list(value.args)
    count = shape.coordinates + texture.layered
    calls: list[SourceExpression] = [base]
    if sample.sampler is not None:
        sampler = context.known[sample.sampler]
        sampler.used = True
        calls.append(resource_name(sampler))
    type = TermType(kind, 32, 4)
    match sample.action:
        case Action.SIZE | Action.SAMPLES:
            return texture_size(context, made, value)
        case Action.FETCH:
            whole, rest = args[:count], args[count:]
            more: list[SourceExpression] = []
            level = rest.pop(0) if sample.level is Level.EXPLICIT else FIRST_LEVEL
            if texture.samples > 1 or is_multisampled(found):
                more = [made.scalar(rest.pop(0), ScalarKind.INT)]
            else:
                whole.append(level)
            calls += [made.vector(whole, ScalarKind.INT), *more]
            calls += texel_offset(context, made, sample, rest)
            return SourceExpression(NodeForm.METHOD, type, tuple(calls), "Load")
        case Action.EVALUATE:
            raise refused("the colour of a child", value.line)
        case Action.LOD:
            calls.append(made.vector(args, ScalarKind.FLOAT))
            return level_query(context, calls)
    coordinates, rest = args[:count], args[count:]
    calls.append(made.vector(coordinates, ScalarKind.FLOAT))
    word = "Sample" if sample.action is Action.SAMPLE else "Gather"
    if sample.compare:
        word += "Cmp"
        calls.append(made.scalar(rest.pop(0), ScalarKind.FLOAT))
        type = type.wide(1) if sample.action is Action.SAMPLE else type
    match sample.level:
        case Level.ZERO if sample.action is Action.SAMPLE:
            word += "LevelZero" if sample.compare else "Level"
            if not sample.compare:
                calls.append(literal((0,), TermType(ScalarKind.FLOAT)))
        case Level.BIAS | Level.EXPLICIT:
            word += "Bias" if sample.level is Level.BIAS else "Level"
            calls.append(made.scalar(rest.pop(0), ScalarKind.FLOAT))
        case Level.GRADIENT:
            word += "Grad"
            for _ in range(2):
                calls.append(made.vector(rest[: shape.coordinates], ScalarKind.FLOAT))
                rest = rest[shape.coordinates :]
    if sample.action is Action.GATHER and sample.component and not sample.compare:
        word = f"Gather{('Red', 'Green', 'Blue', 'Alpha')[sample.component]}"
    clamp = made.scalar(rest.pop(), ScalarKind.FLOAT) if sample.clamped else None
    offset = texel_offset(context, made, sample, rest)
    if clamp is not None and not offset and shape is not Shape.CUBE:
        width = shape.coordinates
        zero = literal((0,), TermType(ScalarKind.INT))
        offset = [
            SourceExpression(NodeForm.CONSTRUCT, zero.type.wide(width), (zero,) * width)
            if width > 1
            else zero
        ]
    calls += offset
    if clamp is not None:
        calls.append(clamp)
    return SourceExpression(NodeForm.METHOD, type, tuple(calls), word)


def element_count(context: ResourceContext, value: Value) -> SourceExpression:
    """Return the number of elements of a buffer: a function that the source defines."""
    memory: Memory = value.attr
    found = context.known[memory]
    resource = found.resource
    if resource is None or not isinstance(memory.slot, ResourceSlot):
        raise refused(f"the size of {memory.name}", value.line)
    word = context.sized.get(("count", memory))
    if word is None:
        word = context.sized["count", memory] = context.names.unique(f"{found.name}_count")
        base = found.name if found.index is None else f"{found.name}[{found.index}]"
        stride = ", stride" if resource.form is ResourceForm.STRUCTURED else ""
        words = " >> 2" if resource.form is ResourceForm.RAW else ""
        context.structures.append(
            f"uint {word}() {{\n    uint count{stride};\n"
            f"    {base}.GetDimensions(count{stride});\n    return count{words};\n}}"
        )
    return SourceExpression(NodeForm.CALL, UINT, (), word)


def texel_offset(
    context: ResourceContext, made: Expressions, sample: Sample, rest: Sequence[Value]
) -> list[SourceExpression]:
    """Return the argument of an offset, if there is one."""
    width = sample.texture.shape.coordinates
    if sample.moving:
        return [made.vector(rest[:width], ScalarKind.INT)]
    if not any(sample.offset):
        return []
    bits = tuple(each & 0xFFFF_FFFF for each in sample.offset[:width])
    return [SourceExpression(NodeForm.LITERAL, TermType(ScalarKind.INT, 32, width), (), bits)]


def level_query(context: ResourceContext, calls: Sequence[SourceExpression]) -> SourceExpression:
    """Return the levels that a sample would use: clamped and unclamped."""
    one = TermType(ScalarKind.FLOAT)
    clamped = SourceExpression(NodeForm.METHOD, one, tuple(calls), "CalculateLevelOfDetail")
    free = SourceExpression(NodeForm.METHOD, one, tuple(calls), "CalculateLevelOfDetailUnclamped")
    zero = literal((0,), one)
    return SourceExpression(NodeForm.CONSTRUCT, one.wide(4), (clamped, free, zero, zero))


def texture_size(context: ResourceContext, made: Expressions, value: Value) -> SourceExpression:
    """Return the sizes of a texture: a function that the source defines returns them."""
    sample: Sample = value.attr
    found = context.known[sample.texture]
    texture = sample.texture
    many = is_multisampled(found)
    count = (2 if texture.shape is Shape.CUBE else texture.shape.coordinates) + texture.layered
    level = [] if many or not value.args else [made.scalar(value.args[0], ScalarKind.UINT)]
    word = context.sized.get((texture, many and not value.args))
    if word is None:
        word = context.names.unique(f"{found.name}_size")
        context.sized[texture, many and not value.args] = word
        letters = [f"size.{'xyz'[at]}" for at in range(count)]
        base = found.name if found.index is None else f"{found.name}[{found.index}]"
        outs = ", ".join([*letters, "size.w"])
        if many:
            head = f"uint4 {word}()"
            call = f"{base}.GetDimensions({outs});"
        else:
            head = f"uint4 {word}(uint level)"
            call = f"{base}.GetDimensions(level, {outs});"
        context.structures.append(
            f"{head} {{\n    uint4 size = 0;\n    {call}\n    return size;\n}}"
        )
    whole = SourceExpression(NodeForm.CALL, UINT.wide(4), tuple(level), word)
    if sample.action is Action.SAMPLES:
        return swizzle(whole, (3, 3, 3, 3))
    return whole
