"""printf: records in a memory that the caller reads after the call.

    word 0             words of all records, those that did not fit included
    then for each      number of the format, lane or thread (x, y, z), the words of the arguments

The memory Exchange.PRINTED is written like a buffer, so that engines need no support for printing.
Lanes append in any order, each in its own: the caller sorts the records by lanes (run/printing.py).
A kernel that becomes a source has the statement itself, a message, in place of its record.
"""

from collections.abc import Sequence

from ...vocab.printf import PrintFormat
from ...vocab.slots import Exchange
from ..builder import Builder, constant
from ..kernel import Value
from ..memory import Memory, Space
from ..types import F32, I32, I64

__all__ = ["FIRST", "HEAD", "PrintedRecords"]

NAME = "printed"
FIRST = 1  # word of the first record
HEAD = 4  # words of a record before its arguments
MOST = 1 << 31  # words that are counted: the counter does not wrap around
ZERO = constant(0, I32)


class PrintedRecords:
    """The formats that a kernel prints; its memory is declared when it is first needed.

    With `for_source` formats become messages, and there are no records.
    """

    def __init__(self, b: Builder, for_source: bool = False) -> None:
        self.b = b
        self.for_source = for_source
        self.formats: list[PrintFormat] = []
        self._memory: Memory | None = None

    def append(self, format: PrintFormat, values: Sequence[Value]) -> None:
        """Append code that prints a format with the scalars of its arguments.

        A format with a problem is listed, and prints nothing.

        Args:
            format: The format.
            values: The scalars of the arguments that are printed; integers of less than 32 bits
                have been extended.
        """
        if format not in self.formats:
            self.formats.append(format)
        if format.problem:
            return
        if self.for_source:
            self._message(format, values)
            return
        b, memory = self.b, self.memory
        words = [constant(self.formats.index(format), I32), *self._lane()]
        words += [word for each in values for word in self._words(each)]
        used = b.load(memory, 0)
        with b.when(b.ult(used, constant(MOST, I32))):
            at = b.atomic_add(ZERO, ZERO, constant(len(words), I32), attr=memory)
            end = b.iadd(at, len(words))
            with b.when(b.ult(end, b.count(memory))):
                for number, word in enumerate(words):
                    b.store(memory, b.iadd(at, number + FIRST), 0, word)

    def _message(self, format: PrintFormat, values: Sequence[Value]) -> None:
        """Append a message, whose operands are of the kinds that the format prints."""
        kinds = [each.kind for each in format.printed for _ in range(each.components)]
        operands = [self._typed(*each) for each in zip(kinds, values, strict=True)]
        self.b.message(*operands, attr=format.text)

    def _typed(self, kind: str, value: Value) -> Value:
        if value.type.kind == "b":
            return self.b.select(value, constant(1, I32), ZERO)
        if kind == "float" and value.type.kind == "i":  # a register without a type
            return self.b.asfloat(value)
        return value

    @property
    def memory(self) -> Memory:
        """The memory of the records."""
        if self._memory is None:
            self._memory = self.b.memory(
                NAME, Space.BUFFER, 4, writable=True, slot=Exchange.PRINTED, internal=True
            )
        return self._memory

    def _lane(self) -> list[Value]:
        """Return three words that identify the lane."""
        b = self.b
        if b.kernel.dispatched:
            return [b.source(f"thread_id.{axis}") for axis in "xyz"]
        return [b.source("item"), ZERO, ZERO]

    def _words(self, value: Value) -> list[Value]:
        """Return the words of a scalar."""
        b, type = self.b, value.type
        if type.kind == "b":
            return [b.select(value, constant(1, I32), ZERO)]
        if type.kind == "f":
            if type.bits < 32:
                value = b.fconv(value, type=F32)
            value = b.bitcast(value)
        if value.type == I64:
            return [b.iconv(value, type=I32), b.iconv(b.ushr(value, 32), type=I32)]
        return [value]
