"""The lighting unit, as YAML and JSON describe it: lights, and the tables of their reflection.

    lighting:
      ambient: [20, 20, 40]
      luts:
        d0: {input: nh, table: {phong: 30}}
      lights:
        - {position: [2, 2, 0], diffuse: [255, 255, 255], specular0: [128, 128, 128]}

Positions and directions are in the space of the vertex shader's `view` output, which is the vector
from the vertex to the eye. Colours are from 0 to 255: those of material and light, multiplied.

A table of look-up values has 256 numbers over inputs from 0 to 1, or with `negative` from -1 to 1;
a 257th is the value at 1. In place of numbers, `{phong: shininess}` is x to the power of the
shininess, `{spotlight: angle}` is 1 within an angle in radians.

Source: light.h, lightlut.h, lightenv.c of citro3d; 3dbrew's page on the internal registers.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import cos
from typing import Any

import numpy as np

from ...dataclass import dataclass, field, replace
from ...errors import UsageError
from ..binding.numbers import shown
from ..binding.suggestions import suggestion
from ..raster.states.fields import flag
from .fields import (
    Colour,
    colour_of,
    described,
    halves_of,
    integer_of,
    number_of,
    numbers_of,
    set_field,
)
from .words import BumpMode, Fresnel, LightingInput, LightingTable, combiner_word

ENTRIES = 256  # of a table
LIGHTS = 8
UNITS = 3  # the last texture unit
SCALES = (1, 2, 4, 8, 0.25, 0.5)
# The tables of each configuration, besides those of distance; others are 1.
CONFIGURATIONS = (
    ("d0", "rr", "sp"), ("fr", "rr", "sp"), ("d0", "d1", "rr"), ("d0", "d1", "fr"),
    ("d0", "d1", "rr", "rg", "rb", "sp"), ("d0", "fr", "rr", "rg", "rb", "sp"),
    ("d0", "d1", "fr", "rr", "sp"), ("d0", "d1", "fr", "rr", "rg", "rb", "sp"),
)  # fmt: skip
WHOLE = len(CONFIGURATIONS) - 1  # the only configuration with the input cp
Table = tuple[float, ...]


def table_of(given: Any, negative: bool, where: str) -> Table:
    """Return the 257 numbers of a table, by its inputs from the least on."""
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, parameter),) = given.items()
        inputs = np.linspace(-1.0 if negative else 0.0, 1.0, ENTRIES + 1)
        number = number_of(parameter, f"{where}.{name}")
        if name == "phong":
            if number < 0:
                raise UsageError(f"{where}.phong: expected a number from 0, got {shown(parameter)}")
            return tuple((np.maximum(inputs, 0) ** number).tolist())
        if name == "spotlight":
            return tuple((inputs >= cos(number)).astype(float).tolist())
        raise UsageError(
            f"{where}: unknown table {name!r:.40}{suggestion(str(name), ['phong', 'spotlight'])}"
        )
    found = numbers_of(given, where, ENTRIES, ENTRIES + 1)
    return (*found, found[-1])[: ENTRIES + 1]


def entries_of(table: Table) -> list[tuple[float, float]]:
    """Return the values and differences of a table, as the unit stores them.

    A value has 12 bits, a difference 11 and a sign; both are cut off, as citro3d does.
    """
    found = []
    for now, after in pairwise(table):
        value = min(int(max(now, 0.0) * 0x1000), 0xFFF) / 0xFFF
        step = min(int(abs(after - now) * 0x800), 0x7FF) / 0x7FF
        found.append((value, step if after >= now else -step))
    return found


@dataclass(frozen=True, slots=True)
class LightingLut:
    """A look-up table: its input, its numbers, and the factor of its results.

    `negative` is true if inputs are from -1 to 1. The table `sp` has no numbers of its own: each
    light has some.
    """

    input: str = LightingInput.NH
    table: Any = None
    negative: bool = False
    scale: float = 1

    def __post_init__(self) -> None:
        set_field(self, "input", combiner_word(LightingInput, self.input, "input"))
        set_field(self, "negative", flag(self.negative, "negative"))
        if self.table is not None:
            set_field(self, "table", table_of(self.table, self.negative, "table"))
        if self.scale not in SCALES:
            words = ", ".join(map(str, SCALES))
            raise UsageError(f"scale: expected one of {words}, got {shown(self.scale)}")


SPOTLIGHT = LightingLut(LightingInput.SP, negative=True)


@dataclass(frozen=True, slots=True)
class DistanceAttenuation:
    """The factor of a light by its distance: a table over a range of distances.

    `{quadratic: [linear, quad]}` is 1 / (1 + linear d + quad d²).
    """

    range: Sequence[float]
    table: Any

    def __post_init__(self) -> None:
        low, high = numbers_of(self.range, "range", 2)
        if not low < high:
            raise UsageError(f"range: expected a least and a greater distance, got {self.range}")
        set_field(self, "range", (low, high))
        given = self.table
        if isinstance(given, Mapping) and [*given] == ["quadratic"]:
            linear, quad = numbers_of(given["quadratic"], "table.quadratic", 2)
            distances = np.linspace(low, high, ENTRIES + 1)
            with np.errstate(divide="ignore"):
                given = np.nan_to_num(1 / (1 + linear * distances + quad * distances**2), posinf=1)
            given = given.tolist()
        set_field(self, "table", table_of(given, False, "table"))

    @property
    def scale_and_bias(self) -> tuple[float, float]:
        """The numbers that turn a distance into the input of the table, as the unit rounds them."""
        low, high = self.range
        scale = 1 / (high - low)
        return _of_12_bits(scale), _of_12_bits(-low * scale)


@dataclass(frozen=True, slots=True)
class Light:
    """A light: its place, its colours times those of the material, and its attenuation.

    With 0 as its fourth number, `position` is the direction to the light. `spot_lut` is the table
    of a spotlight, `spot_dir` the direction of its axis.
    """

    position: Sequence[float]
    diffuse: Sequence[int] = (255, 255, 255)
    ambient: Sequence[int] = (0, 0, 0)
    specular0: Sequence[int] = (0, 0, 0)
    specular1: Sequence[int] = (0, 0, 0)
    two_side_diffuse: bool = False
    geo_factor0: bool = False
    geo_factor1: bool = False
    shadow: bool = True
    spot_dir: Sequence[float] = (0.0, 0.0, 0.0)
    spot_lut: Any = None
    dist_attn: DistanceAttenuation | Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        place = halves_of(self.position, "position", 3, 4)
        set_field(self, "position", (*place, 1.0)[:4])
        for name in ("diffuse", "ambient", "specular0", "specular1"):
            set_field(self, name, colour_of(getattr(self, name), name, count=3))
        for name in ("two_side_diffuse", "geo_factor0", "geo_factor1", "shadow"):
            set_field(self, name, flag(getattr(self, name), name))
        axis = np.array(numbers_of(self.spot_dir, "spot_dir", 3))
        length = float(np.linalg.norm(axis))
        set_field(self, "spot_dir", tuple((axis / length if length else axis).tolist()))
        if self.dist_attn is not None:
            made = described(DistanceAttenuation, self.dist_attn, "dist_attn")
            set_field(self, "dist_attn", made)

    @property
    def directional(self) -> bool:
        """True if the position is a direction."""
        return self.position[3] == 0

    @property
    def to_spot(self) -> list[float]:
        """The direction against the axis of the spotlight, as the unit stores it."""
        return [int(-each * 0x800) / 0x7FF for each in self.spot_dir]


@dataclass(frozen=True, slots=True)
class Lighting:
    """The lighting unit, whose results are the sources FRAGMENT_PRIMARY_COLOR and …_SECONDARY_….

    `configuration` limits the tables to those that one of the unit's eight configurations has; by
    default all that are described are used. `bump_texture` is the unit of a map of normals
    (`as_bump`) or tangents (`as_tang`); `bump_normal_z` takes z from the map. `shadow_texture` is
    the unit whose colour is a factor of the primary colour, the secondary colour or alpha.
    `clamp_highlights` removes highlights where a light is behind the surface.
    """

    lights: Sequence[Light | Mapping[str, Any]]
    ambient: Sequence[int] = (0, 0, 0)
    luts: Mapping[str, Any] = field(default_factory=dict)
    fresnel: str = Fresnel.NO_FRESNEL
    configuration: int = WHOLE
    bump_mode: str = BumpMode.NOT_USED
    bump_texture: int = 0
    bump_normal_z: bool = False
    shadow_texture: int = 0
    shadow_primary: bool = False
    shadow_secondary: bool = False
    shadow_alpha: bool = False
    invert_shadow: bool = False
    clamp_highlights: bool = True

    def __post_init__(self) -> None:
        given = self.lights
        if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
            raise UsageError(f"lights: expected a list of lights, got {shown(given)}")
        if not 1 <= len(given) <= LIGHTS:
            raise UsageError(f"lights: expected 1 to {LIGHTS}, got {len(given)}")
        set_field(self, "ambient", colour_of(self.ambient, "ambient", count=3))
        set_field(self, "luts", self._luts())
        signed = self.luts["sp"].negative
        lights = []
        for at, each in enumerate(given):
            light = described(Light, each, f"lights[{at}]")
            if light.spot_lut is not None:
                table = table_of(light.spot_lut, signed, f"lights[{at}].spot_lut")
                light = replace(light, spot_lut=table)
            lights.append(light)
        set_field(self, "lights", tuple(lights))
        set_field(self, "fresnel", combiner_word(Fresnel, self.fresnel, "fresnel"))
        set_field(self, "bump_mode", combiner_word(BumpMode, self.bump_mode, "bump_mode"))
        integer_of(self.configuration, "configuration", WHOLE)
        for name in ("bump_texture", "shadow_texture"):
            integer_of(getattr(self, name), name, UNITS)
        for name in (
            "bump_normal_z", "shadow_primary", "shadow_secondary", "shadow_alpha",
            "invert_shadow", "clamp_highlights",
        ):  # fmt: skip
            set_field(self, name, flag(getattr(self, name), name))

    def _luts(self) -> dict[str, LightingLut]:
        """Return the tables by their names, with the one of spotlights."""
        if not isinstance(self.luts, Mapping):
            raise UsageError(f"luts: expected a mapping by table, got {shown(self.luts)}")
        found: dict[str, LightingLut] = {LightingTable.SP: SPOTLIGHT}
        for key, value in self.luts.items():
            name = combiner_word(LightingTable, str(key), "table of luts:")
            made: LightingLut = described(LightingLut, value, f"luts.{name}")
            if (made.table is None) != (name is LightingTable.SP):
                raise UsageError(
                    "luts.sp: expected no table: each light has a spot_lut"
                    if name is LightingTable.SP else f"luts.{name}: expected a table"
                )  # fmt: skip
            found[name] = made
        return found

    @property
    def textures(self) -> set[int]:
        """The texture units that lighting reads."""
        found = {self.bump_texture} if self.bump_mode != BumpMode.NOT_USED else set()
        return found | ({self.shadow_texture} if self.shadows else set())

    @property
    def shadows(self) -> bool:
        """True if a texture is a factor of a result."""
        return self.shadow_primary or self.shadow_secondary or self.shadow_alpha

    def lut(self, name: str) -> LightingLut | None:
        """Return a table; None if there is none, or the configuration has none."""
        return self.luts.get(name) if name in CONFIGURATIONS[self.configuration] else None


def _of_12_bits(number: float) -> float:
    """Return a number with 12 bits of mantissa, the others cut off."""
    bits = np.float32(number).view(np.uint32) & np.uint32(0xFFFF_F800)
    return float(bits.view(np.float32))


def factors(colour: Colour | Sequence[int]) -> list[float]:
    """Return the components of a colour as numbers from 0 to 1, without alpha."""
    return [each / 255 for each in colour[:3]]
