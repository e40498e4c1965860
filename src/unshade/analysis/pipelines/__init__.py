"""Whole pipelines, checked before they run: `unshade.Pipeline`.

    pipeline = unshade.Pipeline("vs.cso", "ps.cso", root_signature="main.rootsig")
    for each in pipeline.check(): print(each)

Stages are linked as by the API, and violations are reported in the words of the API. A file that
contains several stages (a VBC file, a SPIR-V module with several entry points) is all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...api import assembled, loads
from ...errors import UsageError
from ...files import Path, contents
from ...formats import identify
from ...model.pipelines import StoredPipeline
from ...model.rootsignature import RootSignature
from ...shader import Shader
from ...vocab.words import Stage, a_shader
from .findings import PipelineFinding, PipelineFindings, PipelineReport
from .interface import check_interface
from .layouts import DescriptorBinding, PipelineLayout, PushConstantRange, check_layout, layout_of
from .objects import StateObject, StoredObjectOpener, object_of, stored_objects
from .reading import parsed
from .roots import GivenRootSignature, check_roots, root_signature_of
from .rules import DIRECT3D, RULES, VULKAN
from .sharing import check_shared_buffers
from .stages import ORDER, PipelinePlace, PipelineStage, stages_of
from .states import PipelineState, VertexElement, check_state, state_of
from .stored import StoredStages, stored_state
from .structure import check_structure

__all__ = [
    "RULES",
    "DescriptorBinding",
    "GivenRootSignature",
    "Pipeline",
    "PipelineFinding",
    "PipelineLayout",
    "PipelinePlace",
    "PipelineReport",
    "PipelineStage",
    "PipelineState",
    "PushConstantRange",
    "StateObject",
    "StoredObjectOpener",
    "StoredPipelineOpener",
    "VertexElement",
    "layout_of",
    "object_of",
    "parsed",
    "root_signature_of",
    "stages_of",
    "state_of",
    "stored_objects",
    "stored_pipelines",
]


class Pipeline:
    """Shaders that run as the stages of one pipeline.

    Attributes:
        stages: The stages, in the order of the pipeline.
        root: The root signature that was given, or None.
        layout: The layout that was given, or None.
        state: The state that was given; empty if none was.
        name: The name of the pipeline, for reports.
    """

    def __init__(
        self,
        *stages: "Shader | Path | PipelineStage",
        root_signature: "RootSignature | Shader | bytes | Path | GivenRootSignature | None" = None,
        layout: "PipelineLayout | Mapping[str, Any] | Path | None" = None,
        state: "PipelineState | Mapping[str, Any] | Path | None" = None,
        name: str = "",
    ) -> None:
        """Collect the stages of a pipeline, in any order.

        Args:
            stages: Shaders, or paths of files: of shaders, texts that are assembled, or sources
                that are compiled. A shader with several entry points is several stages;
                `stages_of` chooses one.
            root_signature: The root signature of a Direct3D 12 pipeline: a shader that embeds it,
                its bytes, the path of such a file or of a text in HLSL, or the root signature of a
                reflection. By default the root signature that the stages embed.
            layout: The layout of a Vulkan pipeline, as plain data or the path of a JSON file:
                descriptor sets and push constants.
            state: Other state of the pipeline, as plain data or the path of a JSON file: input
                layout, formats of targets, topology, enabled features, limits.
            name: The name of the pipeline, for reports.

        Raises:
            UsageError: There is no stage, a stage occurs twice, or stages of different APIs do not
                make a pipeline.
            UnsupportedError: Programs of a format are not stages of pipelines.
        """
        self.stages: Sequence[PipelineStage] = _ordered(stages)
        self.root = None if root_signature is None else root_signature_of(root_signature)
        if self.root is not None and self.api != DIRECT3D:
            raise UsageError(f"root signature: expected stages of Direct3D, got {self.api}")
        self.layout = None if layout is None else layout_of(*_data(layout, "layout"))
        if self.layout is not None and self.api != VULKAN:
            raise UsageError(f"layout: expected stages of Vulkan, got {self.api}")
        self.state = PipelineState() if state is None else state_of(*_data(state, "state"))
        self.name = name or " + ".join(dict.fromkeys(each.name for each in self.stages))

    @property
    def api(self) -> str:
        """The API of the pipeline: direct3d, vulkan, pica200 or skia."""
        return self.stages[0].api

    @property
    def runtime(self) -> str:
        """The runtime whose messages findings quote: d3d11, d3d12, vulkan; or another API."""
        if self.api != DIRECT3D:
            return self.api
        models = [each.reflection.model or "" for each in self.stages]
        embedded = any(each.reflection.root_signature is not None for each in self.stages)
        return "d3d12" if max(models) > "5.0" or embedded or self.root is not None else "d3d11"

    def stage(self, word: str) -> PipelineStage | None:
        """Return the stage of this name, or None."""
        return next((each for each in self.stages if each.stage == word), None)

    def check(self) -> PipelineReport:
        """Return the violations of the rules of pipelines."""
        found = PipelineFindings(self.runtime)
        graphics = [each for each in self.stages if each.stage in ORDER[:-1]]
        check_structure(found, self.stages)
        for before, after in pairwise(graphics):
            if before.stage != Stage.AMPLIFICATION:
                check_interface(
                    found, before, after,
                    stream=self.state.rasterized_stream or 0,
                    small_vectors=self.state.small_vectors,
                )  # fmt: skip
        check_shared_buffers(found, self.stages)
        if self.api == DIRECT3D:
            check_roots(found, self.stages, self.root)
        if self.layout is not None:
            check_layout(found, self.stages, self.layout)
        check_state(found, self.stages, self.state)
        return found.found


def stored_pipelines(shader: Shader, name: str = "") -> "Iterator[StoredPipelineOpener]":
    """Yield the pipelines that a file describes, each to be opened with its shaders.

    Args:
        shader: A State Object Database.
        name: The name of the file, for findings.
    """
    stages = StoredStages(shader, name or shader.format)
    for each in shader.pipelines:
        yield StoredPipelineOpener(each, stages)


class StoredPipelineOpener:
    """A pipeline that a file describes; opening it opens its shaders.

    Attributes:
        name: The name of the file, and the key by which the application asks for the pipeline.
    """

    def __init__(self, stored: StoredPipeline, stages: StoredStages) -> None:
        self.name = f"{stages.name}!{stored.group or stored.key}"
        self._stored = stored
        self._stages = stages

    def open(self) -> Pipeline:
        """Return the pipeline.

        Raises:
            UsageError: The file does not contain a shader that the pipeline names, or its stages
                make no pipeline.
            FormatError: A shader or the root signature is malformed.
        """
        key = self._stored.root_signature
        given = None if key is None else self._stages.shader.pipeline_file(key)
        root = None if given is None else root_signature_of(given, f"{self._stages.name}!{key}")
        return Pipeline(
            *self._stages.of(self._stored),
            root_signature=root,
            state=stored_state(self._stored.state),
            name=self.name,
        )


def _data(given: Any, name: str) -> tuple[Any, str]:
    """Return plain data or the data of a JSON file, and its name."""
    if isinstance(given, Mapping | tuple):
        return given, name
    return parsed(contents(given), str(given)), str(given)


def _opened(path: Path) -> Shader:
    """Open a shader, assemble a text or compile a source."""
    from ...isa.source import decoded

    data = contents(path)
    text = None if identify(data) is not None else decoded(data)
    if text is not None:
        from ...compilers import compile, is_source

        if is_source(str(path), text):
            return compile(path)
    return assembled(data, str(path)) or loads(data)


def _ordered(given: "Sequence[Shader | Path | PipelineStage]") -> list[PipelineStage]:
    """Return the stages in the order of the pipeline."""
    found: list[PipelineStage] = []
    for each in given:
        if isinstance(each, PipelineStage):
            found.append(each)
        elif isinstance(each, Shader):
            found += stages_of(each)
        else:
            found += stages_of(_opened(each), str(each))
    if not found:
        raise UsageError("expected the stages of a pipeline")
    apis = sorted({each.api for each in found})
    if len(apis) > 1:
        raise UsageError(f"expected stages of one API, got {' and '.join(apis)}")
    seen: dict[str, PipelineStage] = {}
    for each in found:
        if each.stage not in ORDER:
            known = each.stage in frozenset(Stage)
            what = a_shader(Stage(each.stage)) if known else f"a shader of the {each.stage}"
            raise UsageError(
                f"{each.name}: {what} is no stage of a pipeline of draws or dispatches"
            )
        other = seen.setdefault(each.stage, each)
        if other is not each:
            raise UsageError(f"two {each.stage} shaders: {other.name} and {each.name}")
    return sorted(found, key=lambda each: ORDER.index(each.stage))
