"""A program that violates each rule, and no other; what compilers write violates none."""

from __future__ import annotations

import pytest

from tests.fixtures.direct3d9 import one_of_each
from tests.programs.d3d9.programs import packed
from unshade.programs.d3d9 import Program
from unshade.programs.d3d9.tables.ops import OPS
from unshade.programs.d3d9.verify import RULES, VERSIONS, verify

BROKEN = [
    ("d3d9.opcode", (0xFFFF0200, 0x00000061, 0xFFFF), 4, "instructions[0].opcode"),
    ("d3d9.version", "ps_2_0\nsge r0, c0, c1", 4, "instructions[0].opcode"),
    ("d3d9.version", "vs_1_1\ndcl_position v0\nnrm r0, v0", 16, "instructions[1].opcode"),
    ("d3d9.version", "ps_2_0\ndcl t0\ndsx r0, t0", 16, "instructions[1].opcode"),
    ("d3d9.operands", (0xFFFF0200, 0x01000001, 0x800F0000, 0xFFFF), 4, "instructions[0]"),
    ("d3d9.operands", (0xFFFE0200, 0x02000001, 0x800F0000, 0xA0E42000, 0xFFFF), 4,
     "instructions[0].operands[1]"),
    ("d3d9.length", (0xFFFE0101, 0x02000001, 0x800F0000, 0xA0E40000, 0xFFFF), 4,
     "instructions[0].length"),
    ("d3d9.register", "ps_2_0\nmov r0, c32", 4, "instructions[0].operands[1].number"),
    ("d3d9.register", "vs_3_0\nmov oC0, c0", 4, "instructions[0].operands[0].number"),
    ("d3d9.register", "vs_2_0\nmov r12, c0", 4, "instructions[0].operands[0].number"),
    ("d3d9.register", "ps_2_0\nmov r12, c0", 4, "instructions[0].operands[0].number"),
    ("d3d9.register", "ps_1_3\nmov r2, c0", 4, "instructions[0].operands[0].number"),
    ("d3d9.register", "ps_1_3\ntex t4", 4, "instructions[0].operands[0].number"),
    ("d3d9.register", "vs_2_sw\nmov r256, c0", 4, "instructions[0].operands[0].number"),
    ("d3d9.mask", (0xFFFF0200, 0x02000001, 0x80000000, 0xA0E40000, 0xFFFF), 4,
     "instructions[0].operands[0].mask"),
    ("d3d9.nesting", "vs_2_0\nif b0\nmov r0, c0", None, "instructions"),
    ("d3d9.nesting", "vs_2_0\nendif", 4, "instructions[0]"),
    ("d3d9.nesting", "vs_2_0\nrep i0\nelse\nendrep", 12, "instructions[1]"),
    ("d3d9.nesting", "vs_3_0\nbreak", 4, "instructions[0]"),
    ("d3d9.declared", "ps_2_0\nmov r0, t3", 4, "instructions[0].operands[1]"),
    ("d3d9.declared", "ps_3_0\ndcl_texcoord v0\ntexld r0, v0, s1", 16,
     "instructions[1].operands[2]"),
    ("d3d9.declaration", "ps_2_0\nmov r0, c0\ndcl t0", 16, "instructions[1]"),
    ("d3d9.texture", (0xFFFF0200, 0x0200001F, 0x80000000, 0xA00F0800, 0xFFFF), 4,
     "instructions[0].declaration.texture"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "code", "offset", "path"), BROKEN)
def test_rules(rule: str, code: str | tuple[int, ...], offset: int | None, path: str) -> None:
    program = Program.assemble(code) if isinstance(code, str) else Program.decode(packed(*code))
    found = verify(program)
    assert [(each.code, each.offset, each.path) for each in found] == [(rule, offset, path)]


def test_every_rule_is_violated() -> None:
    assert {rule for rule, *_ in BROKEN} == RULES.keys()


def test_compilers_violate_none() -> None:
    for name, data in one_of_each().items():
        assert Program.decode(data).verify() == [], name


@pytest.mark.parametrize(
    "code", ["vs_2_x\nmov r31, c0", "vs_2_sw\nmov r255, c0", "ps_2_x\nif b0\nendif"]
)
def test_versions_with_more_registers(code: str) -> None:
    assert Program.assemble(code).verify() == []


def test_every_operation_has_versions() -> None:
    assert {op.name for op in OPS} == VERSIONS.keys()
