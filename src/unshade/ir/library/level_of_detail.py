"""Level of detail: the mip levels of a sample and their weights.

    steps   = d(u, v, w)/dx and /dy, in texels of level 0      from the quad, or operands
    lod     = log2 of the longer step  +  the sampler's bias  +  the instruction's bias
    clamped = max(sampler's least, min(sampler's most, lod)), then the instruction's minimum

A clamped lod of 0 or less magnifies. Steps from the quad are coarse derivatives: one lod per quad.
For isotropic filters the two steps are taken as the axes of the ellipse, which the specification
allows. A NaN selects the smallest level that the sampler allows. Anisotropic filters of 2D and cube
textures use a footprint (footprint.py) if there are steps; filters of 1D and 3D textures do not.

Source: Direct3D 11.3 functional specification, sections 7.18.10, 7.18.11, 5.9.4.5.4.
"""

from ...dataclass import replace
from ..builder import Builder
from ..kernel import Value
from ..textures import Level, Sample
from ..types import F32, I32
from . import derivatives
from .cubes import CubeDirection
from .footprint import Footprint, footprint
from .states import Filter, SamplerState
from .texels import Texels

Steps = list[list[Value]]  # derivatives of each coordinate along x and along y


class Detail:
    """The level-of-detail computation of one operation."""

    def __init__(self, b: Builder, sample: Sample, texels: Texels, sampler: SamplerState) -> None:
        self.b = b
        self.sample = sample
        self.texels = texels
        self.sampler = sampler
        has_steps = sample.level in (Level.AUTO, Level.BIAS, Level.GRADIENT)
        flat = texels.axes == 2 and texels.kind == F32
        self.anisotropic = sampler.anisotropy > 1 and flat and has_steps

    def unclamped(
        self, coordinates: list[Value], direction: CubeDirection | None, rest: list[Value]
    ) -> Footprint:
        """Append the unclamped level of detail; `rest` are its operands."""
        b = self.b
        match self.sample.level:
            case Level.ZERO:
                found = Footprint(b.f32(0.0))
            case Level.EXPLICIT:
                found = Footprint(rest[0])
            case Level.BIAS:
                found = self._footprint(self._neighbours(coordinates), direction)
                found = replace(found, lod=b.fadd(found.lod, rest[0]))
            case Level.GRADIENT:
                count = self.texels.coordinates
                found = self._footprint([rest[:count], rest[count : 2 * count]], direction)
            case _:
                found = self._footprint(self._neighbours(coordinates), direction)
        if self.sampler.bias:
            found = replace(found, lod=b.fadd(found.lod, self.sampler.bias))
        return found

    def _neighbours(self, coordinates: list[Value]) -> Steps:
        return [
            [derivatives.coarse(self.b, each, axis) for each in coordinates]
            for axis in (derivatives.X, derivatives.Y)
        ]

    def _footprint(self, steps: Steps, direction: CubeDirection | None) -> Footprint:
        """Append the footprint for the steps to the next pixels."""
        b = self.b
        given = steps
        if direction is not None:
            steps = [direction.steps(*step) for step in steps]
        sizes = [b.utof(self.texels.word(at), type=F32) for at in range(self.texels.axes)]
        across = [
            [b.fmul(part, size) for part, size in zip(step, sizes, strict=True)] for step in steps
        ]
        if self.anisotropic:
            return footprint(b, across, given, self.sampler.anisotropy)
        lengths = []
        for step in across:
            total = b.fmul(step[0], step[0])
            for part in step[1:]:
                total = b.fadd(total, b.fmul(part, part))
            lengths.append(total)
        return Footprint(b.fmul(b.log2(b.fmax(*lengths)), 0.5))

    def clamped(self, lod: Value, least: Value | None) -> Value:
        """Append the lod clamped by the sampler and the instruction."""
        b = self.b
        lod = b.fmax(b.fmin(lod, self.sampler.most), self.sampler.least)
        return lod if least is None else b.fmax(lod, least)

    def existing(self, lod: Value) -> Value:
        """Append the lod clamped to the existing levels."""
        b = self.b
        return b.fmin(b.fmax(lod, 0.0), float(self.texels.state.levels - 1))

    def levels(self, clamped: Value) -> list[tuple[Value, Value | None]]:
        """Append the levels to sample, the second with its weight."""
        b = self.b
        count = self.texels.state.levels
        lod = self.existing(clamped)
        if self.sampler.between is Filter.POINT or count == 1:
            return [(b.ftoi(b.ffloor(b.fadd(lod, 0.5)), type=I32), None)]
        first = b.ffloor(lod)
        level = b.ftoi(first, type=I32)
        return [(level, None), (b.imin(b.iadd(level, 1), count - 1), b.fsub(lod, first))]
