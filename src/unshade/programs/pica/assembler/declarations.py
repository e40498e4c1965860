"""Directives that declare uniforms, constants and aliases.

    .fvec a, b[4]      .ivec c           .bool d[2]            uniforms; names with _ are hidden
    .constf k(1, 0, 0.5, -1)             .consti n(3, 0, 1, 0)
    .constfa t[2]   and its rows         .constfa (1, 0, 0, 0)     and  .end
    .setf c5(1, 2, 3, 4)                 .seti i0(1, 2, 3, 4)      .setb b3 on
    .alias name -c5.xxyy

Source: picasso's manual; its behaviour where the manual is silent.
"""

import re
from typing import TYPE_CHECKING

from ....isa.source import Location, Scanner
from ....vocab.float24 import from_float
from ....vocab.pica import COMPONENTS, FLOATS, INTEGERS
from ..tables.registers import Register, RegisterFile
from .assembly import DeclaredConstant, DeclaredUniform, Unit
from .blocks import BlockKind
from .numbers import byte, decimal, floating, ignored_arithmetic
from .operands import KINDS, NAME, Alias, read_operand

if TYPE_CHECKING:
    from .reader import Directive, PicassoReader

__all__ = ["DECLARATIONS", "ConstantArray", "new_name", "word"]

FLOAT, INTEGER, BOOL = RegisterFile.FLOAT, RegisterFile.INTEGER, RegisterFile.BOOL
REGISTER = re.compile(r"[ovrcib]\d", re.ASCII | re.IGNORECASE)
WORD = re.compile(r"[\w$]+", re.ASCII)
SPELLED = re.compile(r"[ovrcib]\d+", re.ASCII)
HIDDEN = "_"
BOOLEANS = {"true": 1, "on": 1, "1": 1, "false": 0, "off": 0, "0": 0}


class ConstantArray:
    """The rows of a `.constfa` without its `.end`; the name is "" if the first line is invalid."""

    __slots__ = ("name", "place", "rows", "size")

    def __init__(self, place: Location) -> None:
        self.name = ""
        self.place = place
        self.size: int | None = None
        self.rows: list[tuple[int, ...]] = []


# ---------------------------------------------------------------- names


def new_name(reader: "PicassoReader", scanner: Scanner, wanted: str) -> tuple[str, Location]:
    """Read a name that is not taken yet; return it with its place."""
    start = scanner.at
    name = scanner.take(NAME, wanted)
    place = scanner.place(start)
    if name in reader.aliases:
        raise place.error(
            f"the name {name!r:.60} is already used for {reader.aliases[name].register}"
        )
    if SPELLED.fullmatch(name):
        reader.warn("shadow", place, f"from here on, {name:.60} is no longer the register")
    return name, place


def _alias(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    name, where = new_name(reader, scanner, "a name")
    if REGISTER.match(name):
        raise where.error("a name must not begin like a register, with a letter and a digit")
    operand = read_operand(scanner, reader.aliases, "a register")
    reader.finish(scanner)
    reader.check_index(operand)
    if operand.register.file is RegisterFile.OUTPUT:
        reader.declares()
        reader.check_output(operand)
    reader.aliases[name] = Alias(operand.register, operand.swizzle, operand.negate)


# ---------------------------------------------------------------- uniforms


def _uniforms(file: RegisterFile) -> "Directive":
    def directive(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
        unit = reader.declares()
        while True:
            name, where = new_name(reader, scanner, "a name for the uniform")
            count = 1
            if scanner.accept("["):
                start = scanner.at
                count = decimal(scanner, "a number of registers")
                if count < 1:
                    raise scanner.place(start).error("an array has at least one register")
                scanner.expect("]")
            register = _allocated(reader, file, name, count, where)
            reader.aliases[name] = Alias(register, size=count)
            if not name.startswith(HIDDEN):
                unit.uniforms.append(DeclaredUniform(name, register, count))
            if not scanner.accept(","):
                break
        reader.finish(scanner)

    return directive


def _allocated(
    reader: "PicassoReader", file: RegisterFile, name: str, count: int, place: Location
) -> Register:
    shared = reader.program.shared if reader.unit.shares_uniforms else None
    known = shared.get(name) if shared is not None else None
    if known is not None:
        if known.register.file is not file:
            raise place.error(f"{name:.60} is {KINDS[known.register.file]} in an earlier source")
        if known.count != count:
            raise place.error(f"{name:.60} has {known.count} registers in an earlier source")
        return known.register
    first = reader.spaces[file].uniform(count)
    if first is None:
        raise place.error(
            f"no room for {count} more {file} registers: {KINDS[file]} for {name:.60}"
        )
    register = Register(file, first)
    if shared is not None:
        shared[name] = DeclaredUniform(name, register, count)
    return register


# ---------------------------------------------------------------- constants


def _values(reader: "PicassoReader", scanner: Scanner, file: RegisterFile) -> tuple[int, ...]:
    """Read four values in parentheses; return float24 bits, or bytes."""
    values = []
    scanner.expect("(", "'(' and four values")
    for place, letter in enumerate(COMPONENTS):
        if place:
            scanner.expect(",")
        if file is FLOAT:
            values.append(from_float(floating(scanner, letter), picasso=True))
        else:
            values.append(byte(scanner, letter))
        start = scanner.at
        rest = ignored_arithmetic(scanner)
        if rest:
            message = f"constants are not computed: {rest:.40} is ignored"
            reader.warn("arithmetic", scanner.place(start), message)
    scanner.expect(")")
    return tuple(values)


def _add(unit: Unit, constants: list[DeclaredConstant], place: Location) -> None:
    if len(unit.constants) + len(constants) > FLOATS:
        raise place.error(f"a source can have at most {FLOATS} constants")
    unit.constants += constants


def _placed(
    reader: "PicassoReader", file: RegisterFile, count: int, name: str, place: Location
) -> Register:
    first = reader.spaces[file].constant(count)
    if first is None:
        raise place.error(
            f"no room for {count} more {file} registers: {KINDS[file]} for {name:.60}"
        )
    reader.aliases[name] = Alias(Register(file, first), size=count)
    return Register(file, first)


def _constant(file: RegisterFile) -> "Directive":
    def directive(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
        unit = reader.declares()
        name, where = new_name(reader, scanner, "a name for the constant")
        values = _values(reader, scanner, file)
        reader.finish(scanner)
        _add(unit, [DeclaredConstant(_placed(reader, file, 1, name, where), values)], where)

    return directive


def _array(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    """Read `.constfa`, which opens an array, or adds a row to one."""
    blocks = reader.program.code.blocks
    array = reader.array
    if array is not None and blocks and blocks[-1].kind is BlockKind.ARRAY:
        if len(array.rows) == array.size:
            raise place.error(f"the array already has {array.size} rows")
        array.rows.append(_values(reader, scanner, FLOAT))
        reader.finish(scanner)
        return
    if scanner.rest.startswith("("):
        raise place.error("a row outside an array; .constfa name[] comes first")
    reader.program.code.open(BlockKind.ARRAY, place)
    reader.array = array = ConstantArray(place)
    name, array.place = new_name(reader, scanner, "a name for the array")
    scanner.expect("[", "'[' and ']', with or without a number of rows")
    if not scanner.accept("]"):
        start = scanner.at
        array.size = decimal(scanner, "a number of rows")
        if array.size < 1:
            raise scanner.place(start).error("an array has at least one row")
        scanner.expect("]")
    reader.finish(scanner)
    array.name = name


def end_array(reader: "PicassoReader", array: "ConstantArray", place: Location) -> None:
    """Allocate the registers of an array and add its rows to the constants."""
    if not array.name:
        return  # its first line was invalid
    rows = array.rows
    rows += [(0, 0, 0, 0)] * ((array.size or 0) - len(rows))
    if not rows:
        raise array.place.error(f"the array {array.name:.60} has no rows")
    if len(rows) > FLOATS:
        raise array.place.error(f"no room for {len(rows)} more c registers: a float uniform")
    first = _placed(reader, FLOAT, len(rows), array.name, array.place)
    constants = [
        DeclaredConstant(Register(FLOAT, first.number + at), values)
        for at, values in enumerate(rows)
    ]
    _add(reader.declares(), constants, array.place)


def _set(file: RegisterFile) -> "Directive":
    def directive(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
        unit = reader.declares()
        register = _settable(reader, scanner, file)
        values = _values(reader, scanner, file)
        reader.finish(scanner)
        _add(unit, [DeclaredConstant(register, values)], place)

    return directive


def _set_bool(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    unit = reader.declares()
    register = _settable(reader, scanner, BOOL)
    value = word(scanner, "true or false", BOOLEANS, "boolean")
    reader.finish(scanner)
    _add(unit, [DeclaredConstant(register, (value,))], place)


def _settable(reader: "PicassoReader", scanner: Scanner, file: RegisterFile) -> Register:
    operand = read_operand(scanner, reader.aliases, KINDS[file])
    reader.check_index(operand)
    register = operand.register
    if register.file is not file:
        raise operand.error(f"expected {KINDS[file]}, got {register}")
    if operand.components or operand.negate:
        raise operand.error("expected a whole register, without components or a sign")
    if file is INTEGER and register.number >= INTEGERS:
        raise operand.error(f"no such register: {register}; expected i0 to i{INTEGERS - 1}")
    return register


def word(scanner: Scanner, wanted: str, table: dict[str, int], what: str) -> int:
    """Return the value of a word in a table, ignoring case."""
    start = scanner.at
    found = scanner.take(WORD, wanted).lower()
    if found not in table:
        raise scanner.unknown(what, found, start, table)
    return table[found]


DECLARATIONS: "dict[str, Directive]" = {
    "alias": _alias,
    "fvec": _uniforms(FLOAT),
    "ivec": _uniforms(INTEGER),
    "bool": _uniforms(BOOL),
    "constf": _constant(FLOAT),
    "consti": _constant(INTEGER),
    "constfa": _array,
    "setf": _set(FLOAT),
    "seti": _set(INTEGER),
    "setb": _set_bool,
}
