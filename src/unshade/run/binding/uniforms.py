"""Register files whose registers have names: values are given by name or by register.

    c   projection float4[4] at c0, half float4 at c95     a dict of either
        c0, c1, … c95                                      and of registers, one at a time

A name is an alias of its registers, so a value given by register is also the value of the name.
Constants that the file presets are defaults of their registers: they hold until something else is
given.
"""

from collections.abc import Iterable
from copy import copy
from typing import Any

import numpy as np

from ...model import ConstantBuffer, TypeClass, TypeDescription, Variable
from .layout import SCALARS, write

__all__ = ["missing", "with_registers", "zero_of"]

ROW = 16  # bytes that a register counts as


def with_registers(buffer: ConstantBuffer) -> ConstantBuffer:
    """Return a register file with a variable for each of its registers beside those with names."""
    kind = buffer.register
    if kind is None:
        return buffer
    size = buffer.declared_size or buffer.size
    values = dict(_values(buffer.variables))
    named = {each.name for each in buffer.variables if not each.type.elements}
    registers = []
    for number in range(size // ROW):
        name = f"{buffer.name}{number}"
        register = Variable(
            name=name, offset=ROW * number, size=ROW, type=kind, used=False,
            default=values.get(number),
        )  # fmt: skip
        if name not in named or register.default is not None:
            registers.append(register)
    taken = {each.name for each in registers}
    kept = [each for each in buffer.variables if each.name not in taken]
    made = copy(buffer)
    made.size = made.declared_size = size
    made.variables = [*kept, *registers]
    return made


def missing(buffer: ConstantBuffer, given: Iterable[str] = ()) -> list[Variable]:
    """Return the variables that are read and that have no value.

    A variable has a value if it is given, has a default, or is covered by other variables with
    values.
    """
    names = set(given)
    there = [each for each in buffer.variables if each.default is not None or each.name in names]
    known = {each.name for each in there}
    left = [each for each in buffer.variables if each.used and each.name not in known]
    return [each for each in left if not _covered(each, there)]


def zero_of(kind: TypeDescription) -> Any:
    """Return 0 as a value of a type: a number, or lists of numbers and dicts of members."""
    if kind.members:
        found: Any = {each.name: zero_of(each.type) for each in kind.members}
    elif kind.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
        found = [[0] * kind.columns for _ in range(kind.rows)]
    else:
        found = [0] * kind.columns if kind.columns > 1 else 0
    for size in reversed(kind.elements):
        found = [found] * size
    return found


def _covered(variable: Variable, others: Iterable[Variable]) -> bool:
    at, end = variable.offset, variable.offset + variable.size
    for each in sorted(others, key=lambda other: other.offset):
        if each.offset <= at < each.offset + each.size:
            at = each.offset + each.size
            # The padding between elements of an array, or after a component, holds nothing else.
            at = at if at >= end else -(-at // ROW) * ROW
    return at >= end


def _values(variables: Iterable[Variable]) -> Iterable[tuple[int, bytes]]:
    """Yield the number and bytes of each register that has a value."""
    for each in variables:
        if each.value is None:
            continue
        if not each.type.elements:
            whole = np.zeros(-(-each.type.size // ROW) * ROW, np.uint8)
            write(whole, 0, each.type, each.value, each.name)
            for at in range(0, len(whole), ROW):
                yield (each.offset + at) // ROW, whole[at : at + ROW].tobytes()
            continue
        for number, row in enumerate(each.value):
            if row is not None:
                data = np.array(row, SCALARS[each.type.scalar]).tobytes()
                yield each.offset // ROW + number, data.ljust(ROW, b"\0")
