"""Memories of each scope and element size, at their bounds, as machine code."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vm.engines import same, words

FAR = (0, 1, 2, 3, 4, 5, 11, 12, 13, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)


def kernel(declared: str, stride: int) -> str:
    """Return a kernel whose lane n reads the last word of element %p[n], and adds 1."""
    return f"""
kernel main pixel group 1 1 1
memory %p buffer 4
memory %out buffer 4 writable
{declared}
%0 = source item
%1 = load:i32 %p[%0, i32 0]
%2 = load:i32 %m[%1, i32 {stride - 4}]
%3 = iadd %2, i32 1
store %out[%0, i32 0], %3
"""


@pytest.mark.slow
@pytest.mark.parametrize("stride", [4, 8, 12, 16])
def test_reads_beyond_the_last_element_are_0(stride: int) -> None:
    per = stride // 4
    for count in (1, 4, 12):
        data = words(*(100 * (at // per) + at % per for at in range(count * per)))
        wanted = [100 * each + per if each < count else 1 for each in FAR]
        given = {"p": words(*FAR), "out": bytes(4 * len(FAR))}
        texts = {
            "table": f"memory %m table {stride} count {count} data {data.hex()}",
            "buffer": f"memory %m buffer {stride}",
            "constant": f"memory %m constant {stride}",
        }
        for scope, declared in texts.items():
            text = kernel(declared, stride)
            held = given if scope == "table" else {**given, "m": data}
            found = same(text, held, items=len(FAR))["out"]
            assert np.frombuffer(found, "<u4").tolist() == wanted, (scope, count)


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["local", "shared"])
def test_memories_of_a_lane_and_of_a_group_begin_with_zeros_and_end_at_their_count(
    scope: str,
) -> None:
    """Each lane writes its place, inside or outside, and reads it again."""
    for stride, count in ((4, 1), (4, 12), (12, 5), (16, 4)):
        text = f"""
kernel main compute group {len(FAR)} 1 1
memory %p buffer 4
memory %out buffer 8 writable
memory %m {scope} {stride} count {count} writable
%0 = source thread_id.x
%1 = load:i32 %p[%0, i32 0]
%2 = load:i32 %m[%1, i32 {stride - 4}]
store %out[%0, i32 4], %2
barrier group
store %m[%1, i32 {stride - 4}], %1
barrier group
%3 = load:i32 %m[%1, i32 {stride - 4}]
store %out[%0, i32 0], %3
"""
        if scope == "local":
            text = text.replace("barrier group\n", "")
        found = same(text, {"p": words(*FAR), "out": bytes(8 * len(FAR))})["out"]
        wanted = [[each if each < count else 0, 0] for each in FAR]
        assert np.frombuffer(found, "<u4").reshape(-1, 2).tolist() == wanted, (stride, count)
