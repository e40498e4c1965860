"""Trees to plain data."""

from collections.abc import Callable, Mapping
from enum import IntFlag
from typing import Any, cast

from ....errors import LimitError
from ....wire.data import Plain, float_to_data, name_of, text_to_data
from ..code import Code, command_set
from ..codec.commands import CURRENT, name_of_class
from ..codec.numbering import (
    SCOPED,
    Choice,
    WriterChoices,
    layout_form,
    modifiers_form,
    names_of,
)
from ..codec.pool import PooledStrings
from ..tables.enumerations import LayoutFlag, ModifierFlag, VariableStorage
from ..tables.operators import Operator
from ..tree import (
    BuiltinType,
    LayoutQualifier,
    Modifiers,
    ProgramUnit,
    Symbol,
    SymbolTable,
    TreeNode,
    VariableSymbol,
)
from ..tree import node as kinds

__all__ = ["code_to_data", "default_names", "is_single"]


def code_to_data(code: Code) -> dict[str, Plain]:
    """Return a program or module as plain data; raise LimitError if it is nested too deeply."""
    writer = DataWriter(code)
    found: dict[str, Plain] = {}
    if code.version != CURRENT:
        found["version"] = code.version
    if code.strings is not None:
        found["strings"] = [text_to_data(each) for each in code.strings]
    key = "program" if isinstance(code.unit, ProgramUnit) else "module"
    found[key] = writer.fields(code.unit)
    return found


def default_names(owned: list[Symbol]) -> dict[str, Symbol]:
    """Return the names of a table that follow from its symbols; the last symbol of a name counts.

    Parameters have no names outside their function.
    """
    return {
        each.name: each
        for each in owned
        if not isinstance(each, VariableSymbol) or each.storage is not VariableStorage.PARAMETER
    }


def is_single(group: type[TreeNode]) -> bool:
    """Return True if the group is one class, so that its name can be left out."""
    return not group.__subclasses__()


def flag_names(flags: int, kind: type[IntFlag]) -> list[Plain]:
    """Return the names of the flags that are set, and the remaining bits as a number."""
    found: list[Plain] = []
    for each in kind:
        if flags & each:
            found.append(cast("str", each.name))
            flags &= ~int(each)
    return [*found, flags] if flags else found


class DataWriter(WriterChoices):
    """The state of writing one tree."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.odd, command_set(code.version).system_types)
        self.pool = PooledStrings(code.strings or ())
        self.limits = code.limits
        self.full_parameters = command_set(code.version).full_parameters
        self.depth = 0
        self.write_slot: Mapping[type[kinds.FieldKind], Callable[[Any, Any, TreeNode], Plain]] = {
            kinds.NumberField: self._number,
            kinds.NumbersField: lambda slot, value, node: [each.name for each in value],
            kinds.FlagField: lambda slot, value, node: value,
            kinds.TextField: lambda slot, value, node: self._text(value),
            kinds.LiteralField: self._literal,
            kinds.CaseField: lambda slot, value, node: value,
            kinds.ChildField: self._child,
            kinds.ChildrenField: self._children,
            kinds.ElementsField: lambda slot, value, node: self._several(value, single=False),
            kinds.ReferenceField: self._reference,
            kinds.ReferencesField: self._references,
            kinds.NamedField: self._reference,
            kinds.NamesField: self._names,
        }

    def fields(self, node: TreeNode) -> dict[str, Plain]:
        """Return the fields of a node."""
        self.depth += 1
        if self.depth > self.limits.nesting:
            raise LimitError("nesting", self.limits.nesting, "deeper nesting")
        found: dict[str, Plain] = {}
        scoped = type(node) in SCOPED
        if scoped:
            self.numbering.open()
        for each in node.fields:
            value = getattr(node, each.name)
            self.path.append(f".{each.name}")
            made = self.write_slot[type(each.kind)](each, value, node)
            self.path.pop()
            if made is not None and (each.required or value != each.default):
                found[each.name] = made
        if scoped:
            self.numbering.close()
        self.depth -= 1
        return found

    def _command(self, node: TreeNode | None, single: bool) -> Plain:
        if node is None:
            return None
        if isinstance(node, Symbol):
            return self._symbol(node)
        if isinstance(node, Modifiers):
            return self._modifiers(node)
        if isinstance(node, LayoutQualifier):
            return self._layout(node)
        if isinstance(node, SymbolTable):
            return self._table(node)
        fields = self.fields(node)
        return fields if single else {"command": name_of_class(type(node)), **fields}

    def _symbol(self, symbol: Symbol) -> Plain:
        how, number = self.symbol_choice(symbol)
        if how != "define":
            return self._refer(symbol, (how, number))
        found: dict[str, Plain] = {"command": name_of_class(type(symbol))}
        if isinstance(symbol, BuiltinType):  # of version 4
            self.numbering.take()
            self.numbering.define(symbol, number)
            return {"command": "SystemType", "id": number, "name": self._name(symbol)}
        if symbol.numbered:
            self.numbering.take()
            self.numbering.define(symbol, number)
            found["id"] = number
        return found | self.fields(symbol)

    def _refer(self, symbol: Symbol, choice: Choice) -> Plain:
        how, number = choice
        return number if how == "refer" else self._name(symbol)

    def _name(self, symbol: Symbol) -> Plain:
        self.path.append(".name")
        found = self._text(symbol.name)
        self.path.pop()
        return found

    def _modifiers(self, given: Modifiers) -> Plain:
        form = self.modifiers_choice(given)
        self.path.append(".layout")
        layout = self._layout(given.layout)
        self.path.pop()
        found: dict[str, Plain] = {"layout": layout} if layout else {}
        if given.flags:
            found["flags"] = flag_names(given.flags, ModifierFlag)
        return (found or None) if form == modifiers_form(given)[1] else {"form": form, **found}

    def _layout(self, given: LayoutQualifier) -> Plain:
        form = self.layout_choice(given)
        found: dict[str, Plain] = {
            each.name: int(value)  # not a member of an enumeration
            for each in given.fields
            if (value := getattr(given, each.name)) != each.default
        }
        if given.flags:
            found["flags"] = flag_names(given.flags, LayoutFlag)
        return (found or None) if form == layout_form(given)[1] else {"form": form, **found}

    def _table(self, table: SymbolTable) -> Plain:
        found = self.fields(table)
        listed = found.pop("names", [])
        implied = names_of(SymbolTable(owned=table.owned, names=default_names(table.owned)))[1]
        return found if listed == implied else {**found, "names": listed}

    # -- fields --------------------------------------------------------------------------------

    def _number(self, slot: kinds.Slot, value: Any, node: TreeNode) -> Plain:
        enum = cast("kinds.NumberField", slot.kind).enum
        if enum is Operator:
            return Operator(value).spelling
        return name_of(enum, value)

    def _text(self, text: str) -> Plain:
        offset = self.offset_choice(text, self.pool)
        shown = text_to_data(text)
        return {"text": shown, "offset": offset} if offset else shown

    def _literal(self, slot: kinds.Slot, value: Any, node: TreeNode) -> Plain:
        is_float = cast("kinds.LiteralField", slot.kind).is_float
        return float_to_data(value) if is_float else value

    def _child(self, slot: kinds.Slot, value: Any, node: TreeNode) -> Plain:
        return self._command(value, is_single(cast("kinds.ChildField", slot.kind).cls))

    def _children(self, slot: kinds.Slot, value: Any, node: TreeNode) -> Plain:
        return self._several(value, is_single(cast("kinds.ChildrenField", slot.kind).cls))

    def _several(self, nodes: list[TreeNode], single: bool) -> list[Plain]:
        found = []
        for index, each in enumerate(nodes):
            self.path.append(f"[{index}]")
            found.append(self._command(each, single))
            self.path.pop()
        return found

    def _reference(self, slot: kinds.Slot, value: Any, node: TreeNode) -> Plain:
        return self._refer(value, self.reference_choice(value))

    def _references(self, slot: kinds.Slot, value: Any, node: TreeNode) -> Plain:
        if self.full_parameters:
            return self._several(value, single=False)
        found = []
        for index, each in enumerate(value):
            self.path.append(f"[{index}]")
            found.append(self._reference(slot, each, node))
            self.path.pop()
        return found

    def _names(self, slot: kinds.Slot, value: Any, node: Any) -> Plain:
        found: list[Plain] = []
        for index, each in enumerate(self.names_choice(node)):
            self.path += [f"[{index}]", ".name"]
            found.append(self._text(each) if isinstance(each, str) else each)
            del self.path[-2:]
        return found
