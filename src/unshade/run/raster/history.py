"""The history of a pixel: the fragments that reach it, in the order of drawing.

    history = PixelHistory(40, 30)
    raster.draw(vertex, pixel, …, targets=[colour], depth=depth, history=history)
    raster.draw(other, pixel, …, targets=[colour], depth=depth, history=history)
    for fragment in history.fragments: …

A fragment is a primitive at the pixel, with its covered samples. Tests take samples away; each
sample that is not written has the reason. A pixel that has a history is drawn fragment by fragment,
so a fragment that another one hides later is recorded as it was at its turn. Primitives that the
rasteriser rejects are found by another pass without its tests (rejected.py).

Source of the kinds of reasons: the structure PixelModification of RenderDoc's replay interface.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...enums import StrEnum
from ...errors import UsageError
from ...notebook import Shown
from ...vm.launch import Array
from ..binding.numbers import shown as described
from .pixel_coverage import Quads
from .stencil import StencilTarget
from .targets import RenderTargets

Values = dict[str, Array]


class Rejection(StrEnum):
    """The test that a sample fails, in the order of the tests."""

    RASTERIZER_DISCARD = "rasterizer discard"
    CULL_PRIMITIVE = "culled by the mesh shader"
    CULL_DISTANCE = "cull distance"
    CLIP_DISTANCE = "clip distance"
    DEPTH_CLIP = "depth clip"
    VIEWPORT = "viewport"
    NO_AREA = "no area"
    FACE = "face culling"
    SCISSOR = "scissor"
    SAMPLE_MASK = "sample mask"
    EARLY_DEPTH_BOUNDS = "early depth bounds test"
    EARLY_STENCIL = "early stencil test"
    EARLY_DEPTH = "early depth test"
    DISCARD = "discard"
    COVERAGE = "coverage output"
    ALPHA_TO_COVERAGE = "alpha to coverage"
    DEPTH_BOUNDS = "depth bounds test"
    STENCIL = "stencil test"
    DEPTH = "depth test"


@dataclass(slots=True)
class Fragment:
    """A fragment at the pixel.

    Bits of `samples`, `shaded`, `written` and `rejected` are samples of the pixel: those that the
    primitive covers, that the pixel shader ran for, that were written, and by reason those that
    were not. `depth` has a number for each sample, in the format of the depth target; `output` has
    rows of components, one for each sample if the shader runs per sample. `before` and `after` are
    the targets by label, (samples, components), and `depth` and `stencil`, (samples,). A target
    with a named format has its colours as the shader would read them.
    """

    draw: int
    primitive: int
    is_front: bool
    samples: int
    depth: Array
    before: Values
    after: Values
    output: Values = field(default_factory=dict)
    rejected: dict[Rejection, int] = field(default_factory=dict)
    shaded: int = 0
    written: int = 0

    @property
    def reason(self) -> Rejection | None:
        """The test that left no sample; None if a sample was written."""
        return None if self.written else [*self.rejected][-1]


class PixelHistory(Shown):
    """The fragments of one pixel, over one or several draws into the same targets.

    Args:
        x: The column of the pixel.
        y: The row, from the top.
        layer: The layer of the targets.
    """

    drawn_in = ".screens.execution"
    drawn_by = "history"

    def __init__(self, x: int, y: int, layer: int = 0) -> None:
        for name, given in (("x", x), ("y", y), ("layer", layer)):
            number: object = given
            if not isinstance(number, int | np.integer) or number < 0:
                raise UsageError(f"{name}: expected 0 or more, got {described(given)}")
        self.x, self.y, self.layer = int(x), int(y), int(layer)
        self.fragments: list[Fragment] = []
        self.draws = 0
        self.titles: dict[int, str] = {}  # of draws that have one

    def __repr__(self) -> str:
        count = len(self.fragments)
        return f"<PixelHistory ({self.x}, {self.y}): {count} fragment{'' if count == 1 else 's'}>"

    @property
    def place(self) -> tuple[int, int, int]:
        """Layer, row and column of the pixel."""
        return self.layer, self.y, self.x

    def document(self) -> dict[str, Any]:
        """Return the history as plain data; NaN and infinities are text."""
        return {
            "pixel": [self.x, self.y],
            "layer": self.layer,
            **({"draws": [self.titles.get(at, "") for at in range(self.draws)]}
               if self.titles else {}),
            "fragments": [_plain(each) for each in self.fragments],
        }  # fmt: skip


class PixelWatch:
    """The records of one draw: `at` finds the pixel in quads, `lost` and `shaded` fill a record."""

    def __init__(
        self, history: PixelHistory, targets: RenderTargets, stencil: StencilTarget | None
    ) -> None:
        places = zip(("layer", "y", "x"), history.place, targets.places[:3], strict=True)
        for name, at, count in places:
            if at >= count:
                raise UsageError(f"history: expected {name} from 0 to {count - 1}, got {at}")
        self.history = history
        self.targets = targets
        self.stencil = stencil
        self.found: list[Fragment] = []
        self.now: Fragment | None = None
        self.samples = targets.places[3]

    def at(self, quad: Quads, layer: Array) -> Array:
        """Return True for the lanes that are the pixel, (q, 4)."""
        x, y = self.history.x, self.history.y
        here: Array = (quad.x == x) & (quad.y == y) & (layer == self.history.layer)[:, np.newaxis]
        return here

    def record(
        self, number: int, is_front: bool, samples: Array, depth: Array, run: Callable[[], None]
    ) -> None:
        """Record a fragment while a function draws it."""
        before = self.held()
        made = Fragment(
            self.history.draws, number, is_front, bits_of(samples), depth, before, before
        )
        self.now = made
        try:
            run()
        finally:
            self.now = None
        made.after = self.held()
        self.found.append(made)

    def held(self) -> Values:
        """Return the contents of the targets at the pixel."""
        place = self.history.place
        found = {}
        for row in self.targets.rows:
            held, form = self.targets.arrays[row.key][place], self.targets.named.get(row.key)
            found[row.label] = held.copy() if form is None else form.decode(held)
        found["depth"] = self.targets.depth.array[place].copy()
        if self.stencil is not None:
            found["stencil"] = self.stencil.stencils[place].copy()
        return found

    def finish(self, rejected: Iterable[Fragment]) -> None:
        """Add the fragments of the draw to the history, in the order of their primitives."""
        found = [*self.found]
        for each in rejected:
            place = next(
                (at for at, one in enumerate(found) if one.primitive > each.primitive), len(found)
            )
            # Nothing is drawn between the fragments around it.
            near = found[place].before if place < len(found) else self.held()
            each.draw, each.before, each.after = self.history.draws, near, near
            found.insert(place, each)
        self.history.fragments += found
        self.history.draws += 1


def bits_of(samples: Array) -> int:
    """Return truth values of samples as bits."""
    return int(np.dot(samples.astype(np.int64), 1 << np.arange(len(samples))))


# ---------------------------------------------------------------- plain data


def _plain(one: Fragment) -> dict[str, Any]:
    return {
        "draw": one.draw,
        "primitive": one.primitive,
        "front": one.is_front,
        "samples": one.samples,
        "shaded": one.shaded,
        "written": one.written,
        "rejected": {str(reason): bits for reason, bits in one.rejected.items()},
        "reason": None if one.reason is None else str(one.reason),
        "depth": _numbers(one.depth),
        "output": _values(one.output),
        "before": _values(one.before),
        "after": _values(one.after),
    }


def _values(given: Mapping[str, Array]) -> dict[str, Any]:
    return {name: _numbers(array) for name, array in given.items()}


def _numbers(array: Array) -> Any:
    """Return numbers for JSON: infinities and NaN as text."""
    if array.ndim:
        return [_numbers(each) for each in array]
    number = array.item()
    return number if np.isfinite(number) else str(number)
