"""Edits by index, which work alike for every instruction set."""

from __future__ import annotations

import pytest

from unshade import Instruction, Program, UnsupportedError, UsageError
from unshade.programs import pica, tpf


class Word:
    """An instruction that is a word."""

    operands = ()
    results = ()

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name


class Words(Program[Word]):
    """A program of words."""

    def __init__(self, text: str) -> None:
        self.words = [Word(each) for each in text.split()]

    @property
    def instructions(self) -> list[Word]:
        return self.words

    def replace(self, where: int | slice, *instructions: Instruction | str) -> list[Word]:
        start, out = self.places(where)
        new = [Word(str(each)) for each in instructions]
        self.words = [each for at, each in enumerate(self.words) if at not in out]
        self.words[start:start] = new
        return new

    def __str__(self) -> str:
        return " ".join(map(str, self.words))


def test_insert_places_instructions_before_the_index() -> None:
    code = Words("a b c")
    assert [str(each) for each in code.insert(1, "x", "y")] == ["x", "y"]
    assert str(code) == "a x y b c"
    code.insert(-1, "z")
    code.insert(6, "end")
    assert str(code) == "a x y b z c end"
    for place in (8, -8, "1", None):
        with pytest.raises(UsageError, match="expected an index from 0 to 7, got"):
            code.insert(place, "q")  # type: ignore[arg-type]


def test_remove_returns_the_instructions() -> None:
    code = Words("a b c d e")
    assert [str(each) for each in code.remove(-1)] == ["e"]
    assert [str(each) for each in code.remove(slice(1, 3))] == ["b", "c"]
    assert [str(each) for each in code.remove(slice(None, None, -1))] == ["d", "a"]
    assert str(code) == ""


@pytest.mark.parametrize("where", [3, -4, "0", None, slice("a", None), slice(0, 1, 0)])
def test_invalid_places(where: int | slice) -> None:
    with pytest.raises(
        UsageError, match=r"no instruction .*: expected 0 to 2|an index of an instr"
    ):
        Words("a b c").places(where)


def test_a_program_without_instructions_is_not_edited() -> None:
    class Opaque(Program):
        language = "opaque"

    code = Opaque()
    assert code.instructions == ()
    with pytest.raises(UnsupportedError, match="opaque programs cannot be edited"):
        code.replace(slice(0, 0), "x")
    with pytest.raises(UnsupportedError, match="opaque programs cannot be edited"):
        code.insert(0, "x")


@pytest.mark.parametrize("kind", [pica.Program, tpf.Program])
def test_instruction_sets_share_the_edits(kind: type[Program]) -> None:
    assert issubclass(kind, Program)
    assert kind.insert is Program.insert
    assert kind.remove is Program.remove
    assert kind.replace is not Program.replace
