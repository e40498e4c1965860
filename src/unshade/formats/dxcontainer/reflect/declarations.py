"""What a Shader Model 4 to 5.1 program declares about itself.

    dcl_input_ps linear noperspective v1.xy
    dcl_thread_group 8, 8, 1
    dcl_temps 3

A stripped file has nothing else; in others this completes what RDEF and the signatures say. A
reader stands for each declaration; the few instructions with one tell what no declaration does.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked against the other parts of
compiled files.
"""

import struct
from collections.abc import Callable

from ....model import Geometry, InterfaceSlot, Primitive, SharedMemory, TempArray, Tessellation
from ....programs.tpf import Instruction, Program
from ....programs.tpf.ops import OPS
from ....programs.tpf.spellings import GLOBAL_FLAGS
from ....programs.tpf.tokens import (
    ControlPoints,
    GlobalFlags,
    GsPrimitive,
    GsTopology,
    InputPs,
    OperandType,
    SystemName,
    TableSizes,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
)
from . import names
from .declared import Declared, DeclaredRegister, dword, index
from .declared_resources import READERS as RESOURCE_READERS
from .names import word

NOWHERE = 0xFFFF_FFFF  # outside the register file, as signatures write it
FIRST_FLAG = GlobalFlags.FIELDS[1].low  # behind the opcode
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


def declarations(program: Program) -> Declared:
    """All that the program declares."""
    found = Declared()
    for instruction in program.instructions:
        read = READERS.get(instruction.token & 0x7FF)
        if read is not None:
            read(found, instruction)
    if found.geometry is not None:
        last = max(found.streams, default=-1)
        found.geometry.streams = [found.streams.get(i, "undefined") for i in range(last + 1)]
        found.geometry.output_topology = next(iter(found.streams.values()), "undefined")
    return found


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
    value = SystemName(dword(instruction, 0)).name if meant else 0
    mode = InputPs(instruction.token).interpolation if name.startswith("dcl_input_ps") else 0
    # v[32][1] and vicp[32][1]: the register is the last index, before it stands the vertex
    register = index(operand, len(operand.indices) - 1) if operand.indices else NOWHERE
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
    self.thread_group = [dword(instruction, at) for at in range(3)]


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
    self.stream = min(index(instruction.operands[0], 0), 3)


def _output_topology(self: Declared, instruction: Instruction) -> None:
    _geometry(self)
    self.streams[self.stream] = word(names.TOPOLOGIES, GsTopology(instruction.token).topology)


def _max_output_vertices(self: Declared, instruction: Instruction) -> None:
    _geometry(self).max_output_vertices = dword(instruction, 0)


def _instances(self: Declared, instruction: Instruction) -> None:
    _geometry(self).instances = dword(instruction, 0)


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
    (value,) = struct.unpack("<f", dword(instruction, 0).to_bytes(4, "little"))
    _tessellation(self).max_factor = value


# ---------------------------------------------------------------- what the program takes


def _global_flags(self: Declared, instruction: Instruction) -> None:
    flags = instruction.token >> FIRST_FLAG
    self.global_flags = [name for bit, name in enumerate(GLOBAL_FLAGS) if flags >> bit & 1]


def _temps(self: Declared, instruction: Instruction) -> None:
    """A hull shader declares them in each phase; what counts is the most."""
    self.temp_registers = max(self.temp_registers, dword(instruction, 0))


def _temp_array(self: Declared, instruction: Instruction) -> None:
    register, count, components = (dword(instruction, at) for at in range(3))
    self.temp_arrays.append(TempArray(register=register, count=count, components=components))


def _shared_raw(self: Declared, instruction: Instruction) -> None:
    register = index(instruction.operands[0], 0)
    self.shared_memory.append(SharedMemory(register=register, size=dword(instruction, 0)))


def _shared_structured(self: Declared, instruction: Instruction) -> None:
    stride, count = dword(instruction, 0), dword(instruction, 1)
    self.shared_memory.append(
        SharedMemory(
            register=index(instruction.operands[0], 0),
            size=stride * count,
            stride=stride,
            count=count,
        )
    )


def _interface(self: Declared, instruction: Instruction) -> None:
    sizes = TableSizes(dword(instruction, 2))
    self.slots.append(
        InterfaceSlot(
            start=dword(instruction, 0),
            span=sizes.array_length,
            class_ids=[],
            tables=list(instruction.words[3:]),
        )
    )


BY_NAME: tuple[tuple[str, Callable[[Declared, Instruction], None]], ...] = (
    *RESOURCE_READERS,
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
)
READERS = {OPS[name].code: read for name, read in BY_NAME}
READERS |= {op.code: _tiled for op in OPS if op.needs == "tiled"}
