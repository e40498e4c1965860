"""The words of fxc's listing: every operation and every word of the tables has its kind."""

from __future__ import annotations

import re

import pytest

import unshade
from tests.examples import each_container
from unshade.isa.lexer import Kind
from unshade.programs.tpf.assembler import mnemonics
from unshade.programs.tpf.lexer import LEXER
from unshade.programs.tpf.tables.ops import OPS

C, D, P, A, F, R, L, W = (
    Kind.COMMENT, Kind.DECLARATION, Kind.OPERATION, Kind.ACCESS, Kind.FLOW, Kind.REGISTER,
    Kind.LITERAL, Kind.WORD,
)  # fmt: skip
LINES = [
    ("ps_5_0", [("ps_5_0", D)]),
    ("dcl_temps 6", [("dcl_temps", D), ("6", L)]),
    (
        "dcl_input_ps linear noperspective v0.xy",
        [("dcl_input_ps", D), ("linear", W), ("noperspective", W), ("v0", R), (".xy", R)],
    ),
    (
        "dcl_resource_structured T0[3:7], 16, space=1",
        [("dcl_resource_structured", D), ("T0", R), ("3", L), ("7", L), ("16", L), ("space", W),
         ("1", L)],
    ),
    ("dcl_globalFlags refactoringAllowed", [("dcl_globalFlags", D), ("refactoringAllowed", W)]),
    (
        "dcl_immediateConstantBuffer { { 1.500000, 0, 0, 0},",
        [("dcl_immediateConstantBuffer", D), *[(each, L) for each in ("1.500000", "0", "0", "0")]],
    ),
    ("hs_fork_phase", [("hs_fork_phase", D)]),
    (
        "mul_sat [precise(xy)] r0.xy, -|cb0[r1.x + 4].xyxx|, l(0.5, -1, nan(ind), 0x7fc00001)",
        [("mul_sat", P), ("[precise(xy)]", W), ("r0", R), (".xy", R), ("cb0", R), ("r1", R),
         (".x", R), ("4", L), (".xyxx", R), ("l(0.5, -1, nan(ind), 0x7fc00001)", L)],
    ),
    (
        "  sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r0, t0, s0",
        [("sample_aoffimmi_indexable", A), ("1", L), ("-1", L), ("0", L), ("texture2d", W),
         *[("float", W)] * 4, ("r0", R), ("t0", R), ("s0", R)],
    ),
    ("imm_atomic_iadd r0.x, u1, l(0), l(1)", [
        ("imm_atomic_iadd", A), ("r0", R), (".x", R), ("u1", R), ("l(0)", L), ("l(1)", L)]),
    (
        "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.x, l(0), t0.x",
        [("resinfo_indexable", A), ("texture2d", W), *[("float", W)] * 4, ("_uint", W),
         ("r0", R), (".x", R), ("l(0)", L), ("t0", R), (".x", R)],
    ),
    ("if_nz r0.x", [("if_nz", F), ("r0", R), (".x", R)]),
    ("sync_uglobal_g_t", [("sync_uglobal_g_t", F)]),
    ("mov r0.x, vThreadIDInGroup.x // why", [
        ("mov", P), ("r0", R), (".x", R), ("vThreadIDInGroup", R), (".x", R), ("// why", C)]),
    ("// Name   mul r0", [("// Name   mul r0", C)]),
    ("<unknown_235> 0x00000001", [("0x00000001", L)]),
    ("what goes here", []),
]  # fmt: skip


@pytest.mark.parametrize(("line", "tokens"), LINES, ids=[line for line, _ in LINES])
def test_token_kinds_of_a_line(line: str, tokens: list[tuple[str, Kind]]) -> None:
    assert [each for each in LEXER.tokens(line) if each[1] is not None] == tokens


def test_every_mnemonic_has_a_kind() -> None:
    for name in mnemonics.names():
        [(word, kind)] = LEXER.tokens(name)
        assert word == name
        assert kind is not None, name
    assert {next(LEXER.tokens(f"{row.name}_z"))[1] for row in OPS if row.test} == {F}


@each_container
@pytest.mark.parametrize("dialect", ["native", "exact"])
def test_every_word_of_a_listing_is_known(path: str, dialect: str) -> None:
    shader = unshade.open(path)
    text = shader.disassemble(dialect)
    tokens = list(shader.lexer().tokens(text))
    assert "".join(word for word, _ in tokens) == text
    unknown = {word for word, kind in tokens if kind is None and re.search(r"\w", word)}
    assert unknown <= {"components", "ONE"}  # of notes in the exact dialect
