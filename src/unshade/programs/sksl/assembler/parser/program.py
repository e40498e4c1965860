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
from ..compilation import Compilation
from ..definitions import define_function
from ..functions import FunctionHeading, declare_function
from ..messages import Position
from ..variables import new_variable
from .cursor import Abandoned, Reader, TokenCursor
from .declarations import (
    ModifierList,
    read_dimensions,
    read_modifiers,
    read_name,
    read_optional_name,
    read_type,
)
from .expressions import int_value
from .statements import read_block
from .structs import is_fragment_or_vertex, read_globals, read_interface_block, read_struct
from .tokens import END, SourceToken, TokenKind

__all__ = ["read_program"]

ParameterMaker = Callable[[], tuple[VariableSymbol, Position]]

VERSIONS = {100: LanguageVersion.ES2, 300: LanguageVersion.ES3}
BEHAVIOURS = ("require", "enable", "warn")


def read_program(c: Compilation, text: str) -> None:
    """Read the declarations of a source, and add its elements to the compilation."""
    tokens = TokenCursor(text, c.reporter, c.settings.nesting)
    if tokens.peek().kind == TokenKind.DIRECTIVE:
        _tried(c, tokens, _first_directive)
    while not tokens.fatal:
        token = tokens.peek()
        if token.kind == END:
            return
        if token.kind == TokenKind.INVALID:
            tokens.error(token, "invalid token")
            return
        if token.kind == TokenKind.DIRECTIVE:
            _tried(c, tokens, _directive)
        else:
            _tried(c, tokens, _declaration)


def _tried(c: Compilation, tokens: TokenCursor, read: Reader[None]) -> None:
    with tokens.nested(), suppress(Abandoned):
        read(c, tokens)


def _first_directive(c: Compilation, tokens: TokenCursor) -> None:
    _directive(c, tokens, first=True)


def _directive(c: Compilation, tokens: TokenCursor, *, first: bool = False) -> None:
    start = tokens.next()
    if start.text == "#extension" and not c.settings.is_effect:
        name = read_name(c, tokens)
        tokens.require(":", "':'")
        behaviour = tokens.require(TokenKind.WORD, "an identifier")
        if behaviour.text == "disable":
            return
        if behaviour.text not in BEHAVIOURS:
            tokens.error(behaviour, "expected 'require', 'enable', 'warn', or 'disable'")
        c.elements.append(Extension(name=name.text))
    elif start.text != "#version":
        tokens.error(start, f"unsupported directive '{start.text}'")
    elif not first:
        tokens.error(start, "#version directive must appear before anything else")
    else:
        version = int_value(tokens, tokens.require(TokenKind.INT, "integer literal"))
        if version in VERSIONS:
            c.language = VERSIONS[version]
        else:
            tokens.error(start, "unsupported version number")


def _declaration(c: Compilation, tokens: TokenCursor) -> None:
    start = tokens.peek()
    if start.kind == ";":
        tokens.next()
        tokens.error(start, "expected a declaration, but found ';'")
        return
    given = read_modifiers(c, tokens)
    token = tokens.peek()
    if token.kind == TokenKind.WORD and not c.is_type(token.text):
        read_interface_block(c, tokens, given)
    elif token.kind == ";":
        tokens.next()
        _lone_modifiers(c, given, start.position)
    elif token.kind == "struct":
        read_struct(c, tokens, start.start, given)
    else:
        type_, given = read_type(c, tokens, given)
        name = read_name(c, tokens)
        if tokens.accept("("):
            _function(c, tokens, start.start, given, type_, name)
        else:
            read_globals(c, tokens, start.start, given, type_, name)


def _lone_modifiers(c: Compilation, given: ModifierList, position: Position) -> None:
    if not is_fragment_or_vertex(c):
        c.error(position, "layout qualifiers are not allowed in this kind of program")
        return
    c.elements.append(ModifiersDeclaration(modifiers=given.modifiers))


# -- functions -----------------------------------------------------------------------------


def _function(
    c: Compilation,
    tokens: TokenCursor,
    start: int,
    given: ModifierList,
    type_: DataType,
    name: SourceToken,
) -> None:
    parameters = _parameters(c, tokens)
    tokens.require(")", "')'")
    position = tokens.range_from(start)
    variables = [each() for each in parameters]
    function = declare_function(
        c,
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
        c.elements.append(FunctionPrototype(declaration=function, position=position))
    if tokens.accept(";"):
        return
    c.push()
    try:
        if function is None:
            for again in parameters:  # their names are checked once more, as upstream does
                again()
        for each in function.parameters if function else ():
            c.name(each, c.table, own=False)
        body_start = tokens.peek().start
        body = read_block(c, tokens)
        body_position = tokens.range_from(body_start)
    finally:
        c.pop()
    if function is not None:
        last = c.elements[-1] if c.elements else None
        if isinstance(last, FunctionPrototype) and last.declaration is function:
            c.elements.pop()
        define_function(c, body_position, function, body)


def _parameters(c: Compilation, tokens: TokenCursor) -> list[ParameterMaker]:
    """Read parameters; return each variable's constructor, with the place of its modifiers."""
    token = tokens.peek()
    if token.kind == ")":
        return []
    if token.kind == TokenKind.WORD and token.text == "void":
        tokens.next()
        return []
    found = [_parameter(c, tokens, 0)]
    while tokens.accept(","):
        found.append(_parameter(c, tokens, len(found)))
    return found


def _parameter(c: Compilation, tokens: TokenCursor, index: int) -> ParameterMaker:
    start = tokens.peek().start
    base, given = read_type(c, tokens, read_modifiers(c, tokens))
    token = read_optional_name(c, tokens)
    name = token.text if token else f"_skAnonymousParam{index}"
    name_position = token.position if token else tokens.range_from(start)
    type_ = read_dimensions(c, tokens, start, base)
    position = tokens.range_from(start)

    def made() -> tuple[VariableSymbol, Position]:
        variable = new_variable(
            c, position, given.position, given.modifiers, type_, name_position, name,
            VariableStorage.PARAMETER,
        )  # fmt: skip
        return variable, given.position

    return made
