"""Draws in machine code: whether a draw is one that the functions of this folder cover, and it.

    chunk of triangles ── coverage and depth test, if it comes first ── quads
                       ── attributes ── pixel shader ── depth test, if it comes last ── merging

Chunks and batches are those of `pixel_coverage` and `draw`, so that the same lanes run: batches
decide which fragments of a pixel are hidden before they do. shading.py has what follows the quads.
"""

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dataclass import dataclass, field
from ....errors import UnsupportedError
from ....ir.kernel import KernelIR, Value
from ....ir.memory import Port
from ....ir.ops import OPS
from ....model import SystemValue
from ....vm.launch import Array, dtype
from ....vm.prepare import COVERED
from ....vocab.words import Interpolation
from ...stages.vertices import FRONT
from ..inputs import DEFAULTS, SCREEN, Link
from ..pixel_coverage import Chunks
from ..spare import spare
from ..states.words import ConservativeMode
from ..stencil import MOST
from ..targets import DEPTHS
from ..vertices import columns
from .formats import targets_of
from .setup import chunks_around
from .uncovered import Uncovered

if TYPE_CHECKING:
    from ....vm.jit.written import WrittenFunction
    from ..fragments import Fragments
    from ..screen_triangles import ScreenTriangles
    from .attributes import Source
    from .depth_test import StencilTest

WORD = 4  # bytes of inputs and outputs
LEAST = 1 << 12  # quads around triangles: fewer are not worth the time of making code
REACH = 1 << 23  # steps that corners may be away: distances are at most 2^49 (quotients.py)
MOST_NOTES = 1 << 29  # lanes, after which notes begin anew: a chunk has at most 2^30
OTHERS = (SystemValue.COVERAGE, SystemValue.STENCIL_REF)  # outputs that are left to arrays
Progress = Callable[[int, int], None] | None


@dataclass(slots=True)
class _Inputs:
    """The inputs of a pixel shader: how each is made, from which array."""

    sources: list["Source"] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    kinds: dict[Hashable, np.dtype[Any]] = field(default_factory=dict)

    def add(self, port: Port, source: "Source", array: Array) -> None:
        """Add an input."""
        if port.key not in self.kinds:
            self.sources.append(source)
            self.arrays.append(array)
            self.kinds[port.key] = dtype(port.type)


class CompiledDraw:
    """A draw in machine code; `of` says whether it can be one."""

    def __init__(self, run: "Fragments", chunks: Chunks, batch: int) -> None:
        self.run = run
        self.batch = batch
        self.early = run.early
        triangles, merger = run.triangles, run.merger
        self.in_turn = merger.in_turn
        self.inputs = _inputs(run)
        self.code = None if run.pixel is None else run.pixel.code(run.arguments)
        merged = targets_of(merger, self.code)
        self.outputs, self.written = merged.outputs, merged.written
        self.always_written = frozenset() if self.code is None else _always_written(self.code)
        state, depth = merger.state, merger.targets.depth.array
        layers, height, width, _ = merger.targets.places

        from ....vm.jit.written import GivenWords
        from .attributes import attributes, corner_values, shared
        from .coverage import coverage
        from .depth_test import DepthTest, depth_test
        from .merging import merging
        from .quads import QUAD, RECORD, Area

        area = Area(even=not (width % 2 or height % 2), layered=layers > 1)
        test = None
        own = self._own_depth()
        stencil = self._stencil()
        if state.depth_function is not None or not self.in_turn or state.tests_samples:
            test = DepthTest(
                state.depth_function, state.depth_writes, depth.dtype.str[1:], not self.in_turn,
                stencil, state.depth_bounds, own is not None, area,
            )  # fmt: skip
        self._record = RECORD
        self._cover = coverage(test if self.early else None, triangles.paired)
        sources = tuple(self.inputs.sources)
        self._shared = shared(sources)
        self._corners: WrittenFunction | None = None
        if any(self._shared):
            self._corners = corner_values(sources, whole=triangles.turned is not None)
        self.make = attributes(sources)
        self.merge = merging(tuple(merged.targets), len(merged.written), area)
        self.test: WrittenFunction | None = None
        if test is not None and not self.early:
            self.test = depth_test(test)
        self.own_depth = own
        self.counts = np.zeros(2, np.int64)
        self.chunks = chunks
        # What the functions read and write, by the names of their words.
        given: dict[str, Array | int] = {
            name: np.ascontiguousarray(array)
            for name, array in (
                ("corners", triangles.corners), ("limits", _one_or_all(triangles.limits)),
                ("first", self.chunks.first), ("across", self.chunks.across),
                ("z", triangles.z), ("depths", _sorted(_one_or_all(triangles.depths))),
                ("layers", _one_or_all(triangles.layer)), ("inverse", triangles.inverse),
                ("vertices", triangles.vertices), ("numbers", triangles.number),
                *_shares(triangles),
            )
        }  # fmt: skip
        given |= {
            "each_limits": _step(triangles.limits), "each_depths": _step(triangles.depths),
            "each_layers": _step(triangles.layer), "plane": height * width, "width": width,
            "height": height, "found": self.counts, "depth": depth,
            "primitives": merger.targets.primitive,
        }  # fmt: skip
        if stencil is not None and merger.stencil is not None:
            given["front"] = np.ascontiguousarray(triangles.is_front)
            given["stencil"] = merger.stencil.array
        self._notes: Array | None = None
        if test is not None and test.last and self.early:
            across, down = (-(-each // 2) for each in (width, height))
            self._notes = spare((layers, down, across, QUAD), np.int32)
            self._notes[:] = 0
            given |= {
                "notes": self._notes, "notes_width": across, "notes_plane": across * down,
                "base": 0, "batch": batch,
            }  # fmt: skip
        given |= merged.tables
        for word, arrays in (("of", self.inputs.arrays), ("target", merged.arrays)):
            given |= {f"{word}{at}": array for at, array in enumerate(arrays)}
        self.given = GivenWords(given)

    @classmethod
    def of(cls, run: "Fragments", engine: Any, batch: int) -> "CompiledDraw | None":
        """Return the draw in machine code; None if the functions do not cover it."""
        if engine is None or engine.name != "jit" or not _is_usual(run):
            return None
        triangles = run.triangles
        chunks = chunks_around(triangles.corners, triangles.limits, paired=triangles.paired)
        if chunks.counts.sum() < LEAST:
            return None
        with suppress(UnsupportedError, Uncovered):
            return cls(run, chunks, batch)
        return None

    def draw(self, progress: Progress) -> None:
        """Draw all triangles, one chunk after another."""
        given, total = self.given, len(self.run.triangles.corners)
        from .shading import ShadedQuads

        shading = ShadedQuads(self)
        room = records = -1
        with shading:
            for start, stop, most in self.chunks:
                if most > room:
                    room = most
                    given.update({
                        name: spare((room + 1,), np.int32) for name in ("triangles", "x", "y")
                    })  # fmt: skip
                    given.update({"shown": spare((room + 1,), np.uint8)})
                if stop - start > records:
                    records = stop - start
                    mixed, flat = (max(1, records * each) for each in self._shared)
                    given.update({
                        "records": spare((records * self._record,), float),
                        "mixed": spare((mixed,), float), "flat": spare((flat,), np.int32),
                    })  # fmt: skip
                given.update({"start": start, "stop": stop})
                self._cover.run(given)
                if self._corners is not None:
                    self._corners.run(given)
                count, last = self.counts.tolist()
                shading.draw(count)
                self._noted(count)
                if progress is not None and last >= 0:
                    progress(last + 1, total)

    @property
    def is_tested_at_once(self) -> bool:
        """True if a batch is tested as a whole, after it is shaded."""
        return not (self.early or self.in_turn)

    def _noted(self, count: int) -> None:
        """Let the notes of the next chunk begin after those of so many quads."""
        if self._notes is not None:
            base = self.given.numbers["base"] + 4 * count
            if base > MOST_NOTES:
                self._notes[:] = base = 0
            self.given.update({"base": base})

    def _own_depth(self) -> Hashable:
        """Return the key of the output that is the depth; None if the shader outputs none."""
        pixel = self.run.pixel
        rows = [] if pixel is None else [*map(pixel.program.outputs.by_meaning, DEPTHS)]
        for row in rows:
            if row is not None:
                port = row.ports[0]
                if port is None or row.dtype.str != "<f4" or dtype(port.type).itemsize != WORD:
                    raise Uncovered
                return port.key
        return None

    def _stencil(self) -> "StencilTest | None":
        """Return the stencil test, if there is one."""
        from .depth_test import FaceTest, StencilTest

        merger = self.run.merger
        faces, target = merger.state.faces, merger.stencil
        if faces is None or target is None:
            return None
        packed = target.array is merger.targets.depth.array
        if not (packed or (target.array.itemsize == 1 and target.array.flags.c_contiguous)):
            raise Uncovered
        front, back = (
            FaceTest(
                each.func, each.fail_op, each.depth_fail_op, each.pass_op,
                MOST if each.read_mask is None else each.read_mask,
                MOST if each.write_mask is None else each.write_mask, each.ref or 0,
            )
            for each in faces
        )  # fmt: skip
        return StencilTest((front, back), packed)


def _always_written(code: KernelIR) -> frozenset[Hashable]:
    """Return the outputs that every lane that shows writes."""
    if any(each.op is OPS.return_ for each in code.values()):
        return frozenset()
    return frozenset(
        each.attr.key for each in code.body if isinstance(each, Value) and each.op is OPS.output
    ) - {COVERED}


def _shares(triangles: "ScreenTriangles") -> list[tuple[str, Array]]:
    """Return the arrays by which attributes at corners are made from those of vertices."""
    if triangles.turned is not None:
        return [("turned", triangles.turned)]
    return [("shares", triangles.shares), ("screen_shares", triangles.screen_shares)]


def _step(array: Array) -> int:
    """Return 1 if triangles have rows of their own in an array, 0 if they share one."""
    return int(array.strides[0] != 0)


def _one_or_all(array: Array) -> Array:
    """Return an array without the repetitions of a row that all triangles share."""
    return array if _step(array) else array[:1]


def _sorted(depths: Array) -> Array:
    """Return pairs of depths, the lower first."""
    one, two = depths[:, 0], depths[:, 1]
    return np.stack([np.minimum(one, two), np.maximum(one, two)], axis=1)


def _is_usual(run: "Fragments") -> bool:
    """Return whether a draw has one sample, and inputs and outputs that are covered."""
    triangles, merger, pixel = run.triangles, run.merger, run.pixel
    state, merging = triangles.state, merger.state
    depth = merger.targets.depth.array
    numbers = triangles.z, _one_or_all(triangles.depths), triangles.inverse
    return (
        state.samples == 1
        and bool(state.mask & 1)
        and not (state.keeps_all or state.keeps_flat)
        and triangles.conservative == ConservativeMode.OFF
        and not any(
            each.shape[1] for each in (triangles.distances, triangles.stipple, triangles.smooth)
        )
        and run.watch is None
        and not (run.forced or run.in_turn or run.per_sample or run.places)
        and not merging.blend.alpha_to_coverage_enable
        and depth.dtype.str in ("<f4", "<u2", "<u4")
        and depth.flags.c_contiguous
        and depth.flags.aligned
        and (pixel is None or pixel.watch is None)
        and not (
            pixel is not None and any(pixel.program.outputs.by_meaning(each) for each in OTHERS)
        )
        # Zeros without a sign, and distances and sums without NaN and infinity.
        and triangles.corners.min(initial=0) >= -REACH
        and triangles.corners.max(initial=0) <= REACH
        and all(_is_finite(each) for each in numbers)
        and not any(bool(np.signbit(each[each == 0]).any()) for each in numbers[:2])
        and triangles.inverse.min(initial=1) > 0
    )


def _is_finite(numbers: Array) -> bool:
    """Return whether all numbers are finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = numbers.sum()  # takes less time than to look at each
    return bool(np.isfinite(total)) or bool(np.isfinite(numbers).all())


def _inputs(run: "Fragments") -> _Inputs:
    """Return how the inputs of the pixel shader are made."""
    found = _Inputs()
    for each in run.linked:
        for at, port in enumerate(each.row.ports):
            if port is not None:
                if np.dtype(dtype(port.type)).itemsize != WORD or port.type.name == "bool":
                    raise Uncovered
                found.add(port, *_source(run, each, at))
    if run.pixel is not None:
        code = run.pixel.code(run.arguments)
        if any(port.key not in found.kinds for port in code.inputs):
            raise Uncovered
    return found


def _source(run: "Fragments", link: Link, at: int) -> tuple["Source", Array]:
    """Return how a component of an input is made, and from which array."""
    from .attributes import FlatInput, MixedInput, OwnInput

    row, triangles = link.row, run.triangles
    if row.dtype.itemsize != WORD:
        raise Uncovered
    if link.source is None or link.of is None:
        if row.meaning is SystemValue.POSITION and row.dtype.kind == "f":
            return OwnInput(row.components[at]), triangles.z
        return FlatInput(1, 0, -1), _of_triangles(run, link)
    array = np.ascontiguousarray(link.of.arrays[link.source.key])
    column = columns(row, link.source)[at]
    if array.dtype.itemsize != WORD:
        raise Uncovered
    if not 0 <= column < array.shape[1]:
        return FlatInput(0, 0, -1), np.zeros(1, "<u4")
    if link.of is triangles.scene.attributes:
        own = np.ascontiguousarray(array[triangles.number, column])
        return FlatInput(1, 0, -1), own
    if row.interpolation is Interpolation.CONSTANT or row.dtype.kind in "iu":
        corner = triangles.scene.provoking if row.vertex is None else row.vertex
        return FlatInput(array.shape[1], column, corner), array
    if array.dtype.kind != "f" or row.dtype.kind != "f" or not np.isfinite(array).all():
        raise Uncovered
    return MixedInput(array.shape[1], column, row.interpolation in SCREEN), array


def _of_triangles(run: "Fragments", link: Link) -> Array:
    """Return the bits of an input that is the same over each triangle."""
    row, triangles = link.row, run.triangles
    if row.meaning == SystemValue.IS_FRONT_FACE:
        return np.where(triangles.is_front, FRONT, 0).astype("<u4")
    if row.meaning == SystemValue.PRIMITIVE_ID:
        return triangles.scene.number[triangles.number].astype("<u4")
    if row.meaning is None:
        return np.full(len(triangles.number), link.number, row.dtype).view("<u4")
    if row.meaning not in DEFAULTS:
        raise Uncovered
    return np.zeros(len(triangles.number), "<u4")
