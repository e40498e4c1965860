"""Accesses to resources in GLSL.

world[2]                                   column of a matrix
textureLod(sampler2D(albedo, s0), uv, 0.0)
t1[i]                                      word of a raw buffer, which is a storage block
imageLoad(u0, ivec2(p)).x
atomicAdd(u0[i], 1u)
"""

from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...ir.textures import Action, Level, Shape
from ...vocab.slots import ResourceClass
from ..kinds import check_sign
from ..messages import print_call
from ..printer import Printer
from ..spelling import Rank
from ..tree import (
    Assign,
    Barrier,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    TextureCall,
    components,
)
from .types import PREFIXES

if TYPE_CHECKING:
    from .target import GlslTarget

__all__ = ["SHAPES", "access", "stored"]

SHAPES = {
    Shape.D1: "1D", Shape.D2: "2D", Shape.D3: "3D", Shape.CUBE: "Cube", Shape.BUFFER: "Buffer",
}  # fmt: skip
ATOMICS = {
    OPS.atomic_add: "Add", OPS.atomic_and: "And", OPS.atomic_or: "Or", OPS.atomic_xor: "Xor",
    OPS.atomic_imin: "Min", OPS.atomic_imax: "Max", OPS.atomic_umin: "Min",
    OPS.atomic_umax: "Max", OPS.atomic_xchg: "Exchange", OPS.atomic_cas: "CompSwap",
}  # fmt: skip
SIGNED = frozenset({OPS.atomic_imin, OPS.atomic_imax})
SHADOW_LEVELS = "GL_EXT_texture_shadow_lod"
CLAMPS = "GL_ARB_sparse_texture_clamp"
PRINTF = "GL_EXT_debug_printf"
SAMPLERLESS = "GL_EXT_samplerless_texture_functions"
WIDE, WIDE_ATOMICS = 64, "GL_EXT_shader_atomic_int64"
LETTERS = "xyzw"
INT, UINT, FLOAT = (TermType(each) for each in (ScalarKind.INT, ScalarKind.UINT, ScalarKind.FLOAT))


def access(target: "GlslTarget", printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
    """Return the text of an access."""
    args = value.args
    first = printer.text(args[0], Rank.PRIMARY) if args else ""
    match value.op:
        case NodeForm.LINE:
            (number,) = args[1].attr
            return f"{first}[{number}]", Rank.PRIMARY
        case NodeForm.PRODUCT:  # a matrix is declared so that its columns are the registers
            vector, matrix = (printer.text(each, Rank.UNARY) for each in args)
            pair = (vector, matrix) if value.attr.registers else (matrix, vector)
            return " * ".join(pair), Rank.MULTIPLY
        case NodeForm.ELEMENT:
            index = args[1]
            if index.op is NodeForm.LITERAL and index.attr[0] >> 31:
                raise UnsupportedError("an element beyond every buffer has no source in GLSL")
            return f"{elements(target, value, first)}[{printer.text(index)}]", Rank.PRIMARY
        case NodeForm.BYTES:
            return f"{elements(target, value, first)}[{printer.text(args[2])}]", Rank.PRIMARY
        case NodeForm.TEXEL:
            return texel(target, printer, value), Rank.PRIMARY
        case NodeForm.TEXTURE:
            return texture(target, printer, value), Rank.PRIMARY
        case NodeForm.ATOMIC:
            return atomic(target, printer, value), Rank.PRIMARY
        case NodeForm.COUNTS:
            return f"SetMeshOutputsEXT({printer.list(args)})", Rank.PRIMARY
        case NodeForm.LAUNCH:
            return f"EmitMeshTasksEXT({printer.list(args)})", Rank.PRIMARY
        case NodeForm.PRINT:
            target.extensions.add(PRINTF)
            return print_call("debugPrintfEXT", value.attr, printer.list(args)), Rank.PRIMARY
        case NodeForm.STREAM:
            return "EndPrimitive()" if len(args) == 1 else "EmitVertex()", Rank.PRIMARY
        case NodeForm.COUNTER:
            step = "1u" if value.attr > 0 else "0xffffffffu"
            call = f"atomicAdd({first}_counter, {step})"
            if value.type.kind is ScalarKind.UINT:
                return call, Rank.PRIMARY
            return f"{target.type(value.type)}({call})", Rank.PRIMARY
    return barrier(value.attr), Rank.PRIMARY


def barrier(asked: Barrier) -> str:
    """Return the calls of a barrier; `barrier` orders accesses to shared memory itself."""
    shared, buffers, images, device = asked.order
    if not (buffers or images):
        words = [] if asked.waits else ["memoryBarrierShared"]
    elif not device:
        words = ["groupMemoryBarrier"]
    elif shared and buffers and images:
        words = ["memoryBarrier"]
    else:
        words = ["memoryBarrierBuffer"] * buffers + ["memoryBarrierImage"] * images
        words += ["memoryBarrierShared"] * (shared and not asked.waits)
    return "; ".join(f"{each}()" for each in [*words, *["barrier"] * asked.waits])


def elements(target: "GlslTarget", value: SourceExpression, text: str) -> str:
    """Return the array of the storage block of a number's size, a member in an array of blocks."""
    base = value.args[0]
    is_alone = base.op is NodeForm.NAME
    name = str((base if is_alone else base.args[0]).attr)
    view = target.views.get((name, value.type.bits // 8), name)
    return view + text.removeprefix(name) + ".elements" * (not is_alone)


def image_place(printer: Printer, place: SourceExpression) -> str:
    """Return coordinates of a texel as signed integers."""
    type = place.type._replace(kind=ScalarKind.INT)
    if place.type == type:
        return printer.text(place)
    if place.op is NodeForm.LITERAL:
        return printer.text(SourceExpression(NodeForm.LITERAL, type, (), place.attr))
    return f"{printer.target.type(type)}({printer.text(place)})"


def texel(target: "GlslTarget", printer: Printer, value: SourceExpression) -> str:
    """Return a texel of an image or of a buffer of texels."""
    memory: Memory = value.attr
    base, place = value.args
    whole = f"{printer.text(base, Rank.PRIMARY)}, {image_place(printer, place)}"
    if memory in target.images:
        text = f"imageLoad({whole})"
    else:
        target.extensions.add(SAMPLERLESS)
        text = f"texelFetch({whole})"
    width = value.type.width
    return text if width == 4 else f"{text}.{LETTERS[:width]}"


def stored(printer: Printer, line: Assign) -> str:
    """Return a store to an image; nothing for other assignments."""
    target = line.target
    if target.op is not NodeForm.TEXEL:
        return ""
    base, place = target.args
    value = line.value
    width = target.type.width
    parts = [printer.text(value)]
    if value.type.width < width or width == 1:
        parts = [printer.widened(value, 4)]
    elif width < 4:
        zero = printer.number(0, value.type.wide(1))
        given = ", ".join([*parts, *[zero] * (4 - width)])
        parts = [f"{printer.target.type(value.type.wide(4))}({given})"]
    whole = f"{printer.text(base, Rank.PRIMARY)}, {image_place(printer, place)}"
    return f"imageStore({whole}, {parts[0]})"


def atomic(target: "GlslTarget", printer: Printer, value: SourceExpression) -> str:
    """Return the call of an atomic operation."""
    place, *operands = value.args
    kind = place.type.kind
    if place.type.bits == WIDE:
        target.extensions.add(WIDE_ATOMICS)
    if value.attr is OPS.atomic_cas:
        operands.reverse()
    rest = []
    if value.attr in SIGNED and kind is ScalarKind.UINT and place.op is NodeForm.BYTES:
        if place.type.bits == WIDE:
            check_sign(value)
        base = printer.text(place.args[0], Rank.PRIMARY)
        where = f"{base}_signed[{printer.text(place.args[2])}]"
        kind = ScalarKind.INT
    elif place.op is NodeForm.TEXEL:
        check_sign(value)
        image, at = place.args
        where = f"{printer.text(image, Rank.PRIMARY)}, {image_place(printer, at)}"
    else:
        check_sign(value)
        where = printer.text(place)
    for each in operands:
        type = each.type._replace(kind=kind)
        same = each if each.type == type else SourceExpression(NodeForm.CONVERT, type, (each,))
        if each.op is NodeForm.LITERAL:
            same = SourceExpression(NodeForm.LITERAL, type, (), each.attr)
        rest.append(printer.text(same))
    start = "imageAtomic" if place.op is NodeForm.TEXEL else "atomic"
    call = f"{start}{ATOMICS[value.attr]}({', '.join([where, *rest])})"
    if value.type.kind is kind:
        return call
    return f"{printer.target.type(value.type)}({call})"


def texture(target: "GlslTarget", printer: Printer, value: SourceExpression) -> str:
    """Return the call of a texture function."""
    call: TextureCall = value.attr
    sample = call.sample
    shape = sample.texture.shape
    operands = call.operands(value)
    base = printer.text(operands["texture"], Rank.PRIMARY)
    if sample.feedback:
        raise UnsupportedError("residency of texels cannot be decompiled to GLSL yet")
    word = f"{SHAPES[shape]}{'Array' * sample.texture.layered}"
    own = sample.texture.slot
    combined = own is not None and own.kind is ResourceClass.COMBINED_SAMPLER
    if combined and sample.sampler is not None and sample.sampler.slot != own:
        raise UnsupportedError("a sampler of another texture cannot be decompiled to GLSL yet")
    if "sampler" in operands and not combined:
        sampler = printer.text(operands["sampler"], Rank.PRIMARY)
        kind = PREFIXES[call.kind]
        base = f"{kind}sampler{word}{'Shadow' * sample.compare}({base}, {sampler})"
    if "coordinates" not in operands:
        at = f", {printer.text(operands['sample'])}" if call.multisampled else ""
        return f"subpassLoad({base}{at})"
    coordinates = operands["coordinates"]
    offset = operands.get("offset")
    if sample.action is Action.LOD:
        return f"vec4(textureQueryLod({base}, {printer.text(coordinates)}), 0.0, 0.0)"
    if sample.action is Action.FETCH:
        return fetch(target, printer, call, operands, base)
    moving = f", {printer.text(offset)}" if offset is not None else ""
    if sample.action is Action.GATHER:
        last = f", {printer.text(operands['reference'])}" if sample.compare else ""
        if "level" in operands or "clamp" in operands:
            raise UnsupportedError("a gather of a level cannot be decompiled to GLSL yet")
        component = "" if sample.compare or not sample.component else f", {sample.component}"
        ending = "Offset" * (offset is not None)
        return (
            f"textureGather{ending}({base}, {printer.text(coordinates)}{last}{moving}{component})"
        )
    if sample.moving:
        raise UnsupportedError("an offset that is no constant cannot be decompiled to GLSL yet")
    args = [base, *place_of(printer, call, operands)]
    ending, more = "", []
    if sample.level is Level.GRADIENT:
        ending = "Grad"
        more = [printer.text(operands[role]) for role in ("x", "y")]
    elif sample.level in (Level.ZERO, Level.EXPLICIT):
        ending = "Lod"
        more = ["0.0" if sample.level is Level.ZERO else printer.text(operands["level"])]
        if sample.compare and (
            shape is Shape.CUBE or (shape is Shape.D2 and sample.texture.layered)
        ):
            target.extensions.add(SHADOW_LEVELS)
    bias = [printer.text(operands["level"])] if sample.level is Level.BIAS else []
    ending += "Offset" * (offset is not None)
    last_ = [printer.text(offset)] if offset is not None else []
    if "clamp" in operands:
        target.extensions.add(CLAMPS)
        ending += "Clamp"
        last_.append(printer.text(operands["clamp"]))
        return f"texture{ending}ARB({', '.join([*args, *more, *last_, *bias])})"
    return f"texture{ending}({', '.join([*args, *more, *last_, *bias])})"


def place_of(
    printer: Printer, call: TextureCall, operands: dict[str, SourceExpression]
) -> list[str]:
    """Return the coordinates of a sample, with the reference as their last component."""
    sample = call.sample
    place = operands["coordinates"]
    if not sample.compare:
        return [printer.text(place)]
    reference = operands["reference"]
    parts = [place]
    if sample.texture.shape is Shape.D1 and not sample.texture.layered:
        parts.append(SourceExpression(NodeForm.LITERAL, FLOAT, (), (0,)))
    width = sum(each.type.width for each in parts)
    if width == 4:
        return [printer.text(place), printer.text(reference)]
    whole = SourceExpression(NodeForm.CONSTRUCT, FLOAT.wide(width + 1), (*parts, reference))
    return [printer.text(whole)]


def fetch(
    target: "GlslTarget",
    printer: Printer,
    call: TextureCall,
    operands: dict[str, SourceExpression],
    base: str,
) -> str:
    """Return a read of one texel."""
    target.extensions.add(SAMPLERLESS)
    sample = call.sample
    texture = sample.texture
    count = texture.shape.coordinates + texture.layered
    whole = operands["coordinates"]
    place = components(whole, 0, count)
    last = operands["sample"] if call.multisampled else components(whole, count, 1)
    args = [base, printer.text(place)]
    offset = operands.get("offset")
    if texture.shape is not Shape.BUFFER:
        args.append(printer.text(last))
    if offset is None:
        return f"texelFetch({', '.join(args)})"
    if sample.moving or call.multisampled:
        if texture.layered:
            zero = SourceExpression(NodeForm.LITERAL, INT, (), (0,))
            offset = SourceExpression(NodeForm.CONSTRUCT, place.type, (offset, zero))
        args[1] = printer.text(SourceExpression(OPS.iadd, place.type, (place, offset)))
        return f"texelFetch({', '.join(args)})"
    return f"texelFetchOffset({', '.join([*args, printer.text(offset)])})"
