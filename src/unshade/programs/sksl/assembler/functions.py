"""Declarations of functions, and the signatures that `main` may have.

Source: SkSLFunctionDeclaration.cpp and DSLFunction.cpp of Skia's milestone 104.
"""

from ....tuples import NamedTuple
from ..tables.enumerations import Builtin, ModifierFlag, SkslProgramKind
from ..tree import (
    ABSENT,
    ArrayDataType,
    DataType,
    FunctionDeclaration,
    LayoutQualifier,
    Modifiers,
    StructDataType,
    VariableSymbol,
)
from .calls import described
from .compilation import Compilation
from .messages import Position
from .type_rules import display, is_child, is_opaque, is_void, of_component, same
from .unfinished import functions_of
from .variables import check_modifiers

__all__ = ["FunctionHeading", "declare_function"]

F = ModifierFlag
Kind = SkslProgramKind
OF_FUNCTIONS = F.HAS_SIDE_EFFECTS | F.INLINE | F.NOINLINE
OF_PARAMETERS = F.CONST | F.IN | F.OUT
INOUT = F.IN | F.OUT
COLORS = (Builtin.INPUT_COLOR, Builtin.DEST_COLOR)
COLOR_RESULT = "'main' must return: 'vec4', 'float4', or 'half4'"


class FunctionHeading(NamedTuple):
    """A function as the source declares it, before its body."""

    position: Position
    modifiers: Modifiers
    modifiers_position: Position
    returns: DataType
    name: str
    parameters: list[VariableSymbol]
    parameter_modifiers: list[Position]


def declare_function(c: Compilation, given: FunctionHeading) -> FunctionDeclaration | None:
    """Return the declaration of a function, perhaps an earlier one; None after an error."""
    flags = given.modifiers.flags | F.HAS_SIDE_EFFECTS
    if c.settings.force_no_inline:
        flags = flags & ~F.INLINE | F.NOINLINE
    modifiers = Modifiers(layout=given.modifiers.layout, flags=flags)
    given = given._replace(modifiers=modifiers)
    is_main = given.name == "main"
    known: FunctionDeclaration | None = None
    fits = (
        _check_flags(c, given)
        and _check_result(c, given)
        and _check_parameters(c, given, is_main)
        and (not is_main or _check_main(c, given))
    )
    if fits:
        fits, known = _earlier(c, given)
    if not fits:
        return None
    c.table.owned += given.parameters
    if known is not None and not known.builtin:
        return known
    made = FunctionDeclaration(
        modifiers=modifiers,
        name=given.name,
        parameters=given.parameters,
        returns=given.returns,
        position=given.position,
    )
    if known is not None and known.has_body:
        c.reserved.add(made)  # it may be declared again, but not defined
    else:
        c.name(made, c.table, own=True)
    return made


def _check_flags(c: Compilation, given: FunctionHeading) -> bool:
    position, flags = given.modifiers_position, given.modifiers.flags
    check_modifiers(c, position, given.modifiers, OF_FUNCTIONS, 0)
    if flags & F.INLINE and flags & F.NOINLINE:
        c.error(position, "functions cannot be both 'inline' and 'noinline'")
        return False
    return True


def _check_result(c: Compilation, given: FunctionHeading) -> bool:
    returns = given.returns
    problem = ""
    if isinstance(returns, ArrayDataType):
        problem = f"functions may not return type '{display(returns)}'"
    elif c.strict and c.types.facts(returns).has_array:
        problem = "functions may not return structs containing arrays"
    elif is_opaque(of_component(returns)):
        problem = f"functions may not return opaque type '{display(returns)}'"
    if problem:
        c.error(given.position, problem)
    return not problem


def _is_color(given: DataType) -> bool:
    return given.resolved.name in ("half4", "float4")


def _is_coordinates(given: DataType) -> bool:
    return given.resolved.name == "float2"


def _check_parameters(c: Compilation, given: FunctionHeading, is_main: bool) -> bool:
    """Check parameters, and mark the coordinates and colours of `main`."""
    colors = iter(COLORS)
    effect = c.settings.is_effect and not c.settings.is_mesh
    for each, position in zip(given.parameters, given.parameter_modifiers, strict=True):
        check_modifiers(c, position, each.modifiers, OF_PARAMETERS, 0)
        if is_child(each.type):
            c.error(each.position, f"parameters of type '{display(each.type)}' not allowed")
            return False
        flags = each.modifiers.flags
        if flags & INOUT == F.IN:  # the default
            flags &= ~INOUT
        meaning: int | None = None
        if is_main and _is_coordinates(each.type):
            if effect or c.settings.is_fragment:
                meaning = Builtin.MAIN_COORDS
        elif is_main and _is_color(each.type) and effect:
            meaning = next(colors, None)
        layout = each.modifiers.layout
        if meaning is not None:
            layout = _with_meaning(layout, meaning)
        each.modifiers = Modifiers(layout=layout, flags=flags)
    return True


def _with_meaning(layout: LayoutQualifier, meaning: int) -> LayoutQualifier:
    made = LayoutQualifier(**{each.name: getattr(layout, each.name) for each in layout.fields})
    made.builtin = meaning
    return made


# -- main --------------------------------------------------------------------------------------


def _meaning(given: VariableSymbol) -> int:
    layout = given.modifiers.layout
    return ABSENT if given.modifiers.flags else layout.builtin


def _is_struct(given: VariableSymbol, name: str, flags: int) -> bool:
    found = given.type.resolved
    return (
        isinstance(found, StructDataType) and found.name == name and given.modifiers.flags == flags
    )


def _check_main(c: Compilation, given: FunctionHeading) -> bool:
    problem = _problem_of_main(c.settings.kind, given.returns, given.parameters)
    if problem:
        c.error(given.position, problem)
    return not problem


def _problem_of_main(kind: Kind, returns: DataType, given: list[VariableSymbol]) -> str:
    """Return the error in the signature of `main`; empty if there is none."""
    meanings = [_meaning(each) for each in given]
    if kind is Kind.RUNTIME_COLOR_FILTER:
        if not _is_color(returns):
            return COLOR_RESULT
        fits = meanings == [Builtin.INPUT_COLOR]
        return "" if fits else "'main' parameter must be 'vec4', 'float4', or 'half4'"
    if kind in (Kind.RUNTIME_SHADER, Kind.PRIVATE_RUNTIME_SHADER):
        if not _is_color(returns):
            return COLOR_RESULT
        coordinates = [Builtin.MAIN_COORDS]
        fits = meanings in (coordinates, [*coordinates, Builtin.INPUT_COLOR])
        return "" if fits else "'main' parameters must be (float2, (vec4|float4|half4)?)"
    if kind is Kind.RUNTIME_BLENDER:
        if not _is_color(returns):
            return COLOR_RESULT
        if meanings == list(COLORS):
            return ""
        return "'main' parameters must be (vec4|float4|half4, vec4|float4|half4)"
    if kind in (Kind.MESH_VERTEX, Kind.MESH_FRAGMENT):
        return _problem_of_mesh(kind, returns, given)
    if kind in (Kind.FRAGMENT, Kind.GRAPHITE_FRAGMENT):
        fits = not given or meanings == [Builtin.MAIN_COORDS]
        return "" if fits else "shader 'main' must be main() or main(float2)"
    if kind in (Kind.VERTEX, Kind.GRAPHITE_VERTEX) and given:
        return "shader 'main' must have zero parameters"
    return ""


def _problem_of_mesh(kind: Kind, returns: DataType, given: list[VariableSymbol]) -> str:
    if kind is Kind.MESH_VERTEX:
        if not _is_coordinates(returns):
            return "'main' must return: 'vec2' or 'float2'"
        fits = (
            len(given) == 2
            and _is_struct(given[0], "Attributes", 0)
            and _is_struct(given[1], "Varyings", F.OUT)
        )
        return "" if fits else "'main' parameters must be (Attributes, out Varyings"
    if not _is_coordinates(returns) and not is_void(returns):
        return "'main' must return: 'vec2', 'float2', 'or' 'void'"
    fits = len(given) in (1, 2) and _is_struct(given[0], "Varyings", 0)
    if len(given) == 2:
        fits = fits and _is_color(given[1].type) and given[1].modifiers.flags == F.OUT
    return "" if fits else "'main' parameters must be (Varyings, (out (half4|float4))?)"


# -- earlier declarations ----------------------------------------------------------------------


def _earlier(c: Compilation, given: FunctionHeading) -> tuple[bool, FunctionDeclaration | None]:
    """Return whether a declaration fits earlier ones, and the declaration that it repeats."""
    entry = c.find(given.name)
    if entry is None:
        return True, None
    functions = functions_of(entry)
    if not functions:
        c.error(given.position, f"symbol '{given.name}' was already defined")
        return False, None
    for other in functions:
        if len(other.parameters) != len(given.parameters):
            continue
        pairs = list(zip(given.parameters, other.parameters, strict=True))
        if not all(same(one.type, two.type) for one, two in pairs):
            continue
        if not same(given.returns, other.returns):
            mine = FunctionDeclaration(
                modifiers=other.modifiers, name=given.name, parameters=given.parameters,
                returns=given.returns,
            )  # fmt: skip
            c.error(
                given.position,
                f"functions '{described(mine)}' and '{described(other)}' differ only in "
                "return type",
            )
            return False, None
        for number, (one, two) in enumerate(pairs, 1):
            if not _same_modifiers(one.modifiers, two.modifiers):
                c.error(
                    one.position,
                    f"modifiers on parameter {number} differ between declaration and definition",
                )
                return False, None
        if other in c.definitions and not other.builtin:
            c.error(given.position, f"duplicate definition of {described(other)}")
            return False, None
        return True, other
    return True, None


def _same_modifiers(one: Modifiers, other: Modifiers) -> bool:
    return one.flags == other.flags and all(
        getattr(one.layout, each.name) == getattr(other.layout, each.name)
        for each in one.layout.fields
    )
