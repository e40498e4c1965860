"""Whole pipelines, checked before they run: `unshade.Pipeline`.

    pipeline = unshade.Pipeline("vs.cso", "ps.cso", root_signature="main.rootsig")
    for each in pipeline.check(): print(each)

Stages are linked as the API does it, and violations are reported in its words. A file that contains
several stages (a VBC file, a SPIR-V module with several entry points) is all of them.
"""

from collections.abc import Sequence
from itertools import pairwise

from ...api import open as open_shader
from ...errors import UsageError
from ...files import Path
from ...shader import Shader
from ...vocab.words import Stage
from .findings import PipelineFinding, PipelineFindings, PipelineReport
from .interface import check_interface
from .rules import RULES, VULKAN
from .stages import ORDER, PipelinePlace, PipelineStage, stages_of

__all__ = [
    "RULES",
    "Pipeline",
    "PipelineFinding",
    "PipelinePlace",
    "PipelineReport",
    "PipelineStage",
    "stages_of",
]


class Pipeline:
    """Shaders that run as the stages of one pipeline.

    Attributes:
        stages: The stages, in the order of the pipeline.
        name: The name of the pipeline, for reports.
    """

    def __init__(self, *stages: "Shader | Path | PipelineStage", name: str = "") -> None:
        """Collect the stages of a pipeline, in any order.

        Args:
            stages: Shaders, or paths of files. A shader with several entry points is several
                stages; `stages_of` chooses one.
            name: The name of the pipeline, for reports.

        Raises:
            UsageError: There is no stage, a stage occurs twice, or stages of different APIs do not
                make a pipeline.
            UnsupportedError: Programs of a format are not stages of pipelines.
        """
        self.stages: Sequence[PipelineStage] = _ordered(stages)
        self.name = name or " + ".join(dict.fromkeys(each.name for each in self.stages))

    @property
    def api(self) -> str:
        """The API of the pipeline: direct3d or vulkan."""
        return self.stages[0].api

    @property
    def runtime(self) -> str:
        """The runtime whose messages findings quote: d3d11, d3d12 or vulkan."""
        if self.api == VULKAN:
            return VULKAN
        models = [each.reflection.model or "" for each in self.stages]
        return "d3d12" if max(models) > "5.0" else "d3d11"

    def stage(self, word: str) -> PipelineStage | None:
        """Return the stage of this name, or None."""
        return next((each for each in self.stages if each.stage == word), None)

    def check(self) -> PipelineReport:
        """Return the violations of the rules of pipelines."""
        found = PipelineFindings(self.runtime)
        graphics = [each for each in self.stages if each.stage in ORDER[:-1]]
        for before, after in pairwise(graphics):
            if before.stage != Stage.AMPLIFICATION:
                check_interface(found, before, after)
        return found.found


def _ordered(given: "Sequence[Shader | Path | PipelineStage]") -> list[PipelineStage]:
    """Return the stages in the order of the pipeline."""
    found: list[PipelineStage] = []
    for each in given:
        if isinstance(each, PipelineStage):
            found.append(each)
        elif isinstance(each, Shader):
            found += stages_of(each)
        else:
            found += stages_of(open_shader(each), str(each))
    if not found:
        raise UsageError("expected the stages of a pipeline")
    apis = sorted({each.api for each in found})
    if len(apis) > 1:
        raise UsageError(f"expected stages of one API, got {' and '.join(apis)}")
    seen: dict[str, PipelineStage] = {}
    for each in found:
        if each.stage not in ORDER:
            raise UsageError(f"{each.name}: a {each.stage} shader is not a stage of a pipeline")
        other = seen.setdefault(each.stage, each)
        if other is not each:
            raise UsageError(f"two {each.stage} shaders: {other.name} and {each.name}")
    return sorted(found, key=lambda each: ORDER.index(each.stage))
