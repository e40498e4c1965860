"""Instructions of the texture units 0 to 2: r1 to r3, as fractions of 1.

    v2 … v4    TEXCOORD 0 to 2     v5    TEXCOORD0W     r16 … r22    scratch

A shadow texture holds the density in red and 24 bits of depth in the others. The densities of the
four texels around a place, which are 0 where the texel is nearer to the light, are mixed.

Source: 3dbrew's page on the internal registers; the software rasteriser and the GLSL of azahar.
"""

from collections.abc import Iterator

from .texture_unit import DEPTHS, TextureUnit
from .words import TextureType

DIVIDED = "div r16.xy, r16.xyxx, r16.zzzz"


def unit_code(unit: TextureUnit | None, number: int, coordinates: int) -> Iterator[str]:
    """Yield the colour of a texture unit; only unit 0 has other types than 2D."""
    target, inputs = f"r{1 + number}.xyzw", f"v{2 + coordinates}.xyxx"
    if unit is None or unit.type == TextureType.PLAIN:
        yield f"sample {target}, {inputs}, t{number}.xyzw, s{number}"
        return
    yield f"mov r16.xy, {inputs}"
    yield "mov r16.z, v5.x"
    if unit.type == TextureType.SHADOW_2D:
        yield from _flat_shadow(unit)
    elif unit.type == TextureType.SHADOW_CUBE:
        yield from _cube_shadow(unit)
    else:
        if unit.type == TextureType.PROJECTION:
            yield DIVIDED
        yield f"sample {target}, r16.xyzx, t0.xyzw, s0"


def kind_of(unit: TextureUnit | None) -> str:
    """Return the word of the declaration of a unit's texture."""
    cubes = (TextureType.CUBE_MAP, TextureType.SHADOW_CUBE)
    return "texturecube" if unit is not None and unit.type in cubes else "texture2d"


def needs_w(unit: TextureUnit | None) -> bool:
    """Return whether a unit reads TEXCOORD0W."""
    return unit is not None and unit.type != TextureType.PLAIN


def _flat_shadow(unit: TextureUnit) -> Iterator[str]:
    yield "mov r16.w, |r16.z|"
    if unit.perspective:
        yield DIVIDED
    yield "mov r17.xy, r16.xyxx"
    yield from _compared(unit)


def _cube_shadow(unit: TextureUnit) -> Iterator[str]:
    """Yield the shadow by the greatest coordinate, and the place on its face in r17.xy.

    Faces have the orientation of Direct3D and OpenGL.
    """
    yield "mov r18.xyz, |r16.xyzx|"
    yield "max r18.w, r18.y, r18.z"
    yield "lt r19.x, r18.w, r18.x"  # along x
    yield "lt r19.y, r18.z, r18.y"  # else along y
    yield "lt r20.xyz, r16.xyzx, l(0.0, 0.0, 0.0, 0.0)"
    yield "movc r21.x, r20.x, r16.z, -r16.z"
    yield "mov r21.y, -r16.y"
    yield "mov r22.x, r16.x"
    yield "movc r22.y, r20.y, -r16.z, r16.z"
    yield "movc r22.z, r20.z, -r16.x, r16.x"
    yield "mov r22.w, -r16.y"
    yield "movc r17.xy, r19.yyyy, r22.xyxx, r22.zwzz"
    yield "movc r17.xy, r19.xxxx, r21.xyxx, r17.xyxx"
    yield "max r16.w, r18.w, r18.x"
    yield "div r17.xy, r17.xyxx, r16.wwww"
    yield "mad r17.xy, r17.xyxx, l(0.5, 0.5, 0.0, 0.0), l(0.5, 0.5, 0.0, 0.0)"
    yield from _compared(unit)


def _compared(unit: TextureUnit) -> Iterator[str]:
    """Yield the density at r17.xy of the texture that r16.xyz looks up, for the depth r16.w."""
    yield "min r16.w, r16.w, l(1.0)"
    yield f"mul r16.w, r16.w, l({float(DEPTHS)})"
    yield "ftoi r16.w, r16.w"
    yield f"iadd r16.w, r16.w, l({-unit.steps})"
    yield "imax r16.w, r16.w, l(0)"
    yield "resinfo r18.xy, l(0), t0.xyzw"
    yield "mad r17.xy, r17.xyxx, r18.xyxx, l(-0.5, -0.5, 0.0, 0.0)"
    yield "frc r17.xy, r17.xyxx"
    for register, letter in (("r18", "x"), ("r19", "y"), ("r20", "z"), ("r21", "w")):
        yield f"gather4 {register}.xyzw, r16.xyzx, t0.xyzw, s0.{letter}"
    for register in ("r19", "r20", "r21"):
        yield (
            f"mad {register}.xyzw, {register}.xyzw, l(255.0, 255.0, 255.0, 255.0),"
            " l(0.5, 0.5, 0.5, 0.5)"
        )
        yield f"ftou {register}.xyzw, {register}.xyzw"
    yield "imad r19.xyzw, r20.xyzw, l(256, 256, 256, 256), r19.xyzw"
    yield "imad r19.xyzw, r21.xyzw, l(65536, 65536, 65536, 65536), r19.xyzw"
    yield "ige r19.xyzw, r19.xyzw, r16.wwww"
    yield "and r18.xyzw, r18.xyzw, r19.xyzw"
    # The texels are those at (0, 1), (1, 1), (1, 0) and (0, 0).
    yield "add r19.xy, r18.xyxx, -r18.wzww"
    yield "mad r18.xy, r17.yyyy, r19.xyxx, r18.wzww"
    yield "add r18.y, r18.y, -r18.x"
    yield "mad r1.xyzw, r17.xxxx, r18.yyyy, r18.xxxx"
