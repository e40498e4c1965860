"""The state of a draw: size, viewports, scissors, samples.

    viewport   x, y, width, height, least depth, greatest depth     in pixels, y down
    scissor    left, top, right, bottom                              the last two are outside

A viewport of negative height has y down, as in Vulkan. Samples of a pixel are at the standard
positions, in sixteenths of a pixel from its centre.

Source: Direct3D 11.3 functional specification, sections 15.6 (viewports), 15.9 (scissors) and 19.2
(standard sample positions); the positions are those that Vulkan's specification lists.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...ir.library.sample_positions import POSITIONS
from ...vm.launch import Array
from ..binding.numbers import shown
from .pixel_coverage import STEPS, fixed
from .states.rasterizer import RasterizerState

MOST = 16  # viewports
LAYERS = 2048


@dataclass(slots=True)
class RasterState:
    """Size and state of a draw; `viewports` (n, 6), `scissors` (n, 4) in pixels.

    The fields of `rasterizer` are resolved for an API, which is Vulkan if `vulkan` is true.
    `depth_kind` is the dtype of the depth target. `keeps_all` leaves primitives in place that
    culling, distances or the sides of the view reject, and does not cut them, which the history of
    a pixel needs; `keeps_flat` leaves triangles without area.
    """

    width: int
    height: int
    layers: int
    samples: int
    viewports: Array
    scissors: Array
    mask: int
    rasterizer: RasterizerState
    vulkan: bool = False
    depth_kind: Any = np.float32
    keeps_all: bool = False
    keeps_flat: bool = False

    @property
    def offsets(self) -> Array:
        """The places of the samples from the centre of a pixel, in steps of the rasteriser."""
        return np.array(POSITIONS[self.samples], np.int64) * (STEPS // 16)

    @property
    def sample_bits(self) -> Array:
        """True for each sample that the mask has."""
        bits: Array = (self.mask >> np.arange(self.samples) & 1).astype(np.bool_)
        return bits

    @property
    def limits(self) -> Array:
        """The part of the targets that each viewport leaves: left, top, right, bottom in steps."""
        return self._limits(self.viewports[:, :4])

    @property
    def limits_of_points(self) -> Array:
        """The part of the targets that points and lines of each viewport may cover.

        In Vulkan only their places are clipped to the view: wide points and lines reach beyond the
        view.
        """
        if not self.vulkan:
            return self.limits
        whole = np.array([0, 0, self.width, self.height], np.float64)
        return self._limits(np.tile(whole, (len(self.viewports), 1)))

    def _limits(self, view: Array) -> Array:
        """Return the intersection of targets, rectangles (x, y, width, height) and scissors."""
        whole = np.array([0, 0, self.width, self.height], np.float64)
        if self.keeps_all:
            return fixed(np.tile(whole, (len(self.viewports), 1)))
        far = view[:, :2] + view[:, 2:]
        low, high = np.minimum(view[:, :2], far), np.maximum(view[:, :2], far)
        count = len(self.viewports)
        scissors = self.scissors[np.minimum(np.arange(count), len(self.scissors) - 1)]
        left = np.maximum(np.maximum(low, whole[:2]), scissors[:, :2])
        right = np.minimum(np.minimum(high, whole[2:]), scissors[:, 2:])
        return fixed(np.concatenate([left, right], axis=1))


def state_of(
    size: tuple[int, int],
    samples: int,
    *,
    layers: int | None,
    viewports: Any,
    scissors: Any,
    sample_mask: int,
    rasterizer: RasterizerState,
    vulkan: bool = False,
) -> RasterState:
    """Return the state for the arguments of a draw; UsageError if an argument is invalid."""
    count = 1 if layers is None else layers
    given_count: object = count
    if not isinstance(given_count, int) or not 1 <= count <= LAYERS:
        raise UsageError(f"layers: expected 1 to {LAYERS}, got {shown(layers)}")
    width, height = size
    whole = (0, 0, width, height)
    return RasterState(
        width, height, count, samples, _viewports(viewports, whole),
        _rectangles("scissors", scissors, whole, 4), int(sample_mask), rasterizer, vulkan,
    )  # fmt: skip


def _viewports(given: Any, whole: Sequence[int]) -> Array:
    """Return rows of x, y, width, height, least and greatest depth."""
    found = _rectangles("viewports", given, (*whole, 0.0, 1.0), 6)
    if (found[:, 2] <= 0).any() or not found[:, 3].all():
        raise UsageError("viewports: expected a width above 0 and a height other than 0")
    return found


def _rectangles(name: str, given: Any, whole: Sequence[float], columns: int) -> Array:
    """Return rows of numbers; by default a row for the whole target."""
    if given is None:
        return np.array([whole], np.float64)
    try:
        rows = list(given)
        rows = rows if np.ndim(rows[0]) else [rows]
        wide = [_with_depths(row) if columns == 6 else row for row in rows]
        found = np.array(wide, np.float64)
    except (IndexError, TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 2 or found.shape[1] != columns or not 1 <= len(found) <= MOST:
        counts = "4 or 6" if columns == 6 else str(columns)
        raise UsageError(
            f"{name}: expected 1 to {MOST} rows of {counts} numbers, got {given!r:.80}"
        )
    if not np.isfinite(found).all():
        raise UsageError(f"{name}: expected finite numbers, got {given!r:.80}")
    return found


def _with_depths(row: Any) -> list[float]:
    """Return a viewport with its optional least and greatest depth."""
    return [*row, 0.0, 1.0] if len(row) == 4 else [*row]
