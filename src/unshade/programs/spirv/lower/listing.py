"""The listing of a module that a lowered program refers to: lines, names, places in sources.

line 12 of the listing      %12 = OpFAdd %float %a %b
location                    OpLine, or DebugLine of NonSemantic.Shader.DebugInfo
"""

from ....ir.locations import SourceLocation
from ....ir.transforms.functions import CallFrame
from ..index import ModuleIndex
from ..module import Instruction, Module
from ..sources import SourceFiles, SourceLine, is_debug_set
from ..tables.grammar import grammar
from ..tables.numbers import Opcode
from ..text.printer import disassemble, names_of, printed_lines
from .types import LeafType

__all__ = ["Listing"]

LETTERS = "xyzw"
END = Opcode.FunctionEnd
NOT_RUN = {  # in a function
    Opcode.Function, Opcode.FunctionParameter, Opcode.Label, Opcode.Line, Opcode.NoLine,
}  # fmt: skip


class Listing:
    """The listing of a module.

    Attributes:
        lines: The lines of the text.
        numbers: The line of each instruction, from 1.
        positions: The place in the sources of each instruction; None if it is not known.
    """

    def __init__(self, module: Module, index: ModuleIndex) -> None:
        self.index = index
        self.names = names_of(module)
        self.lines = disassemble(module).split("\n")[:-1]
        bodies = printed_lines(module)
        line = len(self.lines) - sum(1 + each.body.count("\n") for each in bodies) + 1
        self.numbers: list[int] = []
        for each in bodies:
            self.numbers.append(line)
            line += 1 + each.body.count("\n")
        self.positions = SourceFiles(index).lines()
        self._locations: dict[tuple[object, SourceLine], SourceLocation] = {}
        self._bare: dict[CallFrame, SourceLocation] = {}

    def located(self) -> dict[int, SourceLocation | None]:
        """Return the location of each line with an instruction of a function, without calls."""
        found: dict[int, SourceLocation | None] = {}
        instructions = self.index.module.instructions
        inside = False
        for at, each in enumerate(instructions):
            inside = each.opcode == Opcode.Function or (inside and each.opcode != END)
            place = self.positions[at]
            if inside and each.opcode not in NOT_RUN and not self._is_note(each):
                found[self.numbers[at]] = SourceLocation(*place) if place is not None else None
        return found

    def _is_note(self, instruction: Instruction) -> bool:
        """Return True for an instruction of debug information."""
        words = instruction.words
        if instruction.opcode != Opcode.ExtInst or len(words) < 4:
            return False
        return is_debug_set(self.index.imports.get(words[3], ""))

    def name(self, number: int) -> str:
        """Return the name of an id: %12."""
        return f"%{self.names.get(number, number)}"

    def source_name(self, number: int) -> str:
        """Return the name of an id in the source; empty if it is unnamed."""
        return self.index.names.get(number, "")

    def operation(self, instruction: Instruction) -> str:
        """Return the name of an instruction's operation."""
        op = grammar().core.by_code.get(instruction.opcode)
        return op.name if op is not None else f"opcode {instruction.opcode}"

    def steps(self, type: LeafType) -> list[tuple[str, ...]]:
        """Return the path to each leaf of a type: `[1]`, `.colour`, `.x`."""
        if type.is_struct:
            names = self.index.member_names.get(type.id, {})
            return [
                (f".{names.get(at) or f'member{at}'}", *inner)
                for at, each in enumerate(type.members)
                for inner in self.steps(each)
            ]
        if type.element is None:
            return [()] * type.size
        inner = self.steps(type.element)
        found = []
        for at in range(type.count):
            vector = type.opcode == Opcode.TypeVector and at < len(LETTERS)
            step = f".{LETTERS[at]}" if vector else f"[{at}]"
            found += [(step, *each) for each in inner]
        return found

    # -- places in sources -------------------------------------------------------------------------

    def location(
        self, position: int, function: str, frame: CallFrame | None
    ) -> SourceLocation | None:
        """Return the location of an instruction, inlined at a call."""
        place = self.positions[position]
        if place is None:
            if frame is None:
                return None
            found = self._bare.get(frame)
            if found is None:
                found = SourceLocation(function=function, call=frame.call)
                self._bare[frame] = found
            return found
        key = frame, place
        known = self._locations.get(key)
        if known is None:
            call = frame.call if frame is not None else None
            known = self._locations[key] = SourceLocation(*place, function, call)
        return known
