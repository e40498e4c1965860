"""Accesses to textures, images and shared words, and barriers.

sample albedo, uv       OpSampledImage, OpImageSampleImplicitLod
texel u0[p]             OpImageRead; an assignment is OpImageWrite
atomic_add u1[i], 1     OpAtomicIAdd
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ...errors import UnsupportedError
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory
from ...ir.ops import OPS, Op
from ...ir.textures import Action, Level, Sample, Shape
from ...vocab.slots import ResourceClass
from ...vocab.words import Stage
from ..resources.context import SizeFunction, is_image
from ..tree import (
    Barrier,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    TextureCall,
    components,
)
from .writer import INT, UINT, SpirvPlace, SpirvWriter

__all__ = ["atomic", "barrier", "counter", "sizes", "texel", "texture", "written"]

Valued: TypeAlias = Callable[[SpirvWriter, SourceExpression], str]
Placed: TypeAlias = Callable[[SpirvWriter, SourceExpression], SpirvPlace]

FLOAT = TermType(ScalarKind.FLOAT)
FACES = (1, 1, 6)  # factors of the sizes of an array of cubes, as an image of faces
DEVICE, WORKGROUP = 1, 2  # scopes
RELAXED = 0
ACQUIRE_RELEASE, UNIFORM, GROUP, IMAGE = 0x8, 0x40, 0x100, 0x800  # semantics
ATOMICS: Mapping[Op, str] = {
    OPS.atomic_add: "OpAtomicIAdd", OPS.atomic_and: "OpAtomicAnd", OPS.atomic_or: "OpAtomicOr",
    OPS.atomic_xor: "OpAtomicXor", OPS.atomic_imin: "OpAtomicSMin",
    OPS.atomic_imax: "OpAtomicSMax", OPS.atomic_umin: "OpAtomicUMin",
    OPS.atomic_umax: "OpAtomicUMax", OPS.atomic_xchg: "OpAtomicExchange",
    OPS.atomic_cas: "OpAtomicCompareExchange",
}  # fmt: skip
TEXELS = 4  # components
WIDE = 64  # bits


# ---------------------------------------------------------------- textures


def texture(w: SpirvWriter, value: SourceExpression, valued: Valued, placed: Placed) -> str:
    """Return the result of a sample, a gather, a fetch or a query of a level."""
    call: TextureCall = value.attr
    sample = call.sample
    operands = call.operands(value)
    if sample.feedback:
        raise UnsupportedError("residency of texels cannot be translated yet")
    place = placed(w, operands["texture"])
    own = sample.texture.slot
    combined = own is not None and own.kind is ResourceClass.COMBINED_SAMPLER
    if combined and sample.sampler is not None and sample.sampler.slot != own:
        raise UnsupportedError("a sampler of another texture cannot be translated yet")
    whole = w.load(place)
    if sample.action is Action.FETCH:
        return _fetch(w, call, operands, image_of(w, place, whole), valued)
    if not combined:
        sampler = w.load(placed(w, operands["sampler"]))
        type = w.module.declared("OpTypeSampledImage", place.layout.id)
        whole = w.op("OpSampledImage", type, whole, sampler)
    where = valued(w, operands["coordinates"])
    if sample.action is Action.LOD:
        w.module.require("ImageQuery")
        _derivatives(w)
        pair = w.op("OpImageQueryLod", FLOAT.wide(2), whole, where)
        zero = w.module.constant(FLOAT.wide(2), 0)
        return w.op("OpVectorShuffle", FLOAT.wide(4), pair, zero, 0, 1, 2, 3)
    type4 = TermType(ScalarKind.FLOAT if sample.compare else call.kind, 32, TEXELS)
    reference = [valued(w, operands["reference"])] if sample.compare else []
    extra = _operands(w, sample, operands, valued)
    if sample.action is Action.GATHER:
        if "level" in operands or "clamp" in operands:
            raise UnsupportedError("a gather of a level cannot be translated yet")
        if sample.compare:
            return w.op("OpImageDrefGather", type4, whole, where, *reference, *extra)
        part = w.number(sample.component)
        return w.op("OpImageGather", type4, whole, where, part, *extra)
    explicit = sample.level not in (Level.AUTO, Level.BIAS)
    if not explicit:
        _derivatives(w)
    how = f"{'Dref' * sample.compare}{'Explicit' if explicit else 'Implicit'}Lod"
    result = type4.wide(1) if sample.compare else type4
    return w.op(f"OpImageSample{how}", result, whole, where, *reference, *extra)


def _derivatives(w: SpirvWriter) -> None:
    """Refuse implicit derivatives outside of pixel shaders without quads."""
    kernel = w.parts.kernel
    if kernel.stage is not Stage.PIXEL and not kernel.quads:
        raise UnsupportedError("a level from derivatives outside of a pixel shader")


def _operands(
    w: SpirvWriter, sample: Sample, operands: dict[str, SourceExpression], valued: Valued
) -> list[str]:
    """Return the image operands: a mask, and ids in the order of its bits."""
    words: list[str] = []
    ids: list[str] = []
    match sample.level:
        case Level.BIAS if w.parts.kernel.stage is Stage.PIXEL:
            words, ids = ["Bias"], [valued(w, operands["level"])]
        case Level.ZERO if sample.action is Action.SAMPLE:
            words, ids = ["Lod"], [w.module.constant(FLOAT, 0)]
        case Level.EXPLICIT:
            words, ids = ["Lod"], [valued(w, operands["level"])]
        case Level.GRADIENT:
            words, ids = ["Grad"], [valued(w, operands[each]) for each in ("x", "y")]
        case Level.BIAS:
            raise UnsupportedError("a bias outside of a pixel shader cannot be translated yet")
    offset = operands.get("offset")
    if offset is not None and not sample.moving:
        words.append("ConstOffset")
        ids.append(valued(w, offset))
    elif offset is not None:
        if sample.action is not Action.GATHER:
            raise UnsupportedError("an offset that is no constant cannot be translated")
        w.module.require("ImageGatherExtended")
        words.append("Offset")
        ids.append(valued(w, offset))
    if "clamp" in operands:
        w.module.require("MinLod")
        words.append("MinLod")
        ids.append(valued(w, operands["clamp"]))
    return ["|".join(words), *ids] if words else []


def image_of(w: SpirvWriter, place: SpirvPlace, whole: str) -> str:
    """Return the image of a texture, which may be combined with its sampler."""
    inner = place.layout.inner
    return whole if inner is None else w.op("OpImage", inner.id, whole)


def _fetch(
    w: SpirvWriter,
    call: TextureCall,
    operands: dict[str, SourceExpression],
    image: str,
    valued: Valued,
) -> str:
    sample = call.sample
    if "coordinates" not in operands:
        at = ["Sample", valued(w, operands["sample"])] if call.multisampled else []
        origin = w.module.constant(INT.wide(2), 0)
        return w.op("OpImageRead", TermType(call.kind, 32, TEXELS), image, origin, *at)
    shape = sample.texture
    count = shape.shape.coordinates + shape.layered
    whole = operands["coordinates"]
    where = valued(w, components(whole, 0, count))
    offset = operands.get("offset")
    extra: list[str] = []
    if offset is not None and (sample.moving or call.multisampled):
        by = valued(w, offset)
        if shape.layered:
            zero = w.module.constant(INT, 0)
            by = w.op("OpCompositeConstruct", INT.wide(count), by, zero)
        where = w.op("OpIAdd", INT.wide(count), where, by)
        offset = None
    words: list[str] = []
    if shape.shape is not Shape.BUFFER:
        words.append("Sample" if call.multisampled else "Lod")
        last = operands["sample"] if call.multisampled else components(whole, count, 1)
        extra.append(valued(w, last))
    if offset is not None:  # its bit is between those of a level and of a sample
        words.append("ConstOffset")
        extra.append(valued(w, offset))
    mask = ["|".join(words)] if words else []
    return w.op("OpImageFetch", TermType(call.kind, 32, TEXELS), image, where, *mask, *extra)


def sizes(w: SpirvWriter, asked: SizeFunction, place: SpirvPlace, level: str) -> str:
    """Return the sizes of a resource, or its number of elements."""
    form = asked.of.resource.form if asked.of.resource is not None else None
    if not asked.components:
        if form in (ResourceForm.STRUCTURED, ResourceForm.RAW):
            return _count(w, asked, place)
        w.module.require("ImageQuery")
        return w.op("OpImageQuerySize", UINT, w.load(place))
    w.module.require("ImageQuery")
    whole = w.load(place)
    image = image_of(w, place, whole)
    type = UINT.wide(asked.components)
    if asked.levels:
        found = w.op("OpImageQuerySizeLod", type, image, level)
    else:
        found = w.op("OpImageQuerySize", type, image)
    if asked.of_faces and asked.components == len(FACES):
        faces = [w.number(each) for each in FACES]
        found = w.op("OpIMul", type, found, w.op("OpCompositeConstruct", type, *faces))
    parts = [found, *[w.number(0)] * (3 - asked.components)]
    if asked.levels:
        parts.append(w.op("OpImageQueryLevels", UINT, image))
    elif asked.samples:
        parts.append(w.op("OpImageQuerySamples", UINT, image))
    width = 4 if asked.levels or asked.samples else 3
    if len(parts) == 1:
        return found
    return w.op("OpCompositeConstruct", UINT.wide(width), *parts)


def _count(w: SpirvWriter, asked: SizeFunction, place: SpirvPlace) -> str:
    found = w.op("OpArrayLength", UINT, w.pointer(place), 0)
    if asked.element in (0, 4):  # the block has words
        return found
    if asked.element < 4:
        return w.op("OpIMul", UINT, found, w.number(4 // asked.element))
    return w.op("OpUDiv", UINT, found, w.number(asked.element // 4))


# ---------------------------------------------------------------- images


def texel(w: SpirvWriter, value: SourceExpression, valued: Valued, placed: Placed) -> str:
    """Return a texel of an image or of a buffer of texels."""
    memory: Memory = value.attr
    base, where = value.args
    place = placed(w, base)
    type = value.type.wide(TEXELS)
    own = type._replace(kind=place.layout.texel or type.kind)
    word = "OpImageRead" if is_image(w.parts.resources.known[memory]) else "OpImageFetch"
    found = w.op(word, own, w.load(place), valued(w, where))
    if own != type:
        found = w.op("OpBitcast", type, found)
    width = value.type.width
    if width == TEXELS:
        return found
    if width == 1:
        return w.op("OpCompositeExtract", value.type, found, 0)
    return w.op("OpVectorShuffle", value.type, found, found, *range(width))


def written(
    w: SpirvWriter,
    target: SourceExpression,
    value: SourceExpression,
    valued: Valued,
    placed: Placed,
) -> None:
    """Write a texel of an image."""
    base, where = target.args
    place = placed(w, base)
    type = value.type.wide(TEXELS)
    found = valued(w, value)
    if value.type.width == 1:
        found = w.op("OpCompositeConstruct", type, *[found] * TEXELS)
    elif value.type.width < TEXELS:
        zero = w.module.constant(type.wide(1), 0)
        rest = [zero] * (TEXELS - value.type.width)
        found = w.op("OpCompositeConstruct", type, found, *rest)
    own = type._replace(kind=place.layout.texel or type.kind)
    if own != type:
        found = w.op("OpBitcast", own, found)
    w.effect("OpImageWrite", w.load(place), valued(w, where), found)


# ---------------------------------------------------------------- shared words


def atomic(w: SpirvWriter, value: SourceExpression, valued: Valued, placed: Placed) -> str:
    """Return the old value of a word that an atomic operation changes."""
    place, *operands = value.args
    type = place.type.wide(1)
    scope = DEVICE
    if place.op is NodeForm.TEXEL:
        image, where = place.args
        found = placed(w, image)
        pointer = w.op(
            "OpImageTexelPointer", w.module.pointer("Image", w.module.type(type)),
            w.pointer(found), valued(w, where), w.number(0),
        )  # fmt: skip
    else:
        found = placed(w, place)
        pointer = w.pointer(found)
        if found.storage == "Workgroup":
            scope = WORKGROUP
    if type.bits == WIDE:
        w.module.require("Int64Atomics")
    ids = []
    for each in operands:
        id = valued(w, each)
        ids.append(id if each.type == type else w.op("OpBitcast", type, id))
    semantics = [w.number(RELAXED)]
    if value.attr is OPS.atomic_cas:
        semantics *= 2
    old = w.op(ATOMICS[value.attr], type, pointer, w.number(scope), *semantics, *ids)
    return old if value.type == type else w.op("OpBitcast", value.type, old)


def counter(w: SpirvWriter, value: SourceExpression, placed: Placed) -> str:
    """Return the old value of a hidden counter that is stepped."""
    name = f"{value.args[0].attr}_counter"
    place = w.symbols.get(name)
    if place is None:
        raise UnsupportedError("the counter of an array of buffers cannot be translated yet")
    pointer = w.pointer(place)
    step = w.number(1 if value.attr > 0 else -1)
    old = w.op("OpAtomicIAdd", UINT, pointer, w.number(DEVICE), w.number(RELAXED), step)
    return old if value.type == UINT else w.op("OpBitcast", value.type, old)


def barrier(w: SpirvWriter, asked: Barrier) -> None:
    """Wait for the thread group, or order its accesses."""
    shared, buffers, images, device = asked.order
    semantics = GROUP * shared | UNIFORM * buffers | IMAGE * images
    scope = w.number(DEVICE if device else WORKGROUP)
    if not semantics and not asked.waits:
        return
    semantics |= ACQUIRE_RELEASE * bool(semantics)
    if asked.waits:
        w.effect("OpControlBarrier", w.number(WORKGROUP), scope, w.number(semantics))
    else:
        w.effect("OpMemoryBarrier", scope, w.number(semantics))
