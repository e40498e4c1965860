"""NonSemantic.DebugPrintf: records of printed values (ir/library/printing.py).

    %format = OpString "light %d: %v3f"
              OpExtInst %void %set DebugPrintf %format %i %colour

A format that cannot be printed has no effect; `verify` and the report of a call name the reason.

Source: the specification of NonSemantic.DebugPrintf.
"""

from typing import TYPE_CHECKING

from ....ir.kernel import Value
from ....ir.types import I32
from ....vocab.printf import PrintArgument, PrintFormat
from ..context import string_of
from ..module import Instruction
from ..tables.numbers import Opcode
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["DEBUG_PRINTF", "debug_printf"]

DEBUG_PRINTF = "NonSemantic.DebugPrintf"
PRINT = 1  # the instruction
STORES = 16  # words that count as an instruction


def debug_printf(lowering: "Lowering", instruction: Instruction) -> None:
    """Lower DebugPrintf."""
    words = instruction.words
    if words[4] != PRINT or len(words) < 6:
        return
    found = lowering.index.definitions.get(words[5])
    if found is None or found.opcode != Opcode.String:
        return
    types = [lowering.types.of_value(each) for each in words[6:]]
    arguments = tuple(_argument(each) for each in types)
    format = PrintFormat(string_of(found.words[2:])[0], arguments, lowering.b.line)
    values = []
    if not format.problem:
        lowering.calls.spend(format.words // STORES)
        for number, type in zip(words[6 : 6 + len(format.printed)], types, strict=False):
            values += [_extended(lowering, each, type) for each in lowering.value(number)]
    lowering.printed.append(format, values)


def _argument(type: LeafType) -> PrintArgument:
    """Return the type of an argument."""
    scalar = type.scalar
    if scalar is None or (type.element is not None and type.opcode != Opcode.TypeVector):
        return PrintArgument("")
    if scalar.kind == "b":
        return PrintArgument("bool", 32, type.size)
    kind = "float" if scalar.kind == "f" else "int" if _signed(type) else "uint"
    return PrintArgument(kind, scalar.bits, type.size)


def _signed(type: LeafType) -> bool:
    return type.element.signed if type.element is not None else type.signed


def _extended(lowering: "Lowering", value: Value, type: LeafType) -> Value:
    """Return an integer of at least 32 bits."""
    if value.type.kind != "i" or value.type.bits >= 32:
        return value
    b = lowering.b
    return b.iconv(value, type=I32) if _signed(type) else b.uconv(value, type=I32)
