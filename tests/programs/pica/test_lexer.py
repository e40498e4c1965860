"""The words of picasso source: every operation and every directive has its kind."""

from __future__ import annotations

import re

import pytest

import unshade
from tests.cli.test_shbin import REVERSE
from unshade.isa.lexer import Kind
from unshade.programs.pica.assembler import DIRECTIVES
from unshade.programs.pica.assembler.instructions import MNEMONICS
from unshade.programs.pica.lexer import LEXER

C, D, P, F, R, L, W, N = (
    Kind.COMMENT, Kind.DECLARATION, Kind.OPERATION, Kind.FLOW, Kind.REGISTER, Kind.LITERAL,
    Kind.WORD, Kind.NAME,
)  # fmt: skip
LINES = [
    ("; picasso -n", [("; picasso -n", C)]),
    (".fvec projection[4]", [(".fvec", D), ("projection", N), ("4", L)]),
    (".out - texcoord0 o2.xy", [(".out", D), ("texcoord0", W), ("o2.xy", R)]),
    (".setf c95(0.5, -.5e3, 1., 0x1)", [
        (".setf", D), ("c95", R), ("0.5", L), ("-.5e3", L), ("1.", L), ("0x1", L)]),
    (".proc r0x", [(".proc", D), ("r0x", N)]),
    (".opdesc 6..4095 _, xxxx", [
        (".opdesc", D), ("6..4095", L), ("_", N), ("xxxx", N)]),
    ("again: ifc cmp.x && !cmp.y ; so", [
        ("again:", N), ("ifc", F), ("cmp.x", R), ("cmp.y", R), ("; so", C)]),
    ("\tcmp v0.xy, eq, ge, v1.rg", [
        ("cmp", P), ("v0.xy", R), ("eq", W), ("ge", W), ("v1.rg", R)]),
    ("add r0, -projection[a0.x].xyz, c1", [
        ("add", P), ("r0", R), ("projection", N), ("a0.x", R), (".xyz", R), ("c1", R)]),
    ("for i0", [("for", F), ("i0", R)]),
    ("setemit 2, prim inv", [("setemit", P), ("2", L), ("prim", W), ("inv", W)]),
    (".else", [(".else", F)]),
    ("\t.end", [(".end", F)]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "tokens"), LINES, ids=[line for line, _ in LINES])
def test_token_kinds_of_a_line(line: str, tokens: list[tuple[str, Kind]]) -> None:
    assert [each for each in LEXER.tokens(line) if each[1] is not None] == tokens


def test_every_mnemonic_and_every_directive_has_a_kind() -> None:
    for name in MNEMONICS:
        assert list(LEXER.tokens(name)) in ([(name, P)], [(name, F)])
    for name in DIRECTIVES:
        assert list(LEXER.tokens(f".{name}")) in ([(f".{name}", D)], [(f".{name}", F)])


@pytest.mark.parametrize("dialect", ["native", "exact"])
def test_every_word_of_a_listing_is_known(dialect: str) -> None:
    shader = unshade.open(REVERSE)
    text = shader.disassemble(dialect)
    tokens = list(shader.lexer().tokens(text))
    assert "".join(word for word, _ in tokens) == text
    assert not [word for word, kind in tokens if kind is None and re.search(r"\w", word)]
