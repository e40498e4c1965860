"""The outputs of a shader that depend on its inputs and on the view.

    sources by output    output 1.x: input 0.z, the view        as found
    outputs by source    input 0.z: output 1.x                  as PSV0 and dx.viewIdState have them

A mask has a bit for each component: bit 4 r + c is component c of register r.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ....tuples import NamedTuple
from ....vocab.d3d import ShaderKind
from ....vocab.slots import STREAMS
from ..calls import functions_of
from ..code import Code
from ..model.instructions import CallInst
from ..shaderinfo import DxilEntryPoint, DxilSignatureElement
from .accesses import COMPONENTS, CONTROL, INPUT, PATCH, VIEW, Accesses
from .closure import closure
from .values import Causes

__all__ = ["Dependence", "dependence_of", "vectors"]

MOST_VECTORS = COMPONENTS // 4
FIELD = (1 << COMPONENTS) - 1
Sources = Mapping[int, int]  # set of sources (accesses.py), by component of an output


class Dependence(NamedTuple):
    """Masks of dependent outputs: for the view, and for each component of an input.

    `view` and `inputs` are by stream. `patch_view` and `patch_inputs` are about the patch constants
    of a hull shader, and the primitive outputs of a mesh shader; `from_patch` holds the outputs of
    a domain shader for each component of a patch constant.
    """

    view: list[int]
    inputs: list[list[int]]
    patch_view: int
    patch_inputs: list[int]
    from_patch: list[int]


def vectors(elements: Iterable[DxilSignatureElement], stream: int = 0) -> int:
    """Return the number of registers that the elements of a stream occupy."""
    used = (each for each in elements if each.start_row >= 0 and each.stream == stream)
    return min(max((each.start_row + each.rows for each in used), default=0), MOST_VECTORS)


def dependence_of(code: Code, entry: DxilEntryPoint, kind: int) -> Dependence:
    """Return the dependences of an entry point's outputs, derived from its code.

    Raises:
        LimitError: The code takes more work than the limits allow.
    """
    if not (entry.signatures.outputs or entry.signatures.patch):
        return _by_source(entry, kind, {})
    functions = functions_of(entry)
    accesses = Accesses(entry, kind)
    written = {
        each: place
        for function in functions
        for each in function.instructions
        if isinstance(each, CallInst) and (place := accesses.written(each)) is not None
    }
    causes = Causes(functions, code.limits)
    roots = {each: causes.of_output(each, place.value) for each, place in written.items()}
    sources = closure(chain.from_iterable(roots.values()), causes, accesses.source)
    found: dict[tuple[bool, int], dict[int, int]] = {}
    joined: dict[tuple[bool, int, int], int] = {}  # sources by place
    for each, place in written.items():
        where = place.in_patch, place.stream, place.components
        for root in roots[each]:
            joined[where] = joined.get(where, 0) | sources[root]
    for (in_patch, stream, components), some in joined.items():
        by_component = found.setdefault((in_patch, stream), {})
        for component in _bits(components):
            by_component[component] = by_component.get(component, 0) | some
    return _by_source(entry, kind, found)


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _by_source(
    entry: DxilEntryPoint, kind: int, found: Mapping[tuple[bool, int], Sources]
) -> Dependence:
    """Return masks of outputs by source, from sets of sources by output."""
    control = found.get((False, 0), {})
    patch = {}
    for component, sources in found.get((True, 0), {}).items():
        patch[component] = sources
        for each in _bits(sources >> CONTROL & FIELD):  # what the control points depend on
            patch[component] |= control.get(each, 0)
    inputs, _, constants = entry.signatures
    size = 4 * vectors(inputs)
    streams = [found.get((False, stream), {}) for stream in range(STREAMS)]
    return Dependence(
        view=[_viewed(each) for each in streams],
        inputs=[_table(each, INPUT, size) for each in streams],
        patch_view=_viewed(patch),
        patch_inputs=_table(patch, INPUT, size),
        from_patch=_table(streams[0], PATCH, 4 * vectors(constants))
        if kind == ShaderKind.DOMAIN
        else [],
    )


def _viewed(by_component: Sources) -> int:
    return sum(1 << component for component, each in by_component.items() if each >> VIEW & 1)


def _table(by_component: Sources, base: int, size: int) -> list[int]:
    found = [0] * size
    for component, sources in by_component.items():
        for each in _bits(sources >> base & FIELD):
            if each < size:
                found[each] |= 1 << component
    return found
