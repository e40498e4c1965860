"""Swizzles: `color.bgra`, `x.xxx`, `coords.xy01`.

A swizzle with constants is a constructor with another swizzle: `v.x1w0` is
`type4(v.xw, 1, 0).xzyw`.

Source: SkSLSwizzle.cpp of Skia's milestone 104.
"""

from ..tables.enumerations import SwizzleComponent
from ..tree import (
    ConstructorCompound,
    ConstructorCompoundCast,
    ConstructorSplat,
    Expression,
    SwizzleExpression,
)
from .aggregates import coerce, compound_cast, compound_of, scalar_cast, splat
from .compilation import Compilation
from .messages import Position, span
from .type_rules import of_component, plain, sized
from .unfinished import poison
from .values import constant_of, has_effects, is_trivial, literal, moved

__all__ = ["select", "swizzle"]

LETTERS = {each.letter: each for each in SwizzleComponent}
DOMAINS = ("xyzw", "rgba", "stpq", "LTRB")  # letters that may be used together
CONSTANTS = {"0": 0, "1": 1}
MOST = 4


def swizzle(
    c: Compilation, position: Position, mask_position: Position, base: Expression, mask: str
) -> Expression:
    """Return components of a vector or scalar; poison after reporting an error."""
    start = mask_position[0] if mask_position else 0
    for at, letter in enumerate(mask):
        if at >= MOST:
            c.error(_rest(mask_position, position), "too many components in swizzle mask")
            return poison(position)
        if letter not in LETTERS:
            c.error(span(start + at, start + at + 1), f"invalid swizzle component '{letter}'")
            return poison(position)
    return _checked(c, position, mask_position, base, mask) or poison(position)


def _rest(mask_position: Position, position: Position) -> Position:
    return position if mask_position is None else span(mask_position[0] + MOST, mask_position[1])


def _checked(
    c: Compilation, position: Position, mask_position: Position, base: Expression, mask: str
) -> Expression | None:
    used = [letter for letter in mask if letter not in CONSTANTS]
    if not any(all(letter in domain for letter in used) for domain in DOMAINS):
        c.error(mask_position, f"invalid swizzle mask '{mask}'")
        return None
    type_ = plain(base.type)
    chosen: list[int] = []
    for at, letter in enumerate(mask):
        if letter in CONSTANTS:
            continue
        number = next(domain.index(letter) for domain in DOMAINS if letter in domain)
        if number >= type_.columns:
            start = mask_position[0] + at if mask_position else 0
            c.error(span(start, start + 1), f"invalid swizzle component '{letter}'")
            return None
        chosen.append(number)
    if not chosen:
        c.error(mask_position, "swizzle must refer to base expression")
        return None
    value = coerce(c, base, type_)
    if value is None:
        return None
    packed = select(c, position, value, chosen)
    if len(chosen) == len(mask):
        return packed
    return _with_constants(c, position, packed, mask, len(chosen))


def _with_constants(
    c: Compilation, position: Position, packed: Expression, mask: str, count: int
) -> Expression:
    """Return the components of a mask with constants; `packed` holds the other components."""
    scalar = of_component(packed.type)
    arguments = [packed]
    places: dict[str, int] = {}
    order: list[int] = []
    taken = 0
    for letter in mask:
        if letter not in CONSTANTS:
            order.append(taken)
            taken += 1
            continue
        if letter not in places:
            places[letter] = count + len(places)
            arguments.append(literal(CONSTANTS[letter], scalar, position))
        order.append(places[letter])
    whole = compound_of(c, position, sized(scalar, count + len(places)), arguments)
    return select(c, position, whole, order)


def select(
    c: Compilation, position: Position, base: Expression, components: list[int]
) -> Expression:
    """Return components of a vector or scalar, in the simplest form."""
    type_ = base.type.resolved
    if type_.is_scalar:
        return splat(c, position, sized(base.type, len(components)), base)
    if components == list(range(type_.columns)):
        return moved(base, position)
    if isinstance(base, SwizzleExpression):
        return select(c, position, base.base, [base.components[each] for each in components])
    value = constant_of(c, base)
    scalar = of_component(value.type)
    if isinstance(value, ConstructorSplat):
        return splat(c, position, sized(scalar, len(components)), value.arguments[0])
    if isinstance(value, ConstructorCompoundCast):
        inner = select(c, position, value.arguments[0], components)
        cast = compound_cast if len(components) > 1 else scalar_cast
        return cast(c, position, sized(scalar, len(components)), inner)
    if isinstance(value, ConstructorCompound):
        simpler = _of_constructor(c, position, value, components)
        if simpler is not None:
            return simpler
    return SwizzleExpression(
        base=base, components=[SwizzleComponent(each) for each in components], position=position
    )


def _of_constructor(
    c: Compilation, position: Position, base: ConstructorCompound, components: list[int]
) -> Expression | None:
    """Return components of a constructor as a constructor of fewer arguments.

    None if the result would repeat a costly argument, or drop an argument with an effect.
    """
    places: list[tuple[int, int]] = []  # argument and its component, for each of the vector
    for at, each in enumerate(base.arguments):
        if not each.type.is_scalar and not each.type.is_vector:
            return None
        places += [(at, component) for component in range(c.types.slots(each.type))]
    uses = [0] * len(base.arguments)
    for component in components:
        uses[places[component][0]] += 1
    for count, each in zip(uses, base.arguments, strict=True):
        if count > 1 and not is_trivial(c, each):
            return None
        if count != 1 and has_effects(each):
            return None
    groups: list[tuple[int, list[int]]] = []
    for component in components:
        at, inner = places[component]
        if base.arguments[at].type.is_scalar:
            groups.append((at, []))
        elif groups and groups[-1][0] == at:
            groups[-1][1].append(inner)
        else:
            groups.append((at, [inner]))
    arguments = [
        select(c, position, base.arguments[at], inner) if inner else base.arguments[at]
        for at, inner in groups
    ]
    return compound_of(c, position, sized(of_component(base.type), len(components)), arguments)
