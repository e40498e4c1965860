"""Sizes and offsets of types in memory, by the data layout of a module.

    e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64
      p[space]:size:alignment   i width:alignment   f …   v …   a:0:alignment

Vectors are arrays of their elements in size and alignment, padding included: DXC's own rule.

Source: the language reference of LLVM 3.7, data layout; microsoft/DirectXShaderCompiler,
DataLayout.cpp, DataLayout.h.
"""

import re

from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits
from .model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)

__all__ = ["DataLayout"]

_ENTRY = re.compile(r"([pif])(\d*):(\d+)(?::(\d+))?", re.ASCII)
_BITS = {"i": {1: 8, 8: 8, 16: 16, 32: 32, 64: 32}, "f": {16: 16, 32: 32, 64: 64, 128: 128}}
MOST_BITS = 1 << 16


class DataLayout:
    """A data layout. Sizes and alignments are in bytes."""

    def __init__(self, text: str, limits: Limits = DEFAULT) -> None:
        self.limits = limits
        self.alignments = {kind: dict(table) for kind, table in _BITS.items()}
        self.pointers = {0: (64, 64)}
        self.known: dict[DxilType, tuple[int, int]] = {}
        for entry in text.split("-"):
            match = _ENTRY.match(entry[:64])
            if match is None:
                continue
            kind, width = match[1], int(match[2] or 0)
            first, second = int(match[3]), int(match[4] or 0)
            alignment = second or first if kind == "p" else first
            if max(width, first, alignment) > MOST_BITS or alignment & alignment - 1:
                raise FormatError(f"expected sizes of a data layout, got {entry!r:.40}")
            if kind == "p":
                self.pointers[width] = (first, alignment)
            else:
                self.alignments[kind][width] = alignment

    def size(self, type: DxilType) -> int:
        """Return the distance of two consecutive values of a type."""
        return self._measure(type, 0)[0]

    def offsets(self, type: StructType) -> list[int]:
        """Return the offsets of the elements of a structure."""
        return self._layout(type, 0)[0]

    def _measure(self, type: DxilType, depth: int) -> tuple[int, int]:
        """Return size and alignment of a type."""
        found = self.known.get(type)
        if found is None:
            if depth > self.limits.depth:
                raise LimitError("depth", self.limits.depth, "deeper nesting of types")
            found = self.known[type] = self._make(type, depth + 1)
        return found

    def _make(self, type: DxilType, depth: int) -> tuple[int, int]:
        if isinstance(type, IntegerType):
            return _rounded(type.width, self._integer(type.width))
        if isinstance(type, FloatType):
            alignment = self.alignments["f"].get(type.width)
            return _rounded(type.width, alignment or _power(type.width))
        if isinstance(type, PointerType):
            return _rounded(*self.pointers.get(type.space, self.pointers[0]))
        if isinstance(type, ArrayType | VectorType):
            size, alignment = self._measure(type.element, depth)
            return size * type.count, alignment
        if isinstance(type, StructType) and type.elements is not None:
            _, size, alignment = self._layout(type, depth)
            return size, alignment
        raise FormatError(f"expected a type with a size, got {type!s:.40}")

    def _integer(self, width: int) -> int:
        """Return the alignment of an integer: the alignment of the next larger specified size."""
        table = self.alignments["i"]
        wider = [each for each in table if each >= width]
        return table[min(wider)] if wider else table[max(table)]

    def _layout(self, type: StructType, depth: int) -> tuple[list[int], int, int]:
        """Return offsets, size and alignment of a structure."""
        offsets, size, most = [], 0, 1
        for element in type.elements or ():
            length, alignment = self._measure(element, depth)
            if type.packed:
                alignment = 1
            most = max(most, alignment)
            size = -(-size // alignment) * alignment
            offsets.append(size)
            size += length
        return offsets, -(-size // most) * most, most


def _power(bits: int) -> int:
    return 1 << (bits - 1).bit_length()


def _rounded(bits: int, alignment: int) -> tuple[int, int]:
    """Return size and alignment in bytes from both in bits."""
    unit = max(alignment // 8, 1)
    size = (bits + 7) // 8
    return (size + unit - 1) // unit * unit, unit
