"""Expressions: literals, variables and their parts, conversions, choices.

`?:`, `&&` and `||` evaluate an operand that may not be needed if its evaluation has no effects and
no calls; otherwise they branch.
"""

from collections.abc import Callable, Sequence

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.types import Type
from ..assembler.settings import CAPABILITIES
from ..tables.enumerations import SwizzleComponent
from ..tree import (
    BoolLiteral,
    ConstructorExpression,
    DataType,
    Expression,
    FieldAccess,
    FloatLiteral,
    IndexExpression,
    IntLiteral,
    SettingReference,
    StructDataType,
    SwizzleExpression,
    TernaryExpression,
    VariableReference,
)
from .matrices import resized
from .scalars import convert
from .state import LoweringState
from .storage import KnownValues, VariablePlace
from .types import is_unsigned, member_offset, scalar_of, scalars_of
from .usage import is_cheap, root_of

__all__ = [
    "chosen",
    "compound",
    "converted",
    "diagonal",
    "literal",
    "part",
    "place_of",
    "resize",
    "setting",
    "splat",
    "swizzle",
    "ternary",
    "truth",
]


def literal(state: LoweringState, node: FloatLiteral | IntLiteral) -> list[Value]:
    """Lower a number."""
    return [state.b.number(node.value, scalar_of(node.type))]


def truth(state: LoweringState, node: BoolLiteral) -> list[Value]:
    """Lower `true` or `false`."""
    return [state.b.bool(node.value)]


def setting(state: LoweringState, node: SettingReference) -> list[Value]:
    """Lower a property of the device, with its value on the device that source is compiled for."""
    value = CAPABILITIES.get(node.name)
    if value is None:
        raise UnsupportedError(f"sk_Caps.{node.name}: the property is not known")
    return [state.b.bool(value)]


# -- places ------------------------------------------------------------------------------------


def place_of(state: LoweringState, node: Expression) -> VariablePlace:
    """Return the place that an expression names; indices in it are lowered once."""
    if isinstance(node, VariableReference):
        storage = state.storage(node.variable)
        return VariablePlace(storage, range(len(scalars_of(node.type))))
    if isinstance(node, FieldAccess | IndexExpression):
        return _part_of(state, node, place_of(state, node.base))
    if isinstance(node, SwizzleExpression):
        return place_of(state, node.base).part([_component(each) for each in node.components])
    raise UnsupportedError(f"expected a variable or a part of one, got {type(node).__name__}")


def _component(each: SwizzleComponent) -> int:
    if each > SwizzleComponent.W:
        raise UnsupportedError(f"the component {each.letter} of a variable cannot be run")
    return int(each)


def part(
    state: LoweringState, node: VariableReference | FieldAccess | IndexExpression
) -> list[Value]:
    """Lower the value of a variable, a member or an element."""
    if root_of(node) is not None:
        return place_of(state, node).read(state.b)
    base = node.base if not isinstance(node, VariableReference) else node
    values = state.values(base)
    whole = VariablePlace(KnownValues(values), range(len(values)))
    return _part_of(state, node, whole).read(state.b)


def _part_of(state: LoweringState, node: Expression, whole: VariablePlace) -> VariablePlace:
    """Return a member or an element of a value."""
    if isinstance(node, FieldAccess):
        base = node.base.type.resolved
        if not isinstance(base, StructDataType) or node.index >= len(base.members):
            raise UnsupportedError(f"no member {node.index} of {base.name}")
        start = member_offset(base, node.index)
        size = len(scalars_of(base.members[node.index].type))
        return whole.part(range(start, start + size))
    assert isinstance(node, IndexExpression)
    count = max(node.base.type.resolved.columns, 1)
    if isinstance(node.index, IntLiteral):
        size = len(whole.scalars) // count
        start = size * min(max(node.index.value, 0), count - 1)
        return whole.part(range(start, start + size))
    return whole.element(state.b, state.value(node.index), count)


def swizzle(state: LoweringState, node: SwizzleExpression) -> list[Value]:
    """Lower components of a vector or scalar; only these components of a variable are read."""
    b = state.b
    constants = {SwizzleComponent.ZERO: 0, SwizzleComponent.ONE: 1}
    if root_of(node) is not None and not constants.keys() & set(node.components):
        return place_of(state, node).read(b)
    values = state.values(node.base)
    type = scalar_of(node.base.type)
    return [
        b.number(constants[each], type) if each in constants else values[_component(each)]
        for each in node.components
    ]


# -- constructors ------------------------------------------------------------------------------


def compound(state: LoweringState, node: ConstructorExpression) -> list[Value]:
    """Lower a value from its parts: a vector, a matrix, an array or a struct."""
    values = [value for each in node.arguments for value in state.values(each)]
    return _fitting(node.type, values)


def _fitting(type_: DataType, values: list[Value]) -> list[Value]:
    types = scalars_of(type_)
    if [each.type for each in values] != types:
        raise UnsupportedError(
            f"expected {len(types)} components for {type_.name}, got {len(values)}"
        )
    return values


def converted(state: LoweringState, node: ConstructorExpression) -> list[Value]:
    """Lower a conversion of a scalar, vector, matrix or array."""
    (given,) = node.arguments
    values = state.values(given)
    to, was = _innermost(node.type), _innermost(given.type)
    type: Type = scalar_of(to)
    found = [convert(state.b, each, type, is_unsigned(to), is_unsigned(was)) for each in values]
    return _fitting(node.type, found)


def _innermost(type_: DataType) -> DataType:
    """Return the type of an array's innermost elements; any other type is returned unchanged."""
    type_ = type_.resolved
    return type_.component.resolved if type_.kind == "array" else type_


def splat(state: LoweringState, node: ConstructorExpression) -> list[Value]:
    """Lower a scalar in all components."""
    return _fitting(node.type, [state.value(node.arguments[0])] * len(scalars_of(node.type)))


def diagonal(state: LoweringState, node: ConstructorExpression) -> list[Value]:
    """Lower a scalar on the diagonal of a matrix."""
    value = state.value(node.arguments[0])
    type_ = node.type.resolved
    found = [
        value if column == row else state.b.f32(0.0)
        for column in range(type_.columns)
        for row in range(type_.rows)
    ]
    return _fitting(type_, found)


def resize(state: LoweringState, node: ConstructorExpression) -> list[Value]:
    """Lower a matrix of another size."""
    (given,) = node.arguments
    found = resized(state.b, state.values(given), given.type, node.type)
    return _fitting(node.type, found)


# -- choices -----------------------------------------------------------------------------------


def chosen(
    state: LoweringState,
    condition: Value,
    if_true: Callable[[], Sequence[Value]],
    if_false: Callable[[], Sequence[Value]],
    types: Sequence[Type],
) -> list[Value]:
    """Append a branch; only one side is evaluated."""
    b = state.b
    results = [b.var(state.calls.variables.unique("chosen"), each, internal=True) for each in types]
    with b.when(condition, branch=True) as branch:
        for var, value in zip(results, if_true(), strict=True):
            b.set(var, value)
    with b.within(branch.otherwise):
        for var, value in zip(results, if_false(), strict=True):
            b.set(var, value)
    return [b.get(each) for each in results]


def ternary(state: LoweringState, node: TernaryExpression) -> list[Value]:
    """Lower `test ? if_true : if_false`."""
    b = state.b
    test = state.value(node.test)
    if is_cheap(node.if_true) and is_cheap(node.if_false):
        pairs = zip(state.values(node.if_true), state.values(node.if_false), strict=True)
        return [b.select(test, one, other) for one, other in pairs]
    return chosen(
        state, test, lambda: state.values(node.if_true), lambda: state.values(node.if_false),
        scalars_of(node.type),
    )  # fmt: skip
