"""Instructions of the lighting unit: the primary and the secondary colour of a fragment.

    r14, r15    the results, from 0 to 255
    r16, r17    normal, tangent         r18, r19  view, and of length 1
    r20, r21    light, half vector      r22  half vector of length 1
    r23, r24    sums of the results     r26  reflection by component
    r27, r28    specular terms          r29  distance, spotlight, light · normal, geometric factor
    r30         shadow                  r25, r31  scratch

The half vector is the sum of light and view, both of length 1; the geometric factor is
light · normal divided by its square, at most 1. Only the last light has a Fresnel factor.

Source: 3dbrew's pages on the internal registers and on fragment lighting; the software rasteriser
of azahar.
"""

from collections.abc import Iterator, Sequence

from .lights import DistanceAttenuation, Light, Lighting, LightingLut, Table, entries_of, factors
from .tables import ConstantTables
from .words import BumpMode, Fresnel, LightingInput

PRIMARY = (Fresnel.PRI_ALPHA_FRESNEL, Fresnel.PRI_SEC_ALPHA_FRESNEL)
SECONDARY = (Fresnel.SEC_ALPHA_FRESNEL, Fresnel.PRI_SEC_ALPHA_FRESNEL)
WITH_CP = 7  # the configuration whose tables can take this input


def lighting_code(
    lighting: Lighting, quaternion: str, view: str, textures: Sequence[str], tables: ConstantTables
) -> Iterator[str]:
    """Yield the instructions, given the inputs, the registers of the textures, and the tables."""
    yield from _surface(lighting, quaternion, textures)
    yield f"mov r18.xyz, {view}.xyzx"
    yield from _unit("r19", "r18")
    yield "mov r23.xyzw, l(0.0, 0.0, 0.0, 1.0)"
    yield "mov r24.xyzw, l(0.0, 0.0, 0.0, 1.0)"
    if lighting.shadows:
        yield f"utof r30.xyzw, {textures[lighting.shadow_texture]}.xyzw"
        yield "div r30.xyzw, r30.xyzw, l(255.0, 255.0, 255.0, 255.0)"
        if lighting.invert_shadow:
            yield "add r30.xyzw, l(1.0, 1.0, 1.0, 1.0), -r30.xyzw"
    lights = [each for each in lighting.lights if isinstance(each, Light)]
    for at, light in enumerate(lights):
        yield from _light(lighting, light, at == len(lights) - 1, tables)
    if lighting.shadow_alpha:
        for register, words in (("r23", PRIMARY), ("r24", SECONDARY)):
            if lighting.fresnel in words:
                yield f"mul {register}.w, {register}.w, r30.w"
    yield f"add r23.xyz, r23.xyzx, {_vector(factors(lighting.ambient))}"
    for result, total in (("r14", "r23"), ("r15", "r24")):
        yield f"mov_sat {total}.xyzw, {total}.xyzw"
        yield f"mul {total}.xyzw, {total}.xyzw, l(255.0, 255.0, 255.0, 255.0)"
        yield f"ftou {result}.xyzw, {total}.xyzw"


def _surface(lighting: Lighting, quaternion: str, textures: Sequence[str]) -> Iterator[str]:
    """Yield the normal and the tangent, rotated from the surface into the space of the view."""
    vectors = ["l(0.0, 0.0, 1.0, 0.0)", "l(1.0, 0.0, 0.0, 0.0)"]
    if lighting.bump_mode != BumpMode.NOT_USED:
        yield f"utof r25.xyz, {textures[lighting.bump_texture]}.xyzx"
        yield "div r25.xyz, r25.xyzx, l(127.5, 127.5, 127.5, 127.5)"
        yield "add r25.xyz, r25.xyzx, l(-1.0, -1.0, -1.0, 0.0)"
        is_normal = lighting.bump_mode == BumpMode.AS_BUMP
        if is_normal and not lighting.bump_normal_z:
            yield "dp2 r25.z, r25.xyxx, r25.xyxx"
            yield "add r25.z, l(1.0), -r25.z"
            yield "max r25.z, r25.z, l(0.0)"
            yield "sqrt r25.z, r25.z"
        vectors[not is_normal] = "r25.xyzx"
    yield f"dp4 r31.x, {quaternion}.xyzw, {quaternion}.xyzw"
    yield "sqrt r31.x, r31.x"
    yield f"div r18.xyzw, {quaternion}.xyzw, r31.xxxx"
    for target, vector in zip(("r16", "r17"), vectors, strict=True):
        yield f"mov {target}.xyz, {vector}"
        yield from _cross("r31", "r18", target)
        yield f"mad r31.xyz, r18.wwww, {target}.xyzx, r31.xyzx"
        yield from _cross("r19", "r18", "r31")
        yield f"mad {target}.xyz, r19.xyzx, l(2.0, 2.0, 2.0, 0.0), {target}.xyzx"


def _light(
    lighting: Lighting, light: Light, is_last: bool, tables: ConstantTables
) -> Iterator[str]:
    """Yield what a light adds to the sums."""
    x, y, z, _ = light.position
    if light.directional:
        yield f"mov r31.xyz, {_vector((x, y, z))}"
    else:
        yield f"add r31.xyz, r18.xyzx, {_vector((x, y, z))}"
    yield from _unit("r20", "r31")
    yield "add r21.xyz, r19.xyzx, r20.xyzx"
    if isinstance(light.dist_attn, DistanceAttenuation):
        scale, bias = light.dist_attn.scale_and_bias
        yield f"mad_sat r25.x, r20.w, l({scale!r}), l({bias!r})"
        yield from _looked_up(light.dist_attn.table, False, tables)
        yield "mov r29.x, r25.x"
    else:
        yield "mov r29.x, l(1.0)"
    yield from _unit("r22", "r21")

    def value(name: str, target: str, table: Table | None = None) -> Iterator[str]:
        lut = lighting.lut(name)
        numbers = table if table is not None or lut is None else lut.table
        if lut is None or numbers is None:
            yield f"mov {target}, l(1.0)"
            return
        yield from _input(lighting, light, lut)
        if not lut.negative:
            yield "mov r25.x, |r25.x|" if light.two_side_diffuse else "max r25.x, r25.x, l(0.0)"
        yield from _looked_up(numbers, lut.negative, tables)
        yield f"mul {target}, r25.x, l({float(lut.scale)!r})"

    yield from value("sp", "r29.y", light.spot_lut)
    yield from value("d0", "r27.w")
    yield f"mul r27.xyz, r27.wwww, {_vector(factors(light.specular0))}"
    yield from value("rr", "r26.x")
    for name, target in (("rg", "r26.y"), ("rb", "r26.z")):
        if lighting.lut(name) is None:
            yield f"mov {target}, r26.x"
        else:
            yield from value(name, target)
    yield from value("d1", "r28.w")
    yield "mul r28.xyz, r28.wwww, r26.xyzx"
    yield f"mul r28.xyz, r28.xyzx, {_vector(factors(light.specular1))}"
    if is_last and lighting.lut("fr") is not None:
        yield from value("fr", "r31.w")
        for register, words in (("r23", PRIMARY), ("r24", SECONDARY)):
            if lighting.fresnel in words:
                yield f"mov {register}.w, r31.w"
    yield "dp3 r29.z, r20.xyzx, r16.xyzx"
    yield "mov r29.z, |r29.z|" if light.two_side_diffuse else "max r29.z, r29.z, l(0.0)"
    yield from _geometric(light)
    yield from _added(lighting, light)


def _geometric(light: Light) -> Iterator[str]:
    """Yield the geometric factor, and its products with the specular terms."""
    flags = [("r27", light.geo_factor0), ("r28", light.geo_factor1)]
    if any(used for _, used in flags):
        yield "dp3 r31.x, r21.xyzx, r21.xyzx"
        yield "eq r31.y, r31.x, l(0.0)"
        yield "div r31.x, r29.z, r31.x"
        yield "min r31.x, r31.x, l(1.0)"
        yield "movc r29.w, r31.y, l(0.0), r31.x"
        for register, used in flags:
            if used:
                yield f"mul {register}.xyz, {register}.xyzx, r29.wwww"


def _added(lighting: Lighting, light: Light) -> Iterator[str]:
    """Yield the additions to the sums."""
    attenuation = "mul r31.xyz, r31.xyzx, r29.xxxx", "mul r31.xyz, r31.xyzx, r29.yyyy"
    yield f"mul r31.xyz, r29.zzzz, {_vector(factors(light.diffuse))}"
    if lighting.shadow_primary and light.shadow:
        yield "mul r31.xyz, r31.xyzx, r30.xyzx"
    yield f"add r31.xyz, r31.xyzx, {_vector(factors(light.ambient))}"
    yield from attenuation
    yield "add r23.xyz, r23.xyzx, r31.xyzx"
    yield "add r31.xyz, r27.xyzx, r28.xyzx"
    if lighting.clamp_highlights:
        yield "eq r31.w, r29.z, l(0.0)"
        yield "movc r31.xyz, r31.wwww, l(0.0, 0.0, 0.0, 0.0), r31.xyzx"
    yield from attenuation
    if lighting.shadow_secondary and light.shadow:
        yield "mul r31.xyz, r31.xyzx, r30.xyzx"
    yield "add r24.xyz, r24.xyzx, r31.xyzx"


def _input(lighting: Lighting, light: Light, lut: LightingLut) -> Iterator[str]:
    """Yield the cosine that a table takes, in r25.x."""
    match lut.input:
        case LightingInput.NH:
            yield "dp3 r25.x, r16.xyzx, r22.xyzx"
        case LightingInput.VH:
            yield "dp3 r25.x, r19.xyzx, r22.xyzx"
        case LightingInput.NV:
            yield "dp3 r25.x, r16.xyzx, r19.xyzx"
        case LightingInput.LN:
            yield "dp3 r25.x, r20.xyzx, r16.xyzx"
        case LightingInput.SP:
            yield f"dp3 r25.x, r20.xyzx, {_vector(light.to_spot)}"
        case _ if lighting.configuration != WITH_CP:
            yield "mov r25.x, l(0.0)"
        case _:  # of the tangent and the half vector without its part along the normal
            yield "dp3 r25.x, r16.xyzx, r22.xyzx"
            yield "mad r31.xyz, -r16.xyzx, r25.xxxx, r22.xyzx"
            yield "dp3 r25.x, r31.xyzx, r17.xyzx"


def _looked_up(table: Table, negative: bool, tables: ConstantTables) -> Iterator[str]:
    """Yield the look-up of r25.x in a table, to r25.x; r25 is changed."""
    entries = entries_of(table)
    if negative:  # the index is a signed byte
        entries = [*entries[128:], *entries[:128]]
    row, pair = tables.pairs(entries)
    scale, least, most = (128.0, -128.0, 127.0) if negative else (256.0, 0.0, 255.0)
    yield f"mul r25.y, r25.x, l({scale})"
    yield "round_ni r25.z, r25.y"
    yield f"max r25.z, r25.z, l({least})"
    yield f"min r25.z, r25.z, l({most})"
    yield "add r25.w, r25.y, -r25.z"
    yield "ftoi r25.z, r25.z"
    yield "and r25.z, r25.z, l(255)"
    yield f"mov r25.xy, icb[r25.z + {row}].{pair}"
    yield "mad r25.x, r25.w, r25.y, r25.x"


def _unit(target: str, source: str) -> Iterator[str]:
    """Yield a vector of length 1; its length before is in w."""
    yield f"dp3 {target}.w, {source}.xyzx, {source}.xyzx"
    yield f"sqrt {target}.w, {target}.w"
    yield f"div {target}.xyz, {source}.xyzx, {target}.wwww"


def _cross(target: str, a: str, b: str) -> Iterator[str]:
    """Yield a vector product."""
    yield f"mul {target}.xyz, {a}.zxyx, {b}.yzxx"
    yield f"mad {target}.xyz, {a}.yzxx, {b}.zxyx, -{target}.xyzx"


def _vector(numbers: Sequence[float]) -> str:
    x, y, z = (float(each) for each in numbers)
    return f"l({x!r}, {y!r}, {z!r}, 0.0)"
