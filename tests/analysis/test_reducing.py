"""Smaller shaders for which a test still holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.reducing import reduce
from unshade.isa.line_edits import LineEdit, block_edits


def lines_of(shader: unshade.Shader) -> list[str]:
    return shader.disassemble().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "word", "most"),
    [
        ("phong.dxbc", "discard", 4),
        ("saxpy6.dxil", "fmul", 3),
        ("clay.frag.spv", "OpFMul", 26),
        ("lit.shbin", "dp3", 4),
        ("julia.skslb", "dot(", 20),
    ],
)
def test_programs_of_every_language(name: str, word: str, most: int) -> None:
    shader = unshade.open(EXAMPLES / name)
    before = shader.to_bytes()
    found = reduce(shader, lambda each: word in each.disassemble())
    assert shader.to_bytes() == before
    assert word in found.disassemble()
    assert len(found.to_bytes()) < len(before)
    code = found.programs[0]
    count = len(code.instructions) if hasattr(code, "instructions") else len(lines_of(found))
    assert count <= most
    old = {each.code for each in shader.verify() if each.severity == unshade.Severity.ERROR}
    assert {each.code for each in found.verify() if each.severity == unshade.Severity.ERROR} <= old


@pytest.mark.slow
def test_branches_loops_and_functions_of_spirv_disappear() -> None:
    """The call of a function in a loop, which is what the test asks for, without either."""
    text = (EXAMPLES / "particles.spvasm").read_text()
    shader = unshade.assemble(text, "spirv")
    found = reduce(shader, lambda each: "OpStore" in each.disassemble())
    words = {line.split("=")[-1].split()[0] for line in lines_of(found) if "Op" in line}
    assert not words & {"OpLoopMerge", "OpSelectionMerge", "OpBranchConditional", "OpPhi"}
    assert found.verify() == []


@pytest.mark.slow
def test_the_test_sees_no_shader_twice_and_no_invalid_one() -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    seen: list[bytes] = []

    def holds(each: unshade.Shader) -> bool:
        seen.append(each.to_bytes())
        assert not [one for one in each.verify() if one.severity == unshade.Severity.ERROR]
        return "mul" in each.disassemble()

    reduce(shader, holds)
    assert len(seen) == len(set(seen))


@pytest.mark.slow
def test_bounds() -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    seen: list[unshade.Shader] = []

    def holds(each: unshade.Shader) -> bool:
        seen.append(each)
        return True

    reduce(shader, holds, most=5)
    assert len(seen) == 5
    steps: list[tuple[int, int, int]] = []
    found = reduce(shader, lambda each: True, progress=lambda *each: steps.append(each))
    assert steps[-1][1] < steps[0][2] == max(whole for _, _, whole in steps)
    assert len(found.to_bytes()) < len(shader.to_bytes())
    with pytest.raises(unshade.UsageError, match="does not hold for the shader itself"):
        reduce(shader, lambda each: False)
    with pytest.raises(unshade.UsageError, match="most: expected a number of at least 1"):
        reduce(shader, lambda each: True, most=0)


def test_errors_of_the_test_are_not_taken_for_a_no() -> None:
    def fails(each: unshade.Shader) -> bool:
        raise unshade.FormatError("mine")

    with pytest.raises(unshade.FormatError, match="mine"):
        reduce(unshade.open(EXAMPLES / "saxpy.dxbc"), fails)


def test_blocks_by_indentation() -> None:
    lines = ["if", "  a", "else", "  b", "endif", "c", "c"]
    assert [each.made(lines) for each in block_edits(lines, 0)] == [
        ["  b", "endif", "c", "c"],
        ["  a", "  b", "endif", "c", "c"],
        ["c", "c"],
        ["  a", "c", "c"],
        ["  b", "c", "c"],
        ["  a", "  b", "c", "c"],
    ]
    assert [*block_edits(lines, 5)] == [LineEdit(5, 7)]
    assert [*block_edits(["a"], 0)] == []


@pytest.mark.slow
def test_a_file_of_each_step_is_a_file(tmp_path: Path) -> None:
    """Results are shaders that open again."""
    found = reduce(unshade.open(EXAMPLES / "everything.vbc"), lambda each: True, most=40)
    path = tmp_path / "small.vbc"
    found.save(path)
    assert unshade.open(path).to_bytes() == found.to_bytes()
