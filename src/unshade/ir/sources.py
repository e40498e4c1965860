"""Sources: i32 values that identify a lane.

    thread_id                     = thread_group_id * size + thread_id_in_group     (x, y, z each)
    thread_id_in_group_flattened  = (thread_id_in_group.z * size.y + thread_id_in_group.y) * size.x
                                    + thread_id_in_group.x

Words are from vocab.words if it defines one. Groups are ordered by x, then y, then z, and so are
the threads of a group: by thread_id_in_group_flattened. If a kernel has `quads`, which needs an
even x and y, threads are ordered by quads instead, quads again by x, then y, then z:

    group 4 2 1    thread_id_in_group (0, 0) (1, 0) (0, 1) (1, 1)   (2, 0) (3, 0) (2, 1) (3, 1)

Lanes of a pixel shader are in quads: (0, 0), (1, 0), (0, 1), (1, 1). Engines reject calls of 2^28
lanes or more along an axis, so that addresses of up to 16 bytes a lane cannot overflow. Waves are
consecutive lanes of a group, or items: see waves.py.
"""

from typing import Any

from ..tuples import NamedTuple
from ..vocab.words import SystemValue
from .locations import SymbolName

LANES = 1 << 28
GROUP_COUNT = "group_count"
AXES = "xyz"


class LaneSource(NamedTuple):
    """A source: its word, its axis if it has several, and a description."""

    word: str
    axis: int | None
    doc: str

    @property
    def name(self) -> SymbolName:
        """The name in kernels: `thread_id.x`, `wave_lane`."""
        return self.of(self.word)

    def of(self, label: str) -> SymbolName:
        """Return the name with `label` in place of the word."""
        return SymbolName(label) if self.axis is None else SymbolName(label, f".{AXES[self.axis]}")

    @property
    def shared(self) -> bool:
        """True if the source is equal for all lanes of a call."""
        return self.word in (GROUP_COUNT, "wave_size")


# fmt: off
WORDS: tuple[tuple[str, int, str], ...] = (  # word, number of axes or 0, description
    (SystemValue.THREAD_ID,                    3, "thread in the dispatch"),
    (SystemValue.THREAD_GROUP_ID,              3, "group in the dispatch"),
    (SystemValue.THREAD_ID_IN_GROUP,           3, "thread in the group"),
    (SystemValue.THREAD_ID_IN_GROUP_FLATTENED, 0, "thread in the group, as one number"),
    (GROUP_COUNT,                              3, "groups of the dispatch"),
    ("item",                                   0, "index of the lane in the call"),
    ("wave_lane",                              0, "index in the wave"),
    ("wave_size",                              0, "lanes of a whole wave"),
    ("quad_lane",                              0, "index in the quad: bit 0 is x, bit 1 is y"),
    ("helper",                                 0, "1 in helper lanes of pixel shaders"),
)
# fmt: on
SOURCES: dict[str, LaneSource] = {
    each.name: each
    for word, axes, doc in WORDS
    for each in (LaneSource(str(word), axis, doc) for axis in (range(axes) if axes else (None,)))
}


def has_quads(group: tuple[int, int, int]) -> bool:
    """Return True if thread groups of this size consist of quads of 2 x 2."""
    return group[0] % 2 == group[1] % 2 == 0


def thread_in_group(lane: Any, group: tuple[int, int, int], quads: bool) -> tuple[Any, Any, Any]:
    """Return thread_id_in_group of a lane of a group, or of an array of lanes."""
    x, y, _ = group
    if not quads:
        return lane % x, lane // x % y, lane // (x * y)
    quad, width, height = lane // 4, x // 2, y // 2
    column, row = quad % width, quad // width % height
    return column * 2 + lane % 2, row * 2 + lane // 2 % 2, quad // (width * height)


def flattened(lane: Any, group: tuple[int, int, int], quads: bool) -> Any:
    """Return thread_id_in_group_flattened of a lane of a group, or of an array of lanes."""
    if not quads:
        return lane
    x, y, z = thread_in_group(lane, group, quads)
    return (z * group[1] + y) * group[0] + x


def lane_in_group(thread: tuple[Any, Any, Any], group: tuple[int, int, int], quads: bool) -> Any:
    """Return the lane of a thread in its group, or of arrays of threads."""
    x, y, z = thread
    if not quads:
        return (z * group[1] + y) * group[0] + x
    quad = (z * (group[1] // 2) + y // 2) * (group[0] // 2) + x // 2
    return quad * 4 + y % 2 * 2 + x % 2


def bound(name: str, group: tuple[int, int, int]) -> int:
    """Return an exclusive upper bound of a source in thread groups of this size."""
    x, y, z = group
    source = SOURCES[name]
    if source.word == SystemValue.THREAD_ID_IN_GROUP and source.axis is not None:
        return group[source.axis]
    fixed: dict[str, int] = {
        "wave_lane": 128, "wave_size": 129, "quad_lane": 4, "helper": 2,
        SystemValue.THREAD_ID_IN_GROUP_FLATTENED: x * y * z, "item": 1 << 32,
    }  # fmt: skip
    return fixed.get(source.word, LANES)
