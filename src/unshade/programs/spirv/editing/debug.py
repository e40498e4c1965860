"""Removal of debug information, which only debuggers and people need.

OpName, OpMemberName, OpLine, OpNoLine, OpModuleProcessed, OpSource…
OpExtInst of NonSemantic.Shader.DebugInfo and its predecessors, with the import
OpExtInst of NonSemantic.DebugPrintf and NonSemantic.DebugBreak, with the import
OpString, if nothing else refers to it
OpExtension "SPV_KHR_non_semantic_info", if no import needs it any more
"""

from collections.abc import Collection

from ....tuples import NamedTuple
from ..context import string_of
from ..index import ModuleIndex
from ..module import Module
from ..tables.numbers import Opcode
from ..tables.opcode_groups import is_debug_set
from ..tables.sections import DEBUG_INFORMATION

__all__ = ["debug_places", "reflection_places"]

NON_SEMANTIC = "NonSemantic."
FOR_DEBUGGERS = ("NonSemantic.DebugPrintf", "NonSemantic.DebugBreak")
EXTENSION = "SPV_KHR_non_semantic_info"
REFLECTION_SET = "NonSemantic.ClspvReflection"
STRING_DECORATIONS = (Opcode.DecorateString, Opcode.MemberDecorateString)
STRING_EXTENSIONS = ("SPV_GOOGLE_hlsl_functionality1", "SPV_GOOGLE_user_type",
                     "SPV_GOOGLE_decorate_string")  # fmt: skip


class _Marks(NamedTuple):
    """Positions of instructions that are to be removed or may be, in the order of the module."""

    gone: list[int]
    strings: list[int]  # OpString to which no other instruction refers
    extensions: list[tuple[int, str]]  # OpExtension with its name


def _marks(index: ModuleIndex, opcodes: Collection[int], sets: Collection[int]) -> _Marks:
    """Mark instructions of some opcodes and of imported sets, with the imports."""
    gone: list[int] = []
    strings: dict[int, int] = {}
    extensions: list[tuple[int, str]] = []
    used: set[int] = set()
    instructions = zip(index.module.instructions, index.decoded, strict=True)
    for at, (each, decoded) in enumerate(instructions):
        words = each.words
        if decoded.problem:  # any word may be an id
            used.update(words[1:])
        elif (
            each.opcode in opcodes
            or (each.opcode == Opcode.ExtInst and words[3] in sets)
            or (each.opcode == Opcode.ExtInstImport and words[1] in sets)
        ):
            gone.append(at)
        elif each.opcode == Opcode.String:
            strings[words[1]] = at
        elif each.opcode == Opcode.Extension:
            extensions.append((at, string_of(words[1:])[0]))
        else:
            used.update(p.words[0] for p in decoded.operands if p.is_id)
    return _Marks(gone, [at for id, at in strings.items() if id not in used], extensions)


def debug_places(module: Module) -> list[int]:
    """Return the positions of debug information."""
    index = ModuleIndex(module)
    sets = {
        number
        for number, name in index.imports.items()
        if is_debug_set(name) or name in FOR_DEBUGGERS
    }
    others = [name for number, name in index.imports.items() if number not in sets]
    needed = not sets or any(name.startswith(NON_SEMANTIC) for name in others)
    marks = _marks(index, DEBUG_INFORMATION, sets)
    unneeded = [at for at, name in marks.extensions if name == EXTENSION and not needed]
    return sorted([*marks.gone, *marks.strings, *unneeded])


def reflection_places(module: Module) -> list[int]:
    """Return the positions of instructions that only reflection needs, in order.

    OpDecorateString, OpMemberDecorateString    semantics and types of the source
    OpExtInst of NonSemantic.ClspvReflection    with the import and the strings that it alone uses
    OpExtension of the decorations' strings, if no decoration is left
    """
    index = ModuleIndex(module)
    sets = {number for number, name in index.imports.items() if name.startswith(REFLECTION_SET)}
    marks = _marks(index, STRING_DECORATIONS, sets)
    if not marks.gone:
        return []
    unneeded = [at for at, name in marks.extensions if name in STRING_EXTENSIONS]
    return sorted([*marks.gone, *(marks.strings if sets else ()), *unneeded])
