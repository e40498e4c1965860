"""Which levels of a texture a sample looks at.

    steps   = d(u, v, w)/dx and /dy, in texels of level 0      from the quad, or given
    lod     = log2 of the longer step  +  the sampler's bias  +  the instruction's
    clamped = max(sampler's least, min(sampler's most, lod)), then the instruction's own least

A clamped lod of 0 or less magnifies. Steps from the quad are the coarse ones: one lod a quad.
Anisotropic filters are linear ones here: of an ellipse the longer axis counts, and the two axes are
the steps themselves. NaN gives the smallest level that the sampler allows.

Source: Direct3D 11.3 functional specification, sections 7.18.10, 7.18.11, 5.9.4.5.4.
"""

from typing import Any

from ..kernel import Value
from ..textures import Level, Sample
from ..types import F32, I32
from . import derivatives
from .cubes import Direction
from .states import Filter, SamplerState
from .texels import Texels


class Detail:
    """The level of detail of one operation."""

    def __init__(self, b: Any, what: Sample, texels: Texels, sampler: SamplerState) -> None:
        self.b = b
        self.what = what
        self.texels = texels
        self.sampler = sampler

    def lod(
        self, coordinates: list[Value], direction: Direction | None, rest: list[Value]
    ) -> Value:
        """The level of detail before it is clamped; `rest` are the operands of the level."""
        b = self.b
        match self.what.level:
            case Level.ZERO:
                lod = b.f32(0.0)
            case Level.EXPLICIT:
                lod = rest[0]
            case Level.BIAS:
                lod = b.fadd(self._footprint(self._neighbours(coordinates), direction), rest[0])
            case Level.GRADIENT:
                count = self.texels.coordinates
                lod = self._footprint([rest[:count], rest[count : 2 * count]], direction)
            case _:
                lod = self._footprint(self._neighbours(coordinates), direction)
        return b.fadd(lod, self.sampler.bias) if self.sampler.bias else lod  # type: ignore[no-any-return]

    def _neighbours(self, coordinates: list[Value]) -> list[list[Value]]:
        return [
            [derivatives.coarse(self.b, each, axis) for each in coordinates]
            for axis in (derivatives.X, derivatives.Y)
        ]

    def _footprint(self, steps: list[list[Value]], direction: Direction | None) -> Value:
        """log2 of the texels that a step to the next pixel covers."""
        b = self.b
        if direction is not None:
            steps = [direction.steps(*step) for step in steps]
        sizes = [b.utof(self.texels.word(at), type=F32) for at in range(self.texels.axes)]
        lengths = []
        for step in steps:
            total: Value | None = None
            for part, size in zip(step, sizes, strict=True):
                across = b.fmul(part, size)
                square = b.fmul(across, across)
                total = square if total is None else b.fadd(total, square)
            lengths.append(total)
        return b.fmul(b.log2(b.fmax(*lengths)), 0.5)  # type: ignore[no-any-return]

    def clamped(self, lod: Value, least: Value | None) -> Value:
        """As the sampler clamps it, and the instruction."""
        b = self.b
        lod = b.fmax(b.fmin(lod, self.sampler.most), self.sampler.least)
        return lod if least is None else b.fmax(lod, least)

    def existing(self, lod: Value) -> Value:
        """Not beyond the levels that there are."""
        b = self.b
        return b.fmin(b.fmax(lod, 0.0), float(self.texels.state.levels - 1))  # type: ignore[no-any-return]

    def levels(self, clamped: Value) -> list[tuple[Value, Value | None]]:
        """The levels to look at; the second one with its weight."""
        b = self.b
        count = self.texels.state.levels
        lod = self.existing(clamped)
        if self.sampler.between is Filter.POINT or count == 1:
            return [(b.ftoi(b.ffloor(b.fadd(lod, 0.5)), type=I32), None)]
        first = b.ffloor(lod)
        level = b.ftoi(first, type=I32)
        return [(level, None), (b.imin(b.iadd(level, 1), count - 1), b.fsub(lod, first))]
