"""Products that are 0 if a factor is 0, of Direct3D 9 and PICA200, and semantics of Direct3D 9."""

from __future__ import annotations

import pytest

import unshade
from tests.corpus import REPOSITORY

from .recompiled import outcome

NOTE = "// products with 0 are 0 in the program"
VERTEX = """vs_2_0
dcl_position v0
dcl_texcoord1 v1
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
mul oT2, v1, c4
"""


def test_readable_products_of_direct3d_9() -> None:
    shader = unshade.assemble(VERTEX, "d3d9")
    text = shader.decompile()
    assert text.count(NOTE) == 1
    assert "legacy_product" not in text
    assert "dot(position, c0.c0)" in text or "dot(position, c0)" in text
    assert " = texcoord1 * c4;" in text or " = c4 * texcoord1;" in text
    assert "float4 texcoord1 : TEXCOORD1" in text
    assert "out float4 out_texcoord2 : TEXCOORD2" in text
    assert "float4 position : POSITION" in text
    glsl = shader.decompile(to="glsl")
    assert glsl.count(NOTE) == 1
    assert "legacy_product" not in glsl
    exact = shader.decompile(style="exact")
    assert "legacy_product(position" in exact
    assert NOTE not in exact


def test_sources_without_such_products_have_no_note() -> None:
    text = unshade.assemble("ps_2_0\ndcl t0\nadd r0, t0, c0\nmov oC0, r0", "d3d9").decompile()
    assert NOTE not in text


def test_readable_products_of_pica200() -> None:
    path = next((REPOSITORY / "examples").rglob("*.shbin"))
    shader = unshade.open(path)
    assert "product(" in shader.decompile(style="exact")
    text = shader.decompile()
    assert text.count(NOTE) == 1
    assert "product(" not in text


@pytest.mark.slow
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
def test_exact_source_of_direct3d_9_has_the_same_bits(language: str) -> None:
    shader = unshade.assemble(VERTEX, "d3d9")
    text = shader.decompile(to=language, style="exact")
    assert outcome(shader, text, "vertex", language=language, seeds=2) == "equal"
