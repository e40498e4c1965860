"""Instruction sets as data: words made of bit fields, and tables of instructions."""

from .bits import Bits, Word
from .table import Row, Table

__all__ = ["Bits", "Row", "Table", "Word"]
