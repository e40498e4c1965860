"""Instruction sets as data: words made of bit fields, and tables of instructions."""

from .bits import Bits, Word
from .table import Table, TableRow

__all__ = ["Bits", "Table", "TableRow", "Word"]
