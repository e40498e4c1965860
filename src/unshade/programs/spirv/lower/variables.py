"""Variables and their memory, by storage class.

Function, Private     variables of `ir`, or a local memory if indexed at run time
Workgroup             shared memory
Uniform, StorageBuffer, PushConstant     bound blocks and arrays of them
UniformConstant       images and samplers (`images`)
Input, Output, TaskPayloadWorkgroupEXT     depends on the stage (`interface`, `meshes`)
"""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ....dataclass import dataclass
from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.locations import SymbolName
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Space
from ....ir.ops import OPS
from ....ir.types import I32, INTEGERS
from ....model import Resource, ResourceKind
from ....vocab.slots import ResourceClass, ResourceSlot
from ..blocks import BasicBlock
from ..index import FunctionBody
from ..module import Instruction
from ..tables.numbers import Decoration, Opcode, StorageClass
from .debug_values import DeclaredPart, name_elements, source_names
from .pointers import ChosenRoot, Offset, Root, TypedPointer
from .roots import BlockRoot, LaneVariables, LeafMemory, SharedBlock
from .sharing import shared, variable_names
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = [
    "PUSH",
    "Chosen",
    "Descriptors",
    "begin_function",
    "bound_fact",
    "descriptor_count",
    "lane_variable",
    "prepare",
    "variable",
]

PUSH = "push"  # the label of push constants
LARGEST_LANE = 1 << 12  # leaves of a variable that is not a memory
MOST_DESCRIPTORS = 1 << 8  # of a variable, unless their number is asked for
MOST_LOCAL = 1 << 16  # leaves of a variable of a lane
MOST_SHARED = 1 << 20  # bytes of a workgroup variable
WRITTEN_AT_START = (StorageClass.Private, StorageClass.Output)
ROW = 4  # bytes that constants are counted in


@dataclass(frozen=True, slots=True)
class Chosen:
    """An image or sampler selected among several; `which` is its number."""

    items: Sequence[Any]
    which: Value


class Descriptors(Root):
    """An array of descriptors, with some indices chosen; `which` is the number so far."""

    explicit = True

    def __init__(self, items: Sequence[Any], which: Value) -> None:
        self.items = items
        self.which = which

    def at(self, b: Builder, pointer: TypedPointer, index: Value) -> TypedPointer:
        """Return the pointer to an element: a block, an array of descriptors, or an image."""
        kind = pointer.type.at(0)
        which = b.iadd(b.imul(self.which, pointer.type.count or 1), index)
        if self.which.op is OPS.const and index.op is OPS.const:
            number = self.which.attr * (pointer.type.count or 1) + index.attr
            which = constant(number, I32)
        elif self.which.op is OPS.const and not self.which.attr:
            which = index
        if kind.is_array or kind.is_opaque:
            return TypedPointer(Descriptors(self.items, which), kind)
        if which.op is OPS.const and which.attr < len(self.items):
            return TypedPointer(self.items[which.attr], kind)
        return TypedPointer(ChosenRoot(dict(enumerate(self.items)), which), kind)

    def opaque(self) -> Chosen:
        """Return the image or sampler itself."""
        return Chosen(self.items, self.which)

    def elements(self) -> Sequence[Root]:
        return self.items

    def load(self, b: Builder, offset: Offset, type: Any) -> Value:
        raise UnsupportedError("an array of descriptors is loaded as a whole")

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        raise UnsupportedError("an array of descriptors is stored as a whole")


# ---------------------------------------------------------------- global variables


def variable(lowering: "Lowering", instruction: Instruction) -> TypedPointer:
    """Return the pointer to a global variable."""
    words = instruction.words
    number, storage = words[2], words[3]
    type = lowering.types.of(lowering.types.of(words[1]).words[3])
    match storage:
        case StorageClass.Private:
            return TypedPointer(lane_variable(lowering, number, type), type)
        case StorageClass.Workgroup:
            if not lowering.kernel.dispatched:
                name = lowering.name(number)
                raise UnsupportedError(f"{name}: workgroup memory of a shader without workgroups")
            return TypedPointer(_shared(lowering, number, type), type)
        case StorageClass.PushConstant:
            return TypedPointer(_pushed(lowering), type)
        case StorageClass.Uniform | StorageClass.StorageBuffer:
            return _bound(lowering, number, type)
        case StorageClass.UniformConstant:
            return lowering.images(lowering, number, type)
        case StorageClass.Input | StorageClass.Output | StorageClass.TaskPayloadWorkgroupEXT:
            return lowering.interface(lowering, number, type)
    raise UnsupportedError(f"%{number}: variables of storage class {storage} cannot be run")


def prepare(lowering: "Lowering") -> None:
    """Make the private variables, with their initial values."""
    for number in sorted(lowering.used):
        definition = lowering.index.definitions[number]
        words = definition.words
        own = definition.opcode == Opcode.Variable and words[3] in WRITTEN_AT_START
        if own and len(words) > 4:
            lowering.pointer(number).store(lowering.b, lowering.value(words[4]))


def lane_variable(
    lowering: "Lowering", number: int, type: LeafType, prefix: str = ""
) -> LaneVariables | LeafMemory:
    """Make a variable of the lane."""
    row = f"{prefix}{lowering.name(number)}"
    if number in lowering.indexed or type.size > LARGEST_LANE:
        name = lowering.calls.memories.unique(row)
        if type.size > MOST_LOCAL:
            raise UnsupportedError(f"{row}: a variable of {type.size} components cannot be run")
        memory = lowering.b.memory(name, Space.LOCAL, _stride(type), type.size)
        name_elements(memory, 0, _names(lowering, number, type))
        return LeafMemory(memory)
    steps = lowering.listing.steps(type) if not type.is_pointer else [(".which",), (".address",)]
    names: Sequence[SymbolName | None] = _names(lowering, number, type) or [None] * len(steps)
    made = [
        lowering.variable(f"{row}{''.join(path)}", row, leaf, gives=name)
        for leaf, path, name in zip(type.leaves, steps, names, strict=True)
    ]
    return LaneVariables(made)


def _names(lowering: "Lowering", number: int, type: LeafType) -> list[SymbolName]:
    """Return the names in the source of a variable's leaves; none if it is not in the source.

    Debug information names local variables by DebugDeclare (`debug_values`).
    """
    listing = lowering.listing
    if not 0 < type.size <= LARGEST_LANE or type.is_pointer:
        return []
    known = listing.debug.globals.get(number)
    if known is not None:
        return source_names(lowering, DeclaredPart(known), type)
    name = listing.source_name(number)
    if name in listing.debug.local_names:
        declared = listing.debug.local_names[name]
        return source_names(lowering, DeclaredPart(declared), type) if declared is not None else []
    if not name:
        return []
    return [SymbolName(name, *path) for path in listing.steps(type)]


def _stride(type: LeafType) -> int:
    """Return the size of a leaf in memory of our layout."""
    return 8 if _has_wide(type) else 4


def _has_wide(type: LeafType) -> bool:
    if type.is_struct:
        return any(_has_wide(each) for each in type.members)
    if type.scalar is not None:
        return type.scalar.bits > 32
    return type.element is not None and _has_wide(type.element)


# ---------------------------------------------------------------- workgroup memory


def _shared(lowering: "Lowering", number: int, type: LeafType) -> Root:
    if _is_block(lowering, type):
        return _shared_block(lowering)
    name = lowering.calls.memories.unique(lowering.name(number))
    if type.size * _stride(type) > MOST_SHARED:
        raise UnsupportedError(f"{name}: workgroup memory of more than {MOST_SHARED} bytes")
    memory = lowering.b.memory(name, Space.SHARED, _stride(type), type.size)
    name_elements(memory, 0, _names(lowering, number, type))
    lowering.resources.append(LoweredResource(name, Form.SHARED, memory.stride, True))
    return LeafMemory(memory)


def _is_block(lowering: "Lowering", type: LeafType) -> bool:
    return lowering.index.decoration(Decoration.Block, type.id) is not None


def _shared_block(lowering: "Lowering") -> Root:
    """Return the memory that all workgroup variables with explicit layout share."""
    found = lowering.shared
    if found is None:
        least, most = 8, 0
        for number in lowering.used:
            words = lowering.index.definitions[number].words
            if words[3] != StorageClass.Workgroup:
                continue
            type = lowering.types.of(lowering.index.pointee(number) or 0)
            pointer = TypedPointer(_Measure(), type)
            for offset, leaf in pointer.places():
                least = min(least, leaf.size)
                most = max(most, offset.constant + leaf.size)
        name = lowering.calls.memories.unique("workgroup")
        memory = lowering.b.memory(name, Space.SHARED, least, -(-most // least))
        lowering.resources.append(LoweredResource(name, Form.SHARED, least, True))
        found = lowering.shared = SharedBlock(memory)
    return found


class _Measure(Root):
    """A root that is used for its layout only."""

    explicit = True

    def load(self, b: Builder, offset: Offset, type: Any) -> Value:
        raise NotImplementedError

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        raise NotImplementedError


# ---------------------------------------------------------------- blocks


def _pushed(lowering: "Lowering") -> Root:
    slot = ResourceSlot(ResourceClass.PUSH, 0)
    found = lowering.blocks.get(slot)
    if found is None:
        found = BlockRoot(lowering.b, PUSH, slot, Space.CONSTANT)
        lowering.blocks[slot] = found
        size = next((x.size for x in lowering.facts.constant_buffers if x.slot == slot), 0)
        size = -(-size // ROW) * ROW
        resource = LoweredResource(PUSH, Form.CONSTANTS, ROW, size=size, slot=slot)
        lowering.resources.append(resource)
    return found


def _bound(lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
    """Return the pointer to a block, or to an array of blocks."""
    lengths, _ = type.without_arrays()
    slot = shared(lowering, number).slot
    count = descriptor_count(lowering, slot, lengths)
    items = [
        _block(lowering, number, slot.at(at), f"[{at}]" if lengths else "") for at in range(count)
    ]
    if not lengths:
        return TypedPointer(items[0], type)
    return TypedPointer(Descriptors(items, constant(0, I32)), type)


def descriptor_count(lowering: "Lowering", slot: ResourceSlot, lengths: Sequence[int]) -> int:
    """Return the number of descriptors of a variable that is an array of these lengths.

    `Specialisation.lengths` gives the number of descriptors if the module does not, or if it
    declares more than are bound.
    """
    label = f"set{slot.space}_binding{slot.number}"
    declared = prod(lengths)
    if not lengths:
        return declared
    return lowering.chosen.array_length(slot, label, declared or None, MOST_DESCRIPTORS)


def bound_fact(lowering: "Lowering", number: int) -> Resource:
    """Return the facts about a bound variable."""
    found = lowering.bound.get(number)
    if found is None:
        raise UnsupportedError(f"%{number} is not bound")
    return found


def _block(lowering: "Lowering", number: int, slot: ResourceSlot, suffix: str) -> BlockRoot:
    """Return the block at a slot; variables with one descriptor share it."""
    found = lowering.blocks.get(slot)
    if found is not None:
        return found
    name = lowering.calls.memories.unique(f"set{slot.space}_binding{slot.number}{suffix}")
    one = shared(lowering, number)
    resource = bound_fact(lowering, number)
    uniform = resource.kind == ResourceKind.CONSTANT_BUFFER
    writable = one.writable
    space = Space.CONSTANT if uniform else Space.BUFFER
    found = BlockRoot(
        lowering.b, name, slot, space, writable=writable, bounds=lowering.chosen.bounds
    )
    lowering.blocks[slot] = found
    if uniform:
        size = max(_size(lowering, each) for each in one.variables.values())
        made = LoweredResource(name, Form.CONSTANTS, ROW, size=-(-size // ROW) * ROW, slot=slot)
    elif len(one.variables) == 1 and resource.kind == ResourceKind.STRUCTURED_BUFFER:
        stride = resource.stride or ROW
        made = LoweredResource(name, Form.STRUCTURED, stride, writable, slot=slot)
    else:
        made = LoweredResource(name, Form.RAW, 1, writable, slot=slot)
    made.variables = variable_names(one, slot.element or 0)
    lowering.resources.append(made)
    return found


def _size(lowering: "Lowering", resource: Resource) -> int:
    """Return the size of a uniform block."""
    return lowering.block_sizes[id(resource)]


# ---------------------------------------------------------------- variables of functions


def begin_function(lowering: "Lowering", function: FunctionBody) -> None:
    """Make the variables of a call; they begin as zero, or with their initial value."""
    values = lowering.functions[-1]
    prefix = f"{values.name}." if values.frame is not None else ""
    b = lowering.b
    block = function.blocks[0]
    code = lowering.index.module.instructions[block.start : block.end]
    declared = [each.words for each in code if each.opcode == Opcode.Variable]
    stored = _stored_first(lowering, block) if values.repeats else {each[2] for each in declared}
    for words in declared:
        type = lowering.types.of(lowering.types.of(words[1]).words[3])
        pointer = TypedPointer(lane_variable(lowering, words[2], type, prefix), type)
        values.values[words[2]] = pointer
        if len(words) > 4:
            pointer.store(b, lowering.value(words[4]))
        elif words[2] not in stored:
            _reset(lowering, pointer)


def _stored_first(lowering: "Lowering", block: BasicBlock) -> set[int]:
    """Return the ids whose first use in a block is a store to all of the variable."""
    found: set[int] = set()
    seen: set[int] = set()
    for position in range(block.start, block.end):
        words = lowering.index.module.instructions[position].words
        if words[0] & 0xFFFF == Opcode.Store and words[1] not in seen:
            found.add(words[1])
        uses = lowering.index.decoded[position].operands
        seen.update(each.words[0] for each in uses if each.kind == "IdRef")
    return found


def _reset(lowering: "Lowering", pointer: TypedPointer) -> None:
    """Append stores of zeros: the function may have run before in the same lane.

    They are not in the listing, so they have no line, and a trace does not show them.
    """
    b, root = lowering.b, pointer.root
    line, b.line = b.line, 0
    if isinstance(root, LaneVariables):
        for var in root.variables:
            b.set(var, constant(0, var.type))
    elif isinstance(root, LeafMemory):
        zero = constant(0, INTEGERS[8 * root.memory.stride])
        at = lowering.variable("reset", "", I32, internal=True)
        b.set(at, 0)
        with b.loop():
            with b.when(b.ule(root.memory.count or 0, b.get(at))):
                b.break_()
            b.store(root.memory, b.get(at), 0, zero)
            b.set(at, b.iadd(b.get(at), 1))
    b.line = line
