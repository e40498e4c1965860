"""Flushing of subnormals in some float widths: interpreter, lockstep and jit agree."""

import struct

import pytest

from tests.ir.values import FLUSHES
from tests.vm.compare import compared
from tests.vm.engines import flush_text, parsed, same, words
from unshade.ir.fold import LEAST_NORMAL, from_float
from unshade.ir.types import FLOATS, FLUSH_32, KEEP, Type, Widths

pytestmark = pytest.mark.heavy


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(700, 704))
@pytest.mark.parametrize("widths", FLUSHES, ids=str)
def test_every_combination(widths: Widths, seed: int) -> None:
    assert not compared(seed, widths)


@pytest.mark.parametrize("type", FLOATS.values(), ids=str)
@pytest.mark.parametrize("widths", FLUSHES, ids=str)
def test_results_that_round_up_to_the_least_normal_number(widths: Widths, type: Type) -> None:
    """With unlimited precision and exponents it would be less."""
    text = f"""kernel main compute group 8 1 1{flush_text(widths)}
memory %given buffer 8
memory %out buffer 64 writable

%0 = source thread_id.x
%1 = load:{type} %given[i32 0, i32 0]
%2 = load:{type} %given[i32 1, i32 0]
%3 = fmul %1, %2
store %out[%0, i32 0], %3
%4 = fmul_legacy %2, %1
store %out[%0, i32 8], %4
%5 = ffma %1, %2, {type} 0.0
store %out[%0, i32 16], %5
%6 = load:{type} %given[i32 2, i32 0]
%7 = fdiv %2, %6
store %out[%0, i32 24], %7
%8 = fsub %2, %7
store %out[%0, i32 32], %8
"""
    least = LEAST_NORMAL[type.bits]
    below = from_float(1.0, type) - 1
    above = from_float(1.0, type) + 1
    given = b"".join(each.to_bytes(8, "little") for each in (below, least, above))
    found = struct.unpack("<8Q", same(text, {"given": given, "out": bytes(512)})["out"][:64])
    if type.bits in widths:
        assert found[:4] == (0, 0, 0, 0)
        assert found[4] == least
    else:
        assert found[:4] == (least, least, least, least - 1)
        assert found[4] == 1


@pytest.mark.parametrize(("of", "to"), [(32, 16), (64, 16), (64, 32)])
@pytest.mark.parametrize("widths", FLUSHES, ids=str)
def test_conversions_with_subnormal_results(widths: Widths, of: int, to: int) -> None:
    text = f"""kernel main compute group 1 1 1{flush_text(widths)}
memory %given buffer 8
memory %out buffer 8 writable

%0 = source thread_id.x
%1 = load:{FLOATS[of]} %given[%0, i32 0]
%2 = fconv:{FLOATS[to]} %1
store %out[%0, i32 0], %2
"""
    exponent = {16: -14, 32: -126}[to]
    digits = {16: 11, 32: 24}[to]
    least = 2.0**exponent
    numbers = [least, least / 2, least - 2.0 ** (exponent - digits - 1), -least / 4]
    kept = [from_float(each, FLOATS[to]) for each in numbers]
    given = b"".join(from_float(each, FLOATS[of]).to_bytes(8, "little") for each in numbers)
    out = same(text, {"given": given, "out": bytes(32)}, groups=(4, 1, 1))["out"]
    found = struct.unpack("<4Q", out)
    zero = [kept[0], 0, kept[0], 1 << to - 1]
    assert list(found) == (zero if to in widths else kept)


MIXED = """kernel main compute group 8 1 1 wave 8{flush}
memory %given buffer 4
memory %wide buffer 8 writable
memory %sum buffer 4 writable
memory %out buffer 12 writable

%0 = source thread_id.x
%1 = load:f64 %wide[%0, i32 0]
%2 = fmul %1, f64 0.5
store %wide[%0, i32 0], %2
%3 = load:f32 %given[%0, i32 0]
%4 = atomic_fadd %sum[%0, i32 0], %3
%5 = wave_reduce fadd, %3
store %out[%0, i32 0], %5
%6 = wave_scan fmax, %3
store %out[%0, i32 4], %6
%7 = wave_equal %3
%8 = select %7, i32 1, i32 0
store %out[%0, i32 8], %8
"""


@pytest.mark.parametrize("widths", [KEEP, FLUSH_32], ids=str)
def test_atomics_and_waves_if_64_bit_floats_are_not_flushed(widths: Widths) -> None:
    given = {
        "given": words(*range(1, 9)),
        "wide": struct.pack("<8Q", *range(2, 18, 2)),
        "sum": words(*[0x0080_0000] * 4, *[0] * 4),
        "out": bytes(96),
    }
    left = same(MIXED.format(flush=flush_text(widths)), given)
    assert left["wide"] == struct.pack("<8Q", *range(1, 9))  # subnormal, all of them
    if widths:
        assert left["sum"] == words(*[0x0080_0000] * 4, *[0] * 4)
        assert left["out"] == words(*[0, 0, 1] * 8)
    else:
        assert left["sum"] == words(*range(0x0080_0001, 0x0080_0005), *range(5, 9))
        assert left["out"] == words(*(each for n in range(1, 9) for each in (36, n, 0)))


def test_the_processor_mode_is_used_if_it_suffices() -> None:
    text = "kernel main compute group 8 1 1 flush {}\nmemory %m buffer 8 writable\n"
    text += "%0 = load:f32 %m[i32 0, i32 0]\n%1 = fadd %0, %0\nstore %m[i32 0, i32 0], %1\n"
    wide = "%2 = load:f64 %m[i32 0, i32 0]\n%3 = fadd %2, %2\nstore %m[i32 0, i32 0], %3\n"
    assert parsed(text.format("32")).mode
    assert parsed(text.format("32 64")).mode
    assert parsed(text.format("32 64") + wide).mode
    assert not parsed(text.format("32") + wide).mode
    assert not parsed(text.format("64") + wide).mode
    assert parsed(text.format("16 32")).written == {16}
