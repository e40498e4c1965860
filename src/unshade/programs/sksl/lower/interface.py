"""Inputs, outputs, uniforms and children of a program, as they are bound.

    main(float2 p)           the position, as two inputs          half4 main   four outputs
    uniform half4 tint       scalars of the memory `uniforms`, four bytes each, without gaps
    uniform shader image     the child of that number, by the order of declaration
    uniform Block { … } b    a constant buffer with the layout std140; blocks of one binding share
    one memory
    in Block { … } b         an input for each member

`layout(color)` marks colours in sRGB, which are converted to the destination's colour space; they
are unchanged if no space is given, or if it is sRGB.
"""

from collections.abc import Iterator, Sequence

from ....errors import UnsupportedError
from ....ir.kernel import KernelIR, Value
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Port, Space
from ....ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import BOOL, F32, I32
from ....tuples import NamedTuple
from ....vocab.slots import Direction, ResourceClass, ResourceSlot
from ..facts import BlockUniforms, InterfacePort, uniform_blocks
from ..tables.enumerations import ModifierFlag
from ..tree import GlobalDeclaration, ProgramUnit, TypeKind, VariableSymbol
from .state import LoweringState
from .storage import BlockMemory, InputStorage, ScalarMemory
from .types import scalars_of

__all__ = [
    "bind_uniforms",
    "declare_port",
    "globals_of",
    "input_storage",
    "is_uniform",
    "write_port",
]

UNIFORMS = ResourceSlot(ResourceClass.REGISTER_BANK, 0)
MOST_COMPONENTS = 4
ROW = 16  # bytes of which the size of a block is a multiple


class BoundBlock(NamedTuple):
    """The memory of a slot, and the names of the blocks that are bound there."""

    memory: Memory
    resource: LoweredResource
    names: list[str]


def globals_of(unit: ProgramUnit) -> Iterator[GlobalDeclaration]:
    """Yield the declarations of global variables."""
    for each in unit.elements:
        if isinstance(each, GlobalDeclaration):
            yield each


def is_uniform(variable: VariableSymbol) -> bool:
    """Return True for uniforms, children included."""
    return variable.modifiers.has(ModifierFlag.UNIFORM)


def bind_uniforms(state: LoweringState, unit: ProgramUnit) -> list[LoweredResource]:
    """Declare the uniforms, children and blocks; return the resources to bind."""
    uniforms = [each.declaration.variable for each in globals_of(unit)]
    uniforms = [each for each in uniforms if is_uniform(each)]
    found = []
    size = sum(
        len(scalars_of(each.type)) for each in uniforms if each.type.resolved.kind != TypeKind.CHILD
    )
    if size:
        memory = state.b.memory("uniforms", Space.CONSTANT, 4, slot=UNIFORMS)
        found.append(LoweredResource("uniforms", Form.CONSTANTS, 4, size=4 * size, slot=UNIFORMS))
    at = number = 0
    for each in uniforms:
        if each.type.resolved.kind is TypeKind.CHILD:
            found.append(_child(state, each, number))
            number += 1
            continue
        types = scalars_of(each.type)
        state.storages[each] = ScalarMemory(memory, types, at)
        at += len(types)
    bound: dict[ResourceSlot, BoundBlock] = {}
    for block in uniform_blocks(unit):
        _bind_block(state, block, bound)
    return [*found, *(each.resource for each in bound.values())]


def _bind_block(
    state: LoweringState, block: BlockUniforms, bound: dict[ResourceSlot, BoundBlock]
) -> None:
    """Declare the memory of each instance of a block, unless another block shares its binding."""
    for problem in block.misplaced():
        raise UnsupportedError(problem)
    types = scalars_of(block.type)
    elements = [offset // 4 for offset in block.rules.scalars(block.type)]
    size = -(-block.buffer.size // ROW) * ROW
    resource = block.resource
    names = [(ResourceSlot(ResourceClass.PUSH, 0), block.name, block.name)]
    if resource is not None:
        label = f"set{resource.space}_binding{resource.register}"
        count = resource.count or 0
        names = []
        for each in range(count):
            suffix = f"[{each}]" if count > 1 else ""
            names.append((resource.slot.at(each), label + suffix, block.name + suffix))
    memories = []
    for slot, label, name in names:
        if slot not in bound:
            unique = state.calls.memories.unique(label)
            memory = state.b.memory(unique, Space.CONSTANT, 4, slot=slot)
            made = LoweredResource(label, Form.CONSTANTS, 4, size=size, slot=slot)
            bound[slot] = BoundBlock(memory, made, [])
        one = bound[slot]
        one.names.append(name)
        one.resource.size = max(one.resource.size, size)
        if len(one.names) > 1:
            one.resource.variables = tuple(one.names)
        memories.append(one.memory)
    state.storages[block.variable] = BlockMemory(memories, types, elements)


def _child(state: LoweringState, variable: VariableSymbol, number: int) -> LoweredResource:
    """Declare a child; a shader may also be a picture."""
    slot = ResourceSlot(ResourceClass.CHILD, number)
    texture = TextureDeclaration(variable.name, Shape.D2, F32, slot=slot)
    sampler = SamplerDeclaration(variable.name, slot)
    kernel: KernelIR = state.b.kernel
    kernel.textures.append(texture)
    kernel.samplers.append(sampler)
    state.children[variable] = texture, sampler
    if variable.type.resolved.name != "shader":
        return LoweredResource(variable.name, Form.CHILD, slot=slot)
    return LoweredResource(
        variable.name, Form.CHILD, 16, returns=("float",) * 4, shape=Shape.D2, slot=slot
    )


# -- ports -------------------------------------------------------------------------------------


def declare_port(state: LoweringState, given: InterfacePort) -> list[Port]:
    """Declare the components of an input or output."""
    port = given.port
    types = scalars_of(given.type)
    if len(types) > MOST_COMPONENTS or len(types) != len(port.components):
        raise UnsupportedError(
            f"{port.label}: inputs and outputs of type {given.type.name} cannot be run"
        )
    made = []
    for number, type in enumerate(types):
        name = f"{port.label}.{port.components[number]}" if len(types) > 1 else port.label
        held = I32 if type == BOOL else type
        slot = port.slot.at(number)
        made.append(Port(name, held, slot=slot, row=port.label))
    kernel = state.b.kernel
    kind = port.slot.direction
    (kernel.inputs if kind is Direction.INPUT else kernel.outputs).extend(made)
    return made


def input_storage(state: LoweringState, given: InterfacePort) -> InputStorage:
    """Declare an input; return its components."""
    return InputStorage(declare_port(state, given), scalars_of(given.type))


def write_port(state: LoweringState, ports: Sequence[Port], values: Sequence[Value]) -> None:
    """Append writes of the components of an output."""
    b = state.b
    for port, value in zip(ports, values, strict=True):
        whole = b.select(value, b.i32(1), b.i32(0)) if value.type == BOOL else value
        b.output(port, whole)
