"""The listing of a module, for the places and names of lowered instructions.

line        of each instruction in the text of the module, from 1
name        %12, %color.i0
location    from debug information: file, line, column and function, through inlined calls
"""

from ....ir.locations import Call, SourceLocation, SymbolName
from ..model.instructions import Instruction
from ..model.metadata import DebugLocation, DebugNode, Metadata
from ..model.module import DxilModule
from ..model.values import DxilValue, Function
from ..text import Place, module_lines
from ..text.numbering import number_values
from ..text.spelling import identifier

__all__ = ["ModuleListing", "scope_of"]

MOST_SCOPES = 64  # around a location


class ModuleListing:
    """The lines of a module, and where its instructions are in them."""

    def __init__(self, module: DxilModule) -> None:
        self.module = module
        places: dict[Place, int] = {}
        self.lines: list[str] = []
        numbers = []
        for line in module_lines(module, places=places):
            numbers.append(len(self.lines) + 1)
            self.lines += line.split("\n")
        self.numbers = {each: numbers[at] for each, at in places.items()}
        self.names: dict[Function, dict[DxilValue, int]] = {}
        self.known: dict[tuple[object, ...], SourceLocation] = {}
        self.calls: dict[tuple[int, Call | None], Call] = {}  # of functions that dxc inlined

    def line(self, instruction: Instruction) -> int:
        """Return the line of an instruction; 0 if there is none."""
        return self.numbers.get(instruction, 0)

    def name(self, value: DxilValue, function: Function) -> SymbolName | None:
        """Return the name of a value of a function."""
        if value.name:
            return SymbolName(identifier("%", value.name))
        numbers = self.names.get(function)
        if numbers is None:
            numbers = self.names[function] = number_values(function)
        number = numbers.get(value)
        return SymbolName(f"%{number}") if number is not None else None

    def location(self, found: DebugLocation | None, call: Call | None) -> SourceLocation | None:
        """Return the source location of an instruction, in a function that a call inlines."""
        if found is None:
            return None
        return self._at(found.line, found.column, found.scope, found.inlined_at, call, 0)

    def _at(
        self,
        line: int,
        column: int,
        scope: Metadata | None,
        inlined: Metadata | None,
        call: Call | None,
        depth: int,
    ) -> SourceLocation:
        key = (line, column, id(scope), id(inlined), call)
        known = self.known.get(key)
        if known is None:
            if isinstance(inlined, DebugNode) and depth < MOST_SCOPES:
                call = self._inlined(inlined, call, depth)
            file, function = scope_of(scope)
            known = self.known[key] = SourceLocation(file, line, column, function, call)
        return known

    def _inlined(self, node: DebugNode, call: Call | None, depth: int) -> Call:
        """Return the call that dxc inlined at a location."""
        known = self.calls.get((id(node), call))
        if known is None:
            line, column, scope, inlined = (
                node[name] for name in ("line", "column", "scope", "inlinedAt")
            )
            outer = self._at(
                line if isinstance(line, int) else 0,
                column if isinstance(column, int) else 0,
                scope if isinstance(scope, Metadata) else None,
                inlined if isinstance(inlined, Metadata) else None,
                call,
                depth + 1,
            )
            known = self.calls[id(node), call] = Call(0, outer)
        return known


def scope_of(scope: object) -> tuple[str, str]:
    """Return the file and the function of a scope."""
    file = ""
    for _ in range(MOST_SCOPES):
        if not isinstance(scope, DebugNode) or "scope" not in scope.row.names:
            break
        if not file and "file" in scope.row.names and isinstance(scope["file"], DebugNode):
            file = scope["file"].text("filename")
        if scope.row.name == "DISubprogram":
            return file, scope.text("name")
        scope = scope["scope"]
    return file, ""
