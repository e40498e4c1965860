"""A pixel shader equivalent to the fixed fragment stage, in integers of 8 bits.

    v1 COLOR, v2 … v4 TEXCOORD, v5 TEXCOORD0W, v6 NORMALQUAT, v7 VIEW, t0 … t2
                 the inputs, and the textures of the units
    r0 … r3      primary colour and textures, from 0 to 255
    r4, r5, r6   previous stage, buffer, next buffer
    r7, r8, r9   operands a, b, c of both combiners: colour in xyz, alpha in w
    r10          the result
    r13          the procedural texture
    r14, r15     primary and secondary colour of the lighting unit

It is a listing of Shader Model 5, so both engines run it, and `raster.draw` draws with it.

Products are divided by 255 and rounded down, results are clamped to 0 and 255; terms of a dot
product are rounded to 1/256. A stage sees the buffer as it was two stages before: what stage 0 puts
there, stage 2 reads. The alpha test comes before fog.

Source: 3dbrew's page on the internal registers of the GPU, and the software rasteriser of azahar.
"""

from collections.abc import Iterator

from ...errors import UsageError
from ...shader import Shader
from ..raster.states.words import Comparison
from .description import Combiner, Fog, FragmentStage, TevStage
from .fields import Colour
from .lighting_code import lighting_code
from .lights import Lighting
from .procedural import ProceduralTexture
from .procedural_code import procedural_code
from .tables import ConstantTables
from .texture_unit import TextureUnit
from .unit_code import kind_of, needs_w, unit_code
from .words import CombinerFunction, CombinerSource

HEADER = """//
// {title} signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
"""
ROW = "// {name:<20} {index:>5} {mask:>6} {register:>8} {value:>8} {kind:>7} {mask:>6}\n"
REGISTERS = {
    CombinerSource.PRIMARY_COLOR: "r0",
    CombinerSource.TEXTURE0: "r1",
    CombinerSource.TEXTURE1: "r2",
    CombinerSource.TEXTURE2: "r3",
    CombinerSource.TEXTURE3: "r13",
    CombinerSource.FRAGMENT_PRIMARY_COLOR: "r14",
    CombinerSource.FRAGMENT_SECONDARY_COLOR: "r15",
    CombinerSource.PREVIOUS: "r4",
    CombinerSource.PREVIOUS_BUFFER: "r5",
}
UNITS = (
    CombinerSource.TEXTURE0, CombinerSource.TEXTURE1, CombinerSource.TEXTURE2,
    CombinerSource.TEXTURE3,
)  # fmt: skip
LIT = (CombinerSource.FRAGMENT_PRIMARY_COLOR, CombinerSource.FRAGMENT_SECONDARY_COLOR)
LETTERS = {"r": "x", "g": "y", "b": "z", "alpha": "w"}
WIDE = {"xyz": "xyzx", "w": "wwww"}  # swizzles of sources, by mask
MOST = "l(255, 255, 255, 255)"
FAILS = {  # instructions that leave r10.x non-zero if the alpha test fails, of alpha and reference
    Comparison.EQUAL: ("ine", False), Comparison.NOT_EQUAL: ("ieq", False),
    Comparison.LESS: ("ige", False), Comparison.LESS_EQUAL: ("ilt", True),
    Comparison.GREATER: ("ige", True), Comparison.GREATER_EQUAL: ("ilt", False),
}  # fmt: skip


def pixel_shader(stage: FragmentStage) -> Shader:
    """Return a pixel shader that computes the colours of a fragment stage."""
    from ...api import assemble

    return assemble(listing(stage))


def listing(stage: FragmentStage) -> str:
    """Return the listing of the pixel shader."""
    stages = [each for each in stage.stages if isinstance(each, TevStage)]
    used = {source for each in stages for source in _sources(each)} or {
        CombinerSource.PRIMARY_COLOR
    }
    lighting = stage.lighting if used & {*LIT} else None
    if isinstance(lighting, Lighting):
        used |= {UNITS[each] for each in lighting.textures}
    parts = _FragmentSources(
        stage, stages, used, lighting if isinstance(lighting, Lighting) else None
    )
    code = [*parts.loads(), *_combiners(stages, stage), *_alpha_test(stage),
            *_output(stage, parts.tables)]  # fmt: skip
    return "\n".join([
        *parts.signatures(), "ps_5_0", "dcl_globalFlags refactoringAllowed",
        *parts.tables.declaration(), *parts.declarations(), *code, "ret", "",
    ])  # fmt: skip


def _sources(stage: TevStage) -> set[str]:
    return {source for name in ("color", "alpha") for source in stage.combiner(name).sources}


class _FragmentSources:
    """The inputs, texture units and tables of constants that a stage reads."""

    def __init__(
        self, stage: FragmentStage, stages: list[TevStage], used: set[str],
        lighting: Lighting | None,
    ) -> None:  # fmt: skip
        self.stage = stage
        self.has_stages = bool(stages)
        self.used = used
        self.lighting = lighting
        self.tables = ConstantTables()
        self.units = [at for at, source in enumerate(UNITS[:3]) if source in used]
        self.first = stage.texture0 if isinstance(stage.texture0, TextureUnit) else None
        self.procedural: ProceduralTexture | None = None
        if CombinerSource.TEXTURE3 in used:
            if not isinstance(stage.procedural_texture, ProceduralTexture):
                raise UsageError("texture3: expected a procedural_texture")
            self.procedural = stage.procedural_texture
        sets = {self._coordinates(unit) for unit in self.units}
        if self.procedural is not None:
            sets.add(self.procedural.coordinates)
        self.sets = sorted(sets)
        self.has_w = 0 in self.units and needs_w(self.first)

    def _coordinates(self, unit: int) -> int:
        """Return the coordinates that a texture unit takes."""
        return self.stage.texture2_coordinates if unit == 2 else unit

    def signatures(self) -> Iterator[str]:
        """Yield the signatures of inputs and outputs."""
        rows = []
        if self.stage.fog is not None:
            rows.append(("SV_Position", 0, "xyzw", 0, "POS"))
        if CombinerSource.PRIMARY_COLOR in self.used:
            rows.append(("COLOR", 0, "xyzw", 1, "NONE"))
        rows += [("TEXCOORD", each, "xy", 2 + each, "NONE") for each in self.sets]
        if self.has_w:
            rows.append(("TEXCOORD0W", 0, "x", 5, "NONE"))
        if self.lighting is not None:
            rows.append(("NORMALQUAT", 0, "xyzw", 6, "NONE"))
            rows.append(("VIEW", 0, "xyz", 7, "NONE"))
        targets = [("SV_Target", 0, "xyzw", 0, "TARGET")]
        for title, table in (("Input", rows), ("Output", targets)):
            yield HEADER.format(title=title).rstrip("\n")
            for name, index, mask, register, value in table:
                yield ROW.format(
                    name=name, index=index, mask=mask, register=register, value=value, kind="float"
                ).rstrip("\n")
            yield "//"

    def declarations(self) -> Iterator[str]:
        """Yield the declarations of samplers, textures, inputs and registers."""
        for unit in self.units:
            yield f"dcl_sampler s{unit}, mode_default"
        for unit in self.units:
            kind = kind_of(None if unit else self.first)
            yield f"dcl_resource_{kind} (float,float,float,float) t{unit}"
        if self.stage.fog is not None:
            yield "dcl_input_ps_siv linear noperspective v0.xyz, position"
        if CombinerSource.PRIMARY_COLOR in self.used:
            yield "dcl_input_ps linear v1.xyzw"
        for each in self.sets:
            yield f"dcl_input_ps linear v{2 + each}.xy"
        if self.has_w:
            yield "dcl_input_ps linear v5.x"
        if self.lighting is not None:
            yield "dcl_input_ps linear v6.xyzw"
            yield "dcl_input_ps linear v7.xyz"
        yield "dcl_output o0.xyzw"
        yield "dcl_temps 32"

    def loads(self) -> Iterator[str]:
        """Yield instructions that load the sources, as integers from 0 to 255."""
        loaded = []
        if CombinerSource.PRIMARY_COLOR in self.used:
            yield "mov_sat r0.xyzw, v1.xyzw"
            loaded.append("r0")
        for unit in self.units:
            yield from unit_code(None if unit else self.first, unit, self._coordinates(unit))
            yield f"mov_sat r{1 + unit}.xyzw, r{1 + unit}.xyzw"
            loaded.append(f"r{1 + unit}")
        for register in loaded:
            yield (
                f"mad {register}.xyzw, {register}.xyzw, l(255.0, 255.0, 255.0, 255.0),"
                " l(0.5, 0.5, 0.5, 0.5)"
            )
            yield f"ftou {register}.xyzw, {register}.xyzw"
        if self.procedural is not None:
            coordinates = f"v{2 + self.procedural.coordinates}"
            yield from procedural_code(self.procedural, coordinates, self.tables)
        if self.lighting is not None:
            textures = [REGISTERS[each] for each in UNITS]
            yield from lighting_code(self.lighting, "v6", "v7", textures, self.tables)
        yield f"mov r4.xyzw, {'l(0, 0, 0, 0)' if self.has_stages else 'r0.xyzw'}"
        yield "mov r5.xyzw, l(0, 0, 0, 0)"
        yield f"mov r6.xyzw, {_literal(self.stage.buffer_color)}"


def _combiners(stages: list[TevStage], whole: FragmentStage) -> Iterator[str]:
    """Yield the instructions of all stages."""
    for at, stage in enumerate(stages):
        color, alpha = stage.combiner("color"), stage.combiner("alpha")
        for name, mask, combiner in (("color", "xyz", color), ("alpha", "w", alpha)):
            sources = list(combiner.sources)
            if at == 0 and name == "color":
                sources = [
                    sources[2] if each == CombinerSource.PREVIOUS and place < 2 else each
                    for place, each in enumerate(sources)
                ]
            for place, (source, operand) in enumerate(zip(sources, combiner.operands, strict=True)):
                yield from _operand(f"r{7 + place}", mask, source, operand, stage, whole)
        yield from _function(color, "xyz")
        if color.function == CombinerFunction.DOT3_RGBA:
            yield "mov r10.w, r10.x"
        else:
            yield from _function(alpha, "w")
        for mask, combiner in (("xyz", color), ("w", alpha)):
            if combiner.scale > 1:
                shift = combiner.scale.bit_length() - 1
                yield f"ishl r10.{mask}, r10.{WIDE[mask]}, l({', '.join([str(shift)] * 4)})"
                yield f"umin r10.{mask}, r10.{WIDE[mask]}, {MOST}"
        yield "mov r4.xyzw, r10.xyzw"
        yield "mov r5.xyzw, r6.xyzw"
        masks = {"color": "xyz", "alpha": "w", "both": "xyzw"}
        if stage.update_buffer is not None:
            yield f"mov r6.{masks[stage.update_buffer]}, r4.xyzw"


def _operand(
    register: str, mask: str, source: str, operand: str, stage: TevStage, whole: FragmentStage
) -> Iterator[str]:
    """Yield instructions that put an operand into a part of a register."""
    word = operand.removeprefix("one_minus_").removeprefix("src_")
    letters = {"color": "xyzw"} | {name: letter * 4 for name, letter in LETTERS.items()}
    swizzle = letters[word]
    constants: dict[str, Colour] = {CombinerSource.CONSTANT: _four(stage.constant)}
    if whole.lighting is None:
        constants |= {
            CombinerSource.FRAGMENT_PRIMARY_COLOR: _four(whole.fragment_primary_color),
            CombinerSource.FRAGMENT_SECONDARY_COLOR: _four(whole.fragment_secondary_color),
        }
    if source in constants:
        numbers = constants[source]
        taken = _literal([numbers["xyzw".index(each)] for each in swizzle])
    else:
        taken = f"{REGISTERS[CombinerSource(source)]}.{swizzle}"
    yield f"mov {register}.{mask}, {taken}"
    if operand.startswith("one_minus_"):
        yield f"iadd {register}.{mask}, {MOST}, -{register}.{WIDE[mask]}"


def _function(combiner: Combiner, mask: str) -> Iterator[str]:
    """Yield the instructions of a combiner, from r7, r8 and r9 to r10."""
    wide = WIDE[mask]
    a, b, c, r = (f"r{number}.{wide}" for number in (7, 8, 9, 10))
    target, extra = f"r10.{mask}", f"r11.{mask}"
    divided = f"udiv {target}, null, {r}, {MOST}"
    least, most = f"imax {target}, {r}, l(0, 0, 0, 0)", f"imin {target}, {r}, {MOST}"
    product = f"umul null, {target}, {a}, {b}"
    match combiner.function:
        case CombinerFunction.REPLACE:
            yield f"mov {target}, {a}"
        case CombinerFunction.MODULATE:
            yield from (product, divided)
        case CombinerFunction.ADD:
            yield from (f"iadd {target}, {a}, {b}", most)
        case CombinerFunction.ADD_SIGNED:
            yield f"iadd {target}, {a}, {b}"
            yield from (f"iadd {target}, {r}, l(-128, -128, -128, -128)", least, most)
        case CombinerFunction.SUBTRACT:
            yield from (f"iadd {target}, {a}, -{b}", least)
        case CombinerFunction.INTERPOLATE:
            yield f"umul null, {target}, {a}, {c}"
            yield f"iadd {extra}, {MOST}, -{c}"
            yield f"umad {target}, {b}, r11.{wide}, {r}"
            yield divided
        case CombinerFunction.MULTIPLY_ADD:
            yield f"umul null, {extra}, {c}, {MOST}"
            yield f"umad {target}, {a}, {b}, r11.{wide}"
            yield from (divided, most)
        case CombinerFunction.ADD_MULTIPLY:
            yield from (f"iadd {target}, {a}, {b}", most)
            yield from (f"umul null, {target}, {r}, {c}", divided)
        case _:  # dot3_rgb, dot3_rgba
            yield from _dot_product(mask)


def _dot_product(mask: str) -> Iterator[str]:
    """Yield a dot product of r7 and r8, from -255 to 255 each; its terms are divided by 256."""
    for number in (7, 8):
        yield f"imad r{number + 4}.xyz, r{number}.xyzx, l(2, 2, 2, 2), l(-255, -255, -255, -255)"
    yield "imul null, r11.xyz, r11.xyzx, r12.xyzx"
    yield "iadd r11.xyz, r11.xyzx, l(128, 128, 128, 128)"
    yield "ilt r12.xyz, r11.xyzx, l(0, 0, 0, 0)"  # rounded towards 0
    yield f"and r12.xyz, r12.xyzx, {MOST}"
    yield "iadd r11.xyz, r11.xyzx, r12.xyzx"
    yield "ishr r11.xyz, r11.xyzx, l(8, 8, 8, 8)"
    yield "iadd r11.x, r11.x, r11.y"
    yield "iadd r11.x, r11.x, r11.z"
    yield "imax r11.x, r11.x, l(0)"
    yield "imin r11.x, r11.x, l(255)"
    yield f"mov r10.{mask}, r11.xxxx"


def _alpha_test(stage: FragmentStage) -> Iterator[str]:
    test = stage.alpha_test
    function = getattr(test, "function", Comparison.ALWAYS)
    if function == Comparison.NEVER:
        yield "discard_nz l(-1)"
    elif function != Comparison.ALWAYS:
        name, turned = FAILS[function]
        reference = f"l({getattr(test, 'reference', 0)})"
        first, second = (reference, "r4.w") if turned else ("r4.w", reference)
        yield f"{name} r10.x, {first}, {second}"
        yield "discard_nz r10.x"


def _output(stage: FragmentStage, tables: ConstantTables) -> Iterator[str]:
    """Yield fog, and the conversion of the colour to floats."""
    yield "utof r4.xyzw, r4.xyzw"
    if isinstance(stage.fog, Fog):
        entries = [(factor / 2047, step / 2047) for factor, step in stage.fog.entries]
        row, pair = tables.pairs(entries)
        # z / w at the near plane is -1, where the depth of a pixel is 0.
        offset = stage.depth_offset - stage.depth_scale
        yield f"mad_sat r10.x, v0.z, l({stage.depth_scale!r}), l({offset!r})"
        if stage.fog.flip:
            yield "add r10.x, l(1.0), -r10.x"
        yield "mul r10.x, r10.x, l(128.0)"
        yield "round_ni r10.y, r10.x"
        yield "min r10.y, r10.y, l(127.0)"
        yield "add r10.x, r10.x, -r10.y"
        yield "ftou r10.y, r10.y"
        yield f"mov r11.xy, icb[r10.y + {row}].{pair}"
        yield "mad_sat r10.x, r10.x, r11.y, r11.x"
        yield "add r10.y, l(1.0), -r10.x"
        r, g, b, _ = stage.fog.color
        yield f"mul r11.xyz, r10.yyyy, l({r:.1f}, {g:.1f}, {b:.1f}, 0.0)"
        yield "mad r4.xyz, r4.xyzx, r10.xxxx, r11.xyzx"
        yield "round_z r4.xyz, r4.xyzx"
    yield "div o0.xyzw, r4.xyzw, l(255.0, 255.0, 255.0, 255.0)"


def _four(given: object) -> Colour:
    assert isinstance(given, tuple)
    r, g, b, a = given
    return r, g, b, a


def _literal(numbers: object) -> str:
    assert isinstance(numbers, list | tuple)
    return f"l({', '.join(map(str, numbers))})"
