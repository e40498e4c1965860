"""Listings that vkd3d-compiler prints of the corpus, assembled alone.

`UNSHADE_VKD3D` names the command, such as `vkd3d-compiler`; it may contain arguments. It reads a
container from standard input and prints version 2.1 or newer: older versions print less.

The code is that of the container, except for what the listing does not contain:

- whether a source repeats one component or has only one (vkd3d's own compiler repeats it);
- the number of components of a declared resource, and the samples of one;
- the interpolation of dcl_input_ps_sgv; texel offsets that are all 0;
- registers that vkd3d does not know, and the bodies of function tables: those are refused.

Of the code for feature level 9, what the listing lacks are the masks of declared registers, the
index of dcl_blendweight, and the comparison of setp, without which it is refused.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections import Counter
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.conformance.test_d3d9 import programs
from tests.conformance.test_tpf_text import program_in
from tests.corpus import containers
from unshade.errors import AssembleError
from unshade.formats.dxcontainer.shader import DxContainer
from unshade.isa.source import Source
from unshade.programs.d3d9 import Program as OldProgram
from unshade.programs.tpf import Instruction, Program
from unshade.programs.tpf.operands import Operand

COMMAND = shlex.split(os.environ.get("UNSHADE_VKD3D", ""))
ARGUMENTS = ("-x", "dxbc-tpf", "-b", "d3d-asm", "--formatting=+signatures")
OLD_ARGUMENTS = ("-x", "d3dbc", "-b", "d3d-asm")
NOT_PRINTED = ("expected a number after 'r'", "expected a function body, fb# for each element")
SIGNATURES = (("ISGN", "ISG1"), ("OSGN", "OSG5", "OSG1"), ("PCSG", "PSG1"))
NO_OFFSETS = 1  # the extended token of texel offsets that are 0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMMAND, reason="UNSHADE_VKD3D names no vkd3d-compiler"),
]


def listing_of(data: bytes, arguments: tuple[str, ...] = ARGUMENTS) -> str | None:
    """Return the listing, or None if vkd3d-compiler does not read the shader."""
    done = subprocess.run(
        [*COMMAND, *arguments], input=data, capture_output=True, check=False, timeout=60
    )
    return done.stdout.decode() if done.returncode == 0 else None


def assembled(text: str) -> tuple[DxContainer | None, str]:
    try:
        return DxContainer.assemble([Source(text)]), ""
    except AssembleError as error:
        return None, error.problem


def same_operand(one: Operand, other: Operand, declared: bool) -> bool:
    tokens = [each.token & 0xFFFFF for each in (one, other)]
    if declared:
        tokens = [token & ~0xFFF for token in tokens]
    else:
        tokens = [repeated(token) for token in tokens]
    return (
        tokens[0] == tokens[1]
        and (one.extended, one.literal) == (other.extended, other.literal)
        and len(one.indices) == len(other.indices)
        and all(
            mine.immediate == theirs.immediate
            and (mine.relative is None) == (theirs.relative is None)
            and (
                mine.relative is None
                or theirs.relative is None
                or same_operand(mine.relative, theirs.relative, declared)
            )
            for mine, theirs in zip(one.indices, other.indices, strict=True)
        )
    )


def repeated(token: int) -> int:
    """Return the token with one component as a swizzle."""
    if token & 0xF == 0xA:
        return token & ~0xFFC | 4 | (token >> 4 & 3) * 0x55 << 4
    return token


def same_instruction(one: Instruction | None, other: Instruction | None) -> bool:
    if one is None or other is None or one.opcode != other.opcode:
        return False
    declared = one.name.startswith("dcl_")
    controls = (one.token ^ other.token) & 0x00FF_FFFF
    extended = [
        [token & 0x7FFF_FFFF for token in each.extended if token & 0x7FFF_FFFF != NO_OFFSETS]
        for each in (one, other)
    ]
    return (
        (not controls or one.name in ("dcl_input_ps_sgv", "dcl_resource"))
        and extended[0] == extended[1]
        and (one.words, one.payload) == (other.words, other.payload)
        and len(one.operands) == len(other.operands)
        and all(
            same_operand(mine, theirs, declared)
            for mine, theirs in zip(one.operands, other.operands, strict=True)
        )
    )


def signatures(shader: DxContainer) -> list[list[tuple[object, ...]]]:
    found: list[list[tuple[object, ...]]] = []
    for names in SIGNATURES:
        part = next((each for each in shader.parts if each.name in names), None)
        rows = part.value.elements if part is not None else []
        found.append([
            (row.name, row.index, row.system_value, row.component_type, row.register, row.mask,
             row.rw_mask & row.mask, row.stream or 0, row.min_precision or 0)
            for row in rows
        ])  # fmt: skip
    return found


def test_listings_of_vkd3d_compiler(corpus: Path) -> None:
    count: Counter[str] = Counter()
    for path in containers(corpus):
        data = path.read_bytes()
        theirs = program_in(data)
        text = listing_of(data) if theirs is not None else None
        if text is None or theirs is None:
            continue
        count["listings"] += 1
        made, problem = assembled(text)
        if made is None:
            assert problem.startswith(NOT_PRINTED), f"{path}: {problem}"
            count["refused by name"] += 1
            continue
        ours = next(part.value for part in made.parts if isinstance(part.value, Program))
        count["the same dwords"] += ours.encode() == theirs.encode()
        for one, other in zip_longest(theirs.instructions, ours.instructions):
            assert same_instruction(one, other), f"{path}: {one} is {other}"
        assert signatures(made) == signatures(DxContainer.loads(data)), path
    print(dict(count))
    assert count["refused by name"] < count["listings"] / 100
    assert count["the same dwords"] > count["listings"] / 2


def shown(program: OldProgram) -> list[str]:
    """Return the instructions, those of declarations without masks and the index of weights."""
    lines = [str(each) for each in program.instructions]
    return [
        line.split(".")[0].replace("weight1", "weight").replace("weight2", "weight")
        if line.startswith("dcl")
        else line
        for line in lines
    ]


def test_listings_of_feature_level_9(corpus: Path) -> None:
    count = 0
    for tokens, program in programs(corpus).items():
        text = listing_of(tokens, OLD_ARGUMENTS)
        assert text is not None
        if "setp" in text:
            with pytest.raises(AssembleError, match="expected a comparison such as setp_gt"):
                OldProgram.assemble(text)
            continue
        assert shown(OldProgram.assemble(text)) == shown(program)
        count += 1
    assert count
