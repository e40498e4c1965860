"""Rules for single nodes: expressions, statements and elements."""

from collections.abc import Callable
from typing import Any

from ....rule import Findings
from ..tables.operators import Operator
from ..tree import (
    BOOL,
    INVALID,
    ArrayDataType,
    BinaryExpression,
    ConstructorArray,
    ConstructorArrayCast,
    ConstructorCompound,
    ConstructorCompoundCast,
    ConstructorDiagonalMatrix,
    ConstructorExpression,
    ConstructorMatrixResize,
    ConstructorScalarCast,
    ConstructorSplat,
    ConstructorStruct,
    DataType,
    DiscardStatement,
    DoStatement,
    Expression,
    FieldAccess,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    IfStatement,
    IndexExpression,
    NamedSymbol,
    OverloadSet,
    PrefixExpression,
    ReturnStatement,
    StructDataType,
    SwizzleExpression,
    TernaryExpression,
    TreeNode,
    VariableDeclaration,
    VariableReference,
    conversion_cost,
    final_types,
    same_type,
    walk,
)

__all__ = ["check_node"]


def check_node(node: TreeNode, path: str, findings: Findings, may_discard: bool) -> None:
    """Add the violations of one node of a program that may, or may not, discard."""
    check = CHECKS.get(type(node))
    if check is not None:
        check(node, path, findings)
    elif isinstance(node, ConstructorExpression):
        _constructor(node, path, findings)
    if isinstance(node, DiscardStatement) and not may_discard:
        findings.add("sksl.discard", path=path)


def _known(type_: DataType) -> bool:
    return type_.resolved is not INVALID and type_.resolved.name != ""


def _condition(test: Expression | None, path: str, findings: Findings) -> None:
    if test is not None and _known(test.type) and test.type.resolved is not BOOL:
        findings.add("sksl.condition", f"expected a bool, got {test.type.name}", f"{path}.test")


def _call(node: FunctionCall, path: str, findings: Findings) -> None:
    function = node.function
    if isinstance(function, NamedSymbol):
        findings.add("sksl.name", f"no module has a function {function.name!r:.60}", path)
    elif isinstance(function, OverloadSet):
        types = ", ".join(each.type.name for each in node.arguments)
        findings.add("sksl.overload", f"no {function.name} for ({types:.80})", path)
    elif isinstance(function, FunctionDeclaration):
        given = [each.type for each in node.arguments]
        if len(given) != len(function.parameters):
            wanted = len(function.parameters)
            message = f"{function.name}: expected {wanted} arguments, got {len(given)}"
            findings.add("sksl.call", message, path)
            return
        final = final_types(function, given)
        types_ = [each.type for each in function.parameters] if final is None else final[0]
        for index, (argument, wanted_type) in enumerate(zip(given, types_, strict=True)):
            if _known(argument) and conversion_cost(argument, wanted_type) is None:
                message = f"expected {wanted_type.name}, got {argument.name}"
                findings.add("sksl.call", message, f"{path}.arguments[{index}]")


def _typed(node: Expression, path: str, findings: Findings) -> None:
    """Check an expression whose type follows from its operands."""
    operands = [each.type for each in _operands(node)]
    if node.type is INVALID and all(map(_known, operands)):
        given = ", ".join(each.name for each in operands)
        findings.add("sksl.operands", f"the operands have the types {given:.80}", path)


def _operands(node: Expression) -> list[Expression]:
    if isinstance(node, BinaryExpression):
        return [node.left, node.right]
    return [node.base, node.index] if isinstance(node, IndexExpression) else []


def _binary(node: BinaryExpression, path: str, findings: Findings) -> None:
    _typed(node, path, findings)
    left, right = node.left.type, node.right.type
    assigns = node.operator is Operator.EQ and _known(left) and _known(right)
    if assigns and conversion_cost(right, left) is None:
        types = f"{left.name} and {right.name}"
        findings.add("sksl.operands", f"the operands have the types {types}", path)


def _prefix(node: PrefixExpression, path: str, findings: Findings) -> None:
    is_bool = node.operand.type.resolved is BOOL
    if _known(node.operand.type) and is_bool != (node.operator is Operator.LOGICAL_NOT):
        type_ = node.operand.type.name
        findings.add("sksl.operands", f"{node.operator.spelling} of a {type_}", path)


def _ternary(node: TernaryExpression, path: str, findings: Findings) -> None:
    _condition(node.test, path, findings)
    types = node.if_true.type, node.if_false.type
    if all(map(_known, types)) and conversion_cost(types[1], types[0]) is None:
        names = f"{types[0].name} and {types[1].name}"
        findings.add("sksl.operands", f"the values have the types {names}", path)


def _swizzle(node: SwizzleExpression, path: str, findings: Findings) -> None:
    base = node.base.type.resolved
    if not _known(base):
        return
    if not base.is_vector and not base.is_scalar:
        findings.add("sksl.operands", f"components of a {base.name}", path)
    elif not 1 <= len(node.components) <= 4:
        message = f"expected 1 to 4 components, got {len(node.components)}"
        findings.add("sksl.field", message, path)
    elif any(each >= base.columns for each in node.components):
        letters = "".join(each.letter for each in node.components)
        findings.add("sksl.field", f"a {base.name} has no components {letters}", path)


def _field(node: FieldAccess, path: str, findings: Findings) -> None:
    base = node.base.type.resolved
    if isinstance(base, StructDataType):
        if node.index >= len(base.members):
            findings.add("sksl.field", f"{base.name} has no member {node.index}", path)
    elif _known(base):
        findings.add("sksl.operands", f"a member of a {base.name}", path)


def _reference(node: VariableReference, path: str, findings: Findings) -> None:
    if isinstance(node.variable, NamedSymbol):
        name = node.variable.name
        findings.add("sksl.name", f"no module has a variable {name!r:.60}", path)


ONE = (
    ConstructorArrayCast,
    ConstructorCompoundCast,
    ConstructorDiagonalMatrix,
    ConstructorMatrixResize,
    ConstructorScalarCast,
    ConstructorSplat,
)


def _constructor(node: ConstructorExpression, path: str, findings: Findings) -> None:
    type_, count = node.type.resolved, len(node.arguments)
    if not _known(type_):
        return
    if isinstance(node, ONE):
        expected = 1
    elif isinstance(type_, StructDataType) and isinstance(node, ConstructorStruct):
        expected = len(type_.members)
    elif isinstance(type_, ArrayDataType) and isinstance(node, ConstructorArray):
        expected = type_.columns
    elif isinstance(node, ConstructorCompound) and (type_.is_vector or type_.is_matrix):
        if not all(_known(each.type) for each in node.arguments):
            return
        count, expected = sum(each.type.slots for each in node.arguments), type_.slots
    else:
        findings.add("sksl.constructor", f"{type_.name} cannot be made in this way", path)
        return
    if count != expected:
        message = f"{type_.name}: expected {expected} values, got {count}"
        findings.add("sksl.constructor", message, path)


def _function(node: FunctionDefinition, path: str, findings: Findings) -> None:
    wanted = node.declaration.returns
    if not _known(wanted):
        return
    for each in walk(node.body):
        if isinstance(each, ReturnStatement):
            given = each.value.type if each.value is not None else None
            name = "nothing" if given is None else given.name
            fits = wanted.name == "void" if given is None else same_type(given, wanted)
            if not fits and (given is None or _known(given)):
                function = node.declaration.name
                message = f"{function}: expected {wanted.name}, got {name}"
                findings.add("sksl.return", message, f"{path}.body")


def _declaration(node: VariableDeclaration, path: str, findings: Findings) -> None:
    declared, size = node.variable.type.resolved, 0
    if isinstance(declared, ArrayDataType):
        declared, size = declared.component, max(declared.columns, 0)
    if not same_type(declared, node.base) or size != node.array_size:
        given = f"{node.base.name}[{node.array_size}]" if node.array_size else node.base.name
        message = f"expected {node.variable.type.name}, got {given}"
        findings.add("sksl.declaration", message, path)
    if node.value is None:
        return
    value, wanted = node.value.type, node.variable.type
    if _known(value) and _known(wanted) and conversion_cost(value, wanted) is None:
        message = f"expected a {wanted.name}, got a {value.name}"
        findings.add("sksl.declaration", message, f"{path}.value")


def _tested(node: IfStatement | ForStatement | DoStatement, path: str, findings: Findings) -> None:
    _condition(node.test, path, findings)


CHECKS: dict[type[TreeNode], Callable[[Any, str, Findings], None]] = {
    FunctionCall: _call,
    BinaryExpression: _binary,
    PrefixExpression: _prefix,
    TernaryExpression: _ternary,
    IndexExpression: _typed,
    SwizzleExpression: _swizzle,
    FieldAccess: _field,
    VariableReference: _reference,
    FunctionDefinition: _function,
    VariableDeclaration: _declaration,
    IfStatement: _tested,
    ForStatement: _tested,
    DoStatement: _tested,
}
