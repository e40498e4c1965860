"""What a Shader Model 4 to 5.1 program declares about itself.

    dcl_constantbuffer CB0[3], immediateIndexed       cb0, 48 bytes of it
    dcl_resource_texture2d (float,float,float,float) t0
    dcl_input_ps linear noperspective v1.xy
    dcl_thread_group 8, 8, 1

A stripped file has nothing else; in others this completes what RDEF and the signatures say. The
names of resources are generated. Dwords that a declaration should have and lacks count as 0: the
decoder does not promise them.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked against RDEF in compiled files.
"""

import struct
from collections.abc import Callable

from ....model import (
    BufferKind,
    ConstantBuffer,
    Counter,
    Dimension,
    Geometry,
    InterfaceSlot,
    Primitive,
    Resource,
    ResourceKind,
    SharedMemory,
    TempArray,
    Tessellation,
)
from ....programs.tpf import Instruction, Operand, Program
from ....programs.tpf.ops import OPS
from ....programs.tpf.spellings import GLOBAL_FLAGS
from ....programs.tpf.tokens import (
    ConstantBufferDcl,
    ControlPoints,
    GlobalFlags,
    GsPrimitive,
    GsTopology,
    InputPs,
    OperandType,
    ResourceDcl,
    ReturnTypes,
    SamplerDcl,
    SamplerMode,
    SystemName,
    TableSizes,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
    UavDcl,
)
from . import names
from .names import word

UNBOUNDED = 0xFFFF_FFFF
FIRST_FLAG = GlobalFlags.FIELDS[1].low  # behind the opcode
ALLOC = OPS["imm_atomic_alloc"].code
SAMPLE_MODES = (6, 7)  # linear sample, linear noperspective sample
SAMPLE_INDEX = 10

PRIMITIVES = {
    0: (Primitive.UNDEFINED, None),
    1: (Primitive.POINT, 1),
    2: (Primitive.LINE, 2),
    3: (Primitive.TRIANGLE, 3),
    6: (Primitive.LINE_ADJ, 4),
    7: (Primitive.TRIANGLE_ADJ, 6),
}
FIRST_PATCH = 8  # a patch of one control point; 39 has 32


class DeclaredRegister:
    """An input or output that the program declares, as far as a signature may lack it."""

    __slots__ = ("interpolation", "mask", "register", "system_value")

    def __init__(self, register: int, mask: int, system_value: int, interpolation: int) -> None:
        self.register = register
        self.mask = mask
        self.system_value = system_value
        self.interpolation = interpolation


class Declared:
    """The declarations of one program, in the words of the model."""

    __slots__ = (
        "buffers", "builtins", "geometry", "global_flags", "inputs", "of_patch", "outputs",
        "patch_constants", "resources", "sample_frequency", "shared_memory", "slots",
        "stencil_ref", "stream", "streams", "temp_arrays", "temp_registers", "tessellation",
        "thread_group", "tiled", "views",
    )  # fmt: skip

    def __init__(self, program: Program) -> None:
        self.resources: list[Resource] = []
        self.buffers: list[ConstantBuffer] = []
        self.inputs: list[DeclaredRegister] = []
        self.outputs: list[DeclaredRegister] = []
        self.patch_constants: list[DeclaredRegister] = []
        self.builtins: list[str] = []
        self.geometry: Geometry | None = None
        self.tessellation: Tessellation | None = None
        self.thread_group: list[int] | None = None
        self.global_flags: list[str] = []
        self.temp_registers = 0
        self.temp_arrays: list[TempArray] = []
        self.shared_memory: list[SharedMemory] = []
        self.slots: list[InterfaceSlot] = []
        self.sample_frequency = False
        self.stencil_ref = False  # whether it writes a stencil reference
        self.tiled = False  # whether it asks for the residency of tiled resources
        self.views: dict[int, Resource] = {}  # writable resources by the number that operands use
        self.of_patch = False  # in a fork or join phase of a hull shader: outputs are the patch's
        self.stream = 0
        self.streams: dict[int, str] = {}
        for instruction in program.instructions:
            read = READERS.get(instruction.token & 0x7FF)
            if read is not None:
                read(self, instruction)
        if self.geometry is not None:
            last = max(self.streams, default=-1)
            self.geometry.streams = [self.streams.get(i, "undefined") for i in range(last + 1)]
            self.geometry.output_topology = next(iter(self.streams.values()), "undefined")


def _dword(instruction: Instruction, at: int) -> int:
    return instruction.words[at] if at < len(instruction.words) else 0


def _index(operand: Operand, at: int) -> int:
    return operand.indices[at].immediate if at < len(operand.indices) else 0


# ---------------------------------------------------------------- resources


def _bound(
    self: Declared, instruction: Instruction, letter: str, kind: ResourceKind, space: int
) -> Resource:
    """The resource at the operand's registers; `space` says which dword holds the space (5.1)."""
    operand = instruction.operands[0]
    prefix = "cb" if letter == "b" else letter
    if len(operand.indices) < 3:
        register = _index(operand, 0)
        found = Resource(
            name=f"{prefix}{register}",
            kind=kind,
            register_class=letter,
            register=register,
            declared=True,
        )
    else:
        first, last, where = _index(operand, 1), _index(operand, 2), _dword(instruction, space)
        found = Resource(
            name=f"{prefix}{first}_space{where}" if where else f"{prefix}{first}",
            kind=kind,
            register_class=letter,
            register=first,
            space=where,
            count=None if last == UNBOUNDED else max(last - first + 1, 0),
            id=_index(operand, 0),
            declared=True,
        )
    self.resources.append(found)
    return found


def _constant_buffer(self: Declared, instruction: Instruction) -> None:
    found = _bound(self, instruction, "b", ResourceKind.CONSTANT_BUFFER, 1)
    found.dynamically_indexed = bool(ConstantBufferDcl(instruction.token).access)
    ranged = len(instruction.operands[0].indices) == 3
    vectors = _dword(instruction, 0) if ranged else _index(instruction.operands[0], 1)
    self.buffers.append(
        ConstantBuffer(
            name=found.name,
            kind=BufferKind.CONSTANT_BUFFER,
            resource=len(self.resources) - 1,
            size=vectors * 16,
            declared_size=vectors * 16,
            declared=True,
        )
    )


def _sampler(self: Declared, instruction: Instruction) -> None:
    found = _bound(self, instruction, "s", ResourceKind.SAMPLER, 0)
    found.comparison = SamplerDcl(instruction.token).mode == SamplerMode.COMPARISON


def _typed(self: Declared, instruction: Instruction, letter: str) -> Resource:
    found = _bound(self, instruction, letter, ResourceKind.TEXTURE, 1)
    found.dimension = word(names.TOKEN_DIMENSIONS, ResourceDcl(instruction.token).dimension)
    found.return_type = word(names.RETURN_TYPES, ReturnTypes(_dword(instruction, 0)).x)
    if found.dimension == "buffer":
        found.kind = ResourceKind.TYPED_BUFFER
    return found


def _resource(self: Declared, instruction: Instruction) -> None:
    found = _typed(self, instruction, "t")
    if found.dimension in names.MULTISAMPLED:
        found.samples = ResourceDcl(instruction.token).sample_count or None


def _resource_raw(self: Declared, instruction: Instruction) -> None:
    _bound(self, instruction, "t", ResourceKind.RAW_BUFFER, 0).dimension = Dimension.BUFFER


def _resource_structured(self: Declared, instruction: Instruction) -> None:
    found = _bound(self, instruction, "t", ResourceKind.STRUCTURED_BUFFER, 1)
    found.dimension = Dimension.BUFFER
    found.stride = _dword(instruction, 0)


def _view(found: Resource, instruction: Instruction) -> None:
    token = UavDcl(instruction.token)
    found.writable = True
    found.globally_coherent = bool(token.globally_coherent)
    found.rasterizer_ordered = bool(token.rasterizer_ordered)
    found.dimension = found.dimension or Dimension.BUFFER


def _uav_typed(self: Declared, instruction: Instruction) -> None:
    _view(_typed(self, instruction, "u"), instruction)


def _uav_raw(self: Declared, instruction: Instruction) -> None:
    _view(_bound(self, instruction, "u", ResourceKind.RAW_BUFFER, 0), instruction)


def _uav_structured(self: Declared, instruction: Instruction) -> None:
    found = _bound(self, instruction, "u", ResourceKind.STRUCTURED_BUFFER, 1)
    _view(found, instruction)
    found.stride = _dword(instruction, 0)
    if UavDcl(instruction.token).has_counter:
        found.counter = Counter.COUNTER
    self.views[_index(instruction.operands[0], 0)] = found


def _append_or_consume(self: Declared, instruction: Instruction) -> None:
    """The declaration tells a counter that may do both; else what is done tells the kind."""
    found = self.views.get(_index(instruction.operands[1], 0))
    if found is not None and found.counter != Counter.COUNTER:
        appends = instruction.token & 0x7FF == ALLOC
        kind = Counter.APPEND if appends else Counter.CONSUME
        found.counter = kind if found.counter in (None, kind) else Counter.COUNTER


# ---------------------------------------------------------------- inputs and outputs


def _register(self: Declared, instruction: Instruction) -> None:
    """dcl_input and dcl_output in all their forms."""
    operand = instruction.operands[0]
    kind = operand.type
    name = OPS[instruction.token & 0x7FF].name
    if kind in names.BUILTINS:
        found = names.BUILTINS[kind]
        if found not in self.builtins:
            self.builtins.append(found)
        return
    meant = name.endswith(("_sgv", "_siv"))
    value = SystemName(_dword(instruction, 0)).name if meant else 0
    mode = InputPs(instruction.token).interpolation if name.startswith("dcl_input_ps") else 0
    # v[32][1] and vicp[32][1]: the register is the last index, before it stands the vertex
    register = _index(operand, len(operand.indices) - 1) if operand.indices else UNBOUNDED
    found_at = DeclaredRegister(register, operand.mask, value, mode)
    if kind == OperandType.INPUT_PATCH_CONSTANT:
        self.patch_constants.append(found_at)
    elif kind == OperandType.OUTPUT_STENCIL_REF:
        self.stencil_ref = True
    elif name.startswith("dcl_output"):
        (self.patch_constants if self.of_patch else self.outputs).append(found_at)
    elif kind != OperandType.OUTPUT_CONTROL_POINT:  # what another phase of a hull shader gave
        self.inputs.append(found_at)
    if mode in SAMPLE_MODES or (meant and name.startswith("dcl_input") and value == SAMPLE_INDEX):
        self.sample_frequency = True


def _patch_phase(self: Declared, instruction: Instruction) -> None:
    self.of_patch = True


def _tiled(self: Declared, instruction: Instruction) -> None:
    self.tiled = True


# ---------------------------------------------------------------- how the stage is run


def _thread_group(self: Declared, instruction: Instruction) -> None:
    self.thread_group = [_dword(instruction, at) for at in range(3)]


def _geometry(self: Declared) -> Geometry:
    if self.geometry is None:
        undefined = Primitive.UNDEFINED
        self.geometry = Geometry(input_primitive=undefined, output_topology="undefined")
    return self.geometry


def _input_primitive(self: Declared, instruction: Instruction) -> None:
    found = _geometry(self)
    number = GsPrimitive(instruction.token).primitive
    if FIRST_PATCH <= number < FIRST_PATCH + 32:
        found.input_primitive, found.input_vertices = Primitive.PATCH, number - FIRST_PATCH + 1
    else:
        unknown = f"unknown_{number}", None
        found.input_primitive, found.input_vertices = PRIMITIVES.get(number, unknown)


def _stream(self: Declared, instruction: Instruction) -> None:
    self.stream = min(_index(instruction.operands[0], 0), 3)


def _output_topology(self: Declared, instruction: Instruction) -> None:
    _geometry(self)
    self.streams[self.stream] = word(names.TOPOLOGIES, GsTopology(instruction.token).topology)


def _max_output_vertices(self: Declared, instruction: Instruction) -> None:
    _geometry(self).max_output_vertices = _dword(instruction, 0)


def _instances(self: Declared, instruction: Instruction) -> None:
    _geometry(self).instances = _dword(instruction, 0)


def _tessellation(self: Declared) -> Tessellation:
    if self.tessellation is None:
        self.tessellation = Tessellation()
    return self.tessellation


def _input_control_points(self: Declared, instruction: Instruction) -> None:
    _tessellation(self).input_control_points = ControlPoints(instruction.token).count


def _output_control_points(self: Declared, instruction: Instruction) -> None:
    _tessellation(self).output_control_points = ControlPoints(instruction.token).count


def _domain(self: Declared, instruction: Instruction) -> None:
    number = TessDomain(instruction.token).domain
    _tessellation(self).domain = word(names.DOMAINS, number)


def _partitioning(self: Declared, instruction: Instruction) -> None:
    number = TessPartitioning(instruction.token).partitioning
    _tessellation(self).partitioning = word(names.PARTITIONINGS, number)


def _output_primitive(self: Declared, instruction: Instruction) -> None:
    number = TessOutputPrimitive(instruction.token).output_primitive
    _tessellation(self).output_primitive = word(names.OUTPUT_PRIMITIVES, number)


def _max_factor(self: Declared, instruction: Instruction) -> None:
    (value,) = struct.unpack("<f", _dword(instruction, 0).to_bytes(4, "little"))
    _tessellation(self).max_factor = value


# ---------------------------------------------------------------- what the program takes


def _global_flags(self: Declared, instruction: Instruction) -> None:
    flags = instruction.token >> FIRST_FLAG
    self.global_flags = [name for bit, name in enumerate(GLOBAL_FLAGS) if flags >> bit & 1]


def _temps(self: Declared, instruction: Instruction) -> None:
    """A hull shader declares them in each phase; what counts is the most."""
    self.temp_registers = max(self.temp_registers, _dword(instruction, 0))


def _temp_array(self: Declared, instruction: Instruction) -> None:
    register, count, components = (_dword(instruction, at) for at in range(3))
    self.temp_arrays.append(TempArray(register=register, count=count, components=components))


def _shared_raw(self: Declared, instruction: Instruction) -> None:
    register = _index(instruction.operands[0], 0)
    self.shared_memory.append(SharedMemory(register=register, size=_dword(instruction, 0)))


def _shared_structured(self: Declared, instruction: Instruction) -> None:
    stride, count = _dword(instruction, 0), _dword(instruction, 1)
    self.shared_memory.append(
        SharedMemory(
            register=_index(instruction.operands[0], 0),
            size=stride * count,
            stride=stride,
            count=count,
        )
    )


def _interface(self: Declared, instruction: Instruction) -> None:
    sizes = TableSizes(_dword(instruction, 2))
    self.slots.append(
        InterfaceSlot(
            start=_dword(instruction, 0),
            span=sizes.array_length,
            class_ids=[],
            tables=list(instruction.words[3:]),
        )
    )


READERS: dict[int, Callable[[Declared, Instruction], None]] = {
    OPS[name].code: read
    for name, read in (
        ("dcl_constantbuffer", _constant_buffer),
        ("dcl_sampler", _sampler),
        ("dcl_resource", _resource),
        ("dcl_resource_raw", _resource_raw),
        ("dcl_resource_structured", _resource_structured),
        ("dcl_uav_typed", _uav_typed),
        ("dcl_uav_raw", _uav_raw),
        ("dcl_uav_structured", _uav_structured),
        ("dcl_input", _register),
        ("dcl_input_sgv", _register),
        ("dcl_input_siv", _register),
        ("dcl_input_ps", _register),
        ("dcl_input_ps_sgv", _register),
        ("dcl_input_ps_siv", _register),
        ("dcl_output", _register),
        ("dcl_output_sgv", _register),
        ("dcl_output_siv", _register),
        ("dcl_thread_group", _thread_group),
        ("dcl_inputprimitive", _input_primitive),
        ("dcl_stream", _stream),
        ("dcl_outputtopology", _output_topology),
        ("dcl_maxout", _max_output_vertices),
        ("dcl_gsinstances", _instances),
        ("dcl_input_control_point_count", _input_control_points),
        ("dcl_output_control_point_count", _output_control_points),
        ("dcl_tessellator_domain", _domain),
        ("dcl_tessellator_partitioning", _partitioning),
        ("dcl_tessellator_output_primitive", _output_primitive),
        ("dcl_hs_max_tessfactor", _max_factor),
        ("dcl_globalFlags", _global_flags),
        ("dcl_temps", _temps),
        ("dcl_indexableTemp", _temp_array),
        ("dcl_tgsm_raw", _shared_raw),
        ("dcl_tgsm_structured", _shared_structured),
        ("dcl_interface", _interface),
        ("hs_fork_phase", _patch_phase),
        ("hs_join_phase", _patch_phase),
        ("imm_atomic_alloc", _append_or_consume),
        ("imm_atomic_consume", _append_or_consume),
    )
} | {op.code: _tiled for op in OPS if op.needs == "tiled"}
