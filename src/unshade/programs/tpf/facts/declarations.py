"""Facts from declarations.

    dcl_input_ps linear noperspective v1.xy
    dcl_thread_group 8, 8, 1
    dcl_temps 3

There is a reader for each declaration, and for a few operations whose use is not declared.

Source: the public header d3d12TokenizedProgramFormat.hpp, checked against the other parts of
compiled files.
"""

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ....model import (
    Geometry,
    InterfaceSlot,
    Primitive,
    SharedMemory,
    Stage,
    TempArray,
    Tessellation,
)
from ....model.facts import ProgramPort
from ....vocab import d3d
from ....vocab.numbers import components, word
from ..instruction import Instruction
from ..kept import Kept
from ..ports import interface_labels, label_of, register_of, slot_of, table_labels
from ..tables import vocabulary
from ..tables.enumerations import OperandType, SystemValueName
from ..tables.ops import OPS
from ..tables.spellings import GLOBAL_FLAGS
from ..tables.tokens import (
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
from .gathering import Gathering, PortDeclaration, dword, index
from .resources import READERS as RESOURCE_READERS

__all__ = ["READERS"]

FIRST_FLAG = GlobalFlags.FIELDS[1].low  # after the opcode
SAMPLE_MODES = (6, 7)  # linear sample, linear noperspective sample
# Primitives and their numbers of vertices; numbers from FIRST_PATCH on are patches.
PRIMITIVES: dict[int, tuple[Primitive, int | None]] = {
    0: (Primitive.UNDEFINED, None),
    1: (Primitive.POINT, 1),
    2: (Primitive.LINE, 2),
    3: (Primitive.TRIANGLE, 3),
    6: (Primitive.LINE_ADJ, 4),
    7: (Primitive.TRIANGLE_ADJ, 6),
}
FIRST_PATCH = 8  # a patch of one control point; 39 has 32
MASKED = 2  # component code of an operand with a mask


# ---------------------------------------------------------------- inputs and outputs


def _register(found: Gathering, instruction: Instruction) -> None:
    """Read any dcl_input or dcl_output."""
    ports = found.ports
    if ports is None:
        found.ports = ports = ports_of(found.facts.stage, found.stream, found.of_patch)
    fields, listed, stencil_ref, sample_frequency = ports.of(instruction)
    there = vars(found.facts)[listed]
    if listed != "builtins" or all(each.slot != fields["slot"] for each in there):
        there.append(ProgramPort.of_values(fields, path=found.path))
    if stencil_ref:
        found.stencil_ref = True
    if sample_frequency:
        found.facts.sample_frequency = True


@lru_cache(maxsize=64)
def ports_of(stage: Stage | str | None, stream: int, of_patch: bool) -> Kept[PortDeclaration]:
    """Return the reader of ports in that stage, shared by all programs."""
    return Kept(lambda instruction: _port(instruction, stage, stream, of_patch))


def _port(
    instruction: Instruction, stage: Stage | str | None, stream: int, of_patch: bool
) -> PortDeclaration:
    operand = instruction.operands[0]
    kind = operand.type
    is_output, has_value, interpolated = DECLARED[instruction.token & 0x7FF]
    value = dword(instruction, 0) & SystemName.name.mask if has_value else 0
    mode = InputPs.interpolation.of(instruction.token) if interpolated else 0
    stream = stream if is_output else 0
    listed = "inputs"
    if kind in vocabulary.BUILTINS:
        listed = "builtins"
    elif kind == OperandType.INPUT_PATCH_CONSTANT or (is_output and of_patch):
        listed = "patch_constants"
    elif is_output:
        listed = "outputs"
    elif kind == OperandType.OUTPUT_CONTROL_POINT:  # the output of another phase of a hull shader
        listed = "outputs_read"
    number = register_of(operand)
    fields: dict[str, Any] = {
        "label": label_of(operand),
        "slot": slot_of(stage, kind, number, stream=stream, of_patch=of_patch),
        "components": components(operand.mask if operand.components == MASKED else 1),
    }
    if value:
        fields["system_value"] = word(vocabulary.SYSTEM_VALUES, value)
    if stage == Stage.PIXEL and not is_output:
        fields["interpolation"] = word(vocabulary.INTERPOLATIONS, mode)
    sampled = has_value and not is_output and value == SystemValueName.SAMPLE_INDEX
    return PortDeclaration(
        fields=fields,
        listed=listed,
        stencil_ref=is_output and kind == OperandType.OUTPUT_STENCIL_REF,
        sample_frequency=mode in SAMPLE_MODES or sampled,
    )


def _control_point_phase(found: Gathering, instruction: Instruction) -> None:
    found.facts.passes_control_points = False


def _patch_phase(found: Gathering, instruction: Instruction) -> None:
    found.enter(of_patch=True)


def _tiled(found: Gathering, instruction: Instruction) -> None:
    found.tiled = True


# ---------------------------------------------------------------- settings of the stage


def _thread_group(found: Gathering, instruction: Instruction) -> None:
    found.facts.thread_group = [dword(instruction, at) for at in range(3)]


def _geometry(found: Gathering) -> Geometry:
    if found.facts.geometry is None:
        undefined = Primitive.UNDEFINED
        found.facts.geometry = Geometry(input_primitive=undefined, output_topology="undefined")
    return found.facts.geometry


def _input_primitive(found: Gathering, instruction: Instruction) -> None:
    geometry = _geometry(found)
    number = GsPrimitive(instruction.token).primitive
    first = FIRST_PATCH
    if first <= number < first + 32:
        geometry.input_primitive, geometry.input_vertices = Primitive.PATCH, number - first + 1
    else:
        unknown = f"unknown_{number}", None
        primitive = PRIMITIVES.get(number, unknown)
        geometry.input_primitive, geometry.input_vertices = primitive


def _stream(found: Gathering, instruction: Instruction) -> None:
    found.enter(stream=min(index(instruction.operands[0], 0), 3))


def _output_topology(found: Gathering, instruction: Instruction) -> None:
    _geometry(found)
    found.streams[found.stream] = word(d3d.TOPOLOGIES, GsTopology(instruction.token).topology)


def _max_output_vertices(found: Gathering, instruction: Instruction) -> None:
    _geometry(found).max_output_vertices = dword(instruction, 0)


def _instances(found: Gathering, instruction: Instruction) -> None:
    _geometry(found).instances = dword(instruction, 0)


def _tessellation(found: Gathering) -> Tessellation:
    if found.facts.tessellation is None:
        found.facts.tessellation = Tessellation()
    return found.facts.tessellation


def _input_control_points(found: Gathering, instruction: Instruction) -> None:
    _tessellation(found).input_control_points = ControlPoints(instruction.token).count


def _output_control_points(found: Gathering, instruction: Instruction) -> None:
    _tessellation(found).output_control_points = ControlPoints(instruction.token).count


def _domain(found: Gathering, instruction: Instruction) -> None:
    number = TessDomain(instruction.token).domain
    _tessellation(found).domain = word(d3d.DOMAINS, number)


def _partitioning(found: Gathering, instruction: Instruction) -> None:
    number = TessPartitioning(instruction.token).partitioning
    _tessellation(found).partitioning = word(d3d.PARTITIONINGS, number)


def _output_primitive(found: Gathering, instruction: Instruction) -> None:
    number = TessOutputPrimitive(instruction.token).output_primitive
    _tessellation(found).output_primitive = word(d3d.OUTPUT_PRIMITIVES, number)


def _max_factor(found: Gathering, instruction: Instruction) -> None:
    (value,) = struct.unpack("<f", dword(instruction, 0).to_bytes(4, "little"))
    _tessellation(found).max_factor = value


# ---------------------------------------------------------------- flags, registers and interfaces


def _global_flags(found: Gathering, instruction: Instruction) -> None:
    found.facts.global_flags = list(_flag_names(instruction.token >> FIRST_FLAG))


@lru_cache(maxsize=256)
def _flag_names(flags: int) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(GLOBAL_FLAGS) if flags >> bit & 1)


def _temps(found: Gathering, instruction: Instruction) -> None:
    """Read dcl_temps; each phase of a hull shader has one dcl_temps, and the greatest counts."""
    facts = found.facts
    facts.temp_registers = max(facts.temp_registers or 0, dword(instruction, 0))


def _temp_array(found: Gathering, instruction: Instruction) -> None:
    register, count, components = (dword(instruction, at) for at in range(3))
    found.facts.temp_arrays.append(TempArray(register=register, count=count, components=components))


def _shared_raw(found: Gathering, instruction: Instruction) -> None:
    register = index(instruction.operands[0], 0)
    found.facts.shared_memory.append(SharedMemory(register=register, size=dword(instruction, 0)))


def _shared_structured(found: Gathering, instruction: Instruction) -> None:
    stride, count = dword(instruction, 0), dword(instruction, 1)
    found.facts.shared_memory.append(
        SharedMemory(
            register=index(instruction.operands[0], 0),
            size=stride * count,
            stride=stride,
            count=count,
        )
    )


def _interface(found: Gathering, instruction: Instruction) -> None:
    start, span = dword(instruction, 0), TableSizes(dword(instruction, 2)).array_length
    tables = list(instruction.words[3:])
    found.facts.interfaces.append(
        InterfaceSlot(
            start=start,
            span=span,
            class_ids=[],
            tables=tables,
            labels=interface_labels(start, span),
            table_labels=table_labels(tables),
        )
    )


def _function_table(found: Gathering, instruction: Instruction) -> None:
    found.facts.function_tables.append(dword(instruction, 0))


BY_NAME: tuple[tuple[str, Callable[[Gathering, Instruction], None]], ...] = (
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
    ("dcl_function_table", _function_table),
    ("hs_control_point_phase", _control_point_phase),
    ("hs_fork_phase", _patch_phase),
    ("hs_join_phase", _patch_phase),
)
READERS = {OPS[name].code: read for name, read in BY_NAME}
# Whether a declaration is of an output, has a system value, and an interpolation mode.
DECLARED = {
    OPS[name].code: (
        name.startswith("dcl_output"),
        name.endswith(("_sgv", "_siv")),
        name.startswith("dcl_input_ps"),
    )
    for name, read in BY_NAME
    if read is _register
}
READERS |= {op.code: _tiled for op in OPS if op.needs == "tiled"}
