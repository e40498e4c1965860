"""Runs of bytes in which two files differ."""

from random import Random

import pytest

from unshade import FormatError
from unshade.wire.runs import CHUNK, differing, patched


def plain(runs: dict[int, bytes]) -> dict[str, str]:
    return {f"0x{at:x}": raw.hex() for at, raw in runs.items()}


def test_runs_are_exact_and_end_at_chunks() -> None:
    before = bytes(3 * CHUNK)
    after = bytearray(before)
    after[1:3] = b"ab"
    after[CHUNK - 1 : CHUNK + 1] = b"cd"
    assert differing(before, bytes(after)) == {1: b"ab", CHUNK - 1: b"c", CHUNK: b"d"}
    assert differing(before, before) == {}


@pytest.mark.parametrize("size", [0, 1, CHUNK, 200, 300])
def test_a_patch_gives_the_second_file(size: int) -> None:
    chance = Random(size)
    before = bytes(chance.randrange(3) for _ in range(200))
    after = bytes(chance.randrange(3) for _ in range(size))
    assert patched(before, size, plain(differing(before, after)), "p") == after


@pytest.mark.parametrize(
    ("size", "runs"),
    [(-1, {}), ("3", {}), (1 << 40, {}), (4, []), (4, {"0x4": "00"}), (4, {"-0x1": "00"}),
     (4, {"x": "00"}), (4, {"0x0": "0g"}), (4, {"0x0": 3})],
)  # fmt: skip
def test_malformed_patches_are_refused(size: int, runs: object) -> None:
    with pytest.raises(FormatError):
        patched(b"1234", size, runs, "p")
