"""A description of the fixed fragment stage, as YAML and JSON fill it.

    stages:
      - both: {function: modulate, sources: [texture0, primary_color]}
      - color: {function: add, sources: [previous, constant], operands: [src_color, src_alpha]}
        alpha: {function: replace, sources: [previous]}
        constant: [32, 32, 32, 255]
        update_buffer: color
    alpha_test: {function: greater, reference: 127}
    fog: {color: [128, 160, 255], table: [1.0, …]}
    blend: alpha

Colours are from 0 to 255. Up to six stages follow one another; the first that has PREVIOUS as one
of its first two sources takes its third in its place. Fog is a table of 128 factors of the colour
by depth, from 0 at the far plane to 1 at the near plane, as citro3d's depth map has it.

Source: 3dbrew's page on the internal registers of the GPU; texenv.h, fog.h of citro3d.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...dataclass import dataclass
from ...errors import UsageError
from ..binding.numbers import shown
from ..raster.states.words import Comparison
from .fields import byte_of, colour_of, described, number_of, numbers_of, set_field
from .lights import Lighting
from .procedural import ProceduralTexture
from .texture_unit import TextureUnit
from .words import CombinerFunction, CombinerOperand, CombinerSource, combiner_word

STAGES = 6
PLAIN = TextureUnit()
OPERANDS = 3
FACTORS = 128  # of a fog table


@dataclass(frozen=True, slots=True)
class Combiner:
    """The combiner of colour or of alpha: a function of up to three operands, and a scale.

    Sources that are not given are PREVIOUS. Operands that are not given are the colour, in alpha
    combiners the alpha.
    """

    function: str = CombinerFunction.REPLACE
    sources: Sequence[str] = (CombinerSource.PREVIOUS,)
    operands: Sequence[str] = ()
    scale: int = 1

    def __post_init__(self) -> None:
        set_field(
            self,
            "function",
            combiner_word(CombinerFunction, self.function, "function of a combiner"),
        )
        for name, kind, rest in (
            ("sources", CombinerSource, CombinerSource.PREVIOUS),
            ("operands", CombinerOperand, CombinerOperand.SRC_COLOR),
        ):  # fmt: skip
            given = getattr(self, name)
            given = [given] if isinstance(given, str) else given
            if not isinstance(given, Sequence) or len(given) > OPERANDS:
                raise UsageError(f"{name}: expected up to {OPERANDS} words, got {shown(given)}")
            words = [combiner_word(kind, each, f"word of {name}:") for each in given]
            set_field(self, name, (*words, *[rest] * (OPERANDS - len(words))))
        if self.scale not in (1, 2, 4):
            raise UsageError(f"scale: expected 1, 2 or 4, got {shown(self.scale)}")


@dataclass(frozen=True, slots=True)
class TevStage:
    """A stage: its combiners, its constant colour, and the parts that it keeps in the buffer.

    `both` stands for `color` and `alpha`. `update_buffer` is "color", "alpha" or "both".
    """

    color: Combiner | Mapping[str, Any] | None = None
    alpha: Combiner | Mapping[str, Any] | None = None
    both: Combiner | Mapping[str, Any] | None = None
    constant: Sequence[int] = (0, 0, 0, 0)
    update_buffer: str | None = None

    def __post_init__(self) -> None:
        if self.both is not None and (self.color is not None or self.alpha is not None):
            raise UsageError("both: expected no color and no alpha beside it")
        for name in ("color", "alpha"):
            given = getattr(self, name) if self.both is None else self.both
            given = Combiner() if given is None else given
            set_field(self, name, described(Combiner, given, name))
        set_field(self, "both", None)
        set_field(self, "constant", colour_of(self.constant, "constant"))
        known = (None, "color", "alpha", "both")
        if self.update_buffer not in known:
            raise UsageError(
                f"update_buffer: expected color, alpha or both, got {shown(self.update_buffer)}"
            )

    def combiner(self, name: str) -> Combiner:
        """Return the combiner of "color" or "alpha"."""
        found = getattr(self, name)
        assert isinstance(found, Combiner)
        return found


@dataclass(frozen=True, slots=True)
class AlphaTest:
    """The test that discards fragments: alpha compared with a reference from 0 to 255."""

    function: str = Comparison.ALWAYS
    reference: int = 0

    def __post_init__(self) -> None:
        set_field(
            self, "function", combiner_word(Comparison, self.function, "function of the alpha test")
        )
        set_field(self, "reference", byte_of(self.reference, "reference"))


@dataclass(frozen=True, slots=True)
class Fog:
    """Fog: its colour, and the part of the fragment's colour that is left, by depth.

    `table` has 128 factors, for depths from 0 to 127/128, which are interpolated; a 129th is the
    factor at 1, by default the last. `flip` counts depths from the other end.
    """

    color: Sequence[int]
    table: Sequence[float]
    flip: bool = False

    def __post_init__(self) -> None:
        set_field(self, "color", colour_of(self.color, "color", count=3))
        given = numbers_of(self.table, "table", FACTORS, FACTORS + 1)
        numbers = [min(max(each, 0.0), 1.0) for each in given]
        set_field(self, "table", tuple([*numbers, numbers[-1]][: FACTORS + 1]))

    @property
    def entries(self) -> list[tuple[int, int]]:
        """The factors and their differences, in steps of 1/2047 as the unit holds them."""
        steps = [round(each * 2047) for each in self.table]
        return [(steps[at], steps[at + 1] - steps[at]) for at in range(FACTORS)]


@dataclass(frozen=True, slots=True)
class FragmentStage:
    """The whole stage: the operations on a fragment after the rasteriser.

    `lighting` is the lighting unit; without it, `fragment_primary_color` and
    `fragment_secondary_color` are its results. `texture0` is the type of the texture of unit 0,
    `texture2_coordinates` 1 if unit 2 takes the coordinates of unit 1, `procedural_texture` unit 3.
    `blend` is a state of blending, as in `draw`. The depth for fog is
    z / w * `depth_scale` + `depth_offset`.
    """

    stages: Sequence[TevStage | Mapping[str, Any]] = ()
    buffer_color: Sequence[int] = (0, 0, 0, 0)
    alpha_test: AlphaTest | Mapping[str, Any] = AlphaTest()
    fog: Fog | Mapping[str, Any] | None = None
    blend: Any = None
    lighting: Lighting | Mapping[str, Any] | None = None
    fragment_primary_color: Sequence[int] = (0, 0, 0, 0)
    fragment_secondary_color: Sequence[int] = (0, 0, 0, 0)
    texture0: TextureUnit | Mapping[str, Any] = PLAIN
    texture2_coordinates: int = 2
    procedural_texture: ProceduralTexture | Mapping[str, Any] | None = None
    depth_scale: float = -1.0
    depth_offset: float = 0.0

    def __post_init__(self) -> None:
        given = self.stages
        if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
            raise UsageError(f"stages: expected a list of stages, got {shown(given)}")
        if len(given) > STAGES:
            raise UsageError(f"stages: expected at most {STAGES}, got {len(given)}")
        made = [described(TevStage, each, f"stages[{at}]") for at, each in enumerate(given)]
        set_field(self, "stages", tuple(made))
        set_field(self, "alpha_test", described(AlphaTest, self.alpha_test, "alpha_test"))
        for name, kind in (
            ("fog", Fog), ("lighting", Lighting), ("texture0", TextureUnit),
            ("procedural_texture", ProceduralTexture),
        ):  # fmt: skip
            if getattr(self, name) is not None:
                set_field(self, name, described(kind, getattr(self, name), name))
        for name in ("buffer_color", "fragment_primary_color", "fragment_secondary_color"):
            set_field(self, name, colour_of(getattr(self, name), name))
        if self.texture2_coordinates not in (1, 2):
            raise UsageError(
                f"texture2_coordinates: expected 1 or 2, got {shown(self.texture2_coordinates)}"
            )
        for name in ("depth_scale", "depth_offset"):
            set_field(self, name, number_of(getattr(self, name), name))

    @classmethod
    def of(cls, given: Any) -> "FragmentStage":
        """Return the stage that plain data describes; UsageError for an unknown field."""
        found: FragmentStage = described(cls, given)
        return found
