"""Opcodes, enumerations and bit fields of tokens, as d3d11TokenizedProgramFormat.hpp lists them."""

from __future__ import annotations

from enum import IntEnum

import pytest

from tests.enumerators import enumerators, members
from unshade.isa import Word
from unshade.programs.tpf.tables import enumerations, tokens
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.tables.vocabulary import (
    BUILTINS,
    DIMENSIONS,
    INTERPOLATIONS,
    OUTPUT_VALUES,
    SYSTEM_VALUES,
)

pytestmark = pytest.mark.fast

OPCODES = """
    add and break breakc call callc case continue continuec cut default deriv_rtx deriv_rty discard
    div dp2 dp3 dp4 else emit emit_then_cut endif endloop endswitch eq exp frc ftoi ftou ge iadd if
    ieq ige ilt imad imax imin imul ine ineg ishl ishr itof label ld ldms log loop lt mad min max
    customdata mov movc mul ne nop not or resinfo ret retc round_ne round_ni round_pi round_z rsq
    sample sample_c sample_c_lz sample_l sample_d sample_b sqrt switch sincos udiv ult uge umul umad
    umax umin ushr utof xor
    dcl_resource dcl_constantbuffer dcl_sampler dcl_indexrange dcl_outputtopology dcl_inputprimitive
    dcl_maxout dcl_input dcl_input_sgv dcl_input_siv dcl_input_ps dcl_input_ps_sgv dcl_input_ps_siv
    dcl_output dcl_output_sgv dcl_output_siv dcl_temps dcl_indexableTemp dcl_globalFlags
    lod=108 gather4 samplepos sampleinfo
    hs_decls=113 hs_control_point_phase hs_fork_phase hs_join_phase emit_stream cut_stream
    emit_then_cut_stream fcall bufinfo deriv_rtx_coarse deriv_rtx_fine deriv_rty_coarse
    deriv_rty_fine gather4_c gather4_po gather4_po_c rcp f32tof16 f16tof32 uaddc usubb countbits
    firstbit_hi firstbit_lo firstbit_shi ubfe ibfe bfi bfrev swapc
    dcl_stream dcl_function_body dcl_function_table dcl_interface dcl_input_control_point_count
    dcl_output_control_point_count dcl_tessellator_domain dcl_tessellator_partitioning
    dcl_tessellator_output_primitive dcl_hs_max_tessfactor dcl_hs_fork_phase_instance_count
    dcl_hs_join_phase_instance_count dcl_thread_group dcl_uav_typed dcl_uav_raw dcl_uav_structured
    dcl_tgsm_raw dcl_tgsm_structured dcl_resource_raw dcl_resource_structured
    ld_uav_typed store_uav_typed ld_raw store_raw ld_structured store_structured
    atomic_and atomic_or atomic_xor atomic_cmp_store atomic_iadd atomic_imax atomic_imin atomic_umax
    atomic_umin imm_atomic_alloc imm_atomic_consume imm_atomic_iadd imm_atomic_and imm_atomic_or
    imm_atomic_xor imm_atomic_exch imm_atomic_cmp_exch imm_atomic_imax imm_atomic_imin
    imm_atomic_umax imm_atomic_umin sync dadd dmax dmin dmul deq dge dlt dne dmov dmovc dtof ftod
    eval_snapped eval_sample_index eval_centroid dcl_gsinstances abort debug_break
    ddiv=210 dfma drcp msad dtoi dtou itod utod
    gather4_s=219 gather4_c_s gather4_po_s gather4_po_c_s ld_s ldms_s ld_uav_typed_s ld_raw_s
    ld_structured_s sample_l_s sample_c_lz_s sample_cl_s sample_b_cl_s sample_d_cl_s sample_c_cl_s
    check_access_fully_mapped
"""


def test_opcodes() -> None:
    assert {op.name: op.code for op in OPS} == enumerators(OPCODES)


ENUMERATIONS: tuple[tuple[type[IntEnum], str], ...] = (
    (enumerations.OperandType,
     "TEMP INPUT OUTPUT INDEXABLE_TEMP IMMEDIATE32 IMMEDIATE64 SAMPLER RESOURCE CONSTANT_BUFFER "
     "IMMEDIATE_CONSTANT_BUFFER LABEL INPUT_PRIMITIVEID OUTPUT_DEPTH NULL RASTERIZER "
     "OUTPUT_COVERAGE_MASK STREAM FUNCTION_BODY FUNCTION_TABLE INTERFACE FUNCTION_INPUT "
     "FUNCTION_OUTPUT OUTPUT_CONTROL_POINT_ID INPUT_FORK_INSTANCE_ID INPUT_JOIN_INSTANCE_ID "
     "INPUT_CONTROL_POINT OUTPUT_CONTROL_POINT INPUT_PATCH_CONSTANT INPUT_DOMAIN_POINT "
     "THIS_POINTER UNORDERED_ACCESS_VIEW THREAD_GROUP_SHARED_MEMORY INPUT_THREAD_ID "
     "INPUT_THREAD_GROUP_ID INPUT_THREAD_ID_IN_GROUP INPUT_COVERAGE_MASK "
     "INPUT_THREAD_ID_IN_GROUP_FLATTENED INPUT_GS_INSTANCE_ID OUTPUT_DEPTH_GREATER_EQUAL "
     "OUTPUT_DEPTH_LESS_EQUAL CYCLE_COUNTER OUTPUT_STENCIL_REF INNER_COVERAGE"),
    (enumerations.Components, "ZERO ONE FOUR N"),
    (enumerations.SelectionMode, "MASK SWIZZLE SELECT_1"),
    (enumerations.IndexRepresentation,
     "IMMEDIATE32 IMMEDIATE64 RELATIVE IMMEDIATE32_PLUS_RELATIVE IMMEDIATE64_PLUS_RELATIVE"),
    (enumerations.Modifier, "NONE NEG ABS ABSNEG"),
    (enumerations.ExtendedOpcode, "EMPTY SAMPLE_CONTROLS RESOURCE_DIM RESOURCE_RETURN_TYPE"),
    (enumerations.ExtendedOperand, "EMPTY MODIFIER"),
    (enumerations.CustomClass,
     "COMMENT DEBUGINFO OPAQUE DCL_IMMEDIATE_CONSTANT_BUFFER SHADER_MESSAGE "
     "SHADER_CLIP_PLANE_CONSTANT_MAPPINGS_FOR_DX9"),
    (enumerations.InterpolationMode,
     "UNDEFINED CONSTANT LINEAR LINEAR_CENTROID LINEAR_NOPERSPECTIVE "
     "LINEAR_NOPERSPECTIVE_CENTROID LINEAR_SAMPLE LINEAR_NOPERSPECTIVE_SAMPLE"),
    (enumerations.SamplerMode, "DEFAULT COMPARISON MONO"),
    (enumerations.AccessPattern, "IMMEDIATE_INDEXED DYNAMIC_INDEXED"),
    (enumerations.ResourceDimension,
     "UNKNOWN BUFFER TEXTURE1D TEXTURE2D TEXTURE2DMS TEXTURE3D TEXTURECUBE TEXTURE1DARRAY "
     "TEXTURE2DARRAY TEXTURE2DMSARRAY TEXTURECUBEARRAY RAW_BUFFER STRUCTURED_BUFFER"),
    (enumerations.TypedReturnType,
     "UNORM=1 SNORM SINT UINT FLOAT MIXED DOUBLE CONTINUED UNUSED"),
    (enumerations.ResinfoReturnType, "FLOAT RCPFLOAT UINT"),
    (enumerations.SystemValueName,
     "UNDEFINED POSITION CLIP_DISTANCE CULL_DISTANCE RENDER_TARGET_ARRAY_INDEX "
     "VIEWPORT_ARRAY_INDEX VERTEX_ID PRIMITIVE_ID INSTANCE_ID IS_FRONT_FACE SAMPLE_INDEX "
     "FINAL_QUAD_U_EQ_0_EDGE_TESSFACTOR FINAL_QUAD_V_EQ_0_EDGE_TESSFACTOR "
     "FINAL_QUAD_U_EQ_1_EDGE_TESSFACTOR FINAL_QUAD_V_EQ_1_EDGE_TESSFACTOR "
     "FINAL_QUAD_U_INSIDE_TESSFACTOR FINAL_QUAD_V_INSIDE_TESSFACTOR "
     "FINAL_TRI_U_EQ_0_EDGE_TESSFACTOR FINAL_TRI_V_EQ_0_EDGE_TESSFACTOR "
     "FINAL_TRI_W_EQ_0_EDGE_TESSFACTOR FINAL_TRI_INSIDE_TESSFACTOR "
     "FINAL_LINE_DETAIL_TESSFACTOR FINAL_LINE_DENSITY_TESSFACTOR "
     "BARYCENTRICS SHADINGRATE CULLPRIMITIVE"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("enumeration", "text"), ENUMERATIONS, ids=[each.__name__ for each, _ in ENUMERATIONS]
)
def test_numbers(enumeration: type[IntEnum], text: str) -> None:
    assert members(enumeration) == enumerators(text)


# Fields of a word, each with its lowest bit and its width, without those of the base class.
FIELDS: tuple[tuple[type[Word], type[Word], str], ...] = (
    (tokens.VersionToken, Word, "minor:0:4 major:4:4 kind:16:16"),
    (tokens.OpcodeToken, Word, "opcode:0:11 length:24:7 extended:31:1"),
    (tokens.Arithmetic, tokens.OpcodeToken, "saturate:13:1 precise:19:4"),
    (tokens.Test, tokens.OpcodeToken, "test_nonzero:18:1"),
    (tokens.Resinfo, tokens.Arithmetic, "return_type:11:2"),
    (tokens.SampleInfo, tokens.Arithmetic, "return_uint:11:1"),
    (tokens.Sync, tokens.OpcodeToken,
     "threads_in_group:11:1 shared_memory:12:1 uav_group:13:1 uav_global:14:1"),
    (tokens.GlobalFlags, tokens.OpcodeToken,
     "refactoring_allowed:11:1 enable_double_precision:12:1 force_early_depth_stencil:13:1 "
     "enable_raw_and_structured_buffers:14:1 skip_optimization:15:1 enable_minimum_precision:16:1 "
     "enable_double_extensions:17:1 enable_shader_extensions:18:1 all_resources_bound:19:1"),
    (tokens.ResourceDcl, tokens.OpcodeToken, "dimension:11:5 sample_count:16:7"),
    (tokens.UavDcl, tokens.OpcodeToken,
     "dimension:11:5 globally_coherent:16:1 rasterizer_ordered:17:1 has_counter:23:1"),
    (tokens.ConstantBufferDcl, tokens.OpcodeToken, "access:11:1"),
    (tokens.SamplerDcl, tokens.OpcodeToken, "mode:11:4"),
    (tokens.InputPs, tokens.OpcodeToken, "interpolation:11:4"),
    (tokens.GsTopology, tokens.OpcodeToken, "topology:11:6"),
    (tokens.GsPrimitive, tokens.OpcodeToken, "primitive:11:6"),
    (tokens.ControlPoints, tokens.OpcodeToken, "count:11:6"),
    (tokens.TessDomain, tokens.OpcodeToken, "domain:11:2"),
    (tokens.TessPartitioning, tokens.OpcodeToken, "partitioning:11:3"),
    (tokens.TessOutputPrimitive, tokens.OpcodeToken, "output_primitive:11:3"),
    (tokens.InterfaceDcl, tokens.OpcodeToken, "dynamic_indexed:11:1"),
    (tokens.CustomData, Word, "opcode:0:11 custom_class:11:21"),
    (tokens.ExtendedToken, Word, "kind:0:6 extended:31:1"),
    (tokens.SampleControls, tokens.ExtendedToken, "u:9:4 v:13:4 w:17:4"),
    (tokens.ResourceDim, tokens.ExtendedToken, "dimension:6:5 stride:11:12"),
    (tokens.ResourceReturn, tokens.ExtendedToken, "x:6:4 y:10:4 z:14:4 w:18:4"),
    (tokens.OperandToken, Word,
     "components:0:2 type:12:8 dimension:20:2 index0:22:3 index1:25:3 index2:28:3 extended:31:1"),
    (tokens.ModeToken, tokens.OperandToken, "mode:2:2"),
    (tokens.MaskToken, tokens.ModeToken, "mask:4:4"),
    (tokens.SwizzleToken, tokens.ModeToken, "swizzle:4:8"),
    (tokens.SelectToken, tokens.ModeToken, "select:4:2"),
    (tokens.OperandModifier, Word,
     "kind:0:6 modifier:6:8 min_precision:14:3 non_uniform:17:1 extended:31:1"),
    (tokens.ReturnTypes, Word, "x:0:4 y:4:4 z:8:4 w:12:4"),
    (tokens.SystemName, Word, "name:0:16"),
    (tokens.TableSizes, Word, "table_length:0:16 array_length:16:16"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("word", "base", "text"), FIELDS, ids=[word.__name__ for word, _, _ in FIELDS]
)
def test_places_of_fields(word: type[Word], base: type[Word], text: str) -> None:
    inherited = {each.name for each in getattr(base, "FIELDS", ())}
    own = [each for each in word.FIELDS if each.name not in inherited]
    assert {f"{each.name}:{each.low}:{each.width}" for each in own} == set(text.split())


def test_words_of_numbers() -> None:
    assert [DIMENSIONS[each].value for each in range(1, 13)] == [
        "buffer", "1d", "2d", "2dms", "3d", "cube", "1darray", "2darray", "2dmsarray", "cubearray",
        "buffer", "buffer",
    ]  # fmt: skip
    assert [INTERPOLATIONS[each].value for each in range(1, 8)] == [
        "constant", "linear", "linear_centroid", "linear_noperspective",
        "linear_noperspective_centroid", "linear_sample", "linear_noperspective_sample",
    ]  # fmt: skip
    assert [SYSTEM_VALUES[each].value for each in range(11, 23)] == [
        *["final_quad_edge_tessfactor"] * 4, *["final_quad_inside_tessfactor"] * 2,
        *["final_tri_edge_tessfactor"] * 3, "final_tri_inside_tessfactor",
        "final_line_detail_tessfactor", "final_line_density_tessfactor",
    ]  # fmt: skip
    assert {number: value.value for number, value in OUTPUT_VALUES.items()} == {
        12: "depth", 15: "coverage", 38: "depth_greater_equal", 39: "depth_less_equal",
        41: "stencil_ref",
    }  # fmt: skip
    assert {number: value.value for number, value in BUILTINS.items()} == {
        11: "primitive_id", 22: "output_control_point_id", 23: "fork_instance_id",
        24: "join_instance_id", 28: "domain_location", 32: "thread_id", 33: "thread_group_id",
        34: "thread_id_in_group", 35: "coverage", 36: "thread_id_in_group_flattened",
        37: "gs_instance_id", 40: "cycle_counter", 42: "inner_coverage",
    }  # fmt: skip
