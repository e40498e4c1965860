"""Differences without meaning: results that Direct3D leaves open, and effects of the translation.

    signs          -|x| of a word that may be no float: vkd3d 1.2 leaves the sign out
    unwritten      an output, or a register, that is read before anything was written to it
    outside        an element of x#, icb, v# that is not there: their array has no bounds
    chosen         v[r#.x + #] in a pixel shader: vkd3d 1.2 gives the first, whatever r#.x is
    coordinates    a texture looked up at NaN or infinity
    range          ftoi, ftou of what does not fit (here the nearest integer, NaN 0, as Direct3D
                   has it; OpConvertFToS and FToU leave it open, and lavapipe gives what the
                   processor does)
    race           two lanes at one place of a buffer, without an atomic operation
    order          what an atomic operation gives depends on the order of the lanes
    level          lod: lavapipe takes logarithms by straight lines between powers of two
    corner         gather4 of a cube where three faces meet: there is no fourth texel
    exp            lavapipe gives 0 for NaN and infinity, Direct3D has NaN and infinity
    rounding       what rounding does to it is as large as the difference: see shaken
    unsteady       lavapipe gives something else when it is asked again: shared memory at its start,
                   races there
    subnormal      lavapipe keeps subnormal numbers in compute shaders, Direct3D has 0

Those in between are a kernel that gives another number there: what does not change with it does not
depend on it, and has to be right.
"""

import random
from collections.abc import Callable
from typing import Any

from unshade.ir.builder import Builder, constant
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Memory, Space
from unshade.ir.ops import OPS
from unshade.ir.textures import Action, Shape
from unshade.ir.transforms.copying import copied_kernel
from unshade.ir.transforms.rewrite import rewrite
from unshade.ir.types import BOOL, F32, I32

LARGEST = 64  # elements of an array that is filled
COUNTED = (Action.FETCH, Action.SIZE, Action.SAMPLES, Action.LOD)  # have no coordinates to filter
CORNER = 0.75  # how near to the length of the diagonal
FINITE: dict[Value, Value] = {}  # of each lookup, whether its operands are numbers
REGISTERS = (Space.LOCAL, Space.TABLE)
POISONS = (0xDEAD_BEEF, 0x4049_0FDB)
Rule = Callable[[Builder, Value, int], "Value | None"]


def _outside(b: Builder, value: Value, poison: int) -> Value | None:
    if value.op not in (OPS.load, OPS.store) or value.attr.space not in REGISTERS:
        return None
    element, *rest = value.args
    inside = b.ult(element, value.attr.count)
    if value.op is OPS.store:
        element = b.select(inside, element, constant(poison % value.attr.count, I32))
        return b.make(OPS.store, element, *rest, attr=value.attr)
    old = b.make(OPS.load, *value.args, type=value.type, attr=value.attr)
    return b.select(inside, old, constant(poison, I32))


def _chosen(b: Builder, value: Value, poison: int) -> Value | None:
    if value.op is not OPS.load or value.attr.name != "v" or b.kernel.stage != "pixel":
        return None
    return constant(poison, I32)


def _range(b: Builder, value: Value, poison: int) -> Value | None:
    if value.op not in (OPS.ftoi, OPS.ftou) or value.args[0].type is not F32:
        return None
    number = value.args[0]
    old = b.make(value.op, number, type=value.type)
    low, high = (-1.0, 2.0**32) if value.op is OPS.ftou else (-(2.0**31) - 256, 2.0**31)
    fits = b.and_(b.flt(low, number), b.flt(number, high))
    return b.select(fits, old, constant(poison, value.type))


def _order(b: Builder, value: Value, poison: int) -> Value | None:
    if not value.op.atomic:
        return None
    b.make(value.op, *value.args, attr=value.attr)
    return constant(poison >> 4 & 7, I32)  # small: it may be an address


def _exp(b: Builder, value: Value, poison: int) -> Value | None:
    if value.op.name != "exp2":
        return None
    number = value.args[0]
    good = b.flt(number, float("inf"))
    return b.select(good, b.exp2(number), b.asfloat(constant(poison, I32)))


def _coordinates(b: Builder, value: Value, poison: int) -> Value | None:
    """Replace what was looked up with a poison or NaN where an operand is no number."""
    if value.op.name == "part" and value.args[0] in FINITE:
        b.region.append(value)
        is_float = value.type is F32
        other = b.number(float("nan") if poison & 4 else 1e3, F32) if is_float else constant(7, I32)
        return b.select(FINITE[value.args[0]], value, other)
    if value.op.name != "sample" or value.attr.action in COUNTED:
        return None
    b.region.append(value)
    good = constant(1, BOOL)
    for number in value.args:
        if number.type is F32:
            good = b.and_(good, b.flt(b.fabs(number), float("inf")))
    FINITE[value] = good
    return value


def _corner(b: Builder, value: Value, poison: int) -> Value | None:
    """The fourth texel where three faces meet."""
    if value.op.name == "part" and value.args[0] in FINITE:
        b.region.append(value)
        other = b.number(1e3, F32) if value.type is F32 else constant(poison, I32)
        return b.select(FINITE[value.args[0]], other, value)
    if value.op.name != "sample" or value.attr.action is not Action.GATHER:
        return None
    if value.attr.texture.shape is not Shape.CUBE:
        return None
    b.region.append(value)
    x, y, z = (b.fabs(number) for number in value.args[:3])
    longest, shortest = b.fmax(x, b.fmax(y, z)), b.fmin(x, b.fmin(y, z))
    FINITE[value] = b.fle(b.fmul(longest, CORNER), shortest)
    return value


def _level(b: Builder, value: Value, poison: int) -> Value | None:
    if value.op.name != "part" or value.args[0].attr.action is not Action.LOD:
        return None
    b.region.append(value)
    return b.fadd(value, b.number((0.0625, -0.0625)[value.attr & 1], F32))


RULES: dict[str, Rule | None] = {
    "unwritten": None, "outside": _outside, "chosen": _chosen, "coordinates": _coordinates,
    "range": _range, "order": _order, "level": _level, "corner": _corner, "exp": _exp,
}  # fmt: skip


def poisoned(lowered: Lowered, name: str, poison: int) -> Lowered:
    """The program with another number where the rule says that it may be another."""
    kernel = copied_kernel(lowered.kernel)
    rule = RULES[name]
    FINITE.clear()
    if rule is not None:
        rewrite(kernel, lambda b, value: rule(b, value, poison))
    else:
        _start(kernel, poison)
    return Lowered(kernel, lowered.resources, lowered.lines)


def _start(kernel: KernelIR, poison: int) -> None:
    """Registers that hold something at the start."""
    body = kernel.body[:]
    kernel.body.clear()
    b = Builder(kernel)
    for variable in kernel.variables:
        if variable.type is I32:
            b.set(variable, constant(poison, I32))
    for memory in kernel.memories:
        if memory.space is Space.LOCAL and (memory.count or 0) <= LARGEST:
            for element in range(memory.count or 0):
                for byte in (0, 4, 8, 12):
                    place = constant(element, I32), constant(byte, I32)
                    b.make(OPS.store, *place, constant(poison, I32), attr=memory)
    kernel.body.extend(body)


def unsigned(program: Any) -> bool:
    """Leave the sign out where vkd3d does; whether there was one."""
    found = False
    for instruction in program.instructions:
        row = instruction.op
        if row is None:
            continue
        for letter, operand in zip(row.operands, instruction.operands, strict=False):
            if letter != "f" and operand.negate and operand.absolute:
                operand.negate = False
                found = True
    return found


def unflushed(lowered: Lowered) -> Lowered:
    """The program with subnormal numbers."""
    kernel = copied_kernel(lowered.kernel)
    kernel.flush = frozenset()
    return Lowered(kernel, lowered.resources, lowered.lines)


ROUNDED = {"fadd", "fsub", "fmul", "ffma", "fdiv", "fsqrt", "part"}
ROUGH = {"sin", "cos", "exp2", "log2", "pow", "rsqrt"}


def shaken(lowered: Lowered, seed: int) -> Lowered:
    """The program on a machine that rounds otherwise: results differ by two units in the last
    place, those of functions by 2^-16 (lavapipe's logarithms are that rough).
    """
    kernel = copied_kernel(lowered.kernel)
    rng = random.Random(seed)

    def rule(b: Builder, value: Value) -> Value | None:
        name = value.op.name
        if value.type is not F32 or (name not in ROUNDED and name not in ROUGH):
            return None
        b.region.append(value)
        size = 2.0**-16 if name in ROUGH else 2.0**-22
        return b.fmul(value, 1.0 + rng.choice((-size, size)))

    rewrite(kernel, rule)
    return Lowered(kernel, lowered.resources, lowered.lines)


LOW, HIGH = ".low", ".high"  # what the memories of `watched` are called behind their own name


def watched(lowered: Lowered) -> Lowered:
    """The program that also tells the least and the greatest lane at each place, for each memory.

    Those that only read count, too: they do not race with each other, but then nothing was written.
    """
    kernel = copied_kernel(lowered.kernel)
    seen: dict[str, tuple[Memory, Memory]] = {}

    def rule(b: Builder, value: Value) -> Value | None:
        memory = value.attr
        if not isinstance(memory, Memory) or value.op.name == "count":
            return None
        if memory.space is not Space.BUFFER or not memory.writable:
            return None
        both = seen.get(memory.name)
        if both is None:
            names = (memory.name + LOW, memory.name + HIGH)
            made = [Memory(name, Space.BUFFER, memory.stride, None, True) for name in names]
            both = seen[memory.name] = made[0], made[1]
            b.kernel.memories += made
        lane = b.source("item")
        place = value.args[:2]
        b.make(OPS.atomic_umin, *place, lane, attr=both[0])
        b.make(OPS.atomic_umax, *place, lane, attr=both[1])
        b.region.append(value)
        return value

    rewrite(kernel, rule)
    return Lowered(kernel, lowered.resources, lowered.lines)
