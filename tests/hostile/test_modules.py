"""Mutated SPIR-V and DXIL on both engines; fuzz/execution.py does the same without end."""

import random
from functools import cache

import pytest

from tests.hostile.engines import compared
from tests.hostile.seeds import mutant, own_bitcode, own_modules, runnable
from unshade.errors import EncodeError
from unshade.programs.dxil.program import Program as Bitcode
from unshade.programs.spirv.program import Program

pytestmark = pytest.mark.heavy


@cache
def files() -> list[bytes]:
    return runnable(own_modules(), 1 << 16, Program)


@cache
def containers() -> list[bytes]:
    return runnable(own_bitcode(), 1 << 16, Bitcode)


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_both_engines_agree_about_mutated_modules(first: int) -> None:
    """Mutants run to the same bits, or end in the same error of the library."""
    for seed in range(first, first + 10):
        compared(mutant(seed, files()), random.Random(seed))


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_both_engines_agree_about_mutated_bitcode(first: int) -> None:
    ran = 0
    for seed in range(first, first + 10):
        try:
            data = mutant(seed, containers())
        except EncodeError:
            continue
        ran += compared(data, random.Random(seed)) in ("ran", "budget", "races")
    assert ran > 2
