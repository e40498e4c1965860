"""Texture operations written out: addresses, filters, levels, comparison.

    u * width - 1/2  =  i + f       0 <= f < 1
    result = texel[i] * (1 - f) + texel[i + 1] * f          and so for each further coordinate

A texture is two memories: texels of four 32-bit components, and its shape.

    t0        level 0: layer 0 (rows of texels, or slices of rows), layer 1, …   level 1: …
    t0.shape  u32 width, height, depth or layers, levels, samples, 0, 0, 0, then the first texel of
              each level

What the code looks like depends on the sampler and on how many levels there are, which are known
when the kernel is prepared; sizes are read from the shape. Where several samples belong to a texel
they stand together. Faces of a cube are layers (+x, -x, +y, -y, +z, -z); filters do not cross the
edges of its faces. Anisotropic filters are linear ones.

Source: Direct3D 11.3 functional specification, sections 7.18 (texture sampling) and 22.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...errors import UnsupportedError
from ..builder import Builder, constant
from ..kernel import Kernel, Value
from ..memory import Memory, Space
from ..rewrite import rewrite
from ..textures import Action, Level, Sample, Shape, Texture
from ..types import F32, I32, Type

SHAPE_WORDS = 8  # before the first texels of the levels
TEXEL = 16


class Address(StrEnum):
    """What stands outside of 0 to 1."""

    WRAP = "wrap"
    MIRROR = "mirror"
    CLAMP = "clamp"
    BORDER = "border"
    MIRROR_ONCE = "mirror_once"


class Filter(StrEnum):
    """How texels between the samples come about."""

    POINT = "point"
    LINEAR = "linear"


@dataclass(frozen=True, slots=True)
class SamplerState:
    """How a sampler filters; the default is Direct3D's own."""

    magnify: Filter = Filter.LINEAR
    minify: Filter = Filter.LINEAR
    between: Filter = Filter.LINEAR  # levels
    address: tuple[Address, Address, Address] = (Address.CLAMP, Address.CLAMP, Address.CLAMP)
    bias: float = 0.0
    least: float = -1000.0
    most: float = 1000.0
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    comparison: str = "never"


@dataclass(frozen=True, slots=True)
class TextureState:
    """What is known of a bound texture besides its memories."""

    levels: int = 1
    samples: int = 1


COMPARISONS: dict[str, tuple[str, bool]] = {  # operation on (reference, texel), swapped or not
    "less": ("flt", False),
    "less_equal": ("fle", False),
    "greater": ("flt", True),
    "greater_equal": ("fle", True),
    "equal": ("feq", False),
    "not_equal": ("fne", False),
}


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
        texels, shape = memory(b, attribute.texture)
        state = textures.get(attribute.texture.name, TextureState())
        sampler = SamplerState()
        if attribute.sampler is not None:
            sampler = samplers.get(attribute.sampler.name, sampler)
        one = _One(b, attribute, texels, shape, state, sampler)
        given = constant(0, I32)  # only its parts are read
        parts[given] = one.give(list(value.args), sorted(used.get(value, ())))
        return given

    rewrite(kernel, rule)
    kernel.textures.clear()


class _One:
    """One operation."""

    def __init__(
        self,
        b: Any,
        what: Sample,
        texels: Memory,
        shape: Memory,
        state: TextureState,
        sampler: SamplerState,
    ) -> None:
        self.b = b
        self.what = what
        self.texture = what.texture
        self.texels = texels
        self.shape = shape
        self.state = state
        self.sampler = sampler
        self.kind: Type = what.texture.type
        cube = what.texture.shape is Shape.CUBE
        self.axes = 2 if cube else what.texture.shape.coordinates
        self.cube = cube

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
            case _:
                raise UnsupportedError(f"texture operation {self.what.action} cannot be run yet")

    # ------------------------------------------------------------ sizes and places

    def _word(self, at: "int | Value") -> Value:
        return self.b.load(self.shape, at, 0, I32)  # type: ignore[no-any-return]

    def _sizes(self, level: Value) -> list[Value]:
        """Width, height, depth at a level, as far as the shape has them."""
        found = [self._word(at) for at in range(self.axes)]
        if self.state.levels == 1:
            return found
        return [self.b.umax(self.b.ushr(size, level), 1) for size in found]

    def _base(self, level: Value) -> Value:
        if self.state.levels == 1:
            return constant(0, I32)
        return self._word(self.b.iadd(level, SHAPE_WORDS))

    def _element(
        self, level: Value, sizes: list[Value], places: list[Value], layer: Value | None
    ) -> Value:
        """The number of a texel."""
        b = self.b
        found: Value | None = None
        rows = list(zip(places, sizes, strict=True))
        if layer is not None:
            rows.append((layer, layer))  # nothing stands further out
        for place, size in reversed(rows):
            found = place if found is None else b.iadd(b.imul(found, size), place)
        assert found is not None
        if self.state.samples > 1:
            found = b.imul(found, self.state.samples)
        if self.state.levels > 1:
            found = b.iadd(self._base(level), found)
        return found

    def _load(self, element: Value, component: int) -> Value:
        return self.b.load(self.texels, element, 4 * component, self.kind)  # type: ignore[no-any-return]

    # ------------------------------------------------------------ coordinates

    def _direction(self, args: list[Value]) -> tuple[list[Value], Value]:
        """A direction as a face of the cube and the place on it, 0 to 1."""
        b = self.b
        x, y, z = args
        ax, ay, az = b.fabs(x), b.fabs(y), b.fabs(z)
        is_z = b.make("and", b.fle(ax, az), b.fle(ay, az))
        is_y = b.make("and", b.make("not", is_z), b.fle(ax, ay))

        def choose(of_x: Value, of_y: Value, of_z: Value) -> Value:
            return b.select(is_z, of_z, b.select(is_y, of_y, of_x))  # type: ignore[no-any-return]

        zero = b.f32(0.0)
        negative = b.flt(choose(x, y, z), zero)
        face = choose(b.i32(0), b.i32(2), b.i32(4))
        face = b.iadd(face, b.select(negative, b.i32(1), b.i32(0)))
        minus_x, minus_z = b.fneg(x), b.fneg(z)
        s = choose(b.select(negative, z, minus_z), x, b.select(negative, minus_x, x))
        t = choose(b.fneg(y), b.select(negative, minus_z, z), b.fneg(y))
        major = choose(ax, ay, az)
        half = b.f32(0.5)
        u = b.fadd(b.fmul(b.fdiv(s, major), half), half)
        v = b.fadd(b.fmul(b.fdiv(t, major), half), half)
        return [u, v], face

    def _split(self, args: list[Value]) -> tuple[list[Value], Value | None, list[Value]]:
        """Coordinates on a layer, the layer, and the operands behind them."""
        b = self.b
        count = self.texture.shape.coordinates
        coordinates, rest = args[:count], args[count:]
        layer: Value | None = None
        if self.cube:
            coordinates, layer = self._direction(coordinates)
        if self.texture.layered:
            given, rest = rest[0], rest[1:]
            layers = self._word(2)
            if self.cube:
                layers = b.udiv(layers, 6)
            chosen = b.ftoi(b.frint(given), type=I32)
            chosen = b.imax(b.imin(chosen, b.isub(layers, 1)), 0)
            if layer is not None:
                chosen = b.iadd(b.imul(chosen, 6), layer)
            layer = chosen
        return coordinates, layer, rest

    def _address(self, axis: int, place: Value, size: Value) -> tuple[Value, Value | None]:
        """A texel's number brought inside; for a border also whether it is inside."""
        b = self.b
        mode = Address.CLAMP if self.cube else self.sampler.address[axis]
        last = b.isub(size, 1)
        match mode:
            case Address.WRAP:
                rest = b.irem(place, size)
                return b.select(b.ilt(rest, 0), b.iadd(rest, size), rest), None
            case Address.MIRROR:
                twice = b.ishl(size, 1)
                rest = b.irem(place, twice)
                rest = b.select(b.ilt(rest, 0), b.iadd(rest, twice), rest)
                back = b.isub(b.isub(twice, 1), rest)
                return b.select(b.ilt(rest, size), rest, back), None
            case Address.MIRROR_ONCE:
                place = b.select(b.ilt(place, 0), b.make("not", place), place)
                return b.imin(place, last), None
            case Address.BORDER:
                return b.imax(b.imin(place, last), 0), b.ult(place, size)
            case _:
                return b.imax(b.imin(place, last), 0), None

    def _near(self, axis: int, coordinate: Value) -> Value:
        """A coordinate close to 0 to 1 that means the same texels: keeps integers small."""
        b = self.b
        mode = Address.CLAMP if self.cube else self.sampler.address[axis]
        if mode is Address.WRAP:
            return b.fsub(coordinate, b.ffloor(coordinate))  # type: ignore[no-any-return]
        if mode is Address.MIRROR:
            half = b.ffloor(b.fmul(coordinate, 0.5))
            return b.fsub(coordinate, b.fadd(half, half))  # type: ignore[no-any-return]
        return coordinate

    def _offset(self, axis: int, moving: list[Value]) -> "Value | int":
        return moving[axis] if moving else self.what.offset[axis]

    # ------------------------------------------------------------ level of detail

    def _footprint(self, coordinates: list[Value], rest: list[Value]) -> Value:
        """log2 of the texels that a step to the next pixel covers."""
        b = self.b
        sizes = [b.utof(self._word(at), type=F32) for at in range(self.axes)]
        steps: list[list[Value]] = [[], []]
        if self.what.level is Level.GRADIENT:
            count = self.texture.shape.coordinates
            if self.cube:
                raise UnsupportedError("gradients on a cube cannot be run yet")
            steps = [rest[:count], rest[count : 2 * count]]
        else:
            for coordinate in coordinates:
                for axis in (1, 2):
                    partner = b.quad_swap(coordinate, attr=axis)
                    steps[axis - 1].append(b.fsub(partner, coordinate))
        lengths = []
        for step in steps:
            total: Value | None = None
            for part, size in zip(step, sizes, strict=True):
                texels = b.fmul(part, size)
                square = b.fmul(texels, texels)
                total = square if total is None else b.fadd(total, square)
            lengths.append(total)
        return b.fmul(b.log2(b.fmax(*lengths)), 0.5)  # type: ignore[no-any-return]

    def _lod(self, coordinates: list[Value], rest: list[Value]) -> Value:
        """The level of detail before it is clamped."""
        b = self.b
        match self.what.level:
            case Level.ZERO:
                return b.f32(0.0)  # type: ignore[no-any-return]
            case Level.EXPLICIT:
                lod = rest[0]
            case Level.BIAS:
                lod = b.fadd(self._footprint(coordinates, []), rest[0])
            case _:
                lod = self._footprint(coordinates, rest)
        return b.fadd(lod, self.sampler.bias) if self.sampler.bias else lod  # type: ignore[no-any-return]

    def _clamped(self, lod: Value) -> Value:
        b = self.b
        lod = b.fmin(b.fmax(lod, self.sampler.least), self.sampler.most)
        return b.fmin(b.fmax(lod, 0.0), float(self.state.levels - 1))  # type: ignore[no-any-return]

    def _level_of_detail(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        coordinates = self._direction(args)[0] if self.cube else args
        lod = self._footprint(coordinates, [])
        found = {0: self._clamped(lod), 1: lod}
        return {at: found.get(at, self.b.f32(0.0)) for at in wanted}

    # ------------------------------------------------------------ sample

    def _sample(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        b = self.b
        moving: list[Value] = []
        if self.what.moving:
            moving = args[-self.axes :]
            args = args[: -self.axes]
        coordinates, layer, rest = self._split(args)
        reference: Value | None = None
        if self.what.compare:
            reference, rest = rest[0], rest[1:]
        state = self.sampler
        one_filter = state.magnify is state.minify
        if self.state.levels == 1 and one_filter:
            zero = constant(0, I32)
            return self._filtered(
                state.magnify, coordinates, layer, zero, reference, moving, wanted
            )
        lod = self._lod(coordinates, rest)
        small = b.fle(lod, 0.0)
        lod = self._clamped(lod)
        if state.between is Filter.POINT or self.state.levels == 1:
            level = b.ftoi(b.ffloor(b.fadd(lod, 0.5)), type=I32)
            pairs = [(level, None)]
        else:
            first = b.ffloor(lod)
            level = b.ftoi(first, type=I32)
            next_level = b.imin(b.iadd(level, 1), self.state.levels - 1)
            pairs = [(level, None), (next_level, b.fsub(lod, first))]
        found: dict[int, Value] = {}
        for level, weight in pairs:
            here = self._filtered(
                state.minify, coordinates, layer, level, reference, moving, wanted
            )
            if not one_filter:
                large = self._filtered(
                    state.magnify, coordinates, layer, level, reference, moving, wanted
                )
                here = {at: b.select(small, large[at], here[at]) for at in wanted}
            if weight is None:
                found = here
            else:
                found = {at: self._mix(found[at], here[at], weight) for at in wanted}
        return found

    def _mix(self, a: Value, c: Value, weight: Value) -> Value:
        b = self.b
        return b.fadd(a, b.fmul(b.fsub(c, a), weight))  # type: ignore[no-any-return]

    def _compared(self, reference: Value, texel: Value) -> Value:
        b = self.b
        one, zero = b.f32(1.0), b.f32(0.0)
        name = self.sampler.comparison
        if name in ("never", "always"):
            return one if name == "always" else zero  # type: ignore[no-any-return]
        operation, swapped = COMPARISONS[name]
        pair = (texel, reference) if swapped else (reference, texel)
        return b.select(b.make(operation, *pair), one, zero)  # type: ignore[no-any-return]

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
        """One level."""
        b = self.b
        sizes = self._sizes(level)
        linear = filter is Filter.LINEAR and self.kind == F32
        columns: list[list[tuple[Value, Value | None]]] = []
        weights: list[Value] = []
        for axis, coordinate in enumerate(coordinates):
            size = sizes[axis]
            place = b.fmul(self._near(axis, coordinate), b.utof(size, type=F32))
            if linear:
                place = b.fsub(place, 0.5)
            first = b.ffloor(place)
            weights.append(b.fsub(place, first))
            number = b.ftoi(first, type=I32)
            offset = self._offset(axis, moving)
            if not isinstance(offset, int) or offset:
                number = b.iadd(number, offset)
            both = [number, b.iadd(number, 1)] if linear else [number]
            columns.append([self._address(axis, each, size) for each in both])
        components = [0] if reference is not None else wanted
        corners = self._corners(columns, sizes, layer, level, reference, components)
        found = self._folded(corners, weights, components) if linear else corners[0]
        return {at: found[0 if reference is not None else at] for at in wanted}

    def _corners(
        self,
        columns: list[list[tuple[Value, Value | None]]],
        sizes: list[Value],
        layer: Value | None,
        level: Value,
        reference: Value | None,
        components: list[int],
    ) -> list[dict[int, Value]]:
        """The texels around a place; the first coordinate changes fastest."""
        b = self.b
        chosen: list[list[tuple[Value, Value | None]]] = [[]]
        for column in columns:
            chosen = [[*so_far, each] for each in column for so_far in chosen]
        found = []
        for corner in chosen:
            element = self._element(level, sizes, [place for place, _ in corner], layer)
            inside = [each for _, each in corner if each is not None]
            texel = {}
            for at in components:
                value = self._load(element, at)
                for each in inside:
                    value = b.select(each, value, self._border(at))
                texel[at] = value if reference is None else self._compared(reference, value)
            found.append(texel)
        return found

    def _border(self, component: int) -> Value:
        number = self.sampler.border[component]
        return self.b.number(number, self.kind)  # type: ignore[no-any-return]

    def _folded(
        self, corners: list[dict[int, Value]], weights: list[Value], components: list[int]
    ) -> dict[int, Value]:
        """Texels weighted, one coordinate after the other."""
        for weight in weights:
            corners = [
                {at: self._mix(one[at], other[at], weight) for at in components}
                for one, other in zip(corners[::2], corners[1::2], strict=True)
            ]
        return corners[0]

    # ------------------------------------------------------------ gather, fetch, size

    def _gather(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """x: left below, y: right below, z: right above, w: left above."""
        b = self.b
        moving: list[Value] = []
        if self.what.moving:
            moving = args[-self.axes :]
            args = args[: -self.axes]
        coordinates, layer, rest = self._split(args)
        reference = rest[0] if self.what.compare else None
        level = constant(0, I32)
        sizes = self._sizes(level)
        columns = []
        for axis, coordinate in enumerate(coordinates):
            size = sizes[axis]
            place = b.fmul(self._near(axis, coordinate), b.utof(size, type=F32))
            number = b.ftoi(b.ffloor(b.fsub(place, 0.5)), type=I32)
            offset = self._offset(axis, moving)
            if not isinstance(offset, int) or offset:
                number = b.iadd(number, offset)
            columns.append(
                [self._address(axis, each, size) for each in (number, b.iadd(number, 1))]
            )
        component = self.what.component
        corners = self._corners(columns, sizes, layer, level, reference, [component])
        order = (2, 3, 1, 0)
        return {at: corners[order[at]][component] for at in wanted}

    def _fetch(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        b = self.b
        count = self.texture.shape.coordinates
        places, rest = list(args[:count]), list(args[count:])
        layer = rest.pop(0) if self.texture.layered else None
        level, sample = constant(0, I32), None
        if self.what.level is Level.EXPLICIT:
            level = rest.pop(0)
        elif rest:
            sample = rest.pop(0)
        sizes = self._sizes(level)
        inside = b.ult(level, self.state.levels)
        for axis in range(count):
            if self.what.offset[axis]:
                places[axis] = b.iadd(places[axis], self.what.offset[axis])
            inside = b.make("and", inside, b.ult(places[axis], sizes[axis]))
        if layer is not None:
            inside = b.make("and", inside, b.ult(layer, self._word(2)))
        element = self._element(level, sizes, places, layer)
        if sample is not None:
            inside = b.make("and", inside, b.ult(sample, self.state.samples))
            element = b.iadd(element, sample)
        element = b.select(inside, element, constant(0xFFFF_FFFF, I32))
        return {at: self._load(element, at) for at in wanted}

    def _size(self, level: Value, wanted: list[int]) -> dict[int, Value]:
        b = self.b
        exists = b.ult(level, self.state.levels)
        sizes = [b.select(exists, each, 0) for each in self._sizes(level)]
        if self.texture.layered:
            layers = self._word(2)
            sizes.append(b.udiv(layers, 6) if self.cube else layers)
        found = {at: sizes[at] if at < len(sizes) else constant(0, I32) for at in range(3)}
        found[3] = constant(self.state.levels, I32)
        return {at: found[at] for at in wanted}
