"""Accesses to resources in HLSL.

transpose(world)[0]                 column of a matrix
world._m00_m10_m20 = axis           the same, set
albedo.SampleLevel(s0, uv, 0.0)     textures
t1.Load(4 * i)                      raw buffers
InterlockedAdd(u0[i], 1u, old);     atomic operations
"""

from ...ir.ops import OPS
from ...ir.textures import Action, Level, Shape
from ..kinds import check_sign
from ..messages import print_call
from ..printer import Printer
from ..resources.widths import WORD, multiplied
from ..spelling import Rank
from ..tree import (
    Assign,
    Define,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    TextureCall,
)

__all__ = ["access", "atomic_definition", "stored_word"]

ATOMICS = {
    OPS.atomic_add: "Add", OPS.atomic_and: "And", OPS.atomic_or: "Or", OPS.atomic_xor: "Xor",
    OPS.atomic_imin: "Min", OPS.atomic_imax: "Max", OPS.atomic_umin: "Min",
    OPS.atomic_umax: "Max", OPS.atomic_xchg: "Exchange", OPS.atomic_cas: "CompareExchange",
}  # fmt: skip
COMPONENTS = ("Red", "Green", "Blue", "Alpha")
INT = TermType(ScalarKind.INT)


def access(printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
    """Return the text of an access."""
    args = value.args
    first = printer.text(args[0], Rank.PRIMARY) if args else ""
    match value.op:
        case NodeForm.LINE:
            (number,) = args[1].attr
            if not value.attr.by_column:
                return f"{first}[{number}]", Rank.PRIMARY
            return f"transpose({printer.text(args[0])})[{number}]", Rank.PRIMARY
        case NodeForm.PRODUCT:
            vector, matrix = (printer.text(each) for each in args)
            pair = (vector, matrix) if value.attr.hlsl else (matrix, vector)
            return f"mul({', '.join(pair)})", Rank.PRIMARY
        case NodeForm.ELEMENT | NodeForm.TEXEL:
            return f"{first}[{printer.text(args[1])}]", Rank.PRIMARY
        case NodeForm.BYTES:
            return f"{first}.Load{_number(printer, value)}", Rank.PRIMARY
        case NodeForm.TEXTURE:
            return texture(printer, value), Rank.PRIMARY
        case NodeForm.ATOMIC:
            return atomic(printer, value, ""), Rank.PRIMARY
        case NodeForm.COUNTS:
            return f"SetMeshOutputCounts({printer.list(args)})", Rank.PRIMARY
        case NodeForm.LAUNCH:
            return f"DispatchMesh({printer.list(args)}, {value.attr})", Rank.PRIMARY
        case NodeForm.PRINT:
            return print_call("printf", value.attr, printer.list(args)), Rank.PRIMARY
        case NodeForm.STREAM if len(args) == 1:
            return f"{first}.RestartStrip()", Rank.PRIMARY
        case NodeForm.STREAM:
            return f"{first}.Append({printer.text(args[1])})", Rank.PRIMARY
        case NodeForm.COUNTER if value.attr < 0:
            # It returns the counter after the step, the atomic operation the one before.
            return f"{first}.DecrementCounter() + 1u", Rank.ADD
        case NodeForm.COUNTER:
            return f"{first}.IncrementCounter()", Rank.PRIMARY
    order = value.attr.order
    views = order.buffers or order.images
    scope = ("All" if order.shared else "Device") if views else "Group"
    return f"{scope}MemoryBarrier{'WithGroupSync' * value.attr.waits}()", Rank.PRIMARY


def stored_word(printer: Printer, line: Assign) -> str:
    """Return a statement that is no assignment in HLSL; nothing for other assignments.

    These are a store to a raw buffer or a column of a matrix, and the result of an atomic
    operation, which is a parameter.
    """
    target = line.target
    if line.value.op is NodeForm.ATOMIC:
        return atomic(printer, line.value, printer.text(target))
    whole = target.args[0] if target.op is NodeForm.SWIZZLE else target
    if whole.op is NodeForm.LINE and whole.attr.by_column:
        matrix = printer.text(whole.args[0], Rank.PRIMARY)
        (number,) = whole.args[1].attr
        rows = target.attr if target is not whole else range(whole.attr.rows)
        column = "".join(f"_m{row}{number}" for row in rows)
        return f"{matrix}.{column} = {printer.text(line.value)}"
    if line.target.op is not NodeForm.BYTES:
        return ""
    text = printer.text(line.target.args[0], Rank.PRIMARY)
    return f"{text}.Store{_number(printer, line.target, line.value)}"


def _number(printer: Printer, target: SourceExpression, *values: SourceExpression) -> str:
    """Return the arguments of a method of a raw buffer, behind what its name says of the number.

    This is the number of words, `Load4`, or another type than that of words: `Load<float3>`.
    Numbers that are not words have no address but a number, which counts those of their size.
    """
    _, address, number = target.args
    word = f"{target.type.width}" if target.type.width > 1 else ""
    size = target.type.bits // 8
    if size != WORD or target.type.kind is not ScalarKind.UINT:
        word = f"<{printer.target.type(target.type)}>"
    if size != WORD:
        address = multiplied(number, size)
    return f"{word}({', '.join(printer.text(each) for each in (address, *values))})"


def atomic(printer: Printer, value: SourceExpression, result: str) -> str:
    """Return the call of an atomic operation; `result` is the variable for the old value."""
    place, *operands = value.args
    if value.attr is OPS.atomic_cas:
        operands.reverse()
    word = f"Interlocked{ATOMICS[value.attr]}"
    rest = [*(printer.text(each) for each in operands), *([result] if result else [])]
    if place.op is not NodeForm.BYTES:  # whose operands have the sign
        check_sign(value)
        return f"{word}({', '.join([printer.text(place), *rest])})"
    base, address, number = place.args
    size = place.type.bits // 8
    if size != WORD:
        word, address = f"{word}64", multiplied(number, size)
    text = printer.text(base, Rank.PRIMARY)
    return f"{text}.{word}({', '.join([printer.text(address), *rest])})"


def atomic_definition(printer: Printer, line: Define) -> list[str]:
    """Return the statements of an atomic operation with a result; none for other definitions."""
    value = line.value
    if value is None or value.op is not NodeForm.ATOMIC:
        return []
    return [f"{printer.target.type(line.type)} {line.name}", atomic(printer, value, line.name)]


def texture(printer: Printer, value: SourceExpression) -> str:
    """Return the method of a texture."""
    call: TextureCall = value.attr
    sample = call.sample
    operands = call.operands(value)
    base = printer.text(operands.pop("texture"), Rank.PRIMARY)
    given = {role: printer.text(each) for role, each in operands.items()}
    if sample.action is Action.LOD:
        args = f"({given['sampler']}, {given['coordinates']})"
        clamped = f"{base}.CalculateLevelOfDetail{args}"
        return f"float4({clamped}, {base}.CalculateLevelOfDetailUnclamped{args}, 0.0, 0.0)"
    if sample.action is Action.FETCH and "coordinates" not in given:
        return f"{base}.SubpassLoad({given.get('sample', '')})"
    if sample.action is Action.FETCH:
        return f"{base}.Load({', '.join(given.values())})"
    word = "Sample" if sample.action is Action.SAMPLE else "Gather"
    if sample.compare:
        word += "Cmp"
    elif sample.component:
        word += COMPONENTS[sample.component] * (sample.action is Action.GATHER)
    if sample.level is Level.ZERO and sample.action is Action.SAMPLE:
        word += "LevelZero" if sample.compare else "Level"
        if not sample.compare:
            given["level"] = "0.0"
    elif sample.level in (Level.BIAS, Level.EXPLICIT):
        word += "Bias" if sample.level is Level.BIAS else "Level"
    elif sample.level is Level.GRADIENT:
        word += "Grad"
    clamp = given.pop("clamp", "")
    if clamp and "offset" not in given and sample.texture.shape is not Shape.CUBE:
        width = sample.texture.shape.coordinates
        zeros = ", ".join(["0"] * width)
        given["offset"] = f"{printer.target.type(INT.wide(width))}({zeros})" if width > 1 else "0"
    return f"{base}.{word}({', '.join([*given.values(), *([clamp] if clamp else [])])})"
