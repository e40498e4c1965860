"""Expansion of texture operations into loads and arithmetic.

    sample %t0 %s0 2d …  ->  addressing, level_of_detail, cubes (faces),
                             footprint (probes), filtering (weighted texels)

The code is specialised for the sampler and the number of levels, which are known when the kernel is
prepared; sizes are read from the shape (texels). Arithmetic is in 32-bit floats throughout. Integer
textures are never filtered.

Source: Direct3D 11.3 functional specification, sections 7.18 (texture sampling) and 22.4.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ...dataclass import replace
from ...errors import UnsupportedError
from ...vocab.slots import MemoryPart
from ..builder import Builder, constant
from ..kernel import KernelIR, Value
from ..memory import Memory, Space
from ..ops import OPS
from ..textures import Action, Level, Sample, TextureDeclaration
from ..transforms.rewrite import rewrite
from ..types import F32, I32
from .cubes import CubeDirection
from .filtering import Filtering, SamplePosition
from .footprint import Footprint
from .level_of_detail import Detail
from .states import (
    COMPARISONS,
    Address,
    Filter,
    Reduction,
    SamplerState,
    TexelFormat,
    TextureState,
)
from .texels import LAYERS, OUTSIDE, SHAPE_WORDS, TEXEL, Texels, zero

__all__ = [
    "COMPARISONS",
    "SHAPE_WORDS",
    "Address",
    "Filter",
    "Reduction",
    "SamplerState",
    "TexelFormat",
    "TextureState",
    "expand",
]  # fmt: skip


def expand(
    kernel: KernelIR,
    textures: Mapping[Any, TextureState],
    samplers: Mapping[Any, SamplerState],
) -> None:
    """Replace every `sample` and `part` by loads and arithmetic, in place."""
    used: dict[Value, set[int]] = {}
    for value in kernel.values():
        if value.op is OPS.part:
            used.setdefault(value.args[0], set()).add(value.attr)
    memories: dict[Hashable, tuple[Memory, Memory]] = {}
    parts: dict[Value, dict[int, Value]] = {}

    def memory(b: Builder, texture: TextureDeclaration) -> tuple[Memory, Memory]:
        found = memories.get(texture.key)
        if found is None:
            slot = texture.slot
            shape = None if slot is None else slot.of(MemoryPart.SHAPE)
            found = memories[texture.key] = (
                b.memory(texture.name, Space.BUFFER, TEXEL, slot=slot),
                b.memory(f"{texture.name}.shape", Space.CONSTANT, 4, slot=shape, internal=True),
            )
        return found

    def rule(b: Builder, value: Value) -> Value | None:
        if value.op is OPS.part:
            return parts[value.args[0]][value.attr]
        if value.op is not OPS.sample:
            return None
        attribute: Sample = value.attr
        state = textures.get(attribute.texture.key, TextureState())
        sampler = SamplerState()
        if attribute.sampler is not None:
            sampler = samplers.get(attribute.sampler.key, sampler)
        texels = Texels(b, attribute.texture, *memory(b, attribute.texture), state)
        one = _One(b, attribute, texels, sampler)
        given = constant(0, I32)  # only its parts are read
        parts[given] = one.give(list(value.args), sorted(used.get(value, ())))
        return given

    if any(value.op in (OPS.sample, OPS.part) for value in kernel.values()):
        rewrite(kernel, rule)
    kernel.textures.clear()


class _One:
    """The expansion of one operation; methods append to the builder."""

    def __init__(self, b: Builder, what: Sample, texels: Texels, sampler: SamplerState) -> None:
        self.b = b
        self.what = what
        self.texels = texels
        self.sampler = sampler
        self.detail = Detail(b, what, texels, sampler)
        self.filtering = Filtering(b, what, texels, sampler)

    def give(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """Append the wanted components of the result."""
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
                raise UnsupportedError(f"texture operation {self.what.action} is not supported")

    # ------------------------------------------------------------ operands

    def _tail(self, args: list[Value], count: int) -> list[Value]:
        """Remove operands from the end of `args`, and return them."""
        found = args[len(args) - count :]
        del args[len(args) - count :]
        return found

    def _split(
        self, args: list[Value]
    ) -> tuple[list[Value], CubeDirection | None, Value | None, list[Value]]:
        """Return coordinates on a layer, the cube direction, the layer and remaining operands."""
        b = self.b
        count = self.texels.coordinates
        coordinates, rest = args[:count], args[count:]
        layer: Value | None = None
        direction: CubeDirection | None = None
        if self.texels.cube:
            direction = CubeDirection(b, *coordinates)
            coordinates, layer = direction.place(), direction.face
        if self.texels.layered:
            given, rest = rest[0], rest[1:]
            last = b.isub(self.texels.layers(), 1)
            chosen = b.imax(b.imin(b.ftoi(b.frint(given), type=I32), last), 0)
            layer = chosen if layer is None else b.iadd(b.imul(chosen, 6), layer)
        return coordinates, direction, layer, rest

    # ------------------------------------------------------------ sample

    def _sample(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        args = list(args)
        least = self._tail(args, 1)[0] if self.what.clamped else None
        moving = self._tail(args, self.texels.axes) if self.what.moving else []
        given = args[: self.texels.coordinates]
        coordinates, direction, layer, rest = self._split(args)
        place = SamplePosition(coordinates, layer, None, moving)
        if self.what.compare:
            place.reference, rest = self.texels.clamped_reference(rest[0]), rest[1:]
        state = self.sampler
        one_filter = state.magnify is state.minify
        if self.texels.state.levels == 1 and one_filter and not self.detail.anisotropic:
            return self.filtering.level(state.magnify, place, zero(), wanted)
        seen = self.detail.unclamped(given, direction, rest)
        lod = self.detail.clamped(seen.lod, least)
        if seen.probes is None:
            return self._at(place, lod, wanted)
        return self._probed(seen, args, place, lod, wanted)

    def _at(self, place: SamplePosition, lod: Value, wanted: list[int]) -> dict[int, Value]:
        """Append a sample at one position, on the levels that the lod selects."""
        b = self.b
        state = self.sampler
        found: dict[int, Value] = {}
        for level, weight in self.detail.levels(lod):
            here = self.filtering.level(state.minify, place, level, wanted)
            if state.magnify is not state.minify:
                large = self.filtering.level(state.magnify, place, level, wanted)
                magnified = b.fle(lod, 0.0)
                here = {at: b.select(magnified, large[at], here[at]) for at in wanted}
            if weight is None:
                found = here
            elif self.texels.kind == F32:
                found = {at: self.filtering.mixed(found[at], here[at], weight) for at in wanted}
        return found

    def _probed(
        self,
        seen: Footprint,
        args: list[Value],
        place: SamplePosition,
        lod: Value,
        wanted: list[int],
    ) -> dict[int, Value]:
        """Append a loop that combines the probes of a footprint."""
        b = self.b
        assert seen.probes is not None
        name = f"probe.{len(b.kernel.variables)}"
        number = b.var(name, internal=True)
        sums = {at: b.var(f"{name}.{at}", F32, internal=True) for at in wanted}
        mean = self.sampler.reduction is Reduction.MEAN
        b.set(number, 0)
        for var in sums.values():
            b.set(var, 0.0)
        several = b.ult(1, seen.probes)
        share = b.fdiv(1.0, b.utof(seen.probes, type=F32))
        with b.loop():
            at_probe = b.get(number)
            with b.when(b.ule(seen.probes, at_probe)):
                b.break_()
            along = b.fmul(b.fadd(b.utof(at_probe, type=F32), 0.5), share)
            along = b.fsub(along, 0.5)
            moved = [
                b.select(several, b.fadd(each, b.fmul(step, along)), each)
                for each, step in zip(args, seen.axis, strict=False)
            ]
            coordinates, _, layer, _ = self._split([*moved, *args[len(moved) :]])
            here = replace(place, coordinates=coordinates, layer=layer)
            found = self._at(here, lod, wanted)
            for at, var in sums.items():
                value = found[at]
                if mean:
                    value = b.fadd(b.get(var), value)
                else:
                    extreme = self.filtering.extreme(b.get(var), value)
                    value = b.select(b.ieq(at_probe, 0), value, extreme)
                b.set(var, value)
            b.set(number, b.iadd(at_probe, 1))
        made = {at: b.get(var) for at, var in sums.items()}
        return {at: b.fmul(made[at], share) for at in wanted} if mean else made

    # ------------------------------------------------------------ gather, fetch, size

    def _gather(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """Append a gather; x: bottom left, y: bottom right, z: top right, w: top left."""
        args = list(args)
        moving = self._tail(args, self.texels.axes) if self.what.moving else []
        coordinates, _, layer, rest = self._split(args)
        reference = self.texels.clamped_reference(rest[0]) if self.what.compare else None
        axes = self.filtering.axes(self.texels.sizes(zero()), moving)
        numbers = [
            axis.first(coordinate, 0.5)[0]
            for axis, coordinate in zip(axes, coordinates, strict=True)
        ]
        component = self.what.component if reference is None else 0
        place = SamplePosition(coordinates, layer, reference, moving)
        corners = self.filtering.around(axes, numbers, place, zero(), [component])
        order = (2, 3, 1, 0)
        return {at: corners[order[at]][component] for at in wanted}

    def _fetch(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        b = self.b
        texels = self.texels
        if texels.cube:
            raise UnsupportedError("a texel of a cube texture cannot be fetched: no API allows it")
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
        offsets: Sequence[Value | int] = moving or self.what.offset
        for axis, offset in enumerate(offsets[:count]):
            if not isinstance(offset, int) or offset:
                places[axis] = b.iadd(places[axis], offset)
            inside = b.and_(inside, b.ult(places[axis], sizes[axis]))
        if layer is not None:
            inside = b.and_(inside, b.ult(layer, texels.word(LAYERS)))
        element = texels.element(level, sizes, places, layer)
        if sample is not None:
            inside = b.and_(inside, b.ult(sample, texels.state.samples))
            element = b.iadd(element, sample)
        element = b.select(inside, element, OUTSIDE)
        found = {at: texels.load(element, at) for at in wanted}
        for at in wanted:
            if at == 3 and texels.state.components < 4:
                found[at] = b.select(inside, found[at], texels.default(at))
        return found

    def _level_of_detail(self, args: list[Value], wanted: list[int]) -> dict[int, Value]:
        """Append the clamped (x) and unclamped (y) level that sample would use."""
        direction = CubeDirection(self.b, *args) if self.texels.cube else None
        lod = self.detail.unclamped(args, direction, []).lod
        clamped = self.detail.existing(self.detail.clamped(lod, None))
        found = {0: clamped, 1: lod}
        return {at: found.get(at, self.b.f32(0.0)) for at in wanted}

    def _size(self, level: Value, wanted: list[int]) -> dict[int, Value]:
        """Append width, height, depth or layers, 0 for missing levels; w: number of levels."""
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
