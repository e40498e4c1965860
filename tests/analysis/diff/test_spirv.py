"""Differences of SPIR-V modules: ids that are only renumbered are none."""

from __future__ import annotations

import random

import unshade
from tests.programs.spirv.modules import SAXPY
from unshade import SpirvModule
from unshade.parts import Category
from unshade.programs.spirv import Instruction


def saxpy(names: bool = True) -> SpirvModule:
    made = unshade.assemble(SAXPY.read_text("utf-8"))
    assert isinstance(made, SpirvModule)
    if not names:
        made.strip()
    return made


def permuted(shader: SpirvModule) -> SpirvModule:
    """Return the module with other numbers for its ids."""
    program = shader.program
    ids = list(range(1, program.module.bound))
    mixed = dict(zip(ids, random.Random(7).sample(ids, len(ids)), strict=True))
    made = []
    for each, decoded in zip(program.module.instructions, program.index.decoded, strict=True):
        words = list(each.words)
        for piece in decoded.operands:
            if piece.is_id:
                words[piece.at] = mixed[words[piece.at]]
        made.append(Instruction(words))
    program.module.instructions = made
    return shader


def test_renumbered_ids_are_layout() -> None:
    for names in (True, False):
        found = unshade.diff(saxpy(names), permuted(saxpy(names)))
        assert found.categories == [Category.CONTAINER]
        assert found.programs == []


def test_an_instruction_is_the_only_difference_of_renumbered_modules() -> None:
    after = permuted(saxpy(names=False))
    names = [each.name for each in after.program.instructions]
    at = names.index("OpFMul")
    line = after.program.instructions[at]
    after.program.insert(at, str(line).replace(str(line.results[0]), "%fresh", 1))
    (found,) = unshade.diff(saxpy(names=False), after).programs
    assert (found.added, found.removed, found.changed, found.moved) == (1, 0, 0, 0)
    (change,) = found.lines
    assert change.after is not None
    assert "OpFMul" in change.after


def test_an_operand_that_is_another_value_is_found() -> None:
    after = permuted(saxpy(names=False))
    code = after.program.instructions
    at = next(n for n, each in enumerate(code) if each.name == "OpFAdd")
    result, kind, first, _ = map(str, code[at].operands)
    after.program.replace(at, f"{result} = OpFAdd {kind} {first} {first}")
    (found,) = unshade.diff(saxpy(names=False), after).programs
    assert (found.added, found.removed, found.changed, found.moved) == (0, 0, 1, 0)


def test_the_header_is_the_container() -> None:
    after = saxpy()
    after.program.module.generator = 0x000D_000B
    found = unshade.diff(saxpy(), after)
    assert [each.path for each in found.container] == ["generator"]
    assert found.programs == []
