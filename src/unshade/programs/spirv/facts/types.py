"""Descriptions of types, with the offsets and strides from decorations.

    OpMemberDecorate %S 0 Offset 16          Member("a", 16, …)
    OpMemberDecorate %S 0 MatrixStride 16    TypeDescription(…, matrix_stride=16)
    OpDecorate %arr ArrayStride 4            TypeDescription(elements=[8], strides=[4])

A `float2x3` of HLSL has 2 rows, and is OpTypeMatrix of 2 columns of 3 components: compilers of HLSL
and Slang swap rows and columns, so that m[0] is one value in both. It is described as in the
source; its memory is the same. Slang puts an array in a buffer into a structure `_Array_…` with the
member `data`, which is described as the array.

A type without decorations, as in workgroup memory, is laid out without padding. Each type is
described once; a structure that contains itself, which is invalid, and a structure behind a pointer
are described without members.
"""

from ....limits import DEFAULT
from ....model import Member, TypeClass, TypeDescription
from ..constants import ConstantValues
from ..index import Definition, ModuleIndex
from ..module import first_of
from ..tables.numbers import Decoration, Opcode
from ..tables.opcode_groups import ARRAYS

__all__ = ["Types", "array_in_structure", "end_of", "extent"]

SCALARS = {  # by is_float, width, signed
    (False, 8, True): "char", (False, 8, False): "uchar",
    (False, 16, True): "short", (False, 16, False): "ushort",
    (False, 32, True): "int", (False, 32, False): "uint",
    (False, 64, True): "int64", (False, 64, False): "uint64",
    (True, 16, True): "half", (True, 32, True): "float", (True, 64, True): "double",
}  # fmt: skip
ADDRESS = 8  # bytes of a pointer to physical memory
HLSL, SLANG = 5, 11  # SourceLanguage
LANGUAGE = (Opcode.Source, Opcode.TypeVoid, Opcode.Function)  # an OpSource, or what follows it
SLANG_ARRAY = "_Array_"


def array_in_structure(index: ModuleIndex, found: Definition) -> int | None:
    """Return the array that Slang puts into a structure; None for other types."""
    if found.opcode != Opcode.TypeStruct or len(found.words) != 3:
        return None
    number = found.words[1]
    named = index.names.get(number, "").startswith(SLANG_ARRAY)
    if not named or index.member_names.get(number, {}).get(0) != "data":
        return None
    return found.words[2] if index.opcode_of(found.words[2]) in ARRAYS else None


class Types:
    """The types of a module, described on first access."""

    def __init__(self, index: ModuleIndex, constants: ConstantValues) -> None:
        self.index = index
        self.constants = constants
        self.swapped = _is_of_hlsl(index)
        self._known: dict[tuple[int, int | None, bool], TypeDescription] = {}
        self._open: set[int] = set()

    # -- arrays ----------------------------------------------------------------------------------

    def without_arrays(self, kind: int) -> tuple[int, list[int], list[int]]:
        """Return the innermost element type, with the lengths and strides of the arrays around it.

        A length that is set at run time, or cannot be computed, is 0.
        """
        kind, lengths, strides, _ = self._unwrapped(kind)
        return kind, lengths, strides

    def _unwrapped(self, kind: int) -> tuple[int, list[int], list[int], int | None]:
        """Return the same, with the structure of Slang whose member has the innermost array."""
        lengths: list[int] = []
        strides: list[int] = []
        wrapper = None
        while len(lengths) < DEFAULT.depth:
            found = self.index.definitions.get(kind)
            inside = None if found is None else array_in_structure(self.index, found)
            if inside is not None:
                kind, wrapper = inside, kind
                continue
            if found is None or found.opcode not in ARRAYS:
                break
            length = 0
            if found.opcode == Opcode.TypeArray:
                length = max(self.constants.integer(found.words[3]) or 0, 0)
            lengths.append(length)
            strides.append(self.index.decoration_word(Decoration.ArrayStride, kind) or 0)
            kind = found.words[2]
        return kind, lengths, strides, wrapper

    # -- descriptions ----------------------------------------------------------------------------

    def of(
        self, kind: int, matrix_stride: int | None = None, row_major: bool = False
    ) -> TypeDescription:
        """Return the description of a type; the stride and order apply to a matrix in it."""
        key = kind, matrix_stride, row_major
        found = self._known.get(key)
        if found is None:
            found = self._made(kind, matrix_stride, row_major)
            self._known[key] = found
        return found

    def _made(self, kind: int, matrix_stride: int | None, row_major: bool) -> TypeDescription:
        inner, lengths, strides, wrapper = self._unwrapped(kind)
        if wrapper is not None:  # the layout of matrices is that of its member
            matrix_stride, row_major = self._matrix_layout(wrapper, 0)
        found = self._element(inner, matrix_stride, row_major)
        if not lengths:
            return found
        size = found.size
        for at in range(len(lengths) - 1, -1, -1):
            strides[at] = strides[at] or size
            size = strides[at] * lengths[at]
        return TypeDescription(
            **{name: getattr(found, name) for name in found.FIELDS}
            | {"elements": lengths, "strides": strides}
        )

    def _element(self, kind: int, matrix_stride: int | None, row_major: bool) -> TypeDescription:
        found = self.index.definitions.get(kind)
        match found.opcode if found is not None else None:
            case Opcode.TypeVector if found is not None:
                scalar, width = self.scalar(found.words[2])
                count = found.words[3]
                return TypeDescription(
                    type_class=TypeClass.VECTOR, scalar=scalar, columns=count, size=width * count
                )
            case Opcode.TypeMatrix if found is not None:
                return self._matrix(found, matrix_stride, row_major)
            case Opcode.TypeStruct if found is not None:
                return self._structure(kind)
            case Opcode.TypePointer if found is not None:
                name = self.index.names.get(found.words[3], "")
                return TypeDescription(
                    type_class=TypeClass.OBJECT, scalar="pointer", name=name, size=ADDRESS
                )
            case Opcode.TypeInt | Opcode.TypeFloat | Opcode.TypeBool:
                scalar, width = self.scalar(kind)
                return TypeDescription(type_class=TypeClass.SCALAR, scalar=scalar, size=width)
        name = self.index.names.get(kind, "")
        op = found.decoded.op if found is not None else None
        scalar = op.name.removeprefix("OpType").lower() if op is not None else "unknown"
        return TypeDescription(type_class=TypeClass.OBJECT, scalar=scalar, name=name)

    def scalar(self, kind: int) -> tuple[str, int]:
        """Return the name of a scalar type and its size in bytes."""
        number = self.index.numbers.get(kind)
        if number is None:
            known = self.index.opcode_of(kind)
            return ("bool", 4) if known == Opcode.TypeBool else ("unknown", 0)
        name = None
        if number.encoding is None:
            name = SCALARS.get((number.is_float, number.width, number.signed))
        if name is None:
            name = f"{'float' if number.is_float else 'int' if number.signed else 'uint'}"
            name += str(number.width)
        return name, number.width + 7 >> 3

    def _matrix(self, found: Definition, stride: int | None, row_major: bool) -> TypeDescription:
        columns = found.words[3]
        column = found.words[2]
        if self.index.opcode_of(column) != Opcode.TypeVector:  # it may be this matrix
            column = 0
        vector = self._element(column, None, False)
        rows = vector.columns
        width = vector.size // (rows or 1)
        count, length = (rows, columns) if row_major else (columns, rows)
        stride = stride or width * length
        if self.swapped:
            rows, columns, row_major = columns, rows, not row_major
        return TypeDescription(
            type_class=TypeClass.MATRIX_ROWS if row_major else TypeClass.MATRIX_COLUMNS,
            scalar=vector.scalar,
            rows=rows,
            columns=columns,
            matrix_stride=stride,
            size=max(stride * (count - 1) + width * length, 0),
        )

    def _structure(self, kind: int) -> TypeDescription:
        name = self.index.names.get(kind, "")
        made = TypeDescription(type_class=TypeClass.STRUCT, scalar="void", name=name)
        if kind not in self._open and len(self._open) < DEFAULT.depth:
            self._open.add(kind)
            made.members = self.members(kind)
            self._open.discard(kind)
        made.size = end_of(made.members)
        return made

    def members(self, kind: int) -> list[Member]:
        """Return the members of a structure; empty for other types."""
        found = self.index.definitions.get(kind)
        if found is None or found.opcode != Opcode.TypeStruct:
            return []
        names = self.index.member_names.get(kind, {})
        made: list[Member] = []
        for at, each in enumerate(found.words[2:]):
            type = self.of(each, *self._matrix_layout(kind, at))
            offset = self.index.decoration_word(Decoration.Offset, kind, at)
            if offset is None:
                offset = end_of(made[-1:])
            made.append(Member(name=names.get(at) or f"member{at}", offset=offset, type=type))
        return made

    def _matrix_layout(self, structure: int, member: int) -> tuple[int | None, bool]:
        """Return the stride of matrices in a member, and whether they are stored by rows."""
        stride = self.index.decoration_word(Decoration.MatrixStride, structure, member)
        return stride, self.index.decoration(Decoration.RowMajor, structure, member) is not None


def _is_of_hlsl(index: ModuleIndex) -> bool:
    """Return True if a module was compiled from HLSL or Slang, by its first OpSource."""
    code = index.code
    words = code[at] if (at := first_of(code, *LANGUAGE)) < len(code) else (0,)
    return words[0] & 0xFFFF == Opcode.Source and words[1] in (HLSL, SLANG)


def extent(type: TypeDescription) -> int:
    """Return the size of a type in bytes; elements of an unbounded array do not count."""
    size = type.size
    for count, stride in zip(reversed(type.elements), reversed(type.strides), strict=True):
        size = stride * (count - 1) + size if count else 0
    return size


def end_of(members: list[Member]) -> int:
    """Return the end of the last of some members."""
    return max((each.offset + extent(each.type) for each in members), default=0)
