"""Reading of modifiers, types and declarations of local variables.

Source: SkSLDSLParser.cpp and DSLLayout.cpp of Skia's milestone 104.
"""

from .....tuples import NamedTuple
from ...tables.enumerations import BlockForm, LayoutFlag, ModifierFlag, VariableStorage
from ...tree import (
    BlockStatement,
    DataType,
    Expression,
    LayoutQualifier,
    Modifiers,
    NopStatement,
    Statement,
    VariableDeclaration,
    VariableSymbol,
    is_empty,
)
from ..access import array_type, checked_type
from ..compilation import Compilation
from ..messages import Position, span
from ..precision import with_precision
from ..statements import block
from ..type_rules import is_integer
from ..values import constant_int
from ..variables import declare, new_variable
from .cursor import Reader, TokenCursor
from .expressions import int_value, is_valid, read_assignment, read_expression
from .tokens import SourceToken, TokenKind

__all__ = [
    "PRECISIONS",
    "ModifierList",
    "declared_variable",
    "read_array_size",
    "read_constant",
    "read_dimensions",
    "read_heading",
    "read_initial_value",
    "read_locals",
    "read_modifiers",
    "read_name",
    "read_optional_name",
    "read_type",
]

F = ModifierFlag
MODIFIERS = {
    "uniform": F.UNIFORM, "const": F.CONST, "in": F.IN, "out": F.OUT, "inout": F.IN | F.OUT,
    "flat": F.FLAT, "noperspective": F.NOPERSPECTIVE, "sk_has_side_effects": F.HAS_SIDE_EFFECTS,
    "inline": F.INLINE, "noinline": F.NOINLINE, "highp": F.HIGHP, "mediump": F.MEDIUMP,
    "lowp": F.LOWP, "$es3": F.ES3,
}  # fmt: skip
PRECISIONS = ("highp", "mediump", "lowp")
LAYOUTS = {str(each.name).lower(): each for each in LayoutFlag}  # from LOCATION on with numbers
FIELDS = {"input_attachment_index": "input_attachment"}  # where a field has another name
MOST_ELEMENTS = (1 << 31) - 1


class ModifierList(NamedTuple):
    """Modifiers before a declaration, and their place."""

    modifiers: Modifiers
    position: Position


class VariableHeading(NamedTuple):
    """The start of a declaration: `const float x`."""

    start: int
    modifiers: ModifierList
    type: DataType
    name: SourceToken


# -- modifiers and types -------------------------------------------------------------------


def read_modifiers(c: Compilation, tokens: TokenCursor) -> ModifierList:
    """Read a layout and modifiers."""
    start = tokens.peek().start
    layout = _layout(tokens)
    raw = tokens.next_raw()
    end = raw.start
    if raw.kind != TokenKind.SPACE:
        tokens.put_back(raw)
    flags = 0
    while tokens.peek().kind in MODIFIERS:
        token = tokens.next()
        flags |= MODIFIERS[token.kind]
        end = token.end
    return ModifierList(Modifiers(layout=layout, flags=flags), span(start, end))


def _layout(tokens: TokenCursor) -> LayoutQualifier:
    layout = LayoutQualifier()
    if not tokens.accept("layout") or not tokens.expect("(", "'('"):
        return layout
    while True:
        token = tokens.next()
        name = token.text
        flag = LAYOUTS.get(name)
        if flag is None:
            tokens.error(token, f"'{name}' is not a valid layout qualifier")
        else:
            value = _layout_number(tokens) if flag >= LayoutFlag.LOCATION else None
            if layout.flags & flag:
                tokens.error(token, f"layout qualifier '{name}' appears more than once")
            layout.flags |= flag
            if value is not None:
                setattr(layout, FIELDS.get(name, name), value)
        if tokens.accept(")") or not tokens.expect(",", "','"):
            return layout


def _layout_number(tokens: TokenCursor) -> int:
    if not tokens.expect("=", "'='"):
        return -1
    token = tokens.expect(TokenKind.INT, "a non-negative integer")
    if token is None:
        return -1
    before = tokens.reporter.count
    value = int_value(tokens, token)
    if tokens.reporter.count > before:
        del tokens.reporter.messages[before:]
        tokens.error(token, f"value in layout is too large: {token.text}")
        return -1
    return value


def read_type(
    c: Compilation, tokens: TokenCursor, given: ModifierList
) -> tuple[DataType, ModifierList]:
    """Read a type; return it, and the remaining modifiers."""
    token = tokens.require(TokenKind.WORD, "a type")
    symbol = c.find(token.text)
    if not isinstance(symbol, DataType):
        tokens.error(token, f"no type named '{token.text}'")
        tokens.abandon()
    type_ = checked_type(c, symbol, token.position, private=False)
    type_, modifiers = with_precision(c, type_, given.modifiers, given.position)
    while bracket := tokens.accept("["):
        if tokens.accept("]"):
            tokens.error(tokens.range_from(bracket.start), "unsized arrays are not permitted here")
            continue
        size = read_array_size(c, tokens)
        tokens.expect("]", "']'")
        type_ = array_type(c, type_, size, tokens.range_from(token.start))
    return type_, ModifierList(modifiers, given.position)


def read_array_size(c: Compilation, tokens: TokenCursor) -> int:
    """Read the size of an array; 1 after reporting an error."""
    token = tokens.peek()
    if token.kind == "]":
        tokens.error(token, "unsized arrays are not permitted here")
        return 1
    given = read_constant(c, tokens, read_expression)
    if not is_valid(given):
        return 1
    size = constant_int(c, given)
    if size is None or not is_integer(given.type):
        tokens.error(given.position, "array size must be an integer")
    elif size > MOST_ELEMENTS:
        tokens.error(given.position, "array size out of bounds")
    elif size <= 0:
        tokens.error(given.position, "array size must be positive")
    else:
        return size
    return 1


def read_dimensions(c: Compilation, tokens: TokenCursor, start: int, type_: DataType) -> DataType:
    """Read the sizes after a name: `x[3]`."""
    while tokens.accept("["):
        if tokens.accept("]"):
            tokens.error(tokens.range_from(start), "unsized arrays are not permitted here")
            continue
        size = read_array_size(c, tokens)
        tokens.require("]", "']'")
        type_ = array_type(c, type_, size, tokens.range_from(start))
    return type_


def read_initial_value(
    c: Compilation, tokens: TokenCursor, given: ModifierList
) -> Expression | None:
    """Read the value after a name, if there is one."""
    if not tokens.accept("="):
        return None
    is_const = given.modifiers.has(F.CONST)
    return read_constant(c, tokens, read_assignment) if is_const else read_assignment(c, tokens)


def read_constant(c: Compilation, tokens: TokenCursor, read: Reader[Expression]) -> Expression:
    """Read an expression that must be constant."""
    c.needs_constant += 1
    try:
        return read(c, tokens)
    finally:
        c.needs_constant -= 1


def read_name(c: Compilation, tokens: TokenCursor) -> SourceToken:
    """Read a name that is not a builtin type."""
    token = tokens.require(TokenKind.WORD, "an identifier")
    if c.is_builtin_type(token.text):
        tokens.error(token, f"expected an identifier, but found type '{token.text}'")
        tokens.fatal = True
        tokens.abandon()
    return token


def read_optional_name(c: Compilation, tokens: TokenCursor) -> SourceToken | None:
    """Read a name that is not a builtin type, if the next token is one."""
    token = tokens.accept(TokenKind.WORD)
    if token is not None and c.is_builtin_type(token.text):
        tokens.put_back(token)
        return None
    return token


# -- variables -----------------------------------------------------------------------------


def declared_variable(
    c: Compilation,
    given: ModifierList,
    type_: DataType,
    name: SourceToken,
    value: Expression | None,
    position: Position,
    name_position: Position,
    storage: VariableStorage,
) -> tuple[Statement, VariableSymbol | None]:
    """Declare a variable; return its declaration, and the variable if it is new."""
    made = new_variable(
        c, position, given.position, given.modifiers, type_, name_position, name.text,
        storage,
    )  # fmt: skip
    declaration = declare(c, made, given.position, value)
    declared = isinstance(declaration, VariableDeclaration)
    return declaration or NopStatement(), made if declared else None


def _local(
    c: Compilation,
    tokens: TokenCursor,
    heading: VariableHeading,
    name: SourceToken,
    type_: DataType,
    value: Expression | None,
    start: int,
) -> Statement:
    statement, variable = declared_variable(
        c, heading.modifiers, type_, name, value, tokens.range_from(start), name.position,
        VariableStorage.LOCAL,
    )  # fmt: skip
    if variable is not None:
        c.name(variable, c.table, own=False)
    return statement


def read_heading(c: Compilation, tokens: TokenCursor) -> VariableHeading:
    """Read the start of a declaration of variables."""
    start = tokens.peek().start
    type_, modifiers = read_type(c, tokens, read_modifiers(c, tokens))
    return VariableHeading(start, modifiers, type_, read_name(c, tokens))


def read_locals(c: Compilation, tokens: TokenCursor, heading: VariableHeading) -> Statement:
    """Read a declaration of local variables, from after its type."""
    start = heading.start
    type_ = read_dimensions(c, tokens, start, heading.type)
    value = read_initial_value(c, tokens, heading.modifiers)
    result = _local(c, tokens, heading, heading.name, type_, value, start)
    while tokens.accept(","):
        name = read_name(c, tokens)
        type_ = read_dimensions(c, tokens, start, heading.type)
        value = read_initial_value(c, tokens, heading.modifiers)
        result = _joined(result, _local(c, tokens, heading, name, type_, value, name.start))
    tokens.expect(";", "';'")
    result.position = tokens.range_from(start)
    return result


def _joined(first: Statement, further: Statement) -> Statement:
    """Return declarations as one: `int a, b;`."""
    if isinstance(first, BlockStatement):
        first.statements.append(further)
        return first
    if isinstance(first, VariableDeclaration):
        return block(first.position, [first, further], BlockForm.COMPOUND)
    return further if is_empty(first) else first
