"""Removal of debug information, which only debuggers and people need.

OpName, OpMemberName, OpLine, OpNoLine, OpModuleProcessed, OpSource…
OpExtInst of NonSemantic.Shader.DebugInfo and its predecessors, with the import
OpString, if nothing else refers to it
OpExtension "SPV_KHR_non_semantic_info", if no import needs it any more
"""

from ..context import string_of
from ..index import ModuleIndex
from ..module import Instruction, Module
from ..sources import is_debug_set
from ..tables.numbers import Opcode
from ..tables.sections import DEBUG_INFORMATION

__all__ = ["debug_information", "debug_places", "strip"]

NON_SEMANTIC = "NonSemantic."
EXTENSION = "SPV_KHR_non_semantic_info"


def debug_information(module: Module) -> list[Instruction]:
    """Return the instructions that only debuggers and people need, in the order of the module."""
    return [module.instructions[at] for at in debug_places(module)]


def strip(module: Module) -> None:
    """Remove debug information."""
    gone = set(debug_places(module))
    module.instructions = [each for at, each in enumerate(module.instructions) if at not in gone]


def debug_places(module: Module) -> list[int]:
    """Return the positions of debug information."""
    index = ModuleIndex(module)
    sets = {number for number, name in index.imports.items() if is_debug_set(name)}
    others = [name for number, name in index.imports.items() if number not in sets]
    needed = any(name.startswith(NON_SEMANTIC) for name in others)
    gone: set[int] = set()
    maybe: dict[int, int] = {}  # strings: position by id
    used: set[int] = set()
    for at, (each, decoded) in enumerate(zip(module.instructions, index.decoded, strict=True)):
        words = each.words
        if decoded.problem:  # any word may be an id
            used.update(words[1:])
        elif (
            each.opcode in DEBUG_INFORMATION
            or (each.opcode == Opcode.ExtInst and words[3] in sets)
            or (each.opcode == Opcode.ExtInstImport and words[1] in sets)
        ):
            gone.add(at)
        elif each.opcode == Opcode.String:
            maybe[words[1]] = at
        elif each.opcode == Opcode.Extension and not needed and sets:
            if string_of(words[1:])[0] == EXTENSION:
                gone.add(at)
        else:
            used.update(p.words[0] for p in decoded.operands if p.is_id)
    gone |= {at for number, at in maybe.items() if number not in used}
    return sorted(gone)
