"""The listing of a module that a lowered program refers to: lines, names, places in sources.

line 12 of the listing      %12 = OpFAdd %float %a %b
location                    OpLine, or DebugLine and DebugScope of NonSemantic.Shader.DebugInfo
"""

from collections.abc import Sequence
from functools import cached_property

from ....ir.locations import Call, SourceLocation
from ....ir.transforms.functions import CallFrame
from ..debug_info import DebugInfo, ScopeUse
from ..debug_types import DebugTypes
from ..facts.types import array_in_structure
from ..index import ModuleIndex
from ..module import Instruction, Module
from ..sources import SourceLine
from ..tables.grammar import grammar
from ..tables.numbers import Opcode
from ..text.printer import line_numbers, names_of
from .types import LeafType

__all__ = ["Listing"]

LETTERS = "xyzw"
END = Opcode.FunctionEnd
MOST_CALLS = 64  # inlined calls around an instruction
NOT_RUN = {  # in a function
    Opcode.Function, Opcode.FunctionParameter, Opcode.Label, Opcode.Line, Opcode.NoLine,
}  # fmt: skip


class Listing:
    """The listing of a module.

    Attributes:
        labelled: If False, it has neither lines nor names, and tells no places.
        lines: The lines of the text.
        numbers: The line of each instruction, from 1.
    """

    def __init__(self, module: Module, index: ModuleIndex, labelled: bool = True) -> None:
        self.index = index
        self.labelled = labelled
        self.names: dict[int, str] = {}
        self.lines: Sequence[str] = ()
        self.numbers: Sequence[int] = range(1, len(index.code) + 1)
        if labelled:
            self.names = names_of(module)
            self.lines, self.numbers = line_numbers(module)
        self._locations: dict[object, SourceLocation] = {}
        self._inlined: dict[object, Call | None] = {}

    @cached_property
    def debug(self) -> DebugInfo:
        """The debug information."""
        return DebugInfo(self.index)

    @cached_property
    def debug_types(self) -> DebugTypes:
        """The types that the debug information describes."""
        return DebugTypes(self.debug)

    @cached_property
    def positions(self) -> Sequence[SourceLine | None]:
        """The place in the sources of each instruction; None if it is not known."""
        return self.debug.files.lines()

    @cached_property
    def scopes(self) -> Sequence[ScopeUse | None]:
        """The scope in the sources of each instruction; None if it is not known."""
        return self.debug.scopes()

    def located(self) -> dict[int, SourceLocation | None]:
        """Return the location of each line with an instruction of a function, without calls."""
        found: dict[int, SourceLocation | None] = {}
        instructions = self.index.module.instructions
        inside = False
        for at, each in enumerate(instructions):
            inside = each.opcode == Opcode.Function or (inside and each.opcode != END)
            place = self.positions[at]
            if inside and each.opcode not in NOT_RUN and not self.index.is_debug(each.words):
                found[self.numbers[at]] = SourceLocation(*place) if place is not None else None
        return found

    def name(self, number: int) -> str:
        """Return the name of an id: %12."""
        return f"%{self.names.get(number, number)}"

    def source_name(self, number: int) -> str:
        """Return the name of an id in the source; empty if it is unnamed."""
        return self.index.names.get(number, "")

    def function_name(self, number: int) -> str:
        """Return the name of a function in the source, without parameters; else its id."""
        name = self.source_name(number).partition("(")[0]
        return name or self.debug.text(self.debug.defined.get(number, 0)) or f"%{number}"

    def operation(self, instruction: Instruction) -> str:
        """Return the name of an instruction's operation."""
        op = grammar().core.by_code.get(instruction.opcode)
        return op.name if op is not None else f"opcode {instruction.opcode}"

    def steps(self, type: LeafType) -> list[tuple[str, ...]]:
        """Return the path to each leaf of a type: `[1]`, `.colour`, `.x`.

        The member `data` of a structure that Slang puts around an array is not a step.
        """
        if type.is_struct:
            definition = self.index.definitions[type.id]
            if array_in_structure(self.index, definition) is not None:
                return self.steps(type.members[0])
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
        if not self.labelled:
            return None
        place, scope = self.positions[position], self.scopes[position]
        if place is None and scope is None and frame is None:
            return None
        key = frame, place, scope
        known = self._locations.get(key)
        if known is None:
            call = frame.call if frame is not None else None
            if scope is not None:
                function = self.debug.function_name(scope.scope) or function
                call = self._call(scope, frame)
            file, line, column = place or ("", 0, 0)
            known = self._locations[key] = SourceLocation(file, line, column, function, call)
        return known

    def _call(self, scope: ScopeUse, frame: CallFrame | None, depth: int = 0) -> Call | None:
        """Return the call of the function around a scope, which a compiler may have inlined."""
        outer = frame.call if frame is not None else None
        found = self.debug.call(scope.inlined) if depth < MOST_CALLS else None
        if found is None:
            return outer
        key = frame, scope.inlined
        if key not in self._inlined:
            line, around = found
            location = SourceLocation(
                self.debug.file(around.scope), line, 0, self.debug.function_name(around.scope),
                self._call(around, frame, depth + 1),
            )  # fmt: skip
            self._inlined[key] = Call(0, location)
        return self._inlined[key]
