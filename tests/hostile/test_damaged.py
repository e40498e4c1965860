"""Work on damaged files is bounded: calls of Python functions for each byte are counted."""

import struct
from collections.abc import Callable
from contextlib import suppress

import pytest

import unshade
from tests.fixtures.containers import container
from tests.hostile import big
from tests.hostile.exercise import CALLS, OF_DAMAGED, look_at_the_rest
from tests.hostile.test_big import PER_BYTE, SIZE, calls_of
from unshade import UnshadeError


def overlapping_parts(size: int) -> bytes:
    """Return a container whose parts all reach to the end of the file."""
    count = size // 12
    start = 32 + 4 * count
    end = start + 8 * count
    offsets = range(start, end, 8)
    head = container([])[:24] + struct.pack("<2I", end, count)
    parts = b"".join(struct.pack("<4sI", b"SHEX", end - at - 8) for at in offsets)
    return head + struct.pack(f"<{count}I", *offsets) + parts


def parts_without_entries(size: int) -> bytes:
    """Return a container with one offset that is wrong, and many parts without one."""
    data = container([("ISGN", b"")] * (size // 12))
    return data[:28] + struct.pack("<2I", 1, 0xFFFF_FFFF) + data[36:]


def overlapping_executables(size: int) -> bytes:
    """Return DVLE headers with one table of constants; the limit `sharing` applies."""
    count = size // 80
    start = 8 + 4 * count + 0x28
    end = start + 64 * count
    made = b"DVLB" + struct.pack(f"<{count + 1}I", count, *(start + 64 * i for i in range(count)))
    made += b"DVLP" + bytes(0x24)
    for i in range(count):
        at = start + 64 * i
        made += b"DVLE" + bytes(20) + struct.pack("<2I", end - at, size // 20) + bytes(32)
    return made + bytes(size)[: size // 20 * 20 - 4]


BIG = [overlapping_parts, parts_without_entries, overlapping_executables]


def refused(data: bytes) -> UnshadeError:
    with pytest.raises(UnshadeError) as caught:
        unshade.loads(data)
    return caught.value


@pytest.mark.parametrize("make", BIG)
def test_nothing_but_our_errors(make: Callable[[int], bytes]) -> None:
    for size in (100, SIZE):
        data = make(size)
        look_at_the_rest(data, refused(data))


@pytest.mark.parametrize("name", big.INPUTS)
def test_nothing_but_our_errors_on_truncated_files(name: str) -> None:
    data = big.INPUTS[name](SIZE)
    for end in (len(data) // 2, len(data) // 4 * 4 - 8):
        look_at_the_rest(data[:end], refused(data[:end]))


def steps(data: bytes) -> int:
    def all_of_it() -> None:
        shader = unshade.loads(data, strict=False)
        for call in (*CALLS.values(), *OF_DAMAGED):
            with suppress(UnshadeError):
                call(shader)

    all_of_it()  # compiled once, not counted
    return calls_of(all_of_it)


@pytest.mark.slow
@pytest.mark.parametrize("make", [*BIG, *big.INPUTS.values()])
def test_steps(make: Callable[[int], bytes]) -> None:
    """Four times the bytes take about four times the steps."""
    small = SIZE // 4 if make is overlapping_executables else SIZE
    pieces = [make(size) for size in (small, 4 * small)]
    if make not in BIG:
        pieces = [data[: len(data) * 3 // 4] for data in pieces]
    few, many = (steps(data) for data in pieces)
    assert many <= (len(CALLS) + len(OF_DAMAGED)) * PER_BYTE * len(pieces[1])
    if make is not overlapping_executables:
        assert many <= 8 * few + 20_000
