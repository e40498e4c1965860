"""Filtering of one mip level: weighted texels around a position.

    first = addressing      (x, y) (x + 1, y)      each is mapped inside, loaded and compared,
                            (x, y + 1) …           then interpolated along one axis at a time:
                                                   a + (c - a) * weight

A minimum or maximum uses all texels with a non-zero weight equally. Integer textures are never
filtered.

Source: Direct3D 11.3 functional specification, sections 5.9.4.5.6 and 7.18.7 to 7.18.9, 7.18.12.
"""

from ...dataclass import dataclass
from ..builder import Builder
from ..kernel import Value
from ..textures import Sample
from ..types import F32
from .addressing import Axis, Number
from .cubes import beyond
from .states import COMPARISONS, Address, Filter, Reduction, SamplerState
from .texels import Texels

THIRD = 1.0 / 3.0
Corner = dict[int, Value]  # components of one texel


@dataclass(slots=True)
class SamplePosition:
    """A position on a level, and the reference that texels are compared with."""

    coordinates: list[Value]
    layer: Value | None
    reference: Value | None
    moving: list[Value]  # the offset, if it is not constant


class Filtering:
    """The filter of one operation; methods append to the builder."""

    def __init__(self, b: Builder, what: Sample, texels: Texels, sampler: SamplerState) -> None:
        self.b = b
        self.what = what
        self.texels = texels
        self.sampler = sampler

    def axes(self, sizes: list[Value], moving: list[Value]) -> list[Axis]:
        """Return the axes of a level with the sampler's address modes."""
        offsets: list[Value | int] = [*(moving or self.what.offset)]
        modes = [Address.CLAMP] * 2 if self.texels.cube else self.sampler.address
        return [
            Axis(
                self.b,
                modes[at],
                size,
                0 if self.texels.cube else offsets[at],
                unnormalized=self.sampler.unnormalized,
            )
            for at, size in enumerate(sizes)
        ]

    def level(
        self, filter: Filter, place: SamplePosition, level: Value, wanted: list[int]
    ) -> Corner:
        """Append the filtered components of one level."""
        linear = filter is Filter.LINEAR and self.texels.kind == F32
        axes = self.axes(self.texels.sizes(level), place.moving)
        components = [0] if place.reference is not None else wanted
        firsts = [
            axis.first(coordinate, 0.5 if linear else 0.0)
            for axis, coordinate in zip(axes, place.coordinates, strict=True)
        ]
        numbers = [number for number, _ in firsts]
        if linear:
            corners = self.around(axes, numbers, place, level, components)
            found = self._folded(corners, [weight for _, weight in firsts], components)
        else:
            chosen = [axis.inside(each) for axis, each in zip(axes, numbers, strict=True)]
            element = self._element(level, axes, chosen, place.layer)
            found = self._texel(element, chosen, place.reference, components)
        return {at: found[0 if place.reference is not None else at] for at in wanted}

    # ------------------------------------------------------------ weights

    def mixed(self, a: Value, c: Value, weight: Value) -> Value:
        """Append the combination of two numbers, by the weight of the second."""
        b = self.b
        if self.sampler.reduction is Reduction.MEAN:
            return b.fadd(a, b.fmul(b.fsub(c, a), weight))
        found = self.extreme(a, c)
        found = b.select(b.feq(weight, 0.0), a, found)
        return b.select(b.feq(weight, 1.0), c, found)

    def extreme(self, a: Value, c: Value) -> Value:
        """Append the minimum or maximum of two numbers, by the sampler's reduction."""
        least = self.sampler.reduction is Reduction.MINIMUM
        return self.b.fmin(a, c) if least else self.b.fmax(a, c)

    def _folded(self, corners: list[Corner], weights: list[Value], components: list[int]) -> Corner:
        """Append the weighted combination of texels, one axis at a time."""
        for weight in weights:
            corners = [
                {at: self.mixed(one[at], other[at], weight) for at in components}
                for one, other in zip(corners[::2], corners[1::2], strict=True)
            ]
        return corners[0]

    def _compared(self, reference: Value, texel: Value) -> Value:
        b = self.b
        one, none = b.f32(1.0), b.f32(0.0)
        name = self.sampler.comparison
        if name in ("never", "always"):
            return one if name == "always" else none
        operation, swapped = COMPARISONS[name]
        pair = (texel, reference) if swapped else (reference, texel)
        return b.select(b.make(operation, *pair), one, none)

    # ------------------------------------------------------------ texels

    def around(
        self,
        axes: list[Axis],
        numbers: list[Value],
        place: SamplePosition,
        level: Value,
        components: list[int],
    ) -> list[Corner]:
        """Append loads of the texels at each index and the next; the first axis varies fastest."""
        b = self.b
        layer = place.layer
        columns = [[each, b.iadd(each, 1)] for each in numbers]
        chosen: list[list[Number]] = [[]]
        for axis, pair in zip(axes, columns, strict=True):
            inside = [axis.inside(each) for each in pair]
            chosen = [[*so_far, each] for each in inside for so_far in chosen]
        elements = [self._element(level, axes, corner, layer) for corner in chosen]
        missing: list[Value] = []
        if self.texels.cube and layer is not None:
            elements, missing = self._crossed(axes, columns, layer, level, elements)
        found = [
            self._texel(element, corner, place.reference, components)
            for element, corner in zip(elements, chosen, strict=True)
        ]
        if missing and (self.texels.kind == F32 or place.reference is not None):
            found = self._completed(found, missing, components)
        return found

    def _element(
        self, level: Value, axes: list[Axis], corner: list[Number], layer: Value | None
    ) -> Value:
        sizes = [axis.size for axis in axes]
        return self.texels.element(level, sizes, [place for place, _ in corner], layer)

    def _texel(
        self,
        element: Value,
        corner: list[Number],
        reference: Value | None,
        components: list[int],
    ) -> Corner:
        """Append loads of the components of a texel, or its comparison."""
        b = self.b
        found = {}
        for at in components:
            value = self.texels.load(element, at)
            for _, inside in corner:
                if inside is not None:
                    value = b.select(inside, value, self.texels.border(at, self.sampler.border))
            found[at] = value if reference is None else self._compared(reference, value)
        return found

    def _crossed(
        self,
        axes: list[Axis],
        columns: list[list[Value]],
        layer: Value,
        level: Value,
        elements: list[Value],
    ) -> tuple[list[Value], list[Value]]:
        """Append texel indices across face edges; return them, and texels beyond a corner."""
        b = self.b
        size = axes[0].size
        outside = [[b.ule(size, each) for each in column] for column in columns]
        places = [(x, y) for y in (0, 1) for x in (0, 1)]
        any_outside = b.or_(b.or_(*outside[0]), b.or_(*outside[1]))
        count = len(b.kernel.variables)
        chosen = [b.var(f"texel.{count + at}", internal=True) for at in range(4)]
        for var, element in zip(chosen, elements, strict=True):
            b.set(var, element)
        first = b.imul(b.udiv(layer, 6), 6)
        with b.when(any_outside):
            for var, (x, y) in zip(chosen, places, strict=True):
                column, row = columns[0][x], columns[1][y]
                face, *place = beyond(b, b.isub(layer, first), column, row, size)
                found = self.texels.element(level, [size, size], place, b.iadd(first, face))
                b.set(var, found)
        missing = [b.and_(outside[0][x], outside[1][y]) for x, y in places]
        return [b.get(var) for var in chosen], missing

    def _completed(
        self, corners: list[Corner], missing: list[Value], components: list[int]
    ) -> list[Corner]:
        """Replace texels beyond a corner of the cube by the mean of the other three.

        For a minimum or maximum, any of the three is correct.
        """
        b = self.b
        found: list[Corner] = []
        for number, (corner, gone) in enumerate(zip(corners, missing, strict=True)):
            first, second, third = (each for at, each in enumerate(corners) if at != number)
            made = {}
            for at in components:
                instead = first[at]
                if self.sampler.reduction is Reduction.MEAN:
                    instead = b.fmul(b.fadd(b.fadd(instead, second[at]), third[at]), THIRD)
                made[at] = b.select(gone, instead, corner[at])
            found.append(made)
        return found
