"""Opcodes that stand for one thing, and instruction sets that do."""

from .numbers import Opcode

__all__ = ["ARRAYS", "COMPOSITES", "DEBUG_SETS", "VARIABLES"]

ARRAYS = (Opcode.TypeArray, Opcode.TypeRuntimeArray)
COMPOSITES = (Opcode.ConstantComposite, Opcode.SpecConstantComposite)
VARIABLES = (Opcode.Variable, Opcode.UntypedVariableKHR)
DEBUG_SETS = ("DebugInfo", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo")
