"""Work that is done once while nothing changes, and again after a change."""

from __future__ import annotations

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.formats.dxcontainer.parts.kind import RecordKind
from unshade.programs.spirv import reading
from unshade.programs.spirv.context import Context
from unshade.programs.spirv.index import index_of
from unshade.programs.spirv.operands import Decoded, decode
from unshade.programs.spirv.tables.grammar import Grammar
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


def test_operands_are_read_once_in_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the index, findings, facts, texts and lowering of a module."""
    shader = unshade.open(EXAMPLES / "clay.frag.spv")
    program = shader.programs[0]
    seen: list[tuple[int, ...]] = []

    def counted(words: tuple[int, ...], context: Context, table: Grammar) -> Decoded:
        seen.append(words)
        return decode(words, context, table)

    monkeypatch.setattr(reading, "decode", counted)
    with unchanged():
        shader.reflect()
        shader.verify()
        program.lower()
        count = len(program.instructions)
    assert len(seen) == count


def test_a_decoded_part_is_not_encoded_for_its_known_size(monkeypatch: pytest.MonkeyPatch) -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    with unchanged():
        sizes = [each.size for each in shader.parts]
        assert shader["RDEF"].creator
        with monkeypatch.context() as patched:
            patched.delattr(RecordKind, "write")
            assert [each.size for each in shader.parts] == sizes
    shader["RDEF"].creator += " and a name that is longer than before"
    assert [each.size for each in shader.parts] != sizes
