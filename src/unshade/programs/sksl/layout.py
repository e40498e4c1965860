"""Layout of values in memory: uniforms of effects, and interface blocks.

                      TIGHT              STD140                 STD430
    half, int, bool   4 bytes            4 bytes                4 bytes
    float3            at 4, 12 bytes     at 16, 12 bytes        at 16, 12 bytes
    float3x2          columns of 8       columns of 16 bytes    columns of 8
    float a[3]        stride 4           stride 16              stride 4
    struct            at 4               at 16                  at its members' alignment

Uniforms of effects follow each other without gaps. Skia declares interface blocks as std140, with
push constants as std430; halves and shorts take four bytes there, too. `layout(offset=16)` places a
member of a block, and later members follow it.

Source: SkRuntimeEffect.cpp, SkSLMemoryLayout.h and SkSLSPIRVCodeGenerator.cpp (offsets that are
given) of Skia's milestone 104; OpenGL 4.6, section 7.6.2.2.
"""

from collections.abc import Iterator

from ...model import Member, TypeClass, TypeDescription
from ...tuples import NamedTuple
from ...vocab.words import BlockLayout
from .tree import ArrayDataType, DataType, StructDataType, StructField

__all__ = ["STD140", "STD430", "TIGHT", "MemoryRules"]

COMPONENT = 4  # bytes


class MemoryRules(NamedTuple):
    """Rules for offsets and strides.

    Attributes:
        vectors: Vectors are at multiples of 8 or 16 bytes.
        least: The least alignment of arrays and structs.
        name: The name of the rules in a reflection, if they have one.
    """

    vectors: bool
    least: int
    name: BlockLayout | None = None

    def alignment(self, type_: DataType) -> int:
        """Return the alignment of a value: its offset is a multiple."""
        type_ = type_.resolved
        if isinstance(type_, ArrayDataType):
            return max(self.alignment(type_.component), self.least)
        if isinstance(type_, StructDataType):
            return max([self.least, *(self.alignment(each.type) for each in type_.members)])
        if type_.is_matrix:
            return max(self._vector(type_.rows), self.least)
        return self._vector(type_.columns if type_.is_vector else 1)

    def _vector(self, count: int) -> int:
        return COMPONENT * {1: 1, 2: 2}.get(count, 4) if self.vectors else COMPONENT

    def size(self, type_: DataType) -> int:
        """Return the size of a value, in bytes."""
        type_ = type_.resolved
        if isinstance(type_, ArrayDataType):
            return self.stride(type_) * max(type_.columns, 0)
        if isinstance(type_, StructDataType):
            step = self.alignment(type_)
            return -(-self._placed(type_)[1] // step) * step
        if type_.is_matrix:
            return self.column(type_) * type_.columns
        return COMPONENT * type_.slots

    def stride(self, type_: ArrayDataType) -> int:
        """Return the distance of the elements of an array."""
        step = self.alignment(type_)
        return -(-self.size(type_.component) // step) * step

    def column(self, type_: DataType) -> int:
        """Return the distance of the columns of a matrix."""
        step = self.alignment(type_)
        return -(-COMPONENT * type_.rows // step) * step

    def offsets(self, type_: StructDataType) -> list[int]:
        """Return the offsets of the members of a struct."""
        return self._placed(type_)[0]

    def _placed(self, type_: StructDataType) -> tuple[list[int], int]:
        """Return the offsets of the members of a struct, and the end of the last."""
        found, end = [], 0
        for each in type_.members:
            step = self.alignment(each.type)
            start = -(-end // step) * step
            given = each.modifiers.layout.offset
            if given >= 0 and self.name is not None:
                start = given
            found.append(start)
            end = max(end, start + self.size(each.type))
        return found, end

    def misplaced(self, type_: DataType) -> Iterator[tuple[StructField, str]]:
        """Yield the members whose given offset does not fit, at any depth, and a valid offset."""
        type_ = type_.resolved
        while isinstance(type_, ArrayDataType):
            type_ = type_.component.resolved
        if not isinstance(type_, StructDataType):
            return
        end = 0
        for each, offset in zip(type_.members, self.offsets(type_), strict=True):
            step = self.alignment(each.type)
            if offset < end:
                yield each, f"at least {end}"
            elif offset % step:
                yield each, f"a multiple of {step}"
            end = max(end, offset + self.size(each.type))
            yield from self.misplaced(each.type)

    def scalars(self, type_: DataType, start: int = 0) -> Iterator[int]:
        """Yield the offset of each scalar of a value, in the order of the type."""
        type_ = type_.resolved
        if isinstance(type_, ArrayDataType):
            for at in range(max(type_.columns, 0)):
                yield from self.scalars(type_.component, start + at * self.stride(type_))
        elif isinstance(type_, StructDataType):
            for each, offset in zip(type_.members, self.offsets(type_), strict=True):
                yield from self.scalars(each.type, start + offset)
        elif type_.is_matrix:
            for column in range(type_.columns):
                for row in range(type_.rows):
                    yield start + column * self.column(type_) + COMPONENT * row
        else:
            yield from range(start, start + COMPONENT * type_.slots, COMPONENT)

    def describe(self, type_: DataType) -> TypeDescription:
        """Return a type in the words of the reflection."""
        type_ = type_.resolved
        if isinstance(type_, ArrayDataType):
            found = self.describe(type_.component)
            found.elements.insert(0, max(type_.columns, 0))
            found.strides.insert(0, self.stride(type_))
            return found
        size = self.size(type_)
        if isinstance(type_, StructDataType):
            return TypeDescription(
                name=type_.name,
                type_class=TypeClass.STRUCT,
                scalar="void",
                members=self.members(type_),
                size=size,
            )
        scalar = type_.component.name
        if type_.is_matrix:
            return TypeDescription(
                type_class=TypeClass.MATRIX_COLUMNS,
                scalar=scalar,
                rows=type_.rows,
                columns=type_.columns,
                size=size,
                matrix_stride=self.column(type_),
            )
        if type_.is_vector:
            columns = type_.columns
            return TypeDescription(
                type_class=TypeClass.VECTOR, scalar=scalar, columns=columns, size=size
            )
        kind = TypeClass.SCALAR if type_.is_scalar else TypeClass.OBJECT
        return TypeDescription(type_class=kind, scalar=type_.shown, size=size)

    def members(self, type_: StructDataType) -> list[Member]:
        """Return the members of a struct in the words of the reflection."""
        return [
            Member(name=each.name, offset=offset, type=self.describe(each.type))
            for each, offset in zip(type_.members, self.offsets(type_), strict=True)
        ]


TIGHT = MemoryRules(vectors=False, least=COMPONENT)
STD140 = MemoryRules(vectors=True, least=16, name=BlockLayout.STD140)
STD430 = MemoryRules(vectors=True, least=COMPONENT, name=BlockLayout.STD430)
