"""Arguments of draws and dispatches, which may be in a buffer: indirect draws.

    D3D12_DRAW_ARGUMENTS           vertices, instances, start vertex, start instance
    D3D12_DRAW_INDEXED_ARGUMENTS   indices, instances, start index, base vertex, start instance
    D3D12_DISPATCH_ARGUMENTS       thread groups along x, y and z

Vulkan's structures are laid out in the same way. The APIs differ in the numbers that shaders see:

                           Direct3D                        Vulkan
    SV_VertexID            0, 1, …; indices of the buffer   from the first vertex on; index + base
    SV_InstanceID          0, 1, …                          from the first instance on
    BaseVertex             start or base vertex             first vertex or vertex offset

Source: the structures of D3D12's ExecuteIndirect and VkDrawIndirectCommand,
VkDrawIndexedIndirectCommand, VkDispatchIndirectCommand; Vulkan specification, Built-In Variables.
"""

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....dataclass import dataclass
from ....errors import UsageError
from ....vm.launch import Array
from ...binding.numbers import shown

PLAIN = struct.Struct("<IIII")
INDEXED = struct.Struct("<IIIiI")
GROUPS = struct.Struct("<III")

__all__ = ["DrawArguments", "DrawNumbers", "dispatch_arguments"]


@dataclass(frozen=True, slots=True)
class DrawArguments:
    """The part of the vertices, or of the index buffer, that a draw takes.

    `count` are vertices, or indices if `indexed`; `start` is the first of them. `draw_index` is the
    number of the draw among those of one call.
    """

    count: int
    instance_count: int = 1
    start: int = 0
    base_vertex: int = 0
    start_instance: int = 0
    indexed: bool = False
    draw_index: int = 0

    @classmethod
    def read(
        cls, buffer: Any, offset: int = 0, *, indexed: bool = False, draw_index: int = 0
    ) -> "DrawArguments":
        """Return the arguments that a buffer holds at an offset in bytes."""
        form = INDEXED if indexed else PLAIN
        count, instances, start, *base, instance = _unpacked(form, buffer, offset)
        return cls(
            count, instances, start, base[0] if base else 0, instance, indexed, draw_index
        )  # fmt: skip

    def vertices(self, given: Any) -> Any:
        """Return the vertices of the draw; those beyond the end of an array are 0."""
        if self.indexed or not isinstance(given, Mapping):
            return given if self.indexed else self.count
        return {name: _part(array, self.start, self.count) for name, array in given.items()}

    def primitives(self, given: Any) -> Any:
        """Return the vertex numbers of the draw; indices beyond the end are 0."""
        if not self.indexed:
            return given
        found = np.asarray(given if given is not None else ())
        if found.ndim != 1 or found.dtype.kind not in "iu":
            raise UsageError(f"primitives: expected an index buffer, got {shown(given)}")
        return _part(found, self.start, self.count)

    def instance_inputs(self, given: Mapping[Any, Any] | None) -> dict[Any, Any] | None:
        """Return the inputs of the instances of the draw."""
        if given is None:
            return None
        return {
            name: _part(array, self.start_instance, self.instance_count)
            for name, array in given.items()
        }

    def numbers(self, *, vulkan: bool) -> "DrawNumbers":
        """Return the numbers of vertices and instances that shaders see."""
        base = self.base_vertex if self.indexed else self.start
        first = -base if self.indexed and not vulkan else 0  # of the vertices that are given
        if vulkan and not self.indexed:
            first = base
        instance = self.start_instance if vulkan else 0
        return DrawNumbers(first, instance, base, self.start_instance, self.draw_index)


@dataclass(frozen=True, slots=True)
class DrawNumbers:
    """The number of the first vertex and instance, and the values of the bases that shaders see."""

    vertex: int = 0
    instance: int = 0
    base_vertex: int = 0
    base_instance: int = 0
    draw: int = 0


def dispatch_arguments(buffer: Any, offset: int = 0) -> tuple[int, int, int]:
    """Return the thread groups of a dispatch that a buffer holds at an offset in bytes."""
    x, y, z = _unpacked(GROUPS, buffer, offset)
    return x, y, z


def _unpacked(form: struct.Struct, buffer: Any, offset: int) -> tuple[int, ...]:
    data = np.asarray(memoryview(buffer)).reshape(-1).view(np.uint8)
    if not 0 <= offset <= len(data) - form.size:
        raise UsageError(
            f"arguments: expected {form.size} bytes at offset {offset}, got a buffer of {len(data)}"
        )
    return tuple(form.unpack_from(data.tobytes(), offset))


def _part(given: Any, start: int, count: int) -> Array:
    """Return some rows of an array; those beyond its end are 0, as reads of buffers are."""
    array = np.asarray(given)
    if array.ndim == 0:
        return array
    found = array[start : start + count]
    if len(found) == count:
        return found
    made = np.zeros((count, *array.shape[1:]), array.dtype)
    made[: len(found)] = found
    return made
