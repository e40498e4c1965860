"""Damaged archives end in shaders, a limit or a package that is missing, and nowhere else."""

import random
import sys
from pathlib import Path

import pytest

import unshade
from tests.archives.packing import PACKS
from tests.archives.test_caches import MODULES, PHONG, SAXPY, capture, effect, foz, xnb
from unshade.errors import LimitError, UnshadeError, UnsupportedError
from unshade.limits import Limits

pytestmark = pytest.mark.slow

SMALL = Limits(unpacked=1 << 22, file_size=1 << 22, entries=20_000)
SEEDS = [
    *(pack(b"ab" + SAXPY + b"cd") for pack in PACKS.values()),
    *(capture(PHONG, pack) for pack in ("lz4", "zstd", "none")),
    foz(MODULES), foz(MODULES, packed=False), xnb(effect([SAXPY]), 0x40),
]  # fmt: skip
WORDS = [0, 1, 255, 65535, 2**31 - 1, 2**32 - 1]


def damaged(chance: random.Random) -> bytes:
    data = bytearray(chance.choice(SEEDS))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        at = chance.randrange(min(len(data), chance.choice((90, len(data)))))
        match chance.randrange(5):
            case 0:
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                data[at : at + 4] = chance.choice(WORDS).to_bytes(4, "little")
            case 2:
                del data[at : at + chance.randrange(1, 40)]
            case 3:
                data[at:at] = chance.choice(SEEDS)[: chance.randrange(200)]
            case _:
                del data[max(at, 8) :]
    return bytes(data)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_archives(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(300):
        data = damaged(chance)
        try:
            found = list(unshade.find(data, strict=chance.random() < 0.5, limits=SMALL))
        except (LimitError, UnsupportedError):
            continue
        for each in found:
            assert len(each.data) == each.size
            assert each.path
            assert each.stage is None or each.stage
        if found:
            chosen = chance.choice(found)
            try:
                copy = unshade.put_back(data, {chosen.path: chosen.data}, limits=SMALL)
            except UnshadeError:
                continue
            now = [each.data for each in unshade.find(copy, strict=False)]
            assert now == [each.data for each in unshade.find(data, strict=False)]


def test_nothing_is_found_in_noise() -> None:
    """A sample; the whole run is 1 GiB."""
    chance = random.Random(35)
    for _ in range(8):
        data = chance.randbytes(4 << 20)
        assert list(unshade.find(data, strict=False)) == []


def test_nothing_is_found_in_the_library_of_python() -> None:
    """A sample of the installation, compiled modules, archives and executables included."""
    folder = Path(sys.base_prefix)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    assert files
    for path in random.Random(35).sample(files, min(400, len(files))):
        if path.stat().st_size < 8 << 20:
            assert list(unshade.find(path.read_bytes(), strict=False)) == [], path
