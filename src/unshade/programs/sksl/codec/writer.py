"""Writing of a tree as commands.

Numbers of symbols and the order of the strings follow from the tree (`numbering`, `pool`); `odd`
holds a file's non-default choices, by path. A choice that no longer fits the tree is ignored.
"""

import struct
from collections.abc import Mapping
from typing import Any, cast

from ....errors import EncodeError, LimitError
from ....limits import DEFAULT, Limits
from ....wire import f32_to_bits
from ....wire.types import I16, I32, U8, U16, U32, Scalar
from ..tables.operators import Operator
from ..tree import (
    BuiltinType,
    ChildCall,
    Extension,
    LayoutQualifier,
    Modifiers,
    ModifiersDeclaration,
    ModuleUnit,
    ProgramUnit,
    Symbol,
    TranslationUnit,
    TreeNode,
    VariableSymbol,
)
from ..tree import node as kinds
from ..tree.types import NumberKind
from .commands import BUILTIN, CommandSet
from .dispatch import handlers
from .numbering import SCOPED, Choice, WriterChoices
from .pool import PooledStrings

__all__ = ["CommandWriter", "write_commands"]

LAST_NUMBER = BUILTIN - 1

# Classes of the tree without a command, with the reason.
REFUSED: dict[type[TreeNode], str] = {
    ChildCall: "calls of children",
    Extension: "#extension",
    ModifiersDeclaration: "modifiers without a declaration",
}


def write_commands(
    unit: TranslationUnit,
    pool: PooledStrings,
    commands: CommandSet,
    odd: Mapping[str, Choice] | None = None,
    limits: Limits = DEFAULT,
) -> bytes:
    """Return the command stream of a tree; strings that `pool` lacks are added to it.

    Raises:
        EncodeError: The version cannot hold the tree; path of the node, and the reason.
        LimitError: The tree is nested deeper than `limits.nesting`.
    """
    writer = CommandWriter(pool, commands, odd or {}, limits)
    writer.unit(unit)
    return bytes(writer.out)


class CommandWriter(WriterChoices):
    """The state of writing one tree."""

    def __init__(
        self, pool: PooledStrings, commands: CommandSet, odd: Mapping[str, Choice], limits: Limits
    ) -> None:
        self.out = bytearray()
        self.pool = pool
        self.commands = commands
        super().__init__(odd, commands.system_types)
        self.limits = limits
        self.depth = 0
        self.is_program = False
        self.write_slot = handlers(self)

    def unit(self, unit: TranslationUnit) -> None:
        """Write a program or a module."""
        self.is_program = isinstance(unit, ProgramUnit)
        if isinstance(unit, ModuleUnit):
            self._fields(unit)
        else:
            self._node(unit)

    # -- errors and choices --------------------------------------------------------------------

    def error(self, problem: str) -> EncodeError:
        """Return an error about the node that is being written."""
        return EncodeError(problem, path="".join(self.path).lstrip("."))

    # -- commands ------------------------------------------------------------------------------

    def _tag(self, name: str) -> None:
        code = self.commands.numbers.get(name)
        if code is None:
            raise self.error(f"version {self.commands.version} has no command {name}")
        self.out.append(code)

    def _command(self, node: TreeNode | None) -> None:
        if node is None:
            self._tag("Void")
        elif isinstance(node, Symbol):
            self._symbol(node)
        elif isinstance(node, Modifiers):
            self._modifiers(node)
        elif isinstance(node, LayoutQualifier):
            self._layout(node)
        else:
            self._node(node)

    def _node(self, node: TreeNode) -> None:
        code = self.commands.codes.get(type(node))
        if code is None:
            reason = REFUSED.get(type(node), type(node).__name__)
            raise self.error(f"version {self.commands.version} cannot hold {reason}")
        self.out.append(code)
        self._fields(node)

    def _fields(self, node: TreeNode) -> None:
        self.depth += 1
        if self.depth > self.limits.nesting:
            raise LimitError("nesting", self.limits.nesting, "deeper nesting")
        scoped = type(node) in SCOPED
        if scoped:
            self.numbering.open()
        for each in node.fields:
            if each.since > self.commands.version:
                continue
            self.path.append(f".{each.name}")
            self.write_slot[type(each.kind)](each, getattr(node, each.name), node)
            self.path.pop()
        if scoped:
            self.numbering.close()
        self.depth -= 1

    # -- symbols -------------------------------------------------------------------------------

    def _symbol(self, symbol: Symbol) -> None:
        how, number = self.symbol_choice(symbol)
        if how == "define":
            self._define(symbol, number)
            return
        self._tag("SymbolRef")
        self._refer(symbol, how, number)

    def _define(self, symbol: Symbol, number: int) -> None:
        if isinstance(symbol, BuiltinType):  # of version 4
            self._tag("SystemType")
            self._number_of(symbol, number)
            self.path.append(".name")
            self._string(symbol.name)
            self.path.pop()
            return
        code = self.commands.codes.get(type(symbol))
        if code is None:
            reason = f"{type(symbol).__name__} {symbol.name}"
            raise self.error(f"version {self.commands.version} cannot hold {reason}")
        self.out.append(code)
        if symbol.numbered:
            self._number_of(symbol, number)
        self._fields(symbol)

    def _number_of(self, symbol: Symbol, number: int) -> None:
        """Write the number of a new symbol."""
        self.numbering.take()
        if not 0 < number <= LAST_NUMBER:
            raise self.error(f"more than {LAST_NUMBER} symbols")
        self.out += struct.pack("<H", number)
        self.numbering.define(symbol, number)

    def _refer(self, symbol: Symbol, how: str, number: int) -> None:
        """Write the number of a symbol, or the name of a builtin one."""
        if how == "refer":
            self.out += struct.pack("<H", number)
            return
        if not symbol.builtin and self.numbering.known(symbol) is None:
            raise self.error(f"{symbol.name} is used before it is declared")
        if self.is_program and isinstance(symbol, VariableSymbol) and symbol.builtin:
            version = self.commands.version
            raise self.error(f"version {version} cannot hold {symbol.name} in a program")
        self.out += struct.pack("<H", BUILTIN)
        self.path.append(".name")
        self._string(symbol.name)
        self.path.pop()

    # -- modifiers -----------------------------------------------------------------------------

    def _modifiers(self, given: Modifiers) -> None:
        form = self.modifiers_choice(given)
        self._tag(form)
        if form == "DefaultModifiers":
            return
        self.path.append(".layout")
        self._layout(given.layout)
        self.path.pop()
        self._scalar(U8 if form == "Modifiers8Bit" else U32, given.flags)

    def _layout(self, given: LayoutQualifier) -> None:
        form = self.layout_choice(given)
        self._tag(form)
        if form == "BuiltinLayout":
            self._scalar(I16, given.builtin)
        elif form == "Layout":
            for each in given.fields:
                self._number(each, getattr(given, each.name), given)

    # -- fields --------------------------------------------------------------------------------

    def _scalar(self, scalar: Scalar, value: object) -> None:
        if not isinstance(value, int) or not scalar.low <= value <= scalar.high:
            raise self.error(f"expected {scalar.low} to {scalar.high}, got {value!r:.40}")
        self.out += struct.pack(f"<{scalar.code}", value)

    def _count(self, scalar: Scalar, values: Any, name: str) -> None:
        if len(values) > scalar.high:
            version, most = self.commands.version, scalar.high
            raise self.error(f"version {version} holds at most {most} {name}, got {len(values)}")
        self._scalar(scalar, len(values))

    def _number(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        kind = cast("kinds.NumberField", slot.kind)
        if kind.enum is Operator and not self.commands.operators:
            raise self.error(f"the operators of version {self.commands.version} are not known")
        self._scalar(kind.scalar, value)

    def _numbers(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        self._count(U8, value, slot.name)
        for each in value:
            self._scalar(U8, each)

    def _flag(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        self._scalar(U8, value)

    def _text(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        self._string(value)

    def _string(self, text: str) -> None:
        offset = self.offset_choice(text, self.pool)
        try:
            self.out += struct.pack("<H", offset or self.pool.offset(text))
        except EncodeError as error:
            raise self.error(error.problem) from None

    def _literal(self, slot: kinds.Slot, value: Any, node: Any) -> None:
        if cast("kinds.LiteralField", slot.kind).is_float:
            try:
                self.out += struct.pack("<I", f32_to_bits(value))
            except OverflowError:
                raise self.error(f"{value!r} does not fit a float of 32 bits") from None
            return
        unsigned = node.type.resolved.number is NumberKind.UNSIGNED
        self._scalar(U32 if unsigned else I32, value)

    def _case(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        self.out.append(value is None)
        if value is not None:
            self._scalar(I32, value)

    def _child(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        if value is None and not cast("kinds.ChildField", slot.kind).optional:
            raise self.error("expected a node, got None")
        self._command(value)

    def _children(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        kind = cast("kinds.ChildrenField", slot.kind)
        self._count(kind.counter, value, slot.name)
        self._several(value)

    def _several(self, nodes: list[TreeNode]) -> None:
        for index, each in enumerate(nodes):
            self.path.append(f"[{index}]")
            if type(each) in UNTAGGED:
                self._fields(each)
            else:
                self._command(each)
            self.path.pop()

    def _elements(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        self._tag("Elements")
        self._several(value)
        self._tag("ElementsComplete")

    def _reference(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        how, number = self.reference_choice(value)
        if how != "refer":
            raise self.error(f"{value.name} is used before it is declared")
        self._refer(value, how, number)

    def _references(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        self._count(U8, value, slot.name)
        if self.commands.full_parameters:
            self._several(value)
            return
        for index, each in enumerate(value):
            self.path.append(f"[{index}]")
            self._reference(slot, each, node)
            self.path.pop()

    def _named(self, slot: kinds.Slot, value: Any, node: TreeNode) -> None:
        how, number = self.reference_choice(value)
        self._refer(value, how, number)

    def _names(self, slot: kinds.Slot, value: Any, node: Any) -> None:
        listed = self.names_choice(node)
        self._count(U16, listed, "names")
        for index, each in enumerate(listed):
            if isinstance(each, int):
                self.out += struct.pack("<H", each)
                continue
            self.out += struct.pack("<H", BUILTIN)
            self.path += [f"[{index}]", ".name"]
            self._string(each)
            del self.path[-2:]


UNTAGGED = (kinds.NODES["StructField"], kinds.NODES["SwitchCase"])
