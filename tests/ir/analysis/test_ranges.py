"""Ranges of operations with a known answer."""

import pytest

from tests.oracle.parsing import parse_kernel
from unshade.ir.analysis.ranges import ValueRange, as_signed, range_of
from unshade.ir.types import I32

HEAD = """
kernel main compute group 8 4 1
memory %u buffer 4
%0 = source thread_id_in_group_flattened
%1 = load:i32 %u[i32 0, i32 0]
%2 = ishl %0, i32 2
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("source thread_id_in_group.y", ValueRange(0, 3)),
        ("source thread_id.x", ValueRange(0, (1 << 28) - 1)),
        ("iadd %2, i32 8", ValueRange(8, 132, 4)),
        ("iadd %1, i32 8", ValueRange(0, 0xFFFF_FFFF)),
        ("isub %2, i32 8", ValueRange(0, 0xFFFF_FFFF, 4)),
        ("imul %2, i32 6", ValueRange(0, 744, 8)),
        ("ushr %2, i32 1", ValueRange(0, 62, 2)),
        ("ushr %1, i32 28", ValueRange(0, 15)),
        ("and %1, i32 28", ValueRange(0, 28, 4)),
        ("or %2, i32 1", ValueRange(1, 127)),
        ("urem %1, i32 10", ValueRange(0, 9)),
        ("udiv %2, i32 10", ValueRange(0, 12)),
        ("umin %1, i32 7", ValueRange(0, 7)),
        ("umax %0, i32 7", ValueRange(7, 31)),
        ("imin %0, i32 7", ValueRange(0, 7)),
        ("imin %1, i32 7", ValueRange(0, 0xFFFF_FFFF)),
        ("popcount %1", ValueRange(0, 32)),
        ("uconv:i16 %2", ValueRange(0, 124, 4)),
        ("iconv:i64 %1", ValueRange(0, (1 << 64) - 1)),
        ("select bool true, %0, i32 40", ValueRange(0, 40)),
    ],
)
def test_an_operation(text: str, expected: ValueRange) -> None:
    kernel = parse_kernel(f"{HEAD}%3 = {text}")
    known: dict[object, ValueRange] = {}
    for value in kernel.values():
        known[value] = range_of(value, known, kernel.group)  # type: ignore[arg-type]
    assert list(known.values())[-1] == expected


def test_signed_bounds() -> None:
    assert as_signed(ValueRange(3, 5), I32) == (3, 5)
    assert as_signed(ValueRange(0xFFFF_FFF0, 0xFFFF_FFFF), I32) == (-16, -1)
    assert as_signed(ValueRange(0, 0xFFFF_FFFF), I32) == (-(1 << 31), (1 << 31) - 1)
