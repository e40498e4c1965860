"""Calls: functions of the program, which are inlined; builtin functions; children.

f(a, b)      the body, in a block that `return` leaves
             a parameter that is never assigned is the argument itself
             `out` and `inout`: a variable of the call, copied back after it
c.eval(p)    a child: a program that is bound, inlined, or a picture (ir/children.py)
"""

from collections.abc import Sequence

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.locations import SourceLocation
from ....ir.textures import Action, Sample
from ....ir.types import F32
from ..tables.enumerations import ModifierFlag
from ..tree import (
    ChildCall,
    Expression,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    VariableReference,
    VariableSymbol,
)
from .builtins import CallArguments, call_builtin
from .colors import from_linear, to_linear
from .expressions import place_of
from .state import LoweringState
from .storage import KnownValues, Storage, VariablePlace
from .types import scalars_of

__all__ = ["call", "call_child", "enter"]


def call(state: LoweringState, node: FunctionCall) -> list[Value]:
    """Lower a call of a function."""
    function = node.function
    definition = _definition(state, node)
    if definition is not None:
        return _inlined(state, definition, node.arguments)
    name = function.name
    if isinstance(function, FunctionDeclaration) and not function.builtin:
        raise UnsupportedError(f"the function {name} is declared without body")
    if name == "$eval" and node.arguments:
        *arguments, child = node.arguments
        variable = child.variable if isinstance(child, VariableReference) else None
        return _evaluated(state, variable, arguments)
    if name in ("toLinearSrgb", "fromLinearSrgb"):
        (colour,) = (state.values(each) for each in node.arguments)
        if state.color_space is None:
            return colour
        transfer = to_linear if name == "toLinearSrgb" else from_linear
        return [transfer(state.b, each) for each in colour]
    if name == "modf":
        return _modf(state, node.arguments)
    values = [state.values(each) for each in node.arguments]
    types = [each.type for each in node.arguments]
    return call_builtin(state.b, name, CallArguments(values, types, len(scalars_of(node.type))))


def _definition(state: LoweringState, node: FunctionCall) -> FunctionDefinition | None:
    """Return the definition of a function of the program."""
    function = node.function
    return state.functions.get(function) if isinstance(function, FunctionDeclaration) else None


def _modf(state: LoweringState, arguments: Sequence[Expression]) -> list[Value]:
    """Lower modf: the integral part is stored in the second argument."""
    b = state.b
    number, whole = arguments
    values = state.values(number)
    place = place_of(state, whole)
    parts = [b.ftrunc(each) for each in values]
    place.write(b, parts)
    return [b.fsub(x, y) for x, y in zip(values, parts, strict=True)]


# -- functions of the program ------------------------------------------------------------------


def _inlined(
    state: LoweringState, definition: FunctionDefinition, arguments: Sequence[Expression]
) -> list[Value]:
    """Append the body of a function in place of a call."""
    declared = definition.declaration
    if len(arguments) != len(declared.parameters):
        expected = len(declared.parameters)
        raise UnsupportedError(
            f"{declared.name}: expected {expected} arguments, got {len(arguments)}"
        )
    given: list[list[Value]] = []
    places: list[VariablePlace | None] = []
    for parameter, argument in zip(declared.parameters, arguments, strict=True):
        is_out = parameter.modifiers.has(ModifierFlag.OUT)
        place = place_of(state, argument) if is_out else None
        places.append(place)
        given.append(state.values(argument) if place is None else place.read(state.b))
    line = state.b.line
    results, after = enter(state, definition, [KnownValues(each) for each in given])
    state.b.line = line
    for place, values in zip(places, after, strict=True):
        if place is not None:
            place.write(state.b, values)
    return results


def enter(
    state: LoweringState, definition: FunctionDefinition, given: Sequence[Storage]
) -> tuple[list[Value], list[list[Value]]]:
    """Append a function's body; return its result, and the parameters after it."""
    b = state.b
    declared = definition.declaration
    types = scalars_of(declared.returns)
    loops, state.loops = state.loops, []
    with state.calls.enter(declared.name, *types, key=declared) as frame:
        if len(state.calls.frames) == 1:  # main: nothing calls it
            b.location = SourceLocation(function=declared.name)
        for parameter, argument in zip(declared.parameters, given, strict=True):
            _bind(state, parameter, argument)
        state.run(definition.body)
    state.loops = loops
    after = [
        VariablePlace(state.storages[each], range(len(scalars_of(each.type)))).read(b)
        if each.modifiers.has(ModifierFlag.OUT)
        else []
        for each in declared.parameters
    ]
    return [b.get(each) for each in frame.results], after


def _bind(state: LoweringState, parameter: VariableSymbol, argument: Storage) -> None:
    changes = parameter in state.usage.assigned or parameter in state.usage.indexed
    if not changes and not parameter.modifiers.has(ModifierFlag.OUT):
        state.storages[parameter] = argument
        return
    storage = state.declare(parameter)
    for at in range(len(scalars_of(parameter.type))):
        storage.write(state.b, at, argument.read(state.b, at))


# -- children ----------------------------------------------------------------------------------


def call_child(state: LoweringState, node: ChildCall) -> list[Value]:
    """Lower a call of a child."""
    return _evaluated(state, node.child, node.arguments)


def _evaluated(
    state: LoweringState, variable: object, arguments: Sequence[Expression]
) -> list[Value]:
    child = state.children.get(variable) if isinstance(variable, VariableSymbol) else None
    if child is None:
        raise UnsupportedError(f"{getattr(variable, 'name', 'a value'):.60} is no child to call")
    values = [value for each in arguments for value in state.values(each)]
    b = state.b
    colour = b.sample(*values, attr=Sample(Action.EVALUATE, *child))
    return [b.part(colour, type=F32, attr=at) for at in range(4)]
