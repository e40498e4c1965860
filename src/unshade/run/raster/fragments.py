"""Fragments: quads of pixels through the pixel shader and the output merger, into targets.

    quads ── early tests ── pixel shader ── coverage, depth of its own ── tests ── targets

The tests of depth and stencil are early where a hidden pixel has no effect: the shader outputs
colours and nothing else, and alpha is no coverage; and where the shader requests early tests. In
that case hidden pixels do not run, the depth of the others is written before they do, whether they
are discarded or not, and depths that the shader outputs are ignored.

Sources: Direct3D 11.3 functional specification, section 22.8 (earlydepthstencil); Vulkan
specification, early fragment tests, and Depth Clamping and Range Adjustment.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ...ir.kernel import KernelIR
from ...ir.memory import Port, Space
from ...model import SystemValue
from ...vm.launch import Array
from ...vm.prepare import COVERED
from ..binding.arguments import Arguments
from ..binding.results import Results
from ..execution import Execution
from ..lanes import PixelLanes
from ..signature import KernelSignature, array_of
from ..stages.grid import runs_per_sample
from ..stages.places import is_of_place
from ..stages.vertices import run_lanes
from .blame import blamed
from .clip import doubles
from .coverage_of_alpha import coverage_of_alpha, factor_alpha
from .history import PixelWatch, Rejection, bits_of
from .inputs import Interpolated, Link, link
from .merger import Merger
from .pixel_coverage import Quads
from .screen_triangles import ScreenTriangles
from .statistics import PipelineStatistics
from .targets import DEPTHS, MASKS

# The reasons of the tests where they precede the pixel shader.
EARLY = {
    Rejection.DEPTH_BOUNDS: Rejection.EARLY_DEPTH_BOUNDS,
    Rejection.STENCIL: Rejection.EARLY_STENCIL,
    Rejection.DEPTH: Rejection.EARLY_DEPTH,
}


class Fragments:
    """The fragments of a draw: the inputs of a batch of quads, and the targets."""

    def __init__(
        self,
        pixel: Execution | None,
        triangles: ScreenTriangles,
        merger: Merger,
        bindings: Mapping[Any, Any] | None,
        watch: PixelWatch | None = None,
        statistics: PipelineStatistics | None = None,
    ) -> None:
        self.pixel = pixel
        self.statistics = statistics
        self.watch = watch
        self.triangles = triangles
        self.merger = merger
        self.targets = merger.targets
        self.samples = triangles.state.samples
        self.linked: list[Link] = []
        self.early = True
        self.forced = False
        self.in_turn = False
        self.per_sample = False
        self.places: list[Port] = []
        if pixel is None:
            return
        with blamed(pixel):
            self.arguments = Arguments(pixel.program.bindings, bindings or {})
            unwritten = pixel.program.lowered.unwritten
            self.linked = link(triangles.scene, pixel.program.inputs, unwritten)
            pixel.begin()
            code = pixel.code(self.arguments)
            writes = any(each.writable and each.space is Space.BUFFER for each in code.memories)
            simple = not writes and _is_simple(pixel.program.outputs, code)
            simple = simple and not merger.state.blend.alpha_to_coverage_enable
            self.forced = pixel.program.lowered.early_tests and not simple
            self.early = simple or self.forced
            self.in_turn = writes or self.forced
            self.per_sample = runs_per_sample(pixel)
            self.places = [each for each in code.inputs if is_of_place(each)]

    def batch(self, quad: Quads) -> None:
        """Draw some quads, in order where they overlap if the order is observable.

        Order matters if the shader writes memory, or if it runs after early tests and discards
        pixels.
        """
        for part in self._turns(quad):
            if self.watch is None:
                self._batch(part)
            else:
                self._watched(self.watch, part)

    def _watched(self, watch: PixelWatch, quad: Quads) -> None:
        """Draw quads: one by one at a pixel with a history, otherwise together."""
        here = watch.at(quad, self.triangles.layer[quad.triangle])
        mine = np.asarray(here.any(axis=-1))
        self._batch(quad.some(~mine))
        for at in np.flatnonzero(mine):
            one = quad.some(slice(at, at + 1))
            lane = int(here[at].argmax())
            covered = one.covered[0, lane].copy()
            if not covered.any():
                self._batch(one)
                continue
            number = int(one.triangle[0])
            watch.record(
                int(self.triangles.number[number]), bool(self.triangles.is_front[number]),
                covered, self._depths(one)[0, lane], partial(self._batch, one),
            )  # fmt: skip

    def _turns(self, quad: Quads) -> Iterator[Quads]:
        """Yield quads that are drawn together."""
        if not self.in_turn or not len(quad.triangle):
            yield quad
            return
        layer = self.triangles.layer[quad.triangle]
        _, height, width, _ = self.targets.places
        place = (layer * height + quad.y[:, 0]) * width + quad.x[:, 0]
        order = np.argsort(place, kind="stable")
        again = np.concatenate([[False], place[order][1:] == place[order][:-1]])
        number = np.arange(len(order))
        first = np.maximum.accumulate(np.where(again, 0, number))
        turn = np.empty(len(order), np.int64)
        turn[order] = number - first
        for each in range(int(turn.max()) + 1):
            yield quad.some(turn == each)

    def _batch(self, quad: Quads) -> None:
        """Draw quads, at most one of each place if they are drawn in turn."""
        bits = self.triangles.state.sample_bits
        self._lost(Rejection.SAMPLE_MASK, quad, quad.covered, quad.covered & bits)
        quad.covered &= bits
        z = self._depths(quad)
        shown = quad.covered
        if self.early:
            shown = self._passing(quad, z, shown, None, early=True)
        if self.forced and self.merger.state.depth_writes and not self.merger.in_turn:
            place = tuple(each[shown] for each in self._places(quad))
            self.targets.depth.write(place, z[shown])
        if self.pixel is None:
            self._store(quad, z, shown, {}, -1)
        elif self.per_sample:
            for sample in range(self.samples):
                mine = shown & (np.arange(self.samples) == sample)
                self._shade(self.pixel, quad, z, mine, sample)
        else:
            self._shade(self.pixel, quad, z, shown, -1)

    def finished(self) -> Results:
        """Return the results of the draw."""
        results = Results() if self.pixel is None else self.arguments.finish()
        self.targets.returned(results)
        return results

    def _depths(self, quad: Quads) -> Array:
        """Return the depth of each sample in the format of the target, (q, 4, samples)."""
        offsets = self.triangles.state.offsets
        corners = self.triangles.z[quad.triangle]
        # From the first corner on, so that the depth of a triangle that faces the view is exact.
        first, steps = corners[:, :1], corners[:, 1:] - corners[:, :1]
        found = []
        for each in offsets:
            weights = quad.weights(each if each.any() else None)
            moved = weights[..., 1] * steps[:, np.newaxis, 0] + 0.0
            found.append(first + (moved + weights[..., 2] * steps[:, np.newaxis, 1]))
        return self._clamped(quad, np.stack(found, axis=-1))

    def _clamped(self, quad: Quads, z: Array) -> Array:
        """Return depths in the range that they are clamped to, in the format of the target."""
        low, high = np.moveaxis(np.sort(self.triangles.depths[quad.triangle]), -1, 0)
        found = np.clip(z, low[:, np.newaxis, np.newaxis], high[:, np.newaxis, np.newaxis])
        return self.targets.depth.encoded(found)

    def _places(self, quad: Quads) -> tuple[Array, ...]:
        """Return layer, row, column and sample of each sample, (q, 4, samples) each."""
        shape = quad.covered.shape
        layer = self.triangles.layer[quad.triangle]
        _, height, width, samples = self.targets.places
        return tuple(
            np.broadcast_to(each, shape)
            for each in (
                layer[:, np.newaxis, np.newaxis],
                np.minimum(quad.y, height - 1)[..., np.newaxis],
                np.minimum(quad.x, width - 1)[..., np.newaxis],
                np.arange(samples),
            )
        )

    def _passing(
        self, quad: Quads, z: Array, shown: Array, references: Array | None, *, early: bool
    ) -> Array:
        """Return which of the samples remain after the tests of depth and stencil.

        `references` are the stencil references of the shader, (q, 4, 1); None without one.
        """
        is_front = self.triangles.is_front[quad.triangle][:, np.newaxis, np.newaxis]
        front = np.broadcast_to(is_front, shown.shape)
        if references is not None:
            references = np.broadcast_to(references, shown.shape)
        found, lost = self.merger.test(self._places(quad), z, shown, front, references)
        left = shown
        for reason, some in lost.items():
            self._lost(EARLY[reason] if early else reason, quad, left, left & ~some)
            left = left & ~some
        return found

    def _shade(self, pixel: Execution, quad: Quads, z: Array, shown: Array, sample: int) -> None:
        """Run the pixel shader over quads with visible samples, and store the results."""
        some = np.asarray(shown.any(axis=(1, 2)))
        if not some.any():
            return
        if not some.all():
            quad, z, shown = quad.some(some), z[some], shown[some]
        ran = shown
        found = Interpolated(self.triangles, quad, sample)
        arrays = {each.row.key: found.attribute(each) for each in self.linked}
        numbers = np.repeat(self.triangles.number[quad.triangle], 4)
        lanes = PixelLanes(quad.x.reshape(-1), quad.y.reshape(-1), numbers)
        helpers = ~shown.any(axis=-1).reshape(-1)
        places = found.own_ports(self.places, self.linked)
        with blamed(pixel):
            outputs = run_lanes(
                pixel, self.arguments, arrays, lanes,
                helpers if helpers.any() else None, places,
            )  # fmt: skip
        if COVERED in outputs:
            alive = outputs[COVERED].astype(np.bool_).reshape(-1, 4, 1)
            self._lost(Rejection.DISCARD, quad, shown, shown & alive)
            shown = shown & alive
        count = len(helpers)
        if self.statistics is not None:
            self.statistics.add(ps_invocations=int(np.count_nonzero(~helpers)))
        rows = pixel.program.outputs
        mask = rows.by_meaning(SystemValue.COVERAGE)
        if mask is not None:
            bits = array_of(mask, outputs, count)[:, 0].reshape(-1, 4, 1).view("<u4")
            named = (bits >> np.arange(self.samples, dtype="<u4") & 1).astype(np.bool_)
            self._lost(Rejection.COVERAGE, quad, shown, shown & named)
            shown = shown & named
        values = {row.key: array_of(row, outputs, count) for row in rows}
        if self.triangles.smooth.shape[1]:
            factor_alpha(rows, values, self.triangles.line_coverage(quad).reshape(-1))
        # In Direct3D a mask that the shader outputs takes the place of alpha to coverage.
        merging = self.merger.state
        if (mask is None or merging.vulkan) and merging.blend.alpha_to_coverage_enable:
            of_alpha = coverage_of_alpha(rows, values, self.samples)
            if of_alpha is not None:
                left = shown & of_alpha.reshape(shown.shape)
                self._lost(Rejection.ALPHA_TO_COVERAGE, quad, shown, left)
                shown = left
        for meaning in DEPTHS if not self.forced else ():
            row = rows.by_meaning(meaning)
            if row is not None:
                own = doubles(values[row.key][:, 0]).reshape(-1, 4, 1)
                own = np.broadcast_to(own, shown.shape)
                z = self._clamped(quad, own)
        if self.watch is not None:
            self._shaded(self.watch, quad, z, ran, values, sample)
        if not self.early:
            row = rows.by_meaning(SystemValue.STENCIL_REF)
            references = None if row is None else values[row.key][:, 0].reshape(-1, 4, 1)
            shown = self._passing(quad, z, shown, references, early=False)
        self._store(quad, z, shown, values, sample)

    def _store(
        self, quad: Quads, z: Array, shown: Array, values: Mapping[Any, Array], sample: int
    ) -> None:
        """Write the visible samples to the targets."""
        if self.watch is not None and self.watch.now is not None:
            self.watch.now.written |= bits_of(shown[self._lane(self.watch, quad)])
        if self.statistics is not None:
            self.statistics.add(samples_passed=int(np.count_nonzero(shown)))
        place = tuple(each[shown] for each in self._places(quad))
        lanes = np.broadcast_to(np.arange(shown.shape[0] * 4).reshape(-1, 4, 1), shown.shape)[shown]
        if self.merger.state.depth_writes and not self.merger.in_turn:
            self.targets.depth.write(place, z[shown])
        self.targets.primitive[place] = self.triangles.number[quad.triangle][lanes // 4]
        self.merger.write(place, {key: array[lanes] for key, array in values.items()})

    # ------------------------------------------------------------ the history of a pixel

    def _lane(self, watch: PixelWatch, quad: Quads) -> tuple[int, int]:
        """Return the quad and the lane of the pixel whose history is recorded."""
        at, lane = np.argwhere(watch.at(quad, self.triangles.layer[quad.triangle]))[0]
        return int(at), int(lane)

    def _lost(self, reason: Rejection, quad: Quads, before: Array, after: Array) -> None:
        """Record the samples that a test rejects."""
        if self.watch is None or self.watch.now is None:
            return
        place = self._lane(self.watch, quad)
        bits = bits_of(before[place] & ~after[place])
        if bits:
            known = self.watch.now.rejected
            known[reason] = known.get(reason, 0) | bits

    def _shaded(
        self,
        watch: PixelWatch,
        quad: Quads,
        z: Array,
        ran: Array,
        values: Mapping[Any, Array],
        sample: int,
    ) -> None:
        """Record what the pixel shader outputs; it may have changed the depth."""
        if watch.now is None:
            return
        at, lane = self._lane(watch, quad)
        if not ran[at, lane].any():
            return
        made = watch.now
        made.shaded |= bits_of(ran[at, lane])
        which = slice(None) if sample < 0 else sample
        made.depth[which] = z[at, lane][which]
        for row in self.pixel.program.outputs if self.pixel is not None else ():
            found = values[row.key][4 * at + lane]
            held = made.output.setdefault(
                row.label, np.zeros((1 if sample < 0 else self.samples, len(found)), found.dtype)
            )
            held[max(sample, 0)] = found


def _is_simple(rows: KernelSignature, code: KernelIR) -> bool:
    """Return whether hidden pixels need no shading, since they only output colours."""
    return not (
        any(port.key == COVERED for port in code.outputs)
        or any(rows.by_meaning(each) for each in MASKS)
    )
