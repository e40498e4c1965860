"""Reflection of SHBIN files and objects.

    inputs     v registers: those with names, and others that the code reads
    outputs    rows of the output table, by their meaning to the rasteriser
    buffers    the register files c, i and b: names, constants, and other registers that are read

Several executables make one reflection with an entry point each. A register counts as 16 bytes, in
each file from register 0.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...model import (
    BufferKind,
    ComponentType,
    ConstantBuffer,
    Geometry,
    Primitive,
    Reflection,
    SignatureParameter,
    Stage,
    Statistics,
    Topology,
    TypeClass,
    TypeDescription,
    Variable,
)
from ...model.facts import ProgramFacts, ProgramPort, RegisterBank, take_shared
from ...vocab.float24 import to_float
from ...vocab.numbers import word
from ...vocab.pica import COMPONENTS, GEOMETRY_MODES, INPUTS, SYSTEM_VALUES, OutputType
from .records import ConstantType, ShaderType
from .spelling import FILES, letters

if TYPE_CHECKING:
    from .tables import TableFile

REGISTER = 16  # bytes of a register
VALUES = {  # type of the constants of each register file
    "c": ConstantType.FLOAT,
    "i": ConstantType.INT,
    "b": ConstantType.BOOL,
}


def identity(file: "TableFile") -> Reflection:
    """Return a reflection with only the stage and the entry point of each executable."""
    found = [
        _first(file, executable, entry.name)
        for executable, entry in zip(file.executables, file.entries(), strict=True)
    ]
    if len(found) == 1:
        return found[0]
    return Reflection(format=file.format, code="pica", entry_points=found)


def reflect(file: "TableFile") -> Reflection:
    """Return the reflection of a SHBIN or of an object."""
    known: dict[int, Reflection] = {}  # several offsets may lead to one executable
    each = []
    for executable, facts in zip(file.executables, file.program.all_facts(), strict=True):
        if id(executable) not in known:
            known[id(executable)] = _one(file, executable, facts)
        each.append(known[id(executable)])
    if len(each) == 1:
        return each[0]
    shared = Reflection(format=file.format, code="pica", entry_points=each)
    shared.statistics = Statistics(computed=True, instructions=len(file.program.instructions))
    return shared


def _one(file: "TableFile", executable: Any, facts: ProgramFacts) -> Reflection:
    found = _first(file, executable, facts.entry_point)
    geometry = found.stage == Stage.GEOMETRY
    found.inputs = list(_inputs(executable, facts))
    found.outputs = list(_outputs(executable, facts))
    found.constant_buffers = [
        buffer for bank in facts.banks if (buffer := _buffer(bank, executable)) is not None
    ]
    if geometry and file.format == "shbin":
        found.geometry = _geometry(executable)
    if geometry and executable.flags & 1:
        found.global_flags = ["mergeOutputs"]
    take_shared(found, facts)
    found.complete = not facts.notes
    return found


def _first(file: "TableFile", executable: Any, name: str) -> Reflection:
    """Return the stage and entry point, which is named after a label; no runtime reads it."""
    geometry = executable.type == ShaderType.GEOMETRY
    stage: Stage | str = Stage.GEOMETRY if geometry else Stage.VERTEX
    if executable.type > ShaderType.GEOMETRY:
        stage = f"unknown_{executable.type}"
    found = Reflection(format=file.format, code="pica", stage=stage, entry_point=name)
    found.by_number = True
    return found


# -- inputs and outputs --------------------------------------------------------------------------


def _inputs(executable: Any, facts: ProgramFacts) -> Iterator[SignatureParameter]:
    reads = _registers(facts.inputs)
    seen: set[int] = set()
    for row in executable.uniforms:
        if row.start >= INPUTS:
            continue
        registers = range(row.start, max(min(row.end, INPUTS - 1), row.start) + 1)
        if seen.issuperset(registers):
            registers = registers[:1]  # another name for the same registers
        for index, register in enumerate(registers):
            seen.add(register)
            yield _input(row.symbol, index, register, reads.get(register, ""))
    for register in sorted(reads.keys() - seen):
        yield _input(f"v{register}", 0, register, reads[register])


def _registers(ports: Iterable[ProgramPort]) -> dict[int, str]:
    """Return the components of each register."""
    return {port.slot.location: port.components for port in ports if port.slot.location is not None}


def _input(name: str, index: int, register: int, used: str) -> SignatureParameter:
    return SignatureParameter(
        semantic=name,
        index=index,
        register=register,
        components=COMPONENTS,
        used=used,
        component_type=ComponentType.FLOAT24,
        by_register=True,
    )


def _outputs(executable: Any, facts: ProgramFacts) -> Iterator[SignatureParameter]:
    writes = _registers(facts.outputs)
    for row in executable.outputs:
        dummy = row.type == OutputType.DUMMY
        value = None if dummy else word(SYSTEM_VALUES, row.type)
        mask = letters(row.mask)
        yield SignatureParameter(
            semantic="dummy" if dummy else str(value),
            register=row.register,
            components=mask,
            used="".join(c for c in mask if c in writes.get(row.register, "")),
            component_type=ComponentType.FLOAT24,
            system_value=value,
        )


# -- uniforms ------------------------------------------------------------------------------------


def _buffer(bank: RegisterBank, executable: Any) -> ConstantBuffer | None:
    """Return the registers of a file that have a name or a constant, or are read."""
    letter, kind = bank.label, VALUES[bank.label]
    first, count = next((start, size) for each, start, size in FILES if each == letter)
    values = {row.id: row for row in executable.constants if row.type == kind}
    found: list[Variable] = []
    taken: set[int] = set()
    for row in executable.uniforms:
        start, end = row.start - first, min(row.end - first, count - 1)
        if 0 <= start < count and start <= end:
            registers = range(start, end + 1)
            taken.update(registers)
            used = bank.may_read(registers)
            found.append(
                _variable(row.symbol, registers, used, values, _type(bank, len(registers)))
            )
    for register in sorted((values.keys() | bank.reads.keys()) - taken):
        one = range(register, register + 1)
        kind_of = _type(bank, 1)
        name = f"{letter}{register}"
        found.append(_variable(name, one, bank.may_read(one), values, kind_of))
    if not found:
        return None
    found.sort(key=lambda each: each.offset)
    size = max(each.offset + each.size for each in found)
    return ConstantBuffer(
        name=letter, kind=BufferKind.UNIFORMS, bank=bank.slot.number, size=size,
        declared_size=REGISTER * count, register=_type(bank, 1), variables=found,
    )  # fmt: skip


def _variable(
    name: str, registers: range, used: bool, values: dict[int, Any], kind: TypeDescription
) -> Variable:
    found = [_value(values[each]) if each in values else None for each in registers]
    value: Any = found if len(found) > 1 else found[0]
    return Variable(
        name=name,
        offset=REGISTER * registers.start,
        size=REGISTER * len(registers),
        type=kind,
        used=used,
        value=None if all(each is None for each in found) else value,
    )


def _type(bank: RegisterBank, count: int) -> TypeDescription:
    return TypeDescription(
        type_class=TypeClass.VECTOR if bank.columns > 1 else TypeClass.SCALAR,
        scalar=bank.scalar,
        columns=bank.columns,
        elements=[count] if count > 1 else [],
        size=4 * bank.columns,
        strides=[REGISTER] if count > 1 else [],
    )


def _value(row: Any) -> Any:
    if row.type == ConstantType.BOOL:
        return bool(row.data.value & 1)
    if row.type == ConstantType.INT:
        return list(row.data.value)
    return [to_float(word & 0xFF_FFFF) for word in row.data.value]


# -- the rest ------------------------------------------------------------------------------------


def _geometry(executable: Any) -> Geometry:
    mode = executable.geometry_mode
    vertices = {1: executable.variable_vertices, 2: executable.fixed_vertices}.get(mode)
    return Geometry(
        input_primitive=Primitive.UNDEFINED,
        input_vertices=vertices,
        output_topology=Topology.TRIANGLELIST,
        max_output_vertices=None,
        mode=word(GEOMETRY_MODES, mode),
        first_uniform=executable.fixed_start if mode == 2 else None,
    )
