"""STAT: the compiler's counts over the program. 29 words for shader model 4, 37 for 5.

Beside DXIL a part of the same name holds the program without function bodies, laid out like the
part DXIL, with the magic `DXIL` at byte 8. Source: SlimShader Chunks/Stat, d3d11shader.h
(D3D11_SHADER_DESC).
"""

from typing import Any

from ....vocab.d3d import (
    D3DPrimitive,
    PrimitiveTopology,
    TessellatorDomain,
    TessellatorOutputPrimitive,
    TessellatorPartitioning,
)
from ....wire import Record, field, u32
from ....wire.codegen import Arguments
from . import dxil
from .description import Category, PartDescription, Purpose
from .kind import EitherKind, RecordKind


class ShaderStatistics(
    Record, params=("extended",), source="SlimShader Chunks/Stat/StatisticsChunk.cs"
):
    """Counts over the program's instructions and declarations."""

    instruction_count: u32 = field(
        "number of instructions, without declarations, labels and phase markers"
    )
    temp_register_count: u32 = field("number of r registers")
    define_count: u32 = field("number of rows of immediate constant buffers")
    declaration_count: u32 = field("number of input and output declarations")
    float_instruction_count: u32 = field(
        "number of float arithmetic instructions and comparisons, without doubles and rcp"
    )
    int_instruction_count: u32 = field(
        "number of signed integer instructions and comparisons, and shifts to the left"
    )
    uint_instruction_count: u32 = field("number of unsigned integer and bitwise instructions")
    static_flow_control_count: u32 = field(
        "number of break, call, continue, else and ret, and of if, switch, breakc, callc, continuec"
        " and retc on constants; a ret after an if whose branches both end in ret does not count"
    )
    dynamic_flow_control_count: u32 = field(
        "number of if, switch, breakc, callc, continuec and retc on computed values"
    )
    macro_instruction_count: u32 = field(
        "number of macro instructions, as SlimShader assumes; fxc writes 0"
    )
    temp_array_count: u32 = field("number of four-component vectors in all x registers")
    array_instruction_count: u32 = field("number of instructions with an x register")
    cut_instruction_count: u32 = field("number of cut and emit_then_cut instructions")
    emit_instruction_count: u32 = field("number of emit and emit_then_cut instructions")
    texture_normal_instructions: u32 = field("number of sample instructions")
    texture_load_instructions: u32 = field(
        "number of ld and sample_l instructions, and of loads from UAVs and buffers"
    )
    texture_comp_instructions: u32 = field("number of sample_c and sample_c_lz instructions")
    texture_bias_instructions: u32 = field("number of sample_b instructions")
    texture_gradient_instructions: u32 = field("number of sample_d instructions")
    mov_instruction_count: u32 = field("number of mov instructions")
    movc_instruction_count: u32 = field("number of movc instructions")
    conversion_instruction_count: u32 = field(
        "number of type conversions and roundings, and of frc"
    )
    bitwise_instruction_count: u32 = field(
        "fxc writes 0; vkd3d writes the number of and, or and xor"
    )
    input_primitive: u32 = field(
        "input primitive of a geometry shader; of a hull shader 7 + number of control points",
        enum=D3DPrimitive,
    )
    gs_output_topology: u32 = field("output topology of a geometry shader", enum=PrimitiveTopology)
    gs_max_output_vertex_count: u32 = field("maximum number of vertices of a geometry shader")
    texture_gather_instructions: u32 = field(
        "number of gather4 and gather4_po instructions; gather4_c is not counted"
    )
    lod_instructions: u32 = field("number of lod instructions")
    is_sample_frequency: u32 = field("1: the pixel shader runs once per sample")
    gs_instance_count: u32 | None = field(
        "number of instances of a geometry shader", default=None, when="extended"
    )
    control_points: u32 | None = field(
        "number of control points of a patch", default=None, when="extended"
    )
    hs_output_primitive: u32 | None = field(
        "output primitive of the tessellator",
        enum=TessellatorOutputPrimitive,
        default=None,
        when="extended",
    )
    hs_partitioning: u32 | None = field(
        "partitioning of the tessellator",
        enum=TessellatorPartitioning,
        default=None,
        when="extended",
    )
    tessellator_domain: u32 | None = field(
        "domain of the tessellator", enum=TessellatorDomain, default=None, when="extended"
    )
    barrier_instructions: u32 | None = field("number of barriers", default=None, when="extended")
    interlocked_instructions: u32 | None = field(
        "number of atomic instructions, including operations on counters of UAVs",
        default=None,
        when="extended",
    )
    texture_store_instructions: u32 | None = field(
        "number of stores to UAVs", default=None, when="extended"
    )


# Field of `model.Statistics`: field of STAT.
IN_MODEL = {
    "instructions": "instruction_count",
    "temp_registers": "temp_register_count",
    "defines": "define_count",
    "declarations": "declaration_count",
    "float_instructions": "float_instruction_count",
    "int_instructions": "int_instruction_count",
    "uint_instructions": "uint_instruction_count",
    "static_flow_control": "static_flow_control_count",
    "dynamic_flow_control": "dynamic_flow_control_count",
    "macro_instructions": "macro_instruction_count",
    "temp_array_registers": "temp_array_count",
    "array_instructions": "array_instruction_count",
    "cuts": "cut_instruction_count",
    "emits": "emit_instruction_count",
    "texture_samples": "texture_normal_instructions",
    "texture_loads": "texture_load_instructions",
    "texture_comparisons": "texture_comp_instructions",
    "texture_bias": "texture_bias_instructions",
    "texture_gradients": "texture_gradient_instructions",
    "texture_gathers": "texture_gather_instructions",
    "lods": "lod_instructions",
    "moves": "mov_instruction_count",
    "conditional_moves": "movc_instruction_count",
    "conversions": "conversion_instruction_count",
    "bitwise_instructions": "bitwise_instruction_count",
    "barriers": "barrier_instructions",
    "interlocked": "interlocked_instructions",
    "stores": "texture_store_instructions",
}


def _for_data(_: str, data: bytes) -> Arguments:
    return (("extended", len(data) >= 148),)


def _for_value(_: str, value: Any) -> Arguments:
    last = value.get("control_points") if isinstance(value, dict) else value.control_points
    return (("extended", last is not None),)


def is_program(data: bytes) -> bool:
    """Return True if the data of a part are a DXIL program, and not counts."""
    return data[8:12] == b"DXIL"


PARTS = {
    "STAT": PartDescription(
        "statistics",
        Category.STATISTICS,
        EitherKind(
            RecordKind(ShaderStatistics, for_data=_for_data, for_value=_for_value),
            dxil.KIND,
            is_program,
            "bitcode",
        ),
        loss="counts that D3DReflect returns and listings print",
        second=Purpose(
            "program for reflection, DXIL",
            Category.REFLECTION,
            "names and types; reflection is left with the program",
        ),
    )
}
