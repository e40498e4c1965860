"""Outputs of thread groups: the counts of a mesh shader, the launches of an amplification shader.

    vertices.count     a word for each group: the number of vertices that it outputs
    payload            an element for each group: what it hands to the mesh shaders that it launches
    groups             three words for each group: the groups of the mesh shader along x, y and z

The first thread of a group stores the values that are the same for all its threads.
"""

from collections.abc import Sequence

from ...errors import UnsupportedError
from ...vocab.slots import LAUNCHED_GROUPS, LAUNCHED_PAYLOAD, PAYLOAD_SLOT
from ...vocab.words import SystemValue
from ..builder import Builder
from ..kernel import Value
from ..lowered import Form, LoweredResource, Points
from ..memory import Memory, Space

__all__ = [
    "Launches", "bound_payload", "count_memory", "first_thread", "group_number", "payload_bytes",
    "store_counts", "within_group",
]  # fmt: skip

MOST = 256  # vertices or primitives of a group
LARGEST = 1 << 14  # bytes of a payload
PAYLOAD, GROUPS = "payload", "groups"
WORD = 4


def group_number(b: Builder) -> Value:
    """Append the number of the group: by x, then y, then z."""
    x, y, z = (b.source(f"{SystemValue.THREAD_GROUP_ID}.{axis}") for axis in "xyz")
    width, height = (b.source(f"group_count.{axis}") for axis in "xy")
    return b.iadd(b.imul(b.iadd(b.imul(z, height), y), width), x)


def first_thread(b: Builder) -> Value:
    """Append whether the thread is the first of its group."""
    return b.ieq(b.source(str(SystemValue.THREAD_ID_IN_GROUP_FLATTENED)), 0)


def within_group(*counts: int) -> None:
    """Check the declared numbers of vertices and primitives.

    Raises:
        UnsupportedError: One is larger than a group can output.
    """
    if max(counts) > MOST:
        raise UnsupportedError(
            f"expected at most {MOST} vertices and primitives of a group, got {max(counts)}"
        )


def payload_bytes(size: int) -> int:
    """Return the size of the memory for a payload: whole words, at least one.

    Raises:
        UnsupportedError: The payload is too large.
    """
    if size > LARGEST:
        raise UnsupportedError(f"expected a payload of at most {LARGEST} bytes, got {size}")
    return max(size + WORD - 1 & -WORD, WORD)


def bound_payload(b: Builder, size: int) -> tuple[Memory, LoweredResource]:
    """Return the memory of the payload that a mesh shader reads, of one element, and its binding.

    `size` is the size of the element in bytes.
    """
    memory = b.memory(PAYLOAD, Space.BUFFER, size, slot=PAYLOAD_SLOT)
    return memory, LoweredResource(PAYLOAD, Form.STRUCTURED, size, slot=PAYLOAD_SLOT)


def count_memory(b: Builder, points: Points) -> Memory:
    """Return the memory with the number of these points of each group."""
    name = f"{points.name}.count"
    return b.memory(name, Space.BUFFER, WORD, writable=True, slot=points.counts, internal=True)


def store_counts(b: Builder, counts: Sequence[Memory], numbers: Sequence[Value]) -> None:
    """Append the stores of the numbers of vertices and primitives that a group outputs."""
    with b.when(first_thread(b)):
        for memory, number in zip(counts, numbers, strict=True):
            b.store(memory, group_number(b), 0, number)


class Launches:
    """The memories of what the groups of an amplification shader launch.

    `payload` has an element of `size` bytes for each group.
    """

    def __init__(self, b: Builder, size: int) -> None:
        self.b = b
        self.payload = b.memory(PAYLOAD, Space.BUFFER, size, writable=True, slot=LAUNCHED_PAYLOAD)
        self.groups = b.memory(GROUPS, Space.BUFFER, 3 * WORD, writable=True, slot=LAUNCHED_GROUPS)

    def points(self) -> list[Points]:
        """Return the points of the shader: an element for each group of either memory."""
        return [
            Points(PAYLOAD, 1, self.payload.stride, LAUNCHED_PAYLOAD),
            Points(GROUPS, 1, self.groups.stride, LAUNCHED_GROUPS),
        ]

    def store(self, group: Value, numbers: Sequence[Value]) -> None:
        """Append the stores of the groups that a group launches along x, y and z."""
        for at, number in enumerate(numbers):
            self.b.store(self.groups, group, WORD * at, number)
