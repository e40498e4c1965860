"""Pipelines that a file describes, such as a State Object Database.

game.sodb   pso2   vertex skinning.dxbc, pixel phong.dxbc, root signature, formats, topology
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import UsageError
from ...formats import open_nested
from ...model.pipelines import StoredPipeline
from ...shader import Shader
from ...vocab.d3d12 import NO_RASTERIZED_STREAM
from .stages import PipelineStage, stages_of
from .states import PipelineState, VertexElement

__all__ = ["StoredStages", "stored_state"]

TOPOLOGIES = ("POINT", "LINE", "TRIANGLE", "PATCH")  # UNDEFINED is not one
UNKNOWN = "UNKNOWN"


class StoredStages:
    """The stages of stored pipelines; a shader that several pipelines share is opened once."""

    def __init__(self, shader: Shader, name: str) -> None:
        self.shader = shader
        self.name = name
        self._opened: dict[str, Sequence[PipelineStage]] = {}

    def of(self, state: StoredPipeline) -> list[PipelineStage]:
        """Return the stages of a pipeline.

        Raises:
            UsageError: The file does not contain a shader that the pipeline names.
            FormatError: A shader is malformed.
        """
        found: list[PipelineStage] = []
        for stage, key in state.stages.items():
            if key not in self._opened:
                data = self.shader.pipeline_file(key)
                if data is None:
                    raise UsageError(f"{stage}: expected the key of a shader, got {key}")
                self._opened[key] = stages_of(open_nested(data), f"{self.name}!{key}")
            found += self._opened[key]
        return found


def stored_state(state: Mapping[str, Any]) -> PipelineState:
    """Return the state of a stored pipeline, by the API's names; what it omits is not checked."""
    formats = _object(state.get("RenderTargetFormats"))
    stream = _object(state.get("StreamOutDesc")).get("RasterizedStream", 0)
    topology = state.get("PrimitiveTopology")
    depth = state.get("DSVFormat")
    return PipelineState(
        topology=topology.lower() if topology in TOPOLOGIES else None,
        input_layout=_elements(state.get("InputLayout")),
        targets=_targets(formats) if formats else None,
        depth_format=depth if isinstance(depth, str) and depth != UNKNOWN else None,
        rasterized_stream=None if stream == NO_RASTERIZED_STREAM else stream,
    )


def _object(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one if it is missing, or a key without a row."""
    return value if isinstance(value, Mapping) else {}


def _elements(layout: Any) -> list[VertexElement] | None:
    if not isinstance(layout, list) or not all(isinstance(each, Mapping) for each in layout):
        return None
    return [
        VertexElement(str(each["Format"]), each["SemanticName"], each["SemanticIndex"])
        for each in layout
    ]


def _targets(formats: Mapping[str, Any]) -> list[str | None]:
    count = min(formats["NumRenderTargets"], 8)
    found = [formats[f"RTFormat{number}"] for number in range(count)]
    return [None if each == UNKNOWN else str(each) for each in found]
