"""Lowering of Shader Model 4 and 5 programs to `ir`.

    lower(program) -> Lowered(kernel, resources, …)

All stages of Direct3D 11 are supported. Each operation records the number of its line in the native
listing; the line of the profile is 1.
"""

from collections.abc import Mapping

from ....errors import UnsupportedError
from ....garbage_collection import uncollected
from ....ir.builder import constant
from ....ir.kernel import KernelIR
from ....ir.library.direct3d import MAPPED
from ....ir.library.printing import PrintedRecords
from ....ir.lowered import Form, Lowered
from ....ir.memory import Space
from ....ir.specialisation import Instance, Specialisation
from ....ir.transforms.dynamic_indexing import each_of
from ....ir.types import I32
from ....vocab import d3d
from ....vocab.d3d import ShaderKind
from ....vocab.words import Stage
from ..code import Code
from ..instruction import CUSTOMDATA, Instruction
from ..lines import line_numbers
from ..operands import written_components
from ..tables.ops import OPS
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import GlobalFlags
from ..tables.vocabulary import BUILTINS
from .attributes import Attributes
from .declarations import InterfaceArray, ProgramDeclarations, arrays, declare
from .flow import Flow, label_of
from .geometry import GeometryState
from .memory import Memories
from .patches import DomainInputs, Hull
from .plans import PLANS, LoweringPlan
from .printing import lower_message
from .ranges import Ranges, fixed, place, undeclared
from .registers import ROW, Registers
from .textures import Textures

__all__ = ["lower"]

STAGES = (
    Stage.COMPUTE, Stage.PIXEL, Stage.VERTEX, Stage.GEOMETRY, Stage.HULL, Stage.DOMAIN,
)  # fmt: skip
PLAIN = {  # operations with status and clamp, and those without
    "sample_cl_s": "sample", "sample_b_cl_s": "sample_b", "sample_d_cl_s": "sample_d",
    "sample_c_cl_s": "sample_c",
}  # fmt: skip
LABELS: dict[str, str] = {value: word(REGISTERS, kind) for kind, value in BUILTINS.items()}
BUFFERS = frozenset({Form.CONSTANTS, Form.RAW, Form.STRUCTURED})


@uncollected
def lower(program: Code, entry: str, specialisation: Specialisation, listing: list[str]) -> Lowered:
    """Lower a program to a kernel.

    Args:
        program: The program.
        entry: The name of the kernel.
        specialisation: `interfaces` maps interface slots (fp#) to function tables (ft#); slots
            with a single table may be left out. `instances` maps slots to the data of the object
            (this[#]): constant buffer, row, resource and sampler. `lengths` is the number of
            registers of unbounded arrays, by their first ("t0"). `bounds` applies to buffers;
            texels outside a texture or typed buffer are always 0, as in every API.
        listing: The lines of the program's text: the profile, then a line for each instruction,
            and for an immediate constant buffer one for every four values.

    Raises:
        UnsupportedError: The program has something that cannot be run yet.
    """
    stage = d3d.STAGES.get(program.kind)
    if stage not in STAGES:
        raise UnsupportedError(f"{program.stage} shaders cannot be run yet")
    lowering = Lowering(program, stage, entry, specialisation, listing)
    try:
        return lowering.lower()
    finally:
        lowering.flow.close()


class Lowering:
    """The lowering of one program."""

    def __init__(
        self,
        program: Code,
        stage: Stage,
        entry: str,
        specialisation: Specialisation,
        listing: list[str],
    ) -> None:
        self.instructions = program.listed
        self.listing = listing
        self.lines = line_numbers(program.listed)
        self.declarations: list[Instruction] = []
        self.relative: list[Instruction] = []  # operations with relative indices
        self.resources: list[Instruction] = []  # declarations and operations with resources
        self._sort(program.kind)
        self.kernel = KernelIR(entry, stage)
        self.registers = Registers(
            self.kernel, Ranges(self.resources, specialisation), len(self.instructions)
        )
        self.printed = PrintedRecords(self.registers.builder, specialisation.for_source)
        self.declared = ProgramDeclarations()
        self.flow = Flow(self.registers, self._body)
        self.memories = Memories(self.registers, self.declared)
        self.textures = Textures(self.registers, self.declared)
        self.attributes = Attributes(self.registers)
        self.geometry: GeometryState | None = None
        self.hull: Hull | None = None
        self.domain: DomainInputs | None = None
        self.specialisation = specialisation
        self.chosen = specialisation.interfaces
        self.labels: dict[str, int] = {}
        if specialisation.instances:
            self._objects(specialisation.instances)

    def _sort(self, kind: int) -> None:
        """Sort the instructions; UnsupportedError if one is malformed, or not of this stage."""
        plans = PLANS.of_all(self.instructions)
        for instruction, plan, line in zip(self.instructions, plans, self.lines, strict=True):
            if kind not in plan.stages:
                stage = ShaderKind(kind).name.lower()
                raise UnsupportedError(
                    f"line {line}: {instruction.name} does not exist in {stage} shaders"
                )
            if plan.problem is not None:
                problem = f"line {line}: {plan.problem}"
                raise UnsupportedError(problem)
            if plan.declares:
                self.declarations.append(instruction)
            elif plan.relative:
                self.relative.append(instruction)
            if plan.resources:
                self.resources.append(instruction)

    def _objects(self, instances: Mapping[int, Instance]) -> None:
        """Create the table this[#]."""
        count = 1 + max(instances)
        table = self.registers.new_memory("this", Space.TABLE, ROW, count, internal=True)
        rows = [instances.get(slot, (0, 0, 0, 0)) for slot in range(count)]
        table.data = b"".join(number.to_bytes(4, "little") for row in rows for number in row)

    def lower(self) -> Lowered:
        """Lower the program."""
        first = len(self.instructions)
        for at, instruction in enumerate(self.instructions):
            if instruction.name == "label":
                self.labels.setdefault(label_of(instruction.operands[0]), at + 1)
                first = min(first, at)
        self._stage(first)
        for instruction in self.declarations:
            declare(self.registers, self.declared, instruction)
        array = arrays(self.registers, self.relative)
        b = self.registers.builder
        if array is not None:
            for slot, port in self.registers.inputs.items():
                if slot.location is not None:
                    b.store(array, slot.location, 4 * slot.component, b.input(port))
        if self.kernel.stage is Stage.PIXEL:
            self.attributes.prepare(self.instructions)
        if self.geometry is not None:
            self.geometry.prepare()
        if self.hull is not None:
            for phase in self.hull.phases:
                with self.hull.entered(phase, self.flow):
                    self._run(phase.start, phase.end)
        else:
            self._run(0, first)
        self.flow.finish()
        self._write_outputs()
        self._bound_buffers()
        found = Lowered(
            self.kernel,
            [*self.declared.resources.values()],
            self.listing,
            labels=LABELS,
            printed=self.printed.formats,
        )
        found.specialisation = self.specialisation
        found.early_tests = any(
            GlobalFlags(each.token).force_early_depth_stencil
            for each in self.declarations
            if each.name == "dcl_globalFlags"
        )
        if self.geometry is not None:
            found.instances = self.geometry.instances
        for each in (self.geometry, self.hull, self.domain):
            found.points += each.points() if each is not None else []
        return found

    def _bound_buffers(self) -> None:
        """Set the behaviour of out-of-bounds accesses to buffers."""
        bounds = self.specialisation.bounds
        if bounds is not None:
            buffers = {
                each.key for each in self.declared.resources.values() if each.form in BUFFERS
            }
            for memory in self.kernel.memories:
                if memory.key in buffers:
                    memory.bounds = bounds

    def _stage(self, last: int) -> None:
        """Create the state of shaders of a particular stage."""
        match self.kernel.stage:
            case Stage.GEOMETRY:
                self.geometry = GeometryState(self.registers, self.declarations)
            case Stage.HULL:
                self.hull = Hull(self.registers, self.instructions, last)
            case Stage.DOMAIN:
                self.domain = DomainInputs(self.registers, self.declarations)

    def _body(self, label: str) -> None:
        start = self.labels.get(label)
        if start is None:
            raise UnsupportedError(f"no such label: {label}")
        end = start
        while end < len(self.instructions) and self.instructions[end].name != "label":
            end += 1
        self._run(start, end)

    def _run(self, start: int, end: int) -> None:
        b = self.registers.builder
        for at in range(start, end):
            instruction = self.instructions[at]
            plan = PLANS.of(instruction)
            row = plan.row
            assert row is not None
            if row.kind in ("decl", "phase"):
                continue
            b.line = self.lines[at]
            if row.code == CUSTOMDATA:
                if instruction.message is not None:
                    lower_message(self.registers, self.printed, instruction.message)
                continue
            if row.name in ("ret", "retc"):
                self._write_outputs()
            self._one(instruction, plan)

    def _one(self, instruction: Instruction, plan: LoweringPlan) -> None:
        row = plan.row
        assert row is not None
        self.registers.calls.spend()
        self.registers.clamps = plan.clamps
        self.registers.copies = plan.copies
        if plan.compute is not None:
            plan.compute(self.registers)
        elif plan.moving is not None:
            self._each(instruction, plan.moving)
        elif row.name.endswith("_s"):
            self._with_status(instruction)
        elif row.name == "fcall":
            self._interface_call(instruction)
        elif not (
            self.flow.lower(instruction)
            or self.memories.lower(instruction)
            or self.textures.lower(instruction)
            or self.attributes.lower(instruction)
            or (self.geometry is not None and self.geometry.lower(instruction))
        ):
            raise UnsupportedError(f"{row.name} cannot be run yet")

    def _each(self, instruction: Instruction, at: int) -> None:
        """Lower an instruction with a relative register, once for each possible register.

        A number outside the range reads 0 and writes nothing.
        """
        row = instruction.op
        operand = instruction.operands[at]
        which = self.registers.index(place(operand)[1])
        assert row is not None
        assert not isinstance(which, int)

        def lower(number: int) -> None:
            operands = [*instruction.operands]
            operands[at] = fixed(operand, number)
            made = Instruction(instruction.token, operands, instruction.words, instruction.extended)
            self._one(made, PLANS.of(made))

        def nothing() -> None:
            for target in instruction.operands[: row.results]:
                for component in written_components(target):
                    self.registers.write_bits(target, component, constant(0, I32))

        numbers = self.registers.ranges.of(operand).selected
        each_of(self.registers.builder, which, numbers, lower, nothing)

    def _with_status(self, instruction: Instruction) -> None:
        """Lower an instruction with _s: the status is that everything is mapped."""
        row = instruction.op
        assert row is not None
        plain = OPS.by_name[PLAIN.get(row.name, row.name.removesuffix("_s"))]
        token = instruction.token & ~0x7FF | plain.code
        target, status, *rest = instruction.operands
        clamp = rest.pop() if "_cl" in row.name else None
        base = Instruction(token, [target, *rest], instruction.words, instruction.extended)
        if clamp is None:
            self._one(base, PLANS.of(base))
        else:
            self.textures.sample(base, clamp)
        for at in written_components(status):
            self.registers.write_bits(status, at, MAPPED)

    def _write_outputs(self) -> None:
        """Copy outputs with relative indices to their ports, at the end."""
        array = self.registers.output_array
        if array is None or self.registers.held or len(self.flow.bodies) > 1:
            return
        b = self.registers.builder
        for slot, port in self.registers.outputs.items():
            if slot.location is not None:
                b.output(port, b.load(array, slot.location, 4 * slot.component))

    # ------------------------------------------------------------ interfaces

    def _interface_call(self, instruction: Instruction) -> None:
        """Lower fcall fp#[index][site]: call the function of the slot's table at the site."""
        operand = instruction.operands[0]
        slot = operand.indices[0].immediate
        site = instruction.words[0] if instruction.words else 0
        index = self.registers.index(operand.indices[1]) if len(operand.indices) > 1 else 0
        if isinstance(index, int):
            self._call_at(slot + index, site)
            return
        first, interface = self._interface(slot)
        each_of(
            self.registers.builder,
            index,
            range(first - slot, first - slot + interface.count),
            lambda number: self._call_at(slot + number, site),
        )

    def _interface(self, slot: int) -> tuple[int, InterfaceArray]:
        """Return the first slot of the declaration that contains a slot, and the declaration."""
        for first, found in self.declared.interfaces.items():
            if first <= slot < first + max(found.count, 1):
                return first, found
        raise undeclared(f"fp{slot}")

    def _call_at(self, slot: int, site: int) -> None:
        tables = self._interface(slot)[1].tables
        table = self.chosen.get(slot)
        if table is None:
            if len(tables) != 1:
                names = ", ".join(f"ft{each}" for each in tables) or "none"
                raise UnsupportedError(
                    f"expected a choice of one of the tables {names} for interface fp{slot}:"
                    f" use --interface fp{slot}=… (in Python interfaces={{{slot}: …}}), which"
                    " decompile and translate do not take yet"
                )
            table = tables[0]
        bodies = self.declared.bodies.get(table, [])
        if site >= len(bodies):
            raise UnsupportedError(f"no such function: {site} of ft{table}")
        self.flow.call(f"fb{bodies[site]}")
