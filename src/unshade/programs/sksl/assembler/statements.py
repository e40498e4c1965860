"""Statements: checks of their parts, and the statement in the simplest form.

Source: SkSLIfStatement.cpp, SkSLForStatement.cpp, SkSLSwitchStatement.cpp and their neighbours of
Skia's milestone 104.
"""

from ..tables.enumerations import BlockForm
from ..tree import (
    BOOL,
    INT,
    BlockStatement,
    BoolLiteral,
    BreakStatement,
    ContinueStatement,
    DoStatement,
    Expression,
    ExpressionStatement,
    ForStatement,
    IfStatement,
    NopStatement,
    ReturnStatement,
    Statement,
    SwitchCase,
    SwitchStatement,
    SymbolTable,
    VariableDeclaration,
    is_empty,
)
from .aggregates import coerce, is_incomplete
from .compilation import Compilation
from .loops import LoopPositions, iterations
from .messages import Position
from .values import constant_int, constant_of, has_effects

__all__ = [
    "block",
    "conditional",
    "do_loop",
    "expression_statement",
    "for_loop",
    "switch",
    "while_loop",
]


def is_scope(given: Statement) -> bool:
    """Return True for blocks with braces."""
    return isinstance(given, BlockStatement) and given.form is BlockForm.BRACED_SCOPE


def block(
    position: Position,
    statements: list[Statement],
    form: BlockForm = BlockForm.UNBRACED,
    symbols: SymbolTable | None = None,
) -> Statement:
    """Return statements as a single statement; without a block, if that is equivalent."""
    if form is BlockForm.BRACED_SCOPE or (symbols is not None and symbols.names):
        return BlockStatement(symbols=symbols, statements=statements, form=form, position=position)
    if not statements:
        return NopStatement()
    real = [each for each in statements if not is_empty(each)]
    if len(statements) > 1 and len(real) > 1:
        return BlockStatement(symbols=None, statements=statements, form=form, position=position)
    return real[0] if len(statements) > 1 and real else statements[0]


def expression_statement(c: Compilation, given: Expression) -> Statement | None:
    """Return an expression as a statement; None after reporting an error."""
    return None if is_incomplete(c, given) else made_expression_statement(c, given)


def made_expression_statement(c: Compilation, given: Expression) -> Statement:
    """Return an expression as a statement; an empty statement if it has no effect."""
    if c.settings.optimize and not has_effects(given):
        return NopStatement()
    return ExpressionStatement(expression=given, position=given.position)


def _declares_without_scope(c: Compilation, given: Statement) -> bool:
    """Report a declaration that is the whole body of a statement."""
    first: Statement | None = given
    if isinstance(given, BlockStatement):
        if is_scope(given) or not given.statements:
            return False
        first = given.statements[0]
    if not isinstance(first, VariableDeclaration):
        return False
    name = first.variable.name
    c.error(first.variable.position, f"variable '{name}' must be created in a scope")
    return True


def conditional(
    c: Compilation,
    position: Position,
    is_static: bool,
    test: Expression,
    if_true: Statement,
    if_false: Statement | None,
) -> Statement | None:
    """Return `if (test) …`; None after reporting an error."""
    condition = coerce(c, test, BOOL)
    if condition is None or _declares_without_scope(c, if_true):
        return None
    if if_false is not None and _declares_without_scope(c, if_false):
        return None
    return made_conditional(c, position, is_static, condition, if_true, if_false)


def made_conditional(
    c: Compilation,
    position: Position,
    is_static: bool,
    test: Expression,
    if_true: Statement,
    if_false: Statement | None,
) -> Statement:
    """Return `if (test) …` in the simplest form."""
    optimize = c.settings.optimize
    true_empty = optimize and is_empty(if_true)
    false_empty = optimize and (if_false is None or is_empty(if_false))
    if true_empty and false_empty:
        return made_expression_statement(c, test)
    if is_static or optimize:
        known = constant_of(c, test)
        if isinstance(known, BoolLiteral):
            if known.value:
                return _or_nop(if_true, true_empty)
            return _or_nop(if_false, false_empty)
    if optimize:
        if_true = _or_nop(if_true, true_empty)
        if_false = None if false_empty else if_false
    return IfStatement(
        is_static=is_static, test=test, if_true=if_true, if_false=if_false, position=position
    )


def _or_nop(given: Statement | None, empty: bool) -> Statement:
    if given is not None and (not empty or isinstance(given, NopStatement)):
        return given
    return NopStatement()


# -- loops -------------------------------------------------------------------------------------


def for_loop(
    c: Compilation,
    position: Position,
    positions: LoopPositions,
    initialiser: Statement | None,
    test: Expression | None,
    step: Expression | None,
    body: Statement,
    symbols: SymbolTable | None,
) -> Statement | None:
    """Return a `for` loop; None after reporting an error."""
    several = isinstance(initialiser, BlockStatement) and not is_empty(initialiser)
    if initialiser is not None and not _may_initialise(initialiser):
        c.error(initialiser.position, "invalid for loop initializer")
        return None
    if test is not None:
        test = coerce(c, test, BOOL)
        if test is None:
            return None
    if step is not None and is_incomplete(c, step):
        return None
    count = iterations(c, position, positions, initialiser, test, step, body)
    if (c.strict and count is None) or _declares_without_scope(c, body):
        return None
    if several and initialiser is not None:
        inner = made_for(c, position, None, test, step, body, None, count)
        return block(position, [initialiser, inner], BlockForm.BRACED_SCOPE, symbols)
    return made_for(c, position, initialiser, test, step, body, symbols, count)


def _may_initialise(given: Statement) -> bool:
    if is_empty(given) or isinstance(given, VariableDeclaration | ExpressionStatement):
        return True
    if not isinstance(given, BlockStatement) or is_scope(given):
        return False
    return all(isinstance(each, VariableDeclaration) for each in given.statements)


def made_for(
    c: Compilation,
    position: Position,
    initialiser: Statement | None,
    test: Expression | None,
    step: Expression | None,
    body: Statement,
    symbols: SymbolTable | None,
    count: int | None,
) -> Statement:
    """Return a `for` loop; an empty statement if it is known to do nothing.

    A loop in a disassembled program that does nothing was emptied later, and is kept.
    """
    if not c.settings.native and count is not None and (count <= 0 or is_empty(body)):
        return NopStatement()
    loop = ForStatement(
        symbols=symbols, initialiser=initialiser, test=test, next=step, body=body,
        position=position,
    )  # fmt: skip
    if count is not None:
        c.iterations[loop] = count
    return loop


def while_loop(
    c: Compilation, position: Position, test: Expression, body: Statement, symbols: SymbolTable
) -> Statement | None:
    """Return a `while` loop; None after reporting an error."""
    if c.strict:
        c.error(position, "while loops are not supported")
        return None
    return for_loop(c, position, LoopPositions(), None, test, None, body, symbols)


def do_loop(
    c: Compilation, position: Position, body: Statement, test: Expression
) -> Statement | None:
    """Return a `do` loop; None after reporting an error."""
    if c.strict:
        c.error(position, "do-while loops are not supported")
        return None
    condition = coerce(c, test, BOOL)
    if condition is None or _declares_without_scope(c, body):
        return None
    return DoStatement(body=body, test=condition, position=position)


# -- switch ------------------------------------------------------------------------------------


def switch(
    c: Compilation,
    position: Position,
    is_static: bool,
    value: Expression,
    cases: list[tuple[Expression | None, list[Statement]]],
    symbols: SymbolTable,
) -> Statement | None:
    """Return a `switch`; None after reporting an error. The value of `default` is None."""
    chosen = coerce(c, value, INT)
    if chosen is None:
        return None
    made: list[SwitchCase] = []
    for given, statements in cases:
        if given is None:
            made.append(SwitchCase(value=None, body=block(None, statements), position=position))
            continue
        label = coerce(c, given, chosen.type)
        if label is None:
            return None
        number = constant_int(c, label)
        if number is None:
            c.error(given.position, "case value must be a constant integer")
            return None
        body = block(None, statements)
        made.append(SwitchCase(value=number, body=body, position=given.position))
    if _has_duplicates(c, made):
        return None
    return made_switch(c, position, is_static, chosen, made, symbols)


def _has_duplicates(c: Compilation, cases: list[SwitchCase]) -> bool:
    seen: set[int | None] = set()
    found = False
    for each in cases:
        if each.value in seen:
            found = True
            default = each.value is None
            text = "default case" if default else f"case value '{each.value}'"
            c.error(each.position, f"duplicate {text}")
        seen.add(each.value)
    return found


def made_switch(
    c: Compilation,
    position: Position,
    is_static: bool,
    value: Expression,
    cases: list[SwitchCase],
    symbols: SymbolTable,
) -> Statement | None:
    """Return a `switch` in the simplest form; None after reporting an error."""
    if is_static or c.settings.optimize:
        number = constant_int(c, value)
        if number is not None:
            labels = [each.value for each in cases]
            wanted = number if number in labels else None
            if wanted not in labels:
                return NopStatement()
            taken = _block_of_case(cases[labels.index(wanted) :], symbols)
            if taken is not None:
                return taken
            if is_static:
                c.error(position, "static switch contains non-static conditional exit")
                return None
    return SwitchStatement(
        is_static=is_static, symbols=symbols, value=value, cases=cases, position=position
    )


def _block_of_case(cases: list[SwitchCase], symbols: SymbolTable) -> Statement | None:
    """Return the statements that run from the first of some cases on; None if unknown."""
    statements: list[Statement] = []
    for each in cases:
        if exits(each.body, conditional=True):
            return None
        if exits(each.body, conditional=False):
            statements += _without_break(each.body)
            break
        statements.append(each.body)
    return block(cases[0].position, statements, BlockForm.BRACED_SCOPE, symbols)


def _without_break(given: Statement) -> list[Statement]:
    if isinstance(given, BreakStatement):
        return []
    if isinstance(given, BlockStatement):
        inner = [kept for each in given.statements for kept in _without_break(each)]
        return [block(given.position, inner, given.form, given.symbols)]
    return [given]


def exits(
    given: Statement,
    *,
    conditional: bool,
    in_condition: bool = False,
    in_loop: bool = False,
    in_switch: bool = False,
) -> bool:
    """Return True if a case of a switch is left early, under a condition or always."""

    def inside(each: Statement | None, **places: bool) -> bool:
        now = {"in_condition": in_condition, "in_loop": in_loop, "in_switch": in_switch, **places}
        return each is not None and exits(each, conditional=conditional, **now)

    if isinstance(given, BlockStatement):
        return any(map(inside, given.statements))
    if isinstance(given, ReturnStatement):
        return conditional is in_condition
    if isinstance(given, ContinueStatement):
        return not in_loop and conditional is in_condition
    if isinstance(given, BreakStatement):
        return not in_loop and not in_switch and conditional is in_condition
    if isinstance(given, IfStatement):
        both = (given.if_true, given.if_false)
        return any(inside(each, in_condition=True) for each in both)
    if isinstance(given, ForStatement):
        parts = (given.initialiser, given.body)
        return any(inside(each, in_condition=True, in_loop=True) for each in parts)
    if isinstance(given, DoStatement):
        return inside(given.body, in_condition=True, in_loop=True)
    if isinstance(given, SwitchStatement):
        return any(inside(each.body, in_switch=True) for each in given.cases)
    return False
