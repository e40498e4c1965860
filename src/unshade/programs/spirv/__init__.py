"""SPIR-V modules: words, instructions, text."""

from .module import Instruction, Module
from .program import Program

__all__ = ["Instruction", "Module", "Program"]
