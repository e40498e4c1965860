"""Removal of debug information, which only debuggers and people need.

OpName, OpMemberName, OpLine, OpNoLine, OpModuleProcessed, OpSource…
OpExtInst of NonSemantic.Shader.DebugInfo and its predecessors, with the import
OpExtInst of NonSemantic.DebugPrintf and NonSemantic.DebugBreak, with the import
OpString, if nothing else refers to it
OpExtension "SPV_KHR_non_semantic_info", if no import needs it any more
"""

from ..context import string_of
from ..index import ModuleIndex
from ..module import Module
from ..sources import is_debug_set
from ..tables.numbers import Opcode
from ..tables.sections import DEBUG_INFORMATION

__all__ = ["debug_places", "reflection_places"]

NON_SEMANTIC = "NonSemantic."
FOR_DEBUGGERS = ("NonSemantic.DebugPrintf", "NonSemantic.DebugBreak")
EXTENSION = "SPV_KHR_non_semantic_info"
REFLECTION_SET = "NonSemantic.ClspvReflection"
STRING_DECORATIONS = (Opcode.DecorateString, Opcode.MemberDecorateString)
STRING_EXTENSIONS = ("SPV_GOOGLE_hlsl_functionality1", "SPV_GOOGLE_user_type",
                     "SPV_GOOGLE_decorate_string")  # fmt: skip


def debug_places(module: Module) -> list[int]:
    """Return the positions of debug information."""
    index = ModuleIndex(module)
    sets = {
        number
        for number, name in index.imports.items()
        if is_debug_set(name) or name in FOR_DEBUGGERS
    }
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


def reflection_places(module: Module) -> list[int]:
    """Return the positions of what only reflection needs, in the order of the module.

    OpDecorateString, OpMemberDecorateString    semantics and types of the source
    OpExtInst of NonSemantic.ClspvReflection    with the import and the strings that it alone uses
    OpExtension of the decorations' strings, if no decoration is left
    """
    index = ModuleIndex(module)
    sets = {number for number, name in index.imports.items() if name.startswith(REFLECTION_SET)}
    gone: set[int] = set()
    strings: dict[int, int] = {}
    used: set[int] = set()
    extensions: list[int] = []
    for at, (each, decoded) in enumerate(zip(module.instructions, index.decoded, strict=True)):
        words = each.words
        if decoded.problem:
            used.update(words[1:])
        elif (
            each.opcode in STRING_DECORATIONS
            or (each.opcode == Opcode.ExtInst and words[3] in sets)
            or (each.opcode == Opcode.ExtInstImport and words[1] in sets)
        ):
            gone.add(at)
        elif each.opcode == Opcode.String:
            strings[words[1]] = at
        elif each.opcode == Opcode.Extension and string_of(words[1:])[0] in STRING_EXTENSIONS:
            extensions.append(at)
        else:
            used.update(p.words[0] for p in decoded.operands if p.is_id)
    if not gone:
        return []
    gone.update(extensions)
    if sets:
        gone |= {at for number, at in strings.items() if number not in used}
    return sorted(gone)
