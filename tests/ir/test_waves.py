"""Wave operations on small waves, with results by hand."""

import struct

import pytest

from tests.oracle.interpret import interpret
from tests.oracle.parsing import parse_kernel
from tests.oracle.verify import verify
from tests.oracle.waves import results
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Space
from unshade.ir.ops import OPERAND_KINDS, OPS, Op
from unshade.ir.printing import print_kernel
from unshade.ir.simplify import simplify
from unshade.ir.transforms.copying import copied_kernel
from unshade.ir.types import BOOL, F32, F64, FLUSH_32, I8, I32, Type
from unshade.ir.waves import NEUTRAL, WHOLE, Wave

NAN, OTHER_NAN = 0x7FC0_0000, 0xFFC0_1234


def f32(*numbers: float) -> list[int]:
    return list(struct.unpack(f"<{len(numbers)}I", struct.pack(f"<{len(numbers)}f", *numbers)))


def made(
    op: Op, values: dict[int, int], type: Type = I32, wave: Wave = WHOLE, size: int = 8,
    acting: set[int] | None = None, asked: int = 0,
) -> list[int]:  # fmt: skip
    """Return the results of the lanes, in order."""
    given = {
        lane: (bits, asked) if op is OPS.wave_read else (bits,) for lane, bits in values.items()
    }
    effects = set(values) if acting is None else acting
    found = results(op, wave, type, given, effects, size, FLUSH_32)
    return [found[lane] for lane in sorted(found)]


FOUR = {1: 10, 2: 20, 5: 50, 6: 60}  # of a wave of eight: lanes 0, 3, 4 and 7 are elsewhere
add = OPS.iadd


@pytest.mark.parametrize(
    ("op", "wave", "expected"),
    [
        (OPS.wave_elect, WHOLE, [1, 0, 0, 0]),
        (OPS.wave_first, WHOLE, [10] * 4),
        (OPS.wave_equal, WHOLE, [0] * 4),
        (OPS.wave_reduce, Wave(add), [140] * 4),
        (OPS.wave_scan, Wave(add), [10, 30, 80, 140]),
        (OPS.wave_before, Wave(add), [0, 10, 30, 80]),
        (OPS.wave_reduce, Wave(add, 4), [30, 30, 110, 110]),
        (OPS.wave_before, Wave(add, 4), [0, 10, 0, 50]),
        (OPS.wave_reduce, Wave(OPS.imin, 2), [10, 20, 50, 60]),
        (OPS.wave_before, Wave(OPS.umin), [0xFFFF_FFFF, 10, 10, 10]),
        (OPS.wave_before, Wave(OPS.imin), [0x7FFF_FFFF, 10, 10, 10]),
        (OPS.wave_before, Wave(OPS.imax), [0x8000_0000, 10, 20, 50]),
    ],
)
def test_active_lanes(op: Op, wave: Wave, expected: list[int]) -> None:
    assert made(op, FOUR, wave=wave) == expected


@pytest.mark.parametrize(
    ("op", "wave", "expected"),
    [
        (OPS.wave_elect, Wave(), [0, 1, 0, 0]),
        (OPS.wave_elect, Wave(helpers=True), [1, 0, 0, 0]),
        (OPS.wave_first, Wave(), [20] * 4),
        (OPS.wave_reduce, Wave(add), [80] * 4),
        (OPS.wave_scan, Wave(add), [0, 20, 20, 80]),
        (OPS.wave_scan, Wave(add, helpers=True), [10, 30, 80, 140]),
    ],
)
def test_lanes_without_effects_get_a_result(op: Op, wave: Wave, expected: list[int]) -> None:
    assert made(op, FOUR, wave=wave, acting={2, 6}) == expected


def test_votes() -> None:
    assert made(OPS.wave_all, {0: 1, 3: 1}, BOOL) == [1, 1]
    assert made(OPS.wave_all, {0: 1, 3: 0}, BOOL) == [0, 0]
    assert made(OPS.wave_any, {0: 1, 3: 0}, BOOL) == [1, 1]
    assert made(OPS.wave_all, {0: 0}, BOOL, acting=set()) == [1]
    assert made(OPS.wave_any, {0: 1}, BOOL, acting=set()) == [0]


def test_ballots_count_lanes_from_the_lowest_bit() -> None:
    ones = dict.fromkeys((0, 5, 31, 32, 70), 1)
    word = [made(OPS.wave_ballot, ones, BOOL, Wave(word=n), 128)[0] for n in range(4)]
    assert word == [0x8000_0021, 1, 0x40, 0]


@pytest.mark.parametrize(("asked", "expected"), [(2, [20] * 4), (3, None), (9, None), (-1, None)])
def test_reading_a_missing_lane_returns_the_own_value(asked: int, expected: list[int]) -> None:
    found = made(OPS.wave_read, FOUR, asked=asked & 0xFFFF_FFFF)
    assert found == (expected or [10, 20, 50, 60])


def test_floats_are_added_from_the_lowest_lane_upward() -> None:
    big = f32(1.0, 2.0**24, 1.0, -(2.0**24))
    lanes = dict(enumerate(big))
    assert made(OPS.wave_scan, lanes, F32, Wave(OPS.fadd)) == f32(1.0, 2.0**24, 2.0**24, 0.0)


def test_a_single_float_is_canonicalised() -> None:
    """A NaN becomes the quiet one, a subnormal zero; negative zero is kept."""
    for bits, expected in ((OTHER_NAN, NAN), (1, 0), (0x8000_0000, 0x8000_0000)):
        assert made(OPS.wave_reduce, {3: bits}, F32, Wave(OPS.fadd)) == [expected]


def test_floats_are_equal_as_numbers() -> None:
    assert made(OPS.wave_equal, {0: 0, 1: 0x8000_0000}, F32) == [1, 1]
    assert made(OPS.wave_equal, {0: NAN, 1: NAN}, F32) == [0, 0]


@pytest.mark.parametrize("type", [I8, I32, F32, F64], ids=str)
def test_neutral_elements(type: Type) -> None:
    some = 5 if type.kind == "i" else f32(5.0)[0] if type == F32 else 0x4014 << 48
    for op in NEUTRAL:
        if type.kind in OPERAND_KINDS[op.operands[0]]:
            lanes = {0: NEUTRAL[op](type), 1: some}
            assert made(OPS.wave_reduce, lanes, type, Wave(op)) == [some, some], op.name


TEXT = """kernel waves compute group 64 1 1 wave 64 flush 32
memory %u0 buffer 4 writable

%0 = source wave_lane
%1 = wave_elect
%2 = wave_all helpers, %1
%3 = wave_ballot word 1, %2
%4 = wave_read %0, %3
%5 = wave_reduce iadd, %4
%6 = wave_scan umin cluster 8 helpers, %5
%7 = source wave_size
store %u0[%6, i32 0], %7
"""


def test_the_text_is_parsed_back() -> None:
    kernel = parse_kernel(TEXT)
    assert not verify(kernel)
    assert kernel.wave == 64
    assert print_kernel(kernel) == TEXT
    assert print_kernel(copied_kernel(kernel)) == TEXT


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("wave 64", "wave 48", "ir-wave"),
        ("wave_reduce iadd,", "wave_reduce", "ir-attribute"),
        ("wave_reduce iadd", "wave_reduce fadd", "ir-attribute"),
        ("cluster 8", "cluster 6", "ir-attribute"),
        ("cluster 8", "cluster 128", "ir-attribute"),
        ("%1 = wave_elect", "%1 = wave_elect word 1", "ir-attribute"),
        ("wave_elect", "wave_elect iadd", "ir-attribute"),
        ("%7 = source wave_size", "%7 = quad_swap 1, %0", "ir-attribute"),
    ],
)
def test_rules(old: str, new: str, code: str) -> None:
    text = TEXT.replace(old, new)
    if "quad_swap" in new:
        text = text.replace("wave 64", "wave 2").replace(" word 1,", "").replace("cluster 8 ", "")
    assert [each.code for each in verify(parse_kernel(text))] == [code]


def test_waves_do_not_cross_groups() -> None:
    b = Builder(KernelIR(group=(6, 1, 1), wave=4))
    out = b.memory("out", Space.BUFFER, 8, writable=True)
    lane = b.source("thread_id.x")
    b.store(out, lane, 0, b.wave_reduce(lane, attr=Wave(OPS.iadd)))
    b.store(out, lane, 4, b.source("wave_lane"))
    found = bytearray(12 * 8)
    interpret(b.kernel, {"out": found}, groups=(2, 1, 1))
    words = struct.unpack("<24I", found)
    assert list(words[::2]) == [6, 6, 6, 6, 9, 9, 30, 30, 30, 30, 21, 21]
    assert list(words[1::2]) == [0, 1, 2, 3, 0, 1] * 2


def test_passes_do_not_move_wave_operations() -> None:
    """Equal ones are not merged; none moves out of or into a loop or an if."""
    text = """kernel main compute group 8 1 1 flush 32
memory %u0 buffer 16 writable

%0 = source thread_id_in_group_flattened
%1 = wave_reduce iadd, %0
%2 = ult %0, i32 4
if %2 {
  %3 = wave_reduce iadd, %0
  store %u0[%0, i32 0], %3
}
loop {
  %4 = wave_reduce iadd, i32 7
  store %u0[%0, i32 4], %4
  %5 = ult %4, %0
  if %5 {
    break
  }
}
store %u0[%0, i32 8], %1
%6 = wave_any %2
if %6 {
  %7 = wave_elect
  %8 = select %7, i32 1, i32 0
  store %u0[%0, i32 12], %8
}
"""
    kernel = parse_kernel(text)
    assert print_kernel(simplify(copied_kernel(kernel))) == text


def test_dead_code_is_removed() -> None:
    head = "kernel main compute group 8 1 1 flush 32\n\n"
    text = f"{head}%0 = source thread_id_in_group_flattened\n%1 = wave_first %0\n"
    assert print_kernel(simplify(parse_kernel(text))).endswith("flush 32\n\n")
