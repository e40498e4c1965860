"""Comparisons of files of the corpus: bounded in time, and true of the code."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import unshade
from tests.corpus import containers, shbins
from tests.ratchet import Ratchet
from unshade.analysis.diff import Category, Diff
from unshade.programs.tpf import Program
from unshade.shader import Shader

PROGRAM = (Category.CODE,)


def named_pairs(root: Path) -> list[tuple[Path, Path]]:
    """Return pairs of files with one source: two compilers, or with and without optimisation."""
    found = []
    for path in sorted((root / "execution").glob("*.opt.dxbc")):
        found.append((path.with_name(path.name.replace(".opt", "")), path))
    for path in sorted((root / "bench").glob("*.dxbc")):
        found.append((path, path.with_suffix(".dxil")))
    folder = root / "dxcontainer"
    for path in sorted((folder / "directxtk").glob("*.dxbc")):
        other = folder / "directxtk12" / path.name.replace("directxtk__", "directxtk12__")
        found.append((path, other))
    for path in sorted((folder / "dxcgen").glob("*__pdbstream5.dxil")):
        found.append((path.with_name(path.name.replace("__pdbstream5", "")), path))
    return [pair for pair in found if all(path.exists() for path in pair)]


def code_of(shader: Shader) -> list[bytes]:
    return [part.data for part in shader.parts if part.category in PROGRAM]


def check(before: Shader, after: Shader) -> Diff:
    """Compare two shaders and check that the result is true of them."""
    found = unshade.diff(before, after)
    assert found.different == bool(found.categories) == (before.to_bytes() != after.to_bytes())
    if Category.CODE not in found.categories:
        assert sorted(code_of(before)) == sorted(code_of(after))
    for program in found.programs:
        rows = program.alignment.rows
        for side, count in ((0, program.lines_before), (1, program.lines_after)):
            lines = [row[side] for row in rows if row[side] is not None]
            assert lines == list(range(count))
        assert program.equal + program.changed + program.removed + program.moved == (
            program.lines_before
        )
        assert program.equal + program.changed + program.added + program.moved == (
            program.lines_after
        )
    json.dumps(found.to_dict(), allow_nan=False)
    return found


def test_files_of_one_source(corpus: Path, ratchet: Ratchet) -> None:
    """Most lines of a program that two compilers made find each other."""
    pairs = named_pairs(corpus)
    paired = total = 0
    for one, other in pairs:
        before, after = unshade.open(one), unshade.open(other)
        there, back = check(before, after), check(after, before)
        assert there.categories == back.categories, one
        for program in there.programs:
            paired += program.equal + program.changed + program.moved
            total += min(program.lines_before, program.lines_after)
    ratchet("diff/pairs of one source", len(pairs), len(pairs))
    ratchet("diff/lines paired of one source", paired, total)


def test_a_shader_equals_itself(corpus: Path, ratchet: Ratchet) -> None:
    files = containers(corpus)
    same = 0
    for path in files:
        data = path.read_bytes()
        one, two = unshade.loads(data), unshade.loads(data)
        _ = two.reflect(), [part.value for part in two.parts]
        same += not unshade.diff(one, two)
    ratchet("diff/the same", same, len(files))
    assert same == len(files)


@pytest.mark.slow
def test_neighbours(corpus: Path, ratchet: Ratchet) -> None:
    """Files that are adjacent in their folder: variants of one shader, or unrelated."""
    files = containers(corpus)
    for one, other in pairwise(files):
        check(unshade.open(one), unshade.open(other))
    ratchet("diff/neighbours", len(files) - 1, len(files) - 1)


def test_a_changed_operand_is_one_changed_line(corpus: Path, ratchet: Ratchet) -> None:
    """One register number in every tenth program: one line, one category."""
    files = [path for path in containers(corpus) if path.suffix == ".dxbc"][::10]
    right = total = 0
    for path in files:
        before, after = unshade.open(path), unshade.open(path)
        code = next(iter(after.programs), None)
        if not isinstance(code, Program):
            continue
        for instruction in code.instructions:
            if re.match("dcl_|hs_", instruction.name) or not instruction.operands:
                continue
            first = instruction.operands[0]
            if first.indices and first.indices[0].relative is None:
                first.indices[0].immediate += 1
                break
        else:
            continue
        found = check(before, after)
        total += 1
        (program,) = found.programs
        right += Category.CODE in found.categories and len(program.lines) == program.changed == 1
    ratchet("diff/one operand is one line", right, total)


def test_a_stripped_shbin_differs_in_the_stripped_category(corpus: Path, ratchet: Ratchet) -> None:
    right = total = 0
    for path in shbins(corpus):
        for category in ("debug", "reflection"):
            after = unshade.open(path)
            if after.strip(category):
                total += 1
                right += check(unshade.open(path), after).categories == [category]
    ratchet("diff/stripped shbin", right, total)
