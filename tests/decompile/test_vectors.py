"""Vectors of code whose instructions are scalar, as those of DXIL are."""

from unshade.decompile.source import decompile
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Port
from unshade.ir.types import F32
from unshade.vocab.slots import Direction, PortSlot, Rate
from unshade.vocab.words import Stage


class Pixel:
    """A pixel shader with an input and an output of two components, v0 and o0."""

    def __init__(self) -> None:
        self.kernel = KernelIR()
        self.kernel.stage = Stage.PIXEL
        self.b = Builder(self.kernel)
        self.line = 0
        ports = {Direction.INPUT: self.kernel.inputs, Direction.OUTPUT: self.kernel.outputs}
        for direction, known in ports.items():
            rate = Rate.PIXEL if direction is Direction.OUTPUT else Rate.VERTEX
            letter = "v" if direction is Direction.INPUT else "o"
            for at, axis in enumerate("xy"):
                slot = PortSlot(direction, rate, 0, at)
                known.append(Port(f"{letter}0.{axis}", F32, slot=slot, row=f"{letter}0"))

    def each(self, value: Value) -> Value:
        """Return a value that has a line of its own, as each instruction does."""
        self.line += 1
        value.line = self.line
        return value

    def inputs(self) -> list[Value]:
        return [self.b.input(port) for port in self.kernel.inputs]

    def text(self, results: list[Value]) -> str:
        for port, result in zip(self.kernel.outputs, results, strict=True):
            self.b.output(port, result)
        return decompile(Lowered(self.kernel, []), None)


def test_a_vector_may_be_used_twice() -> None:
    made = Pixel()
    b, each = made.b, made.each
    results = []
    for value in made.inputs():
        root = each(b.fsqrt(value))
        results.append(each(b.fadd(each(b.fmul(root, root)), root)))
    text = made.text(results)
    assert "float2 t = sqrt(" in text
    assert text.count("sqrt(") == 1


def test_a_component_that_is_used_before_the_last_one_stays_alone() -> None:
    made = Pixel()
    b, each = made.b, made.each
    x, y = made.inputs()
    first = each(b.fsqrt(x))
    second = each(b.fsqrt(each(b.fadd(y, first))))
    text = made.text([each(b.fadd(first, b.f32(1.0))), each(b.fadd(second, b.f32(1.0)))])
    assert text.count("sqrt(") == 2


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
