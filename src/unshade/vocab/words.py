"""The neutral vocabulary: one name for each concept that APIs name differently.

Names are Direct3D's in lower case where Direct3D has one, since most formats here descend from
Direct3D; comments give differing names of Vulkan or the PICA200. A number in a file that no table
contains becomes `unknown_N`, so a field of type `Stage | str` holds a Stage in every well-formed
file.
"""

from enum import auto

from ..enums import StrEnum


class Stage(StrEnum):
    """Stage of the pipeline."""

    VERTEX = auto()
    PIXEL = auto()  # Vulkan: fragment
    GEOMETRY = auto()
    HULL = auto()  # Vulkan: tessellation control
    DOMAIN = auto()  # Vulkan: tessellation evaluation
    COMPUTE = auto()
    LIBRARY = auto()  # functions for several stages
    RAYGENERATION = auto()
    INTERSECTION = auto()
    ANYHIT = auto()
    CLOSESTHIT = auto()
    MISS = auto()
    CALLABLE = auto()
    MESH = auto()
    AMPLIFICATION = auto()  # Vulkan: task
    NODE = auto()


# Other names of stages: in Vulkan and glslang, in full and as suffixes of files.
STAGE_ALIASES = {
    "vert": Stage.VERTEX,
    "frag": Stage.PIXEL,
    "fragment": Stage.PIXEL,
    "geom": Stage.GEOMETRY,
    "tesc": Stage.HULL,
    "tese": Stage.DOMAIN,
    "comp": Stage.COMPUTE,
    "task": Stage.AMPLIFICATION,
}

# Stages whose lanes are threads in groups, launched by a dispatch.
DISPATCHED = frozenset({Stage.COMPUTE, Stage.MESH, Stage.AMPLIFICATION, Stage.NODE})
# Stages whose lanes are in quads, some of which may be helper lanes.
IN_QUADS = frozenset({Stage.PIXEL})


def a_shader(stage: Stage) -> str:
    """Return `a pixel shader`, `an amplification shader`; `a function` for a library's."""
    if stage is Stage.LIBRARY:
        return "a function"
    return f"a{'n' * (stage[0] in 'aeiou')} {stage} shader"


class ComponentType(StrEnum):
    """Type of a component in a register."""

    UNKNOWN = auto()
    UINT32 = auto()
    SINT32 = auto()
    FLOAT32 = auto()
    UINT16 = auto()
    SINT16 = auto()
    FLOAT16 = auto()
    UINT64 = auto()
    SINT64 = auto()
    FLOAT64 = auto()
    FLOAT24 = auto()  # PICA200


class MinPrecision(StrEnum):
    """Minimum precision of a parameter; `default` is the precision of the component type."""

    DEFAULT = auto()
    FLOAT_16 = auto()
    FLOAT_2_8 = auto()
    RESERVED = auto()
    SINT_16 = auto()
    UINT_16 = auto()
    ANY_16 = auto()
    ANY_10 = auto()


class SystemValue(StrEnum):
    """Meaning of an input or output to the pipeline: a built-in, in Vulkan's terms.

    A value has the same name whether a signature lists it or code reads it without a signature. The
    edge of a tessellation factor is the index of the parameter.
    """

    POSITION = auto()
    CLIP_DISTANCE = auto()
    CULL_DISTANCE = auto()
    RENDER_TARGET_ARRAY_INDEX = auto()  # Vulkan: layer
    VIEWPORT_ARRAY_INDEX = auto()
    VERTEX_ID = auto()
    PRIMITIVE_ID = auto()
    INSTANCE_ID = auto()
    IS_FRONT_FACE = auto()
    SAMPLE_INDEX = auto()
    FINAL_QUAD_EDGE_TESSFACTOR = auto()
    FINAL_QUAD_INSIDE_TESSFACTOR = auto()
    FINAL_TRI_EDGE_TESSFACTOR = auto()
    FINAL_TRI_INSIDE_TESSFACTOR = auto()
    FINAL_LINE_DETAIL_TESSFACTOR = auto()
    FINAL_LINE_DENSITY_TESSFACTOR = auto()
    BARYCENTRICS = auto()
    SHADINGRATE = auto()
    CULLPRIMITIVE = auto()
    TARGET = auto()
    DEPTH = auto()
    COVERAGE = auto()
    DEPTH_GREATER_EQUAL = auto()
    DEPTH_LESS_EQUAL = auto()
    STENCIL_REF = auto()
    INNER_COVERAGE = auto()
    OUTPUT_CONTROL_POINT_ID = auto()
    FORK_INSTANCE_ID = auto()
    JOIN_INSTANCE_ID = auto()
    DOMAIN_LOCATION = auto()  # Vulkan: tessellation coordinate
    THREAD_ID = auto()  # Vulkan: global invocation
    THREAD_GROUP_ID = auto()  # Vulkan: workgroup
    THREAD_ID_IN_GROUP = auto()  # Vulkan: local invocation
    THREAD_ID_IN_GROUP_FLATTENED = auto()
    GS_INSTANCE_ID = auto()  # Vulkan: invocation
    CYCLE_COUNTER = auto()
    # Built-ins of Vulkan that Direct3D does not have under one name:
    POINT_SIZE = auto()
    POINT_COORD = auto()
    TESS_LEVEL_OUTER = auto()  # Direct3D: by the domain, edge tessellation factors
    TESS_LEVEL_INNER = auto()
    PATCH_VERTICES = auto()
    SAMPLE_POSITION = auto()
    BARYCENTRICS_NOPERSPECTIVE = auto()  # Direct3D: SV_Barycentrics, declared noperspective
    HELPER_INVOCATION = auto()
    THREAD_GROUP_COUNT = auto()
    THREAD_GROUP_SIZE = auto()
    WAVE_SIZE = auto()
    WAVE_COUNT = auto()
    WAVE_ID = auto()
    WAVE_LANE = auto()
    WAVE_EQUAL_MASK = auto()
    WAVE_GREATER_EQUAL_MASK = auto()
    WAVE_GREATER_MASK = auto()
    WAVE_LESS_EQUAL_MASK = auto()
    WAVE_LESS_MASK = auto()
    BASE_VERTEX = auto()
    BASE_INSTANCE = auto()
    DRAW_INDEX = auto()
    DEVICE_INDEX = auto()
    VIEW_INDEX = auto()
    PRIMITIVE_INDICES = auto()  # of a mesh shader: a primitive's vertices, by number in the group
    # Inputs of the PICA200's fixed-function rasteriser besides the position:
    NORMALQUAT = auto()
    COLOR = auto()
    TEXCOORD0 = auto()
    TEXCOORD0W = auto()
    TEXCOORD1 = auto()
    TEXCOORD2 = auto()
    VIEW = auto()


# What Vulkan counts vertices and instances from, and Direct3D does not.
COUNTED_FROM = {
    SystemValue.VERTEX_ID: SystemValue.BASE_VERTEX,
    SystemValue.INSTANCE_ID: SystemValue.BASE_INSTANCE,
}  # fmt: skip


class Interpolation(StrEnum):
    """Interpolation of a pixel shader's input."""

    UNDEFINED = auto()
    CONSTANT = auto()
    LINEAR = auto()
    LINEAR_CENTROID = auto()
    LINEAR_NOPERSPECTIVE = auto()
    LINEAR_NOPERSPECTIVE_CENTROID = auto()
    LINEAR_SAMPLE = auto()
    LINEAR_NOPERSPECTIVE_SAMPLE = auto()
    PER_VERTEX = auto()  # Vulkan: an array of the values of the primitive's vertices


class ResourceKind(StrEnum):
    """Kind of a resource; `Resource.writable` is True if the program can write it."""

    CONSTANT_BUFFER = auto()
    TEXTURE_BUFFER = auto()  # `tbuffer`: constants that are read as a texture
    TEXTURE = auto()  # Vulkan: image
    TYPED_BUFFER = auto()  # Vulkan: texel buffer
    STRUCTURED_BUFFER = auto()  # Vulkan: storage buffer
    RAW_BUFFER = auto()  # byte address buffer
    SAMPLER = auto()
    COMBINED_SAMPLER = auto()  # a texture with its sampler: Vulkan, Direct3D 9
    CHILD = auto()  # another program, as in SkSL
    ACCELERATION_STRUCTURE = auto()
    INPUT_ATTACHMENT = auto()  # Vulkan: the pixel of an attachment
    FEEDBACK_TEXTURE = auto()


class DescriptorType(StrEnum):
    """Type of a descriptor in Vulkan."""

    SAMPLER = auto()
    COMBINED_IMAGE_SAMPLER = auto()
    SAMPLED_IMAGE = auto()
    STORAGE_IMAGE = auto()
    UNIFORM_TEXEL_BUFFER = auto()
    STORAGE_TEXEL_BUFFER = auto()
    UNIFORM_BUFFER = auto()
    STORAGE_BUFFER = auto()
    INPUT_ATTACHMENT = auto()
    ACCELERATION_STRUCTURE = auto()


class Dimension(StrEnum):
    """Dimension of a texture or buffer, as listings print it."""

    BUFFER = "buffer"
    D1 = "1d"
    D1_ARRAY = "1darray"
    D2 = "2d"
    D2_ARRAY = "2darray"
    D2_MS = "2dms"
    D2_MS_ARRAY = "2dmsarray"
    D3 = "3d"
    CUBE = "cube"
    CUBE_ARRAY = "cubearray"


MULTISAMPLED = (Dimension.D2_MS, Dimension.D2_MS_ARRAY)


class ReturnType(StrEnum):
    """Type that a read of a typed resource returns."""

    UNORM = auto()
    SNORM = auto()
    SINT = auto()
    UINT = auto()
    FLOAT = auto()
    MIXED = auto()
    DOUBLE = auto()
    CONTINUED = auto()


class Counter(StrEnum):
    """Hidden counter of a structured buffer; `counter` also if its use is unknown."""

    COUNTER = auto()
    APPEND = auto()
    CONSUME = auto()


class BufferKind(StrEnum):
    """Kind of a buffer, or of another set of variables."""

    CONSTANT_BUFFER = auto()
    TEXTURE_BUFFER = auto()
    INTERFACE_POINTERS = auto()  # offsets and sizes count interface slots
    ELEMENT = auto()  # one element of a structured buffer
    PUSH_CONSTANTS = auto()
    UNIFORMS = auto()  # a register file that is set by name, as the PICA200's c0 to c95


class BlockLayout(StrEnum):
    """Rules for the offsets and strides of a block; each rule allows all layouts of the one before.

    std140: arrays, structures and rows of matrices are at multiples of 16 bytes. std430: they are
    at multiples of their alignment; a vector of three has the alignment of a vector of four.
    scalar: every value is at a multiple of the size of its components.
    """

    STD140 = auto()
    STD430 = auto()
    SCALAR = auto()


class TypeClass(StrEnum):
    """Class of a variable's type."""

    SCALAR = auto()
    VECTOR = auto()
    MATRIX_ROWS = auto()
    MATRIX_COLUMNS = auto()
    OBJECT = auto()
    STRUCT = auto()
    INTERFACE_CLASS = auto()
    INTERFACE_POINTER = auto()


class Primitive(StrEnum):
    """Input primitive of a geometry shader; a patch has `Geometry.input_vertices` points."""

    UNDEFINED = auto()
    POINT = auto()
    LINE = auto()
    TRIANGLE = auto()
    LINE_ADJ = auto()
    TRIANGLE_ADJ = auto()
    PATCH = auto()


class GeometryMode(StrEnum):
    """Input mode of a PICA200 geometry shader."""

    POINT = auto()  # gathered in the input registers until they are full
    VARIABLE = auto()  # in float uniforms, as many as the index stream states
    FIXED = auto()  # in float uniforms, a fixed number


class Topology(StrEnum):
    """Output topology of a geometry shader."""

    UNDEFINED = auto()
    POINTLIST = auto()
    LINELIST = auto()
    LINESTRIP = auto()
    TRIANGLELIST = auto()
    TRIANGLESTRIP = auto()


class NodeLaunchMode(StrEnum):
    """Launch mode of a node of a work graph."""

    BROADCASTING = auto()  # a grid of groups for each record
    COALESCING = auto()  # a group for several records
    THREAD = auto()  # a thread for each record
    MESH = auto()  # a mesh shader


class Domain(StrEnum):
    """Shape of a tessellated patch."""

    UNDEFINED = auto()
    ISOLINE = auto()
    TRI = auto()
    QUAD = auto()


class Partitioning(StrEnum):
    """Partitioning of edges by the tessellator."""

    UNDEFINED = auto()
    INTEGER = auto()
    POW2 = auto()
    FRACTIONAL_ODD = auto()
    FRACTIONAL_EVEN = auto()


class OutputPrimitive(StrEnum):
    """Output primitive of the tessellator."""

    UNDEFINED = auto()
    POINT = auto()
    LINE = auto()
    TRIANGLE_CW = auto()
    TRIANGLE_CCW = auto()
