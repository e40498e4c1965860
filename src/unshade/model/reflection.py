"""The reflection of a shader: its interface, its resources and its cost.

    Reflection ── inputs, outputs, patch_constants       signature rows
               ├─ resources                              bindings
               ├─ constant_buffers ── variables ── type  layout of each buffer
               ├─ thread_group, geometry, mesh, …        settings of the stage
               ├─ statistics, temps, shared memory       cost
               ├─ root_signature, interfaces, hash, …    other facts of the file

The reflection of a shader does not depend on the shader model it was compiled for. If the file
contains no names, they are generated and marked `declared`. If some facts could not be read,
`complete` is False and `notes` list them.
"""

from ..notebook import Shown
from ..vocab.slots import Direction, PortSlot, Rate, port_slot
from ..vocab.words import (
    ComponentType,
    Domain,
    GeometryMode,
    Interpolation,
    MinPrecision,
    NodeLaunchMode,
    OutputPrimitive,
    Partitioning,
    Primitive,
    Stage,
    SystemValue,
    Topology,
)
from .plain import Facts, fact
from .resources import ConstantBuffer, Resource
from .rootsignature import RootSignature

COMPONENTS = "xyzw"


class SignatureParameter(Facts):
    """A row of a signature: a register, or some of its components, with a semantic."""

    semantic: str = fact("semantic name as written in the source")
    index: int = fact("semantic index", default=0)
    register: int | None = fact(
        "register or location; None if outside the register file", default=None
    )
    components: str = fact("components that exist: of xyzw")
    used: str = fact("components that are read, or for outputs may be written: of xyzw")
    component_type: ComponentType | str = fact("type of the components")
    system_value: SystemValue | str | None = fact(
        "system value; None for an ordinary parameter", default=None
    )
    stream: int = fact("stream of a geometry shader's output", default=0)
    min_precision: MinPrecision | str = fact("minimum precision", default="default")
    by_register: bool = fact(
        "True if stages are linked by registers, so that the semantic is only a label",
        default=False,
    )
    interpolation: Interpolation | str | None = fact(
        "interpolation of a pixel shader's input; None if the program leaves it open",
        default=None,
    )
    blend_source: int = fact("blend source of an output that has two: 0 or 1", default=0)

    def slot(
        self, stage: Stage | str | None, direction: Direction, rate: Rate | None = None
    ) -> PortSlot | None:
        """Return the slot of the whole parameter in a stage's inputs, outputs or patch constants.

        None if it has neither a register nor a meaning.
        """
        place = self.system_value if self.register is None else self.register
        if place is None:
            return None
        found = port_slot(stage, direction, place, rate=rate, stream=self.stream)
        if self.blend_source:
            found = found._replace(index=self.blend_source)
        return found if self.register is not None else found._replace(element=self.index)

    @property
    def places(self) -> str:
        """The components of the slot that it takes: of xyzw."""
        return self.components if self.register is not None else COMPONENTS[: len(self.components)]

    def slots(
        self, stage: Stage | str | None, direction: Direction, rate: Rate | None = None
    ) -> list[PortSlot]:
        """Return the slots of its components in a stage's inputs, outputs or patch constants."""
        whole = self.slot(stage, direction, rate)
        if whole is None:
            return []
        return [whole.at(COMPONENTS.index(letter)) for letter in self.places]


class Geometry(Facts):
    """Settings of a geometry shader."""

    input_primitive: Primitive | str = fact("input primitive")
    input_vertices: int | None = fact(
        "number of vertices or control points of an input primitive; None if not stated",
        default=None,
    )
    output_topology: Topology | str = fact("output topology of the first stream that has one")
    streams: list[Topology | str] = fact("output topology of each stream", factory=list)
    max_output_vertices: int | None = fact(
        "maximum number of output vertices; None if not stated", default=0
    )
    instances: int = fact("number of invocations per primitive", default=1)
    mode: GeometryMode | str | None = fact(
        "input mode of a PICA200 geometry shader; None if it takes primitives", default=None
    )
    first_uniform: int | None = fact(
        "first float uniform that holds vertices (PICA200, fixed mode); None in other modes",
        default=None,
    )


class Tessellation(Facts):
    """Settings of a hull or domain shader; None where the program does not declare them."""

    domain: Domain | str | None = fact("shape of a patch; None if not stated", default=None)
    partitioning: Partitioning | str | None = fact(
        "partitioning of edges; None in a domain shader", default=None
    )
    output_primitive: OutputPrimitive | str | None = fact(
        "output primitive of the tessellator; None in a domain shader", default=None
    )
    input_control_points: int | None = fact(
        "number of input control points; None if not stated", default=None
    )
    output_control_points: int | None = fact(
        "number of output control points; None in a domain shader", default=None
    )
    max_factor: float | None = fact(
        "maximum tessellation factor; None in a domain shader or if not stated", default=None
    )


class MeshShading(Facts):
    """Settings of a mesh or amplification shader; None where the program does not declare them."""

    output_topology: Topology | str | None = fact(
        "topology of the primitives; None in an amplification shader", default=None
    )
    max_vertices: int | None = fact(
        "maximum number of vertices of a group; None in an amplification shader", default=None
    )
    max_primitives: int | None = fact(
        "maximum number of primitives of a group; None in an amplification shader", default=None
    )
    payload_size: int | None = fact(
        "bytes that an amplification shader passes to its mesh shaders; None if not stated",
        default=None,
    )


class RayTracing(Facts):
    """Sizes of the data that a shader of ray tracing takes and passes on, in bytes."""

    payload_size: int | None = fact(
        "bytes of the payload that a hit or miss shader takes, or of the parameter of a callable"
        " shader; None if it takes none, or if not stated",
        default=None,
    )
    attribute_size: int | None = fact(
        "bytes of the attributes of a hit; None if it takes none, or if not stated", default=None
    )
    passed_payloads: list[int] = fact(
        "bytes of the payloads that it passes when it traces rays, each size once", factory=list
    )
    passed_parameters: list[int] = fact(
        "bytes of the parameters that it passes to callable shaders, each size once", factory=list
    )


class NodePort(Facts):
    """Records that a node of a work graph takes or sends."""

    name: str = fact("name of the node that they are sent to; empty for an input", default="")
    index: int = fact("index of that node in its array", default=0)
    record_size: int | None = fact("bytes of a record; None if they are empty", default=None)
    max_records: int | None = fact("maximum number of records; None if not stated", default=None)
    array_size: int | None = fact(
        "number of nodes of the array that they are sent to; -1 if unbounded, None if it is one"
        " node",
        default=None,
    )
    sparse: bool = fact("True if nodes of the array may be missing", default=False)


class WorkGraphNode(Facts):
    """Settings of a node of a work graph."""

    name: str = fact("name by which other nodes send records to it")
    index: int = fact("index in an array of nodes of that name", default=0)
    launch: NodeLaunchMode | str | None = fact("launch mode; None if not stated", default=None)
    is_entry: bool = fact("True if the application may send records to it", default=False)
    shares_input_of: str | None = fact(
        "name of the node whose input it shares; None if it has its own", default=None
    )
    shared_index: int = fact("index of that node in its array", default=0)
    dispatch_grid: list[int] | None = fact("fixed grid of groups; None if not stated", default=None)
    max_dispatch_grid: list[int] | None = fact(
        "maximum grid that a record may ask for; None if not stated", default=None
    )
    max_recursion: int | None = fact(
        "maximum depth at which it sends records to itself; None if not stated", default=None
    )
    inputs: list[NodePort] = fact("records that it takes", factory=list)
    outputs: list[NodePort] = fact("records that it sends", factory=list)


class SpecialisationConstant(Facts):
    """A constant whose value is chosen before the program is lowered."""

    id: int = fact("number by which it is set")
    type: str = fact("scalar type: bool, int, uint, float, …")
    default: bool | int | float = fact("value if it is not set")
    name: str | None = fact("name in the source; None if not stated", default=None)


class TempArray(Facts):
    """An array of temporary registers that can be indexed: x0[12]."""

    register: int = fact("number of the x register")
    count: int = fact("number of elements")
    components: int = fact("number of components of an element")


class SharedMemory(Facts):
    """Memory that the threads of a group share."""

    register: int = fact("number of the g register")
    size: int = fact("size in bytes")
    stride: int | None = fact("size of an element in bytes; None for raw memory", default=None)
    count: int | None = fact("number of elements; None for raw memory", default=None)


class Statistics(Facts):
    """Counts over the program; None if neither the file nor the code contains the exact number."""

    computed: bool = fact("True if counted from the code, since the file contains no counts")
    instructions: int | None = fact("instructions, without declarations", default=None)
    temp_registers: int | None = fact("temporary registers", default=None)
    defines: int | None = fact("vectors of immediate constants", default=None)
    declarations: int | None = fact("declarations of inputs and outputs", default=None)
    float_instructions: int | None = fact("float arithmetic instructions", default=None)
    int_instructions: int | None = fact("signed integer instructions", default=None)
    uint_instructions: int | None = fact("unsigned integer and bitwise instructions", default=None)
    static_flow_control: int | None = fact(
        "flow control instructions that depend on no computed value; fxc includes break, else, ret",
        default=None,
    )
    dynamic_flow_control: int | None = fact(
        "flow control instructions that depend on computed values", default=None
    )
    macro_instructions: int | None = fact("macro instructions", default=None)
    temp_array_registers: int | None = fact("registers of temporary arrays", default=None)
    array_instructions: int | None = fact("instructions on temporary arrays", default=None)
    cuts: int | None = fact("instructions that end a primitive strip", default=None)
    emits: int | None = fact("instructions that emit a vertex", default=None)
    texture_samples: int | None = fact("plain samples", default=None)
    texture_loads: int | None = fact(
        "loads of textures and buffers, and samples at an explicit level", default=None
    )
    texture_comparisons: int | None = fact("comparison samples", default=None)
    texture_bias: int | None = fact("samples with a bias", default=None)
    texture_gradients: int | None = fact("samples with gradients", default=None)
    texture_gathers: int | None = fact(
        "gathers, as fxc counts them: not all that compare", default=None
    )
    lods: int | None = fact("level-of-detail queries", default=None)
    moves: int | None = fact("mov instructions", default=None)
    conditional_moves: int | None = fact("movc instructions", default=None)
    conversions: int | None = fact("conversions and roundings", default=None)
    bitwise_instructions: int | None = fact(
        "bitwise instructions; 0 in files of fxc, which counts them as unsigned", default=None
    )
    barriers: int | None = fact("barriers", default=None)
    interlocked: int | None = fact("atomic operations", default=None)
    stores: int | None = fact("stores to writable resources", default=None)


class InterfaceClass(Facts):
    """A class that implements an interface (dynamic linkage)."""

    name: str = fact("name in the source")
    id: int = fact("number of the class")
    constant_buffer_stride: int = fact("number of constant buffer registers per instance")
    textures: int = fact("number of textures per instance")
    samplers: int = fact("number of samplers per instance")


class InterfaceInstance(Facts):
    """A global instance of a class."""

    name: str = fact("name in the source")
    class_id: int = fact("number of the class")
    elements: int = fact("array size; 1 for a single instance")
    constant_buffer: int | None = fact("number of the constant buffer; None if it uses none")
    constant_buffer_offset: int | None = fact("first register in that buffer; None if it uses none")
    texture: int | None = fact("first texture register; None if it uses none")
    sampler: int | None = fact("first sampler register; None if it uses none")


class InterfaceSlot(Facts):
    """An interface variable: its slots, and the classes that it may hold."""

    start: int = fact("first slot")
    span: int = fact("number of slots")
    class_ids: list[int] = fact(
        "numbers of the classes; empty if only the program declares the variable"
    )
    tables: list[int] = fact("numbers of the function tables, one per class")
    labels: list[str] = fact("names of its first slots in the program: fp0", factory=list)
    table_labels: list[str] = fact("names of its tables in the program: ft2", factory=list)


class Interfaces(Facts):
    """Dynamic linkage: the interfaces that are linked when the shader is bound."""

    slot_count: int = fact("total number of slots")
    classes: list[InterfaceClass] = fact("classes that implement interfaces", factory=list)
    instances: list[InterfaceInstance] = fact("global instances", factory=list)
    slots: list[InterfaceSlot] = fact("interface variables", factory=list)


class ShaderHash(Facts):
    """The compiler's hash of the program."""

    digest: bytes = fact("MD5 digest, 16 bytes")
    includes_source: bool = fact("True if the hash includes the source")


class EntryPointFacts(Facts):
    """Facts of an entry point that its program and the reflection of a file both contain."""

    model: str | None = fact(
        "shader model or version of the code: 5.0; None if not stated", default=None
    )
    profile: str | None = fact("target profile: ps_5_0; None if not stated", default=None)
    creator: str | None = fact("name and version of the compiler; None if not stated", default=None)
    notes: list[str] = fact(
        "facts that could not be read or determined, as sentences", factory=list
    )

    constant_buffers: list[ConstantBuffer] = fact(
        "layouts of buffers; `resource` is an index in `resources`", factory=list
    )
    specialisation_constants: list[SpecialisationConstant] = fact(
        "constants that can be set before the program is compiled", factory=list
    )
    thread_group: list[int] | None = fact(
        "number of threads of a group in x, y, z; None if the stage has no groups or it is not"
        " stated",
        default=None,
    )
    thread_group_constants: list[int | None] | None = fact(
        "ids of the specialisation constants that set `thread_group`, None for a fixed number; None"
        " if all are fixed",
        default=None,
    )
    wave_size: list[int] | None = fact(
        "number of lanes of a wave that the program requires: one number; or the least, the most,"
        " and the preferred, 0 for none; None if it takes any",
        default=None,
    )
    geometry: Geometry | None = fact("of a geometry shader; None for other stages", default=None)
    tessellation: Tessellation | None = fact(
        "of a hull or domain shader; None for other stages", default=None
    )
    mesh: MeshShading | None = fact(
        "of a mesh or amplification shader; None for other stages", default=None
    )
    ray_tracing: RayTracing | None = fact(
        "of a shader of ray tracing; None for other stages", default=None
    )
    node: WorkGraphNode | None = fact(
        "of a node of a work graph; None for other stages", default=None
    )
    features: list[str] = fact("required features beyond the shader model", factory=list)
    global_flags: list[str] = fact("flags of the program, as listings print them", factory=list)

    temp_registers: int | None = fact(
        "number of temporary registers; None if unknown, or if the code has no registers",
        default=None,
    )
    temp_arrays: list[TempArray] = fact("indexable temporary registers", factory=list)
    shared_memory: list[SharedMemory] = fact("memory that a thread group shares", factory=list)
    statistics: Statistics | None = fact("counts over the program; None if unknown", default=None)


class Reflection(Shown, EntryPointFacts):
    """The reflection of a shader: its interface, its resources and its cost."""

    drawn_by = "reflection"
    format: str = fact("format of the file: dxcontainer, …", before="model")
    code: str | None = fact(
        "instruction set of the code: tpf, dxil, …; None without code", default=None, before="model"
    )
    stage: Stage | str | None = fact(
        "stage of the pipeline; None if not stated", default=None, before="model"
    )
    entry_point: str | None = fact(
        "name of the entry point; None if not stated", default=None, before="creator"
    )
    by_number: bool = fact(
        "True if runtimes select the entry point by number, so that its name is only a label",
        default=False,
        before="creator",
    )
    compile_flags: list[str] = fact(
        "compiler flags: D3DCOMPILE_* in lower case", factory=list, before="notes"
    )
    complete: bool = fact(
        "False if some facts could not be read; `notes` list them", default=True, before="notes"
    )

    inputs: list[SignatureParameter] = fact(
        "input signature", factory=list, before="constant_buffers"
    )
    outputs: list[SignatureParameter] = fact(
        "output signature", factory=list, before="constant_buffers"
    )
    patch_constants: list[SignatureParameter] = fact(
        "patch constants: outputs of a hull shader, inputs of a domain shader; for a mesh shader"
        " the outputs per primitive",
        factory=list,
        before="constant_buffers",
    )
    builtins: list[SystemValue | str] = fact(
        "built-in inputs that no signature lists", factory=list, before="constant_buffers"
    )
    resources: list[Resource] = fact("bound resources", factory=list, before="constant_buffers")
    sample_frequency: bool | None = fact(
        "True if a pixel shader runs once per sample; None for other stages or if unknown",
        default=None,
        before="features",
    )

    functions: list[str] = fact(
        "signatures of the functions that the code defines, where it has names for them",
        factory=list,
        before="temp_registers",
    )
    interfaces: Interfaces | None = fact("dynamic linkage; None if it has none", default=None)
    root_signature: RootSignature | None = fact(
        "Direct3D 12 root signature; None if it has none", default=None
    )
    hash: ShaderHash | None = fact("hash by the compiler; None if it has none", default=None)
    entry_points: list["Reflection"] = fact(
        "reflections of the entry points, if the file has several; the other fields then hold what"
        " they share",
        factory=list,
    )
