"""The numbers of docs/security.md are those of the code."""

import pytest

from tests.corpus import REPOSITORY
from tests.hostile.test_big import PER_BYTE
from unshade.limits import DEFAULT
from unshade.vm.jit.cache import disk, seal
from unshade.vm.jit.engine import MAX_SCRATCH
from unshade.vm.launch import BUDGET, MOST
from unshade.vm.lockstep.batch import MAX_MEMORY

PAGE = (REPOSITORY / "docs" / "security.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("files up to 256 MiB", DEFAULT.file_size == 256 << 20),
        ("strings up to 64 KiB", DEFAULT.string_size == 64 << 10),
        ("records nested up to 64 deep", DEFAULT.depth == 64),
        ("up to 4,096 parts", DEFAULT.parts == 4096),
        ("at most 60 for each byte", PER_BYTE == 60),
        ("(2²⁴ by default)", BUDGET == 1 << 24),
        ("shared memory are limited to 256 MiB in total", MAX_MEMORY == MAX_SCRATCH == 256 << 20),
        ("at most 2³¹ lanes", MOST == 1 << 31),
        ("at most 64 MiB are read", disk.MAX_FILE == 64 << 20),
        ("a key of 32 random bytes", seal.KEY_SIZE == 32),
    ],
)
def test_numbers_match_the_code(sentence: str, holds: bool) -> None:
    assert sentence in PAGE
    assert holds
