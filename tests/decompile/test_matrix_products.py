"""Products of vectors and matrices in readable sources."""

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.decompile.operations import SOURCE_OPS
from unshade.decompile.products import matrix_product, sum_product
from unshade.decompile.tree import (
    MatrixLine,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    joined_scalars,
    literal,
    name,
    swizzle,
)
from unshade.ir.ops import OPS

FLOAT = TermType(ScalarKind.FLOAT)
VECTOR = name("v", FLOAT.wide(4))
NORMAL = name("n", FLOAT.wide(3))


def line(number: int, by_column: bool = False, matrix: str = "m") -> SourceExpression:
    """Return a line of a matrix of four rows and columns."""
    at = literal((number,), TermType(ScalarKind.INT))
    base = name(matrix, FLOAT)
    shape = MatrixLine(4, 4, by_column)
    return SourceExpression(NodeForm.LINE, FLOAT.wide(4), (base, at), shape)


def dots(vector: SourceExpression, by_column: bool, count: int = 4) -> list[SourceExpression]:
    width = (*range(vector.type.width),)
    return [
        SourceExpression(SOURCE_OPS.dot, FLOAT, (vector, swizzle(line(at, by_column), width)))
        for at in range(count)
    ]


def total(*terms: SourceExpression) -> SourceExpression:
    found, *rest = terms
    for each in rest:
        found = SourceExpression(OPS.fadd, found.type, (found, each))
    return found


def times(weight: SourceExpression, other: SourceExpression) -> SourceExpression:
    return SourceExpression(OPS.fmul, other.type, (weight, other))


def weighted(count: int, width: int, by_column: bool = False) -> list[SourceExpression]:
    """Return the products of components of a vector and lines."""
    return [
        times(swizzle(VECTOR, (at,)), swizzle(line(at, by_column), (*range(width),)))
        for at in range(count)
    ]


def test_scalar_products_with_all_lines_are_a_product() -> None:
    for by_column in (False, True):
        found = matrix_product(dots(VECTOR, by_column))
        assert found is not None
        assert (found.op, found.type.width) == (NodeForm.PRODUCT, 4)
        assert found.attr.hlsl is by_column  # mul(v, m) takes columns


def test_some_components_of_a_product() -> None:
    found = matrix_product(dots(VECTOR, True, 3))
    assert found is not None
    assert (found.op, found.attr) == (NodeForm.SWIZZLE, (0, 1, 2))
    assert found.args[0].type.width == 4
    found = matrix_product(dots(NORMAL, True, 3))
    assert found is not None
    assert found.args[1].attr == "(float3x3)"
    assert matrix_product(dots(NORMAL, True, 4)) is None


def test_a_sum_of_all_lines_is_a_product() -> None:
    one, two, three, four = weighted(4, 4)
    found = sum_product(total(two, one, three, four))
    assert found is not None
    assert found.op is NodeForm.PRODUCT
    assert found.args[0] is VECTOR
    assert found.attr.hlsl  # rows: mul(v, m)
    assert sum_product(total(one, two, three)) is None
    assert sum_product(total(one, two, two, four)) is None


def test_a_line_alone_has_the_factor_1() -> None:
    found = sum_product(total(*weighted(3, 4), line(3)))
    assert found is not None
    vector = found.args[0]
    assert vector.op is NodeForm.CONSTRUCT
    assert vector.args[1].attr == (0x3F80_0000,)


def test_lines_of_two_matrices_are_no_product() -> None:
    *terms, _ = weighted(4, 4)
    assert sum_product(total(*terms, times(swizzle(VECTOR, (3,)), line(3, matrix="other")))) is None


def test_three_components_of_a_point() -> None:
    three = sum_product(total(*weighted(3, 3)))
    assert three is not None
    assert three.args[1].attr == "(float3x3)"
    found = sum_product(total(three, swizzle(line(3), (0, 1, 2))))
    assert found is not None
    assert (found.op, found.attr) == (NodeForm.SWIZZLE, (0, 1, 2))
    assert found.args[0].args[1].attr == "m"
    columns = swizzle(line(3, by_column=True), (0, 1, 2))
    assert sum_product(total(three, columns)) is None


def test_components_in_a_row_are_a_swizzle() -> None:
    parts = [swizzle(VECTOR, (0,)), swizzle(VECTOR, (1,)), swizzle(NORMAL, (2,))]
    found = joined_scalars(parts)
    assert [each.attr for each in found.args] == [(0, 1), (2,)]


@pytest.mark.parametrize(("to", "call"), [("hlsl", "mul(float4("), ("glsl", "vec4(")])
def test_a_product_of_an_example(to: str, call: str) -> None:
    shader = unshade.open(REPOSITORY / "examples" / "skinning.dxbc")
    (text,) = (each for each in shader.decompile(to).splitlines() if "_vp" in each and "=" in each)
    assert call in text
    assert "u_vp[" not in text
    assert "written as calls" not in shader.decompile(to, "exact")
