"""Words of the vocabulary for the numbers of SPIR-V."""

from ....model import (
    Dimension,
    Domain,
    OutputPrimitive,
    Partitioning,
    Primitive,
    ReturnType,
    Stage,
    SystemValue,
    Topology,
)
from ..tables.numbers import BuiltIn, Dim, ExecutionMode

__all__ = [
    "BUILT_INS", "BUILT_INS_OF_STAGES", "DIMENSIONS", "DOMAINS", "FORMATS", "INPUT_PRIMITIVES",
    "MESHES", "ORDERS", "PARTITIONINGS", "TOPOLOGIES",
]  # fmt: skip

BUILT_INS = {
    BuiltIn.Position:                  SystemValue.POSITION,
    BuiltIn.PointSize:                 SystemValue.POINT_SIZE,
    BuiltIn.ClipDistance:              SystemValue.CLIP_DISTANCE,
    BuiltIn.CullDistance:              SystemValue.CULL_DISTANCE,
    BuiltIn.VertexId:                  SystemValue.VERTEX_ID,
    BuiltIn.VertexIndex:               SystemValue.VERTEX_ID,
    BuiltIn.InstanceId:                SystemValue.INSTANCE_ID,
    BuiltIn.InstanceIndex:             SystemValue.INSTANCE_ID,
    BuiltIn.PrimitiveId:               SystemValue.PRIMITIVE_ID,
    BuiltIn.Layer:                     SystemValue.RENDER_TARGET_ARRAY_INDEX,
    BuiltIn.ViewportIndex:             SystemValue.VIEWPORT_ARRAY_INDEX,
    BuiltIn.TessLevelOuter:            SystemValue.TESS_LEVEL_OUTER,
    BuiltIn.TessLevelInner:            SystemValue.TESS_LEVEL_INNER,
    BuiltIn.TessCoord:                 SystemValue.DOMAIN_LOCATION,
    BuiltIn.PatchVertices:             SystemValue.PATCH_VERTICES,
    BuiltIn.FragCoord:                 SystemValue.POSITION,
    BuiltIn.PointCoord:                SystemValue.POINT_COORD,
    BuiltIn.FrontFacing:               SystemValue.IS_FRONT_FACE,
    BuiltIn.SampleId:                  SystemValue.SAMPLE_INDEX,
    BuiltIn.SamplePosition:            SystemValue.SAMPLE_POSITION,
    BuiltIn.SampleMask:                SystemValue.COVERAGE,
    BuiltIn.FragDepth:                 SystemValue.DEPTH,
    BuiltIn.FragStencilRefEXT:         SystemValue.STENCIL_REF,
    BuiltIn.FullyCoveredEXT:           SystemValue.INNER_COVERAGE,
    BuiltIn.HelperInvocation:          SystemValue.HELPER_INVOCATION,
    BuiltIn.NumWorkgroups:             SystemValue.THREAD_GROUP_COUNT,
    BuiltIn.WorkgroupSize:             SystemValue.THREAD_GROUP_SIZE,
    BuiltIn.WorkgroupId:               SystemValue.THREAD_GROUP_ID,
    BuiltIn.LocalInvocationId:         SystemValue.THREAD_ID_IN_GROUP,
    BuiltIn.LocalInvocationIndex:      SystemValue.THREAD_ID_IN_GROUP_FLATTENED,
    BuiltIn.GlobalInvocationId:        SystemValue.THREAD_ID,
    BuiltIn.SubgroupSize:              SystemValue.WAVE_SIZE,
    BuiltIn.NumSubgroups:              SystemValue.WAVE_COUNT,
    BuiltIn.SubgroupId:                SystemValue.WAVE_ID,
    BuiltIn.SubgroupLocalInvocationId: SystemValue.WAVE_LANE,
    BuiltIn.SubgroupEqMask:            SystemValue.WAVE_EQUAL_MASK,
    BuiltIn.SubgroupGeMask:            SystemValue.WAVE_GREATER_EQUAL_MASK,
    BuiltIn.SubgroupGtMask:            SystemValue.WAVE_GREATER_MASK,
    BuiltIn.SubgroupLeMask:            SystemValue.WAVE_LESS_EQUAL_MASK,
    BuiltIn.SubgroupLtMask:            SystemValue.WAVE_LESS_MASK,
    BuiltIn.BaseVertex:                SystemValue.BASE_VERTEX,
    BuiltIn.BaseInstance:              SystemValue.BASE_INSTANCE,
    BuiltIn.DrawIndex:                 SystemValue.DRAW_INDEX,
    BuiltIn.DeviceIndex:               SystemValue.DEVICE_INDEX,
    BuiltIn.ViewIndex:                 SystemValue.VIEW_INDEX,
    BuiltIn.PrimitiveShadingRateKHR:   SystemValue.SHADINGRATE,
    BuiltIn.ShadingRateKHR:            SystemValue.SHADINGRATE,
    BuiltIn.BaryCoordKHR:              SystemValue.BARYCENTRICS,
    BuiltIn.BaryCoordNoPerspKHR:       SystemValue.BARYCENTRICS_NOPERSPECTIVE,
    BuiltIn.CullPrimitiveEXT:          SystemValue.CULLPRIMITIVE,
    BuiltIn.PrimitivePointIndicesEXT:    SystemValue.PRIMITIVE_INDICES,
    BuiltIn.PrimitiveLineIndicesEXT:     SystemValue.PRIMITIVE_INDICES,
    BuiltIn.PrimitiveTriangleIndicesEXT: SystemValue.PRIMITIVE_INDICES,
}  # fmt: skip
# Built-ins whose meaning depends on the stage.
BUILT_INS_OF_STAGES = {
    (BuiltIn.InvocationId, Stage.HULL): SystemValue.OUTPUT_CONTROL_POINT_ID,
    (BuiltIn.InvocationId, Stage.GEOMETRY): SystemValue.GS_INSTANCE_ID,
}
# Dimensions by Dim, arrayed, multisampled.
DIMENSIONS = {
    (Dim.Dim1D, False, False): Dimension.D1,
    (Dim.Dim1D, True, False): Dimension.D1_ARRAY,
    (Dim.Dim2D, False, False): Dimension.D2,
    (Dim.Dim2D, True, False): Dimension.D2_ARRAY,
    (Dim.Dim2D, False, True): Dimension.D2_MS,
    (Dim.Dim2D, True, True): Dimension.D2_MS_ARRAY,
    (Dim.Dim3D, False, False): Dimension.D3,
    (Dim.Cube, False, False): Dimension.CUBE,
    (Dim.Cube, True, False): Dimension.CUBE_ARRAY,
    (Dim.Rect, False, False): Dimension.D2,
    (Dim.Buffer, False, False): Dimension.BUFFER,
    (Dim.SubpassData, False, False): Dimension.D2,
    (Dim.SubpassData, True, False): Dimension.D2_ARRAY,
    (Dim.SubpassData, False, True): Dimension.D2_MS,
    (Dim.SubpassData, True, True): Dimension.D2_MS_ARRAY,
}
# Endings of the names of image formats, with the type that a read returns.
FORMATS = (
    ("Snorm", ReturnType.SNORM),
    ("ui", ReturnType.UINT),
    ("i", ReturnType.SINT),
    ("f", ReturnType.FLOAT),
)
INPUT_PRIMITIVES: dict[int, tuple[Primitive, int]] = {
    ExecutionMode.InputPoints: (Primitive.POINT, 1),
    ExecutionMode.InputLines: (Primitive.LINE, 2),
    ExecutionMode.Triangles: (Primitive.TRIANGLE, 3),
    ExecutionMode.InputLinesAdjacency: (Primitive.LINE_ADJ, 4),
    ExecutionMode.InputTrianglesAdjacency: (Primitive.TRIANGLE_ADJ, 6),
}
MESHES = {  # the primitives of mesh shaders
    ExecutionMode.OutputPoints: Topology.POINTLIST,
    ExecutionMode.OutputLinesEXT: Topology.LINELIST,
    ExecutionMode.OutputTrianglesEXT: Topology.TRIANGLELIST,
}
TOPOLOGIES = {
    ExecutionMode.OutputPoints: Topology.POINTLIST,
    ExecutionMode.OutputLineStrip: Topology.LINESTRIP,
    ExecutionMode.OutputTriangleStrip: Topology.TRIANGLESTRIP,
}
DOMAINS = {
    ExecutionMode.Triangles: Domain.TRI,
    ExecutionMode.Quads: Domain.QUAD,
    ExecutionMode.Isolines: Domain.ISOLINE,
}
PARTITIONINGS = {
    ExecutionMode.SpacingEqual: Partitioning.INTEGER,
    ExecutionMode.SpacingFractionalEven: Partitioning.FRACTIONAL_EVEN,
    ExecutionMode.SpacingFractionalOdd: Partitioning.FRACTIONAL_ODD,
}
ORDERS = {
    ExecutionMode.VertexOrderCw: OutputPrimitive.TRIANGLE_CW,
    ExecutionMode.VertexOrderCcw: OutputPrimitive.TRIANGLE_CCW,
}
