"""Stages: lanes are threads of groups, or items, some of which may be helpers."""

import pytest

from tests.vm.engines import parsed, same, words
from unshade.vocab.words import DISPATCHED, Stage

TEXT = """kernel main {stage} group 4 2 1 wave 4
memory %given buffer 4
memory %out buffer 16 writable
memory %s shared 4 count 8 writable

%0 = source thread_id_in_group_flattened
%1 = source thread_id.x
%2 = source thread_group_id.x
%3 = load:i32 %given[%1, i32 0]
store %s[%0, i32 0], %3
barrier group
%4 = isub i32 7, %0
%5 = load:i32 %s[%4, i32 0]
%6 = imul %2, i32 8
%7 = iadd %6, %0
store %out[%7, i32 0], %5
%8 = wave_reduce iadd, %3
store %out[%7, i32 4], %8
%9 = source helper
store %out[%7, i32 8], %9
"""


@pytest.mark.parametrize("stage", sorted(DISPATCHED))
def test_threads_of_groups(stage: Stage) -> None:
    given = {"given": words(*range(10, 18)), "out": bytes(256)}
    left = same(TEXT.format(stage=stage), given, groups=(2, 1, 1))["out"]
    rows = []
    for group in range(2):
        row = [10 + 4 * group + x for x in range(4)] * 2  # both rows of the group read the same
        rows += [(each, sum(row[:4]), 0, 0) for each in reversed(row)]
    assert left == words(*(number for row in rows for number in row))


@pytest.mark.parametrize("stage", Stage)
def test_properties_of_stages(stage: Stage) -> None:
    kernel = parsed(f"kernel main {stage} group 1 1 1\n")
    assert kernel.dispatched == (stage in DISPATCHED)
    assert kernel.helps == (stage is Stage.PIXEL)
