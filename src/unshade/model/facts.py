"""What a program says about one of its entry points, before a container adds what it knows.

    ProgramFacts ── inputs, outputs, patch_constants     ports that the code declares or uses
                 ├─ resources, constant_buffers          what it declares that is bound
                 ├─ banks                                registers that are set from outside
                 ├─ thread_group, geometry, tessellation how the stage is run
                 └─ temporaries, shared memory, features what it costs and asks for

`Program.facts(entry)` returns it. Names of a source are the container's, unless the code has them
itself: what is bound, comes in or goes out has a slot, its place, by which all descriptions of a
program are joined, and a label, which is how the code spells it. `path` says where in the program
something is declared, as `verify` does; it is empty where the code has no declaration.
"""

from collections.abc import Collection

from ..vocab.slots import PortSlot, ResourceSlot
from ..vocab.words import Interpolation, Stage, SystemValue
from .plain import Facts, fact
from .reflection import (
    COMPONENTS,
    Geometry,
    InterfaceSlot,
    SharedMemory,
    Statistics,
    TempArray,
    Tessellation,
)
from .resources import ConstantBuffer, Resource

__all__ = ["ProgramFacts", "ProgramPort", "ProgramResource", "RegisterBank"]


class ProgramPort(Facts):
    """An input or output of the code, or part of one."""

    label: str = fact("what the code calls it: v1, oDepth")
    slot: PortSlot = fact("its place as a whole")
    components: str = fact("components that are declared, or used where none are: of xyzw")
    system_value: SystemValue | str | None = fact("meaning to the pipeline", default=None)
    interpolation: Interpolation | str | None = fact(
        "how a pixel shader's input is made, None where the code does not say", default=None
    )
    path: str = fact("where the program declares it", default="")

    @property
    def slots(self) -> list[PortSlot]:
        """Return the places of its components."""
        return [self.slot.at(COMPONENTS.index(letter)) for letter in self.components]


class ProgramResource(Facts):
    """A resource that the code declares."""

    label: str = fact("what the code calls it: t3")
    resource: Resource = fact("what is bound; its name is generated")
    path: str = fact("where the program declares it", default="")

    @property
    def slot(self) -> ResourceSlot:
        """Return its place. An array has several."""
        return self.resource.slot


class RegisterBank(Facts):
    """Registers that are set from outside, by number: the constants of a PICA200."""

    label: str = fact("what stands before the number: c")
    slot: ResourceSlot = fact("its place")
    scalar: str = fact("type of a component: float, uint, bool")
    columns: int = fact("components of a register")
    count: int = fact("registers")
    reads: dict[int, str] = fact("registers that the code reads, with the components", factory=dict)
    relative_from: int | None = fact(
        "first register that is addressed relatively: any from there on may be read; None without",
        default=None,
    )

    def may_read(self, registers: Collection[int]) -> bool:
        """Return whether the code can read one of these registers."""
        if self.relative_from is not None and any(each >= self.relative_from for each in registers):
            return True
        return any(each in self.reads for each in registers)


class ProgramFacts(Facts):
    """What a program says about one of its entry points."""

    code: str = fact("what the code is: tpf, pica, …")
    entry_point: str = fact("name of the entry point")
    stage: Stage | str = fact("what it is run for")
    model: str | None = fact("shader model, or the version of the code: 5.0", default=None)
    profile: str | None = fact("target of the compiler: ps_5_0", default=None)

    inputs: list[ProgramPort] = fact("what comes in", factory=list)
    outputs: list[ProgramPort] = fact("what goes out", factory=list)
    outputs_read: list[ProgramPort] = fact(
        "of a hull shader: outputs of control points that a later phase reads", factory=list
    )
    patch_constants: list[ProgramPort] = fact("of a patch", factory=list)
    builtins: list[ProgramPort] = fact("what it reads that no signature lists", factory=list)

    resources: list[ProgramResource] = fact("what is bound", factory=list)
    constant_buffers: list[ConstantBuffer] = fact(
        "what it reaches of each buffer; `resource` is an index in `resources`", factory=list
    )
    banks: list[RegisterBank] = fact("registers that are set from outside", factory=list)
    interfaces: list[InterfaceSlot] = fact("interface variables", factory=list)
    function_tables: list[int] = fact("numbers of the function tables", factory=list)

    thread_group: list[int] | None = fact("threads of a group in x, y, z", default=None)
    geometry: Geometry | None = fact("of a geometry shader", default=None)
    tessellation: Tessellation | None = fact("of a hull or domain shader", default=None)
    passes_control_points: bool = fact(
        "whether a hull shader has no code for control points: they go out as they came in",
        default=False,
    )
    sample_frequency: bool = fact("whether a pixel shader runs for each sample", default=False)

    features: list[str] = fact(
        "what it asks of the hardware beyond its model, as far as the code shows it", factory=list
    )
    global_flags: list[str] = fact("the program's own flags, as listings print them", factory=list)
    temp_registers: int = fact("temporary registers", default=0)
    temp_arrays: list[TempArray] = fact("indexable temporary registers", factory=list)
    shared_memory: list[SharedMemory] = fact("memory of a thread group", factory=list)
    statistics: Statistics | None = fact(
        "counts over the code; None where `Program.statistics` makes them in a pass of its own",
        default=None,
    )
    notes: list[str] = fact("what could not be found out, in sentences", factory=list)
