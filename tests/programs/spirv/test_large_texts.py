"""Large texts, whose types are kept in an array."""

from pathlib import Path

import pytest

import unshade
from unshade.errors import AssembleError
from unshade.programs.spirv import Program
from unshade.programs.spirv.assembler import reader

EXAMPLES = Path(__file__).parents[3] / "examples"
FAR = """
%4000000 = OpTypeInt 64 0
%3999999 = OpConstant %4000000 0x123456789
%7 = OpTypeFloat 16
%8 = OpConstant %7 1.5
"""


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGE", 0)


@pytest.mark.parametrize("dialect", ["native", "exact"])
def test_texts_mean_the_same(dialect: str) -> None:
    shader = unshade.open(EXAMPLES / "particles.spv")
    text = shader.disassemble(dialect)
    found = unshade.assemble(text, "spirv")
    assert found.disassemble(dialect) == text
    if dialect == "exact":
        assert found.to_bytes() == shader.to_bytes()


def test_ids_may_be_greater_than_the_number_of_lines() -> None:
    found = Program.assemble(FAR, preserve_numeric_ids=True)
    words = [each.words for each in found.module.instructions]
    assert words[1][3:] == (0x23456789, 1)
    assert words[3][3:] == (0x3E00,)


def test_errors_are_reported() -> None:
    with pytest.raises(AssembleError, match="unknown instruction"):
        Program.assemble("%1 = OpTypeInt 32 0\nOpNone\n")


@pytest.mark.parametrize("order", ["little", "big"])
def test_bytes_in_both_orders(order: str) -> None:
    module = Program.assemble(FAR).module
    module.order, module.trailing = order, b"end"
    data = module.to_bytes()
    assert int.from_bytes(data[:4], order) == 0x07230203  # type: ignore[arg-type]
    edited = Program.assemble(FAR).module
    assert edited.instructions  # as objects
    edited.order, edited.trailing = order, b"end"
    assert edited.to_bytes() == data
