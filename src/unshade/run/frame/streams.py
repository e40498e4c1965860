"""Stream output of a frame's draws: which buffers vertices are written to, and from where on.

stream_output: {buffers: {0: points}}                   D3D12's SOSetTargets,
                                                        vkCmdBeginTransformFeedbackEXT
stream_output: {buffers: {0: points}, append: true}     after what earlier draws have written
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...vm.launch import Array
from ..raster.geometry.stream_output import BUFFERS, StreamOutput
from .description import FramePipeline, FrameStreamOutput

if TYPE_CHECKING:
    from ...shader import Shader

ShaderChoice = tuple["Shader", int, str]  # a shader, the number of its program, its entry point


class FrameStreams:
    """The stream output of the draws of a frame; `filled` are the bytes in each buffer by name."""

    def __init__(self, buffers: Callable[[str], Array]) -> None:
        self.buffers = buffers
        self.filled: dict[str, int] = {}

    def begun(
        self, given: FrameStreamOutput, pipeline: FramePipeline, last: ShaderChoice
    ) -> StreamOutput:
        """Return the stream output of a draw, whose last stage before the rasteriser is given."""
        names = dict(_slots(given))
        arrays = {slot: self.buffers(name) for slot, name in names.items()}
        if pipeline.stream_output is not None or not arrays:
            made = StreamOutput(pipeline.stream_output or [], arrays)
        else:
            shader, number, entry = last
            made = StreamOutput.of(shader, arrays, program=number, entry=entry)
        made.rasterized_stream = pipeline.rasterized_stream
        if given.append:
            made.filled = {slot: self.filled.get(name, 0) for slot, name in names.items()}
        return made

    def end(self, given: FrameStreamOutput, stream: StreamOutput) -> None:
        """Remember how much each buffer holds."""
        for slot, name in _slots(given):
            self.filled[name] = stream.filled.get(slot, 0)


def _slots(given: FrameStreamOutput) -> list[tuple[int, str]]:
    """Return the slots and the names of the buffers."""
    known = [str(each) for each in range(BUFFERS)]
    for slot in given.buffers:
        if slot not in known:
            raise UsageError(f"stream_output.buffers: expected slots 0 to 3, got {slot!r:.40}")
    return [(int(slot), name) for slot, name in given.buffers.items()]
