"""The result of a frame: its targets, buffers and queries, and notes about missing values."""

import re
from collections.abc import Mapping

from ...dataclass import dataclass, field
from ...errors import UsageError
from ...vm.launch import Array
from ..binding.suggestions import suggestion
from ..raster.statistics import PipelineStatistics
from .resources import FrameTarget

LAYER = re.compile(r"(.+)\[(\d{1,4})\]", re.ASCII)


@dataclass(slots=True)
class FrameResult:
    """Targets and buffers of a frame after its passes, by name, and notes about missing values.

    `queries` are the counters of queries, `cameras` the variables that hold matrices of the camera,
    a line for each pipeline, and `reasons` why no vertex of a draw is in view.
    """

    targets: dict[str, FrameTarget]
    buffers: dict[str, Array]
    notes: list[str]
    output: str
    queries: dict[str, PipelineStatistics] = field(default_factory=dict)
    cameras: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def target(self, name: str = "") -> FrameTarget:
        """Return a target, or a layer of one: `shadow[2]`; the default is the frame's output."""
        return target_of(self.targets, name or self.output)

    def picture(self, name: str = "") -> Array:
        """Return a target as a picture: colours, encoded if sRGB, or depths.

        The default is the output of the frame. A target of several samples is resolved; of a target
        with layers, `shadow[2]` is one layer, and the plain name is all layers, along the first
        axis.
        """
        found = self.target(name)
        made = found.decoded(linear=False)
        return made if found.pixels is None else made[..., : found.pixels.channels]


def target_of(targets: Mapping[str, FrameTarget], name: str) -> FrameTarget:
    """Return the target with a name, or the layer that `name[2]` selects."""
    if name in targets:
        return targets[name]
    match = LAYER.fullmatch(name)
    if match is None or match[1] not in targets:
        raise UsageError(f"no target {name!r:.60}{suggestion(name, list(targets))}")
    return targets[match[1]].layer(int(match[2]))
