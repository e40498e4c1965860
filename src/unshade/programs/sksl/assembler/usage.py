"""Counts of reads and writes of variables, and of calls of functions.

Source: SkSLProgramUsage.cpp of Skia's milestone 104.
"""

from collections import Counter

from ..tables.enumerations import ModifierFlag, ReferenceKind, VariableStorage
from ..tree import (
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    GlobalDeclaration,
    ProgramElement,
    SharedFunction,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
)
from .compilation import Compilation
from .traversal import Part, nodes

__all__ = ["UsageCounts"]

ALWAYS_USED = ModifierFlag.IN | ModifierFlag.OUT | ModifierFlag.UNIFORM


class UsageCounts:
    """Counts over the elements of a program."""

    def __init__(self, c: Compilation) -> None:
        self.c = c
        self.reads: Counter[object] = Counter()
        self.writes: Counter[object] = Counter()
        self.calls: Counter[object] = Counter()

    def add_element(self, given: ProgramElement, times: int = 1) -> None:
        """Add the uses in an element; with -1, subtract them."""
        if isinstance(given, FunctionDefinition):
            self.add(given.body, times)
        elif isinstance(given, SharedFunction):
            self.add(given.definition.body, times)
        elif isinstance(given, GlobalDeclaration):
            self.add(given.declaration, times)

    def add(self, given: Part, times: int = 1) -> None:
        """Add the uses in a statement or expression; with -1, subtract them."""
        for each in nodes(given):
            if isinstance(each, VariableDeclaration):
                if each.value is not None:
                    self.writes[each.variable] += times
            elif isinstance(each, FunctionCall):
                self.calls[each.function] += times
            elif isinstance(each, VariableReference):
                if each.reference is not ReferenceKind.WRITE:
                    self.reads[each.variable] += times
                if each.reference is not ReferenceKind.READ:
                    self.writes[each.variable] += times

    def is_dead(self, variable: VariableSymbol) -> bool:
        """Return True if a variable is neither read, nor written after its declaration."""
        is_local = variable.storage is VariableStorage.LOCAL
        if (not is_local and self.reads[variable]) or variable.modifiers.flags & ALWAYS_USED:
            return False
        initial = self.c.initial_value(variable) is not None
        return not self.reads[variable] and self.writes[variable] <= initial

    def is_removable(self, given: VariableDeclaration) -> bool:
        """Return True if a local variable can be removed, but for the effects of its value."""
        variable = given.variable
        is_local = variable.storage is VariableStorage.LOCAL
        initial = given.value is not None
        return is_local and not self.reads[variable] and self.writes[variable] == initial

    def is_called(self, function: FunctionDeclaration) -> bool:
        """Return True if a function is called, or the program begins with it."""
        return function.name == "main" or self.calls[function] > 0
