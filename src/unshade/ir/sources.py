"""Where a lane is: the values that `source` gives, all i32.

    thread_id                     = thread_group_id * size + thread_id_in_group     (x, y, z each)
    thread_id_in_group_flattened  = (thread_id_in_group.z * size.y + thread_id_in_group.y) * size.x
                                    + thread_id_in_group.x

Words are those of vocab.words where it has one. Lanes of a compute shader are ordered by
thread_id_in_group_flattened, groups by x, then y, then z. Lanes of a pixel shader come in quads:
(0, 0), (1, 0), (0, 1), (1, 1). No call has 2^28 lanes or more along an axis: engines refuse it, and
addresses of up to 16 bytes a lane can be worked out without wrapping around. Waves are runs of
lanes of one group, or of items: see waves.py.
"""

from typing import NamedTuple

from ..vocab.words import SystemValue
from .locations import SymbolName

LANES = 1 << 28
GROUP_COUNT = "group_count"
AXES = "xyz"


class LaneSource(NamedTuple):
    """A value that `source` gives: its word, its axis if it has several, and what it is."""

    word: str
    axis: int | None
    doc: str

    @property
    def name(self) -> SymbolName:
        """The name that a kernel has for it: `thread_id.x`, `wave_lane`."""
        return self.of(self.word)

    def of(self, label: str) -> SymbolName:
        """Return the name with another word for it."""
        return SymbolName(label) if self.axis is None else SymbolName(label, f".{AXES[self.axis]}")

    @property
    def shared(self) -> bool:
        """Whether it is the same for all lanes of a call."""
        return self.word in (GROUP_COUNT, "wave_size")


# fmt: off
WORDS: tuple[tuple[str, int, str], ...] = (  # with the number of axes, 0 without
    (SystemValue.THREAD_ID,                    3, "thread in the dispatch"),
    (SystemValue.THREAD_GROUP_ID,              3, "group in the dispatch"),
    (SystemValue.THREAD_ID_IN_GROUP,           3, "thread in the group"),
    (SystemValue.THREAD_ID_IN_GROUP_FLATTENED, 0, "thread in the group, as one number"),
    (GROUP_COUNT,                              3, "groups of the dispatch"),
    ("item",                                   0, "number of the lane in the whole call"),
    ("wave_lane",                              0, "place in the wave"),
    ("wave_size",                              0, "lanes of a whole wave"),
    ("quad_lane",                              0, "place in the quad: bit 0 is x, bit 1 is y"),
    ("helper",                                 0, "1 where the pixel only helps its quad"),
)
# fmt: on
SOURCES: dict[str, LaneSource] = {
    each.name: each
    for word, axes, doc in WORDS
    for each in (LaneSource(str(word), axis, doc) for axis in (range(axes) if axes else (None,)))
}


def bound(name: str, group: tuple[int, int, int]) -> int:
    """Return what a source is always less than, in thread groups of this size."""
    x, y, z = group
    source = SOURCES[name]
    if source.word == SystemValue.THREAD_ID_IN_GROUP and source.axis is not None:
        return group[source.axis]
    fixed: dict[str, int] = {
        "wave_lane": 128, "wave_size": 129, "quad_lane": 4, "helper": 2,
        SystemValue.THREAD_ID_IN_GROUP_FLATTENED: x * y * z, "item": 1 << 32,
    }  # fmt: skip
    return fixed.get(source.word, LANES)
