"""STAT: what a compiler counted. 29 words for shader model 4, 37 for 5.

Beside DXIL the same name holds a program without bodies, which `dxil` reads; the two are told apart
by the magic `DXIL` at byte 8. Source: SlimShader Chunks/Stat, d3d11shader.h (D3D11_SHADER_DESC).
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
from ....wire.code import Arguments
from .kind import RecordKind


class ShaderStatistics(
    Record, params=("extended",), source="SlimShader Chunks/Stat/StatisticsChunk.cs"
):
    """Counts over the program's instructions and declarations."""

    instruction_count: u32 = field("instructions; labels and phase markers are none")
    temp_register_count: u32 = field("r registers")
    define_count: u32 = field("literals defined")
    declaration_count: u32 = field("input and output declarations")
    float_instruction_count: u32 = field("float arithmetic")
    int_instruction_count: u32 = field("signed arithmetic")
    uint_instruction_count: u32 = field("unsigned arithmetic")
    static_flow_control_count: u32 = field("flow control on constants")
    dynamic_flow_control_count: u32 = field("flow control on values")
    macro_instruction_count: u32 = field("macro instructions, by SlimShader's guess; fxc writes 0")
    temp_array_count: u32 = field("x registers, as vectors")
    array_instruction_count: u32 = field("instructions that index arrays")
    cut_instruction_count: u32 = field("cut")
    emit_instruction_count: u32 = field("emit")
    texture_normal_instructions: u32 = field("sample, gather4")
    texture_load_instructions: u32 = field("ld")
    texture_comp_instructions: u32 = field("sample_c")
    texture_bias_instructions: u32 = field("sample_b")
    texture_gradient_instructions: u32 = field("sample_d")
    mov_instruction_count: u32 = field("mov")
    movc_instruction_count: u32 = field("movc")
    conversion_instruction_count: u32 = field("conversions between types")
    bitwise_instruction_count: u32 = field("fxc writes 0; vkd3d: and, or, xor")
    input_primitive: u32 = field(
        "what a geometry shader takes; a hull shader: 7 + control points", enum=D3DPrimitive
    )
    gs_output_topology: u32 = field("what a geometry shader gives", enum=PrimitiveTopology)
    gs_max_output_vertex_count: u32 = field("vertices that a geometry shader gives at most")
    texture_gather_instructions: u32 = field("gather4, gather4_po; gather4_c is not counted")
    lod_instructions: u32 = field("lod")
    is_sample_frequency: u32 = field("1: a pixel shader runs once for each sample")
    gs_instance_count: u32 | None = field(
        "instances of a geometry shader", default=None, when="extended"
    )
    control_points: u32 | None = field(
        "control points that a patch has", default=None, when="extended"
    )
    hs_output_primitive: u32 | None = field(
        "what the tessellator gives", enum=TessellatorOutputPrimitive, default=None, when="extended"
    )
    hs_partitioning: u32 | None = field(
        "how the tessellator divides", enum=TessellatorPartitioning, default=None, when="extended"
    )
    tessellator_domain: u32 | None = field(
        "shape of a patch", enum=TessellatorDomain, default=None, when="extended"
    )
    barrier_instructions: u32 | None = field("barriers", default=None, when="extended")
    interlocked_instructions: u32 | None = field("atomics", default=None, when="extended")
    texture_store_instructions: u32 | None = field("stores to UAVs", default=None, when="extended")


# The counts by their names in the model.
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


PART = RecordKind(
    ShaderStatistics,
    for_data=_for_data,
    for_value=_for_value,
    unless=lambda data: data[8:12] == b"DXIL",
)
