"""Every opcode of every stage has a vector."""

from tests.programs.tpf.lower import (
    test_arithmetic,
    test_flow,
    test_geometry,
    test_memory,
    test_patches,
    test_pixel,
    test_ranges,
    test_textures,
)
from tests.programs.tpf.lower.cases import Case
from tests.programs.tpf.lower.support import program
from unshade.programs.tpf.tables.ops import OPS

CASES: list[Case] = [
    *test_flow.CASES, *test_geometry.CASES, *test_memory.CASES, *test_patches.CASES,
    *test_pixel.CASES, *test_ranges.CASES, *test_textures.CASES,
]  # fmt: skip


def test_every_opcode_has_a_vector() -> None:
    vectors = {name for vector in test_arithmetic.VECTORS for name in vector.opcodes}
    vectors |= {name for case in CASES for name in case.covers}
    wanted = {row.name for row in OPS if row.kind != "decl"}
    assert wanted - vectors == set()


def test_every_declaration_is_in_a_program() -> None:
    used = {each.name for case in CASES for each in program(case.text).instructions}
    wanted = {row.name for row in OPS if row.kind == "decl"}
    assert wanted - used == set()
