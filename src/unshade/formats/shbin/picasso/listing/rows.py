"""Rows of constants and outputs, as picasso declares them or as the exact dialect writes them.

    .setf c95(1.0, 0.0, 0.5, -1.0)        .constant 2 95 0xff3f0000 0 0 0
    .out - texcoord0 o2.xy                .output 7 2 0x3 0

A float24 is printed so that picasso's rounding restores the same bits: picasso encodes numbers
from 2^-63 on with exponent 0, and numbers from 2^64 on as NaN.
"""

import struct
from collections.abc import Sequence

from .....programs.pica.tables.registers import Register, RegisterFile
from .....programs.pica.text.names import SourceNames
from .....vocab.float24 import INFINITY, is_subnormal, source_text
from .....vocab.pica import (
    BOOLS,
    COMPONENTS,
    FLOATS,
    INTEGERS,
    OUTPUTS,
    PIPELINE_OUTPUTS,
    OutputType,
)
from .....wire import Record, write
from .....wire.types import Scalar
from ...records import Constant, ConstantType, Output

__all__ = ["constant_line", "output_lines"]

KINDS = {
    ConstantType.BOOL: (RegisterFile.BOOL, BOOLS),
    ConstantType.INT: (RegisterFile.INTEGER, INTEGERS),
    ConstantType.FLOAT: (RegisterFile.FLOAT, FLOATS),
}
MEANINGS = {each.value: each.name.lower() for each in OutputType}
MOST_OUTPUTS = 16
ALL = 0b1111


def constant_words(constant: Constant) -> tuple[int, ...]:
    """Return the type, the number, and the value as four words."""
    return struct.unpack("<2H4I", write(constant))


def constant_line(constant: Constant, names: SourceNames) -> str | None:
    """Return `.setf`, `.seti` or `.setb`; None if picasso never writes such a row."""
    kind, number, *words = constant_words(constant)
    file, count = KINDS.get(ConstantType(kind), (None, 0)) if kind <= 2 else (None, 0)
    if file is None or number >= count:
        return None
    register = names.register(Register(file, number))
    if kind == ConstantType.BOOL:
        if words[0] > 1 or any(words[1:]):
            return None
        return f".setb {register} {'true' if words[0] else 'false'}"
    if kind == ConstantType.INT:
        if any(words[1:]):
            return None
        return f".seti {register}({', '.join(map(str, words[0].to_bytes(4, 'little')))})"
    if max(words) >> 24:
        return None
    line = f".setf {register}({', '.join(map(source_text, words))})"
    odd = [f"{letter} is {_odd(bits)}" for letter, bits in zip(COMPONENTS, words, strict=True)
           if _odd(bits)]  # fmt: skip
    return f"{line} ; {', '.join(odd)}" if odd else line


def _odd(bits: int) -> str:
    """Describe a number that differs from the printed one; "" for others."""
    if is_subnormal(bits):
        return f"subnormal, 0x{bits:06x}"
    if bits & INFINITY == INFINITY and bits & 0xFFFF:
        return f"NaN, 0x{bits:06x}"
    return ""


def output_lines(outputs: Sequence[Output], geometry: bool) -> list[tuple[str | None, Output]]:
    """Return each row with its `.out`, None if picasso cannot write it there."""
    lines: list[tuple[str | None, Output]] = []
    used: dict[int, int] = {}
    for each in outputs:
        line = None
        if len(lines) < MOST_OUTPUTS:
            line = _output(each, used, PIPELINE_OUTPUTS if geometry else OUTPUTS)
        if line is not None:
            used[each.register] = used.get(each.register, 0) | each.mask
        lines.append((line, each))
    return lines


def _output(each: Output, used: dict[int, int], count: int) -> str | None:
    name = MEANINGS.get(each.type)
    register, mask = each.register, each.mask
    if name is None or each.unknown_6 or not 0 < mask <= ALL or register >= count:
        return None
    if (register >= PIPELINE_OUTPUTS and name != "dummy") or used.get(register, 0) & mask:
        return None
    letters = "".join(c for place, c in enumerate(COMPONENTS) if mask >> place & 1)
    components = "" if mask == ALL else f".{letters}"
    if register >= 8:
        # picasso confuses o8 with o0 when it checks for collisions, so let it choose the register
        if register != next(n for n in range(count + 1) if n not in used):
            return None
        return f".out - {name}{components}"
    return f".out - {name} o{register}{components}"


def constant_row(constant: Constant) -> str:
    """Return the row as a directive of the exact dialect."""
    kind, number, *words = constant_words(constant)
    return f".constant {kind} {number} {' '.join(_word(word) for word in words)}"


def output_row(each: Output) -> str:
    """Return the row as a directive of the exact dialect."""
    return f".output {each.type} {each.register} 0x{each.mask:x} {each.unknown_6}"


def _word(word: int) -> str:
    return f"0x{word:08x}" if word else "0"


def numbers(record: Record, expected: dict[str, int]) -> list[str]:
    """Return the numbers of a record that differ from the expected ones, and wrong counts."""
    lines = []
    for each in record.layout.fields:
        if isinstance(each.type, Scalar):
            value = getattr(record, each.name)
            usual = None if each.derive else expected.get(each.name, 0)
            if value is not None and value != usual:
                lines.append(f"{each.name} {value}")
    return lines
