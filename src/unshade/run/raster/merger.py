"""The output merger: tests, blending and writes of the samples that are not discarded.

    depth bounds ── stencil test ── depth test ── stencil, depth ── blending ── mask ── targets

Where only the last of several fragments of a sample shows (no blending, no stencil), a batch of
fragments is reduced to it at once. Otherwise the fragments of a sample take turns, in the order of
their primitives.

Sources: Direct3D 11.3 functional specification, chapter 17 (output merger), and the specification
of D3D12's depth bounds test; Vulkan specification, Fragment Operations and The Framebuffer.
"""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from ...dataclass import dataclass, field
from ...errors import UsageError
from ...vm.launch import Array
from ..signature import Key, SignatureRow
from .advanced_blending import advanced
from .blending import Colours, blended, clamped, combined
from .depth import compare, passing
from .history import Rejection
from .states.blend import Blend, BlendState
from .states.depth_stencil import DepthStencilState, StencilFace
from .states.words import ADVANCED
from .stencil import StencilTarget, after_tests, stencil_passes
from .target_formats import TargetFormat
from .targets import RenderTargets, is_second

Place = tuple[Array, ...]  # layer, row, column and sample


@dataclass(frozen=True, slots=True)
class MergerState:
    """The state of the output merger of a draw.

    `has_depth`: the draw has a depth target, without which there is no test of depth bounds.
    `vulkan`: the shaders are for Vulkan, whose factors are clamped.
    """

    depth_stencil: DepthStencilState = field(default_factory=DepthStencilState)
    blend: BlendState = field(default_factory=BlendState)
    has_depth: bool = False
    vulkan: bool = False

    @property
    def depth_function(self) -> str | None:
        """The depth function; None for no test."""
        return self.depth_stencil.function

    @property
    def depth_writes(self) -> bool:
        """True if depths are written."""
        return self.depth_stencil.writes

    @property
    def depth_bounds(self) -> tuple[float, float] | None:
        """The depth bounds; None for no test, as without a depth target."""
        return self.depth_stencil.bounds if self.has_depth else None

    @property
    def faces(self) -> tuple[StencilFace, StencilFace] | None:
        """The stencil tests of both faces; None for no test."""
        return self.depth_stencil.faces

    @property
    def tests_samples(self) -> bool:
        """True if stencils or the depths of a target are tested."""
        return self.faces is not None or self.depth_bounds is not None

    @property
    def blends(self) -> bool:
        """True if the new colour of a target depends on its old colour."""
        state = self.blend
        return state.logic is not None or any(each.blends for each in state.each)

    @property
    def tests_in_turn(self) -> bool:
        """True if the tests of a sample depend on fragments that do not show in the end."""
        return self.tests_samples or self.blends


class Merger:
    """The output merger of a draw, and its targets."""

    def __init__(
        self, state: MergerState, targets: RenderTargets, stencil: StencilTarget | None
    ) -> None:
        self.state = state
        self.targets = targets
        self.stencil = stencil
        self.in_turn = state.tests_in_turn
        self._faces = state.faces
        self._constants = np.array(state.blend.blend_factor, np.float32)

    # ------------------------------------------------------------ tests

    def test(
        self, place: Place, z: Array, shown: Array, front: Array, references: Array | None
    ) -> tuple[Array, dict[Rejection, Array]]:
        """Return which samples pass the tests, and by reason which do not.

        All arrays have one shape; depths are in the format of the target. Where samples are tested
        in turn, depths and stencils are written here.
        """
        if self.in_turn:
            return self._test_in_turn(place, z, shown, front, references)
        state, targets = self.state, self.targets
        flat = np.ravel_multi_index(place, targets.places).reshape(-1)
        found = passing(
            state.depth_function, targets.depth.depths, flat, z.reshape(-1), shown.reshape(-1),
            state.depth_writes,
        ).reshape(shown.shape)  # fmt: skip
        return found, {Rejection.DEPTH: shown & ~found}

    def _test_in_turn(
        self, place: Place, z: Array, shown: Array, front: Array, references: Array | None
    ) -> tuple[Array, dict[Rejection, Array]]:
        flat = np.ravel_multi_index(place, self.targets.places)
        which = np.flatnonzero(shown)
        passed = np.zeros(shown.size, np.bool_)
        lost = {
            each: np.zeros(shown.size, np.bool_)
            for each in (Rejection.DEPTH_BOUNDS, Rejection.STENCIL, Rejection.DEPTH)
        }
        places = tuple(each.reshape(-1) for each in place)
        z, front = z.reshape(-1), front.reshape(-1)
        for some in _turns(flat.reshape(-1)[which]):
            at = which[some]
            here = tuple(each[at] for each in places)
            refs = None if references is None else references.reshape(-1)[at]
            inside, of_stencil, of_depth = self._tested(here, z[at], front[at], refs)
            lost[Rejection.DEPTH_BOUNDS][at] = ~inside
            lost[Rejection.STENCIL][at] = inside & ~of_stencil
            lost[Rejection.DEPTH][at] = inside & of_stencil & ~of_depth
            passed[at] = inside & of_stencil & of_depth
        shape = shown.shape
        return passed.reshape(shape), {why: each.reshape(shape) for why, each in lost.items()}

    def _tested(
        self, here: Place, z: Array, front: Array, references: Array | None
    ) -> tuple[Array, Array, Array]:
        """Test samples at different places; return the results of each test."""
        state, depth = self.state, self.targets.depth
        every = np.ones(len(z), np.bool_)
        inside = every
        if state.depth_bounds is not None:
            low, high = state.depth_bounds
            stored = depth.numbers(here)
            inside = (stored >= low) & (stored <= high)
        of_depth = every
        if state.depth_function is not None:
            of_depth = compare(state.depth_function, z, depth.read(here))
        of_stencil = every
        if self._faces is not None and self.stencil is not None:
            faces, old = self._faces, self.stencil.read(here)
            of_stencil = stencil_passes(faces, front, references, old)
            new = after_tests(faces, front, references, old, (of_stencil, of_depth))
            changed = inside & (new != old)
            self.stencil.write(tuple(each[changed] for each in here), new[changed])
        if state.depth_writes:
            seen = inside & of_stencil & of_depth
            depth.write(tuple(each[seen] for each in here), z[seen])
        return inside, of_stencil, of_depth

    # ------------------------------------------------------------ colours

    def write(self, place: Place, values: Mapping[Key, Array]) -> None:
        """Write outputs of the shader, (samples, components) by row, to the places of samples.

        Unless fragments take turns, all places differ.
        """
        targets = self.targets
        for row in targets.rows:
            form = targets.formats.get(row.key)
            blend = self.state.blend.of(row.location or 0)
            plain = not self._blends(blend) and row.key not in targets.named
            if row.location is None or plain:
                targets.store(row, place, values[row.key])
            elif form is None:
                raise targets.unblended(row)
            elif targets.leads(row):
                self._write(row, form, place, values)

    def _blends(self, blend: Blend) -> bool:
        """Return True if the state changes which bits of a colour are written."""
        state = self.state.blend
        special = state.logic is not None or state.alpha_to_one_enable
        return special or blend.blends or len(blend.written) < 4

    def _write(
        self, row: SignatureRow, form: TargetFormat, place: Place, values: Mapping[Key, Array]
    ) -> None:
        """Write the outputs of a target that is blended, masked or of a named format."""
        state = self.state.blend
        blend = state.of(row.location or 0)
        array = self.targets.arrays[row.key]
        colours = self._colours(row, form, values, second=False)
        channels = tuple(each for each in blend.written if each in self.targets.written(row))
        blends = state.logic is None and blend.blends
        if blends and form.is_integer:
            raise UsageError(
                f"{row.label}: expected a target of floats or normalised numbers for blending, got"
                f" {form.pixel.name}"
            )
        dual = blends and blend.is_dual
        second = self._colours(row, form, values, second=True) if dual else colours
        flat = np.ravel_multi_index(place, self.targets.places)
        for some in _turns(flat) if self.in_turn else (slice(None),):
            here = tuple(each[some] for each in place)
            held, new = array[here], colours[some]
            if state.logic is not None and form.has_logic:
                operation = partial(combined, state.logic)
                array[here] = form.combine(new, held, channels, operation)
                continue
            if blends:
                given = Colours(new, second[some], form.decode(held), self._constants)
                new = self._blended(blend, given, form)
            array[here] = form.encode(new, held, channels)

    def _blended(self, blend: Blend, given: Colours, form: TargetFormat) -> Array:
        """Return the colours after blending."""
        if blend.blend_op not in ADVANCED:
            return blended(blend, given, form.limits, clamps_factors=self.state.vulkan)
        state = self.state.blend
        limits = form.limits
        source, destination = (
            each if limits is None else clamped(each, limits)
            for each in (given.source, given.destination)
        )
        premultiplied = state.src_premultiplied, state.dst_premultiplied
        return advanced(blend.blend_op, source, destination, premultiplied, state.blend_overlap)

    def _colours(
        self, row: SignatureRow, form: TargetFormat, values: Mapping[Key, Array], *, second: bool
    ) -> Array:
        """Return the outputs of the shader for a target, (samples, 4), completed by 0, 0, 0, 1.

        Outputs that share a location are the components of one colour.
        """
        count = len(values[row.key])
        kind = "<f4" if not form.is_integer else "<i4" if form.kind == "SINT" else "<u4"
        made = np.zeros((count, 4), kind)
        made[:, 3] = 1
        for each in self.targets.outputs:
            same = each.location == row.location if not second else True
            if each.location is None or not same or is_second(each, self.state.blend) != second:
                continue
            own = values[each.key]
            if own.dtype.kind == "f":
                own = own.astype("<f4", copy=False)
            made[:, each.components] = np.ascontiguousarray(own).view(kind)
        first = row.location == 0 and not second  # of all outputs, the one that Vulkan replaces
        if first and self.state.blend.alpha_to_one_enable and not form.is_integer:
            made[:, 3] = 1.0
        return made


def _turns(place: Array) -> Iterator[Array]:
    """Yield the numbers of the fragments of each turn; `place` is a number for each fragment.

        place   4 4 7 4 7
        turn    0 1 0 2 1

    Fragments of one turn are at different places, so an operation that reads and writes places is
    one array operation for each turn.
    """
    count = len(place)
    if not count:
        return
    order = np.argsort(place, kind="stable")
    number = np.arange(count)
    again = np.concatenate([[False], place[order][1:] == place[order][:-1]])
    if not again.any():
        yield number
        return
    first = np.maximum.accumulate(np.where(again, 0, number))
    turn = np.empty(count, np.int64)
    turn[order] = number - first
    by_turn = np.argsort(turn, kind="stable")
    ends = np.cumsum(np.bincount(turn))
    start = 0
    for end in ends:
        yield by_turn[start:end]
        start = end
