"""The outputs of a pixel shader into targets: `merger` and `target_formats` for common formats.

Targets hold words as they are, or texels of normalised numbers, sRGB or floats, which may be
blended. Quads are written in the order of their primitives, and so is the number of the primitive
that a pixel shows.
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
from ..states.words import BlendOp, Factor
from .halves import from_halves, to_halves
from .quads import OF_QUADS, QUAD, Area, WrittenQuad
from .srgb import SRGB_WORDS, from_srgb, to_srgb

WORDS = ["count", "start", "records", *OF_QUADS, "chosen", "width", "height", "numbers",
         "primitives"]  # fmt: skip
OPERATIONS = (BlendOp.ADD, BlendOp.SUBTRACT, BlendOp.REV_SUBTRACT, BlendOp.MIN, BlendOp.MAX)
FACTORS = (
    Factor.ZERO, Factor.ONE, Factor.SRC_COLOR, Factor.SRC_ALPHA, Factor.DEST_COLOR,
    Factor.DEST_ALPHA, Factor.BLEND_FACTOR, Factor.ALPHA_FACTOR, Factor.SRC_ALPHA_SAT,
)  # fmt: skip
OF_LEAST = frozenset({Factor.SRC_ALPHA_SAT, BlendOp.MIN, BlendOp.MAX})
ONE = 0x3F80_0000  # the bits of 1.0
NAN = 0x7FC0_0000  # the bits of NaN
WORDS_OF = {8: I8, 16: I16, 32: I32, 64: I64}  # types by their bits
WIDE = 128  # bits of a texel of four floats


class MergedBlending(NamedTuple):
    """Factors and operation of the colour and of alpha; `clamped` is true if factors are clamped,
    too. `constants` are those of the factors, as the bits of floats.
    """

    factors: tuple[str, str, str, str]
    operations: tuple[str, str]
    clamped: bool
    constants: tuple[int, ...]


class TexelField(NamedTuple):
    """The bits of a channel in a texel: the lowest, and how many."""

    channel: int
    low: int
    bits: int


class MergedTarget(NamedTuple):
    """A target whose texels have `size` bits, in an array of items of `align` bytes.

    `kind` is "UNORM", "SRGB" or "SFLOAT"; or "", and numbers of 32 bits are stored as they are.
    `fields` are in order of memory, `written` the channels that are written. `values` has an output
    of the shader for each channel: its number; or -1, and the value is 0; or -2, and it is 1.
    `single` is true if normalised numbers are multiplied in single precision.
    """

    kind: str
    size: int
    align: int
    fields: tuple[TexelField, ...]
    written: tuple[int, ...]
    values: tuple[int, ...]
    single: bool = False
    blending: MergedBlending | None = None

    @property
    def is_float(self) -> bool:
        """True if colours are not clamped."""
        return self.kind == "SFLOAT"


@cache
def merging(targets: tuple[MergedTarget, ...], outputs: int, area: Area) -> WrittenFunction:
    """Return the function that writes the lanes that are shown.

    The arrays `out0`, … are the outputs of the shader for lanes, `target0`, … the targets, and
    `numbers` the primitive of each triangle.
    """
    of_targets = [f"target{at}" for at in range(len(targets))]
    tables = SRGB_WORDS if any(each.kind == "SRGB" for each in targets) else []
    code = WrittenCode([*WORDS, *(f"out{at}" for at in range(outputs)), *of_targets, *tables])
    with code.loop(0, code.number("count")) as row:
        quad = WrittenQuad(code, code.at("chosen", I32, row).load().to(I64, "sext"), area)
        mask = quad.mask
        number = code.at("numbers", I64, quad.triangle).load().splat(2)
        for half, place in enumerate(quad.rows("primitives", I64)):
            place.store_some(number, mask.half(half))
        for at, target in enumerate(targets):
            write = _texels if target.kind else _as_they_are
            write(target, f"target{at}", quad, row)
    return WrittenFunction(code)


def _as_they_are(target: MergedTarget, word: str, quad: WrittenQuad, row: Num) -> None:
    """Write words."""
    code, bits = quad.code, quad.mask.to(I8, "zext")
    for half, first in enumerate(quad.pixels):
        for side in (0, 1):
            lane = 2 * half + side
            with code.when(bits.lane(lane).is_("ne", 0)):
                for number, field in enumerate(target.fields):
                    if field.channel in target.written:
                        output = target.values[field.channel]
                        value = code.constant(ONE if output == -2 else 0, I32)
                        if output >= 0:
                            value = code.at(f"out{output}", I32, row * QUAD, lane).load()
                        where = code.at(word, I32, (first + side) * len(target.fields), number)
                        where.store(value)


def _texels(target: MergedTarget, word: str, quad: WrittenQuad, row: Num) -> None:
    """Blend and encode colours."""
    code, mask = quad.code, quad.mask
    if target.size == WIDE:
        _wide_texels(target, word, quad, row)
        return
    kind = WORDS_OF[target.size]
    held = quad.load(word, kind, align=target.align)
    colours = _colours(code, target, row)
    if target.blending is not None:
        destination = {each.channel: _decoded(target, each, held) for each in target.fields}
        colours = _blended(code, target, target.blending, colours, destination)
    made = code.constant(0, kind.of(QUAD))
    beside = (1 << target.size) - 1
    for each in target.fields:
        if each.channel in target.written:
            field = _encoded(target, each, colours[each.channel])
            made = made | _resized(field, kind) << each.low
            beside &= ~((1 << each.bits) - 1 << each.low)
    if beside:
        made = made | held & signed(beside, kind)
    quad.store(word, made, held, mask, align=target.align)


def _wide_texels(target: MergedTarget, word: str, quad: WrittenQuad, row: Num) -> None:
    """Blend texels of four floats, a vector each."""
    code = quad.code
    bits = quad.mask.to(I8, "zext")
    places = [
        code.at(word, F32.of(QUAD), (first + side) * QUAD, align=target.align)
        for first in quad.pixels for side in (0, 1)
    ]  # fmt: skip
    held = [code.variable(F32.of(QUAD), code.constant(0, F32.of(QUAD))) for _ in places]
    for lane, (place, texel) in enumerate(zip(places, held, strict=True)):
        with code.when(bits.lane(lane).is_("ne", 0)):
            texel.store(place.load())
    colours = _colours(code, target, row)
    before = _transposed([each.load() for each in held])
    if target.blending is not None:
        colours = _blended(code, target, target.blending, colours, dict(enumerate(before)))
    channels = [
        colours[each] if each in target.written else before[each] for each in range(QUAD)
    ]  # fmt: skip
    for lane, (place, made) in enumerate(zip(places, _transposed(channels), strict=True)):
        with code.when(bits.lane(lane).is_("ne", 0)):
            place.store(made)


def _transposed(rows: Sequence[Num]) -> list[Num]:
    """Return the columns of four vectors of four numbers."""
    low = [rows[at].shuffled(rows[at + 1], [0, 4, 1, 5]) for at in (0, 2)]
    high = [rows[at].shuffled(rows[at + 1], [2, 6, 3, 7]) for at in (0, 2)]
    return [
        half[0].shuffled(half[1], order)
        for half in (low, high) for order in ([0, 1, 4, 5], [2, 3, 6, 7])
    ]  # fmt: skip


def _resized(number: Num, kind: ValueType) -> Num:
    """Return unsigned numbers with other bits, which hold them."""
    return number.to(kind, "zext" if kind.size > number.kind.size else "trunc")


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


def _decoded(target: MergedTarget, field: TexelField, held: Num) -> Num:
    """Return the numbers of a channel in texels."""
    most = (1 << field.bits) - 1
    found = _resized(held >> field.low, I32)
    if field.bits < I32.size * 8:
        found = found & most
    if target.is_float:
        return found.bits_as(F32.of(QUAD)) if field.bits == 32 else from_halves(found)
    if target.kind == "SRGB" and field.channel < 3:
        return from_srgb(found)
    return found.to(F32, "uitofp") / float(most)


def _encoded(target: MergedTarget, field: TexelField, colour: Num) -> Num:
    """Return the bits of a channel for colours.

    Normalised numbers are the nearest, halves away from zero; NaN is 0.
    """
    if target.is_float:
        return colour.bits_as(I32.of(QUAD)) if field.bits == 32 else to_halves(colour)
    inside = _clamped(colour)
    if target.kind == "SRGB" and field.channel < 3:
        return to_srgb(inside)
    most = float((1 << field.bits) - 1)
    scaled = (inside * most).to(F64, "fpext") if target.single else inside.to(F64, "fpext") * most
    return (scaled + 0.5).to(I32, "fptosi")


def _clamped(colour: Num) -> Num:
    """Return a colour from 0 to 1; NaN is 0."""
    code = colour.code
    positive = colour.is_("ogt", 0.0).choose(colour, 0.0)
    return positive.is_("ogt", 1.0).choose(code.constant(1.0, colour.kind), positive)


def _blended(
    code: WrittenCode,
    target: MergedTarget,
    blending: MergedBlending,
    given: Sequence[Num],
    held: dict[int, Num],
) -> list[Num]:
    """Return the colours after blending."""
    kind = F32.of(QUAD)
    source = [*given] if target.is_float else [_clamped(each) for each in given]
    # What a format lacks is 0, and 1 for alpha.
    destination = [held.get(at, code.constant(float(at == 3), kind)) for at in range(4)]
    bits = (code.constant(each, I32.of(QUAD)) for each in blending.constants)
    constants = [each.bits_as(kind) for each in bits]

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
        new, old = source[channel], destination[channel]
        operation = blending.operations[alpha]
        if operation in (BlendOp.MIN, BlendOp.MAX):
            relation = "olt" if operation == BlendOp.MIN else "ogt"
            made.append(new.is_(relation, old).choose(new, old))
            continue
        names = blending.factors[2 * alpha : 2 * alpha + 2]
        factors = [factor(each, channel) for each in names]
        if blending.clamped and not target.is_float:
            factors = [_clamped(each) for each in factors]
        new, old = new * factors[0], old * factors[1]
        match operation:
            case BlendOp.ADD:
                made.append(new + old)
            case BlendOp.SUBTRACT:
                made.append(new - old)
            case _:
                made.append(old - new)
    if not target.is_float:
        return made
    nan = code.constant(NAN, I32.of(QUAD)).bits_as(kind)
    return [each.is_("uno", 0.0).choose(nan, each) for each in made]
