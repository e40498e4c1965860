"""Groups of opcodes, and of extended instruction sets, with a common meaning."""

from .numbers import Opcode

__all__ = [
    "ARRAYS", "COMPOSITES", "DEBUG_SETS", "VARIABLES", "is_debug_set", "is_non_semantic_set",
]  # fmt: skip

ARRAYS = (Opcode.TypeArray, Opcode.TypeRuntimeArray)
COMPOSITES = (Opcode.ConstantComposite, Opcode.SpecConstantComposite)
VARIABLES = (Opcode.Variable, Opcode.UntypedVariableKHR)
DEBUG_SETS = ("DebugInfo", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo")


def is_debug_set(name: str) -> bool:
    """Return True for an extended instruction set that has debug information alone."""
    return any(name == each or name.startswith(f"{each}.") for each in DEBUG_SETS)


def is_non_semantic_set(name: str) -> bool:
    """Return True for an extended instruction set whose instructions may be removed."""
    return name.startswith("NonSemantic.") or is_debug_set(name)
