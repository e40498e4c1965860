"""Reading of global variables, structs and interface blocks.

Source: SkSLDSLParser.cpp, DSLType.cpp and DSLCore.cpp of Skia's milestone 104.
"""

from ...tables.enumerations import LayoutFlag, ModifierFlag, VariableStorage
from ...tree import (
    ArrayDataType,
    DataType,
    FieldSymbol,
    GlobalDeclaration,
    InterfaceBlock,
    Modifiers,
    StructDataType,
    StructDefinition,
    StructField,
    VariableDeclaration,
)
from ..access import array_type
from ..messages import Position
from ..type_rules import display, is_opaque, is_void
from ..variables import check_variable, declare, new_variable
from .declarations import ModifierList
from .statements import StatementReader
from .tokens import SourceToken

__all__ = ["StructReader"]

MOST_NESTED = 8  # structs in each other
NOT_IN_STRUCTS = ((LayoutFlag.BINDING, "binding"), (LayoutFlag.SET, "set"))


class StructReader(StatementReader):
    """A reader of global variables, structs and interface blocks."""

    @property
    def is_fragment_or_vertex(self) -> bool:
        return self.c.settings.is_fragment or self.c.settings.is_vertex

    # -- variables -----------------------------------------------------------------------------

    def globals(self, start: int, given: ModifierList, base: DataType, name: SourceToken) -> None:
        type_ = self.dimensions(start, base)
        self._global(given, type_, name, start)
        while self.accept(","):
            name = self.name()
            type_ = self.dimensions(start, base)
            self._global(given, type_, name, name.start)
        self.expect(";", "';'")

    def _global(self, given: ModifierList, type_: DataType, name: SourceToken, start: int) -> None:
        value = self.initial_value(given)
        statement, variable = self.variable(
            given, type_, name, value, self.range_from(start), self.place(name),
            VariableStorage.GLOBAL,
        )  # fmt: skip
        if isinstance(statement, VariableDeclaration):
            self.c.elements.append(GlobalDeclaration(declaration=statement))
        if variable is not None:
            self.c.name(variable, self.c.table, own=False)

    # -- structs and interface blocks ----------------------------------------------------------

    def struct_and_variables(self, start: int, given: ModifierList) -> None:
        type_ = self._struct()
        name = self.optional_name()
        if name is not None:
            self.globals(name.start, given, type_, name)
        else:
            self.expect(";", "';'")

    def _struct(self) -> DataType:
        start = self.require("struct", "'struct'").start
        name = self.name()
        self.require("{", "'{'")
        members: list[StructField] = []
        lists: list[ModifierList] = []
        names: set[str] = set()
        with self.nested():
            self.deeper()
            while not self.accept("}"):
                self._members(name, members, lists, names)
        position = self.range_from(start)
        if not members:
            self.error(position, f"struct '{name.text}' must contain at least one field")
        return self._made_struct(name.text, members, lists, position)

    def _members(
        self,
        struct: SourceToken,
        members: list[StructField],
        lists: list[ModifierList],
        names: set[str],
    ) -> None:
        start = self.peek().start
        type_, given = self.type(self.modifiers())
        while True:
            member_type = type_
            name = self.name()
            while self.accept("["):
                size = self.array_size()
                self.require("]", "']'")
                member_type = array_type(self.c, member_type, size, self.range_from(start))
            if name.text in names:
                self.error(
                    name,
                    f"field '{name.text}' was already defined in the same struct ('{struct.text}')",
                )
            else:
                names.add(name.text)
                members.append(_member(given, name, member_type, self.range_from(start)))
                lists.append(given)
            if not self.accept(","):
                break
        self.require(";", "';'")

    def _made_struct(
        self,
        name: str,
        members: list[StructField],
        lists: list[ModifierList],
        position: Position,
    ) -> DataType:
        c = self.c
        for each, given in zip(members, lists, strict=True):
            self._check_member(each, given.position)
        made = StructDataType(name=name, members=members, interface_block=False, position=position)
        c.name(made, c.table, own=True)
        if c.types.facts(made).depth > MOST_NESTED:
            c.error(position, f"struct '{name}' is too deeply nested")
        c.elements.append(StructDefinition(type=made))
        return made

    def _check_member(self, given: StructField, position: Position) -> None:
        c, modifiers = self.c, given.modifiers
        if modifiers.flags:
            names = _described(modifiers)
            c.error(position, f"modifier '{names}' is not permitted on a struct field")
        for flag, name in NOT_IN_STRUCTS:
            if modifiers.layout.flags & flag:
                c.error(position, f"layout qualifier '{name}' is not permitted on a struct field")
        if is_void(given.type):
            c.error(given.position, "type 'void' is not permitted in a struct")
        elif is_opaque(given.type):
            shown = display(given.type)
            c.error(given.position, f"opaque type '{shown}' is not permitted in a struct")

    def interface_block(self, given: ModifierList) -> None:
        name = self.name()
        if self.peek().kind != "{":
            self.error(name, f"no type named '{name.text}'")
            self.abandon()
        self.next()
        members: list[StructField] = []
        lists: list[ModifierList] = []
        names: set[str] = set()
        while not self.accept("}"):
            self._block_members(name, members, lists, names)
        if not members:
            self.error(
                self.range_from(name.start),
                f"interface block '{name.text}' must contain at least one member",
            )
        instance, size = self.optional_name(), 0
        if instance is not None and self.accept("["):
            size = self.array_size()
            self.expect("]", "']'")
        if members:
            self._made_block(given, name, members, lists, instance.text if instance else "", size)
        self.expect(";", "';'")

    def _block_members(
        self,
        block: SourceToken,
        members: list[StructField],
        lists: list[ModifierList],
        names: set[str],
    ) -> None:
        start = self.peek().start
        type_, given = self.type(self.modifiers())
        while True:
            name = self.name()
            member_type = type_
            if self.accept("["):
                size_token = self.peek()
                if size_token.kind != "]":
                    size = self.array_size()
                    member_type = array_type(self.c, member_type, size, self.place(block))
                else:
                    self.error(size_token, "unsized arrays are not permitted here")
                self.expect("]", "']'")
            self.require(";", "';'")
            if name.text in names:
                self.error(
                    name,
                    f"field '{name.text}' was already defined in the same interface block "
                    f"('{block.text}')",
                )
            else:
                names.add(name.text)
                members.append(_member(given, name, member_type, self.range_from(start)))
                lists.append(given)
            if not self.accept(","):
                return

    def _made_block(
        self,
        given: ModifierList,
        name: SourceToken,
        members: list[StructField],
        lists: list[ModifierList],
        instance: str,
        size: int,
    ) -> None:
        c, position = self.c, self.place(name)
        if not self.is_fragment_or_vertex:
            c.error(position, "interface blocks are not allowed in this kind of program")
            return
        for each, list_ in zip(members, lists, strict=True):
            base = each.type.component if isinstance(each.type, ArrayDataType) else each.type
            check_variable(
                c, each.position, list_.position, each.modifiers, base,
                VariableStorage.INTERFACE_BLOCK,
            )  # fmt: skip
        struct = StructDataType(
            name=name.text, members=members, interface_block=True, position=position
        )
        c.table.owned.append(struct)
        type_: DataType = struct
        if size > 0:
            type_ = array_type(c, struct, size, None)
        variable = new_variable(
            c, position, given.position, given.modifiers, type_, None, instance or name.text,
            VariableStorage.GLOBAL,
        )  # fmt: skip
        if declare(c, variable, given.position, None) is None:
            return
        c.elements.append(
            InterfaceBlock(
                variable=variable, type_name=name.text, instance_name=instance, array_size=size
            )
        )
        if instance:
            c.name(variable, c.table, own=False)
            return
        for index, each in enumerate(members):
            field = FieldSymbol(owner=variable, index=index, position=each.position)
            c.name(field, c.table, own=True)


def _member(
    given: ModifierList, name: SourceToken, type_: DataType, position: Position
) -> StructField:
    return StructField(modifiers=given.modifiers, name=name.text, type=type_, position=position)


def _described(modifiers: Modifiers) -> str:
    """Return modifiers as messages show them."""
    names = [modifiers.layout.text()]
    for flag, name in SHOWN:
        if modifiers.flags & flag == flag and not (flag in HALVES and modifiers.has(INOUT)):
            names.append(name)
    return " ".join(filter(None, names))


F = ModifierFlag
INOUT = F.IN | F.OUT
HALVES = (F.IN, F.OUT)
SHOWN = (
    (F.ES3, "$es3"), (F.HAS_SIDE_EFFECTS, "sk_has_side_effects"), (F.NOINLINE, "noinline"),
    (F.FLAT, "flat"), (F.NOPERSPECTIVE, "noperspective"), (F.CONST, "const"),
    (F.UNIFORM, "uniform"), (INOUT, "inout"), (F.IN, "in"), (F.OUT, "out"), (F.HIGHP, "highp"),
    (F.MEDIUMP, "mediump"), (F.LOWP, "lowp"),
)  # fmt: skip
