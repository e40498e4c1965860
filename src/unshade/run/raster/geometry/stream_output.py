"""Stream output: the vertices of primitives, written to buffers before they are rasterised.

    stream = StreamOutput([StreamOutputEntry("POSITION"), StreamOutputEntry("COLOR", 0, 0, 3)],
                          {0: buffer})
    raster.draw(vertex, pixel, vertices, None, size, stream_output=stream)
    stream.filled[0], stream.written[0], stream.needed[0]

Primitives are written as lists, each vertex of each primitive, without the vertices of adjacency.
If one of the buffers of a stream has no room for a primitive, neither this primitive nor a later
one is written to any of them; the primitives that would have been written are counted. A further
draw appends.

In Direct3D an entry follows the entry before it in its buffer, and an entry without a semantic is a
gap. In Vulkan, where this is transform feedback, each output has an offset.

Sources: Direct3D 11.3 functional specification, chapter 14 (stream output stage), and
D3D12_SO_DECLARATION_ENTRY; Vulkan specification, Transform Feedback.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dataclass import dataclass, field
from ....errors import UsageError
from ....vm.launch import Array
from ....vocab.slots import PortSlot
from ...binding.numbers import shown
from ...opening import chosen_program
from ..states.fields import filled
from ..vertices import Primitives

if TYPE_CHECKING:
    from ....shader import Shader

BUFFERS = 4
STREAMS = 4
LARGEST_STRIDE = 2048  # bytes of a vertex


@dataclass(frozen=True, slots=True)
class StreamOutputEntry:
    """An output of a vertex that is written to a buffer.

    `semantic_name` is a semantic with or without its index, "location3" of SPIR-V, the slot of the
    first component, or None for a gap of `component_count` words. Components are counted from the
    first that the output has; by default all are written. `offset` is the place in bytes in the
    vertex; None: after the entry before it in the buffer.
    """

    semantic_name: str | PortSlot | None
    semantic_index: int = 0
    start_component: int = 0
    component_count: int | None = None
    output_slot: int = 0
    stream: int = 0
    offset: int | None = None


@dataclass(slots=True)
class StreamOutput:
    """The stream output of draws.

    `buffers` are arrays by slot, which are written in place; `strides` bytes of a vertex by slot,
    by default the end of its last entry. `filled` are the bytes that each buffer holds, where draws
    go on. `written` and `needed` count the primitives of each stream: the written primitives, and
    the primitives that room was needed for. `rasterized_stream` is the stream that is drawn; None
    for none.
    """

    entries: Sequence[StreamOutputEntry | Mapping[str, Any]]
    buffers: Mapping[int, Array]
    strides: Mapping[int, int] = field(default_factory=dict)
    rasterized_stream: int | None = 0
    filled: dict[int, int] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    needed: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, shader: "Shader", buffers: Mapping[int, Array], *, program: int = 0,
        entry: str | None = None,
    ) -> "StreamOutput":  # fmt: skip
        """Return the transform feedback that a shader's outputs are decorated for.

        Args:
            shader: The shader of the last stage before the rasteriser.
            buffers: Arrays by the number of the buffer.
            program: Which program of the shader.
            entry: The name of the entry point, if there are several.
        """
        chosen, name = chosen_program(shader, program, entry)
        entries, strides = [], {}
        for each in chosen.facts(name).outputs:
            if each.feedback_buffer is None:
                continue
            entries.append(
                StreamOutputEntry(
                    each.slots[0], component_count=len(each.components),
                    output_slot=each.feedback_buffer, stream=each.slot.stream,
                    offset=each.feedback_offset,
                )
            )  # fmt: skip
            if each.feedback_stride:
                strides[each.feedback_buffer] = each.feedback_stride
        if not entries:
            raise UsageError("stream output: the shader writes no transform feedback buffer")
        return cls(entries, buffers, strides)

    def __post_init__(self) -> None:
        self.entries = [
            each
            if isinstance(each, StreamOutputEntry)
            else filled(StreamOutputEntry, each, "stream output")
            for each in self.entries
        ]
        for slot, buffer in self.buffers.items():
            given: object = buffer
            plain = isinstance(given, np.ndarray) and given.flags.c_contiguous
            if not (plain and buffer.flags.writeable):
                raise UsageError(
                    f"stream output buffer {slot}: expected a contiguous array that can be"
                    f" written, got {shown(buffer)}"
                )
        for each in self._given:
            if not (0 <= each.output_slot < BUFFERS and 0 <= each.stream < STREAMS):
                raise UsageError(
                    f"stream output: expected slots and streams from 0 to 3, got slot"
                    f" {each.output_slot}, stream {each.stream}"
                )

    @property
    def _given(self) -> Iterable[StreamOutputEntry]:
        return (each for each in self.entries if isinstance(each, StreamOutputEntry))

    def write(self, stream: int, scene: Primitives) -> None:
        """Append the primitives of a stream to the buffers."""
        vertices = scene.corners.reshape(-1)
        parts = self._parts(scene, vertices)
        corners = scene.corners.shape[1]
        count = len(scene.corners)
        self.needed[stream] = self.needed.get(stream, 0) + count
        slots = {each.output_slot for each in self._given if each.stream == stream}
        if not slots:
            return
        room = count
        for slot in slots:
            size = self.buffers[slot].nbytes if slot in self.buffers else 0
            stride = max(parts.strides.get(slot, 0), 1)
            free = max(size - self.filled.get(slot, 0), 0)
            room = min(room, free // (stride * corners))
        for slot in sorted(slots & self.buffers.keys()):
            stride, start = parts.strides[slot], self.filled.get(slot, 0)
            data = self.buffers[slot].reshape(-1).view(np.uint8)
            rows = data[start : start + room * corners * stride].reshape(-1, stride)
            for at, found in parts.columns(slot, stream):
                rows[:, at : at + found.shape[1]] = found[: len(rows)]
            self.filled[slot] = start + room * corners * stride
        self.written[stream] = self.written.get(stream, 0) + room

    def _parts(self, scene: Primitives, vertices: Array) -> "_Parts":
        """Return the bytes of each entry, and the strides of the buffers."""
        made = _Parts({}, [])
        ends: dict[int, int] = {}
        for each in self._given:
            at = ends.get(each.output_slot, 0) if each.offset is None else each.offset
            data, size = self._bytes(scene, each, vertices)
            if data is not None:
                made.found.append((each, at, data))
            ends[each.output_slot] = max(at + size, ends.get(each.output_slot, 0))
        made.strides = {**ends, **self.strides}
        for slot, end in ends.items():
            if not end <= made.strides[slot] <= LARGEST_STRIDE:
                raise UsageError(
                    f"stream output: expected a stride of {end} to {LARGEST_STRIDE} in slot"
                    f" {slot}, got {made.strides[slot]}"
                )
        return made

    def _bytes(
        self, scene: Primitives, entry: StreamOutputEntry, vertices: Array
    ) -> tuple[Array | None, int]:
        """Return the bytes of an entry for some vertices, None for a gap; and their number."""
        if entry.semantic_name is None:
            return None, 4 * (entry.component_count or 0)
        rows, label, first = scene.vertices.rows, entry.semantic_name, entry.start_component
        if isinstance(label, PortSlot):
            row = rows.find(label)
            first = row.places.index(label)
        else:
            whole = label[-1:].isdigit() and not entry.semantic_index
            row = rows.find(label if whole else f"{label}{entry.semantic_index}")
        array = scene.vertices.arrays[row.key]
        count = array.shape[1] - first if entry.component_count is None else entry.component_count
        wide = np.zeros((len(vertices), count), array.dtype)
        there = array[vertices, first : first + count]
        wide[:, : there.shape[1]] = there
        data = wide.view(np.uint8).reshape(len(vertices), -1)
        return data, count * array.dtype.itemsize


@dataclass(slots=True)
class _Parts:
    """The entries of a draw as bytes: each with its place in the vertex."""

    strides: dict[int, int]
    found: list[tuple[StreamOutputEntry, int, Array]]

    def columns(self, slot: int, stream: int) -> Iterable[tuple[int, Array]]:
        """Yield places and bytes of the entries of a buffer."""
        for entry, at, data in self.found:
            if (entry.output_slot, entry.stream) == (slot, stream):
                yield at, data
