"""PICA200 programs: code of the Nintendo 3DS's shader units, stored in SHBIN files."""

from .descriptors import OperandDescriptor
from .instruction import Instruction
from .program import Entry, Program

__all__ = ["Entry", "Instruction", "OperandDescriptor", "Program"]
