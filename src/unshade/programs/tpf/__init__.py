"""Shader Model 4 to 5.1: the tokenized program format of SHDR and SHEX parts."""

from typing import TYPE_CHECKING

from .instruction import Instruction
from .operands import Index, Operand
from .program import Program

__all__ = ["Index", "Instruction", "Operand", "Program", "immediate", "register", "temp"]

if TYPE_CHECKING:
    from .build import immediate, register, temp
else:
    from ...lazy import attributes  # who reads a program does not need what makes operands

    __getattr__ = attributes(__name__, dict.fromkeys(("immediate", "register", "temp"), ".build"))
