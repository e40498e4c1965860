"""Accesses out of bounds and at the bounds: none is undefined."""

import itertools

import numpy as np
import pytest

from tests.vm.engines import ENGINES, parsed, same, words
from unshade.errors import UsageError
from unshade.ir.types import F64, I8, I16, I32, I64, Type
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch

pytestmark = pytest.mark.heavy

NUMBERS = (0, 1, 2, 3, 4, 5, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFC, 0xFFFF_FFFE, 0xFFFF_FFFF)


def accesses(type: Type, stride: int, bounds: str, space: str, element: str, byte: str) -> str:
    """Return a kernel in which each lane reads one place, and one lane also writes there."""
    memory = f"memory %m {space} {stride}"
    memory += " writable" if space == "buffer" else " count 3 writable"
    one = "i32 7" if type == I32 else "%8"
    made = "" if type == I32 else f"%8 = uconv:{type.name} i32 7\n"
    if type == F64:
        made = "%9 = uconv:i64 i32 7\n%8 = asfloat %9\n"
    return f"""
kernel main pixel group 1 1 1
memory %p buffer 8
memory %out buffer 8 writable
{memory} {bounds}
{memory.replace("%m", "%w")} {bounds}
%0 = source item
%1 = load:i32 %p[%0, i32 0]
%2 = load:i32 %p[%0, i32 4]
{made}%3 = load:{type.name} %m[{element}, {byte}]
store %out[%0, i32 0], %3
%4 = ieq %0, i32 3
if %4 {{
  store %w[{element}, {byte}], {one}
  %5 = load:i32 %w[{element}, {byte}]
  %6 = iadd %5, %1
  store %out[%0, i32 0], %6
}}
"""


@pytest.mark.parametrize("bounds", ["", "clamp"])
@pytest.mark.parametrize("size", [0, 3, 24, 41])
@pytest.mark.parametrize(
    ("type", "stride"),
    [
        (I32, 4),
        (I32, 1),
        (I32, 3),
        (I32, 12),
        (I16, 2),
        (I16, 1),
        (I8, 1),
        (I8, 3),
        (I64, 8),
        (I64, 4),
        (F64, 16),
    ],
)
def test_accesses_to_a_buffer(type: Type, stride: int, size: int, bounds: str) -> None:
    places = list(itertools.product(NUMBERS, (0, 1, 2, 4, 0xFFFF_FFFC)))
    memories = {
        "p": words(*(each for place in places for each in place)),
        "out": bytes(8 * len(places)),
        "m": bytes(range(1, size + 1)),
        "w": bytes(range(1, size + 1)),
    }
    text = accesses(type, stride, bounds, "buffer", "%1", "%2")
    same(text, memories, items=len(places))


@pytest.mark.parametrize("bounds", ["", "clamp"])
@pytest.mark.parametrize("element", ["%0", "%1", "i32 0", "i32 2", "i32 3", "i32 -1"])
@pytest.mark.parametrize("byte", ["i32 0", "i32 4", "i32 -4", "%2"])
@pytest.mark.parametrize("space", ["buffer", "local"])
def test_constant_addresses(space: str, byte: str, element: str, bounds: str) -> None:
    for stride, items in ((4, 5), (8, 70)):
        memories = {
            "p": words(*range(2 * items)),
            "out": bytes(8 * items),
        }
        if space == "buffer":
            memories |= {"m": bytes(range(1, 37)), "w": bytes(range(1, 37))}
        same(accesses(I32, stride, bounds, space, element, byte), memories, items=items)


@pytest.mark.parametrize("items", [1, 63, 64, 200])
@pytest.mark.parametrize("count", [0, 1, 64, 190])
@pytest.mark.parametrize("offset", [0, 3, -2, 0x7FFF_FFF0])
def test_adjacent_accesses(items: int, count: int, offset: int) -> None:
    text = f"""
kernel main pixel group 1 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
%0 = source item
%1 = iadd %0, i32 {offset}
%2 = load:i32 %t0[%1, i32 0]
%3 = iadd %2, i32 1
store %u0[%1, i32 0], %3
"""
    memories = {"t0": words(*range(1, count + 1)), "u0": bytes(4 * 150)}
    same(text, memories, items=items)


@pytest.mark.parametrize("items", [1, 64, 100])
@pytest.mark.parametrize("count", [0, 20, 64])
@pytest.mark.parametrize("offset", [0, 12, -8, -64])
@pytest.mark.parametrize("index", ["ushr %2, i32 2", "and %2, i32 0x3fffffff"])
def test_adjacent_accesses_by_byte_addresses(
    items: int, count: int, offset: int, index: str
) -> None:
    """Addresses wrap around at 2^32, indices at 2^30."""
    text = f"""
kernel main pixel group 1 1 1
memory %c constant 16
memory %t0 buffer 4
memory %u0 buffer 4 writable
%0 = source item
%5 = load:i32 %c[i32 0, i32 0]
%1 = ishl %0, i32 {2 if "ushr" in index else 0}
%2 = iadd %1, %5
%3 = {index}
%4 = load:i32 %t0[%3, i32 0]
%6 = iadd %4, i32 1
store %u0[%3, i32 0], %6
"""
    memories = {"c": words(offset, 0, 0, 0), "t0": words(*range(1, count + 1))}
    same(text, memories | {"u0": bytes(4 * 60)}, items=items)


@pytest.mark.parametrize("stride", [4, 12])
@pytest.mark.parametrize("count", [0, 33, 48, 200])
@pytest.mark.parametrize("step", [1, 3])
def test_stores_at_equal_distances(stride: int, count: int, step: int) -> None:
    text = f"""
kernel main pixel group 1 1 1
memory %c constant 16
memory %u0 buffer {stride} writable
memory %u1 buffer {stride} writable
%0 = source item
%1 = imul %0, i32 {step}
%2 = load:i32 %c[i32 0, i32 0]
%3 = iadd %1, %2
store %u0[%3, i32 {stride - 4}], %0
%4 = ult %0, i32 20
if %4 {{
  %5 = iadd %3, i32 2
  store %u1[%5, i32 0], %2
}}
"""
    for start in (0, 3, 0xFFFF_FFF8):
        memories = {"c": words(start, 0, 0, 0), "u0": bytes(stride * count)}
        same(text, memories | {"u1": bytes(stride * count)}, items=37)


ATOMICS = ("add", "and", "or", "xor", "imin", "imax", "umin", "umax", "xchg", "cas")


@pytest.mark.parametrize("space", ["buffer", "shared", "local"])
@pytest.mark.parametrize("type", [I32, I64], ids=str)
def test_atomics(type: Type, space: str) -> None:
    memory = "buffer 8 writable" if space == "buffer" else f"{space} 8 count 4 writable"
    lines = []
    for number, name in enumerate(ATOMICS):
        more = ", %5" if name == "cas" else ""
        lines += [
            f"%{10 + number} = atomic_{name} %m[%2, %3], %4{more}",
            f"store %out[%0, i32 {8 * number}], %{10 + number}",
        ]
    text = f"""
kernel main compute group 5 1 1
memory %p buffer 8
memory %out buffer 88 writable
memory %m {memory}
%0 = source thread_id.x
%1 = load:i32 %p[%0, i32 0]
%2 = and %1, i32 7
%3 = load:i32 %p[%0, i32 4]
%4 = load:{type.name} %p[%0, i32 0]
%5 = load:{type.name} %p[i32 1, i32 0]
""" + "\n".join(lines)
    places = [(0, 0), (1, 4), (0x8000_0002, 0), (3, 2), (-3, 0), (4, 8), (5, -4), (7, 1)]
    places += [(4 + 8 * number, 8) for number in range(7)]
    # Which of several lanes comes first decides what each finds: one lane for each place.
    memories = {"p": words(*(each for place in places for each in place)), "out": bytes(88 * 15)}
    if space == "buffer":
        memories["m"] = bytes(range(100, 132))
    same(text, memories, groups=(3, 1, 1))


def test_arrays_at_any_address() -> None:
    """Unaligned arrays, arrays bound twice, and outputs with gaps."""
    kernel = parsed("""
kernel main pixel group 1 1 1
memory %t0 buffer 8
memory %u0 buffer 8 writable
out %o0 i32
%0 = source item
%1 = load:i64 %t0[%0, i32 0]
%2 = iadd %1, %1
store %u0[%0, i32 0], %2
%3 = load:i32 %t0[%0, i32 0]
output %o0, %3
""")
    for engine in ENGINES:
        data = np.zeros(163, np.uint8)
        array = data[3:]
        array[::8] = np.arange(20, dtype=np.uint8)
        outputs = np.zeros(40, np.uint32)[::2]
        memories = {"t0": array, "u0": array}
        engine.run(kernel, Launch(memories, items=20, outputs={"o0": outputs}))
        assert list(array[::8]) == list(outputs) == list(range(0, 40, 2))


def test_accesses_out_of_bounds_are_counted() -> None:
    """They are counted by memory, once for each lane, on several threads too."""
    kernel = parsed("""
kernel main compute group 64 1 1
memory %cb0 constant 16
memory %t0 buffer 4
memory %u0 buffer 4 writable
memory %u1 buffer 4 writable
memory %x0 local 4 count 4 writable
var @n i32
%0 = source thread_id.x
%1 = load:i32 %cb0[i32 1, i32 0]
%2 = load:i32 %t0[%0, i32 0]
store %u0[%0, i32 0], %2
%3 = atomic_add %u1[%2, i32 0], i32 1
%4 = source thread_id_in_group_flattened
%5 = and %4, i32 7
store %x0[%5, i32 0], %4
loop {
  %6 = get @n
  %7 = ieq %6, i32 3
  if %7 {
    break
  }
  %8 = load:i32 %cb0[%6, i32 0]
  %9 = iadd %6, i32 1
  set @n, %9
}
""")
    lanes, valid = 1 << 17, 100_000
    for engine in (*ENGINES, Jit(threads=3)):
        memories = {
            "cb0": np.zeros(16, np.uint8),
            "t0": np.arange(valid, dtype=np.uint32).view(np.uint8),
            "u0": np.zeros(4 * valid - 4, np.uint8),
            "u1": np.zeros(4 * 10, np.uint8),
        }
        report = engine.run(kernel, Launch(memories, (lanes // 64, 1, 1)))
        assert report.lanes == lanes
        assert report.out_of_bounds == {
            "cb0": 3 * lanes,
            "t0": lanes - valid,
            "u0": lanes - valid + 1,
            "u1": valid - 10,
            "x0": lanes // 2,
        }


def test_reads_of_lanes_without_effects_are_counted() -> None:
    kernel = parsed("""
kernel main pixel group 1 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
%0 = source item
%1 = and %0, i32 2
%2 = ine %1, i32 0
discard %2
%3 = load:i32 %t0[%0, i32 0]
store %u0[%0, i32 0], %3
%4 = ult i32 90, %0
if %4 {
  return
}
discard %2
%5 = ieq %0, i32 0
discard %5
""")
    helpers = np.arange(100) % 4 == 3
    for engine in ENGINES:
        memories = {"t0": np.zeros(0, np.uint8), "u0": np.zeros(0, np.uint8)}
        report = engine.run(kernel, Launch(memories, items=100, helpers=helpers))
        assert report.out_of_bounds == {"t0": 100, "u0": 50}
        assert report.discarded == 26


@pytest.mark.parametrize(
    "launch",
    [
        Launch(items=4),
        Launch({"u0": np.zeros(8, np.uint32)}, items=4),
        Launch({"u0": np.zeros(64, np.uint8)[::2]}, items=4),
        Launch({"u0": np.zeros(8, np.uint8)}, items=-1),
        Launch({"u0": np.zeros(8, np.uint8)}, items=1 << 28),
        Launch({"u0": np.zeros(8, np.uint8)}, items=4, helpers=np.zeros(3, np.bool_)),
    ],
)
def test_invalid_launches(launch: Launch) -> None:
    kernel = parsed("""
kernel main pixel group 1 1 1
memory %u0 buffer 4 writable
%0 = source item
store %u0[%0, i32 0], %0
""")
    for engine in ENGINES:
        with pytest.raises(UsageError):
            engine.run(kernel, launch)
