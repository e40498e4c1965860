"""Matrices in register files: arrays of registers whose rows products have in order."""

import pytest

import unshade

VERTEX = """
.fvec rows[4]
.constf one(1.0, 1.0, 1.0, 1.0)
.out outpos position
.proc main
  add r0, one, v0
{}
  end
.end
"""
WHOLE = [f"  dp4 outpos.{axis}, rows[{at}], r0" for at, axis in enumerate("xyzw")]
NORMAL = [f"  dp3 outpos.{axis}, rows[{at}], r0" for at, axis in enumerate("xyz")]
ODD = [f"  dp4 outpos.{axis}, rows[{at}], r0" for at, axis in ((0, "x"), (2, "y"), (3, "z"))]
TURNED = [f"  dp4 outpos.{axis}, rows[{at}].wzyx, r0" for at, axis in enumerate("xyzw")]


def decompiled(lines: list[str], to: str = "hlsl", style: str = "readable") -> str:
    return unshade.assemble(VERTEX.format("\n".join(lines)), "shbin").decompile(to, style)


def test_rows_that_a_vector_is_multiplied_by_are_a_matrix() -> None:
    text = decompiled(WHOLE)
    assert "row_major float4x4 rows" in text
    assert "mul(rows, " in text
    assert "mat4 rows;" in decompiled(WHOLE, "glsl")
    assert "mul((float3x3)rows, " in decompiled(NORMAL)


@pytest.mark.parametrize("lines", [ODD, TURNED, [*WHOLE, "  add outpos, rows[1], r0"]])
def test_other_rows_are_an_array(lines: list[str]) -> None:
    assert "float4 rows[4]" in decompiled(lines)


def test_an_exact_source_has_an_array() -> None:
    assert "float4 rows[4]" in decompiled(WHOLE, style="exact")


def test_the_vector_of_products_that_are_no_matrix_product_is_a_variable() -> None:
    text = decompiled(TURNED)
    assert text.count(" + ") == 1  # the sum that all four multiply
    assert text.count("dot(") == 4
