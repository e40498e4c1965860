"""Lowering of DXIL programs to `ir`.

    lower(module, entry, specialisation) -> Lowered(kernel, resources, …)

Compute, pixel, vertex, geometry, hull, domain, mesh and amplification shaders of Shader Model 6.0
to 6.9, and exported functions of libraries. Each operation records the number of its line in the
text of the module.

    values      values while a function is lowered; pointers, handles: values that are not numbers
    flow        functions and their blocks                arithmetic  pure operations
    calls       calls of dx.op, and what handles them     buffers, textures, waves, threads, …

Subnormal numbers of 32 bits are kept if the function has the attribute fp32-denorm-mode="preserve"
and count as zero otherwise; subnormal numbers of 16 and 64 bits are kept.
"""

from collections.abc import Callable
from functools import partial, reduce

from ....errors import UnshadeError, UnsupportedError, UsageError
from ....garbage_collection import uncollected
from ....ir.builder import Builder
from ....ir.kernel import KernelIR, Value
from ....ir.locations import ValueLabel
from ....ir.lowered import Lowered
from ....ir.ops import OPS
from ....ir.specialisation import Specialisation
from ....ir.types import FLUSH_32, KEEP
from ....vocab import d3d
from ....vocab.numbers import word
from ....vocab.slots import Direction, Rate
from ....vocab.words import Stage
from ..code import Code
from ..datalayout import DataLayout
from ..exported import callable_functions
from ..facts.words import NATIVE
from ..model.constants import ConstantNull, UndefinedValue
from ..model.instructions import CallInst, Instruction
from ..model.module import DxilModule
from ..model.types import PointerType, VectorType
from ..model.values import DxilValue, Function, GlobalVariable
from ..operation_calls import PREFIX, arguments_of, operation_of
from ..operation_types import wrong_type
from ..shaderinfo import (
    DxilEntryPoint,
    DxilShader,
    DxilSignatures,
    EntryProperties,
    read_shader,
)
from ..tables.dxil_operations import Op
from .arithmetic import FORMULAS, PACKING, REDUCTIONS
from .buffers import Buffers
from .calls import OperationCall, Owner
from .coverage import reason
from .exported import ExportedCall
from .flow import Flow
from .geometry import GeometryPorts
from .handles import Handles
from .instructions import Instructions
from .intrinsics import intrinsic
from .listing import ModuleListing
from .mesh import AmplificationPorts, MeshPorts
from .patches import DomainPorts, HullPorts
from .pointers import Pointers
from .ports import Ports
from .references import References
from .registers import Registers
from .scans import IGNORED, RESERVED, attribute, constructors, used_parts, wide_handles
from .signatures import Signature
from .textures import TextureOperations
from .threads import Threads, group_size, has_quads_of_threads, wave_size
from .values import Result, Values
from .variables import DebugVariables
from .vectors import each_element
from .waves import Waves, of_quad

__all__ = ["lower"]

STAGES = frozenset({
    Stage.COMPUTE, Stage.PIXEL, Stage.VERTEX, Stage.GEOMETRY, Stage.HULL, Stage.DOMAIN,
    Stage.MESH, Stage.AMPLIFICATION, Stage.LIBRARY,
})  # fmt: skip
DENORM, PRESERVE = "fp32-denorm-mode", "preserve"
EARLY_TESTS = 1 << 3  # flag of the program: forceEarlyDepthStencil
HELPERS = "waveops-include-helper-lanes"
MOST_ELEMENTS = 1 << 18
WHOLE_VECTORS = frozenset({*REDUCTIONS, "RawBufferVectorStore"})  # others take element by element
MASKS = frozenset({"WaveMatch"})
LABELS = {
    "thread_id": "SV_DispatchThreadID", "thread_group_id": "SV_GroupID",
    "thread_id_in_group": "SV_GroupThreadID", "thread_id_in_group_flattened": "SV_GroupIndex",
}  # fmt: skip


@uncollected
def lower(code: Code, entry: str, specialisation: Specialisation) -> Lowered:
    """Lower an entry point to a kernel.

    Args:
        code: The program.
        entry: The name of the entry point, or of another function, which is called directly.
        specialisation: `lengths` is the number of registers of unbounded arrays, by their first
            ("t0", "heap0"). `wave_size` applies where the shader does not specify one. `bounds`
            applies to buffers; texels outside a texture or typed buffer are always 0.

    Raises:
        UnsupportedError: The program contains operations that cannot be run.
    """
    shader = read_shader(code.module)
    found = next((each for each in shader.entry_points if each.name == entry), None)
    found = found or _exported(code.module, shader, entry)
    if found is None or found.function is None:
        raise UnsupportedError(f"no entry point {entry!r:.40}")
    kind = found.properties.shader_kind
    stage = word(d3d.STAGES, code.kind if kind is None else kind)
    if stage not in STAGES:
        raise UnsupportedError(f"{stage} shaders cannot be run yet")
    try:
        return Lowering(code.module, shader, found, Stage(stage), specialisation).lower()
    except UsageError as error:  # of the builder: the types or blocks of a damaged module
        raise UnsupportedError(f"{entry}: {error}") from None


class Lowering:
    """The lowering of one entry point."""

    def __init__(
        self,
        module: DxilModule,
        shader: DxilShader,
        entry: DxilEntryPoint,
        stage: Stage,
        specialisation: Specialisation,
    ) -> None:
        assert entry.function is not None
        self.module = module
        self.shader_model = shader.shader_model or (0, 0)
        self.entry = entry
        self.function = entry.function
        self.specialisation = specialisation
        self.kernel = KernelIR(entry.name, stage)
        self.kernel.flush = KEEP if attribute(self.function, DENORM) == PRESERVE else FLUSH_32
        self.kernel.wave = wave_size(entry, specialisation)
        self.b = Builder(self.kernel)
        self.listing = ModuleListing(module)
        self.values = Values(self.b, DataLayout(module.data_layout))
        self.pointers = Pointers(self.values)
        resources = entry.resources if entry.resources.all else shader.resources
        self.handles = Handles(self.values, resources, specialisation)
        self.variables = DebugVariables(self.b, self.values)
        self.instructions = Instructions(self.pointers, self.listing)
        self.flow = Flow(
            self.values, References(self.pointers, self.handles), len(self.listing.lines), self._one
        )
        self.flow.place = self.listing_place
        self.placed: UnsupportedError | None = None  # an error with its line
        self.uses: dict[Function, dict[DxilValue, set[int]]] = {}
        self.elements = 0  # of vectors that have been lowered
        self.in_quads = False  # an operation concerns the quad
        helpers = attribute(self.function, HELPERS) is not None
        buffers = Buffers(self.handles, native=bool(entry.properties.flags & NATIVE))
        self.ports = stage_of(self.pointers, entry)
        self.exported = None
        if stage is Stage.LIBRARY:
            self.exported = ExportedCall(self.pointers, self.function, shader)
        owners: tuple[Owner, ...] = (
            self.handles,
            buffers,
            TextureOperations(buffers),
            Waves(self.b, helpers=helpers),
            Threads(self.b),
            Registers(self.b, module.functions),
            *([self.ports] if self.ports is not None else []),
        )
        tables = [(owner, owner.OPERATIONS) for owner in owners]
        self.handlers: dict[str, Callable[[OperationCall], Result]] = {
            name: partial(handler, owner)
            for owner, table in (*tables, (self.b, PACKING), (self.b, REDUCTIONS))
            for name, handler in table.items()
        }

    # ------------------------------------------------------------ the whole

    def lower(self) -> Lowered:
        """Lower the entry point."""
        found = self.entry.properties
        group = found.threads
        for mesh in (found.mesh, found.amplification):
            group = mesh.threads if mesh is not None else group
        if group:
            self.kernel.group = group_size(group)
        for each in wide_handles(self.module.functions):
            self.handles.widen(each)
        self.pointers.initialise(self._statics())
        ports = self.ports
        if ports is not None:
            ports.declare()
        if isinstance(ports, HullPorts):
            ports.run(self.flow, self.function)
        elif self.exported is not None:
            for constructor in constructors(self.module):
                self.flow.call(constructor, [])
            self.exported.run(self.flow)
        else:
            self.flow.entry(self.function)
        self.kernel.quads = self.in_quads and has_quads_of_threads(self.kernel, self.shader_model)
        lowered = Lowered(
            self.kernel, self.handles.declared.resources(), self.listing.lines, labels=LABELS,
            specialisation=self.specialisation, early_tests=bool(found.flags & EARLY_TESTS),
        )  # fmt: skip
        if ports is not None:
            lowered.points = ports.points()
            lowered.resources += ports.resources()
            lowered.instances = ports.instances
        if self.exported is not None:
            lowered.parameters = self.exported.parameters
        return lowered

    def listing_place(self, instruction: Instruction) -> None:
        """Set the location of the following statements to an instruction's location."""
        frames = self.flow.calls.frames
        call = frames[-1].call if frames else None
        self.b.line = self.listing.line(instruction)
        self.b.location = self.listing.location(instruction.location, call)

    # ------------------------------------------------------------ instructions

    def _one(self, instruction: Instruction) -> None:
        """Lower an instruction, and name its result."""
        self.listing_place(instruction)
        try:
            self._spend(instruction)
            if isinstance(instruction, CallInst):
                result = self._call(instruction)
            else:
                result = self.instructions.result(instruction, self._function)
        except (UnsupportedError, UsageError) as error:  # UsageError by the builder, of types
            raise self._placed(error, instruction) from None
        if result is None:
            return
        self.values.set(instruction, result)
        if isinstance(result, Value) and result.op is not OPS.const and result.label is None:
            result.label = ValueLabel(self.listing.name(instruction, self._function))

    def _spend(self, instruction: Instruction) -> None:
        """Count the elements of vectors, since each element becomes an operation."""
        types = (instruction.type, *(each.type for each in instruction.operands))
        self.elements += max((e.count for e in types if isinstance(e, VectorType)), default=0)
        if self.elements > MOST_ELEMENTS:
            raise UnsupportedError(f"more than {MOST_ELEMENTS} elements of vectors after inlining")

    def _placed(self, error: UnshadeError, instruction: Instruction) -> UnsupportedError:
        """Return an error with the line of its instruction."""
        if self.placed is None:
            message = f"line {self.listing.line(instruction)}: {error}"
            self.placed = UnsupportedError(message)
        return self.placed

    @property
    def _function(self) -> Function:
        """The function that is being lowered."""
        frames = self.flow.calls.frames
        function = frames[-1].key if frames else self.function
        assert isinstance(function, Function)
        return function

    # ------------------------------------------------------------ calls

    def _call(self, instruction: CallInst) -> Result:
        callee = instruction.callee
        if not isinstance(callee, Function):
            raise UnsupportedError("a call of a value that is not a function cannot be run yet")
        if callee.name.startswith(IGNORED):
            self.variables.call(instruction)
            return None
        if callee.name.startswith(RESERVED):
            return intrinsic(self.pointers, instruction, callee.name)
        if not callee.name.startswith(PREFIX):
            arguments = [self._argument(each) for each in instruction.arguments]
            return self.flow.call(callee, arguments)
        op = operation_of(instruction)
        if op is None:
            raise UnsupportedError(f"a call of {callee.name!s:.60} cannot be run yet")
        count = len(instruction.arguments) - 1
        if count != len(op.operands):
            raise UnsupportedError(f"{op.name}: expected {len(op.operands)} operands, got {count}")
        problem = wrong_type(instruction, op, any_width=True)
        if problem:
            raise UnsupportedError(f"{op.name}: {problem}")
        self.in_quads |= of_quad(op)
        call = OperationCall(
            self.values, instruction, op, arguments_of(instruction, op), self._wanted(instruction)
        )
        count = 0 if op.name in WHOLE_VECTORS else call.count
        if not count:
            return self._operation(call)
        found = [self._operation(call.at(element)) for element in range(count)]
        if op.name in MASKS:  # the lanes that all elements have in common
            return each_element(lambda *masks: reduce(self.b.and_, masks), *found)
        return tuple(found)

    def _operation(self, call: OperationCall) -> Result:
        """Lower an operation on numbers."""
        op = call.op
        handler = self.handlers.get(op.name)
        if handler is not None:
            return handler(call)
        formula = FORMULAS.get(op.name)
        if formula is None:
            raise UnsupportedError(f"{op.name} cannot be run{_why(op)}")
        return formula(self.b, *[call.scalar(each.name) for each in op.operands])

    def _argument(self, value: DxilValue) -> Result:
        if isinstance(value.type, PointerType):
            return self.pointers.pointer(value)
        return self.values.get(value)

    def _wanted(self, instruction: CallInst) -> list[int]:
        """Return the components of a result that the program uses."""
        function = self._function
        known = self.uses.get(function)
        if known is None:
            known = self.uses[function] = used_parts(function)
        parts = known.get(instruction)
        return sorted(parts) if parts is not None else [0, 1, 2, 3, 4]

    # ------------------------------------------------------------ before lowering

    def _statics(self) -> list[GlobalVariable]:
        """Return the variables of a lane that begin with a value other than 0, and are used."""
        return [
            each
            for each in self.module.variables
            if not each.constant
            and not each.name.startswith(RESERVED)
            and each.initializer is not None
            and getattr(each.type, "space", 0) == 0
            and not isinstance(each.initializer, ConstantNull | UndefinedValue)
            and each not in self.values.globals
        ]


# ---------------------------------------------------------------- pieces


def _why(op: Op) -> str:
    """Return why an operation is refused: it cannot be run, or is not available in the stage."""
    found = reason(op)
    return f": {found}" if found is not None else " in this stage"


def _exported(module: DxilModule, shader: DxilShader, name: str) -> DxilEntryPoint | None:
    """Return a function as an entry point, with the flags of the library or of the shader."""
    function = callable_functions(module, shader).get(name)
    if function is None:
        return None
    entries = sorted(shader.entry_points, key=lambda each: each.function is not None)
    found = entries[0].properties if entries else EntryProperties()
    properties = EntryProperties(found.flags, d3d.ShaderKind.LIBRARY, wave_size=found.wave_size)
    nothing = DxilSignatures([], [], [])
    return DxilEntryPoint(function, name, nothing, shader.resources, properties)


def stage_of(pointers: Pointers, entry: DxilEntryPoint) -> Ports | None:
    """Return the inputs and outputs of the stage of the kernel."""
    b = pointers.b
    stage = b.kernel.stage
    if stage in (Stage.COMPUTE, Stage.LIBRARY):
        return None
    found = entry.properties
    given, made, patch = entry.signatures
    inputs = Signature(entry, stage, given, Direction.INPUT)
    outputs = Signature(entry, stage, made, Direction.OUTPUT)
    if stage is Stage.MESH and found.mesh is not None:
        primitives = Signature(entry, stage, patch, Direction.OUTPUT, Rate.PRIMITIVE, "p")
        return MeshPorts(b, outputs, primitives, found.mesh, pointers)
    if stage is Stage.AMPLIFICATION and found.amplification is not None:
        return AmplificationPorts(b, outputs, found.amplification, pointers)
    if stage is Stage.GEOMETRY and found.geometry is not None:
        return GeometryPorts(b, inputs, outputs, found.geometry)
    if stage is Stage.HULL and found.hull is not None:
        constants = Signature(entry, stage, patch, Direction.OUTPUT, Rate.PATCH, "vpc")
        return HullPorts(b, inputs, outputs, constants, found.hull)
    if stage is Stage.DOMAIN and found.domain is not None:
        constants = Signature(entry, stage, patch, Direction.INPUT, Rate.PATCH, "vpc")
        return DomainPorts(b, inputs, outputs, constants, found.domain)
    if stage not in (Stage.PIXEL, Stage.VERTEX):
        raise UnsupportedError(f"a {stage} shader without its properties cannot be run")
    return Ports(b, inputs, outputs)
