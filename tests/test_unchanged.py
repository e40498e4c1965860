"""Work that is done once while nothing changes, and again after a change."""

from __future__ import annotations

import unshade
from tests.examples import EXAMPLES
from unshade.programs.spirv.index import index_of
from unshade.unchanged import once, unchanged


def test_a_function_is_called_once_for_each_object_in_a_block() -> None:
    calls: list[list[int]] = []

    @once
    def total(given: list[int]) -> int:
        calls.append([*given])
        return sum(given)

    numbers, others = [1, 2], [1, 2]
    assert total(numbers) == total(numbers) == 3
    assert len(calls) == 2
    with unchanged():
        assert total(numbers) == total(numbers) == total(others) == 3
    assert len(calls) == 4
    numbers.append(3)
    assert total(numbers) == 6
    with unchanged():
        assert total(numbers) == 6


def test_an_object_in_a_block_is_kept_alive() -> None:
    """Another one with its identity would get its result."""

    @once
    def first(given: list[int]) -> int:
        return given[0]

    with unchanged():
        assert [first([number]) for number in range(100)] == [*range(100)]


def test_an_index_is_made_again_after_an_edit() -> None:
    program = unshade.open(EXAMPLES / "clay.frag.spv").programs[0]
    module = program.module  # type: ignore[attr-defined]
    with unchanged():
        assert index_of(module) is index_of(module)
        before = len(index_of(module).decoded)
    del module.instructions[-1]
    with unchanged():
        assert len(index_of(module).decoded) == before - 1
