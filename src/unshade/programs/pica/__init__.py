"""PICA200: the instruction set of the Nintendo 3DS's shader units, held in SHBIN files."""

from .descriptors import OperandDescriptor
from .instruction import Instruction
from .program import Entry, Program

__all__ = ["Entry", "Instruction", "OperandDescriptor", "Program"]
