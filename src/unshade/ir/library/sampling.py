"""Texture operations written out as loads and arithmetic.

    sample %t0 %s0 2d …  ->  coordinates (addressing)  levels (detail)  faces (cubes)
                             texels, weighted one axis after the other:  a + (c - a) * weight

What the code looks like depends on the sampler and on how many levels there are, which are known
when the kernel is prepared; sizes are read from the shape (texels). Numbers are 32-bit floats
throughout: a filter is as exact as its formula. Integer textures are never filtered.

Source: Direct3D 11.3 functional specification, sections 7.18 (texture sampling) and 22.4.
"""

from collections.abc import Mapping
from typing import Any

from ...errors import UnsupportedError
from ..builder import Builder, constant
from ..kernel import Kernel, Value
from ..memory import Memory, Space
from ..rewrite import rewrite
from ..textures import Action, Level, Sample, Texture
from ..types import F32, I32
from .addressing import Axis, Number
from .cubes import Direction, beyond
from .detail import Detail
from .states import COMPARISONS, Address, Filter, SamplerState, TextureState
from .texels import LAYERS, OUTSIDE, SHAPE_WORDS, TEXEL, Texels, zero

__all__ = [
    "COMPARISONS", "SHAPE_WORDS", "Address", "Filter", "SamplerState", "TextureState", "expand",
]  # fmt: skip

THIRD = 1.0 / 3.0
Corner = dict[int, Value]  # components of one texel


def expand(
    kernel: Kernel,
    textures: Mapping[str, TextureState],
    samplers: Mapping[str, SamplerState],
) -> None:
    """Replace every `sample` and `part` by loads and arithmetic, in place."""
    used: dict[Value, set[int]] = {}
    for value in kernel.values():
        if value.op.name == "part":
            used.setdefault(value.args[0], set()).add(value.attr)
    memories: dict[str, tuple[Memory, Memory]] = {}
    parts: dict[Value, dict[int, Value]] = {}

    def memory(b: Builder, texture: Texture) -> tuple[Memory, Memory]:
        found = memories.get(texture.name)
        if found is None:
            found = memories[texture.name] = (
                b.memory(texture.name, Space.BUFFER, TEXEL),
                b.memory(f"{texture.name}.shape", Space.CONSTANT, 4),
            )
        return found

    def rule(b: Builder, value: Value) -> Value | None:
        if value.op.name == "part":
            return parts[value.args[0]][value.attr]
        if value.op.name != "sample":
            return None
        attribute: Sample = value.attr
        state = textures.get(attribute.texture.name, TextureState())
        sampler = SamplerState()
        if attribute.sampler is not None:
            sampler = samplers.get(attribute.sampler.name, sampler)
        texels = Texels(b, attribute.texture, *memory(b, attribute.texture), state)
        one = _One(b, attribute, texels, sampler)
        given = constant(0, I32)  # only its parts are read
        parts[given] = one.give(list(value.args), sorted(used.get(value, ())))
        return given

    rewrite(kernel, rule)
    kernel.textures.clear()


class _One:
    """One operation."""

    def __init__(self, b: Any, what: Sample, texels: Texels, sampler: SamplerState) -> None:
        self.b = b
        self.what = what
        self.texels = texels
        self.sampler = sampler
        self.detail = Detail(b, what, texels, sampler)

    def give(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """The components that somebody wants."""
        match self.what.action:
            case Action.SAMPLE:
                return self._sample(args, wanted)
            case Action.GATHER:
                return self._gather(args, wanted)
            case Action.FETCH:
                return self._fetch(args, wanted)
            case Action.LOD:
                return self._level_of_detail(args, wanted)
            case Action.SIZE:
                return self._size(args[0], wanted)
            case Action.SAMPLES:
                return {at: constant(self.texels.state.samples, I32) for at in wanted}
            case _:
                raise UnsupportedError(f"texture operation {self.what.action} cannot be run yet")

    # ------------------------------------------------------------ operands

    def _tail(self, args: list[Value], count: int) -> list[Value]:
        """Takes operands off the end."""
        found = args[len(args) - count :]
        del args[len(args) - count :]
        return found

    def _split(
        self, args: list[Value]
    ) -> tuple[list[Value], Direction | None, Value | None, list[Value]]:
        """Coordinates on a layer, the direction in a cube, the layer, the operands behind them."""
        b = self.b
        count = self.texels.coordinates
        coordinates, rest = args[:count], args[count:]
        layer: Value | None = None
        direction: Direction | None = None
        if self.texels.cube:
            direction = Direction(b, *coordinates)
            coordinates, layer = direction.place(), direction.face
        if self.texels.layered:
            given, rest = rest[0], rest[1:]
            last = b.isub(self.texels.layers(), 1)
            chosen = b.imax(b.imin(b.ftoi(b.frint(given), type=I32), last), 0)
            layer = chosen if layer is None else b.iadd(b.imul(chosen, 6), layer)
        return coordinates, direction, layer, rest

    def _axes(self, sizes: list[Value], moving: list[Value]) -> list[Axis]:
        offsets: list[Value | int] = [*(moving or self.what.offset)]
        modes = [Address.CLAMP] * 2 if self.texels.cube else self.sampler.address
        return [
            Axis(self.b, modes[at], size, 0 if self.texels.cube else offsets[at])
            for at, size in enumerate(sizes)
        ]

    # ------------------------------------------------------------ sample

    def _sample(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        b = self.b
        args = list(args)
        least = self._tail(args, 1)[0] if self.what.clamped else None
        moving = self._tail(args, self.texels.axes) if self.what.moving else []
        given = args[: self.texels.coordinates]
        coordinates, direction, layer, rest = self._split(args)
        reference: Value | None = None
        if self.what.compare:
            reference, rest = self.texels.clamped_reference(rest[0]), rest[1:]
        state = self.sampler
        one_filter = state.magnify is state.minify
        if self.texels.state.levels == 1 and one_filter:
            return self._filtered(
                state.magnify, coordinates, layer, zero(), reference, moving, wanted
            )
        lod = self.detail.clamped(self.detail.lod(given, direction, rest), least)
        found: dict[int, Value] = {}
        for level, weight in self.detail.levels(lod):
            here = self._filtered(
                state.minify, coordinates, layer, level, reference, moving, wanted
            )
            if not one_filter:
                large = self._filtered(
                    state.magnify, coordinates, layer, level, reference, moving, wanted
                )
                magnified = b.fle(lod, 0.0)
                here = {at: b.select(magnified, large[at], here[at]) for at in wanted}
            if weight is None:
                found = here
            elif self.texels.kind == F32:
                found = {at: self._mix(found[at], here[at], weight) for at in wanted}
        return found

    def _mix(self, a: Value, c: Value, weight: Value) -> Value:
        b = self.b
        return b.fadd(a, b.fmul(b.fsub(c, a), weight))  # type: ignore[no-any-return]

    def _compared(self, reference: Value, texel: Value) -> Value:
        b = self.b
        one, none = b.f32(1.0), b.f32(0.0)
        name = self.sampler.comparison
        if name in ("never", "always"):
            return one if name == "always" else none  # type: ignore[no-any-return]
        operation, swapped = COMPARISONS[name]
        pair = (texel, reference) if swapped else (reference, texel)
        return b.select(b.make(operation, *pair), one, none)  # type: ignore[no-any-return]

    def _filtered(
        self,
        filter: Filter,
        coordinates: list[Value],
        layer: Value | None,
        level: Value,
        reference: Value | None,
        moving: list[Value],
        wanted: list[int],
    ) -> dict[int, Value]:
        """One level, filtered."""
        linear = filter is Filter.LINEAR and self.texels.kind == F32
        sizes = self.texels.sizes(level)
        axes = self._axes(sizes, moving)
        components = [0] if reference is not None else wanted
        firsts = [
            axis.first(coordinate, 0.5 if linear else 0.0)
            for axis, coordinate in zip(axes, coordinates, strict=True)
        ]
        numbers = [number for number, _ in firsts]
        if linear:
            corners = self._around(axes, numbers, layer, level, reference, components)
            found = self._folded(corners, [weight for _, weight in firsts], components)
        else:
            chosen = [axis.inside(each) for axis, each in zip(axes, numbers, strict=True)]
            element = self._element(level, axes, chosen, layer)
            found = self._texel(element, chosen, reference, components)
        return {at: found[0 if reference is not None else at] for at in wanted}

    def _folded(self, corners: list[Corner], weights: list[Value], components: list[int]) -> Corner:
        """Texels weighted, one coordinate after the other."""
        for weight in weights:
            corners = [
                {at: self._mix(one[at], other[at], weight) for at in components}
                for one, other in zip(corners[::2], corners[1::2], strict=True)
            ]
        return corners[0]

    # ------------------------------------------------------------ texels

    def _around(
        self,
        axes: list[Axis],
        numbers: list[Value],
        layer: Value | None,
        level: Value,
        reference: Value | None,
        components: list[int],
    ) -> list[Corner]:
        """The texels from these numbers to the next; the first coordinate changes fastest."""
        b = self.b
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
            self._texel(element, corner, reference, components)
            for element, corner in zip(elements, chosen, strict=True)
        ]
        if missing and (self.texels.kind == F32 or reference is not None):
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
        """The components of a texel, or its comparison."""
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
        """Texels of the faces beyond an edge; which of the four stand beyond a corner."""
        b = self.b
        size = axes[0].size
        outside = [[b.ule(size, each) for each in column] for column in columns]
        places = [(x, y) for y in (0, 1) for x in (0, 1)]
        any_outside = b.make("or", b.make("or", *outside[0]), b.make("or", *outside[1]))
        count = len(b.kernel.variables)
        chosen = [b.var(f"texel.{count + at}") for at in range(4)]
        for var, element in zip(chosen, elements, strict=True):
            b.set(var, element)
        first = b.imul(b.udiv(layer, 6), 6)
        with b.when(any_outside):
            for var, (x, y) in zip(chosen, places, strict=True):
                column, row = columns[0][x], columns[1][y]
                face, *place = beyond(b, b.isub(layer, first), column, row, size)
                found = self.texels.element(level, [size, size], place, b.iadd(first, face))
                b.set(var, found)
        missing = [b.make("and", outside[0][x], outside[1][y]) for x, y in places]
        return [b.get(var) for var in chosen], missing

    def _completed(
        self, corners: list[Corner], missing: list[Value], components: list[int]
    ) -> list[Corner]:
        """Where a texel stands beyond a corner of the cube: the mean of the other three."""
        b = self.b
        found: list[Corner] = []
        for number, (corner, gone) in enumerate(zip(corners, missing, strict=True)):
            first, second, third = (each for at, each in enumerate(corners) if at != number)
            found.append(
                {
                    at: b.select(
                        gone,
                        b.fmul(b.fadd(b.fadd(first[at], second[at]), third[at]), THIRD),
                        corner[at],
                    )
                    for at in components
                }
            )
        return found

    # ------------------------------------------------------------ gather, fetch, size

    def _gather(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """x: left below, y: right below, z: right above, w: left above."""
        args = list(args)
        moving = self._tail(args, self.texels.axes) if self.what.moving else []
        coordinates, _, layer, rest = self._split(args)
        reference = self.texels.clamped_reference(rest[0]) if self.what.compare else None
        axes = self._axes(self.texels.sizes(zero()), moving)
        numbers = [
            axis.first(coordinate, 0.5)[0]
            for axis, coordinate in zip(axes, coordinates, strict=True)
        ]
        component = self.what.component if reference is None else 0
        corners = self._around(axes, numbers, layer, zero(), reference, [component])
        order = (2, 3, 1, 0)
        return {at: corners[order[at]][component] for at in wanted}

    def _fetch(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        b = self.b
        texels = self.texels
        count = texels.coordinates
        places, rest = list(args[:count]), list(args[count:])
        moving = self._tail(rest, count) if self.what.moving else []
        layer = rest.pop(0) if texels.layered else None
        level, sample = zero(), None
        if self.what.level is Level.EXPLICIT:
            level = rest.pop(0)
        elif rest:
            sample = rest.pop(0)
        sizes = texels.sizes(level)
        inside = b.ult(level, texels.state.levels)
        for axis, offset in enumerate((moving or self.what.offset)[:count]):
            if not isinstance(offset, int) or offset:
                places[axis] = b.iadd(places[axis], offset)
            inside = b.make("and", inside, b.ult(places[axis], sizes[axis]))
        if layer is not None:
            inside = b.make("and", inside, b.ult(layer, texels.word(LAYERS)))
        element = texels.element(level, sizes, places, layer)
        if sample is not None:
            inside = b.make("and", inside, b.ult(sample, texels.state.samples))
            element = b.iadd(element, sample)
        element = b.select(inside, element, OUTSIDE)
        found = {at: texels.load(element, at) for at in wanted}
        for at in wanted:
            if at == 3 and texels.state.components < 4:
                found[at] = b.select(inside, found[at], texels.default(at))
        return found

    def _level_of_detail(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """x: the level that sample would use, y: the same without any clamp."""
        direction = Direction(self.b, *args) if self.texels.cube else None
        lod = self.detail.lod(args, direction, [])
        clamped = self.detail.existing(self.detail.clamped(lod, None))
        found = {0: clamped, 1: lod}
        return {at: found.get(at, self.b.f32(0.0)) for at in wanted}

    def _size(self, level: Value, wanted: list[int]) -> dict[int, Value]:
        """Width, height, depth or layers: 0 of a level that does not exist; all levels."""
        b = self.b
        texels = self.texels
        sizes = texels.sizes(level)
        if texels.layered:
            sizes.append(texels.layers())
        exists = b.ult(level, texels.state.levels)
        found = {at: constant(0, I32) for at in range(3)}
        found |= {at: b.select(exists, each, 0) for at, each in enumerate(sizes)}
        found[3] = constant(texels.state.levels, I32)
        return {at: found[at] for at in wanted}
