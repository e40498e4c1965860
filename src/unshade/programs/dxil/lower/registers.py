"""Registers of a lane, which DXIL that was converted from DXBC reads and writes by number.

    tempRegStore(i32 1, i32 5, float %x)     register 5 is a variable of 32 bits, at first 0
    tempRegLoad(i32 0, i32 5)                its bits, as a number of the result's type
    tempRegLoad(i32 0, i32 %n)               any register may be read, so all are one memory

A number of 16 bits takes the low bits of a register. Register 4 n + c is component c of r<n> of
DXBC.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, "Temporary registers".
"""

from collections.abc import Iterable
from typing import ClassVar

from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.memory import Memory, Space, Var
from ....ir.types import I32, INTEGERS, Type
from ..model.constants import integer_of
from ..model.instructions import CallInst
from ..model.values import Function
from ..operation_calls import arguments_of, operation_of
from .calls import Handlers

__all__ = ["Registers"]

MOST = 4096 * 4  # Direct3D 11 allows 4096 registers of four components


def _are_computed(functions: Iterable[Function]) -> bool:
    """Return True if a number of a register is not a constant."""
    for function in functions:
        for each in function.instructions:
            op = operation_of(each)
            if op is not None and op.name in Registers.OPERATIONS:
                assert isinstance(each, CallInst)
                index = arguments_of(each, op).get("index")
                if index is not None and integer_of(index) is None:
                    return True
    return False


class Registers:
    """Lowering of loads and stores of registers."""

    def __init__(self, builder: Builder, functions: Iterable[Function]) -> None:
        self.b = builder
        self.known: dict[int, Var] = {}
        self.memory: Memory | None = None
        if _are_computed(functions):
            self.memory = builder.memory("temp", Space.LOCAL, 4, MOST)

    def _register(self, number: int) -> Var:
        found = self.known.get(number)
        if found is None:
            name = self.b.names.unique(f"temp{number}")
            found = self.known[number] = self.b.var(name, I32, row=name)
        return found

    def load(self, number: Value, type: Type) -> Value:
        """Append a read of a register."""
        b = self.b
        if self.memory is not None:
            bits = b.load(self.memory, number, 0, I32)
        else:
            bits = b.get(self._register(number.attr))
        if type.bits != bits.type.bits:
            bits = b.uconv(bits, type=INTEGERS[type.bits])
        return b.asfloat(bits) if type.kind == "f" else bits

    def store(self, number: Value, value: Value) -> None:
        """Append a write of a register."""
        b = self.b
        bits = b.asint(value) if value.type.kind == "f" else value
        bits = bits if bits.type == I32 else b.uconv(bits, type=I32)
        if self.memory is not None:
            b.store(self.memory, number, 0, bits)
        else:
            b.set(self._register(number.attr), bits)

    OPERATIONS: ClassVar[Handlers] = {
        "TempRegLoad": lambda self, call: self.load(call.scalar("index"), call.type),
        "TempRegStore": lambda self, call: self.store(call.scalar("index"), call.scalar("value")),
    }
