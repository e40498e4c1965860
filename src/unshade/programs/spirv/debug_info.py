"""Debug information of a module: scopes, inlined calls and variables of the source.

    %light = OpExtInst %void %1 DebugLocalVariable %name %type %source %18 %11 %outer
             OpExtInst %void %1 DebugDeclare %light %pointer %expression     a variable in memory
             OpExtInst %void %1 DebugValue %light %value %expression %1 %0   light.colour[0] now
    %at    = OpExtInst %void %1 DebugInlinedAt %24 %main                     a call in line 24
             OpExtInst %void %1 DebugScope %outer %at                        … and code of its body

Operands that are numbers are ids of constants in the sets for Vulkan, and literals in the others.

Source: the specifications of NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100.
"""

from collections.abc import Iterator
from functools import cached_property

from ...tuples import NamedTuple
from .index import ModuleIndex
from .module import positions_of
from .operands import DecodedOperand
from .sources import SourceFiles
from .tables.numbers import Opcode
from .tables.sections import TERMINATORS

__all__ = ["DebugInfo", "DebugStep", "DeclaredVariable", "ScopeUse"]

DEEPEST = 64  # scopes around a scope
INLINED_AT = "DebugInlinedAt"


class ScopeUse(NamedTuple):
    """The ids of a scope and of the DebugInlinedAt that led there; 0 if there is none."""

    scope: int
    inlined: int


class DeclaredVariable(NamedTuple):
    """A variable of the source: its name, the ids of its type and its scope, and its line."""

    id: int
    name: str
    type: int
    scope: int
    line: int


class DebugStep(NamedTuple):
    """A step of an expression: the number of its operation (OPERATIONS), and its operands."""

    operation: int
    operands: tuple[int, ...]


class DebugInfo:
    """The debug information of a module."""

    def __init__(self, index: ModuleIndex) -> None:
        self.index = index

    # -- instructions ------------------------------------------------------------------------------

    def name(self, number: int) -> str:
        """Return the name of the debug instruction that defines an id; else ""."""
        found = self.index.definitions.get(number)
        if found is None or found.opcode != Opcode.ExtInst:
            return ""
        return self.name_of(found.position)

    def name_of(self, position: int) -> str:
        """Return the name of the debug instruction at a position; "" for other instructions."""
        if not self.index.has_debug or not self.index.is_debug(self.index.code[position]):
            return ""
        if self.index.decoded[position].problem:
            return ""
        operands = self.index.decoded[position].operands
        op = operands[3].op if len(operands) > 3 else None
        return op.name if op is not None else ""

    @cached_property
    def listed(self) -> list[tuple[str, tuple[int, ...]]]:
        """The name and the words of each debug instruction, in the order of the module."""
        code = self.index.code
        named = ((self.name_of(at), code[at]) for at in positions_of(code, {Opcode.ExtInst}))
        return [each for each in named if each[0]]

    def operands(self, number: int, name: str) -> Iterator[DecodedOperand]:
        """Yield the operands with a name of the instruction that defines an id."""
        found = self.index.definitions.get(number)
        if found is not None and self.name(number):
            for each in found.decoded.operands[4:]:
                if each.name == name:
                    yield each

    def operand(self, number: int, name: str) -> int:
        """Return the word of an operand by its name; 0 if there is none."""
        return next((each.words[0] for each in self.operands(number, name)), 0)

    def integer(self, number: int, name: str) -> int:
        """Return the number that an operand gives, as a literal or a constant; 0 if unknown."""
        return next(self.integers(number, name), 0)

    def integers(self, number: int, name: str) -> Iterator[int]:
        """Yield the number of each operand with a name; 0 for an unknown one."""
        for each in self.operands(number, name):
            yield (self.index.integer(each.words[0]) or 0) if each.is_id else each.words[0]

    def text(self, number: int, name: str = "Name") -> str:
        """Return the string of an operand; "" if there is none."""
        return self.index.string(self.operand(number, name))

    # -- scopes ------------------------------------------------------------------------------------

    def scopes(self) -> list[ScopeUse | None]:
        """Return the scope of each instruction; None if it is not known.

        A scope applies to the instructions that follow it until the end of the block.
        """
        if not self.index.has_debug:
            return [None] * len(self.index.code)
        found: list[ScopeUse | None] = []
        scope: ScopeUse | None = None
        for position, words in enumerate(self.index.code):
            opcode = words[0] & 0xFFFF
            match self.name_of(position) if opcode == Opcode.ExtInst else "":
                case "DebugScope" if len(words) > 5:
                    scope = ScopeUse(words[5], words[6] if len(words) > 6 else 0)
                case "DebugNoScope":
                    scope = None
            found.append(scope)
            if opcode in TERMINATORS or opcode == Opcode.FunctionEnd:
                scope = None
        return found

    def function(self, scope: int) -> int:
        """Return the id of the DebugFunction around a scope; 0 if there is none."""
        for _ in range(DEEPEST):
            if self.name(scope) == "DebugFunction":
                return scope
            scope = self.operand(scope, "Parent")
        return 0

    def function_name(self, scope: int) -> str:
        """Return the name of the function around a scope; "" if there is none."""
        return self.text(self.function(scope))

    def file(self, scope: int) -> str:
        """Return the file of a scope; "" if it is unknown."""
        return self.files.names.get(self.operand(scope, "Source"), "")

    def call(self, inlined: int) -> tuple[int, ScopeUse] | None:
        """Return the line and the scope of an inlined call; None if the id is not one."""
        if self.name(inlined) != INLINED_AT:
            return None
        scope, outer = self.operand(inlined, "Scope"), self.operand(inlined, "Inlined")
        return self.integer(inlined, "Line"), ScopeUse(scope, outer)

    @cached_property
    def files(self) -> SourceFiles:
        """The source files."""
        return SourceFiles(self.index)

    @cached_property
    def defined(self) -> dict[int, int]:
        """The DebugFunction of each function, by the id of the function."""
        found: dict[int, int] = {}
        for name, words in self.listed:
            match name:
                case "DebugFunctionDefinition" if len(words) > 6:
                    found.setdefault(words[6], words[5])
                case "DebugFunction":
                    found.setdefault(self.operand(words[2], "Function"), words[2])
        return found

    @cached_property
    def globals(self) -> dict[int, DeclaredVariable]:
        """The variables of the source by the ids of global variables of the module."""
        found: dict[int, DeclaredVariable] = {}
        for name, words in self.listed:
            if name == "DebugGlobalVariable":
                variable = self.variable(words[2])
                if variable is not None:
                    found.setdefault(self.operand(variable.id, "Variable"), variable)
        return found

    # -- variables ---------------------------------------------------------------------------------

    def variable(self, number: int) -> DeclaredVariable | None:
        """Return a variable of the source; None if the id is not one, or it has no name."""
        if self.name(number) == "DebugInlinedVariable":
            number = self.operand(number, "Variable")
        if self.name(number) not in ("DebugLocalVariable", "DebugGlobalVariable"):
            return None
        name = self.text(number)
        if not name:
            return None
        type, scope = self.operand(number, "Type"), self.operand(number, "Parent")
        return DeclaredVariable(number, name, type, scope, self.integer(number, "Line"))

    @cached_property
    def local_names(self) -> dict[str, DeclaredVariable | None]:
        """The local variables by name; None if DebugDeclare or DebugValue give their places.

        Optimisers drop those instructions: a variable of the module then has the name alone.
        """
        placed: set[int] = set()
        found: dict[str, DeclaredVariable | None] = {}
        for name, words in self.listed:
            if name in ("DebugDeclare", "DebugValue") and len(words) > 5:
                placed.add(words[5])
        for name, words in self.listed:
            if name == "DebugLocalVariable":
                variable = self.variable(words[2])
                if variable is not None:
                    lost = variable.id not in placed and variable.name not in found
                    found[variable.name] = variable if lost else None
        return found

    def steps(self, expression: int) -> list[DebugStep]:
        """Return the steps of a DebugExpression, first to last."""
        return [
            DebugStep(self.integer(each, "OpCode"), tuple(self.integers(each, "Operands ...")))
            for each in (found.words[0] for found in self.operands(expression, "Operands ..."))
        ]
