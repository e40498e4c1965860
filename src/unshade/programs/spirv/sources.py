"""Sources and source lines that a module contains, in either of two forms.

    %1 = OpString "a.frag"                        %3 = OpExtInst %void %2 DebugSource %1 %4
         OpSource GLSL 450 %1 "void main() …"     %4 is an OpString with the text
         OpSourceContinued "…"                         DebugSourceContinued %5
         OpLine %1 12 5                                DebugLine %3 %12 %12 %5 %6

Source: SPIR-V specification; NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100.
"""

from collections.abc import Iterator
from typing import NamedTuple

from .context import string_of
from .index import ModuleIndex
from .module import Module
from .tables.numbers import Opcode

__all__ = ["DEBUG_SETS", "SourceLine", "is_debug_set", "lines", "sources"]

DEBUG_SETS = ("DebugInfo", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo")
SOURCE, SOURCE_CONTINUED, LINE, NO_LINE = 35, 102, 103, 104  # of the extended sets


class SourceLine(NamedTuple):
    """A place in a source: name of the file, line and column, both from 1."""

    file: str
    line: int
    column: int


def is_debug_set(name: str) -> bool:
    """Return True for an extended instruction set that has debug information alone."""
    return any(name == each or name.startswith(f"{each}.") for each in DEBUG_SETS)


def sources(module: Module) -> dict[str, str]:
    """Return the sources by the name of the file; one without a name is called source."""
    index = ModuleIndex(module)
    found: dict[str, str] = {}
    for name, text in _pieces(index):
        found[name] = found.get(name, "") + text
    return found


def _pieces(index: ModuleIndex) -> Iterator[tuple[str, str]]:
    """Iterate over (name, text) of each source and continuation."""
    strings = _strings(index)
    last, unnamed = "", 0
    for each, decoded in zip(index.module.instructions, index.decoded, strict=True):
        words = each.words
        if decoded.problem:
            continue
        match each.opcode:
            case Opcode.Source:
                last = ""
                if len(words) > 4:
                    last = strings.get(words[3], "")
                    if not last:
                        last = f"source{unnamed or ''}"
                        unnamed += 1
                    yield last, string_of(words[4:])[0]
            case Opcode.SourceContinued if last:
                yield last, string_of(words[1:])[0]
            case Opcode.ExtInst if _in_debug_set(index, words):
                if words[4] == SOURCE:
                    last = strings.get(words[5], "")
                    if len(words) > 6 and words[6] in strings:
                        yield last, strings[words[6]]
                elif words[4] == SOURCE_CONTINUED and last:
                    yield last, strings.get(words[5], "")


def lines(index: ModuleIndex) -> list[SourceLine | None]:
    """Return the place in the source of each instruction; None if it has none."""
    strings = _strings(index)
    files: dict[int, str] = {}  # of DebugSource
    found: list[SourceLine | None] = []
    place: SourceLine | None = None
    for each, decoded in zip(index.module.instructions, index.decoded, strict=True):
        words = each.words
        here = place
        if not decoded.problem:
            match each.opcode:
                case Opcode.Line:
                    place = SourceLine(strings.get(words[1], ""), words[2], words[3])
                    here = None
                case Opcode.NoLine | Opcode.FunctionEnd | Opcode.Label:
                    place = here = None
                case Opcode.ExtInst if _in_debug_set(index, words):
                    here = None
                    if words[4] == SOURCE:
                        files[words[2]] = strings.get(words[5], "")
                    elif words[4] == LINE and len(words) > 9:
                        line, column = index.integer(words[6]), index.integer(words[8])
                        place = SourceLine(files.get(words[5], ""), line or 0, column or 0)
                    elif words[4] == NO_LINE:
                        place = None
        found.append(here)
    return found


def _strings(index: ModuleIndex) -> dict[int, str]:
    return {
        number: string_of(each.words[2:])[0]
        for number, each in index.definitions.items()
        if each.opcode == Opcode.String
    }


def _in_debug_set(index: ModuleIndex, words: tuple[int, ...]) -> bool:
    return is_debug_set(index.imports.get(words[3], ""))
