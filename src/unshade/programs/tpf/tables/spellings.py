"""Spelling of enumerations and flags in fxc's listings.

    0x0200_1858  ->  dcl_resource_ DIMENSIONS[3]  "texture2d"
    0x0000_5555  ->  ( RETURN_TYPES[5], … )       "(float,float,float,float)"

A number without a word is printed in angle brackets, as fxc itself does for `<unused>`.

Source: listings of fxc 9.29 to 10.1: the corpus's, and 263 that the project DXDecompiler once
published with their programs (for atomics, doubles, precisions, messages, which the corpus lacks).
`UNVERIFIED` lists the spellings that occur in none of these listings.
"""

from collections.abc import Sequence

# By ResourceDimension.
DIMENSIONS = (
    "", "buffer", "texture1d", "texture2d", "texture2dms", "texture3d", "texturecube",
    "texture1darray", "texture2darray", "texture2dmsarray", "texturecubearray",
    "raw_buffer", "structured_buffer",
)  # fmt: skip
BUFFER_OF_STRUCTURES = 12
MULTISAMPLED = (4, 9)

RETURN_TYPES = (
    "", "unorm", "snorm", "sint", "uint", "float", "mixed", "double", "<continued>", "<unused>",
)  # fmt: skip

SYSTEM_VALUES = (
    "undefined", "position", "clip_distance", "cull_distance", "rendertarget_array_index",
    "viewport_array_index", "vertex_id", "primitive_id", "instance_id", "is_front_face",
    "sampleIndex", "finalQuadUeq0EdgeTessFactor", "finalQuadVeq0EdgeTessFactor",
    "finalQuadUeq1EdgeTessFactor", "finalQuadVeq1EdgeTessFactor", "finalQuadUInsideTessFactor",
    "finalQuadVInsideTessFactor", "finalTriUeq0EdgeTessFactor", "finalTriVeq0EdgeTessFactor",
    "finalTriWeq0EdgeTessFactor", "finalTriInsideTessFactor", "finalLineDetailTessFactor",
    "finalLineDensityTessFactor",
)  # fmt: skip

INTERPOLATIONS = (
    "undefined", "constant", "linear", "linear centroid", "linear noperspective",
    "linear noperspective centroid", "linear sample", "linear noperspective sample",
)  # fmt: skip

# A patch of n control points has the number n + 7.
PRIMITIVES = (
    "undefined", "point", "line", "triangle", "", "", "lineadj", "triangleadj",
    *(f"patch{points}" for points in range(1, 33)),
)  # fmt: skip
TOPOLOGIES = ("undefined", "pointlist", "linelist", "linestrip", "trianglelist", "trianglestrip")

SAMPLER_MODES = ("mode_default", "mode_comparison", "mode_mono")
CONSTANT_BUFFER_ACCESS = ("immediateIndexed", "dynamicIndexed")

DOMAINS = ("domain_undefined", "domain_isoline", "domain_tri", "domain_quad")
PARTITIONINGS = (
    "partitioning_undefined", "partitioning_integer", "partitioning_pow2",
    "partitioning_fractional_odd", "partitioning_fractional_even",
)  # fmt: skip
OUTPUT_PRIMITIVES = (
    "output_undefined", "output_point", "output_line", "output_triangle_cw", "output_triangle_ccw",
)  # fmt: skip

# From bit 11 of the opcode token up.
GLOBAL_FLAGS = (
    "refactoringAllowed", "enableDoublePrecisionFloatOps", "forceEarlyDepthStencil",
    "enableRawAndStructuredBuffers", "skipOptimization", "enableMinimumPrecision",
    "enable11_1DoubleExtensions", "enable11_1ShaderExtensions", "allResourcesBound",
)  # fmt: skip

# Suffixes of mnemonics, in this order.
TESTS = ("_z", "_nz")
OFFSETS = "_aoffimmi"
RESOURCE = "_indexable"
SATURATE = "_sat"
PRECISE = "[precise]"
RESINFO_TYPES = ("", "_rcpfloat", "_uint")
SAMPLE_INFO_TYPES = ("", "_uint")

# By the code in the operand's extended token; 0 is printed only as part of a conversion.
PRECISIONS = ("def32", "min16f", "min2_8f", "", "min16i", "min16u")
NONUNIFORM = " { nonuniform }"

# By operand type; the register number follows at once or in brackets.
REGISTERS = (
    "r", "v", "o", "x", "l", "d", "s", "t", "cb", "icb", "l", "vPrim", "oDepth", "null",
    "rasterizer", "oMask", "m", "fb", "ft", "fp", "fi", "fo", "vOutputControlPointID",
    "vForkInstanceID", "vJoinInstanceID", "vicp", "vocp", "vpc", "vDomain", "this", "u", "g",
    "vThreadID", "vThreadGroupID", "vThreadIDInGroup", "vCoverage", "vThreadIDInGroupFlattened",
    "vGSInstanceID", "oDepthGE", "oDepthLE", "vCycleCounter", "oStencilRef", "vInnerCoverage",
)  # fmt: skip

MESSAGES = {0x0020_0102: "printf", 0x0020_0103: "errorf"}
UNDECIPHERABLE = "undecipherable custom data"
CONSTANT_TABLE = "dcl_immediateConstantBuffer"
# Escapes in the text of a message; other unprintable characters become dots.
ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\"}


def word(words: Sequence[str], number: int) -> str:
    """Return the word for a number, or the number in angle brackets if it is unnamed."""
    if 0 <= number < len(words) and words[number]:
        return words[number]
    return f"<{number}>"


# The spellings that occur in no listing of fxc, and their evidence.
# fmt: off
# ruff: noqa: E501
UNVERIFIED: tuple[tuple[str, str], ...] = (
    ("call l0, callc_nz r0.x, l0, label l0", "public documentation of the instructions: labels are l#"),
    ("nop, umul, umad, dmov, deriv_rtx_fine, deriv_rty_fine", "names in ShaderBinary.cpp; it agrees with listings on all other names"),
    ("debug_break with a blank after it",    "like abort, which listings show"),
    ("dcl_hs_join_phase_instance_count",     "ShaderBinary.cpp; the fork form is in listings"),
    ("vJoinInstanceID, vCycleCounter",       "public documentation of the instructions"),
    ("mode_mono",                            "public documentation of dcl_sampler"),
    ("dcl_inputprimitive patch1 to patch32", "none: our own words"),
    ("linelist, trianglelist, undefined, domain_undefined", "names of the vendor's enumerations; the compiler never emits them"),
    ("fi0, fo0 (function input, output)",    "none: our own words; the compiler never emits them"),
    ("_glc_opc_rov together, in this order", "each alone is in listings"),
    ("_sat after _indexable",                "each alone is in listings"),
    ("_sat on integer instructions",         "sync_sat_ugroup shows that bit 13 is printed for any instruction"),
    ("{ nonuniform } after the operand",     "a public assembler strips exactly this from the vendor's listings"),
    ("g0 in lower case in Shader Model 5.1", "shared memory has one index in every model"),
    ("-10000 in decimal, -10001 in hex",     "10000 and 10001 are verified; -512 and -32767 fit"),
    ("1.#INF00, 1.#QNAN0, 1.#IND00",         "comments of public assemblers that read listings of older compilers"),
    ("dcl_resource_structured t0, 16 with a blank, from 6.3 and 9.29", "18 listings of 9.30"),
    ("17 digits from 6.3; all digits, ties away from zero from 10.x before 2020", "the compilers' run-time libraries; one listing that rounds a tie up"),
    ("inf, nan, nan(ind)",                   "documentation of the run-time library whose digits newer listings have"),
    ("d(0.000000l) for one component",       "listings show two components"),
    ("literals of swapc, f16tof32, dmovc",   "the kind of their sources in ShaderBinary.cpp"),
    ("comments and debug data in a program", "the line for undecipherable custom data is in listings; its classes are not known"),
    ("l(5)[3], a literal with an index",     "none: our own words; no compiler writes it"),
    ("dcl_resource_<0>, <unknown_235>",      "none: our own words for undefined numbers"),
)
# fmt: on
