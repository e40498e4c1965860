"""Registers of a lane, which DXIL that was converted from DXBC reads and writes by number.

    tempRegStore(i32 1, i32 5, float %x)     register 5 is a variable of 32 bits, at first 0
    tempRegLoad(i32 0, i32 5)                its bits, as a number of the result's type

A number of 16 bits takes the low bits of a register.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, "Temporary registers".
"""

from typing import ClassVar

from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.memory import Var
from ....ir.types import I32, INTEGERS, Type
from .calls import Handlers

__all__ = ["Registers"]


class Registers:
    """Lowering of loads and stores of registers."""

    def __init__(self, builder: Builder) -> None:
        self.b = builder
        self.known: dict[int, Var] = {}

    def _register(self, number: int) -> Var:
        found = self.known.get(number)
        if found is None:
            name = self.b.names.unique(f"temp{number}")
            found = self.known[number] = self.b.var(name, I32, row=name)
        return found

    def load(self, number: int, type: Type) -> Value:
        """Append a read of a register."""
        b = self.b
        bits = b.get(self._register(number))
        if type.bits != bits.type.bits:
            bits = b.uconv(bits, type=INTEGERS[type.bits])
        return b.asfloat(bits) if type.kind == "f" else bits

    def store(self, number: int, value: Value) -> None:
        """Append a write of a register."""
        b = self.b
        bits = b.asint(value) if value.type.kind == "f" else value
        b.set(self._register(number), bits if bits.type == I32 else b.uconv(bits, type=I32))

    OPERATIONS: ClassVar[Handlers] = {
        "TempRegLoad": lambda self, call: self.load(call.integer("index"), call.type),
        "TempRegStore": lambda self, call: self.store(call.integer("index"), call.scalar("value")),
    }
