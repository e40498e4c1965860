"""Declarations of variables, parameters and members.

Source: SkSLVarDeclarations.cpp, SkSLVariable.cpp and SkSLModifiers.cpp of Skia's milestone 104.
"""

from ..tables.enumerations import LayoutFlag, ModifierFlag, VariableStorage
from ..tree import (
    ArrayDataType,
    DataType,
    Expression,
    Modifiers,
    NopStatement,
    Statement,
    StructDataType,
    TypeKind,
    VariableDeclaration,
    VariableSymbol,
)
from ..tree.types import UNSIZED
from .aggregates import coerce
from .compilation import Compilation
from .messages import Position
from .type_rules import (
    display,
    is_boolean,
    is_child,
    is_float,
    is_invalid,
    is_opaque,
    is_signed,
    is_void,
    of_component,
)
from .values import is_constant_expression

__all__ = ["check_modifiers", "check_variable", "declare", "new_variable"]

F = ModifierFlag
FRAGMENT_COLOR = "sk_FragColor"

# In the order in which messages name them.
MODIFIER_NAMES = {
    F.CONST: "const", F.IN: "in", F.OUT: "out", F.UNIFORM: "uniform", F.FLAT: "flat",
    F.NOPERSPECTIVE: "noperspective", F.HAS_SIDE_EFFECTS: "sk_has_side_effects",
    F.INLINE: "inline", F.NOINLINE: "noinline", F.HIGHP: "highp", F.MEDIUMP: "mediump",
    F.LOWP: "lowp", F.ES3: "$es3",
}  # fmt: skip
PRECISIONS = F.HIGHP | F.MEDIUMP | F.LOWP
OF_LOCALS = F.CONST | PRECISIONS
OF_GLOBALS = OF_LOCALS | F.IN | F.OUT | F.UNIFORM | F.FLAT | F.NOPERSPECTIVE
WIDE = 32  # bits of an integer that may be uniform
ANY_LAYOUT = ~0


def check_modifiers(
    c: Compilation, position: Position, modifiers: Modifiers, allowed: int, allowed_layout: int
) -> None:
    """Report modifiers and qualifiers of a layout that are not allowed here."""
    for flag, name in MODIFIER_NAMES.items():
        if modifiers.flags & flag and not allowed & flag:
            c.error(position, f"'{name}' is not permitted here")
    for each in LayoutFlag:
        if modifiers.layout.flags & each and not allowed_layout & each:
            name = (each.name or "").lower()
            c.error(position, f"layout qualifier '{name}' is not permitted here")


def check_variable(
    c: Compilation,
    position: Position,
    modifiers_position: Position,
    modifiers: Modifiers,
    type_: DataType,
    storage: VariableStorage,
) -> None:
    """Report errors in the type and modifiers of a variable; `type_` is not an array."""
    if is_invalid(type_):
        c.error(position, "invalid type")
        return
    if is_void(type_):
        c.error(position, "variables of type 'void' are not allowed")
        return
    flags, shown = modifiers.flags, display(type_)
    is_global = storage is VariableStorage.GLOBAL
    if is_opaque(of_component(type_)) and not is_global:
        c.error(position, f"variables of type '{shown}' must be global")
    if flags & F.IN and type_.is_matrix:
        c.error(position, "'in' variables may not have matrix type")
    if flags & F.IN and flags & F.UNIFORM:
        c.error(position, "'in uniform' variables not permitted")
    if flags & F.UNIFORM:
        _check_uniform(c, position, type_)
    if c.settings.is_effect and flags & F.IN:
        c.error(position, "'in' variables not permitted in runtime effects")
    if is_child(type_) and not flags & F.UNIFORM:
        c.error(position, f"variables of type '{shown}' must be uniform")
    if is_child(type_) and c.settings.is_mesh:
        c.error(position, "effects are not permitted in custom mesh shaders")
    if modifiers.layout.flags & LayoutFlag.COLOR:
        _check_color(c, position, flags, type_)
    allowed_layout = ANY_LAYOUT
    binds = type_.resolved.kind in (TypeKind.SAMPLER, TypeKind.OTHER)
    found = type_.resolved
    binds = binds or (isinstance(found, StructDataType) and found.interface_block)
    if not is_global or (flags & F.UNIFORM and not binds):
        allowed_layout &= ~(LayoutFlag.BINDING | LayoutFlag.SET)
    check_modifiers(
        c, modifiers_position, modifiers, OF_GLOBALS if is_global else OF_LOCALS, allowed_layout
    )


def _check_uniform(
    c: Compilation, position: Position, type_: DataType, outermost: bool = True
) -> bool:
    found, component = type_.resolved, of_component(type_)
    if c.settings.is_effect:
        small = found.is_scalar or found.is_vector
        if is_child(type_) or (
            (small and is_signed(component) and component.bits == WIDE)
            or ((small or found.is_matrix) and is_float(component))
        ):
            return True
    if c.settings.is_effect or (is_boolean(component) and (found.is_scalar or found.is_vector)):
        c.error(position, f"variables of type '{display(type_)}' may not be uniform")
        return False
    for each in found.members if isinstance(found, StructDataType) else ():
        if not _check_uniform(c, each.position, each.type, outermost=False):
            if outermost:
                c.error(position, "caused by:")
            return False
    return True


def _check_color(c: Compilation, position: Position, flags: int, type_: DataType) -> None:
    if not c.settings.is_effect:
        c.error(position, "'layout(color)' is only permitted in runtime effects")
    if not flags & F.UNIFORM:
        c.error(position, "'layout(color)' is only permitted on 'uniform' variables")
    found = type_.resolved
    if not (found.is_vector and is_float(found.component) and found.columns in (3, 4)):
        shown = display(type_)
        c.error(position, f"'layout(color)' is not permitted on variables of type '{shown}'")


def new_variable(
    c: Compilation,
    position: Position,
    modifiers_position: Position,
    modifiers: Modifiers,
    type_: DataType,
    name_position: Position,
    name: str,
    storage: VariableStorage,
) -> VariableSymbol:
    """Return a variable that is not yet in a scope; report an invalid name."""
    layout = modifiers.layout
    if (
        layout.location == layout.index == 0
        and modifiers.flags & F.OUT
        and c.settings.is_fragment
        and name != FRAGMENT_COLOR
    ):
        c.error(modifiers_position, "out location=0, index=0 is reserved for sk_FragColor")
    if name.startswith("$"):
        c.error(name_position, f"name '{name}' is reserved")
    if isinstance(type_, ArrayDataType) and type_.columns == UNSIZED:
        c.error(position, "unsized arrays are not permitted here")
    return VariableSymbol(
        modifiers=modifiers, name=name, type=type_, storage=storage, position=position
    )


def declare(
    c: Compilation, variable: VariableSymbol, modifiers_position: Position, value: Expression | None
) -> Statement | None:
    """Declare a variable in the innermost scope, and return its declaration.

    None after reporting an error; an empty statement for a variable that exists already.
    """
    type_ = variable.type
    base = type_.component if isinstance(type_, ArrayDataType) else type_
    check_variable(
        c, variable.position, modifiers_position, variable.modifiers, base, variable.storage
    )
    if value is not None:
        value = _initial(c, variable, value)
        if value is None:
            return None
    if not _check_constant(c, variable, value):
        return None
    declaration = VariableDeclaration(
        variable=variable,
        base=base,
        array_size=type_.columns if isinstance(type_, ArrayDataType) else 0,
        value=value,
        position=variable.position,
    )
    is_global = variable.storage is VariableStorage.GLOBAL
    if is_global and variable.name == FRAGMENT_COLOR and c.find(variable.name) is not None:
        return NopStatement()
    c.declarations[variable] = declaration
    c.table.owned.append(variable)
    return declaration


def _initial(c: Compilation, variable: VariableSymbol, value: Expression) -> Expression | None:
    """Return the value of a variable, converted; None after reporting an error."""
    flags, problem = variable.modifiers.flags, ""
    if is_opaque(variable.type):
        shown = display(variable.type)
        problem = f"opaque type '{shown}' cannot use initializer expressions"
    elif flags & F.IN:
        problem = "'in' variables cannot use initializer expressions"
    elif flags & F.UNIFORM:
        problem = "'uniform' variables cannot use initializer expressions"
    elif variable.storage is VariableStorage.INTERFACE_BLOCK:
        problem = "initializers are not permitted on interface block fields"
    if problem:
        c.error(value.position, problem)
        return None
    return coerce(c, value, variable.type)


def _check_constant(c: Compilation, variable: VariableSymbol, value: Expression | None) -> bool:
    constant = value is not None and is_constant_expression(value)
    if variable.modifiers.flags & F.CONST:
        if value is None:
            c.error(variable.position, "'const' variables must be initialized")
            return False
        if not constant:
            c.error(value.position, "'const' variable initializer must be a constant expression")
            return False
    if variable.storage is VariableStorage.GLOBAL and value is not None and not constant:
        c.error(value.position, "global variable initializer must be a constant expression")
        return False
    return True
