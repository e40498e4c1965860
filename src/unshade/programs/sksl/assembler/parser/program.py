"""Reading of a program: directives, structs, interface blocks, global variables and functions.

Source: SkSLDSLParser.cpp and DSLCore.cpp of Skia's milestone 104.
"""

from collections.abc import Callable
from contextlib import suppress

from ...tables.enumerations import LanguageVersion, VariableStorage
from ...tree import (
    DataType,
    Extension,
    FunctionPrototype,
    ModifiersDeclaration,
    VariableSymbol,
)
from ..definitions import define_function
from ..functions import FunctionHeading, declare_function
from ..messages import Position
from ..variables import new_variable
from .declarations import ModifierList
from .structs import StructReader
from .token_reader import Abandoned
from .tokens import END, SourceToken, TokenKind

__all__ = ["ProgramReader"]

ParameterMaker = Callable[[], tuple[VariableSymbol, Position]]

VERSIONS = {100: LanguageVersion.ES2, 300: LanguageVersion.ES3}
BEHAVIOURS = ("require", "enable", "warn")


class ProgramReader(StructReader):
    """A reader of programs."""

    def program(self) -> None:
        """Read all declarations; the elements of the program are in the context then."""
        if self.peek().kind == TokenKind.DIRECTIVE:
            self._tried(lambda: self._directive(first=True))
        while not self.fatal:
            token = self.peek()
            if token.kind == END:
                return
            if token.kind == TokenKind.INVALID:
                self.error(token, "invalid token")
                return
            if token.kind == TokenKind.DIRECTIVE:
                self._tried(lambda: self._directive(first=False))
            else:
                self._tried(self._declaration)

    def _tried(self, read: Callable[[], None]) -> None:
        with self.nested(), suppress(Abandoned):
            read()

    def _directive(self, *, first: bool) -> None:
        start = self.next()
        if start.text == "#extension" and not self.c.settings.is_effect:
            name = self.name()
            self.require(":", "':'")
            behaviour = self.require(TokenKind.WORD, "an identifier")
            if behaviour.text == "disable":
                return
            if behaviour.text not in BEHAVIOURS:
                self.error(behaviour, "expected 'require', 'enable', 'warn', or 'disable'")
            self.c.elements.append(Extension(name=name.text))
        elif start.text != "#version":
            self.error(start, f"unsupported directive '{start.text}'")
        elif not first:
            self.error(start, "#version directive must appear before anything else")
        else:
            version = self.int_value(self.require(TokenKind.INT, "integer literal"))
            if version in VERSIONS:
                self.c.language = VERSIONS[version]
            else:
                self.error(start, "unsupported version number")

    def _declaration(self) -> None:
        start = self.peek()
        if start.kind == ";":
            self.next()
            self.error(start, "expected a declaration, but found ';'")
            return
        given = self.modifiers()
        token = self.peek()
        if token.kind == TokenKind.WORD and not self.c.is_type(token.text):
            self.interface_block(given)
        elif token.kind == ";":
            self.next()
            self._lone_modifiers(given, self.place(start))
        elif token.kind == "struct":
            self.struct_and_variables(start.start, given)
        else:
            type_, given = self.type(given)
            name = self.name()
            if self.accept("("):
                self._function(start.start, given, type_, name)
            else:
                self.globals(start.start, given, type_, name)

    def _lone_modifiers(self, given: ModifierList, position: Position) -> None:
        if not self.is_fragment_or_vertex:
            self.c.error(position, "layout qualifiers are not allowed in this kind of program")
            return
        self.c.elements.append(ModifiersDeclaration(modifiers=given.modifiers))

    # -- functions -----------------------------------------------------------------------------

    def _function(
        self, start: int, given: ModifierList, type_: DataType, name: SourceToken
    ) -> None:
        parameters = self._parameters()
        self.require(")", "')'")
        position = self.range_from(start)
        variables = [each() for each in parameters]
        function = declare_function(
            self.c,
            FunctionHeading(
                position=position,
                modifiers=given.modifiers,
                modifiers_position=given.position,
                returns=type_,
                name=name.text,
                parameters=[each for each, _ in variables],
                parameter_modifiers=[each for _, each in variables],
            ),
        )
        if function is not None:
            self.c.elements.append(FunctionPrototype(declaration=function, position=position))
        if self.accept(";"):
            return
        self.c.push()
        try:
            if function is None:
                for again in parameters:  # their names are checked once more, as upstream does
                    again()
            for each in function.parameters if function else ():
                self.c.name(each, self.c.table, own=False)
            body_start = self.peek().start
            body = self.block()
            body_position = self.range_from(body_start)
        finally:
            self.c.pop()
        if function is not None:
            last = self.c.elements[-1] if self.c.elements else None
            if isinstance(last, FunctionPrototype) and last.declaration is function:
                self.c.elements.pop()
            define_function(self.c, body_position, function, body)

    def _parameters(self) -> list[ParameterMaker]:
        """Read parameters; return what makes each variable, with the place of its modifiers."""
        token = self.peek()
        if token.kind == ")":
            return []
        if token.kind == TokenKind.WORD and token.text == "void":
            self.next()
            return []
        found = [self._parameter(0)]
        while self.accept(","):
            found.append(self._parameter(len(found)))
        return found

    def _parameter(self, index: int) -> ParameterMaker:
        start = self.peek().start
        base, given = self.type(self.modifiers())
        token = self.optional_name()
        name = token.text if token else f"_skAnonymousParam{index}"
        name_position = self.place(token) if token else self.range_from(start)
        type_ = self.dimensions(start, base)
        position = self.range_from(start)

        def made() -> tuple[VariableSymbol, Position]:
            variable = new_variable(
                self.c, position, given.position, given.modifiers, type_, name_position, name,
                VariableStorage.PARAMETER,
            )  # fmt: skip
            return variable, given.position

        return made
