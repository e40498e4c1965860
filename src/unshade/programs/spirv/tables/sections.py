"""Groups of instructions that the grammar does not name."""

from .numbers import Opcode

__all__ = ["DEBUG_INFORMATION", "TERMINATORS"]

# The last instruction of a block (SPIR-V specification, Block Termination Instruction).
TERMINATORS = frozenset({
    Opcode.Branch, Opcode.BranchConditional, Opcode.Switch, Opcode.Kill, Opcode.Return,
    Opcode.ReturnValue, Opcode.Unreachable, Opcode.TerminateInvocation,
    Opcode.IgnoreIntersectionKHR, Opcode.TerminateRayKHR, Opcode.EmitMeshTasksEXT,
})  # fmt: skip
# Instructions for debuggers and people: sources, names, lines, processing.
DEBUG_INFORMATION = frozenset({
    Opcode.SourceContinued, Opcode.Source, Opcode.SourceExtension, Opcode.Name,
    Opcode.MemberName, Opcode.Line, Opcode.NoLine, Opcode.ModuleProcessed,
})  # fmt: skip
