"""The size of a module inside larger data, which the header does not contain.

    header, instructions …, the first words that are not an instruction of the grammar

Data after a module in a pack rarely decodes: zeros have a word count of 0, and the magic number of
another module is not an opcode.
"""

import struct
from functools import lru_cache

from ...errors import FormatError
from .context import Context
from .module import HEADER, MAGIC, byte_order
from .operands import result_of
from .tables.grammar import grammar

__all__ = ["measure"]

_words = lru_cache(lambda letter, count: struct.Struct(f"{letter}{count}I"))


def measure(data: bytes | memoryview) -> int:
    """Return the size in bytes of the module at the start of `data`, or raise FormatError."""
    order = byte_order(data)
    if order is None:
        raise FormatError(f"expected the magic 0x{MAGIC:08x}", path="magic")
    size, at = len(data), 4 * HEADER
    if size < at:
        raise FormatError(f"expected a header of {at} bytes, got {size}", path="header")
    letter = "<" if order == "little" else ">"
    context, table = Context(), grammar()
    heads = struct.Struct(f"{letter}I")
    while at + 4 <= size:
        count = heads.unpack_from(data, at)[0] >> 16
        if not count or at + 4 * count > size:
            break
        each = _words(letter, count).unpack_from(data, at)
        found = result_of(each, context, table)
        if found is None:
            break
        context.add(each, *found)
        at += 4 * count
    if at == 4 * HEADER:
        raise FormatError("expected an instruction after the header", offset=at, path="code")
    return at
