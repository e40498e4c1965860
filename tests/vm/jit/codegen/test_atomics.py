"""Atomics of floats and of 64 bits: the final contents, and the previous value in each lane."""

import struct

import pytest

from tests.ir.values import FLUSHES
from tests.vm.engines import flush_text, same, words
from unshade.ir.fold import fold
from unshade.ir.ops import OPS, Op
from unshade.ir.types import F32, F64, FLUSH_32, Type, Widths

pytestmark = pytest.mark.heavy

LANES = 8
EDGES = {
    F32: (0, 0x8000_0000, 0x3F80_0000, 0xBF80_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000,
          0xFFC0_1234, 0x7F80_0001, 1, 0x8000_0001, 0x007F_FFFF, 0x0080_0000, 0x7F7F_FFFF),
    F64: (0, 1 << 63, 0x3FF0 << 48, 0xBFF0 << 48, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48,
          1, (1 << 63) + 1, (0x0010 << 48) - 1, (0xFFF8 << 48) + 5, (0x7FF0 << 48) + 1,
          0x0010 << 48,
          (0x7FEF << 48) + (1 << 48) - 1),
}  # fmt: skip
MEANS = {OPS.atomic_fadd: OPS.fadd, OPS.atomic_fmin: OPS.fmin, OPS.atomic_fmax: OPS.fmax}


def kernel(op: Op, type: Type, flush: Widths, space: str, place: str) -> str:
    size = type.size
    head = f"kernel main compute group {LANES} 1 1{flush_text(flush)}"
    memory = f"memory %m {space} {size}"
    memory += " writable" if space == "buffer" else f" count {LANES} writable"
    copy = [] if space == "buffer" else [
        f"%20 = load:{type.name} %start[%0, i32 0]",
        f"store %m[{place}, i32 0], %20",
        "barrier group",
    ]  # fmt: skip
    return "\n".join([
        head, memory,
        f"memory %start buffer {size}",
        f"memory %given buffer {size}",
        f"memory %out buffer {2 * size} writable",
        "%0 = source thread_id.x",
        "%10 = source thread_id_in_group_flattened",
        *copy,
        f"%1 = load:{type.name} %given[%0, i32 0]",
        f"%2 = {op.name} %m[{place}, i32 0], %1",
        "store %out[%0, i32 0], %2",
        "barrier group",
        f"%3 = load:{type.name} %m[{place}, i32 0]",
        f"store %out[%0, i32 {size}], %3",
    ])  # fmt: skip


@pytest.mark.parametrize("space", ["buffer", "shared"])
@pytest.mark.parametrize("flush", FLUSHES, ids=str)
@pytest.mark.parametrize("type", [F32, F64], ids=str)
@pytest.mark.parametrize("op", MEANS, ids=lambda op: op.name)
def test_floats_without_contention(op: Op, type: Type, flush: Widths, space: str) -> None:
    pairs = [(old, new) for old in EDGES[type] for new in EDGES[type]]
    pairs += pairs[: -len(pairs) % LANES]
    start = b"".join(old.to_bytes(type.size, "little") for old, _ in pairs)
    given = b"".join(new.to_bytes(type.size, "little") for _, new in pairs)
    text = kernel(op, type, flush, space, "%0" if space == "buffer" else "%10")
    memories = {"start": start, "given": given, "out": bytes(2 * len(start))}
    if space == "buffer":
        memories["m"] = start
    out = same(text, memories, groups=(len(pairs) // LANES, 1, 1))["out"]
    code = "<2I" if type == F32 else "<2Q"
    for number, (old, new) in enumerate(pairs):
        found, left = struct.unpack_from(code, out, 2 * type.size * number)
        assert found == old
        assert left == fold(MEANS[op], type, ((old, type), (new, type)), flush)


@pytest.mark.parametrize("space", ["buffer", "shared"])
def test_floats_of_one_group_are_added_in_its_order(space: str) -> None:
    numbers = (1.0, 2.0**24, 1.0, 1.0, -(2.0**24), 0.5, 3.0, 0.25)
    text = kernel(OPS.atomic_fadd, F32, FLUSH_32, space, "i32 0")
    memories = {"start": bytes(4 * LANES), "given": struct.pack("<8f", *numbers)}
    memories["out"] = bytes(8 * LANES)
    if space == "buffer":
        memories["m"] = bytes(4)
    out = struct.unpack("<16f", same(text, memories)["out"])
    total, before = 0.0, []
    for number in numbers:
        before.append(total)
        total = struct.unpack("<f", struct.pack("<f", total + number))[0]
    assert list(out[::2]) == before
    assert set(out[1::2]) == {total}


def test_64_bit_exchange() -> None:
    text = """
kernel main compute group 8 1 1
memory %m buffer 8 writable
memory %out buffer 16 writable
%0 = source thread_id.x
%1 = uconv:i64 %0
%2 = imul %1, i64 0x100000001
%3 = atomic_xchg %m[i32 0, i32 0], %2
store %out[%0, i32 0], %3
%4 = iadd %2, i64 0x100000001
%5 = atomic_cas %m[i32 1, i32 0], %4, %2
store %out[%0, i32 8], %5
"""
    wide = 0x1_0000_0001
    given = {"m": bytes(16), "out": bytes(128)}
    left = same(text, given)
    assert left["m"] == struct.pack("<2Q", 7 * wide, 8 * wide)
    out = struct.unpack("<16Q", left["out"])
    assert list(out[::2]) == [0, *(n * wide for n in range(7))]
    assert list(out[1::2]) == [n * wide for n in range(8)]


def test_an_atomic_out_of_bounds_returns_0_and_writes_nothing() -> None:
    text = kernel(OPS.atomic_fadd, F32, FLUSH_32, "buffer", "i32 9")
    given = {"start": bytes(32), "given": words(*range(8)), "out": bytes(64), "m": words(1, 2)}
    left = same(text, given)
    assert left["m"] == words(1, 2)
    assert left["out"] == bytes(64)
