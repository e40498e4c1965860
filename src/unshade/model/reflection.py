"""What one shader takes, gives and uses.

    Reflection ── inputs, outputs, patch_constants       signature rows
               ├─ resources                              what is bound, where
               ├─ constant_buffers ── variables ── type  what stands in it, where
               ├─ thread_group, geometry, tessellation   how the stage is run
               ├─ statistics, temps, shared memory       what it costs
               ├─ root_signature, interfaces, hash, …    what else the file says

The same shader gives the same facts however it was compiled: with or without names (those are then
generated and marked `declared`), whatever the shader model. `complete` is False, and `notes` say
why, where the file holds facts that could not be read.
"""

from ..notebook import Shown
from ..vocab.slots import Direction, PortSlot, Rate, port_slot
from ..vocab.words import (
    ComponentType,
    Domain,
    GeometryMode,
    Interpolation,
    MinPrecision,
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
    """One row of a signature: a register, or part of one, with its meaning."""

    semantic: str = fact("semantic name as written in the source")
    index: int = fact("semantic index", default=0)
    register: int | None = fact(
        "register or location, None outside the register file", default=None
    )
    components: str = fact("components that exist: of xyzw")
    used: str = fact("components that are read, of outputs those that may be written: of xyzw")
    component_type: ComponentType | str = fact("type of the components")
    system_value: SystemValue | str | None = fact("meaning to the pipeline", default=None)
    stream: int = fact("stream of a geometry shader's output", default=0)
    min_precision: MinPrecision | str = fact("least precision asked for", default="default")
    by_register: bool = fact(
        "whether neighbours find it by its register, so that the semantic is a mere name",
        default=False,
    )
    interpolation: Interpolation | str | None = fact(
        "how a pixel shader's input is made, None where the program does not say", default=None
    )

    def slots(
        self, stage: Stage | str | None, direction: Direction, rate: Rate | None = None
    ) -> list[PortSlot]:
        """Return the places of its components in a stage's inputs, outputs or patch constants."""
        if self.register is None:
            if self.system_value is None:
                return []
            place: int | str = self.system_value
        else:
            place = self.register
        return [
            port_slot(
                stage,
                direction,
                place,
                COMPONENTS.index(letter) if self.register is not None else at,
                rate=rate,
                stream=self.stream,
            )
            for at, letter in enumerate(self.components)
        ]


class Geometry(Facts):
    """How a geometry shader is run."""

    input_primitive: Primitive | str = fact("what it takes")
    input_vertices: int | None = fact("vertices or control points of that", default=None)
    output_topology: Topology | str = fact("what it gives, on the first stream that says")
    streams: list[Topology | str] = fact("what each stream gives, from stream 0", factory=list)
    max_output_vertices: int | None = fact(
        "vertices that it gives at most, None where that is not stated", default=0
    )
    instances: int = fact("how often it runs for each primitive", default=1)
    mode: GeometryMode | str | None = fact(
        "how vertices reach it (PICA200); None where primitives do", default=None
    )
    first_uniform: int | None = fact(
        "float uniform from which the vertices stand (PICA200, fixed mode)", default=None
    )


class Tessellation(Facts):
    """How a hull or domain shader is run."""

    domain: Domain | str | None = fact("shape of a patch", default=None)
    partitioning: Partitioning | str | None = fact("how edges are divided (hull)", default=None)
    output_primitive: OutputPrimitive | str | None = fact(
        "what the tessellator gives (hull)", default=None
    )
    input_control_points: int | None = fact("control points taken", default=None)
    output_control_points: int | None = fact("control points given (hull)", default=None)
    max_factor: float | None = fact("bound of the tessellation factors (hull)", default=None)


class SpecialisationConstant(Facts):
    """A constant whose value is chosen before the program is lowered."""

    id: int = fact("number by which it is set")
    type: str = fact("scalar type: bool, int, uint, float, …")
    default: bool | int | float = fact("value if no other is set")
    name: str | None = fact("name in the source, None if not stated", default=None)


class TempArray(Facts):
    """Temporary registers that can be indexed: x0[12]."""

    register: int = fact("which array")
    count: int = fact("registers")
    components: int = fact("components of each")


class SharedMemory(Facts):
    """Memory that the threads of a group share."""

    register: int = fact("which g register")
    size: int = fact("bytes")
    stride: int | None = fact("bytes of an element, None for raw memory", default=None)
    count: int | None = fact("elements, None for raw memory", default=None)


class Statistics(Facts):
    """Counts over the program; None where neither the file nor the code tells exactly."""

    computed: bool = fact("counted here, since the file holds no counts")
    instructions: int | None = fact("instructions; declarations are none", default=None)
    temp_registers: int | None = fact("temporary registers", default=None)
    defines: int | None = fact("vectors of immediate constants", default=None)
    declarations: int | None = fact("declarations of inputs and outputs", default=None)
    float_instructions: int | None = fact("float arithmetic", default=None)
    int_instructions: int | None = fact("signed arithmetic", default=None)
    uint_instructions: int | None = fact("unsigned and bitwise arithmetic", default=None)
    static_flow_control: int | None = fact("flow control on constants", default=None)
    dynamic_flow_control: int | None = fact("flow control on values", default=None)
    macro_instructions: int | None = fact("macro instructions", default=None)
    temp_array_registers: int | None = fact("registers of temporary arrays", default=None)
    array_instructions: int | None = fact("instructions on temporary arrays", default=None)
    cuts: int | None = fact("ends of primitive strips", default=None)
    emits: int | None = fact("vertices given", default=None)
    texture_samples: int | None = fact("plain samples", default=None)
    texture_loads: int | None = fact("loads, and samples at a given level", default=None)
    texture_comparisons: int | None = fact("comparison samples", default=None)
    texture_bias: int | None = fact("samples with a bias", default=None)
    texture_gradients: int | None = fact("samples with gradients", default=None)
    texture_gathers: int | None = fact(
        "gathers, as fxc counts them: few that compare", default=None
    )
    lods: int | None = fact("level-of-detail queries", default=None)
    moves: int | None = fact("mov", default=None)
    conditional_moves: int | None = fact("movc", default=None)
    conversions: int | None = fact("conversions and roundings", default=None)
    bitwise_instructions: int | None = fact("0 wherever a file states it", default=None)
    barriers: int | None = fact("barriers", default=None)
    interlocked: int | None = fact("atomics", default=None)
    stores: int | None = fact("stores to writable resources", default=None)


class InterfaceClass(Facts):
    """A class that implements an interface (dynamic linkage)."""

    name: str = fact("name in the source")
    id: int = fact("number of the class")
    constant_buffer_stride: int = fact("registers of a constant buffer that an instance takes")
    textures: int = fact("textures that an instance takes")
    samplers: int = fact("samplers that an instance takes")


class InterfaceInstance(Facts):
    """A global instance of a class."""

    name: str = fact("name in the source")
    class_id: int = fact("number of the class")
    elements: int = fact("more than 1 for an array of instances")
    constant_buffer: int | None = fact("constant buffer, None for none")
    constant_buffer_offset: int | None = fact("first register in it, None for none")
    texture: int | None = fact("first texture, None for none")
    sampler: int | None = fact("first sampler, None for none")


class InterfaceSlot(Facts):
    """An interface variable: the slots it takes and what may stand there."""

    start: int = fact("first slot")
    span: int = fact("slots")
    class_ids: list[int] = fact("numbers of the classes; empty where only the program speaks")
    tables: list[int] = fact("function tables, one for each class")
    labels: list[str] = fact("what the program calls its first slots: fp0", factory=list)
    table_labels: list[str] = fact("what the program calls its tables: ft2", factory=list)


class Interfaces(Facts):
    """What is linked when the shader is bound."""

    slot_count: int = fact("slots in all")
    classes: list[InterfaceClass] = fact("classes", factory=list)
    instances: list[InterfaceInstance] = fact("global instances", factory=list)
    slots: list[InterfaceSlot] = fact("interface variables", factory=list)


class ShaderHash(Facts):
    """The compiler's own hash of the program."""

    digest: bytes = fact("MD5")
    includes_source: bool = fact("whether the source took part")


class Reflection(Shown, Facts):
    """What a shader takes, gives and uses, in the same words for every format."""

    drawn_by = "reflection"
    format: str = fact("format of the file: dxcontainer, …")
    code: str | None = fact("what the code is: tpf, dxil, …; None without code", default=None)
    stage: Stage | str | None = fact("what it is run for; None without code", default=None)
    model: str | None = fact("shader model, or the version of the code: 5.0", default=None)
    profile: str | None = fact("target of the compiler: ps_5_0", default=None)
    entry_point: str | None = fact("name of the function, None if not stated", default=None)
    by_number: bool = fact(
        "whether a runtime chooses the entry point by its number, so that its name is a mere label",
        default=False,
    )
    creator: str | None = fact("the compiler in its own words, None if not stated", default=None)
    compile_flags: list[str] = fact("how it was compiled, D3DCOMPILE_* in lower case", factory=list)
    complete: bool = fact("False where `notes` say what could not be read", default=True)
    notes: list[str] = fact("what could not be read, in sentences", factory=list)

    inputs: list[SignatureParameter] = fact("what comes in", factory=list)
    outputs: list[SignatureParameter] = fact("what goes out", factory=list)
    patch_constants: list[SignatureParameter] = fact(
        "of a patch, out of a hull shader and into a domain shader; of a primitive, out of a mesh"
        " shader",
        factory=list,
    )
    builtins: list[SystemValue | str] = fact("what it reads that no signature lists", factory=list)
    resources: list[Resource] = fact("what is bound", factory=list)
    constant_buffers: list[ConstantBuffer] = fact("variables and their places", factory=list)

    specialisation_constants: list[SpecialisationConstant] = fact(
        "values that can be set before it is compiled", factory=list
    )
    thread_group: list[int] | None = fact("threads of a group in x, y, z", default=None)
    geometry: Geometry | None = fact("of a geometry shader", default=None)
    tessellation: Tessellation | None = fact("of a hull or domain shader", default=None)
    sample_frequency: bool | None = fact(
        "whether a pixel shader runs for each sample, None where not known", default=None
    )
    features: list[str] = fact("what it asks of the hardware beyond its model", factory=list)
    global_flags: list[str] = fact("the program's own flags, as listings print them", factory=list)

    temp_registers: int | None = fact("temporary registers", default=None)
    temp_arrays: list[TempArray] = fact("indexable temporary registers", factory=list)
    shared_memory: list[SharedMemory] = fact("memory of a thread group", factory=list)
    statistics: Statistics | None = fact("counts over the program", default=None)

    interfaces: Interfaces | None = fact("dynamic linkage", default=None)
    root_signature: RootSignature | None = fact("where Direct3D 12 finds it all", default=None)
    hash: ShaderHash | None = fact("the compiler's hash", default=None)
    entry_points: list["Reflection"] = fact(
        "one for each function where the file holds several; the facts here are then those that"
        " they share",
        factory=list,
    )
