"""Direct3D's numbers in the words of the reflection model.

Words and numbers have the same names but for their case (`SystemValue.POSITION` is `position`), so
a table follows from the two enumerations; where the numbers are Direct3D's but the names differ,
the table says so. Source: vocab.d3d and programs.tpf.enumerations, where the numbers come from.
"""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import TypeVar

from ....model import (
    Builtin,
    ComponentType,
    Dimension,
    Domain,
    Interpolation,
    MinPrecision,
    OutputPrimitive,
    Partitioning,
    ReturnType,
    Stage,
    SystemValue,
    Topology,
    TypeClass,
)
from ....programs.tpf import enumerations
from ....programs.tpf.enumerations import Name, OperandType, ResourceDimension
from ....vocab import d3d

W = TypeVar("W", bound=StrEnum)


def same_names(numbers: type[IntEnum], words: type[W]) -> dict[int, W]:
    """The words with the names of the numbers; a number without one has none."""
    return {
        number.value: words[name]
        for name, number in numbers.__members__.items()
        if name in words.__members__
    }


def word(table: Mapping[int, W], number: int) -> W | str:
    """The word for a number; a number without one is `unknown_N`."""
    return table.get(number) or f"unknown_{number}"


STAGES = same_names(d3d.ShaderKind, Stage)
COMPONENT_TYPES = same_names(d3d.ComponentType, ComponentType)
MIN_PRECISIONS = same_names(d3d.MinPrecision, MinPrecision)
SYSTEM_VALUES = same_names(d3d.SystemValue, SystemValue)
INTERPOLATIONS = same_names(enumerations.Interpolation, Interpolation)
RETURN_TYPES = same_names(d3d.ReturnType, ReturnType)
TYPE_CLASSES = same_names(d3d.VariableClass, TypeClass)
TOPOLOGIES = same_names(d3d.PrimitiveTopology, Topology)
DOMAINS = same_names(d3d.TessellatorDomain, Domain)
PARTITIONINGS = same_names(d3d.TessellatorPartitioning, Partitioning)
OUTPUT_PRIMITIVES = same_names(d3d.TessellatorOutputPrimitive, OutputPrimitive)


def _dimension(name: str) -> Dimension | None:
    shape = name.lower().removeprefix("texture")
    if "buffer" in shape:
        return Dimension.BUFFER
    return Dimension(shape) if shape != "unknown" else None


# RDEF and the program number shapes differently; both name them alike.
SRV_DIMENSIONS = {n.value: found for n in d3d.SrvDimension if (found := _dimension(n.name))}
TOKEN_DIMENSIONS = {n.value: found for n in ResourceDimension if (found := _dimension(n.name))}
MULTISAMPLED = (Dimension.D2_MS, Dimension.D2_MS_ARRAY)


def _token_system_value(name: Name) -> SystemValue | None:
    """The program names each tessellation factor: FINAL_QUAD_U_EQ_0_EDGE_TESSFACTOR, …"""
    text = name.name
    for edge in ("U_EQ_0_", "V_EQ_0_", "W_EQ_0_", "U_EQ_1_", "V_EQ_1_"):
        text = text.replace(edge, "")
    text = text.replace("_U_INSIDE", "_INSIDE").replace("_V_INSIDE", "_INSIDE")
    return SystemValue.__members__.get(text)


TOKEN_SYSTEM_VALUES = {n.value: meant for n in Name if (meant := _token_system_value(n))}

# fxc stores no system value for what a pixel shader gives; one in a register is a render target,
# the others go by their semantic. Listings print it so.
PIXEL_OUTPUTS = {
    "sv_target": SystemValue.TARGET,
    "sv_depth": SystemValue.DEPTH,
    "sv_depthgreaterequal": SystemValue.DEPTH_GREATER_EQUAL,
    "sv_depthlessequal": SystemValue.DEPTH_LESS_EQUAL,
    "sv_coverage": SystemValue.COVERAGE,
    "sv_stencilref": SystemValue.STENCIL_REF,
}

BUILTINS: dict[int, Builtin] = {
    OperandType.INPUT_PRIMITIVEID: Builtin.PRIMITIVE_ID,
    OperandType.OUTPUT_CONTROL_POINT_ID: Builtin.OUTPUT_CONTROL_POINT_ID,
    OperandType.INPUT_FORK_INSTANCE_ID: Builtin.FORK_INSTANCE_ID,
    OperandType.INPUT_JOIN_INSTANCE_ID: Builtin.JOIN_INSTANCE_ID,
    OperandType.INPUT_DOMAIN_POINT: Builtin.DOMAIN_LOCATION,
    OperandType.INPUT_THREAD_ID: Builtin.THREAD_ID,
    OperandType.INPUT_THREAD_GROUP_ID: Builtin.THREAD_GROUP_ID,
    OperandType.INPUT_THREAD_ID_IN_GROUP: Builtin.THREAD_ID_IN_GROUP,
    OperandType.INPUT_COVERAGE_MASK: Builtin.COVERAGE,
    OperandType.INPUT_THREAD_ID_IN_GROUP_FLATTENED: Builtin.THREAD_ID_IN_GROUP_FLATTENED,
    OperandType.INPUT_GS_INSTANCE_ID: Builtin.GS_INSTANCE_ID,
    OperandType.CYCLE_COUNTER: Builtin.CYCLE_COUNTER,
    OperandType.INNER_COVERAGE: Builtin.INNER_COVERAGE,
}

# D3DCOMPILE_*, from d3dcompiler.h.
COMPILE_FLAGS = (
    (0x00_0001, "debug"),
    (0x00_0002, "skip_validation"),
    (0x00_0004, "skip_optimization"),
    (0x00_0008, "pack_matrix_row_major"),
    (0x00_0010, "pack_matrix_column_major"),
    (0x00_0020, "partial_precision"),
    (0x00_0040, "force_vs_software_no_opt"),
    (0x00_0080, "force_ps_software_no_opt"),
    (0x00_0100, "no_preshader"),
    (0x00_0200, "avoid_flow_control"),
    (0x00_0400, "prefer_flow_control"),
    (0x00_0800, "enable_strictness"),
    (0x00_1000, "enable_backwards_compatibility"),
    (0x00_2000, "ieee_strictness"),
    (0x00_4000, "optimization_level0"),
    (0x00_8000, "optimization_level3"),
    (0x04_0000, "warnings_are_errors"),
    (0x08_0000, "resources_may_alias"),
    (0x10_0000, "enable_unbounded_descriptor_tables"),
    (0x20_0000, "all_resources_bound"),
)


def flag_names(table: tuple[tuple[int, str], ...], flags: int) -> list[str]:
    """The names of the set bits; those without a name together as one hex number."""
    found = [name for bit, name in table if flags & bit]
    rest = flags
    for bit, _ in table:
        rest &= ~bit
    return [*found, f"0x{rest:x}"] if rest else found


def components(mask: int) -> str:
    """The letters of a component mask: 0b0101 is xz."""
    return "".join(letter for bit, letter in enumerate("xyzw") if mask >> bit & 1)
