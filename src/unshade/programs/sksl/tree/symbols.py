"""Symbols of a program: variables, functions, fields, and the tables that own them.

A program's own symbols are objects that a table owns, in the order of their declaration. Builtin
symbols are objects of the module that declares them (`builtins`). References to a symbol are
references to the object.
"""

from collections.abc import Iterator

from ....wire.types import U8, U16
from ..tables.enumerations import VariableStorage
from .modifiers import Modifiers
from .node import (
    NamesField,
    ReferenceField,
    ReferencesField,
    TreeNode,
    child,
    children,
    extra,
    flag,
    number,
    slot,
    text,
)
from .symbol import Symbol
from .types import DataType, StructDataType

__all__ = [
    "FieldSymbol",
    "FunctionDeclaration",
    "NamedSymbol",
    "OverloadSet",
    "SymbolTable",
    "VariableSymbol",
]


class VariableSymbol(Symbol, command=55, numbered=True):
    """A variable, parameter or interface block."""

    modifiers: Modifiers = child("Modifiers", "modifiers")
    name: str = text("name")
    type: DataType = child("DataType", "type, of an array with its size")
    storage: VariableStorage = number(U8, "where it is", enum=VariableStorage)


class FieldSymbol(Symbol, command=23):
    """A member of an interface block without instance name, which is used like a variable."""

    owner: VariableSymbol = slot(ReferenceField("VariableSymbol"), "the interface block")
    index: int = number(U8, "number of the member")

    @property
    def name(self) -> str:
        found = self.owner.type.resolved
        if isinstance(found, StructDataType) and self.index < len(found.members):
            return found.members[self.index].name
        return ""


class FunctionDeclaration(Symbol, command=28, numbered=True):
    """The signature of a function."""

    modifiers: Modifiers = child("Modifiers", "modifiers")
    name: str = text("name")
    parameters: list[VariableSymbol] = slot(ReferencesField("VariableSymbol"), "parameters")
    returns: DataType = child("DataType", "type of the result")
    has_body: bool = extra("a builtin function that its module defines", default=False)


class OverloadSet(Symbol, command=54, numbered=True):
    """Functions of one name, oldest first; a larger set supersedes a smaller one."""

    functions: list[FunctionDeclaration] = children("FunctionDeclaration", "functions")

    @property
    def name(self) -> str:
        return self.functions[0].name if self.functions else ""


class NamedSymbol(Symbol):
    """A builtin symbol with only a name, from a module that is not included."""

    name: str = extra("name", default="")


class SymbolTable(TreeNode, command=52):
    """A scope: symbols that it owns, and names under which they are found.

    `names` has one entry for each name. Parameters, and sets of overloads that a larger one
    supersedes, are owned without being found.
    """

    builtin: bool = flag("it is of a module", default=False)
    owned: list[Symbol] = children(
        "Symbol", "symbols in the order of their declaration", counter=U16, default=[]
    )
    names: dict[str, Symbol] = slot(NamesField(), "symbols by name", default={})
    parent: "SymbolTable | None" = extra("the scope around it", default=None)

    def find(self, name: str) -> Symbol | None:
        """Return the symbol of a name, in this scope or an enclosing scope."""
        at: SymbolTable | None = self
        while at is not None:
            found = at.names.get(name)
            if found is not None:
                return found
            at = at.parent
        return None

    def add(self, symbol: Symbol) -> None:
        """Add a symbol to the table, under its name."""
        self.owned.append(symbol)
        self.names[symbol.name] = symbol

    def scopes(self) -> Iterator["SymbolTable"]:
        """Yield this scope, then the enclosing scopes, innermost first."""
        at: SymbolTable | None = self
        while at is not None:
            yield at
            at = at.parent
