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
from ....programs.tpf import Instruction, Program, vocabulary
from ....programs.tpf.enumerations import OperandType
from ....programs.tpf.ops import OPS
from ....programs.tpf.spellings import GLOBAL_FLAGS
from ....programs.tpf.tokens import (
    ControlPoints,
    GlobalFlags,
    GsPrimitive,
    GsTopology,
    InputPs,
    SystemName,
    TableSizes,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
)
from ....vocab import d3d
from ....vocab.numbers import word
from .program_facts import DeclaredRegister, ProgramFacts, dword, index
from .program_resources import READERS as RESOURCE_READERS

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


def facts_of(program: Program) -> ProgramFacts:
    """All that the program declares."""
    found = ProgramFacts()
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


def _register(facts: ProgramFacts, instruction: Instruction) -> None:
    """dcl_input and dcl_output in all their forms."""
    operand = instruction.operands[0]
    kind = operand.type
    name = OPS[instruction.token & 0x7FF].name
    if kind in vocabulary.BUILTINS:
        found = vocabulary.BUILTINS[kind]
        if found not in facts.builtins:
            facts.builtins.append(found)
        return
    meant = name.endswith(("_sgv", "_siv"))
    value = SystemName(dword(instruction, 0)).name if meant else 0
    mode = InputPs(instruction.token).interpolation if name.startswith("dcl_input_ps") else 0
    # v[32][1] and vicp[32][1]: the register is the last index, before it stands the vertex
    register = index(operand, len(operand.indices) - 1) if operand.indices else NOWHERE
    found_at = DeclaredRegister(register, operand.mask, value, mode)
    if kind == OperandType.INPUT_PATCH_CONSTANT:
        facts.patch_constants.append(found_at)
    elif kind == OperandType.OUTPUT_STENCIL_REF:
        facts.stencil_ref = True
    elif name.startswith("dcl_output"):
        (facts.patch_constants if facts.of_patch else facts.outputs).append(found_at)
    elif kind != OperandType.OUTPUT_CONTROL_POINT:  # what another phase of a hull shader gave
        facts.inputs.append(found_at)
    if mode in SAMPLE_MODES or (meant and name.startswith("dcl_input") and value == SAMPLE_INDEX):
        facts.sample_frequency = True


def _patch_phase(facts: ProgramFacts, instruction: Instruction) -> None:
    facts.of_patch = True


def _tiled(facts: ProgramFacts, instruction: Instruction) -> None:
    facts.tiled = True


# ---------------------------------------------------------------- how the stage is run


def _thread_group(facts: ProgramFacts, instruction: Instruction) -> None:
    facts.thread_group = [dword(instruction, at) for at in range(3)]


def _geometry(facts: ProgramFacts) -> Geometry:
    if facts.geometry is None:
        undefined = Primitive.UNDEFINED
        facts.geometry = Geometry(input_primitive=undefined, output_topology="undefined")
    return facts.geometry


def _input_primitive(facts: ProgramFacts, instruction: Instruction) -> None:
    found = _geometry(facts)
    number = GsPrimitive(instruction.token).primitive
    if FIRST_PATCH <= number < FIRST_PATCH + 32:
        found.input_primitive, found.input_vertices = Primitive.PATCH, number - FIRST_PATCH + 1
    else:
        unknown = f"unknown_{number}", None
        found.input_primitive, found.input_vertices = PRIMITIVES.get(number, unknown)


def _stream(facts: ProgramFacts, instruction: Instruction) -> None:
    facts.stream = min(index(instruction.operands[0], 0), 3)


def _output_topology(facts: ProgramFacts, instruction: Instruction) -> None:
    _geometry(facts)
    facts.streams[facts.stream] = word(d3d.TOPOLOGIES, GsTopology(instruction.token).topology)


def _max_output_vertices(facts: ProgramFacts, instruction: Instruction) -> None:
    _geometry(facts).max_output_vertices = dword(instruction, 0)


def _instances(facts: ProgramFacts, instruction: Instruction) -> None:
    _geometry(facts).instances = dword(instruction, 0)


def _tessellation(facts: ProgramFacts) -> Tessellation:
    if facts.tessellation is None:
        facts.tessellation = Tessellation()
    return facts.tessellation


def _input_control_points(facts: ProgramFacts, instruction: Instruction) -> None:
    _tessellation(facts).input_control_points = ControlPoints(instruction.token).count


def _output_control_points(facts: ProgramFacts, instruction: Instruction) -> None:
    _tessellation(facts).output_control_points = ControlPoints(instruction.token).count


def _domain(facts: ProgramFacts, instruction: Instruction) -> None:
    number = TessDomain(instruction.token).domain
    _tessellation(facts).domain = word(d3d.DOMAINS, number)


def _partitioning(facts: ProgramFacts, instruction: Instruction) -> None:
    number = TessPartitioning(instruction.token).partitioning
    _tessellation(facts).partitioning = word(d3d.PARTITIONINGS, number)


def _output_primitive(facts: ProgramFacts, instruction: Instruction) -> None:
    number = TessOutputPrimitive(instruction.token).output_primitive
    _tessellation(facts).output_primitive = word(d3d.OUTPUT_PRIMITIVES, number)


def _max_factor(facts: ProgramFacts, instruction: Instruction) -> None:
    (value,) = struct.unpack("<f", dword(instruction, 0).to_bytes(4, "little"))
    _tessellation(facts).max_factor = value


# ---------------------------------------------------------------- what the program takes


def _global_flags(facts: ProgramFacts, instruction: Instruction) -> None:
    flags = instruction.token >> FIRST_FLAG
    facts.global_flags = [name for bit, name in enumerate(GLOBAL_FLAGS) if flags >> bit & 1]


def _temps(facts: ProgramFacts, instruction: Instruction) -> None:
    """A hull shader declares them in each phase; what counts is the most."""
    facts.temp_registers = max(facts.temp_registers, dword(instruction, 0))


def _temp_array(facts: ProgramFacts, instruction: Instruction) -> None:
    register, count, components = (dword(instruction, at) for at in range(3))
    facts.temp_arrays.append(TempArray(register=register, count=count, components=components))


def _shared_raw(facts: ProgramFacts, instruction: Instruction) -> None:
    register = index(instruction.operands[0], 0)
    facts.shared_memory.append(SharedMemory(register=register, size=dword(instruction, 0)))


def _shared_structured(facts: ProgramFacts, instruction: Instruction) -> None:
    stride, count = dword(instruction, 0), dword(instruction, 1)
    facts.shared_memory.append(
        SharedMemory(
            register=index(instruction.operands[0], 0),
            size=stride * count,
            stride=stride,
            count=count,
        )
    )


def _interface(facts: ProgramFacts, instruction: Instruction) -> None:
    sizes = TableSizes(dword(instruction, 2))
    facts.slots.append(
        InterfaceSlot(
            start=dword(instruction, 0),
            span=sizes.array_length,
            class_ids=[],
            tables=list(instruction.words[3:]),
        )
    )


BY_NAME: tuple[tuple[str, Callable[[ProgramFacts, Instruction], None]], ...] = (
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
