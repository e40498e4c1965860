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
from ..compilation import Compilation
from ..messages import Position
from ..type_rules import display, is_opaque, is_void
from ..variables import check_variable, declare, new_variable
from .cursor import TokenCursor
from .declarations import (
    ModifierList,
    declared_variable,
    read_array_size,
    read_dimensions,
    read_initial_value,
    read_modifiers,
    read_name,
    read_optional_name,
    read_type,
)
from .tokens import SourceToken

__all__ = ["is_fragment_or_vertex", "read_globals", "read_interface_block", "read_struct"]

MOST_NESTED = 8  # structs in each other
NOT_IN_STRUCTS = ((LayoutFlag.BINDING, "binding"), (LayoutFlag.SET, "set"))


def is_fragment_or_vertex(c: Compilation) -> bool:
    """Return True for programs of a pipeline's stages, whose declarations may have layouts."""
    return c.settings.is_fragment or c.settings.is_vertex


# -- variables -----------------------------------------------------------------------------


def read_globals(
    c: Compilation,
    tokens: TokenCursor,
    start: int,
    given: ModifierList,
    base: DataType,
    name: SourceToken,
) -> None:
    """Read a declaration of global variables, from after the first name."""
    type_ = read_dimensions(c, tokens, start, base)
    _global(c, tokens, given, type_, name, start)
    while tokens.accept(","):
        name = read_name(c, tokens)
        type_ = read_dimensions(c, tokens, start, base)
        _global(c, tokens, given, type_, name, name.start)
    tokens.expect(";", "';'")


def _global(
    c: Compilation,
    tokens: TokenCursor,
    given: ModifierList,
    type_: DataType,
    name: SourceToken,
    start: int,
) -> None:
    value = read_initial_value(c, tokens, given)
    statement, variable = declared_variable(
        c, given, type_, name, value, tokens.range_from(start), name.position,
        VariableStorage.GLOBAL,
    )  # fmt: skip
    if isinstance(statement, VariableDeclaration):
        c.elements.append(GlobalDeclaration(declaration=statement))
    if variable is not None:
        c.name(variable, c.table, own=False)


# -- structs and interface blocks ----------------------------------------------------------


def read_struct(c: Compilation, tokens: TokenCursor, start: int, given: ModifierList) -> None:
    """Read a struct and the variables that are declared with it."""
    type_ = _struct(c, tokens)
    name = read_optional_name(c, tokens)
    if name is not None:
        read_globals(c, tokens, name.start, given, type_, name)
    else:
        tokens.expect(";", "';'")


def _struct(c: Compilation, tokens: TokenCursor) -> DataType:
    start = tokens.require("struct", "'struct'").start
    name = read_name(c, tokens)
    tokens.require("{", "'{'")
    members: list[StructField] = []
    lists: list[ModifierList] = []
    names: set[str] = set()
    with tokens.nested():
        tokens.deeper()
        while not tokens.accept("}"):
            _members(c, tokens, name, members, lists, names)
    position = tokens.range_from(start)
    if not members:
        tokens.error(position, f"struct '{name.text}' must contain at least one field")
    return _made_struct(c, name.text, members, lists, position)


def _members(
    c: Compilation,
    tokens: TokenCursor,
    struct: SourceToken,
    members: list[StructField],
    lists: list[ModifierList],
    names: set[str],
) -> None:
    start = tokens.peek().start
    type_, given = read_type(c, tokens, read_modifiers(c, tokens))
    while True:
        member_type = type_
        name = read_name(c, tokens)
        while tokens.accept("["):
            size = read_array_size(c, tokens)
            tokens.require("]", "']'")
            member_type = array_type(c, member_type, size, tokens.range_from(start))
        where = f"struct ('{struct.text}')"
        if _is_new(tokens, name, names, where):
            members.append(_member(given, name, member_type, tokens.range_from(start)))
            lists.append(given)
        if not tokens.accept(","):
            break
    tokens.require(";", "';'")


def _is_new(tokens: TokenCursor, name: SourceToken, names: set[str], where: str) -> bool:
    """Return whether no member has this name yet; report one that does."""
    if name.text in names:
        tokens.error(name, f"field '{name.text}' was already defined in the same {where}")
        return False
    names.add(name.text)
    return True


def _made_struct(
    c: Compilation,
    name: str,
    members: list[StructField],
    lists: list[ModifierList],
    position: Position,
) -> DataType:
    for each, given in zip(members, lists, strict=True):
        _check_member(c, each, given.position)
    made = StructDataType(name=name, members=members, interface_block=False, position=position)
    c.name(made, c.table, own=True)
    if c.types.facts(made).depth > MOST_NESTED:
        c.error(position, f"struct '{name}' is too deeply nested")
    c.elements.append(StructDefinition(type=made))
    return made


def _check_member(c: Compilation, given: StructField, position: Position) -> None:
    modifiers = given.modifiers
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


def read_interface_block(c: Compilation, tokens: TokenCursor, given: ModifierList) -> None:
    """Read an interface block from its name on."""
    name = read_name(c, tokens)
    if tokens.peek().kind != "{":
        tokens.error(name, f"no type named '{name.text}'")
        tokens.abandon()
    tokens.next()
    members: list[StructField] = []
    lists: list[ModifierList] = []
    names: set[str] = set()
    while not tokens.accept("}"):
        _block_members(c, tokens, name, members, lists, names)
    if not members:
        tokens.error(
            tokens.range_from(name.start),
            f"interface block '{name.text}' must contain at least one member",
        )
    instance, size = read_optional_name(c, tokens), 0
    if instance is not None and tokens.accept("["):
        size = read_array_size(c, tokens)
        tokens.expect("]", "']'")
    if members:
        _made_block(c, given, name, members, lists, instance.text if instance else "", size)
    tokens.expect(";", "';'")


def _block_members(
    c: Compilation,
    tokens: TokenCursor,
    block: SourceToken,
    members: list[StructField],
    lists: list[ModifierList],
    names: set[str],
) -> None:
    start = tokens.peek().start
    type_, given = read_type(c, tokens, read_modifiers(c, tokens))
    while True:
        name = read_name(c, tokens)
        member_type = type_
        if tokens.accept("["):
            size_token = tokens.peek()
            if size_token.kind != "]":
                size = read_array_size(c, tokens)
                member_type = array_type(c, member_type, size, block.position)
            else:
                tokens.error(size_token, "unsized arrays are not permitted here")
            tokens.expect("]", "']'")
        tokens.require(";", "';'")
        where = f"interface block ('{block.text}')"
        if _is_new(tokens, name, names, where):
            members.append(_member(given, name, member_type, tokens.range_from(start)))
            lists.append(given)
        if not tokens.accept(","):
            return


def _made_block(
    c: Compilation,
    given: ModifierList,
    name: SourceToken,
    members: list[StructField],
    lists: list[ModifierList],
    instance: str,
    size: int,
) -> None:
    position = name.position
    if not is_fragment_or_vertex(c):
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
