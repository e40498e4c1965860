"""Translation of the enumerations to the neutral vocabulary of `vocab.words`.

    0x0B   FINAL_QUAD_U_EQ_0_EDGE_TESSFACTOR     final_quad_edge_tessfactor
    0x11   INPUT_THREAD_ID                       thread_id

`vocab.d3d` defines the numbers that all formats of Direct3D share. Source: enumerations.py.
"""

from ....vocab.numbers import same_names
from ....vocab.words import Dimension, Interpolation, SystemValue
from .enumerations import InterpolationMode, OperandType, ResourceDimension, SystemValueName

INTERPOLATIONS = same_names(InterpolationMode, Interpolation)

DIMENSIONS: dict[int, Dimension] = {
    ResourceDimension.BUFFER: Dimension.BUFFER,
    ResourceDimension.TEXTURE1D: Dimension.D1,
    ResourceDimension.TEXTURE2D: Dimension.D2,
    ResourceDimension.TEXTURE2DMS: Dimension.D2_MS,
    ResourceDimension.TEXTURE3D: Dimension.D3,
    ResourceDimension.TEXTURECUBE: Dimension.CUBE,
    ResourceDimension.TEXTURE1DARRAY: Dimension.D1_ARRAY,
    ResourceDimension.TEXTURE2DARRAY: Dimension.D2_ARRAY,
    ResourceDimension.TEXTURE2DMSARRAY: Dimension.D2_MS_ARRAY,
    ResourceDimension.TEXTURECUBEARRAY: Dimension.CUBE_ARRAY,
    ResourceDimension.RAW_BUFFER: Dimension.BUFFER,
    ResourceDimension.STRUCTURED_BUFFER: Dimension.BUFFER,
}

# A program has a name for each tessellation factor, the vocabulary one for each kind of factor.
SYSTEM_VALUES: dict[int, SystemValue] = {
    **same_names(SystemValueName, SystemValue),
    SystemValueName.FINAL_QUAD_U_EQ_0_EDGE_TESSFACTOR: SystemValue.FINAL_QUAD_EDGE_TESSFACTOR,
    SystemValueName.FINAL_QUAD_V_EQ_0_EDGE_TESSFACTOR: SystemValue.FINAL_QUAD_EDGE_TESSFACTOR,
    SystemValueName.FINAL_QUAD_U_EQ_1_EDGE_TESSFACTOR: SystemValue.FINAL_QUAD_EDGE_TESSFACTOR,
    SystemValueName.FINAL_QUAD_V_EQ_1_EDGE_TESSFACTOR: SystemValue.FINAL_QUAD_EDGE_TESSFACTOR,
    SystemValueName.FINAL_QUAD_U_INSIDE_TESSFACTOR: SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR,
    SystemValueName.FINAL_QUAD_V_INSIDE_TESSFACTOR: SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR,
    SystemValueName.FINAL_TRI_U_EQ_0_EDGE_TESSFACTOR: SystemValue.FINAL_TRI_EDGE_TESSFACTOR,
    SystemValueName.FINAL_TRI_V_EQ_0_EDGE_TESSFACTOR: SystemValue.FINAL_TRI_EDGE_TESSFACTOR,
    SystemValueName.FINAL_TRI_W_EQ_0_EDGE_TESSFACTOR: SystemValue.FINAL_TRI_EDGE_TESSFACTOR,
}

# System values of outputs without a register number.
OUTPUT_VALUES: dict[int, SystemValue] = {
    OperandType.OUTPUT_DEPTH: SystemValue.DEPTH,
    OperandType.OUTPUT_DEPTH_GREATER_EQUAL: SystemValue.DEPTH_GREATER_EQUAL,
    OperandType.OUTPUT_DEPTH_LESS_EQUAL: SystemValue.DEPTH_LESS_EQUAL,
    OperandType.OUTPUT_COVERAGE_MASK: SystemValue.COVERAGE,
    OperandType.OUTPUT_STENCIL_REF: SystemValue.STENCIL_REF,
}
# HLSL semantics of inputs without a register number that no signature lists.
SEMANTICS: dict[int, str] = {
    OperandType.INPUT_PRIMITIVEID: "SV_PrimitiveID",
    OperandType.INPUT_COVERAGE_MASK: "SV_Coverage",
    OperandType.INNER_COVERAGE: "SV_InnerCoverage",
}

BUILTINS: dict[int, SystemValue] = {
    OperandType.INPUT_PRIMITIVEID: SystemValue.PRIMITIVE_ID,
    OperandType.OUTPUT_CONTROL_POINT_ID: SystemValue.OUTPUT_CONTROL_POINT_ID,
    OperandType.INPUT_FORK_INSTANCE_ID: SystemValue.FORK_INSTANCE_ID,
    OperandType.INPUT_JOIN_INSTANCE_ID: SystemValue.JOIN_INSTANCE_ID,
    OperandType.INPUT_DOMAIN_POINT: SystemValue.DOMAIN_LOCATION,
    OperandType.INPUT_THREAD_ID: SystemValue.THREAD_ID,
    OperandType.INPUT_THREAD_GROUP_ID: SystemValue.THREAD_GROUP_ID,
    OperandType.INPUT_THREAD_ID_IN_GROUP: SystemValue.THREAD_ID_IN_GROUP,
    OperandType.INPUT_COVERAGE_MASK: SystemValue.COVERAGE,
    OperandType.INPUT_THREAD_ID_IN_GROUP_FLATTENED: SystemValue.THREAD_ID_IN_GROUP_FLATTENED,
    OperandType.INPUT_GS_INSTANCE_ID: SystemValue.GS_INSTANCE_ID,
    OperandType.CYCLE_COUNTER: SystemValue.CYCLE_COUNTER,
    OperandType.INNER_COVERAGE: SystemValue.INNER_COVERAGE,
}
