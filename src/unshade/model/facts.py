"""Facts that a program contains about one of its entry points, before the container's facts.

    ProgramFacts ── inputs, outputs, patch_constants     ports that the code declares or uses
                 ├─ resources, constant_buffers          resources that it declares
                 ├─ banks                                registers that the application sets
                 ├─ thread_group, geometry, tessellation settings of the stage
                 └─ temporaries, shared memory, features cost and required features

`Program.facts(entry)` returns it. Inputs, outputs and resources have a slot, by which all
descriptions of a program are joined, and a label, their spelling in the code. Source names come
from the container, unless the code has them. `path` is the path of the declaration in the program,
as in `verify`; it is empty if there is none.
"""

from collections.abc import Collection

from ..tuples import NamedTuple
from ..vocab.slots import PortSlot, ResourceSlot
from ..vocab.words import ComponentType, Interpolation, MinPrecision, Stage, SystemValue
from .plain import Facts, fact
from .reflection import COMPONENTS, EntryPointFacts, InterfaceSlot, Reflection
from .resources import ConstantBuffer, Resource

__all__ = [
    "ConstantReads",
    "ProgramFacts",
    "ProgramPort",
    "ProgramResource",
    "RegisterBank",
    "mark_used",
    "take_shared",
]

OF_FILE = frozenset({"profile", "creator"})  # stated once for all entry points
TAKEN = EntryPointFacts.FIELDS.keys() - OF_FILE - {"notes"}


class ProgramPort(Facts):
    """An input or output of the code, or some components of one."""

    label: str = fact("name in the code: v1, oDepth")
    slot: PortSlot = fact("slot of the whole register")
    components: str = fact("components that are declared, or used if none are declared: of xyzw")
    system_value: SystemValue | str | None = fact(
        "system value; None for an ordinary input or output", default=None
    )
    interpolation: Interpolation | str | None = fact(
        "interpolation of a pixel shader's input; None if the code leaves it open",
        default=None,
    )
    component_type: ComponentType | str | None = fact(
        "type of the components; None if the code leaves it open", default=None
    )
    min_precision: MinPrecision | str = fact("minimum precision", default="default")
    used: str | None = fact(
        "components that the code refers to: of xyzw; None if not determined", default=None
    )
    name: str = fact("name in the source; empty if the code contains none", default="")
    index: int = fact("number of the row, if a name has several", default=0)
    path: str = fact("path of the declaration in the program", default="")
    vertices: int = fact(
        "length of the array by vertex that it is in, if it is not interpolated", default=0
    )
    vertex_array: str = fact("name of that array; empty if there is none", default="")
    member: int | None = fact(
        "number of the member of a block that it is or is in; None if it is in no block",
        default=None,
    )
    feedback_buffer: int | None = fact(
        "transform feedback buffer that it is written to; None for no buffer", default=None
    )
    feedback_offset: int = fact("its offset in the vertex there, in bytes", default=0)
    feedback_stride: int = fact("bytes of a vertex there; 0 if not stated", default=0)

    @property
    def slots(self) -> list[PortSlot]:
        """The slots of its components."""
        return [self.slot.at(COMPONENTS.index(letter)) for letter in self.components]


class ProgramResource(Facts):
    """A resource that the code declares."""

    label: str = fact("name in the code: t3")
    resource: Resource = fact("the resource, with a generated name")
    path: str = fact("path of the declaration in the program", default="")
    reads: list[int] | None = fact(
        "offsets of the bytes that the code reads of a constant buffer; None if not known",
        default=None,
    )

    @property
    def slot(self) -> ResourceSlot:
        """The slot of the resource; one slot for a whole array."""
        return self.resource.slot


class ConstantReads(NamedTuple):
    """The bytes of a constant buffer that code reads.

    `offsets` are those at constant places. `indexed` is True if it also reads at places that are
    computed.
    """

    offsets: list[int]
    indexed: bool = False


def mark_used(buffer: ConstantBuffer, resource: ProgramResource) -> None:
    """Set which variables of a resource's buffer are read, if the code determines them."""
    if resource.reads is None:
        return
    reads = set(resource.reads)
    for each in buffer.variables:
        each.used = not reads.isdisjoint(range(each.offset, each.offset + each.size))


class RegisterBank(Facts):
    """A register file that the application sets by number: the constants of a PICA200."""

    label: str = fact("prefix of the register names: c")
    slot: ResourceSlot = fact("slot of the register file")
    scalar: str = fact("type of a component: float, uint or bool")
    columns: int = fact("number of components of a register")
    count: int = fact("number of registers")
    reads: dict[int, str] = fact("components that the code reads, by register", factory=dict)
    relative_from: int | None = fact(
        "first register that relative addressing may read, with all after it; None if not used",
        default=None,
    )

    def may_read(self, registers: Collection[int]) -> bool:
        """Return whether the code can read one of these registers."""
        if self.relative_from is not None and any(each >= self.relative_from for each in registers):
            return True
        return any(each in self.reads for each in registers)


class ProgramFacts(EntryPointFacts):
    """Facts that a program contains about one of its entry points.

    `constant_buffers` have the part of each buffer that the code can access, `features` those that
    the code shows, and `statistics` is None if only `Program.statistics` computes them.
    """

    code: str = fact("instruction set of the code: tpf, pica, …", before="model")
    entry_point: str = fact("name of the entry point", before="model")
    stage: Stage | str = fact("stage of the pipeline", before="model")

    inputs: list[ProgramPort] = fact("inputs", factory=list)
    outputs: list[ProgramPort] = fact("outputs", factory=list)
    outputs_read: list[ProgramPort] = fact(
        "outputs of a hull shader's control points that a later phase reads", factory=list
    )
    patch_constants: list[ProgramPort] = fact("inputs or outputs of a patch", factory=list)
    builtins: list[ProgramPort] = fact("built-in inputs that no signature lists", factory=list)

    resources: list[ProgramResource] = fact("declared resources", factory=list)
    banks: list[RegisterBank] = fact("register files that the application sets", factory=list)
    interfaces: list[InterfaceSlot] = fact("interface variables", factory=list)
    function_tables: list[int] = fact("numbers of the function tables", factory=list)

    passes_control_points: bool = fact(
        "True if a hull shader passes its control points on unchanged", default=False
    )
    sample_frequency: bool = fact("True if a pixel shader runs once per sample", default=False)


def take_shared(found: Reflection, facts: ProgramFacts) -> None:
    """Add the facts that reflections and programs have in common.

    A value that the reflection was given already, by a container, takes precedence. The profile and
    the creator, which the file names once, are left out.
    """
    known = vars(found)
    for name, value in vars(facts).items():
        if name in TAKEN and name not in known:
            known[name] = value
    if facts.notes:
        found.notes = found.notes + facts.notes
