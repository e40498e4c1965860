"""The interface of an entry point: parameters for its signature and the lane's position.

    reflection   TEXCOORD 0, v1.xyz, float          EntryParameter("v1", "TEXCOORD0", float3)
    kernel       ports v1.x v1.y v1.z               its components

A port is found by its slot. A port that no signature lists gets a parameter with a semantic of its
own, named after its register.
"""

from collections.abc import Iterable, Sequence

from ..dataclass import dataclass, field
from ..errors import UnsupportedError
from ..ir.fold import from_float
from ..ir.kernel import KernelIR
from ..ir.memory import Port
from ..ir.ops import OPS
from ..ir.types import F32
from ..model import Reflection
from ..model.reflection import SignatureParameter
from ..vocab.slots import WHOLE_NUMBERS, Direction, Exchange, PortPart, PortSlot
from ..vocab.words import ComponentType, Interpolation, Stage, SystemValue
from .names import DecompiledNames, word_of
from .operations import SOURCE_OPS
from .tree import ScalarKind, TermType

__all__ = [
    "LANE_PLACES",
    "EntryInterface",
    "EntryParameter",
    "constant_parameters",
    "default_bits",
    "parameter_of_ports",
    "parameter_of_row",
]

KINDS: dict[str, ScalarKind] = {
    ComponentType.FLOAT32: ScalarKind.FLOAT, ComponentType.SINT32: ScalarKind.INT,
    ComponentType.UINT32: ScalarKind.UINT, ComponentType.FLOAT16: ScalarKind.FLOAT,
    ComponentType.SINT16: ScalarKind.INT, ComponentType.UINT16: ScalarKind.UINT,
    ComponentType.FLOAT64: ScalarKind.FLOAT, ComponentType.SINT64: ScalarKind.INT,
    ComponentType.UINT64: ScalarKind.UINT,
}  # fmt: skip
BITS: dict[str, int] = {  # of others: 32
    ComponentType.FLOAT16: 16, ComponentType.SINT16: 16, ComponentType.UINT16: 16,
    ComponentType.FLOAT64: 64, ComponentType.SINT64: 64, ComponentType.UINT64: 64,
}  # fmt: skip
POINTED = frozenset({Stage.GEOMETRY, Stage.HULL, Stage.MESH, Stage.AMPLIFICATION})
IN_BLOCKS = frozenset({
    SystemValue.POINT_SIZE, SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE,
    SystemValue.PRIMITIVE_ID, SystemValue.RENDER_TARGET_ARRAY_INDEX,  # of a mesh shader's primitive
    SystemValue.VIEWPORT_ARRAY_INDEX, SystemValue.CULLPRIMITIVE, SystemValue.SHADINGRATE,
})  # fmt: skip
# Inputs of SPIR-V that are functions or built-ins in sources, as in kernels of Direct3D.
LANE_PLACES: dict[object, str] = {
    SystemValue.WAVE_SIZE: "wave_size", SystemValue.WAVE_LANE: "wave_lane",
}  # fmt: skip
ELSEWHERE = frozenset({Exchange.CENTROID, Exchange.PERSPECTIVE})  # terms of such an input


@dataclass(slots=True, eq=False)
class EntryParameter:
    """An input or output of the entry point.

    `ports` are the ports of the kernel that are its components.
    """

    name: str
    type: TermType
    direction: Direction
    semantic: str = ""
    index: int = 0
    meaning: SystemValue | None = None
    interpolation: Interpolation | None = None
    location: int | None = None
    by_register: bool = False  # the semantic is only a label
    first: int = 0  # component of the location
    blend: int = 0  # blend source
    builtin: str = ""  # name of the built-in that it is, if the language has a name
    ports: dict[Port, int] = field(default_factory=dict)


class EntryInterface:
    """The parameters of a kernel; `of` finds the parameter and component of a port."""

    def __init__(
        self,
        kernel: KernelIR,
        reflection: Reflection | None,
        names: DecompiledNames,
        constants: Sequence[EntryParameter] = (),
    ) -> None:
        self.names = names
        self.inputs: list[EntryParameter] = []
        self.outputs: list[EntryParameter] = []
        self.of: dict[Port, tuple[EntryParameter, int]] = {}
        self.constants = [*constants]  # specialisation constants
        self.of |= {port: (each, 0) for each in constants for port in each.ports}
        if kernel.stage is Stage.PIXEL:
            _check_places(kernel.inputs)
        rows = (reflection.inputs, reflection.outputs) if reflection is not None else ([], [])
        self._add(kernel, kernel.inputs, rows[0], Direction.INPUT, self.inputs)
        self._add(kernel, kernel.outputs, rows[1], Direction.OUTPUT, self.outputs)
        self._drop_unwritten(kernel)
        for value in kernel.values():
            if value.op is SOURCE_OPS.at_vertex:
                self.of[value.args[0].attr][0].interpolation = Interpolation.PER_VERTEX

    def _drop_unwritten(self, kernel: KernelIR) -> None:
        """Drop built-ins that a module declares in a block with others and never writes.

        Writing them would need a feature that the program does not need.
        """
        written = {each.attr for each in kernel.values() if each.op is OPS.output}
        used = {each.meaning for each in self.outputs if written & {*each.ports}}
        self.outputs[:] = [
            each
            for each in self.outputs
            if each.meaning not in IN_BLOCKS
            or each.meaning in used
            or each.semantic.upper().startswith("SV_")
        ]

    def _add(
        self,
        kernel: KernelIR,
        ports: Sequence[Port],
        rows: Sequence[SignatureParameter],
        direction: Direction,
        made: list[EntryParameter],
    ) -> None:
        # Rows without a port are those of points (points.py) in these stages.
        pointed = kernel.stage in POINTED or (
            kernel.stage is Stage.DOMAIN and direction is Direction.INPUT
        )
        by_slot: dict[PortSlot, Port] = {each.slot: each for each in ports if each.slot is not None}
        seen: set[tuple[str, int]] = set()
        for row in rows:
            slots = row.slots(kernel.stage, direction)
            found = {by_slot[slot]: at for at, slot in enumerate(slots) if slot in by_slot}
            if not found and (pointed or (direction is Direction.OUTPUT and not slots)):
                continue
            if not found and row.system_value in LANE_PLACES:
                continue
            if row.by_register and type(row.system_value) is str:
                # One of SPIR-V that is no system value: its semantic would be a label.
                raise UnsupportedError(f"the built-in {row.semantic} has no counterpart yet")
            parameter = parameter_of_row(row, slots, direction, self.names)
            for port, at in found.items():
                parameter.ports[port] = at
                self.of.setdefault(port, (parameter, at))
                parameter.interpolation = parameter.interpolation or port.interpolation
                parameter.meaning = parameter.meaning or port.role
            key = row.semantic.casefold(), row.index
            parameter.by_register |= key in seen  # a second row of one name has a register
            seen.add(key)
            made.append(parameter)
        left: dict[str, list[Port]] = {}
        for port in ports:
            if port not in self.of:
                left.setdefault(port.row or port.name, []).append(port)
        for row_name, group in left.items():
            alone = parameter_of_ports(row_name, group, direction, self.names)
            made.append(alone)
            self.of.update({port: (alone, at) for port, at in alone.ports.items()})


def constant_parameters(
    ports: Iterable[Port], reflection: Reflection | None, names: DecompiledNames
) -> list[EntryParameter]:
    """Return specialisation constants; `index` is the id of one."""
    rows = reflection.specialisation_constants if reflection is not None else []
    types = {each.id: each.type for each in rows}
    found: list[EntryParameter] = []
    for port in ports:
        assert port.constant is not None
        signed = types.get(port.constant) == "int"
        kind = {"b": ScalarKind.BOOL, "f": ScalarKind.FLOAT}.get(
            port.type.kind, ScalarKind.INT if signed else ScalarKind.UINT
        )
        type = TermType(kind)
        name = names.unique(port.name)
        found.append(
            EntryParameter(name, type, Direction.INPUT, index=port.constant, ports={port: 0})
        )
    return found


def default_bits(constant: EntryParameter, reflection: Reflection | None) -> int:
    """Return the bits of the value that a specialisation constant has if nobody sets one.

    Several constants may share an id, each with a default of its own.
    """
    rows = reflection.specialisation_constants if reflection is not None else []
    rows = [each for each in rows if each.id == constant.index]
    names = {port.name for port in constant.ports}
    value = next((each.default for each in rows if each.name in names), None)
    if value is None:
        value = rows[0].default if rows else 0
    if constant.type.kind is ScalarKind.FLOAT:
        return from_float(float(value), F32)
    return int(value) & 0xFFFF_FFFF


def _check_places(ports: Sequence[Port]) -> None:
    """Refuse an input at another place of the pixel that no operation stands for."""
    for port in ports:
        slot = port.slot
        if slot is not None and (slot.place in ELSEWHERE or slot.part is not PortPart.VALUE):
            raise UnsupportedError("an input at another place of the pixel has no source yet")


def parameter_of_row(
    row: SignatureParameter, slots: Sequence[PortSlot], direction: Direction, names: DecompiledNames
) -> EntryParameter:
    """Return the parameter of a row of a signature."""
    kind = KINDS.get(row.component_type, ScalarKind.FLOAT)
    meaning = row.system_value if isinstance(row.system_value, SystemValue) else None
    width = max(len(slots), len(row.components), 1)
    how = row.interpolation if isinstance(row.interpolation, Interpolation) else None
    # Ports of Direct3D have 32 bits, whatever the program converts them to.
    bits = BITS.get(row.component_type, 32) if row.by_register else 32
    return EntryParameter(
        names.unique(wanted_name(row, meaning, direction, names)),
        TermType(kind, bits, width), direction, row.semantic, row.index, meaning, how,
        row.register, row.by_register, slots[0].component if slots else 0, row.blend_source,
    )  # fmt: skip


def parameter_of_ports(
    row: str, ports: Sequence[Port], direction: Direction, names: DecompiledNames
) -> EntryParameter:
    """Return a parameter for ports that the signature does not list."""
    first = ports[0]
    slot = first.slot
    whole = first.role in WHOLE_NUMBERS or (slot is not None and slot.place in WHOLE_NUMBERS)
    kind = ScalarKind.UINT if whole else ScalarKind.FLOAT
    location = slot.place if slot is not None and isinstance(slot.place, int) else None
    parts = [each.slot.component if each.slot is not None else 0 for each in ports]
    return EntryParameter(
        names.unique(row), TermType(kind, 32, max(parts) + 1), direction,
        "", location or 0, first.role, first.interpolation, location,
        ports=dict(zip(ports, parts, strict=True)),
    )  # fmt: skip


def wanted_name(
    row: SignatureParameter, meaning: SystemValue | None, direction: Direction,
    names: DecompiledNames,
) -> str:  # fmt: skip
    """Return the name of a parameter: that of the source, if it is free and says so."""
    if row.by_register and meaning in (None, SystemValue.TARGET):
        word = word_of(row.semantic)
        if row.semantic and not row.index and names.is_free(word):
            return word
    return spelled(row.semantic, row.index, direction)


def spelled(semantic: str, index: int, direction: Direction) -> str:
    """Return the name of a parameter: `position`, `texcoord1`, `target0`."""
    word = semantic.removeprefix("SV_").removeprefix("sv_")
    number = f"{index}" if index or word.upper() in ("TEXCOORD", "TARGET") else ""
    stem = word[:1].lower() + word[1:] if not word.isupper() else word.lower()
    return f"{'out_' * (direction is Direction.OUTPUT)}{stem}{number}"
