"""The state of one run of the compiler: scopes, declarations and the results so far.

Source: SkSLThreadContext.h, SkSLSymbolTable.cpp and SkSLContext.h of Skia's milestone 104.
"""

from ....errors import LimitError
from ....limits import Limits
from ..builtins import parent_of
from ..tables.enumerations import LanguageVersion, ModifierFlag
from ..tree import (
    ArrayDataType,
    DataType,
    Expression,
    ForStatement,
    FunctionDeclaration,
    FunctionDefinition,
    OverloadSet,
    ProgramElement,
    SharedFunction,
    StructDataType,
    Symbol,
    SymbolTable,
    VariableDeclaration,
    VariableSymbol,
)
from .messages import Position, Reporter
from .settings import Settings
from .type_rules import TypeFactTable, can_convert, same
from .unfinished import functions_of

__all__ = ["Compilation"]

MOST_OVERLOADS = 255  # functions of one name, which is what the format holds


class Compilation:
    """The state of one run.

    Attributes:
        settings: Settings of the run.
        reporter: Receives the error messages.
        language: Language that `#version` requests.
        table: The innermost scope.
        program_table: The global scope of the program.
        elements: Elements of the program so far.
        shared: Builtin functions that are elements of the program, as declared there.
        declarations: Declarations by variable.
        definitions: Definitions by function.
        constants: For the value of a `const` variable, whether it is known.
        reserved: Declarations of functions that a module defines.
        iterations: Number of rounds of each loop that could be unrolled.
        types: Facts about types.
        needs_constant: Number of enclosing constant expressions at this point of parsing.
        uses_flip: The program depends on whether it is drawn upside down.
    """

    def __init__(self, settings: Settings, reporter: Reporter, limits: Limits) -> None:
        self.settings = settings.resolved
        self.reporter = reporter
        self.limits = limits
        self.language = LanguageVersion.ES2
        self.program_table = SymbolTable(parent=parent_of(settings.kind))
        self.table = self.program_table
        self.elements: list[ProgramElement] = []
        self.shared: dict[FunctionDeclaration, SharedFunction] = {}
        self.declarations: dict[VariableSymbol, VariableDeclaration] = {}
        self.definitions: dict[FunctionDeclaration, FunctionDefinition] = {}
        self.constants: dict[Expression, bool] = {}
        self.reserved: set[FunctionDeclaration] = set()
        self.iterations: dict[ForStatement, int] = {}
        self.types = TypeFactTable()
        self.uses_flip = False
        self.needs_constant = 0
        self.spent = 0
        self.joined: dict[tuple[Symbol, Symbol], list[FunctionDeclaration]] = {}

    # -- messages ------------------------------------------------------------------------------

    def error(self, position: Position, text: str) -> None:
        """Report an error."""
        self.reporter.error(position, text)

    @property
    def strict(self) -> bool:
        """True if the program is held to the rules of GLSL ES 1.00."""
        es2 = self.language is LanguageVersion.ES2
        return self.settings.es2 and es2 and self.settings.has_language

    @property
    def folds(self) -> bool:
        """True if operators on constants, and calls with them, are folded.

        Operators on constants in a disassembled program were left by inlining, and are kept.
        """
        return not self.settings.native or self.needs_constant > 0

    def spend(self, count: int) -> None:
        """Count values that are copied or compared; LimitError if there are too many."""
        self.spent += count
        if self.spent > self.limits.nodes:
            raise LimitError("nodes", self.limits.nodes, self.spent)

    # -- types ---------------------------------------------------------------------------------

    def allows(self, given: DataType) -> bool:
        """Return True if the language of the program includes a type."""
        return not self.strict or self.types.facts(given).in_es2

    def converts(self, given: DataType, wanted: DataType) -> bool:
        """Return True if a value converts implicitly."""
        return can_convert(given, wanted, self.settings.narrowing)

    def array_of(self, element: DataType, size: int, table: SymbolTable | None = None) -> DataType:
        """Return the array of a type, made once for each name."""
        table = table or self.table
        if not isinstance(element, ArrayDataType | StructDataType):
            while table.parent is not None and not table.parent.builtin:
                table = table.parent
        name = f"{element.name}[{size}]"
        known = self.find(name, table)
        if isinstance(known, DataType):
            return known
        made = ArrayDataType(component=element, columns=size)
        self.name(made, table, own=True)
        return made

    # -- symbols -------------------------------------------------------------------------------

    def push(self) -> SymbolTable:
        """Open a scope."""
        self.table = SymbolTable(parent=self.table)
        return self.table

    def pop(self) -> None:
        """Close the innermost scope."""
        assert self.table.parent is not None
        self.table = self.table.parent

    def find(self, name: str, table: SymbolTable | None = None) -> Symbol | None:
        """Return the symbol of a name.

        Functions of the program are added to builtin functions of the same name: each search then
        creates a set of overloads, which the program owns, as in upstream.
        """
        found: Symbol | None = None
        owner: SymbolTable | None = None
        chain: list[tuple[Symbol, SymbolTable | None]] = []
        at = table or self.table
        while True:
            if not at.builtin:
                owner = at
            if name in at.names:
                found = at.names[name]
                chain.append((found, owner))
                if not functions_of(found):
                    break
            if at.parent is None:
                break
            at = at.parent
        if not chain:
            return None
        found = chain.pop()[0]
        for inner, owner in reversed(chain):
            found = self._joined(inner, found, owner)
        return found

    def _joined(self, inner: Symbol, outer: Symbol, owner: SymbolTable | None) -> Symbol:
        """Return the functions of a symbol, and the outer functions that it does not hide."""
        functions = functions_of(inner)
        whole = self.joined.get((inner, outer))
        if whole is None:
            fresh = [
                each
                for each in functions_of(outer)
                if not any(_same_parameters(each, known) for known in functions)
            ]
            whole = self.joined[inner, outer] = [*functions, *fresh]
        if not functions or len(whole) == len(functions):
            return inner
        joined = OverloadSet(functions=whole)
        if owner is not None:
            owner.owned.append(joined)
        return joined

    def name(self, symbol: Symbol, table: SymbolTable, *, own: bool) -> None:
        """Add a symbol to a scope; report an error if its name is taken."""
        if own:
            table.owned.append(symbol)
        name = symbol.name
        known = table.names.get(name)
        if known is None:
            table.names[name] = symbol
        elif not isinstance(symbol, FunctionDeclaration):
            self.error(symbol.position, f"symbol '{name}' was already defined")
        elif len(functions_of(known)) >= MOST_OVERLOADS:
            self.error(symbol.position, f"too many functions are called '{name}'")
        elif functions := functions_of(known):
            joined = OverloadSet(functions=[*functions, symbol])
            table.owned.append(joined)
            table.names[name] = joined

    def is_type(self, name: str) -> bool:
        """Return True if a name is the name of a type."""
        return isinstance(self.find(name), DataType)

    def is_builtin_type(self, name: str) -> bool:
        """Return True if a name is the name of a builtin type."""
        outer = self.program_table.parent
        return outer is not None and isinstance(outer.find(name), DataType)

    # -- values --------------------------------------------------------------------------------

    def initial_value(self, variable: object) -> Expression | None:
        """Return the value with which a variable is declared."""
        found = self.declarations.get(variable) if isinstance(variable, VariableSymbol) else None
        return found.value if found else None


def _same_parameters(one: FunctionDeclaration, other: FunctionDeclaration) -> bool:
    return len(one.parameters) == len(other.parameters) and all(
        same(a.type, b.type) for a, b in zip(one.parameters, other.parameters, strict=True)
    )


def is_const(variable: object) -> bool:
    """Return True for variables declared `const`."""
    return isinstance(variable, VariableSymbol) and variable.modifiers.has(ModifierFlag.CONST)
