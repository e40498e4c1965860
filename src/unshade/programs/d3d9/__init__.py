"""Direct3D 9 programs: the tokens of Shader Model 1 to 3."""

from .instruction import Instruction
from .program import Program

__all__ = ["Instruction", "Program"]
