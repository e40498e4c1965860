"""Reading of modifiers, types and declarations of local variables.

Source: SkSLDSLParser.cpp and DSLLayout.cpp of Skia's milestone 104.
"""

from collections.abc import Callable
from typing import NamedTuple

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
)
from ..access import array_type, checked_type
from ..messages import Position, span
from ..precision import with_precision
from ..statements import block, is_empty
from ..type_rules import is_integer
from ..values import constant_int
from ..variables import declare, new_variable
from .expressions import ExpressionReader, is_valid
from .tokens import SourceToken, TokenKind

__all__ = ["PRECISIONS", "DeclarationReader", "ModifierList"]

F = ModifierFlag
MODIFIERS = {
    "uniform": F.UNIFORM, "const": F.CONST, "in": F.IN, "out": F.OUT, "inout": F.IN | F.OUT,
    "flat": F.FLAT, "noperspective": F.NOPERSPECTIVE, "sk_has_side_effects": F.HAS_SIDE_EFFECTS,
    "inline": F.INLINE, "noinline": F.NOINLINE, "highp": F.HIGHP, "mediump": F.MEDIUMP,
    "lowp": F.LOWP, "$es3": F.ES3,
}  # fmt: skip
PRECISIONS = ("highp", "mediump", "lowp")
LAYOUT_FLAGS = {
    each.name.lower(): each
    for each in LayoutFlag
    if each.name and each < LayoutFlag.LOCATION
}  # fmt: skip
LAYOUT_NUMBERS = {
    each.name.lower(): each
    for each in LayoutFlag
    if each.name and each >= LayoutFlag.LOCATION
}  # fmt: skip
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


class DeclarationReader(ExpressionReader):
    """A reader of modifiers, types and local variables."""

    # -- modifiers and types -------------------------------------------------------------------

    def modifiers(self) -> ModifierList:
        """Read a layout and modifiers."""
        start = self.peek().start
        layout = self._layout()
        raw = self.next_raw()
        end = raw.start
        if raw.kind != TokenKind.SPACE:
            self.ahead = raw
        flags = 0
        while self.peek().kind in MODIFIERS:
            token = self.next()
            flags |= MODIFIERS[token.kind]
            end = token.end
        return ModifierList(Modifiers(layout=layout, flags=flags), span(start, end))

    def _layout(self) -> LayoutQualifier:
        layout = LayoutQualifier()
        if not self.accept("layout") or not self.expect("(", "'('"):
            return layout
        while True:
            token = self.next()
            name = token.text
            flag = LAYOUT_FLAGS.get(name) or LAYOUT_NUMBERS.get(name)
            if flag is None:
                self.error(token, f"'{name}' is not a valid layout qualifier")
            else:
                value = self._layout_number() if name in LAYOUT_NUMBERS else None
                if layout.flags & flag:
                    self.error(token, f"layout qualifier '{name}' appears more than once")
                layout.flags |= flag
                if value is not None:
                    setattr(layout, FIELDS.get(name, name), value)
            if self.accept(")") or not self.expect(",", "','"):
                return layout

    def _layout_number(self) -> int:
        if not self.expect("=", "'='"):
            return -1
        token = self.expect(TokenKind.INT, "a non-negative integer")
        if token is None:
            return -1
        before = self.c.reporter.count
        value = self.int_value(token)
        if self.c.reporter.count > before:
            del self.c.reporter.messages[before:]
            self.error(token, f"value in layout is too large: {token.text}")
            return -1
        return value

    def type(self, given: ModifierList) -> tuple[DataType, ModifierList]:
        """Read a type; return it, and the modifiers without those that are part of it."""
        token = self.require(TokenKind.WORD, "a type")
        symbol = self.c.find(token.text)
        if not isinstance(symbol, DataType):
            self.error(token, f"no type named '{token.text}'")
            self.abandon()
        type_ = checked_type(self.c, symbol, self.place(token), private=False)
        type_, modifiers = with_precision(self.c, type_, given.modifiers, given.position)
        while bracket := self.accept("["):
            if self.accept("]"):
                self.error(self.range_from(bracket.start), "unsized arrays are not permitted here")
                continue
            size = self.array_size()
            self.expect("]", "']'")
            type_ = array_type(self.c, type_, size, self.range_from(token.start))
        return type_, ModifierList(modifiers, given.position)

    def array_size(self) -> int:
        """Read the size of an array; 1 after reporting an error."""
        token = self.peek()
        if token.kind == "]":
            self.error(token, "unsized arrays are not permitted here")
            return 1
        given = self.constant(self.expression)
        if not is_valid(given):
            return 1
        size = constant_int(self.c, given)
        if size is None or not is_integer(given.type):
            self.error(given.position, "array size must be an integer")
        elif size > MOST_ELEMENTS:
            self.error(given.position, "array size out of bounds")
        elif size <= 0:
            self.error(given.position, "array size must be positive")
        else:
            return size
        return 1

    def dimensions(self, start: int, type_: DataType) -> DataType:
        """Read the sizes after a name: `x[3]`."""
        while self.accept("["):
            if self.accept("]"):
                self.error(self.range_from(start), "unsized arrays are not permitted here")
                continue
            size = self.array_size()
            self.require("]", "']'")
            type_ = array_type(self.c, type_, size, self.range_from(start))
        return type_

    def initial_value(self, given: ModifierList) -> Expression | None:
        """Read the value after a name, if there is one."""
        if not self.accept("="):
            return None
        is_const = given.modifiers.has(F.CONST)
        return self.constant(self.assignment) if is_const else self.assignment()

    def constant(self, read: Callable[[], Expression]) -> Expression:
        """Read an expression that must be constant."""
        self.c.needs_constant += 1
        try:
            return read()
        finally:
            self.c.needs_constant -= 1

    # -- variables -----------------------------------------------------------------------------

    def variable(
        self,
        given: ModifierList,
        type_: DataType,
        name: SourceToken,
        value: Expression | None,
        position: Position,
        name_position: Position,
        storage: VariableStorage,
    ) -> tuple[Statement, VariableSymbol | None]:
        """Declare a variable; return its declaration, and the variable if it is a new one."""
        made = new_variable(
            self.c, position, given.position, given.modifiers, type_, name_position, name.text,
            storage,
        )  # fmt: skip
        declaration = declare(self.c, made, given.position, value)
        declared = isinstance(declaration, VariableDeclaration)
        return declaration or NopStatement(), made if declared else None

    def _local(
        self,
        heading: VariableHeading,
        name: SourceToken,
        type_: DataType,
        value: Expression | None,
        start: int,
    ) -> Statement:
        statement, variable = self.variable(
            heading.modifiers, type_, name, value, self.range_from(start), self.place(name),
            VariableStorage.LOCAL,
        )  # fmt: skip
        if variable is not None:
            self.c.name(variable, self.c.table, own=False)
        return statement

    def heading(self) -> VariableHeading:
        start = self.peek().start
        type_, modifiers = self.type(self.modifiers())
        return VariableHeading(start, modifiers, type_, self.name())

    def locals(self, heading: VariableHeading) -> Statement:
        """Read the rest of a declaration of variables."""
        start = heading.start
        type_ = self.dimensions(start, heading.type)
        value = self.initial_value(heading.modifiers)
        result = self._local(heading, heading.name, type_, value, start)
        while self.accept(","):
            name = self.name()
            type_ = self.dimensions(start, heading.type)
            value = self.initial_value(heading.modifiers)
            result = _joined(result, self._local(heading, name, type_, value, name.start))
        self.expect(";", "';'")
        result.position = self.range_from(start)
        return result


def _joined(first: Statement, further: Statement) -> Statement:
    """Return declarations as one: `int a, b;`."""
    if isinstance(first, BlockStatement):
        first.statements.append(further)
        return first
    if isinstance(first, VariableDeclaration):
        return block(first.position, [first, further], BlockForm.COMPOUND)
    return further if is_empty(first) else first
