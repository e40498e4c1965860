"""The parts that all readers of a tree share: scopes, numbers of symbols, names of builtin symbols.

A reader of commands and a reader of plain data take the same steps; they differ in the source of a
field.
"""

from typing import cast

from ....errors import FormatError, LimitError
from ....limits import Limits
from ..builtins import module
from ..tree import (
    ArrayDataType,
    BuiltinType,
    DataType,
    FunctionCall,
    FunctionDeclaration,
    NamedSymbol,
    OverloadSet,
    StructDataType,
    Symbol,
    SymbolTable,
    TreeNode,
    VariableSymbol,
    best_overload,
    unknown_type,
)
from .commands import BUILTIN, name_of_class
from .numbering import SCOPED, Choice, Numbering, names_of

__all__ = ["GROUPS", "OF_MODULES", "OddChoice", "TreeBuilder", "wanted"]

OF_MODULES = "frag"  # the scope in which names of a module file are looked up: it has most
GROUPS = {
    "Expression": "an expression",
    "Statement": "a statement",
    "Symbol": "a symbol",
    "DataType": "a type",
    "ProgramElement": "an element of a program",
    "SymbolTable": "a symbol table",
}


def wanted(group: type[TreeNode]) -> str:
    """Return a description of the values that a place accepts."""
    return GROUPS.get(group.__name__) or f"the command {name_of_class(group)}"


class OddChoice(Exception):
    """Raised by a reader without paths for a non-default choice, which is stored by path."""


class TreeBuilder:
    """The state of building a tree from a file or from plain data.

    Attributes:
        path: Path of the field that is being read, in pieces.
        traced: False if the path is not kept.
        table: The innermost scope.
        numbering: Numbers of the symbols so far.
        odd: Choices that the writer would not make, by path.
        is_program: True for a program, False for a module.
    """

    def __init__(self, limits: Limits, *, traced: bool, system_types: bool) -> None:
        self.limits = limits
        self.traced = traced
        self.path: list[str] = []
        self.depth = 0
        self.table: SymbolTable | None = None
        self.numbering = Numbering(system_types)
        self.odd: dict[str, Choice] = {}
        self.is_program = False
        self._unknown: dict[str, BuiltinType] = {}

    @property
    def where(self) -> str:
        """The dotted path of the field that is being read."""
        return "".join(self.path).lstrip(".")

    def error(self, problem: str) -> FormatError:
        """Return an error about the field that is being read."""
        return FormatError(problem, path=self.where)

    def choose(self, choice: Choice, normal: Choice) -> None:
        """Keep a choice that the writer would not make."""
        if choice != normal:
            if not self.traced:
                raise OddChoice
            self.odd[self.where] = choice

    # -- nodes ---------------------------------------------------------------------------------

    def enter(self, cls: type[TreeNode]) -> SymbolTable | None:
        """Begin a node; return the scope around it, for `leave`."""
        self.depth += 1
        if self.depth > self.limits.nesting:
            raise LimitError("nesting", self.limits.nesting, "deeper nesting")
        if cls in SCOPED:
            self.numbering.open()
        return self.table

    def leave(self, node: TreeNode, number: int | None, around: SymbolTable | None) -> None:
        """Complete a node that has been read: of that number, if it has one, in that scope."""
        if number is not None:
            self.numbering.define(cast("Symbol", node), number)
        if isinstance(node, FunctionCall) and isinstance(node.function, OverloadSet):
            types = [each.type for each in node.arguments]
            node.function = best_overload(node.function, types) or node.function
        elif isinstance(node, ArrayDataType | StructDataType):
            node.depth = 1 + max(map(type_depth, _parts(node)), default=0)
            if node.depth > self.limits.nesting:
                raise LimitError("nesting", self.limits.nesting, "deeper nesting of types")
        elif isinstance(node, SymbolTable):
            node.parent, self.table = self.table, node
        if type(node) in SCOPED:
            self.numbering.close()
            self.table = around
        self.depth -= 1

    # -- symbols -------------------------------------------------------------------------------

    def begin(self, number: int) -> None:
        """Check the number of a symbol whose command begins."""
        if not 0 < number < BUILTIN:
            raise self.error(f"expected a number from 1 to {BUILTIN - 1}, got {number}")
        self.choose(("define", number), ("define", self.numbering.take()))

    def numbered_symbol(self, group: type[TreeNode], number: int) -> Symbol:
        """Return the symbol of a number; raise FormatError if it is not in the group."""
        found = self.numbering.by_number.get(number)
        if found is None:
            raise self.error(f"no symbol has been given the number {number}")
        functions = issubclass(group, FunctionDeclaration) and isinstance(found, OverloadSet)
        if not isinstance(found, group) and not functions:
            got = name_of_class(type(found))
            raise self.error(f"expected {wanted(group)}, got symbol {number}, which is a {got}")
        return found

    def named_symbol(self, group: type[TreeNode], name: str) -> Symbol:
        """Return the builtin symbol of a name.

        If no module declares it, it is a type without properties, or a symbol that is only a name.
        """
        found = self.table.find(name) if self.table is not None else None
        if issubclass(group, DataType) or group is Symbol:
            return found if isinstance(found, group) else self._unknown_type(name)
        functions = issubclass(group, FunctionDeclaration)
        fits = (FunctionDeclaration, OverloadSet) if functions else (VariableSymbol,)
        if not isinstance(found, fits):
            return NamedSymbol(name=name, builtin=True)
        if self.is_program and isinstance(found, VariableSymbol) and found.builtin:
            raise self.error(f"version 11 cannot hold {name} in a program")
        return found

    def system_type(self, name: str, number: int) -> Symbol:
        """Return the builtin type of a name, and give it a number, as version 4 does."""
        found = self.named_symbol(DataType, name)
        self.numbering.define(found, number)
        return found

    def root_type(self, name: str) -> Symbol:
        """Return the type of a name in a table's list of names."""
        return module("root").names.get(name) or self._unknown_type(name)

    def _unknown_type(self, name: str) -> BuiltinType:
        found = self._unknown.get(name)
        if found is None:
            found = self._unknown[name] = unknown_type(name)
        return found

    def names(self, listed: list[int | str], owned: list[Symbol]) -> dict[str, Symbol]:
        """Return the names of a table from its list of indices and texts."""
        names: dict[str, Symbol] = {}
        for each in listed:
            if isinstance(each, str):
                names[each] = self.root_type(each)
            elif 0 <= each < len(owned):
                names[owned[each].name] = owned[each]
            else:
                raise self.error(f"expected an index of {len(owned)} symbols, got {each}")
        self.choose(("names", listed), names_of(SymbolTable(owned=owned, names=names)))
        return names


def _parts(type_: ArrayDataType | StructDataType) -> list[DataType]:
    if isinstance(type_, ArrayDataType):
        return [type_.component]
    return [each.type for each in type_.members]


def type_depth(type_: DataType) -> int:
    """Return the number of arrays and structs that are nested in a type."""
    return type_.depth if isinstance(type_, ArrayDataType | StructDataType) else 0
