"""Variables of the source, from debug information.

    call void @llvm.dbg.value(metadata float %3, i64 0, metadata !61, metadata !59)
    call void @llvm.dbg.declare(metadata [4 x float]* %1, metadata !58, metadata !60)

    !61 = !DILocalVariable(…, name: "colour", …)
    !59 = !DIExpression(DW_OP_bit_piece, 32, 32)     bits 32 to 63 of the variable: colour.y

A variable is a set of variables of the kernel, one for each scalar, which nothing reads: engines
remove them, and a debugger shows them.

Source: the language reference of LLVM 3.7, source level debugging.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.locations import SymbolName
from ....ir.memory import Var
from ..model.instructions import CallInst
from ..model.metadata import DebugNode, MetadataNode, MetadataValue
from ..model.values import DxilValue, Function, MetadataAsValue
from ..tables.dwarf import BIT_PIECE
from .values import Result, Values

__all__ = ["DebugVariables", "argument_names", "declared_names"]

VALUE, DECLARE = "llvm.dbg.value", "llvm.dbg.declare"
ARRAY = 1  # tag of an array
DEEPEST = 32
MOST = 1 << 12  # scalars of the variables of a program


class VariablePart(NamedTuple):
    """A statement of a call: a variable of the source, from a bit on, is a value."""

    variable: DebugNode
    bit: int
    value: DxilValue


def part_of_call(call: CallInst) -> VariablePart | None:
    """Return the content of a call of llvm.dbg.value or llvm.dbg.declare; None if it is empty."""
    parts = [each.metadata for each in call.arguments if isinstance(each, MetadataAsValue)]
    if len(parts) != 3:
        return None
    value, variable, expression = parts
    if not isinstance(value, MetadataValue) or not isinstance(variable, DebugNode):
        return None
    if variable.row.name != "DILocalVariable" or not variable.text("name"):
        return None
    bit = 0
    if isinstance(expression, DebugNode) and expression.rest:
        if len(expression.rest) != 3 or expression.rest[0] != BIT_PIECE:
            return None
        bit = expression.rest[1] if isinstance(expression.rest[1], int) else 0
    return VariablePart(variable, bit, value.value)


def debug_calls(function: Function, name: str) -> Iterator[VariablePart]:
    """Yield the contents of a function's calls of llvm.dbg.value or llvm.dbg.declare."""
    for each in function.instructions:
        if isinstance(each, CallInst) and each.callee.name == name:
            found = part_of_call(each)
            if found is not None:
                yield found


def argument_names(function: Function) -> list[str]:
    """Return the names of the arguments of a function; empty for unnamed arguments."""
    names = {
        each.value: each.variable.text("name")
        for kind in (VALUE, DECLARE)
        for each in debug_calls(function, kind)
        if not each.bit
    }
    return [each.name or names.get(each, "") for each in function.arguments]


def declared_names(function: Function) -> dict[DxilValue, SymbolName]:
    """Return the names of the variables whose memory a function allocates, by the allocation."""
    return {
        each.value: name_of(each.variable, each.bit, 0) for each in debug_calls(function, DECLARE)
    }


class DebugVariables:
    """The variables of the source that debug information gives values of."""

    def __init__(self, b: Builder, values: Values) -> None:
        self.b = b
        self.values = values
        self.known: dict[tuple[int, int], Var] = {}

    def call(self, call: CallInst) -> None:
        """Append assignments for a call of llvm.dbg.value; ignore other calls."""
        if call.callee.name != VALUE:
            return
        found = part_of_call(call)
        if found is None:
            return
        try:
            value = self.values.get(found.value)
        except UnsupportedError:  # metadata may refer to what is computed later
            return
        bit = found.bit
        for each in _scalars(value):
            var = self._variable(found.variable, bit, each)
            if var is None or var.type != each.type:
                return
            self.b.set(var, each)
            bit += max(each.type.bits, 8 * each.type.size)

    def _variable(self, variable: DebugNode, bit: int, value: Value) -> Var | None:
        known = self.known.get((id(variable), bit))
        if known is None and len(self.known) < MOST:
            name = name_of(variable, bit, value.type.bits)
            known = self.b.var(self.b.names.unique(name), value.type, row=name, gives=name)
            self.known[id(variable), bit] = known
        return known


def _scalars(value: Result) -> list[Value]:
    """Return the scalars of a value; none of a pointer or a handle."""
    if isinstance(value, tuple):
        return [each for part in value for each in _scalars(part)]
    return [value] if isinstance(value, Value) else []


# ---------------------------------------------------------------- names


def name_of(variable: DebugNode, bit: int, bits: int) -> SymbolName:
    """Return the name of a variable's scalar at a bit; of the whole if `bits` is 0."""
    steps = [variable.text("name")]
    if bits or bit:
        steps += _steps(variable["type"], bit)
    return SymbolName(*steps)


def _steps(type: object, bit: int) -> Iterator[str]:
    """Yield the steps to the scalar at a bit of a type."""
    for _ in range(DEEPEST):
        if not isinstance(type, DebugNode):
            return
        if type.row.name == "DIDerivedType":
            type = type["baseType"]
            continue
        if type.row.name != "DICompositeType":
            return
        elements = type["elements"]
        parts = elements.elements if isinstance(elements, MetadataNode) else []
        members = [each for each in parts if isinstance(each, DebugNode)]
        if members and members[0].row.name == "DISubrange":
            count, size = _number(members[0]["count"]), _number(type["size"])
            if count < 1 or size < count:
                return
            at, bit = divmod(bit, size // count)
            yield f"[{at}]"
            type = type["baseType"]
            continue
        behind = [
            each
            for each in members
            if each.row.name == "DIDerivedType" and _number(each["offset"]) <= bit
        ]
        if not behind:
            return
        member = max(behind, key=lambda each: _number(each["offset"]))
        bit -= _number(member["offset"])
        yield f".{member.text('name')}"
        type = member["baseType"]


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
