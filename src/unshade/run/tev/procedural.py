"""The procedural texture of unit 3, as YAML and JSON describe it.

    procedural_texture:
      clamp: [mirrored_repeat, mirrored_repeat]
      rgb_function: sqrt2
      noise: {amplitude: [0.1, 0.1], frequency: [0.3, 0.3], phase: [0.5, 0.2], table: [0, …, 1]}
      rgb_table: [0, …, 1]
      colors: [[0, 0, 0, 255], …]

Tables of functions have 128 numbers for inputs from 0 to 127/128; a 129th is the value at 1. Left
out, a table is the line from 0 to 1. `colors` are up to 256 colours, from `offset` on; the result
of the function chooses among `width` of them.

Source: proctex.h, proctex.c of citro3d; 3dbrew's page on the internal registers of the GPU.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...dataclass import dataclass
from ...errors import UsageError
from ..binding.numbers import shown
from ..raster.states.fields import flag
from .fields import Colour, colour_of, described, halves_of, integer_of, numbers_of, set_field
from .words import (
    ProceduralClamp,
    ProceduralFilter,
    ProceduralFunction,
    ProceduralShift,
    combiner_word,
)

STEPS = 128  # of a function's table
COLOURS = 256
WIDEST = 255
MOST = 4095  # of a value
LAST_OFFSETS = (0xF0, 0xF8, 0xFC, 0xFE)  # of the levels 4 to 7
LINE = tuple(at / STEPS for at in range(STEPS + 1))


def _function_table(given: Any, where: str) -> tuple[float, ...]:
    """Return the 129 numbers of a table from 0 to 1."""
    found = numbers_of(given, where, STEPS, STEPS + 1)
    clamped = [min(max(each, 0.0), 1.0) for each in found]
    return tuple([*clamped, clamped[-1]][: STEPS + 1])


def function_entries(table: Sequence[float]) -> list[tuple[float, float]]:
    """Return the values and differences of a table, as the unit stores them in 12 bits."""
    steps = [int(each * MOST) for each in table]
    return [(now / MOST, _signed(after - now, 12) / MOST) for now, after in pairwise(steps)]


def _signed(number: int, bits: int) -> int:
    """Return a number that is stored in so many bits, with a sign."""
    half = 1 << bits - 1
    return (number + half) % (2 * half) - half


@dataclass(frozen=True, slots=True)
class ProceduralNoise:
    """The noise that moves the coordinates u and v; `table` shapes it between grid points."""

    amplitude: Sequence[float] = (0.0, 0.0)
    frequency: Sequence[float] = (0.0, 0.0)
    phase: Sequence[float] = (0.0, 0.0)
    table: Any = LINE

    def __post_init__(self) -> None:
        set_field(self, "amplitude", numbers_of(self.amplitude, "amplitude", 2))
        for name in ("frequency", "phase"):
            set_field(self, name, halves_of(getattr(self, name), name, 2))
        if not all(-8 <= each < 8 for each in self.amplitude):
            raise UsageError(f"amplitude: expected -8 to 8, got {shown(self.amplitude)}")
        set_field(self, "table", _function_table(self.table, "table"))

    def axis(self, axis: int) -> tuple[float, float, float]:
        """Return amplitude, frequency and phase along an axis, as the unit rounds them."""
        amplitude = int(self.amplitude[axis] * 0x1000) / MOST
        return amplitude, self.frequency[axis], self.phase[axis]


@dataclass(frozen=True, slots=True)
class ProceduralTexture:
    """The procedural texture: noise, shift, clamp, a function of u and v, a table of colours.

    Pairs are for u and v. `coordinates` are those of texture unit 0, 1 or 2. With `alpha_separate`
    alpha is the result of its own function and table, and not a colour of the table. `lod_bias`
    is a factor of the change between pixels that chooses the level; 0 is always the first.
    """

    colors: Any
    coordinates: int = 0
    clamp: Sequence[str] = (ProceduralClamp.CLAMP_TO_EDGE,) * 2
    shift: Sequence[str] = (ProceduralShift.NONE,) * 2
    noise: ProceduralNoise | Mapping[str, Any] | None = None
    rgb_function: str = ProceduralFunction.U
    rgb_table: Any = LINE
    alpha_separate: bool = False
    alpha_function: str = ProceduralFunction.U
    alpha_table: Any = LINE
    filter: str = ProceduralFilter.LINEAR
    offset: int = 0
    width: int | None = None
    lod_bias: float = 0.0
    lod_min: int = 0
    lod_max: int = 6
    level_offsets: Any = (0x80, 0xC0, 0xE0)  # of the levels 1 to 3

    def __post_init__(self) -> None:
        given = self.colors
        if isinstance(given, str | Mapping) or not isinstance(given, Sequence) or not given:
            raise UsageError(f"colors: expected a list of colours, got {shown(given)}")
        integer_of(self.offset, "offset", COLOURS - 1)
        if len(given) > COLOURS - self.offset:
            raise UsageError(f"colors: expected at most {COLOURS - self.offset}, got {len(given)}")
        colours = [colour_of(each, f"colors[{at}]", count=3) for at, each in enumerate(given)]
        set_field(self, "colors", tuple(colours))
        width = min(len(colours), WIDEST) if self.width is None else self.width
        if integer_of(width, "width", WIDEST) == 0:
            raise UsageError("width: expected at least 1, got 0")
        set_field(self, "width", width)
        integer_of(self.coordinates, "coordinates", 2)
        for name, kind in (("clamp", ProceduralClamp), ("shift", ProceduralShift)):
            words = getattr(self, name)
            words = [words] * 2 if isinstance(words, str) else words
            if not isinstance(words, Sequence) or len(words) != 2:
                raise UsageError(f"{name}: expected words for u and v, got {shown(words)}")
            found = tuple(combiner_word(kind, each, f"word of {name}:") for each in words)
            set_field(self, name, found)
        if self.noise is not None:
            set_field(self, "noise", described(ProceduralNoise, self.noise, "noise"))
        for name in ("rgb_function", "alpha_function"):
            set_field(self, name, combiner_word(ProceduralFunction, getattr(self, name), name))
        for name in ("rgb_table", "alpha_table"):
            set_field(self, name, _function_table(getattr(self, name), name))
        set_field(self, "alpha_separate", flag(self.alpha_separate, "alpha_separate"))
        set_field(self, "filter", combiner_word(ProceduralFilter, self.filter, "filter"))
        set_field(self, "lod_bias", halves_of([self.lod_bias], "lod_bias", 1)[0])
        for name in ("lod_min", "lod_max"):
            integer_of(getattr(self, name), name, 15)
        levels = self.level_offsets
        if isinstance(levels, str) or not isinstance(levels, Sequence) or len(levels) != 3:
            raise UsageError(f"level_offsets: expected three integers, got {shown(levels)}")
        for each in levels:
            integer_of(each, "level_offsets", COLOURS - 1)

    @property
    def color_table(self) -> list[Colour]:
        """The 256 colours of the unit; those that are not given are black."""
        found: list[Colour] = [(0, 0, 0, 0)] * COLOURS
        for at, each in enumerate(self.colors):
            r, g, b, a = each
            found[self.offset + at] = r, g, b, a
        return found

    @property
    def color_steps(self) -> list[tuple[int, ...]]:
        """Differences to the next colour; the unit stores half of each, the last is 0."""
        table = self.color_table
        last = self.offset + len(self.colors) - 1
        return [
            tuple(2 * (after - now >> 1) for now, after in zip(each, table[at + 1], strict=True))
            if self.offset <= at < last else (0, 0, 0, 0)
            for at, each in enumerate(table)
        ]  # fmt: skip

    @property
    def levels(self) -> list[tuple[float, float]]:
        """The first colour of each level, and how far the last is from it."""
        offsets = [self.offset, *self.level_offsets, *LAST_OFFSETS]
        width = self.width or 0
        return [(float(each), float((width >> at) - 1)) for at, each in enumerate(offsets)]
