"""The state of one lowering: the kernel, the variables in scope, and the handler of each node."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Block, KernelIR, Loop, Switch, Value
from ....ir.locations import SymbolName, local_name
from ....ir.memory import Space
from ....ir.textures import SamplerDeclaration, TextureDeclaration
from ....ir.transforms.functions import CallFrame, Calls
from ....ir.types import BOOL, Type
from ..tree import (
    ArrayDataType,
    DataType,
    Expression,
    FunctionDeclaration,
    FunctionDefinition,
    NumberKind,
    ProgramUnit,
    Statement,
    StructDataType,
    TreeNode,
    VariableSymbol,
)
from .storage import RegisterStorage, ScalarMemory, Storage
from .types import scalars_of
from .usage import VariableUsage

__all__ = ["LoweringState", "component_names"]

LETTERS = "xyzw"
MOST_NAMED = 1 << 12  # elements of a memory that have names in the source
INLINED = re.compile(r"_\d+_(\w+)", re.ASCII)
DEEPEST = 200  # nested nodes: each takes some frames of Python's stack
Handlers = Mapping[type[TreeNode], Callable[["LoweringState", Any], Any]]
Child = tuple[TextureDeclaration, SamplerDeclaration]


class LoweringState:
    """The state of one lowering.

    Attributes:
        b: The builder.
        calls: The calls in progress.
        usage: How the program uses its variables.
        storages: The place of each variable that has been declared.
        children: The declarations of each child.
        functions: The definition of each function.
        loops: The constructs that `break` and `continue` may leave, innermost last.
        color_space: Colour space of the destination, or None.
    """

    def __init__(
        self,
        unit: ProgramUnit,
        kernel: KernelIR,
        lines: Mapping[Statement, int],
        handlers: Handlers,
        color_space: str | None,
    ) -> None:
        self.b = Builder(kernel)
        self.usage = VariableUsage(unit)
        self.calls = Calls(self.b, self.usage.nodes)
        self.storages: dict[VariableSymbol, Storage] = {}
        self.children: dict[VariableSymbol, Child] = {}
        self.functions: dict[FunctionDeclaration, FunctionDefinition] = {}
        self.loops: list[tuple[Loop | Switch | Block, Block | None]] = []
        self.color_space = color_space
        self._lines = lines
        self._handlers = handlers
        self._depth = 0
        self._is_located = False

    @property
    def frame(self) -> CallFrame:
        """The innermost call."""
        return self.calls.frames[-1]

    def values(self, node: Expression) -> list[Value]:
        """Lower an expression; return its scalars."""
        found: list[Value] = self._handle(node)
        self.calls.spend(len(found) // 16)
        return found

    def value(self, node: Expression) -> Value:
        """Lower an expression of one scalar."""
        found = self.values(node)
        if len(found) != 1:
            raise UnsupportedError(f"expected a scalar, got {len(found)} components")
        return found[0]

    def run(self, node: Statement) -> None:
        """Lower a statement."""
        self.b.line = self._lines.get(node, self.b.line)
        self._handle(node)

    def _handle(self, node: TreeNode) -> Any:
        handler = self._handlers.get(type(node))
        if handler is None:
            raise UnsupportedError(f"{type(node).__name__} cannot be run")
        self.calls.spend()
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnsupportedError(f"more than {DEEPEST} nested expressions, statements and calls")
        try:
            found = handler(self, node)
        except UnsupportedError as error:
            raise self._located(error) from None
        self._depth -= 1
        return found

    def _located(self, error: UnsupportedError) -> UnsupportedError:
        """Return an error with the line of the statement that is lowered."""
        if self._is_located or not self.b.line:
            return error
        self._is_located = True
        return UnsupportedError(f"line {self.b.line}: {error}")

    def storage(self, variable: object) -> Storage:
        """Return the place of a variable; UnsupportedError if no storage exists."""
        found = self.storages.get(variable) if isinstance(variable, VariableSymbol) else None
        if found is None:
            name = getattr(variable, "name", "")
            raise UnsupportedError(f"the variable {name!r:.60} cannot be read here")
        return found

    def declare(self, variable: VariableSymbol) -> Storage:
        """Allocate a variable without initialising it."""
        types = scalars_of(variable.type)
        if variable in self.usage.indexed:
            made: Storage = self._memory(variable.name, variable.type, types)
        else:
            made = self._registers(variable.name, variable.type, types)
        self.storages[variable] = made
        return made

    def _memory(self, name: str, type_: DataType, types: Sequence[Type]) -> ScalarMemory:
        memory = self.b.memory(self.calls.memories.unique(name), Space.LOCAL, 4, len(types))
        if len(types) <= MOST_NAMED:
            memory.gives = tuple(self._labels(name, type_, types))
        return ScalarMemory(memory, types)

    def _registers(self, name: str, type_: DataType, types: Sequence[Type]) -> RegisterStorage:
        whole = self.calls.variables.unique(name)
        made = []
        labels = self._labels(name, type_, types)
        for steps, each, label in zip(component_names(type_), types, labels, strict=True):
            part = self.calls.variables.unique(whole + "".join(steps)) if steps else whole
            row = whole if steps else ""
            made.append(self.b.var(part, each, row=row, gives=label))
        return RegisterStorage(made)

    def _labels(self, name: str, type_: DataType, types: Sequence[Type]) -> list[SymbolName]:
        """Return the names of a variable's scalars, in the function that is lowered.

        If the compiler inlined a function, the function's variable `r` is named `_3_r`; the
        function is unknown.
        """
        function = self.calls.frames[-1].name if self.calls.frames else ""
        inlined = INLINED.fullmatch(name)
        if inlined is not None:
            function, name = "", inlined[1]
        number = type_.resolved
        while number.component is not number:
            number = number.component.resolved
        integer = "int" if number.number is NumberKind.SIGNED else "uint"
        kinds = {"f": "float", "b": "bool", "i": integer}
        return [
            local_name(function, name, *steps, kind=kinds[each.kind], type=type_.name)
            for steps, each in zip(component_names(type_), types, strict=True)
        ]

    def zero(self, type: Type) -> Value:
        """Return 0, or false."""
        return self.b.bool(False) if type == BOOL else self.b.number(0, type)


def component_names(type_: DataType) -> list[tuple[str, ...]]:
    """Return the steps to each scalar of a value, in order; for a scalar, no steps.

    A step is `.x`, `[1]` or `.colour`.
    """
    type_ = type_.resolved
    if isinstance(type_, ArrayDataType):
        inner = component_names(type_.component)
        return [(f"[{at}]", *each) for at in range(max(type_.columns, 0)) for each in inner]
    if isinstance(type_, StructDataType):
        return [
            (f".{member.name}", *each)
            for member in type_.members
            for each in component_names(member.type)
        ]
    if type_.is_matrix:
        return [
            (f"[{column}]", f".{LETTERS[row]}")
            for column in range(type_.columns)
            for row in range(type_.rows)
        ]
    if type_.is_vector:
        return [(f".{LETTERS[at]}",) for at in range(type_.columns)]
    return [()]
