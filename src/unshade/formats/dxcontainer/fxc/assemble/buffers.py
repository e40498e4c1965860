"""Buffer Definitions: buffers, variables and types of RDEF from their declarations.

    buffer       =  kind name  "{"  variable*  "}"
    variable     =  declared "// Offset:" n "Size:" n ["[unused]"]  ["=" 0x… 0x…]
    member       =  declared "// Offset:" n
    declared     =  type name ["[" n "]"] ";"
                 |  "struct" [name]  "{"  member*  "}" name ["[" n "]"] ";"
    type         =  ["row_major"] scalar [columns | rows "x" columns]  |  "interface" name

The text gives the offset of a member from the start of the buffer, the file from the start of its
structure. Facts that are not printed are set as fxc sets them: the size of a buffer is rounded up
to whole registers, the name of a type is its spelling (`dword` for `uint`), and the variable with
the name of its buffer is an array if the binding is one.
"""

import re
import struct
from collections.abc import Callable, Sequence

from .....isa.source import Scanner
from .....limits import DEFAULT
from .....vocab.d3d import BufferType, VariableClass, VariableType
from ...parts.rdef import RdefBinding, RdefBuffer, RdefMember, RdefType, RdefVariable
from ..listing.buffers import (
    DEFAULT_VALUE,
    INTERFACE,
    OFFSET,
    ROW_MAJOR,
    SIZE,
    STRUCT,
    UNUSED,
    USED,
)
from ..listing.names import BUFFERS, SCALARS
from .comments import NAME, Comments, number, reading

__all__ = ["complete", "read"]

IDENTIFIER = re.compile(r"[^\s\[\];{}]+")
HEX = re.compile(r"0x([0-9a-fA-F]{1,8})(?![0-9a-zA-Z])")
WORD = re.compile(r"[^\s;]+")
SPELLING = re.compile(r"([a-zA-Z]\w*?)(?:([1-4])(?:x([1-4]))?)?$", re.ASCII)
BUFFER_WORDS = reading(BUFFERS)
SCALAR_WORDS = reading(SCALARS)
OBJECT_WORDS = {
    each.name.lower().replace("_", ""): each for each in VariableType if each not in SCALARS
}
POINTER_FLAG = 4  # bit of a variable's flags: an interface pointer
NOT_USED = 0xFFFF_FFFF  # start_texture and start_sampler of a variable without objects
REGISTER = 16  # bytes
U16 = 0xFFFF
TYPE_NAMES = {VariableType.UINT: "dword"}  # scalars whose type name differs from the spelling


class BufferReader:
    """A reader of the section after its title, for a program of shader model `major`."""

    __slots__ = ("comments", "major")

    def __init__(self, comments: Comments, major: int) -> None:
        self.comments = comments
        self.major = major

    # ------------------------------------------------------------ buffers

    def buffers(self) -> list[RdefBuffer]:
        """Read all buffers up to a line that does not begin one."""
        found: list[RdefBuffer] = []
        while True:
            while (scanner := self.comments.peek()) is not None and scanner.done:
                self.comments.skip()
            kind = self._kind(scanner)
            if scanner is None or kind is None:
                return found
            self.comments.skip()
            found.append(self._buffer(scanner, kind))

    def _kind(self, scanner: Scanner | None) -> int | None:
        """Return the kind of the buffer that begins here, or None."""
        if scanner is not None:
            for word, kind in BUFFER_WORDS.items():
                if scanner.accept(f"{word} "):
                    return kind
        return None

    def _buffer(self, scanner: Scanner, kind: int) -> RdefBuffer:
        name = scanner.take(NAME, "the name of a buffer")
        scanner.finish()
        self._opening()
        variables: list[RdefVariable] = []

        def variable(scanner: Scanner) -> None:
            variables.append(self._variable(scanner, kind))

        closing = self._block(variable, "a variable or '}'")
        closing.finish()
        end = max((each.offset + each.size for each in variables), default=0)
        if kind != BufferType.RESOURCE_BIND_INFO:
            end = -(-end // REGISTER) * REGISTER
        return RdefBuffer(name=name, variables=variables, size=min(end, 0xFFFF_FFFF), kind=kind)

    def _opening(self) -> None:
        scanner = self.comments.take("'{'")
        scanner.expect("{")
        scanner.finish()

    def _block(self, each: Callable[[Scanner], None], wanted: str) -> Scanner:
        """Read the lines between braces; return the scanner after the closing brace.

        A line with a mistake is left out, and the lines after it are read.
        """
        while True:
            scanner = self.comments.take(wanted)
            if scanner.accept("}"):
                return scanner
            with self.comments.mistakes:
                each(scanner)

    # ------------------------------------------------------------ variables and members

    def _variable(self, scanner: Scanner, kind: int) -> RdefVariable:
        found = RdefVariable(flags=USED)
        if self.major >= 5:
            found.start_texture = found.start_sampler = NOT_USED
        if kind == BufferType.INTERFACE_POINTERS:
            found.flags |= POINTER_FLAG
        found.type, found.name, scanner = self._declared(scanner, DEFAULT.depth)
        found.offset = _stated(scanner, OFFSET)
        _from(found.type, found.offset, scanner)
        found.size = _stated(scanner, SIZE)
        if scanner.accept(UNUSED):
            found.flags &= ~USED
        scanner.finish(f"{UNUSED} or the end of the line")
        self._default(found)
        return found

    def _declared(self, scanner: Scanner, depth: int) -> tuple[RdefType, str, Scanner]:
        """Read a declaration; return type, name and the scanner after its end."""
        word = scanner.rest.split(" ", 1)[0]
        if word == STRUCT:
            scanner.accept(STRUCT)
            type_, scanner = self._structure(scanner, depth)
        elif word == INTERFACE:
            scanner.accept(INTERFACE)
            type_ = _interface(scanner.take(IDENTIFIER, "the name of an interface"))
        else:
            type_ = self._spelled(scanner)
        name = scanner.take(IDENTIFIER, "a name")
        if scanner.accept("["):
            type_.elements = number(scanner, "a number of elements", U16)
            scanner.expect("]")
        scanner.expect(";")
        return type_, name, scanner

    def _structure(self, scanner: Scanner, depth: int) -> tuple[RdefType, Scanner]:
        """Read a structure after `struct`; member offsets are relative to the buffer."""
        if not depth:
            raise scanner.place().error("structures are nested too deeply")
        name = None if scanner.done else scanner.take(NAME, "the name of a structure")
        place = scanner.place()
        scanner.finish()
        self._opening()
        members: list[RdefMember] = []

        def member(scanner: Scanner) -> None:
            type_, name, scanner = self._declared(scanner, depth - 1)
            offset = _stated(scanner, OFFSET)
            _from(type_, offset, scanner)
            scanner.finish()
            members.append(RdefMember(name=name, type=type_, offset=offset))

        closing = self._block(member, "a member or '}'")
        columns = sum(_components(each.type) for each in members)
        most = max(columns, len(members))
        if most > U16:
            raise place.error(f"expected at most {U16} members and components, got {most}")
        found = RdefType(
            variable_class=VariableClass.STRUCT,
            rows=1,
            columns=columns,
            members=members,
            name=name if self.major >= 5 else None,
        )
        return found, closing

    def _spelled(self, scanner: Scanner) -> RdefType:
        """Read a numeric or an object type."""
        rows = scanner.accept(f"{ROW_MAJOR} ")
        start = scanner.at
        word = scanner.take(WORD, "a type")
        split = SPELLING.match(word)
        scalar = SCALAR_WORDS.get(split[1]) if split is not None else None
        if scalar is None or split is None:
            return self._object(scanner, word, start)
        found = RdefType(variable_type=scalar, rows=1, columns=1)
        if split[3]:
            matrix = VariableClass.MATRIX_ROWS if rows else VariableClass.MATRIX_COLUMNS
            found.variable_class, found.rows, found.columns = matrix, int(split[2]), int(split[3])
        elif split[2]:
            found.variable_class, found.columns = VariableClass.VECTOR, int(split[2])
        if rows and not split[3]:
            raise scanner.place(start).error(f"expected a matrix after {ROW_MAJOR}, got {word!r}")
        if self.major >= 5:
            scalar_type = found.variable_class == VariableClass.SCALAR
            found.name = TYPE_NAMES.get(VariableType(scalar), word) if scalar_type else word
        return found

    def _object(self, scanner: Scanner, word: str, start: int) -> RdefType:
        kind = OBJECT_WORDS.get(word.lower())
        if kind is None:
            shape = word.lstrip("abcdefghijklmnopqrstuvwxyz_")  # the 4 of float4
            known = [*(f"{each}{shape}" for each in SCALAR_WORDS), *SCALAR_WORDS, *OBJECT_WORDS]
            raise scanner.unknown("type", word, start, known)
        return RdefType(
            variable_class=VariableClass.OBJECT,
            variable_type=kind,
            name=word if self.major >= 5 else None,
        )

    # ------------------------------------------------------------ initial values

    def _default(self, variable: RdefVariable) -> None:
        """Read the words of an initial value, if the next lines have one."""
        scanner = self.comments.peek()
        if scanner is None or not scanner.accept(DEFAULT_VALUE):
            return
        place = scanner.place()
        values: list[int] = []
        while True:
            self.comments.skip()
            while not scanner.done:
                found = scanner.match(HEX)
                if found is None:
                    raise scanner.expected("a value of 32 bits such as 0x3f800000")
                values.append(int(found[1], 16))
            scanner = self.comments.peek()
            if scanner is None or not scanner.rest.startswith("0x"):
                break
        if len(values) != variable.size // 4:
            raise place.error(
                f"expected {variable.size // 4} values for the {variable.size} bytes of"
                f" {variable.name:.40}, got {len(values)}"
            )
        data = struct.pack(f"<{len(values)}I", *values)
        variable.default_value = data.ljust(variable.size, b"\0")


def read(comments: Comments, major: int) -> list[RdefBuffer]:
    """Read the section after its title."""
    return BufferReader(comments, major).buffers()


def _stated(scanner: Scanner, mark: str) -> int:
    """Read the number after a mark."""
    scanner.expect(mark)
    return number(scanner, f"a number after {mark!r}")


def _from(type_: RdefType, base: int, scanner: Scanner) -> None:
    """Make the offsets of a structure's members relative to the structure."""
    if type_.variable_class != VariableClass.STRUCT:
        return
    for member in type_.members:
        if member.offset < base:
            raise scanner.place().error(
                f"{member.name:.40}: expected an offset from {base}, that of its structure, on,"
                f" got {member.offset}"
            )
        member.offset -= base


def _components(type_: RdefType) -> int:
    """Return the number of components of a type."""
    return int(type_.rows * type_.columns * max(type_.elements, 1))


def _interface(name: str) -> RdefType:
    """Return the type of an interface pointer."""
    interface = RdefType(variable_class=VariableClass.INTERFACE_CLASS, rows=1, name=name)
    return RdefType(
        variable_class=VariableClass.INTERFACE_POINTER,
        variable_type=VariableType.INTERFACE_POINTER,
        rows=1,
        columns=4,
        name=name,
        sub_type=interface,
    )


def complete(buffers: Sequence[RdefBuffer], bindings: Sequence[RdefBinding]) -> None:
    """Make the structure of each array of buffers an array: only the bindings show the arrays."""
    arrays = {binding.name for binding in bindings if binding.bind_count != 1}
    for buffer in buffers:
        for variable in buffer.variables:
            if variable.name == buffer.name and buffer.name in arrays:
                variable.type.elements = variable.type.elements or 1
