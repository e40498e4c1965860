"""Layouts of constant buffers, from types and their annotations.

A matrix is an array of its rows or columns, each in a separate register, like the elements of an
array. Source: HLSL's public packing rules; microsoft/DirectXShaderCompiler, DxilTypeSystem.h.
"""

from ....model.resources import Member, TypeDescription, Variable
from ....vocab.words import TypeClass
from ..model.types import ArrayType, DxilType, FloatType, IntegerType, StructType, VectorType
from ..shaderinfo import DxilShader, FieldAnnotation, StructAnnotation
from .words import SCALARS

__all__ = ["Layouts", "size_of"]

REGISTER = 16
COLUMNS = 2  # orientation of a matrix whose columns are consecutive
MOST_NESTING = 32
MOST_MEMBERS = 100_000


class Layouts:
    """Descriptions of types of one shader, each made once."""

    def __init__(self, shader: DxilShader) -> None:
        self.structures: dict[DxilType, StructAnnotation] = {
            each.type: each for each in shader.structures
        }
        # dxc marks what is used, and leaves out the mark of the rest; old versions mark nothing.
        self.marked = any(field.used for each in shader.structures for field in each.fields)
        self.known: dict[DxilType, list[Member]] = {}
        self.left = MOST_MEMBERS

    def variables(self, type: DxilType) -> list[Variable]:
        """Return the variables of a constant buffer; none without annotations."""
        found = self.structures.get(type)
        if found is None or not isinstance(type, StructType):
            return []
        variables = []
        for field, element in zip(found.fields, type.elements or (), strict=False):
            described = self.describe(element, field, 0)
            variables.append(
                Variable(
                    name=field.name,
                    offset=field.offset or 0,
                    size=_whole(described),
                    type=described,
                    used=bool(field.used) or not (self.marked or field.used is False),
                )
            )
        return variables

    def members(self, type: StructType, depth: int) -> list[Member]:
        """Return the members of a structure."""
        found = self.known.get(type)
        if found is None:
            found = self.known[type] = []
            note = self.structures.get(type)
            fields = note.fields if note is not None else ()
            for number, element in enumerate(type.elements or ()):
                field = fields[number] if number < len(fields) else FieldAnnotation()
                self.left -= 1
                if depth > MOST_NESTING or self.left < 0:
                    break
                described = self.describe(element, field, depth + 1)
                found.append(Member(name=field.name, offset=field.offset or 0, type=described))
        return found

    def describe(self, type: DxilType, field: FieldAnnotation, depth: int) -> TypeDescription:
        """Return the description of a field's type."""
        arrays: list[int] = []
        while isinstance(type, ArrayType):
            arrays.append(type.count)
            type = type.element
        scalar = SCALARS.get(field.component_type or 0, _scalar(type))
        if field.matrix and len(field.matrix) == 3:
            found = self.matrix(type, field.matrix, arrays, scalar)
        elif isinstance(type, StructType):
            members = self.members(type, depth)
            size = max((each.offset + _whole(each.type) for each in members), default=0)
            name = (type.name or "").removeprefix("struct.").removeprefix("hostlayout.struct.")
            found = TypeDescription(
                name=name, type_class=TypeClass.STRUCT, scalar="void", members=members, size=size
            )
        elif isinstance(type, VectorType):
            found = TypeDescription(
                type_class=TypeClass.VECTOR,
                scalar=scalar,
                columns=type.count,
                size=size_of(type),
            )
        else:
            found = TypeDescription(type_class=TypeClass.SCALAR, scalar=scalar, size=size_of(type))
        found.elements = arrays
        stride = found.size
        strides: list[int] = []
        for count in reversed(arrays):
            stride = -(-stride // REGISTER) * REGISTER
            strides.insert(0, stride)
            stride *= count
        found.strides = strides
        return found

    def matrix(
        self, type: DxilType, shape: tuple[int, ...], arrays: list[int], scalar: str
    ) -> TypeDescription:
        """Return the description of a matrix; its rows or columns are the innermost array."""
        rows, columns, orientation = shape
        by_columns = orientation == COLUMNS
        count, length = (columns, rows) if by_columns else (rows, columns)
        if arrays and arrays[-1] == count:
            arrays.pop()
        width = 8 if scalar in ("double", "int64_t", "uint64_t") else 4
        stride = REGISTER * (1 + (length * width - 1) // REGISTER)
        return TypeDescription(
            type_class=TypeClass.MATRIX_COLUMNS if by_columns else TypeClass.MATRIX_ROWS,
            scalar=scalar,
            rows=rows,
            columns=columns,
            size=stride * (count - 1) + length * width,
            matrix_stride=stride,
        )


def _whole(type: TypeDescription) -> int:
    """Return the size of a type with all elements of its arrays, without padding at the end."""
    size = type.size
    for count, stride in zip(reversed(type.elements), reversed(type.strides), strict=True):
        size += stride * (count - 1) if count else 0
    return size


def _scalar(type: DxilType) -> str:
    """Return HLSL's name of the components of a type without annotation."""
    element = type.element if isinstance(type, VectorType) else type
    if isinstance(element, FloatType):
        return element.name
    return "int" if isinstance(element, IntegerType) and element.width == 32 else str(element)[:40]


def size_of(root: DxilType) -> int:
    """Return the size of a type in bytes, without padding between elements."""
    total = 0
    waiting: list[tuple[DxilType, int]] = [(root, 1)]
    for _ in range(MOST_MEMBERS):
        if not waiting:
            break
        type, count = waiting.pop()
        if isinstance(type, ArrayType | VectorType):
            waiting.append((type.element, count * type.count))
        elif isinstance(type, StructType):
            waiting += [(each, count) for each in type.elements or ()]
        elif isinstance(type, IntegerType | FloatType):
            total += count * max(type.width // 8, 1)
        else:
            total += 4 * count
    return total
