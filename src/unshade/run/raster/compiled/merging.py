"""The outputs of a pixel shader into targets: `merger` and `target_formats` for common formats.

Targets hold words as they are, or normalised numbers of 8 or 16 bits, which may be blended. Quads
are written in the order of their primitives, and so is the number of the primitive that a pixel
shows.
"""

from collections.abc import Sequence
from functools import cache

from ....tuples import NamedTuple
from ....vm.jit.written import (
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    Num,
    ValueType,
    WrittenCode,
    WrittenFunction,
)
from ..blending import PLAIN
from ..state_words import BlendOp, Factor
from .quads import OF_QUADS, QUAD, WrittenQuad

WORDS = ["count", "start", "records", *OF_QUADS, "chosen", "width", "height", "numbers",
         "primitives"]  # fmt: skip
OPERATIONS = (BlendOp.ADD, BlendOp.SUBTRACT, BlendOp.REV_SUBTRACT)
FACTORS = (
    Factor.ZERO, Factor.ONE, Factor.SRC_COLOR, Factor.SRC_ALPHA, Factor.DEST_COLOR,
    Factor.DEST_ALPHA, Factor.BLEND_FACTOR, Factor.ALPHA_FACTOR, Factor.SRC_ALPHA_SAT,
)  # fmt: skip
ONE = 0x3F80_0000  # the bits of 1.0
WORDS_OF = {8: I8, 16: I16, 32: I32, 64: I64}  # types by their bits


class MergedBlending(NamedTuple):
    """Factors and operation of the colour and of alpha; `clamped` is true if factors are clamped,
    too. `constants` are those of the factors.
    """

    factors: tuple[str, str, str, str]
    operations: tuple[str, str]
    clamped: bool
    constants: tuple[float, ...]


class MergedTarget(NamedTuple):
    """A target whose texels have `size` numbers of `bits` each.

    `fields` has the channel of each number, in order of memory, `written` the channels that are
    written. `values` has an output of the shader for each channel: its number; or -1, and the value
    is 0; or -2, and it is 1. Numbers of 32 bits are stored as they are. `single` is true if
    normalised numbers are multiplied in single precision.
    """

    size: int
    bits: int
    fields: tuple[int, ...]
    written: tuple[int, ...]
    values: tuple[int, ...]
    single: bool = False
    blending: MergedBlending | None = None


@cache
def merging(targets: tuple[MergedTarget, ...], outputs: int) -> WrittenFunction:
    """Return the function that writes the lanes that are shown.

    The arrays `out0`, … are the outputs of the shader for lanes, `target0`, … the targets, and
    `numbers` the primitive of each triangle.
    """
    of_targets = [f"target{at}" for at in range(len(targets))]
    code = WrittenCode([*WORDS, *(f"out{at}" for at in range(outputs)), *of_targets])
    with code.loop(0, code.number("count")) as row:
        quad = WrittenQuad(code, code.at("chosen", I32, row).load().to(I64, "sext"))
        mask = quad.mask
        number = code.at("numbers", I64, quad.triangle).load().splat(2)
        for half, place in enumerate(quad.rows("primitives", I64)):
            place.store_some(number, mask.half(half))
        for at, target in enumerate(targets):
            write = _as_they_are if target.bits == 32 else _normalised
            write(target, f"target{at}", quad, row)
    return WrittenFunction(code)


def _as_they_are(target: MergedTarget, word: str, quad: WrittenQuad, row: Num) -> None:
    """Write words."""
    code, bits = quad.code, quad.mask.to(I8, "zext")
    for half, first in enumerate(quad.pixels):
        for side in (0, 1):
            lane = 2 * half + side
            with code.when(bits.lane(lane).is_("ne", 0)):
                for number, channel in enumerate(target.fields):
                    if channel in target.written:
                        output = target.values[channel]
                        value = code.constant(ONE if output == -2 else 0, I32)
                        if output >= 0:
                            value = code.at(f"out{output}", I32, row * QUAD, lane).load()
                        where = code.at(word, I32, (first + side) * target.size, number)
                        where.store(value)


def _normalised(target: MergedTarget, word: str, quad: WrittenQuad, row: Num) -> None:
    """Blend and encode colours; a texel is one word."""
    code, mask = quad.code, quad.mask
    kind, bits = WORDS_OF[target.size * target.bits], target.bits
    fields = [(bits * at, each) for at, each in enumerate(target.fields)]
    most = (1 << bits) - 1
    some = set(target.written) & set(target.fields)
    held = quad.load(word, kind, align=bits // 8)
    colours = _colours(code, target, row)
    if target.blending is not None:
        destination = {
            channel: (held >> low & signed(most, kind)).to(F32, "uitofp") / float(most)
            for low, channel in fields
        }
        colours = _blended(code, target.blending, colours, destination)
    made = code.constant(0, kind.of(QUAD))
    beside = (1 << target.size * bits) - 1
    for low, channel in fields:
        if channel in some:
            field = _encoded(colours[channel], bits, single=target.single)
            made = made | field.to(kind, "zext" if kind.size > I32.size else "trunc") << low
            beside &= ~(most << low)
    if beside:
        made = made | held & signed(beside, kind)
    quad.store(word, made, held, mask, align=bits // 8)


def signed(number: int, kind: ValueType) -> int:
    """Return a number of unsigned bits as LLVM writes it."""
    bits = 8 * kind.size
    return number - (number >> bits - 1 << bits)


def _colours(code: WrittenCode, target: MergedTarget, row: Num) -> list[Num]:
    """Return the four channels of the lanes' colours."""
    return [
        code.at(f"out{each}", F32.of(QUAD), row * QUAD).load() if each >= 0
        else code.constant(-1.0 - each, F32.of(QUAD))
        for each in target.values
    ]  # fmt: skip


def _encoded(colour: Num, bits: int, *, single: bool) -> Num:
    """Return normalised numbers for colours: the nearest, halves away from zero; NaN is 0."""
    most = float((1 << bits) - 1)
    inside = _clamped(colour)
    scaled = (inside * most).to(F64, "fpext") if single else inside.to(F64, "fpext") * most
    return (scaled + 0.5).to(I32, "fptosi")


def _clamped(colour: Num) -> Num:
    """Return a colour from 0 to 1; NaN is 0."""
    code = colour.code
    positive = colour.is_("ogt", 0.0).choose(colour, 0.0)
    return positive.is_("ogt", 1.0).choose(code.constant(1.0, colour.kind), positive)


def _blended(
    code: WrittenCode,
    blending: MergedBlending,
    given: Sequence[Num],
    held: dict[int, Num],
) -> list[Num]:
    """Return the colours after blending."""
    kind = F32.of(QUAD)
    source = [_clamped(each) for each in given]
    # What a format lacks is 0, and 1 for alpha.
    destination = [held.get(at, code.constant(float(at == 3), kind)) for at in range(4)]
    constants = [code.constant(each, kind) for each in blending.constants]

    def factor(name: str, channel: int) -> Num:
        plain = PLAIN.get(Factor(name))
        if plain is not None:
            return 1.0 - factor(plain, channel)
        match name:
            case Factor.SRC_COLOR:
                return source[channel]
            case Factor.SRC_ALPHA:
                return source[3]
            case Factor.DEST_COLOR:
                return destination[channel]
            case Factor.DEST_ALPHA:
                return destination[3]
            case Factor.BLEND_FACTOR:
                return constants[channel]
            case Factor.ALPHA_FACTOR:
                return constants[3]
            case Factor.SRC_ALPHA_SAT if channel < 3:
                other = 1.0 - destination[3]
                return other.is_("olt", source[3]).choose(other, source[3])
        return code.constant(float(name in (Factor.ONE, Factor.SRC_ALPHA_SAT)), kind)

    made = []
    for channel in range(4):
        alpha = channel == 3
        names = blending.factors[2 * alpha : 2 * alpha + 2]
        factors = [factor(each, channel) for each in names]
        if blending.clamped:
            factors = [_clamped(each) for each in factors]
        new, old = source[channel] * factors[0], destination[channel] * factors[1]
        match blending.operations[alpha]:
            case BlendOp.ADD:
                made.append(new + old)
            case BlendOp.SUBTRACT:
                made.append(new - old)
            case _:
                made.append(old - new)
    return made
