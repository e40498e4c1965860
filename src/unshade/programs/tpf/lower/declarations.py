"""Lowering of declarations to memories, textures and ports of a kernel.

dcl_resource_structured t0, 16      memory %t0 buffer, 16 bytes an element
dcl_uav_typed_buffer (uint…) u0     memory %u0 buffer, a texel (16 bytes) an element
dcl_resource_texture2d (float…) t1  texture %t1, or a memory of texels once it is expanded
dcl_tgsm_raw g0, 4096               memory %g0 shared, 4 bytes an element
dcl_input_ps linear v1.xyz          ports v1.x v1.y v1.z
"""

from collections.abc import Iterable, Iterator, Sequence

from ....dataclass import dataclass, field
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Port, Space
from ....ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F32, I32
from ....vocab.slots import MemoryPart, PortSlot
from ....vocab.words import Stage
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import (
    Components,
    CustomClass,
    OperandType,
    ResourceDimension,
    TypedReturnType,
)
from ..tables.selection import LETTERS
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import InputPs, ResourceDcl, ReturnTypes, SystemName, TableSizes, UavDcl
from ..tables.vocabulary import (
    BUILTINS,
    INTERPOLATIONS,
    OUTPUT_VALUES,
    SEMANTICS,
    SYSTEM_VALUES,
)
from .registers import LONE_INPUTS, PLACES, ROW, Registers

TEXEL = 16  # bytes of a texel: four components of 32 bits

SHAPES: dict[int, tuple[Shape, bool]] = {
    ResourceDimension.BUFFER: (Shape.BUFFER, False),
    ResourceDimension.TEXTURE1D: (Shape.D1, False),
    ResourceDimension.TEXTURE1DARRAY: (Shape.D1, True),
    ResourceDimension.TEXTURE2D: (Shape.D2, False),
    ResourceDimension.TEXTURE2DARRAY: (Shape.D2, True),
    ResourceDimension.TEXTURE2DMS: (Shape.D2, False),
    ResourceDimension.TEXTURE2DMSARRAY: (Shape.D2, True),
    ResourceDimension.TEXTURE3D: (Shape.D3, False),
    ResourceDimension.TEXTURECUBE: (Shape.CUBE, False),
    ResourceDimension.TEXTURECUBEARRAY: (Shape.CUBE, True),
}
MULTISAMPLED = frozenset({ResourceDimension.TEXTURE2DMS, ResourceDimension.TEXTURE2DMSARRAY})
INTEGERS = frozenset({TypedReturnType.SINT, TypedReturnType.UINT})
# Declared inputs that are not ports: positions of a lane, and instance numbers of hull shaders.
NOT_PORTS = frozenset(PLACES) | {
    OperandType.OUTPUT_CONTROL_POINT_ID, OperandType.INPUT_FORK_INSTANCE_ID,
    OperandType.INPUT_JOIN_INSTANCE_ID, OperandType.OUTPUT_CONTROL_POINT,
}  # fmt: skip


@dataclass(slots=True)
class InterfaceArray:
    """An array of interface slots, fp#: their number, and the tables ft# that may be bound."""

    count: int
    tables: list[int]


@dataclass(slots=True)
class ProgramDeclarations:
    """The declarations of a program, as far as binding and lowering need them."""

    resources: dict[str, LoweredResource] = field(default_factory=dict)
    textures: dict[str, TextureDeclaration] = field(default_factory=dict)
    samplers: dict[str, SamplerDeclaration] = field(default_factory=dict)
    bodies: dict[int, list[int]] = field(default_factory=dict)  # ft#: its fb#s
    interfaces: dict[int, InterfaceArray] = field(default_factory=dict)  # fp#
    raw: set[str] = field(default_factory=set)  # shared memory addressed by bytes

    def add(self, resource: LoweredResource) -> LoweredResource:
        """Add a resource, unless the name exists; return the resource of that name."""
        return self.resources.setdefault(resource.name, resource)


def declare(registers: Registers, declared: ProgramDeclarations, instruction: Instruction) -> None:
    """Lower a declaration; others, of modes of the program, are read by whoever needs them."""
    name = instruction.name
    words = instruction.words
    kernel = registers.kernel
    if name.startswith("dcl_input") or name.startswith("dcl_output"):
        _port(registers, instruction, name)
        return
    match name:
        case "dcl_thread_group":
            kernel.group = words[0], words[1], words[2]
        case "dcl_constantbuffer":
            _constants(registers, declared, instruction)
        case "customdata":
            _table(registers, instruction)
        case "dcl_indexableTemp" if kernel.stage is Stage.HULL:
            pass  # of a phase: patches.py
        case "dcl_indexableTemp":
            registers.new_memory(f"x{words[0]}", Space.LOCAL, ROW, words[1])
        case "dcl_tgsm_raw":
            register = registers.resource(instruction.operands[0])
            registers.new_memory(register, Space.SHARED, 4, words[0] // 4).raw = True
            declared.raw.add(register)
            declared.add(LoweredResource(register, Form.SHARED, 4, True))
        case "dcl_tgsm_structured":
            register = registers.resource(instruction.operands[0])
            registers.new_memory(register, Space.SHARED, words[0], words[1])
            declared.add(LoweredResource(register, Form.SHARED, words[0], True))
        case "dcl_sampler":
            for register, slot in registers.ranges.declared(instruction.operands[0]):
                sampler = declared.samplers[register] = SamplerDeclaration(register, slot)
                registers.kernel.samplers.append(sampler)
                declared.add(LoweredResource(register, Form.SAMPLER, slot=slot))
        case "dcl_resource_raw" | "dcl_uav_raw":
            _buffer(registers, declared, instruction, Form.RAW, 4)
        case "dcl_resource_structured" | "dcl_uav_structured":
            _buffer(registers, declared, instruction, Form.STRUCTURED, words[0])
        case "dcl_resource" | "dcl_uav_typed":
            _typed(registers, declared, instruction)
        case "dcl_function_table":
            declared.bodies[words[0]] = list(words[2:])
        case "dcl_interface":
            sizes = TableSizes(words[2])
            declared.interfaces[words[0]] = InterfaceArray(sizes.array_length, list(words[3:]))


def _writable(instruction: Instruction) -> bool:
    return instruction.operands[0].type == OperandType.UNORDERED_ACCESS_VIEW


def _constants(
    registers: Registers, declared: ProgramDeclarations, instruction: Instruction
) -> None:
    operand = instruction.operands[0]
    if len(operand.indices) == 3:
        rows = instruction.words[0] if instruction.words else 0
    else:
        rows = operand.indices[1].immediate
    for name, slot in registers.ranges.declared(operand):
        registers.new_memory(name, Space.CONSTANT, ROW, slot=slot)
        declared.add(LoweredResource(name, Form.CONSTANTS, ROW, size=ROW * rows, slot=slot))


def _table(registers: Registers, instruction: Instruction) -> None:
    if instruction.custom_class != CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
        return
    payload = instruction.payload or ()
    data = b"".join(each.to_bytes(4, "little") for each in payload[: len(payload) // 4 * 4])
    memory = registers.new_memory("icb", Space.TABLE, ROW, len(data) // ROW)
    memory.data = data


def _buffer(
    registers: Registers,
    declared: ProgramDeclarations,
    instruction: Instruction,
    form: Form,
    stride: int,
) -> None:
    writable = _writable(instruction)
    for name, slot in registers.ranges.declared(instruction.operands[0]):
        memory = registers.new_memory(name, Space.BUFFER, max(stride, 4), slot=slot)
        memory.writable = writable
        memory.raw = form is Form.RAW
        declared.add(LoweredResource(name, form, stride, writable, slot=slot))
        if writable and form is Form.STRUCTURED and UavDcl.has_counter.of(instruction.token):
            counter(registers, declared, name)


def counter(registers: Registers, declared: ProgramDeclarations, name: str) -> Memory:
    """Return the hidden counter of a view; not every compiler declares it."""
    view = declared.resources.get(name)
    slot = view.slot.of(MemoryPart.COUNTER) if view is not None and view.slot is not None else None
    memory = registers.new_memory(f"{name}_counter", Space.BUFFER, 4, slot=slot)
    memory.writable = True
    declared.add(LoweredResource(memory.name, Form.COUNTER, 4, True, slot=slot))
    return memory


def _typed(registers: Registers, declared: ProgramDeclarations, instruction: Instruction) -> None:
    token = instruction.token
    dimension = ResourceDcl.dimension.of(token)
    types = ReturnTypes(instruction.words[0])
    numbers = (types.x, types.y, types.z, types.w)
    returns = tuple(TypedReturnType(n).name.lower() if 1 <= n <= 9 else str(n) for n in numbers)
    shape, layered = SHAPES.get(dimension, (Shape.BUFFER, False))
    writable = _writable(instruction)
    form = Form.TYPED if shape is Shape.BUFFER else Form.TEXTURE
    many = dimension in MULTISAMPLED
    kind = I32 if numbers[0] in INTEGERS else F32
    samples = max(1, ResourceDcl.sample_count.of(token)) if many else 1
    for name, slot in registers.ranges.declared(instruction.operands[0]):
        declared.add(
            LoweredResource(name, form, TEXEL, writable, returns, shape, layered, many, slot=slot)
        )
        if form is Form.TYPED or writable:
            memory = registers.new_memory(name, Space.BUFFER, TEXEL, slot=slot)
            memory.writable = writable
            if form is Form.TEXTURE:
                sizes = slot.of(MemoryPart.SHAPE)
                registers.new_memory(f"{name}.shape", Space.CONSTANT, 4, slot=sizes, internal=True)
        else:
            texture = TextureDeclaration(name, shape, kind, layered, samples, slot)
            declared.textures[name] = texture
            registers.kernel.textures.append(texture)


# ---------------------------------------------------------------- ports


def _port(registers: Registers, instruction: Instruction, name: str) -> None:
    if not instruction.operands:
        return
    operand = instruction.operands[0]
    if operand.type in registers.points:
        return
    values = BUILTINS if name.startswith("dcl_input") else OUTPUT_VALUES
    meaning = values.get(operand.type)
    if instruction.words and ("_siv" in name or "_sgv" in name):
        meaning = SYSTEM_VALUES.get(SystemName.name.of(instruction.words[0]), meaning)
    interpolation = None
    if name.startswith("dcl_input_ps"):
        interpolation = INTERPOLATIONS.get(InputPs.interpolation.of(instruction.token))
    for slot, label, row in _places(registers, operand):
        port = Port(label, I32, meaning, interpolation, slot, row)
        if name.startswith("dcl_input"):
            if operand.type in NOT_PORTS or slot in registers.inputs:
                continue
            registers.check_stage(operand.type)
            registers.inputs[slot] = port
            registers.kernel.inputs.append(port)
        elif slot not in registers.outputs:
            registers.outputs[slot] = port
            if not registers.held:
                registers.kernel.outputs.append(port)
        else:
            registers.outputs[slot].meaning = registers.outputs[slot].meaning or meaning


def _places(registers: Registers, operand: Operand) -> Iterator[tuple[PortSlot, str, str]]:
    """Yield slot, label, and label of the register, for each declared component."""
    kind = operand.type
    prefix = word(REGISTERS, kind)
    if kind in NOT_PORTS:
        return
    if kind in LONE_INPUTS or kind in OUTPUT_VALUES:
        yield registers.slot(operand, 0, 0), prefix, SEMANTICS.get(kind, prefix)
        return
    mask = operand.mask if operand.components == Components.FOUR else 1
    number, register, count = 0, prefix, 3
    if kind != OperandType.INPUT_DOMAIN_POINT:
        if kind not in (OperandType.INPUT, OperandType.OUTPUT) or not operand.indices:
            return
        number, count = operand.indices[-1].immediate, 4
        register = f"{prefix}{number}"
    for at in range(count):
        if mask >> at & 1:
            yield registers.slot(operand, number, at), f"{register}.{LETTERS[at]}", register


def arrays(registers: Registers, instructions: Sequence[Instruction]) -> Memory | None:
    """Create local memories for inputs and outputs with relative indices.

    Return the array of the inputs, which the kernel fills first.
    """
    moving: set[int] = set()
    for instruction in instructions:
        row = instruction.op
        if row is None or row.kind == "decl":
            continue
        for operand in instruction.operands:
            if (
                any(index.relative is not None for index in operand.indices)
                and operand.type in (OperandType.INPUT, OperandType.OUTPUT)
                and operand.type not in registers.points
            ):
                moving.add(operand.type)
    if OperandType.INPUT in moving:
        registers.input_array = registers.new_memory("v", Space.LOCAL, ROW, _rows(registers.inputs))
    if OperandType.OUTPUT in moving:
        registers.output_array = registers.new_memory(
            "o", Space.LOCAL, ROW, _rows(registers.outputs)
        )
    return registers.input_array


def _rows(ports: Iterable[PortSlot]) -> int:
    """Return the size of an array of all the registers."""
    return 1 + max((slot.location or 0 for slot in ports), default=0)
