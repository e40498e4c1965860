"""Pixel shaders made of scalar operations, to see which become vectors."""

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
