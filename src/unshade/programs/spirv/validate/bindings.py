"""Variables of one set and binding that no descriptor can satisfy together.

    %buffer  uniform buffer  set 0, binding 0     an entry point that uses both fits no layout:
    %texture sampled image   set 0, binding 0     a binding has one descriptor type

Arrays are left out: the elements of a mutable descriptor (VK_EXT_mutable_descriptor_type) may be of
several types, and only those that are used have to fit. OpenGL numbers buffers, images and textures
separately, so variables without DescriptorSet are left out, too.

Sources: Vulkan specification, "Shader Resource and Descriptor Type Correspondence",
VUID-VkGraphicsPipelineCreateInfo-layout-07990.
"""

from ....tuples import NamedTuple
from ....vocab.words import DescriptorType
from ..descriptors import BOUND, descriptor_of, element_of, share_a_descriptor
from ..index import SpirvEntryPoint
from ..tables.numbers import Decoration, Opcode
from .instruction import Inst
from .state import State

__all__ = ["check_bindings"]

VUID = "VUID-VkGraphicsPipelineCreateInfo-layout-07990"
FAMILIES = ("vulkan", "spv")
WORK = 2_000_000  # pairs of an entry point and a variable that are looked at


class _Bound(NamedTuple):
    """A bound variable: its declaration, its descriptor, and the functions that use it."""

    inst: Inst
    descriptor: DescriptorType
    is_array: bool
    functions: set[int]


def check_bindings(state: State) -> None:
    """Report variables used together that no single descriptor can satisfy."""
    if state.environment.family not in FAMILIES:
        return
    places = _places(state)
    work = max(1, sum(map(len, places.values())))
    if WORK // work < len(state.entries):
        state.skipped("bindings of entry points")
    for (space, binding), variables in places.items():
        told: set[int] = set()
        for entry in state.entries[: WORK // work]:
            for one, other in _pairs(state, entry, variables):
                if other.inst.id not in told:
                    told.add(other.inst.id)
                    message = (
                        f"expected one type of descriptor at set {space}, binding {binding},"
                        f" got {_words(state, one)} and {_words(state, other)}"
                    )
                    state.report("spirv.descriptor", other.inst, message, VUID)


def _words(state: State, each: _Bound) -> str:
    name = state.index.names.get(each.inst.id) or each.inst.id
    return f"{each.descriptor.replace('_', ' ')} %{name}"


def _pairs(
    state: State, entry: SpirvEntryPoint, variables: list[_Bound]
) -> list[tuple[_Bound, _Bound]]:
    """Return variables that an entry point uses, each with the first incompatible variable."""
    reached = state.reached[entry.function]
    used = [each for each in variables if not each.functions.isdisjoint(reached)]
    first: dict[tuple[DescriptorType, bool], _Bound] = {}
    for each in used:
        first.setdefault((each.descriptor, each.is_array), each)
    found = []
    for each in used:
        for (descriptor, is_array), one in first.items():
            if one.inst.position >= each.inst.position:
                continue
            if not share_a_descriptor(descriptor, each.descriptor) and not (
                is_array and each.is_array
            ):
                found.append((one, each))
                break
    return found


def _places(state: State) -> dict[tuple[int, int], list[_Bound]]:
    """Return the variables of each set and binding that has several."""
    index = state.index
    found: dict[tuple[int, int], list[_Bound]] = {}
    for inst in state.of(Opcode.Variable, Opcode.UntypedVariableKHR):
        if inst.function >= 0:
            continue
        if inst.word(0) not in BOUND:
            continue
        space = index.decoration_word(Decoration.DescriptorSet, inst.id)
        binding = index.decoration_word(Decoration.Binding, inst.id)
        if inst.code == Opcode.Variable:
            outer = (state.types.pointer(inst.type) or (0, 0))[1]
        else:
            outer = inst.words[4] if len(inst.words) > 4 else 0
        kind = element_of(index, outer)
        descriptor = descriptor_of(index, inst.word(0), kind)
        if space is None or binding is None or descriptor is None:
            continue
        made = _Bound(inst, descriptor, kind != outer, state.functions_using(inst.id))
        found.setdefault((space, binding), []).append(made)
    return {place: variables for place, variables in found.items() if len(variables) > 1}
