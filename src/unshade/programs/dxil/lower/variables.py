"""Variables of the source, from debug information.

    call void @llvm.dbg.value(metadata float %3, i64 0, metadata !61, metadata !59)
    call void @llvm.dbg.declare(metadata [4 x float]* %1, metadata !58, metadata !60)

    !61 = !DILocalVariable(…, name: "colour", …)
    !59 = !DIExpression(DW_OP_bit_piece, 32, 32)     bits 32 to 63 of the variable: colour.y

llvm.dbg.value sets variables that nothing else uses (ir/source_variables.py).

Source: the language reference of LLVM 3.7, source level debugging.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.locations import SymbolName, local_name
from ....ir.ops import OPS
from ....ir.source_variables import SourceVariables
from ....tuples import NamedTuple
from ..model.instructions import CallInst
from ..model.metadata import DebugNode, MetadataNode, MetadataValue
from ..model.values import DxilValue, Function, MetadataAsValue
from ..tables.dwarf import BIT_PIECE, ENCODINGS
from .listing import scope_of
from .values import PointerValue, Result, Values

__all__ = ["DebugVariables", "Naming", "argument_names", "declared_names", "name_memory"]

Naming: TypeAlias = Callable[[int], SymbolName]  # of the scalar at a bit

VALUE, DECLARE = "llvm.dbg.value", "llvm.dbg.declare"
DEEPEST = 32
MOST_NAMED = 1 << 12  # elements of a memory that have names in the source
WIDEST = 8  # bytes of an element of a memory of scalars
KINDS = {
    "boolean": "bool", "float": "float", "signed": "int", "signed_char": "int",
    "unsigned": "uint", "unsigned_char": "uint",
}  # fmt: skip
SHORT = re.compile(r"(?:vector|matrix)<(\w+), (\d+)(?:, (\d+))?>", re.ASCII)


class VariablePart(NamedTuple):
    """The content of a call: a value, and the source variable that contains it from a bit on."""

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


def declared_names(function: Function) -> dict[DxilValue, Naming]:
    """Return the variables whose memory a function allocates, by the allocation.

    Each value of the result is a function that returns the name of the scalar at a bit of the
    memory.
    """
    return {
        each.value: partial(_name_within, each.variable, each.bit)
        for each in debug_calls(function, DECLARE)
    }


def _name_within(variable: DebugNode, first: int, bit: int) -> SymbolName:
    return name_of(variable, first + bit)


class DebugVariables:
    """The variables of the source for which debug information gives values."""

    def __init__(self, b: Builder, values: Values) -> None:
        self.values = values
        self.known = SourceVariables(b)

    def call(self, call: CallInst) -> None:
        """Append assignments for a call of llvm.dbg.value; ignore calls of other functions.

        If the value is a pointer, as for llvm.dbg.declare, name the memory that it points to.
        """
        if call.callee.name not in (VALUE, DECLARE):
            return
        found = part_of_call(call)
        if found is None:
            return
        try:
            value = self.values.get(found.value)
        except UnsupportedError:  # metadata may refer to what is computed later
            return
        bit = found.bit
        if isinstance(value, PointerValue):
            name_memory(value, partial(_name_within, found.variable, bit))
        if call.callee.name == DECLARE:
            return
        line = _number(found.variable["line"])
        for each in _scalars(value):
            name = name_of(found.variable, bit)
            self.known.set(id(found.variable), line, name, each)
            bit += max(each.type.bits, 8 * each.type.size)


def name_memory(pointer: PointerValue, name: Naming) -> None:
    """Name the variables of a small array, or the elements of a memory from the pointer on."""
    for at, var in enumerate(pointer.variables):
        var.gives = var.gives or name(8 * pointer.stride * at)
    memory, element, byte = pointer.memory, pointer.element, pointer.byte
    if memory is None or memory.gives or memory.stride > WIDEST:
        return
    if element.op is not OPS.const or byte.op is not OPS.const or element.attr or byte.attr:
        return
    if memory.count is not None and memory.count <= MOST_NAMED:
        memory.gives = tuple(name(8 * memory.stride * at) for at in range(memory.count))


def _scalars(value: Result) -> list[Value]:
    """Return the scalars of a value; none of a pointer or a handle."""
    if isinstance(value, tuple):
        return [each for part in value for each in _scalars(part)]
    return [value] if isinstance(value, Value) else []


# ---------------------------------------------------------------- names


def name_of(variable: DebugNode, bit: int) -> SymbolName:
    """Return the name of a variable's scalar at a bit."""
    function, name = scope_of(variable["scope"])[1], variable.text("name")
    word = spelling(variable["type"])
    steps, scalar = _steps(variable["type"], bit)
    return local_name(function, name, *steps, kind=_kind(scalar), type=word)


def _plain(type: object) -> object:
    """Return a type without names and qualifiers."""
    for _ in range(DEEPEST):
        if not isinstance(type, DebugNode) or type.row.name != "DIDerivedType":
            break
        type = type["baseType"]
    return type


def _steps(type: object, bit: int) -> tuple[list[str], object]:
    """Return the steps to the scalar at a bit of a type, and the type there."""
    steps: list[str] = []
    for _ in range(DEEPEST):
        type = _plain(type)
        if not isinstance(type, DebugNode) or type.row.name != "DICompositeType":
            break
        members = _elements(type)
        if members and members[0].row.name == "DISubrange":
            count, size = _number(members[0]["count"]), _number(type["size"])
            if count < 1 or size < count:
                break
            at, bit = divmod(bit, size // count)
            steps.append(f"[{at}]")
            type = type["baseType"]
            continue
        behind = [
            each
            for each in members
            if each.row.name == "DIDerivedType" and _number(each["offset"]) <= bit
        ]
        if not behind:
            break
        member = max(behind, key=lambda each: _number(each["offset"]))
        bit -= _number(member["offset"])
        steps.append(f".{member.text('name')}")
        type = member["baseType"]
    return steps, type


def _elements(type: DebugNode) -> list[DebugNode]:
    elements = type["elements"]
    parts = elements.elements if isinstance(elements, MetadataNode) else []
    return [each for each in parts if isinstance(each, DebugNode)]


def _kind(type: object) -> str:
    """Return the kind of a scalar; "" for other types."""
    if not isinstance(type, DebugNode) or type.row.name != "DIBasicType":
        return ""
    return KINDS.get(ENCODINGS.get(_number(type["encoding"]), "").removeprefix("DW_ATE_"), "")


def spelling(type: object) -> str:
    """Return a type as HLSL spells it: `float4` for `vector<float, 4>`, `Light[2]`."""
    for _ in range(DEEPEST):
        if not isinstance(type, DebugNode):
            return ""
        if "name" in type.row.names and type.text("name"):
            return SHORT.sub(_short, type.text("name"))
        if type.row.name == "DICompositeType":
            members = _elements(type)
            counts = [_number(x["count"]) for x in members if x.row.name == "DISubrange"]
            if counts:
                return spelling(type["baseType"]) + "".join(f"[{each}]" for each in counts)
        if type.row.name != "DIDerivedType":
            return ""
        type = type["baseType"]
    return ""


def _short(found: re.Match[str]) -> str:
    word, rows, columns = found.groups()
    return f"{word}{rows}" + (f"x{columns}" if columns else "")


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
