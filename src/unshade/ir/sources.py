"""Where a lane is: the values that `source` gives, all i32.

    thread_id     = group_id * group_size + local_id          (x, y, z each)
    local_index   = (local_id.z * size.y + local_id.y) * size.x + local_id.x

Lanes of a compute shader are ordered by local_index, groups by x, then y, then z. Lanes of a pixel
shader come in quads: (0, 0), (1, 0), (0, 1), (1, 1). No call has 2^28 lanes or more along an axis:
engines refuse it, and addresses of up to 16 bytes a lane can be worked out without wrapping around.
Waves are runs of lanes of one group, or of items: see waves.py.
"""

LANES = 1 << 28

# fmt: off
SOURCES: dict[str, str] = {
    "thread_id.x":   "thread in the dispatch",
    "thread_id.y":   "thread in the dispatch",
    "thread_id.z":   "thread in the dispatch",
    "group_id.x":    "group in the dispatch",
    "group_id.y":    "group in the dispatch",
    "group_id.z":    "group in the dispatch",
    "local_id.x":    "thread in the group",
    "local_id.y":    "thread in the group",
    "local_id.z":    "thread in the group",
    "local_index":   "thread in the group, as one number",
    "group_count.x": "groups of the dispatch",
    "group_count.y": "groups of the dispatch",
    "group_count.z": "groups of the dispatch",
    "item":          "number of the vertex, pixel or thread in the whole call",
    "wave_lane":     "place in the wave",
    "wave_size":     "lanes of a whole wave",
    "quad_lane":     "place in the quad: bit 0 is x, bit 1 is y",
    "helper":        "1 where the pixel only helps its quad",
}
# fmt: on


def bound(name: str, group: tuple[int, int, int]) -> int:
    """What a source is always less than, in thread groups of this size."""
    x, y, z = group
    fixed = {
        "wave_lane": 128, "wave_size": 129, "quad_lane": 4, "helper": 2,
        "local_index": x * y * z, "item": 1 << 32,
    }  # fmt: skip
    if name.startswith("local_id."):
        return group["xyz".index(name[-1])]
    return fixed.get(name, LANES)
