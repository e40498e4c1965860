"""Sources of lanes: numbers of threads, groups, waves and quads, for threads and for items."""

from __future__ import annotations

import numpy as np

from tests.vm.engines import parsed, run
from unshade.vm.lockstep import Lockstep


def values(head: str, names: list[str], count: int, items: int = 0) -> list[list[int]]:
    """Return the values of each source for all lanes, in the order of the lanes."""
    place = "item" if items else "thread_id_in_group_flattened"
    found = []
    for name in names:
        text = f"""{head}
memory %out buffer 4 writable
%0 = source {place}
%1 = source {name}
store %out[%0, i32 0], %1
"""
        left, _, _ = run(Lockstep(), parsed(text), {"out": bytes(4 * count)}, items=items)
        found.append(np.frombuffer(left["out"], "<u4").tolist())
    return found


def test_items_are_in_quads_and_waves() -> None:
    head = "kernel main pixel group 1 1 1 wave 8"
    names = ["item", "quad_lane", "wave_lane", "wave_size"]
    item, quad, lane, size = values(head, names, 20, items=20)
    assert item == list(range(20))
    assert quad == [0, 1, 2, 3] * 5
    assert lane == [*range(8), *range(8), *range(4)]
    assert size == [8] * 20


def test_threads_of_a_group() -> None:
    """A group of 4 x 3 x 2: x counts fastest."""
    head = "kernel main compute group 4 3 2 wave 8"
    names = [f"thread_id_in_group.{axis}" for axis in "xyz"]
    names += [f"thread_id.{axis}" for axis in "xyz"] + ["quad_lane", "wave_lane", "group_count.x"]
    x, y, z, *ids, quad, lane, groups = values(head, names, 24)
    places = [(x, y, z) for z in range(2) for y in range(3) for x in range(4)]
    assert list(zip(x, y, z, strict=True)) == places
    assert ids == [x, y, z]
    assert quad == [at % 4 for at in range(24)]
    assert lane == [at % 8 for at in range(24)]
    assert groups == [1] * 24


def test_threads_of_several_groups() -> None:
    """Threads of 2 x 3 x 2 groups of 4 x 2 x 2, against their numbers written out."""
    head = "kernel main compute group 4 2 2"
    names = [f"{of}.{axis}" for of in ("thread_id", "thread_group_id", "thread_id_in_group")
             for axis in "xyz"]  # fmt: skip
    text = head + "\n" + "\n".join(f"memory %o{n} buffer 4 writable" for n in range(9))
    text += """
%0 = source thread_group_id.x
%1 = source thread_group_id.y
%2 = source thread_group_id.z
%3 = source thread_id_in_group_flattened
%4 = imul %1, i32 2
%5 = imul %2, i32 6
%6 = iadd %0, %4
%7 = iadd %6, %5
%8 = imul %7, i32 16
%9 = iadd %8, %3
"""
    for n, name in enumerate(names):
        text += f"%{n + 10} = source {name}\nstore %o{n}[%9, i32 0], %{n + 10}\n"
    memories = {f"o{n}": bytes(4 * 192) for n in range(9)}
    left, _, _ = run(Lockstep(), parsed(text), memories, (2, 3, 2))
    found = np.array([np.frombuffer(left[f"o{n}"], "<u4") for n in range(9)]).T.tolist()
    assert found == [
        [4 * a + x, 2 * b + y, 2 * c + z, a, b, c, x, y, z]
        for c in range(2) for b in range(3) for a in range(2)
        for z in range(2) for y in range(2) for x in range(4)
    ]  # fmt: skip
