"""Spellings in other tools' listings, with fxc's equivalents.

    dcl_constantBuffer cb0[2], immediateIndexed      dcl_constantbuffer cb0[2], immediateIndexed
    dcl_input_sgv v1.x, instanceid                   dcl_input_sgv v1.x, instance_id
    breakp_nz r0.x                                   breakc_nz r0.x
    mul r0.xy, v0.xyxx, vDomainLocation.x            mul r0.xy, v0.xyxx, vDomain.x

The assembler reads them in every text; no printer writes them. A word is read as an alias only
where the native word is possible: `pointlist` is an output topology of fxc and an input primitive
of vkd3d-compiler. Differences in more than words are handled in assembler/vkd3d.py and in the
readers.

Source: the listings that vkd3d-compiler 2.1 prints of 1,471 programs, and the names in its library;
RenderDoc's dxbc_stringise.cpp and dxbc_bytecode_ops.cpp; the public reference of Shader Model 4 and
5 assembly (docs).
"""

from types import MappingProxyType

__all__ = ["MNEMONICS", "OF_VKD3D", "REGISTERS", "RESULTS", "SUFFIXES", "WORDS"]

# fmt: off
_MNEMONICS = (
    # other tools                 fxc                       tools
    ("dcl_constantBuffer",        "dcl_constantbuffer",     "vkd3d"),  # and docs
    ("dcl_index_range",           "dcl_indexrange",         "vkd3d"),
    ("dcl_indexRange",            "dcl_indexrange",         "RenderDoc, docs"),
    ("dcl_gs_instances",          "dcl_gsinstances",        "vkd3d"),
    ("dcl_gs_instance_count",     "dcl_gsinstances",        "RenderDoc"),
    ("dcl_inputPrimitive",        "dcl_inputprimitive",     "docs"),
    ("dcl_outputTopology",        "dcl_outputtopology",     "docs"),
    ("dcl_maxOutputVertexCount",  "dcl_maxout",             "docs"),
    ("breakp",                    "breakc",                 "vkd3d"),
    ("continuep",                 "continuec",              "vkd3d"),
    ("retp",                      "retc",                   "vkd3d"),
    ("debugbreak",                "debug_break",            "RenderDoc"),
    ("emitthencut",               "emit_then_cut",          "RenderDoc"),
    ("emitThenCut",               "emit_then_cut",          "docs"),
    ("emitThenCut_stream",        "emit_then_cut_stream",   "RenderDoc, docs"),
    ("dsx",                       "deriv_rtx",              "vkd3d"),
    ("dsy",                       "deriv_rty",              "vkd3d"),
    ("ld2dms",                    "ldms",                   "vkd3d, docs"),
    ("ld2dms_s",                  "ldms_s",                 "vkd3d"),
    ("ld_ms",                     "ldms",                   "RenderDoc"),
    ("sample_info",               "sampleinfo",             "vkd3d, RenderDoc"),
    ("sample_pos",                "samplepos",              "vkd3d"),
    ("gather4_statusk",           "gather4_s",              "RenderDoc"),
    ("gather4_c_status",          "gather4_c_s",            "RenderDoc"),
    ("gather4_po_statusk",        "gather4_po_s",           "RenderDoc"),
    ("gather4_po_c_status",       "gather4_po_c_s",         "RenderDoc"),
    ("ld_ms_status",              "ldms_s",                 "RenderDoc"),
    ("ld_uav_typed_status",       "ld_uav_typed_s",         "RenderDoc"),
    ("ld_raw_status",             "ld_raw_s",               "RenderDoc"),
    ("ld_structured_status",      "ld_structured_s",        "RenderDoc"),
    ("sample_l_status",           "sample_l_s",             "RenderDoc"),
    ("sample_c_lz_status",        "sample_c_lz_s",          "RenderDoc"),
    ("sample_status",             "sample_cl_s",            "RenderDoc"),
    ("sample_b_status",           "sample_b_cl_s",          "RenderDoc"),
    ("sample_d_status",           "sample_d_cl_s",          "RenderDoc"),
    ("sample_c_status",           "sample_c_cl_s",          "RenderDoc"),
)
_REGISTERS = (
    ("vDomainLocation",           "vDomain",                "vkd3d"),
    ("primID",                    "vPrim",                  "vkd3d"),
    ("vForkInstanceId",           "vForkInstanceID",        "vkd3d"),
    ("vJoinInstanceId",           "vJoinInstanceID",        "vkd3d"),
    ("vCoverageMask",             "vCoverage",              "RenderDoc"),
    ("oDepthGreaterEqual",        "oDepthGE",               "RenderDoc"),
    ("oDepthLessEqual",           "oDepthLE",               "RenderDoc"),
)
_WORDS = (
    ("render_target_array_index", "rendertarget_array_index",   "vkd3d"),
    ("sample_index",              "sampleIndex",                "vkd3d"),
    ("sampleidx",                 "sampleIndex",                "RenderDoc"),
    ("clipdistance",              "clip_distance",              "RenderDoc"),
    ("culldistance",              "cull_distance",              "RenderDoc"),
    ("vertexid",                  "vertex_id",                  "RenderDoc"),
    ("primitiveid",               "primitive_id",               "RenderDoc"),
    ("instanceid",                "instance_id",                "RenderDoc"),
    ("isfrontface",               "is_front_face",              "RenderDoc"),
    ("finalLineEdgeTessFactor",   "finalLineDetailTessFactor",  "RenderDoc"),
    ("finalLineInsideTessFactor", "finalLineDensityTessFactor", "RenderDoc"),
    ("nointerpolation",           "constant",                   "RenderDoc"),
    ("int",                       "sint",                       "vkd3d"),
    ("continued",                 "<continued>",                "RenderDoc"),
    ("unused",                    "<unused>",                   "RenderDoc"),
    ("rawbuffer",                 "raw_buffer",                 "RenderDoc"),
    ("comparisonMode",            "mode_comparison",            "vkd3d"),
    ("pointlist",                 "point",                      "vkd3d"),
    ("linelist",                  "line",                       "vkd3d"),
    ("trianglelist",              "triangle",                   "vkd3d"),
    ("linelist_adj",              "lineadj",                    "vkd3d"),
    ("trianglelist_adj",          "triangleadj",                "vkd3d"),
    ("line_adj",                  "lineadj",                    "RenderDoc"),
    ("triangle_adj",              "triangleadj",                "RenderDoc"),
    *((f"control_point_patch_{points}", f"patch{points}", "RenderDoc") for points in range(1, 33)),
    ("point",                     "pointlist",                  "RenderDoc"),
    ("doublePrecisionFloats",     "enableDoublePrecisionFloatOps", "RenderDoc"),
    ("skipOptimisation",          "skipOptimization",           "RenderDoc"),
    ("doubleExtensions",          "enable11_1DoubleExtensions", "RenderDoc"),
    ("shaderExtensions",          "enable11_1ShaderExtensions", "RenderDoc"),
    ("d3d12AllResourcesBound",    "allResourcesBound",          "RenderDoc"),
    ("min10f",                    "min2_8f",                    "RenderDoc"),
)
_SUFFIXES = (  # of declarations, at whose ends RenderDoc prints them
    ("globallyCoherant",          "_glc",                       "RenderDoc"),
    ("hasOrderPreservingCounter", "_opc",                       "RenderDoc"),
    ("rasterizerOrderedAccess",   "_rov",                       "RenderDoc"),
)
_RESULTS = (  # suffixes of resinfo and sampleinfo
    ("_rcpFloat",                 "_rcpfloat",                  "vkd3d"),
    ("_float",                    "",                           "RenderDoc"),
)
# fmt: on

MNEMONICS = MappingProxyType({other: native for other, native, _ in _MNEMONICS})
REGISTERS = MappingProxyType({other: native for other, native, _ in _REGISTERS})
SUFFIXES = MappingProxyType({other: native for other, native, _ in _SUFFIXES})
WORDS = MappingProxyType({other: native for other, native, _ in (*_WORDS, *_SUFFIXES)})
RESULTS = MappingProxyType({other: native for other, native, _ in _RESULTS})
# Operations and registers that only vkd3d-compiler calls so.
OF_VKD3D = tuple(other for other, _, tools in (*_MNEMONICS, *_REGISTERS) if tools == "vkd3d")
