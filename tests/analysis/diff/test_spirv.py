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


def test_names_sources_and_lines_are_debug_information() -> None:
    found = unshade.diff(saxpy(), saxpy(names=False))
    assert Category.CODE not in found.categories
    assert found.programs == []
    (debug,) = found.container
    assert (debug.path, debug.category, debug.change) == (
        "debug information", Category.DEBUG, "removed",
    )  # fmt: skip
    left = saxpy().program.stripped("debug")
    assert left is not None
    assert debug.before == len(saxpy().program.instructions) - len(left.instructions)
    assert found.verdict.startswith("the code is the same;")
    assert not unshade.diff(saxpy(), saxpy(names=False), only=["code"])
    assert not unshade.diff(saxpy(), permuted(saxpy()), only=["debug"])


def test_specialisation_constants_are_set_by_id() -> None:
    text = 'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpName %k "k"\n'
    text += "OpDecorate %k SpecId 3\n%u = OpTypeInt 32 0\n%k = OpSpecConstant %u 1\n"
    before, after = unshade.assemble(text), unshade.assemble(text.replace('"k"', '"other"'))
    changes = unshade.diff(before, after).reflection
    assert {each.category for each in changes} <= {Category.REFLECTION}


def test_changed_debug_information_is_counted() -> None:
    after = saxpy()
    names = [each.name for each in after.program.instructions]
    after.program.remove(names.index("OpName"))
    (debug,) = unshade.diff(saxpy(), after, only=["debug"]).container
    count = debug.before
    assert debug.before_text == f"{count} lines"
    assert debug.after_text == f"{count - 1} lines, {count - 1} of them the same"
