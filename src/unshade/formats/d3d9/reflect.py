"""Reflection of Direct3D 9 programs: the code's registers, with the names of CTAB.

    inputs, outputs   by their usages
    resources         samplers, each with its texture
    buffers           the register files c, i and b: named constants, and others that the code reads

A register counts as 16 bytes, in each file from register 0; a boolean register too.
"""

from collections.abc import Iterator

from ...model import BufferKind, ConstantBuffer, Reflection, TypeClass, TypeDescription, Variable
from ...model.facts import RegisterBank
from ...model.from_facts import reflection_of
from ...programs.d3d9 import Program
from ...programs.d3d9.constants import CONSTANT_SETS, ConstantType9, constant_table, scalar_name
from ...vocab.d3d import TYPE_CLASSES, VariableClass
from ...vocab.numbers import word

__all__ = ["identity", "reflect"]

REGISTER = 16  # bytes


def identity(program: Program, format: str) -> Reflection:
    """Return a reflection with stage, model and profile alone."""
    version = program.version
    found = Reflection(format=format, code="d3d9", stage=program.entry_points[0].stage)
    found.model = version.model
    found.profile = version.profile
    return found


def reflect(program: Program, format: str) -> Reflection:
    """Return the reflection of a program."""
    facts = program.facts()
    found = reflection_of(facts, format, by_register=False)
    found.creator, found.profile = facts.creator, facts.profile
    found.by_number = True
    buffers = [_buffer(bank, list(_named(program, bank))) for bank in facts.banks]
    found.constant_buffers = [each for each in buffers if each is not None]
    return found


def _named(program: Program, bank: RegisterBank) -> Iterator[Variable]:
    table = constant_table(program)
    for row in table.constants if table is not None else ():
        if CONSTANT_SETS.get(row.register_set) != bank.label:  # type: ignore[call-overload]
            continue
        registers = range(row.register, row.register + row.count)
        kind = _type(row.type, row.count)
        yield Variable(
            name=row.name,
            offset=REGISTER * row.register,
            size=REGISTER * row.count,
            type=kind,
            used=bank.may_read(registers),
        )


def _type(kind: ConstantType9, count: int) -> TypeDescription:
    columns = kind.type_class == VariableClass.MATRIX_COLUMNS
    matrix = columns or kind.type_class == VariableClass.MATRIX_ROWS
    elements = [kind.elements] if kind.elements > 1 else []
    each = max(1, count // max(1, kind.elements))
    return TypeDescription(
        type_class=word(TYPE_CLASSES, kind.type_class),
        scalar=scalar_name(kind.type),
        rows=kind.rows if matrix else 1,
        columns=kind.columns,
        elements=elements,
        size=REGISTER * each,
        strides=[REGISTER * each] if elements else [],
        matrix_stride=REGISTER if matrix else None,
    )


def _buffer(bank: RegisterBank, found: list[Variable]) -> ConstantBuffer | None:
    """Return the registers of a file that have a name or are read."""
    taken = {
        register
        for each in found
        for register in range(each.offset // REGISTER, (each.offset + each.size) // REGISTER)
    }
    for register in sorted(bank.reads.keys() - taken):
        found.append(
            Variable(
                name=f"{bank.label}{register}",
                offset=REGISTER * register,
                size=REGISTER,
                type=_register(bank),
                used=True,
            )
        )
    if not found:
        return None
    found.sort(key=lambda each: each.offset)
    size = max(each.offset + each.size for each in found)
    return ConstantBuffer(
        name=bank.label, kind=BufferKind.UNIFORMS, bank=bank.slot.number, size=size,
        declared_size=REGISTER * bank.count, register=_register(bank), variables=found,
    )  # fmt: skip


def _register(bank: RegisterBank) -> TypeDescription:
    return TypeDescription(
        type_class=TypeClass.VECTOR if bank.columns > 1 else TypeClass.SCALAR,
        scalar=bank.scalar,
        columns=bank.columns,
        size=4 * bank.columns,
    )
