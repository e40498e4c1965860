"""Variables that are the components of one vector."""

from tests.decompile.pixels import Pixel
from unshade.ir.types import F32


def test_variables_that_are_read_as_a_vector_are_one() -> None:
    made = Pixel()
    b, each = made.b, made.each
    variables = [b.var(name, F32) for name in ("second", "first")]
    x, y = made.inputs()
    with b.when(b.flt(b.f32(0.0), x)):
        values = [each(b.fmul(value, b.f32(2.0))) for value in (x, y)]
        for variable, value in reversed([*zip(variables, values, strict=True)]):
            b.set(variable, value)
    text = made.text([each(b.fadd(b.get(each_), b.f32(1.0))) for each_ in variables])
    assert "float2 second = 0.0;" in text
    assert "second = " in text.split("{", 2)[2]  # the whole, in order
    assert "first" not in text


def test_variables_that_are_set_apart_stay_apart() -> None:
    made = Pixel()
    b, each = made.b, made.each
    one, other = (b.var(name, F32) for name in ("one", "other"))
    x, y = made.inputs()
    with b.when(b.flt(b.f32(0.0), x)):
        b.set(one, each(b.fmul(x, b.f32(2.0))))
    with b.when(b.flt(b.f32(0.0), y)):
        b.set(other, each(b.fmul(y, b.f32(2.0))))
    text = made.text([b.get(one), b.get(other)])
    assert "float one = 0.0;" in text
    assert "float other = 0.0;" in text


def test_components_are_in_order_whatever_their_names() -> None:
    made = Pixel()
    b, each = made.b, made.each
    variables = [b.var(name, F32) for name in ("sum.w", "sum.x")]
    for variable in variables:
        variable.row = "sum"
    x, y = made.inputs()
    with b.when(b.flt(b.f32(0.0), x)):
        for variable, value in zip(variables, (x, y), strict=True):
            b.set(variable, each(b.fmul(value, b.f32(2.0))))
    text = made.text([b.get(variables[1]), b.get(variables[0])])
    assert "return sum;" in text
