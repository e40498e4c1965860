"""Blending: the colour of a fragment with the colour in a target.

    result = op(source * source factor, destination * destination factor)

Colours are float32, (fragments, 4), red first. Where a target is normalised, the colours that enter
are clamped to its range, and so is the result when it is stored. Vulkan clamps the factors, too:
for SNORM, 1 - (-1) is 1 there and 2 in Direct3D. A minimum or maximum takes no factors.

Sources: Direct3D 11.3 functional specification, sections 17.1 (blend state), 17.5 (precision), 17.6
(dual source) and 17.7 (logic operations); Vulkan specification, Blending and Logical Operations.
"""

from collections.abc import Callable

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from .states.blend import Blend
from .states.words import BlendOp, Factor, LogicOp

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Colours:
    """The operands of factors: the colours of the shader and of the target, and the constants."""

    source: Array
    second: Array
    destination: Array
    constants: Array


_INVERTED = {each: Factor(f"inv_{each}") for each in Factor if f"inv_{each}" in [*Factor]}
PLAIN = {inverted: each for each, inverted in _INVERTED.items()}  # factors by their inverse


def _factor(name: str, given: Colours) -> Array:
    """Return a factor, (fragments, 4) or (4,)."""
    plain = PLAIN.get(Factor(name))
    if plain is not None:
        inverse: Array = np.float32(1.0) - _factor(plain, given)
        return inverse
    match name:
        case Factor.SRC_COLOR:
            return given.source
        case Factor.SRC_ALPHA:
            return _alpha(given.source)
        case Factor.DEST_COLOR:
            return given.destination
        case Factor.DEST_ALPHA:
            return _alpha(given.destination)
        case Factor.SRC1_COLOR:
            return given.second
        case Factor.SRC1_ALPHA:
            return _alpha(given.second)
        case Factor.BLEND_FACTOR:
            return given.constants
        case Factor.ALPHA_FACTOR:
            return _alpha(given.constants)
        case Factor.SRC_ALPHA_SAT:
            least = np.minimum(given.source[:, 3], np.float32(1.0) - given.destination[:, 3])
            made = np.repeat(least[:, np.newaxis], 4, axis=1)
            made[:, 3] = 1.0
            return made
    return np.full(4, 1.0 if name == Factor.ONE else 0.0, np.float32)


def _alpha(colours: Array) -> Array:
    return np.repeat(colours[..., 3:], 4, axis=-1)


_OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    BlendOp.ADD: np.add,
    BlendOp.SUBTRACT: np.subtract,
    BlendOp.REV_SUBTRACT: lambda source, destination: destination - source,
    BlendOp.MIN: np.fmin,
    BlendOp.MAX: np.fmax,
}


def blended(
    state: Blend, given: Colours, limits: Range | None, *, clamps_factors: bool = False
) -> Array:
    """Return the colours after blending, before they are stored.

    Args:
        state: The factors and operations.
        given: The colours, whose numbers may be outside the range of the target.
        limits: The range of a normalised target; None for floats.
        clamps_factors: Whether factors are clamped to that range, as in Vulkan.
    """
    if limits is not None:
        parts = (given.source, given.second, given.destination, given.constants)
        given = Colours(*(clamped(each, limits) for each in parts))
    made = np.empty_like(given.destination)
    source, destination, source_alpha, destination_alpha = state.factors
    with np.errstate(all="ignore"):
        for channels, op, own, other in (
            (slice(0, 3), state.blend_op, source, destination),
            (slice(3, 4), state.blend_op_alpha, source_alpha, destination_alpha),
        ):
            new, old = given.source[:, channels], given.destination[:, channels]
            if op not in (BlendOp.MIN, BlendOp.MAX):
                factors = [_factor(each, given)[..., channels] for each in (own, other)]
                if limits is not None and clamps_factors:
                    factors = [clamped(each, limits) for each in factors]
                new, old = new * factors[0], old * factors[1]
            made[:, channels] = _OPERATIONS[op](new, old)
    made[np.isnan(made)] = np.nan  # whose sign would be the processor's
    return made


def clamped(colours: Array, limits: Range) -> Array:
    """Return colours in a range; NaN is 0."""
    low, high = (np.float32(each) for each in limits)
    found: Array = np.clip(np.where(np.isnan(colours), np.float32(0), colours), low, high)
    return found


_LOGIC: dict[str, Callable[[Array, Array], Array]] = {
    LogicOp.CLEAR: lambda s, d: np.zeros_like(d),
    LogicOp.SET: lambda s, d: ~np.zeros_like(d),
    LogicOp.COPY: lambda s, d: s,
    LogicOp.COPY_INVERTED: lambda s, d: ~s,
    LogicOp.NOOP: lambda s, d: d,
    LogicOp.INVERT: lambda s, d: ~d,
    LogicOp.AND: lambda s, d: s & d,
    LogicOp.NAND: lambda s, d: ~(s & d),
    LogicOp.OR: lambda s, d: s | d,
    LogicOp.NOR: lambda s, d: ~(s | d),
    LogicOp.XOR: lambda s, d: s ^ d,
    LogicOp.EQUIV: lambda s, d: ~(s ^ d),
    LogicOp.AND_REVERSE: lambda s, d: s & ~d,
    LogicOp.AND_INVERTED: lambda s, d: ~s & d,
    LogicOp.OR_REVERSE: lambda s, d: s | ~d,
    LogicOp.OR_INVERTED: lambda s, d: ~s | d,
}


def combined(operation: str, source: Array, destination: Array) -> Array:
    """Return the bits of a logic operation on arrays of unsigned integers."""
    return _LOGIC[operation](source, destination)
