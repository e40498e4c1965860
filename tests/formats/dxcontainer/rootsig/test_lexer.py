"""The words of root signatures: registers, arguments and values of the tables have their kinds."""

from __future__ import annotations

import pytest

import unshade
from unshade.formats.dxcontainer.about import ROOT_SIGNATURE
from unshade.formats.dxcontainer.rootsig.lexer import LEXER
from unshade.isa.lexer import Kind

C, D, R, L, W, N = (
    Kind.COMMENT, Kind.DECLARATION, Kind.REGISTER, Kind.LITERAL, Kind.WORD, Kind.NAME,
)  # fmt: skip
LINES = [
    ("// rootsig_1_1", [("// rootsig_1_1", C)]),
    ("CBV(b0, space=1)", [("CBV", D), ("b0", R), ("space", N), ("1", L)]),
    (
        "DescriptorTable(sampler(S0, numDescriptors = unbounded, offset=0x10))",
        [("DescriptorTable", D), ("sampler", D), ("S0", R), ("numDescriptors", N),
         ("unbounded", W), ("offset", N), ("0x10", L)],
    ),
    (
        "RootConstants(num32BitConstants=4, b1, visibility=SHADER_VISIBILITY_PIXEL)",
        [("RootConstants", D), ("num32BitConstants", N), ("4", L), ("b1", R), ("visibility", N),
         ("SHADER_VISIBILITY_PIXEL", W)],
    ),
    (
        "StaticSampler(s2, mipLODBias=-0.5f, maxLOD=asfloat(0x7f800000), /* x */ "
        "comparisonFunc=COMPARISON_NEVER)",
        [("StaticSampler", D), ("s2", R), ("mipLODBias", N), ("-0.5f", L), ("maxLOD", N),
         ("asfloat(0x7f800000)", L), ("/* x */", C), ("comparisonFunc", N),
         ("COMPARISON_NEVER", W)],
    ),
    (
        "RootFlags(DENY_VERTEX_SHADER_ROOT_ACCESS | 0x100)",
        [("RootFlags", D), ("DENY_VERTEX_SHADER_ROOT_ACCESS", W), ("0x100", L)],
    ),
    ("[RootSignature(\"UAV(u3)\")]", [("RootSignature", D), ("UAV", D), ("u3", R)]),
    ("#define RS \"CBV(b0)\"", [("#define", D), ("CBV", D), ("b0", R)]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "kinds"), LINES)
def test_the_words_of_a_line(line: str, kinds: list[tuple[str, Kind]]) -> None:
    tokens = list(LEXER.tokens(line))
    assert "".join(word for word, _ in tokens) == line
    assert [each for each in tokens if each[1] is not None] == kinds


def test_the_text_of_a_root_signature_has_its_lexer() -> None:
    alone = unshade.assemble("// rootsig_1_1\nCBV(b0)\n", "dxcontainer")
    assert alone.lexer() is LEXER
    words = dict(alone.lexer().tokens(alone.disassemble()))
    assert words["CBV"] == D
    shader = unshade.assemble("ps_5_0\nret\n", "dxcontainer")
    assert dict(shader.lexer().tokens("ret"))["ret"] == Kind.FLOW
    assert shader.lexer("rootsig") is LEXER
    assert ROOT_SIGNATURE.lexer.startswith("unshade.formats.dxcontainer.rootsig")


def test_an_unknown_dialect_has_no_lexer() -> None:
    with pytest.raises(unshade.UsageError, match="unknown dialect 'plain'"):
        unshade.assemble("ps_5_0\nret\n", "dxcontainer").lexer("plain")
