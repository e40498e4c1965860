"""The components of each source that an instruction reads, after the swizzle.

    mov r0.xy, v0       x y: those of the mask          dp3 r0, v0, v1      x y z
    rcp r0, v0.w        one: the first after the swizzle, w
    texld r0, t0, s0    as many as the texture has coordinates, and w where it divides, biases or
                        chooses a level

Source: the pages of the assembly language.
"""

from collections.abc import Mapping

from ...model import Dimension
from .instruction import Instruction, Operand
from .tables.tokens import SourceModifier, SourceParameter

__all__ = ["components_read"]

COMPONENTS = "xyzw"
COORDINATES = {Dimension.D2: "xy", Dimension.CUBE: "xyz", Dimension.D3: "xyz"}
SCALAR = frozenset({"rcp", "rsq", "exp", "log", "pow", "sincos", "if", "ifc", "breakc"})
FIXED: Mapping[str, tuple[str, ...]] = {
    "dp3": ("xyz", "xyz"), "dp4": ("xyzw", "xyzw"), "dp2add": ("xy", "xy", "x"),
    "m4x4": ("xyzw", "xyzw"), "m4x3": ("xyzw", "xyzw"), "m3x4": ("xyz", "xyz"),
    "m3x3": ("xyz", "xyz"), "m3x2": ("xyz", "xyz"), "crs": ("xyz", "xyz"), "lit": ("xyw",),
    "dst": ("yz", "yw"),
}  # fmt: skip
WITH_W = frozenset({"texldp", "texldb", "texldl"})


def components_read(
    instruction: Instruction, shapes: Mapping[int, Dimension | None]
) -> dict[int, str]:
    """Return the components that are read of each source, by the position of its token.

    Args:
        instruction: The instruction.
        shapes: The textures of the declared samplers, by number; None where it is not known.
    """
    op = instruction.op
    found: dict[int, str] = {}
    if op is None:
        return found
    destination = instruction.destination
    mask = COMPONENTS if destination is None else destination.components
    sources = instruction.sources
    for number, each in enumerate(sources):
        wanted = _wanted(instruction, op.name, number, mask, shapes)
        found[each.at] = _swizzled(each, wanted)
    predicate = instruction.predicate
    if predicate is not None:
        found[predicate.at] = _swizzled(predicate, mask)
    return found


def _wanted(
    instruction: Instruction, name: str, number: int, mask: str,
    shapes: Mapping[int, Dimension | None],
) -> str:  # fmt: skip
    """Return the components that are read of a source, before its swizzle."""
    if name in FIXED and number < len(FIXED[name]):
        return FIXED[name][number]
    if name in SCALAR:
        return "x"
    if name == "nrm":
        return "".join(c for c in COMPONENTS if c in "xyz" or c in mask)
    if name in ("expp", "logp"):
        return "w" if instruction.version.major == 1 else "x"
    if name in ("tex", "texldd", "texldl"):
        if number == 1:
            return COMPONENTS
        sources = instruction.sources
        at = sources[1].token.number if len(sources) > 1 else -1
        kind = shapes.get(at)
        found = "xy" if kind is None else COORDINATES.get(kind, "xyz")
        token = instruction.sources[number].token
        assert isinstance(token, SourceParameter)
        if token.modifier == SourceModifier.DZ and "z" not in found:
            found += "z"
        if instruction.name in WITH_W or token.modifier == SourceModifier.DW:
            found += "w"
        return found if name != "texldd" or number == 0 else found.replace("w", "")
    return mask


def _swizzled(operand: Operand, wanted: str) -> str:
    token = operand.token
    assert isinstance(token, SourceParameter)
    taken = {COMPONENTS[token.swizzle >> 2 * COMPONENTS.index(each) & 3] for each in wanted}
    return "".join(each for each in COMPONENTS if each in taken)
