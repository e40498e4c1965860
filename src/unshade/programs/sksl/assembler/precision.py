"""Precision of types: `mediump float` is half.

Source: Type::applyPrecisionQualifiers of Skia's milestone 104.
"""

from ..tables.enumerations import ModifierFlag
from ..tree import HALF, ROOT_TYPES, ArrayDataType, DataType, Modifiers, NumberKind
from .compilation import Compilation
from .messages import Position
from .type_rules import display, of_component, sized
from .unfinished import POISON

__all__ = ["with_precision"]

PRECISIONS = (ModifierFlag.HIGHP, ModifierFlag.MEDIUMP, ModifierFlag.LOWP)
ANY = ModifierFlag.HIGHP | ModifierFlag.MEDIUMP | ModifierFlag.LOWP
FULL = 32
SHORTER = {
    NumberKind.FLOAT: HALF,
    NumberKind.SIGNED: ROOT_TYPES["short"],
    NumberKind.UNSIGNED: ROOT_TYPES["ushort"],
}


def with_precision(
    c: Compilation, type_: DataType, modifiers: Modifiers, position: Position
) -> tuple[DataType, Modifiers]:
    """Return a type in the precision that modifiers request, and the other modifiers."""
    asked = [each for each in PRECISIONS if modifiers.flags & each]
    if not asked:
        return type_, modifiers
    if not c.settings.is_effect:
        c.error(position, "precision qualifiers are not allowed")
        return POISON, modifiers
    if len(asked) > 1:
        c.error(position, "only one precision qualifier can be used")
        return POISON, modifiers
    rest = Modifiers(layout=modifiers.layout, flags=modifiers.flags & ~ANY)
    component = of_component(type_)
    if component.bits >= FULL:
        if asked[0] is ModifierFlag.HIGHP:
            return type_, rest
        shorter = SHORTER.get(component.number)
        if shorter is not None:
            found = type_.resolved
            if isinstance(found, ArrayDataType):
                return c.array_of(shorter, found.columns), rest
            return sized(shorter, found.columns, found.rows), rest
    c.error(position, f"type '{display(type_)}' does not support precision qualifiers")
    return POISON, rest
