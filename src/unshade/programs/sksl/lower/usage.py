"""Use of variables: which are assigned, and which are indexed by a number at run time."""

from ..tables.enumerations import ReferenceKind
from ..tables.operators import Operator
from ..tree import (
    BinaryExpression,
    ChildCall,
    Expression,
    FieldAccess,
    FunctionCall,
    FunctionDeclaration,
    IndexExpression,
    IntLiteral,
    PostfixExpression,
    PrefixExpression,
    ProgramUnit,
    SwizzleExpression,
    TreeNode,
    VariableReference,
    VariableSymbol,
    walk,
)

__all__ = ["FEW", "VariableUsage", "has_effects", "is_cheap", "root_of"]

FEW = 16  # elements that an access at run time chooses from without a memory
STEPS = (Operator.PLUS_PLUS, Operator.MINUS_MINUS)


class VariableUsage:
    """Facts about the variables of a program.

    Attributes:
        assigned: Variables that are assigned after their declaration.
        indexed: Variables with many elements that are indexed at run time.
        nodes: Number of nodes of the program.
    """

    def __init__(self, unit: ProgramUnit) -> None:
        self.assigned: set[VariableSymbol] = set()
        self.indexed: set[VariableSymbol] = set()
        self.nodes = 0
        for each in walk(unit):
            self.nodes += 1
            if isinstance(each, VariableReference):
                if each.reference is not ReferenceKind.READ:
                    self._add(self.assigned, each.variable)
            elif isinstance(each, BinaryExpression) and each.operator.is_assignment:
                self._add(self.assigned, root_of(each.left))
            elif isinstance(each, PrefixExpression | PostfixExpression):
                if each.operator in STEPS:
                    self._add(self.assigned, root_of(each.operand))
            elif isinstance(each, IndexExpression) and not isinstance(each.index, IntLiteral):
                variable = root_of(each.base)
                if isinstance(variable, VariableSymbol) and variable.type.resolved.slots > FEW:
                    self.indexed.add(variable)

    def _add(self, where: set[VariableSymbol], variable: object) -> None:
        if isinstance(variable, VariableSymbol):
            where.add(variable)


def root_of(node: Expression) -> object:
    """Return the variable that a place is part of; None for other expressions."""
    while isinstance(node, IndexExpression | FieldAccess | SwizzleExpression):
        node = node.base
    return node.variable if isinstance(node, VariableReference) else None


def has_effects(node: TreeNode) -> bool:
    """Return True if an expression assigns a variable, or calls a function that may."""
    return any(_has_effect(each) for each in walk(node))


def _has_effect(node: TreeNode) -> bool:
    if isinstance(node, BinaryExpression):
        return node.operator.is_assignment
    if isinstance(node, PrefixExpression | PostfixExpression):
        return node.operator in STEPS
    if isinstance(node, FunctionCall):
        function = node.function
        return not (isinstance(function, FunctionDeclaration) and function.builtin) or (
            function.name == "modf"
        )
    return False


def is_cheap(node: TreeNode) -> bool:
    """Return True if an expression can be evaluated although its value may not be needed."""
    return not any(_has_effect(each) or isinstance(each, ChildCall) for each in walk(node))
