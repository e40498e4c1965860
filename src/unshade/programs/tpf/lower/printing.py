"""printf and errorf: custom data that Direct3D 11 prints in its debug layer.

    printf "x is %f, %d of them", r0.x, r1.x       a component of a register for each conversion

Registers have no types, so an argument has the type of its conversion.

Source: the reference of HLSL, `printf` and `errorf`; programs/tpf/customdata.py.
"""

from ....ir.library.printing import PrintedRecords
from ....vocab.printf import FLOATS, PrintArgument, PrintFormat, conversions
from ..customdata import ShaderMessage
from .registers import Registers

__all__ = ["lower_message"]


def lower_message(registers: Registers, printed: PrintedRecords, message: ShaderMessage) -> None:
    """Append code that prints a message."""
    text = message.text.decode("utf-8", "replace")
    if message.format != 1:  # plain text
        text = text.replace("%", "%%")
    kinds = ["float" if each.letter in FLOATS else "int" for each in conversions(text)]
    kinds = kinds[: len(message.operands)]
    format = PrintFormat(text, tuple(map(PrintArgument, kinds)), registers.builder.line)
    values = [] if format.problem else [registers.bits(each, 0) for each in message.operands]
    printed.append(format, values[: len(kinds)])
