"""Shader Model 4 to 5.1: the tokenized program format of SHDR and SHEX parts."""

from .build import immediate, register, temp
from .instruction import Instruction
from .operands import Index, Operand
from .program import Program

__all__ = ["Index", "Instruction", "Operand", "Program", "immediate", "register", "temp"]
