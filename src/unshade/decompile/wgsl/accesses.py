"""Accesses to resources in WGSL.

textureSampleLevel(albedo, s0, uv, i32(round(layer)), 0.0)
t1[i]                              word of a raw buffer
textureLoad(u0, p).x;  textureStore(u0, p, vec4f(v))
atomicAdd(&u1[i], 1u);  atomicLoad(&u1[i])
exchange_u1(i, 2u, 1u)             a function, since atomicCompareExchangeWeak may fail
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...ir.textures import Action, Level, Shape
from ...vocab.slots import ResourceClass
from ..printer import Printer
from ..spelling import Rank
from ..tree import Assign, NodeForm, ScalarKind, SourceExpression, TextureCall, components

if TYPE_CHECKING:
    from .target import WgslTarget

__all__ = ["access", "place_text", "stored_texel"]

ATOMICS = {
    OPS.atomic_add: "Add", OPS.atomic_and: "And", OPS.atomic_or: "Or", OPS.atomic_xor: "Xor",
    OPS.atomic_imin: "Min", OPS.atomic_imax: "Max", OPS.atomic_umin: "Min",
    OPS.atomic_umax: "Max", OPS.atomic_xchg: "Exchange",
}  # fmt: skip
EXCHANGE = """\
fn {0}({1}, value: {2}, expected: {2}) -> {2} {{
    var found: {2};
    loop {{
        let made = atomicCompareExchangeWeak(&{3}, expected, value);
        found = made.old_value;
        if (made.exchanged || found != expected) {{
            break;
        }}
    }}
    return found;
}}"""
SIGNED = frozenset({OPS.atomic_imin, OPS.atomic_imax})
UNSIGNED = frozenset({OPS.atomic_umin, OPS.atomic_umax})
LETTERS = "xyzw"


def access(target: "WgslTarget", printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
    """Return the text of an access."""
    args = value.args
    first = printer.text(args[0], Rank.PRIMARY) if args else ""
    match value.op:
        case NodeForm.LINE:
            (number,) = args[1].attr
            return f"{first}[{number}]", Rank.PRIMARY
        case NodeForm.ELEMENT | NodeForm.BYTES:
            text = place_text(printer, value)
            if args[0].op is NodeForm.NAME and str(args[0].attr) in target.atomics:
                return f"atomicLoad(&{text})", Rank.PRIMARY
            return text, Rank.PRIMARY
        case NodeForm.TEXEL:
            return texel(target, printer, value, first), Rank.PRIMARY
        case NodeForm.TEXTURE:
            return texture(printer, value), Rank.PRIMARY
        case NodeForm.ATOMIC:
            return atomic(target, printer, value), Rank.PRIMARY
        case NodeForm.COUNTER:
            step = "1u" if value.attr > 0 else "0xffffffffu"
            call = f"atomicAdd(&{first}_counter, {step})"
            if value.type.kind is ScalarKind.UINT:
                return call, Rank.PRIMARY
            return f"{target.type(value.type)}({call})", Rank.PRIMARY
        case NodeForm.BARRIER:
            return barrier(target, value), Rank.PRIMARY
    if value.op is NodeForm.PRINT:
        raise UnsupportedError("WGSL has no printf")
    raise UnsupportedError(f"{value.op} cannot be translated to WGSL yet")


def place_text(printer: Printer, value: SourceExpression) -> str:
    """Return a place in memory, which atomic operations take the address of."""
    if value.op is NodeForm.INDEX:
        return Printer.ranked(printer, value)[0]
    if value.op not in (NodeForm.ELEMENT, NodeForm.BYTES):
        return printer.text(value)
    at = value.args[2 if value.op is NodeForm.BYTES else 1]
    if at.op is NodeForm.LITERAL and at.attr[0] >> 31:
        raise UnsupportedError("an element beyond every buffer has no source in WGSL")
    return f"{printer.text(value.args[0], Rank.PRIMARY)}[{printer.text(at)}]"


def barrier(target: "WgslTarget", value: SourceExpression) -> str:
    """Return the calls of barriers."""
    if not value.attr.waits:
        raise UnsupportedError("WGSL has no barrier that orders accesses without waiting")
    order = value.attr.order
    words = ["workgroupBarrier()"] * order.shared + ["storageBarrier()"] * order.buffers
    words += ["textureBarrier()"] * (order.images and target.images)
    return "; ".join(words or ["workgroupBarrier()"])


def _address(
    target: "WgslTarget", printer: Printer, image: SourceExpression, place: SourceExpression
) -> str:
    """Return the coordinates of a texel of a writable texture, and its layer."""
    if str(image.attr) not in target.layered:
        return printer.text(place)
    parts = components(place, 0, place.type.width - 1), components(place, place.type.width - 1, 1)
    return ", ".join(printer.text(each) for each in parts)


def texel(target: "WgslTarget", printer: Printer, value: SourceExpression, image: str) -> str:
    """Return a texel of a writable texture."""
    memory: Memory = value.attr
    width = value.type.width
    level = "" if memory.writable else ", 0"
    text = f"textureLoad({image}, {_address(target, printer, *value.args)}{level})"
    return text if width == 4 else f"{text}.{LETTERS[:width]}"


def stored_texel(target: "WgslTarget", printer: Printer, line: Assign) -> str:
    """Return a store to a writable texture."""
    image, place = line.target.args
    value = line.value
    width = line.target.type.width
    if value.type.width == 1:
        text = printer.widened(value, 4)
    elif width < 4:
        zero = printer.number(0, value.type.wide(1))
        rest = ", ".join([zero] * (4 - width))
        text = f"{target.type(value.type.wide(4))}({printer.text(value)}, {rest})"
    else:
        text = printer.text(value)
    where = _address(target, printer, image, place)
    return f"textureStore({printer.text(image)}, {where}, {text})"


def atomic(target: "WgslTarget", printer: Printer, value: SourceExpression) -> str:
    """Return the call of an atomic operation."""
    place, *operands = value.args
    if place.op is NodeForm.TEXEL:
        raise UnsupportedError("WGSL has no atomic operations of texels")
    kind = place.type.kind
    if (value.attr in SIGNED and kind is not ScalarKind.INT) or (
        value.attr in UNSIGNED and kind is not ScalarKind.UINT
    ):
        raise UnsupportedError("WGSL has no atomic operation of words of another sign")
    rest = []
    for each in operands:
        type = each.type._replace(kind=kind)
        same = each if each.type == type else SourceExpression(NodeForm.CONVERT, type, (each,))
        if each.op is NodeForm.LITERAL:
            same = SourceExpression(NodeForm.LITERAL, type, (), each.attr)
        rest.append(printer.text(same))
    if value.attr is OPS.atomic_cas:
        call = exchange(target, printer, place, rest)
    else:
        word, text = ATOMICS[value.attr], place_text(printer, place)
        call = f"atomic{word}(&{text}, {', '.join(rest)})"
    if value.type.kind is kind:
        return call
    return f"{target.type(value.type)}({call})"


def exchange(
    target: "WgslTarget", printer: Printer, place: SourceExpression, operands: Sequence[str]
) -> str:
    """Return the call of a function that repeats an exchange which may fail without a reason."""
    indices = []
    root = place
    while root.args:
        indices.append(root.args[2 if root.op is NodeForm.BYTES else 1])
        root = root.args[0]
    indices.reverse()
    base, kind = printer.text(root), target.type(place.type.wide(1))
    label = f"exchange_{base}"
    letters = "ij"[: len(indices)]
    parameters = [
        f"{letter}: {target.type(each.type)}" for letter, each in zip(letters, indices, strict=True)
    ]
    key = f"{label}({', '.join(parameters)})"
    known = target.exchanges.get(key)
    if known is None:
        assert target.names is not None
        known = target.exchanges[key] = target.names.unique(label)
        where = base + "".join(f"[{each}]" for each in letters)
        target.defined[known] = EXCHANGE.format(known, ", ".join(parameters), kind, where)
    return f"{known}({', '.join([*map(printer.text, indices), *operands])})"


# ---------------------------------------------------------------- textures


def texture(printer: Printer, value: SourceExpression) -> str:
    """Return the call of a texture function."""
    call: TextureCall = value.attr
    sample = call.sample
    shape = sample.texture.shape
    operands = call.operands(value)
    for wrong, what in (
        (sample.feedback, "residency of texels"), ("clamp" in operands, "least levels"),
        (sample.action is Action.LOD, "queries of a level"),
        (shape is Shape.BUFFER, "buffers of texels"),
        (sample.moving and sample.action is not Action.FETCH, "offsets that are no constants"),
    ):  # fmt: skip
        if wrong:
            raise UnsupportedError(f"WGSL has no {what}")
    own = sample.texture.slot
    if (
        own is not None
        and own.kind is ResourceClass.COMBINED_SAMPLER
        and (sample.sampler is not None and sample.sampler.slot != own)
    ):
        raise UnsupportedError("a sampler of another texture cannot be translated yet")
    base = printer.text(operands["texture"], Rank.PRIMARY)
    if sample.action is Action.FETCH:
        return fetch(printer, call, operands, base)
    sampler = printer.text(operands["sampler"], Rank.PRIMARY)
    if call.kind is not ScalarKind.FLOAT and sample.action is not Action.GATHER:
        raise UnsupportedError("WGSL has no filter of integers")
    place = operands["coordinates"]
    count = shape.coordinates
    args = [base, sampler, printer.text(components(place, 0, count))]
    if sample.texture.layered:
        layer = printer.text(components(place, count, 1))
        args.append(f"i32(round({layer}))")
    if shape is Shape.D1 and (sample.texture.layered or sample.level is not Level.AUTO):
        raise UnsupportedError("WGSL has no arrays and levels of one-dimensional textures")
    if sample.compare:
        args.append(printer.text(operands["reference"]))
    offset = operands.get("offset")
    moving = [printer.text(offset)] if offset is not None else []
    if moving and shape in (Shape.D1, Shape.CUBE):
        raise UnsupportedError("WGSL has no offsets of such textures")
    if sample.action is Action.GATHER:
        if "level" in operands:
            raise UnsupportedError("WGSL has no gather of a level")
        if sample.compare:
            return f"textureGatherCompare({', '.join([*args, *moving])})"
        return f"textureGather({', '.join([str(sample.component), *args, *moving])})"
    if sample.compare:
        if sample.level not in (Level.AUTO, Level.ZERO):
            raise UnsupportedError("WGSL has no comparison at a level")
        level = "Level" * (sample.level is Level.ZERO)
        return f"textureSampleCompare{level}({', '.join([*args, *moving])})"
    match sample.level:
        case Level.AUTO:
            ending, more = "", []
        case Level.BIAS:
            ending, more = "Bias", [printer.text(operands["level"])]
        case Level.GRADIENT:
            ending, more = "Grad", [printer.text(operands[role]) for role in ("x", "y")]
        case Level.EXPLICIT:
            ending, more = "Level", [printer.text(operands["level"])]
        case _:
            ending, more = "Level", ["0.0"]
    return f"textureSample{ending}({', '.join([*args, *more, *moving])})"


def fetch(
    printer: Printer, call: TextureCall, operands: dict[str, SourceExpression], base: str
) -> str:
    """Return a read of one texel."""
    texture = call.sample.texture
    count = texture.shape.coordinates
    whole = operands["coordinates"]
    place = components(whole, 0, count)
    offset = operands.get("offset")
    if offset is not None:
        place = SourceExpression(OPS.iadd, place.type, (place, offset))
    args = [base, printer.text(place)]
    if texture.layered:
        args.append(printer.text(components(whole, count, 1)))
    if call.multisampled:
        args.append(printer.text(operands["sample"]))
    else:
        args.append(printer.text(components(whole, count + texture.layered, 1)))
    return f"textureLoad({', '.join(args)})"
