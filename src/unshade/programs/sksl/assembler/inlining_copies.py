"""Copies of a function's statements with other variables, in the simplest form.

Parameters are replaced by arguments, or by variables that hold the arguments; local variables get
new names.

Source: SkSLInliner.cpp and SkSLMangler.cpp of Skia's milestone 104.
"""

import re

from ..tables.enumerations import ReferenceKind, VariableStorage
from ..tables.operators import Operator
from ..tree import (
    ArrayDataType,
    BinaryExpression,
    BlockStatement,
    ChildCall,
    ConstructorArrayCast,
    ConstructorCompound,
    ConstructorCompoundCast,
    ConstructorDiagonalMatrix,
    ConstructorExpression,
    ConstructorMatrixResize,
    ConstructorScalarCast,
    ConstructorSplat,
    DataType,
    DoStatement,
    Expression,
    ExpressionStatement,
    FieldAccess,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    IfStatement,
    IndexExpression,
    LayoutQualifier,
    Modifiers,
    NopStatement,
    PostfixExpression,
    PrefixExpression,
    ReturnStatement,
    Statement,
    StructDataType,
    SwitchCase,
    SwitchStatement,
    SwizzleExpression,
    SymbolTable,
    TernaryExpression,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
)
from .access import made_subscript, member_of
from .aggregates import (
    array_cast,
    compound_cast,
    compound_of,
    diagonal,
    resized,
    scalar_cast,
    splat,
)
from .assignment import set_reference
from .calls import made_call
from .compilation import Compilation
from .messages import NOWHERE, Position
from .negation import inverted, negated
from .operators import made_binary, made_ternary
from .statements import block, made_conditional, made_expression_statement, made_for, made_switch
from .swizzles import select
from .type_rules import operand_types
from .values import moved

__all__ = ["Copier", "NameMaker", "scratch_variable"]

NUMBERED = re.compile(r"_[0-9]+_(?=.)")
LONGEST_NAME = 255
CASTS = {
    ConstructorArrayCast: array_cast,
    ConstructorCompoundCast: compound_cast,
    ConstructorDiagonalMatrix: diagonal,
    ConstructorMatrixResize: resized,
    ConstructorScalarCast: scalar_cast,
    ConstructorSplat: splat,
}


class NameMaker:
    """A maker of names that no other variable has: `_12_color`."""

    def __init__(self, c: Compilation) -> None:
        self.c = c
        self.count = 0

    def unique(self, name: str, table: SymbolTable) -> str:
        """Return a name that is unknown in a scope."""
        name = name.removeprefix("$")
        name = NUMBERED.sub("", name, count=1) if NUMBERED.match(name) else name.removeprefix("_")
        while True:
            made = f"_{self.count}_{name}"[:LONGEST_NAME]
            self.count += 1
            if self.c.find(made, table) is None:
                return made


def scratch_variable(
    c: Compilation, names: NameMaker, name: str, type_: DataType, table: SymbolTable,
    value: Expression | None,
) -> VariableDeclaration:  # fmt: skip
    """Return the declaration of a new variable that holds a value."""
    variable = VariableSymbol(
        modifiers=Modifiers(layout=LayoutQualifier()),
        name=names.unique(name, table),
        type=type_,
        storage=VariableStorage.LOCAL,
        position=NOWHERE if value is None else value.position,
    )
    made = _declared(c, variable, value)
    c.name(variable, table, own=True)
    return made


def _declared(
    c: Compilation, variable: VariableSymbol, value: Expression | None
) -> VariableDeclaration:
    type_ = variable.type
    made = VariableDeclaration(
        variable=variable,
        base=type_.component if isinstance(type_, ArrayDataType) else type_,
        array_size=type_.columns if isinstance(type_, ArrayDataType) else 0,
        value=value,
        position=variable.position,
    )
    c.declarations[variable] = made
    return made


class Copier:
    """A copier of the statements of one function to the place of one call.

    Attributes:
        result: The value of the call, once it is known.
        count: Number of statements that were copied.
        copied: Number of expressions that were copied.
    """

    def __init__(
        self,
        c: Compilation,
        names: NameMaker,
        position: Position,
        table: SymbolTable,
        variables: dict[VariableSymbol, Expression],
        result: Expression | None,
    ) -> None:
        self.c = c
        self.names = names
        self.position = position
        self.table = table
        self.variables = variables
        self.result = result
        self.stored = result is not None  # the result is a variable
        self.count = 0
        self.copied = 0

    # -- types ---------------------------------------------------------------------------------

    def type(self, given: DataType) -> DataType:
        """Return a type of the scope of the call."""
        if not isinstance(given, ArrayDataType | StructDataType):
            return given
        known = self.c.find(given.name, self.table)
        if isinstance(known, DataType):
            return known
        if isinstance(given, ArrayDataType):
            return self.c.array_of(given.component, given.columns, self.table)
        self.c.name(given, self.table, own=True)
        return given

    # -- expressions ---------------------------------------------------------------------------

    def expression(self, given: Expression) -> Expression:
        """Return a copy of an expression."""
        self.copied += 1
        c, position = self.c, self.position
        if isinstance(given, BinaryExpression):
            return self._binary(given)
        if isinstance(given, ConstructorExpression):
            return self._constructor(given)
        if isinstance(given, FunctionCall):
            arguments = [self.expression(each) for each in given.arguments]
            function = given.function
            assert isinstance(function, FunctionDeclaration)
            return made_call(c, position, self.type(given.type), function, arguments)
        if isinstance(given, ChildCall):
            arguments = [self.expression(each) for each in given.arguments]
            return ChildCall(
                type=given.type, child=given.child, arguments=arguments, position=position
            )
        if isinstance(given, FieldAccess):
            return member_of(c, position, self.expression(given.base), given.index, given.owner)
        if isinstance(given, IndexExpression):
            base = self.expression(given.base)
            return made_subscript(c, position, base, self.expression(given.index))
        if isinstance(given, PrefixExpression):
            return self._prefix(given)
        if isinstance(given, PostfixExpression):
            operand = self.expression(given.operand)
            return PostfixExpression(operator=given.operator, operand=operand, position=position)
        if isinstance(given, SwizzleExpression):
            return select(c, position, self.expression(given.base), list(given.components))
        if isinstance(given, TernaryExpression):
            test = self.expression(given.test)
            if_true = self.expression(given.if_true)
            return made_ternary(c, position, test, if_true, self.expression(given.if_false))
        if isinstance(given, VariableReference) and given.variable in self.variables:
            return with_reference(self.variables[given.variable], given.reference)
        return moved(given, given.position)

    def _binary(self, given: BinaryExpression) -> Expression:
        left, right = self.expression(given.left), self.expression(given.right)
        types = operand_types(given.operator, left.type, right.type, self.c.settings.narrowing)
        result = given.type if types is None else types.result
        return made_binary(self.c, self.position, left, given.operator, right, result)

    def _prefix(self, given: PrefixExpression) -> Expression:
        operand = self.expression(given.operand)
        if given.operator is Operator.MINUS:
            return negated(self.c, self.position, operand)
        if given.operator is Operator.LOGICAL_NOT:
            return inverted(self.c, self.position, operand)
        return PrefixExpression(operator=given.operator, operand=operand, position=self.position)

    def _constructor(self, given: ConstructorExpression) -> Expression:
        type_ = self.type(given.type)
        arguments = [self.expression(each) for each in given.arguments]
        if isinstance(given, ConstructorCompound):
            return compound_of(self.c, self.position, type_, arguments)
        cast = CASTS.get(type(given))
        if cast is not None:
            return cast(self.c, self.position, type_, arguments[0])
        return type(given)(type=type_, arguments=arguments, position=self.position)

    # -- statements ----------------------------------------------------------------------------

    def statement(self, given: Statement) -> Statement:
        """Return a copy of a statement."""
        c, position = self.c, self.position
        self.count += 1
        if isinstance(given, BlockStatement):
            inner = [self.statement(each) for each in given.statements]
            return block(position, inner, given.form, given.symbols)
        if isinstance(given, DoStatement):
            body = self.statement(given.body)
            return DoStatement(body=body, test=self.expression(given.test), position=position)
        if isinstance(given, ExpressionStatement):
            return made_expression_statement(c, self.expression(given.expression))
        if isinstance(given, ForStatement):
            return self._for(given)
        if isinstance(given, IfStatement):
            test = self.expression(given.test)
            if_true = self.statement(given.if_true)
            if_false = None if given.if_false is None else self.statement(given.if_false)
            return made_conditional(c, position, given.is_static, test, if_true, if_false)
        if isinstance(given, ReturnStatement):
            return self._return(given)
        if isinstance(given, SwitchStatement):
            return self._switch(given)
        if isinstance(given, VariableDeclaration):
            return self._declaration(given)
        return (
            NopStatement()
            if isinstance(given, NopStatement)
            else type(given)(position=given.position)
        )

    def _for(self, given: ForStatement) -> Statement:
        first = None if given.initialiser is None else self.statement(given.initialiser)
        test = None if given.test is None else self.expression(given.test)
        step = None if given.next is None else self.expression(given.next)
        body = self.statement(given.body)
        count = self.c.iterations.get(given)
        return made_for(self.c, self.position, first, test, step, body, given.symbols, count)

    def _return(self, given: ReturnStatement) -> Statement:
        if given.value is None:
            return NopStatement()
        value = self.expression(given.value)
        if not self.stored:
            self.result = value
            return NopStatement()
        assert self.result is not None
        target = with_reference(self.result, ReferenceKind.WRITE)
        assigned = made_binary(self.c, self.position, target, Operator.EQ, value, target.type)
        return made_expression_statement(self.c, assigned)

    def _switch(self, given: SwitchStatement) -> Statement:
        cases = []
        for each in given.cases:
            self.count += 1
            body = self.statement(each.body)
            cases.append(SwitchCase(value=each.value, body=body, position=self.position))
        value = self.expression(given.value)
        symbols = given.symbols or self.table
        made = made_switch(self.c, self.position, given.is_static, value, cases, symbols)
        return made or NopStatement()

    def _declaration(self, given: VariableDeclaration) -> Statement:
        value = None if given.value is None else self.expression(given.value)
        old = given.variable
        variable = VariableSymbol(
            modifiers=old.modifiers,
            name=self.names.unique(old.name, self.table),
            type=self.type(old.type),
            storage=old.storage,
            position=self.position,
        )
        self.variables[old] = VariableReference(variable=variable, position=self.position)
        made = _declared(self.c, variable, value)
        self.table.owned.append(variable)
        return made


def with_reference(given: Expression, kind: ReferenceKind) -> Expression:
    """Return a copy of an expression whose variable has the given kind of use."""
    made = moved(given, given.position)
    if isinstance(made, FieldAccess | SwizzleExpression | IndexExpression):
        made.base = with_reference(made.base, kind)
    elif isinstance(made, VariableReference):
        set_reference(made, kind)
    return made
