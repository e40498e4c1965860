"""Instructions of the procedural texture: r13, from 0 to 255.

    r16     u and v                    r17  level, shifts of u and v, result of the function
    r18     scratch of one number      r19  … r24  noise, colours

The noise is a value at each point of a grid, whose lines are 1/9 of a period apart; the values of
the corners of a cell are mixed by the table of noise.

Source: 3dbrew's page on the internal registers; the software rasteriser and the GLSL of azahar,
whose random numbers are said to be those of the hardware.
"""

from collections.abc import Iterator

from .procedural import ProceduralNoise, ProceduralTexture, function_entries
from .tables import ConstantTables
from .words import ProceduralClamp, ProceduralFilter, ProceduralFunction, ProceduralShift

# The numbers that are combined with those of x and y, and with both.
RANDOM = (
    (0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11),
    (10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14),
)
WITH_LEVELS = (
    ProceduralFilter.NEAREST_MIP_NEAREST, ProceduralFilter.LINEAR_MIP_NEAREST,
    ProceduralFilter.NEAREST_MIP_LINEAR, ProceduralFilter.LINEAR_MIP_LINEAR,
)  # fmt: skip
BETWEEN_LEVELS = WITH_LEVELS[2:]
LINEAR = (
    ProceduralFilter.LINEAR, ProceduralFilter.LINEAR_MIP_NEAREST, ProceduralFilter.LINEAR_MIP_LINEAR
)  # fmt: skip
LAST_LEVEL = 7
SHIFTS = {ProceduralShift.ODD: 0, ProceduralShift.EVEN: 1}
ROOT = ("dp2 {r}, r16.xyxx, r16.xyxx", "sqrt {r}, {r}")
FUNCTIONS = {
    ProceduralFunction.U: ("mov {r}, r16.x",),
    ProceduralFunction.U2: ("mul {r}, r16.x, r16.x",),
    ProceduralFunction.V: ("mov {r}, r16.y",),
    ProceduralFunction.V2: ("mul {r}, r16.y, r16.y",),
    ProceduralFunction.ADD: ("add {r}, r16.x, r16.y", "mul {r}, {r}, l(0.5)"),
    ProceduralFunction.ADD2: ("dp2 {r}, r16.xyxx, r16.xyxx", "mul {r}, {r}, l(0.5)"),
    ProceduralFunction.SQRT2: (*ROOT, "min {r}, {r}, l(1.0)"),
    ProceduralFunction.MIN: ("min {r}, r16.x, r16.y",),
    ProceduralFunction.MAX: ("max {r}, r16.x, r16.y",),
    ProceduralFunction.RMAX: (
        *ROOT, "add r18.x, r16.x, r16.y", "mad {r}, r18.x, l(0.5), {r}",
        "mul {r}, {r}, l(0.5)", "min {r}, {r}, l(1.0)",
    ),
}  # fmt: skip


def procedural_code(
    texture: ProceduralTexture, coordinates: str, tables: ConstantTables
) -> Iterator[str]:
    """Yield the instructions, given the input and the tables."""
    yield f"mov r16.xy, |{coordinates}.xyxx|"
    yield from _level(texture)
    for axis, other, target in ((0, "y", "y"), (1, "x", "z")):
        yield from _shift(texture, axis, f"r16.{other}", f"r17.{target}")
    if isinstance(texture.noise, ProceduralNoise):
        yield from _noise(texture.noise, tables)
    yield "add r16.xy, r16.xyxx, r17.yzyy"
    for axis, letter in enumerate("xy"):
        yield from _clamped(texture.clamp[axis], f"r16.{letter}")
    yield from _function(texture.rgb_function, texture.rgb_table, "r17.w", tables)
    yield from _colour(texture, tables)
    if texture.alpha_separate:
        yield from _function(texture.alpha_function, texture.alpha_table, "r18.y", tables)
        yield "mul r19.w, r18.y, l(255.0)"
    yield "max r19.xyzw, r19.xyzw, l(0.0, 0.0, 0.0, 0.0)"
    yield "min r19.xyzw, r19.xyzw, l(255.0, 255.0, 255.0, 255.0)"
    yield "ftou r13.xyzw, r19.xyzw"


def _level(texture: ProceduralTexture) -> Iterator[str]:
    """Yield the level of the colour table, by the change of u and v from pixel to pixel."""
    least, most = float(texture.lod_min), float(min(texture.lod_max, LAST_LEVEL))
    if texture.filter not in WITH_LEVELS:
        return
    if texture.lod_bias:
        yield "deriv_rtx_coarse r18.xy, r16.xyxx"
        yield "deriv_rty_coarse r18.zw, r16.xxxy"
        yield "max r18.xy, |r18.xyxx|, |r18.zwzz|"
        yield "add r18.x, r18.x, r18.y"
        yield f"mul r18.x, r18.x, l({abs((texture.width or 0) * texture.lod_bias)!r})"
        yield "log r17.x, r18.x"
    else:
        yield "mov r17.x, l(0.0)"
    yield f"max r17.x, r17.x, l({least})"
    yield f"min r17.x, r17.x, l({most})"


def _shift(texture: ProceduralTexture, axis: int, across: str, target: str) -> Iterator[str]:
    """Yield how far a coordinate is shifted, by the other coordinate."""
    mode = texture.shift[axis]
    if mode not in SHIFTS:
        yield f"mov {target}, l(0.0)"
        return
    mirrored = texture.clamp[axis] == ProceduralClamp.MIRRORED_REPEAT
    yield f"ftoi r18.x, {across}"
    yield f"iadd r18.x, r18.x, l({SHIFTS[ProceduralShift(mode)]})"
    yield "ishr r18.x, r18.x, l(1)"
    yield "and r18.x, r18.x, l(1)"
    yield "utof r18.x, r18.x"
    yield f"mul {target}, r18.x, l({1.0 if mirrored else 0.5})"


def _noise(noise: ProceduralNoise, tables: ConstantTables) -> Iterator[str]:
    """Yield u and v moved by noise."""
    (a, f, p), (b, g, q) = noise.axis(0), noise.axis(1)
    yield f"add r18.xy, r16.xyxx, l({p!r}, {q!r}, 0.0, 0.0)"
    yield f"mul r18.xy, |r18.xyxx|, l({9 * f!r}, {9 * g!r}, 0.0, 0.0)"
    yield "round_ni r18.zw, r18.xxxy"
    yield "add r18.xy, r18.xyxx, -r18.zwzz"
    yield "ftoi r19.xyzw, r18.zzww"
    yield "iadd r19.xyzw, r19.xyzw, l(0, 1, 0, 1)"
    yield from _random(tables)
    yield "add r20.x, r18.x, r18.y"
    yield "add r20.xyzw, r20.xxxx, l(0.0, -1.0, -1.0, -2.0)"
    yield "mul r19.xyzw, r19.xyzw, r20.xyzw"
    for letter in "xy":
        yield from _looked_up(noise.table, f"r18.{letter}", f"r20.{letter}", tables)
    yield "add r19.yw, r19.yyyw, -r19.xxxz"
    yield "mad r19.xz, r20.xxxx, r19.yyww, r19.xxzz"
    yield "add r19.z, r19.z, -r19.x"
    yield "mad r19.x, r20.y, r19.z, r19.x"
    yield f"mad r16.xy, r19.xxxx, l({a!r}, {b!r}, 0.0, 0.0), r16.xyxx"
    yield "mov r16.xy, |r16.xyxx|"


def _random(tables: ConstantTables) -> Iterator[str]:
    """Yield numbers from -1 to 1 at four points, of x, x + 1, y, y + 1 in r19, to r19."""
    row, pair = tables.pairs([(float(a), float(b)) for a, b in zip(*RANDOM, strict=True)])
    first, second = pair[0], pair[1]
    yield "udiv r20.xyzw, r21.xyzw, r19.xyzw, l(9, 9, 9, 9)"
    yield "iadd r21.xyzw, r21.xyzw, l(2, 2, 2, 2)"
    yield "imul null, r21.xyzw, r21.xyzw, l(3, 3, 3, 3)"
    yield "and r21.xyzw, r21.xyzw, l(15, 15, 15, 15)"
    yield "and r20.xyzw, r20.xyzw, l(15, 15, 15, 15)"
    yield from (f"mov r19.{each}, icb[r20.{each} + {row}].{first * 4}" for each in "xyzw")
    yield "ftou r19.xyzw, r19.xyzw"
    yield "xor r19.xyzw, r19.xyzw, r21.xyzw"
    yield "mov r20.xyzw, r19.xyxy"
    yield "mov r21.xyzw, r19.zzww"
    yield "and r22.xyzw, r20.xyzw, l(3, 3, 3, 3)"
    yield "ieq r22.xyzw, r22.xyzw, l(1, 1, 1, 1)"
    yield "and r22.xyzw, r22.xyzw, l(4, 4, 4, 4)"
    yield "iadd r21.xyzw, r21.xyzw, r22.xyzw"
    yield "and r22.xyzw, r20.xyzw, l(1, 1, 1, 1)"
    yield "imul null, r22.xyzw, r22.xyzw, l(6, 6, 6, 6)"
    yield "xor r21.xyzw, r21.xyzw, r22.xyzw"
    yield "iadd r21.xyzw, r21.xyzw, l(10, 10, 10, 10)"
    yield "iadd r21.xyzw, r21.xyzw, r20.xyzw"
    yield "and r21.xyzw, r21.xyzw, l(15, 15, 15, 15)"
    yield from (f"mov r22.{each}, icb[r20.{each} + {row}].{second * 4}" for each in "xyzw")
    yield "ftou r22.xyzw, r22.xyzw"
    yield "xor r21.xyzw, r21.xyzw, r22.xyzw"
    yield "utof r21.xyzw, r21.xyzw"
    yield "mul r21.xyzw, r21.xyzw, l(2.0, 2.0, 2.0, 2.0)"
    yield "div r21.xyzw, r21.xyzw, l(15.0, 15.0, 15.0, 15.0)"
    yield "add r19.xyzw, r21.xyzw, l(-1.0, -1.0, -1.0, -1.0)"


def _clamped(mode: str, register: str) -> Iterator[str]:
    """Yield a coordinate, from 0 to 1."""
    match mode:
        case ProceduralClamp.CLAMP_TO_ZERO:
            yield f"lt r18.x, l(1.0), {register}"
            yield f"movc {register}, r18.x, l(0.0), {register}"
        case ProceduralClamp.CLAMP_TO_EDGE:
            yield f"min {register}, {register}, l(1.0)"
        case ProceduralClamp.REPEAT:
            yield f"frc {register}, {register}"
        case ProceduralClamp.MIRRORED_REPEAT:
            yield f"ftoi r18.x, {register}"
            yield "and r18.x, r18.x, l(1)"
            yield f"frc {register}, {register}"
            yield f"add r18.y, l(1.0), -{register}"
            yield f"movc {register}, r18.x, r18.y, {register}"
        case _:  # pulse
            yield f"lt r18.x, l(0.5), {register}"
            yield f"and {register}, r18.x, l(0x3f800000)"


def _function(
    function: str, table: tuple[float, ...], target: str, tables: ConstantTables
) -> Iterator[str]:
    """Yield a function of u and v, looked up in its table."""
    for each in FUNCTIONS[ProceduralFunction(function)]:
        yield each.format(r=target)
    yield from _looked_up(table, target, target, tables)


def _looked_up(
    table: tuple[float, ...], source: str, target: str, tables: ConstantTables
) -> Iterator[str]:
    """Yield the look-up of a number from 0 to 1 in a table of 128 entries; r23 is changed."""
    row, pair = tables.pairs(function_entries(table))
    yield f"mul r23.x, {source}, l(128.0)"
    yield "round_ni r23.y, r23.x"
    yield "max r23.y, r23.y, l(0.0)"
    yield "min r23.y, r23.y, l(127.0)"
    yield "add r23.x, r23.x, -r23.y"
    yield "ftou r23.y, r23.y"
    yield f"mov r23.zw, icb[r23.y + {row}].xx{pair[:2]}"
    yield f"mad_sat {target}, r23.x, r23.w, r23.z"


def _colour(texture: ProceduralTexture, tables: ConstantTables) -> Iterator[str]:
    """Yield the colour of a number in r17.w, from 0 to 255 in r19."""
    if texture.filter not in WITH_LEVELS:
        yield "mov r18.x, l(0)"
        yield from _of_level(texture, tables, "r19")
        return
    if texture.filter not in BETWEEN_LEVELS:
        yield "add r18.x, r17.x, l(0.5)"
        yield "ftou r18.x, r18.x"
        yield from _of_level(texture, tables, "r19")
        return
    yield "ftou r18.x, r17.x"
    yield from _of_level(texture, tables, "r19")
    yield "iadd r18.x, r18.x, l(1)"
    yield f"umin r18.x, r18.x, l({LAST_LEVEL})"
    yield from _of_level(texture, tables, "r20")
    yield "frc r18.x, r17.x"
    yield "add r20.xyzw, r20.xyzw, -r19.xyzw"
    yield "mad r19.xyzw, r18.xxxx, r20.xyzw, r19.xyzw"


def _of_level(texture: ProceduralTexture, tables: ConstantTables, target: str) -> Iterator[str]:
    """Yield the colour of the level in r18.x; r18.yzw and r21 are changed."""
    row, pair = tables.pairs(texture.levels)
    colours = tables.fours([tuple(map(float, each)) for each in texture.color_table])
    yield f"mov r18.yz, icb[r18.x + {row}].x{pair[:2]}x"
    yield "mul r18.z, r17.w, r18.z"
    if texture.filter in LINEAR:
        steps = tables.fours([tuple(map(float, each)) for each in texture.color_steps])
        yield "round_ni r18.w, r18.z"
        yield "add r18.z, r18.z, -r18.w"
        yield "add r18.y, r18.y, r18.w"
        yield "ftou r18.y, r18.y"
        yield f"mov r21.xyzw, icb[r18.y + {steps}].xyzw"
        yield f"mad {target}.xyzw, r18.zzzz, r21.xyzw, icb[r18.y + {colours}].xyzw"
    else:
        yield "add r18.y, r18.y, r18.z"
        yield "add r18.y, r18.y, l(0.5)"
        yield "ftou r18.y, r18.y"
        yield f"mov {target}.xyzw, icb[r18.y + {colours}].xyzw"
