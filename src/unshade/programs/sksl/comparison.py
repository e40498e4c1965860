"""Equality of programs: the same elements, whatever their symbol tables and numbers.

Two programs are equal if they have the same kind, language and elements, with the same types,
modifiers, operators and values. Differences without effect are left out: which scope owns
a symbol, symbols and shared functions that nothing uses, blocks without braces, and empty
statements.
"""

from typing import Any

from ...wire import f32_to_bits
from .tables.enumerations import BlockForm
from .tree import (
    ArrayDataType,
    BlockStatement,
    DataType,
    FloatLiteral,
    FunctionCall,
    FunctionDeclaration,
    LayoutQualifier,
    Modifiers,
    NopStatement,
    ProgramElement,
    SharedFunction,
    Statement,
    StructDataType,
    Symbol,
    SymbolTable,
    TranslationUnit,
    TreeNode,
    VariableSymbol,
    walk,
)
from .tree import node as kinds
from .tree.symbols import FieldSymbol, OverloadSet

__all__ = ["structure"]

Structure = tuple[Any, ...]


def structure(unit: TranslationUnit) -> Structure:
    """Return nested tuples that are equal for equal programs."""
    return _Comparison().node(unit)


class _Comparison:
    """The symbols met so far: each is described once, then numbered."""

    def __init__(self) -> None:
        self.symbols: dict[Symbol, int] = {}
        self.types: dict[DataType, Structure] = {}

    def node(self, node: TreeNode) -> Structure:
        fields = []
        for each in node.fields:
            value = getattr(node, each.name)
            if isinstance(value, SymbolTable) or isinstance(each.kind, kinds.NamesField):
                continue
            if isinstance(each.kind, kinds.ChildField) and each.kind.cls is SymbolTable:
                continue  # a scope that is left out is as good as an empty one
            if (
                isinstance(each.kind, kinds.ChildField)
                and each.kind.cls is Statement
                and value is None
            ):
                value = NopStatement()
            if isinstance(each.kind, kinds.ElementsField):
                value = _used(node, value)
            fields.append(self.value(value, node))
        return type(node).__name__, *fields

    def value(self, value: Any, holder: TreeNode) -> Any:
        if isinstance(value, DataType):
            return self.type(value)
        if isinstance(value, Symbol):
            return self.symbol(value)
        if isinstance(value, Modifiers | LayoutQualifier):
            return tuple(self.value(getattr(value, each.name), value) for each in value.fields)
        if isinstance(value, Statement):
            found = _flat([value])
            return self.node(found[0]) if len(found) == 1 else tuple(map(self.node, found))
        if isinstance(value, TreeNode):
            return self.node(value)
        if isinstance(value, list):
            if isinstance(holder, BlockStatement):
                value = _flat(value)
            return tuple(self.value(each, holder) for each in value)
        if isinstance(holder, FloatLiteral):
            return f32_to_bits(value)
        return value

    def type(self, type_: DataType) -> Structure:
        found = self.types.get(type_)
        if found is None:
            found = self.types[type_] = self._described(type_)
        return found

    def _described(self, type_: DataType) -> Structure:
        if isinstance(type_, ArrayDataType):
            return "array", type_.columns, self.type(type_.component)
        if isinstance(type_, StructDataType):
            members = (
                (each.name, self.value(each.modifiers, each), self.type(each.type))
                for each in type_.members
            )
            return "struct", type_.name, *members
        return ("type", type_.name)

    def symbol(self, symbol: Symbol) -> Structure:
        if symbol.builtin:
            return "builtin", symbol.name
        known = self.symbols.get(symbol)
        if known is not None:
            return ("known", known)
        self.symbols[symbol] = len(self.symbols)
        found: Structure = (type(symbol).__name__, symbol.name)
        if isinstance(symbol, VariableSymbol):
            found += (self.value(symbol.modifiers, symbol), self.type(symbol.type), symbol.storage)
        elif isinstance(symbol, FunctionDeclaration):
            parameters = tuple(map(self.symbol, symbol.parameters))
            found += (self.value(symbol.modifiers, symbol), parameters, self.type(symbol.returns))
        elif isinstance(symbol, FieldSymbol):
            found += (self.symbol(symbol.owner), symbol.index)
        elif isinstance(symbol, OverloadSet):
            found += tuple(map(self.symbol, symbol.functions))
        return found


def _used(unit: TreeNode, elements: list[ProgramElement]) -> list[ProgramElement]:
    """Return elements without the functions of modules that nothing calls."""
    called = {each.function for each in walk(unit) if isinstance(each, FunctionCall)}
    return [
        each
        for each in elements
        if not isinstance(each, SharedFunction) or each.declaration in called
    ]


def _flat(statements: list[Statement]) -> list[Statement]:
    """Return the statements of a block, with unbraced blocks replaced by their statements."""
    found: list[Statement] = []
    waiting = list(reversed(statements))
    while waiting:
        each = waiting.pop()
        if isinstance(each, BlockStatement) and each.form is not BlockForm.BRACED_SCOPE:
            waiting += reversed(each.statements)
        elif not isinstance(each, NopStatement):
            found.append(each)
    return found
