"""Sources and source lines that a module contains, in either of two forms.

    %1 = OpString "a.frag"                        %3 = OpExtInst %void %2 DebugSource %1 %4
         OpSource GLSL 450 %1 "void main() …"     %4 is an OpString with the text
         OpSourceContinued "…"                         DebugSourceContinued %5
         OpLine %1 12 5                                DebugLine %3 %12 %12 %5 %6

Source: SPIR-V specification; NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100.
"""

from collections import Counter

from ...tuples import NamedTuple
from .context import string_of
from .index import ModuleIndex, index_of
from .module import Module, first_of, positions_of
from .tables.numbers import Opcode
from .tables.sections import TERMINATORS

__all__ = ["SourceFiles", "SourceLine", "sources"]

SOURCE, SOURCE_CONTINUED, LINE, NO_LINE = 35, 102, 103, 104  # of the extended sets
HOLDING = (Opcode.Source, Opcode.String)  # what every source is in
TEXTS = {Opcode.Source, Opcode.SourceContinued, Opcode.ExtInst}  # what names it, and has its text
UNNAMED = "source"


class SourceLine(NamedTuple):
    """A place in a source: name of the file, line from 1, and column; column 0 if unknown."""

    file: str
    line: int
    column: int


def sources(module: Module) -> dict[str, str]:
    """Return the sources by the name of the file; one without a name is called source."""
    code = module.words()
    if first_of(code, *HOLDING) == len(code):
        return {}  # without decoding every operand
    return SourceFiles(index_of(module)).texts


class SourceFiles:
    """The source files of a module.

    Attributes:
        names: Their names, by the id of the OpString or DebugSource.
        texts: Their contents, if the module contains them, by name. If two files share a name but
            differ in contents, a number is appended to the later file's name: a.comp.1.
    """

    def __init__(self, index: ModuleIndex) -> None:
        self.index = index
        self.names: dict[int, str] = {}
        pieces: list[tuple[int, str, list[str]]] = []  # id, name, text
        for number, definition in index.definitions.items():
            if definition.opcode == Opcode.String:
                self.names[number] = string_of(definition.words[2:])[0]
        strings = dict(self.names)
        last: list[str] = []
        holds = index.has_debug or Opcode.Source in index.opcodes
        for at in positions_of(index.code, TEXTS) if holds else ():
            words = index.code[at]
            if at in index.bad:
                continue
            match words[0] & 0xFFFF:
                case Opcode.Source:
                    last = []
                    if len(words) > 4:
                        last.append(string_of(words[4:])[0])
                        pieces.append((words[3], strings.get(words[3], ""), last))
                case Opcode.SourceContinued if last:
                    last.append(string_of(words[1:])[0])
                case Opcode.ExtInst if self.index.is_debug(words):
                    if words[4] == SOURCE:
                        last = []
                        self.names[words[2]] = strings.get(words[5], "")
                        if len(words) > 6 and words[6] in strings:
                            last.append(strings[words[6]])
                            pieces.append((words[2], self.names[words[2]], last))
                    elif words[4] == SOURCE_CONTINUED and last:
                        last.append(strings.get(words[5], ""))
        self.texts: dict[str, str] = {}
        known: dict[tuple[str, str], str] = {}
        later: Counter[str] = Counter()
        for number, name, parts in pieces:
            key = name or UNNAMED, "".join(parts)
            chosen = known.get(key)
            if chosen is None:
                chosen = key[0]
                while chosen in self.texts:
                    later[key[0]] += 1
                    chosen = f"{key[0]}.{later[key[0]]}"
                known[key], self.texts[chosen] = chosen, key[1]
            self.names[number] = chosen

    def lines(self) -> list[SourceLine | None]:
        """Return the place in the source of each instruction; None if it has none.

        A line applies to the instructions that follow it until the end of the block. Line 0 means
        no line: glslang writes it in DebugLine.
        """
        if not self.index.has_debug and Opcode.Line not in self.index.opcodes:
            return [None] * len(self.index.code)
        found: list[SourceLine | None] = []
        place: SourceLine | None = None
        for position, words in enumerate(self.index.code):
            opcode = words[0] & 0xFFFF
            if position not in self.index.bad:
                match opcode:
                    case Opcode.Line:
                        place = self._place(words[1], words[2], words[3])
                    case Opcode.NoLine:
                        place = None
                    case Opcode.ExtInst if self.index.is_debug(words):
                        if words[4] == LINE and len(words) > 9:
                            line, column = (self.index.integer(words[at]) for at in (6, 8))
                            place = self._place(words[5], line or 0, column or 0)
                        elif words[4] == NO_LINE:
                            place = None
            found.append(place)
            if opcode in TERMINATORS or opcode == Opcode.FunctionEnd:
                place = None
        return found

    def _place(self, file: int, line: int, column: int) -> SourceLine | None:
        return SourceLine(self.names.get(file, ""), line, column) if line else None
