"""The rules that the offsets and strides of a block follow.

    struct { float a; vec3 b; }      b at 16: std140      at 4: scalar
    struct { float a[4]; }           stride 16: std140    4: std430

A rule gives each type an alignment; offsets and strides are multiples of the alignment, and members
do not overlap. std140 rounds alignments of arrays and structures up to 16.

Source: Vulkan specification, Offset and Stride Assignment; OpenGL 4.6, section 7.6.2.2.
"""

from collections.abc import Sequence

from ....model import Member, TypeClass, TypeDescription
from ....vocab.words import BlockLayout
from .types import extent

__all__ = ["layout_of"]

VECTOR_OF_THREE = 3
ROUNDED = 16  # alignment of arrays and structures in std140
WIDTHS = {
    "bool": 4, "int": 4, "uint": 4, "float": 4, "double": 8, "int64": 8, "uint64": 8,
    "half": 2, "short": 2, "ushort": 2, "char": 1, "uchar": 1,
}  # fmt: skip
POINTER = 8
MATRICES = (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)


def layout_of(members: Sequence[Member]) -> BlockLayout | None:
    """Return the strictest rules that a block follows; None if it follows none."""
    return next((rules for rules in BlockLayout if _Rules(rules).allow(members)), None)


def width_of(type: TypeDescription) -> int:
    """Return the size of a component in bytes."""
    return WIDTHS.get(type.scalar, POINTER)


class _Rules:
    """One set of layout rules; types are shared, and each type is checked once."""

    def __init__(self, rules: BlockLayout) -> None:
        self.scalar = rules is BlockLayout.SCALAR
        self.rounded = rules is BlockLayout.STD140
        self._alignments: dict[int, int] = {}
        self._allowed: dict[int, bool] = {}

    def allow(self, members: Sequence[Member]) -> bool:
        """Return True if these members follow the rules."""
        end = 0
        for member in sorted(members, key=lambda each: each.offset):
            type = member.type
            if member.offset < end or member.offset % self.alignment(type):
                return False
            if not self.strides_fit(type) or not self.allows(type):
                return False
            end = member.offset + extent(type)
            if self.rounded and (type.members or type.elements):  # nothing in the padding
                end += -end % ROUNDED
        return True

    def allows(self, type: TypeDescription) -> bool:
        """Return True if the members of a structure follow the rules."""
        if not type.members:
            return True
        found = self._allowed.get(id(type))
        if found is None:
            found = self._allowed[id(type)] = self.allow(type.members)
        return found

    def strides_fit(self, type: TypeDescription) -> bool:
        """Return True if strides are large enough, and multiples of the alignment."""
        strides = list(type.strides)
        inner = type.size
        for stride in reversed(strides):
            if stride < inner:
                return False
            inner = stride
        if type.type_class in MATRICES and type.matrix_stride:
            if type.matrix_stride < _vector(type) * width_of(type):
                return False
            strides.append(type.matrix_stride)
        return not any(stride % self.alignment(type) for stride in strides)

    def alignment(self, type: TypeDescription) -> int:
        """Return the alignment of a type."""
        found = self._alignments.get(id(type))
        if found is None:
            found = self._alignments[id(type)] = self._alignment(type)
        return found

    def _alignment(self, type: TypeDescription) -> int:
        if type.members:
            found = max(self.alignment(each.type) for each in type.members)
        else:
            found = width_of(type)
            count = _vector(type)
            if not self.scalar and count > 1:
                found *= 4 if count == VECTOR_OF_THREE else count
        if self.rounded and (type.members or type.elements or type.type_class in MATRICES):
            found += -found % ROUNDED
        return found


def _vector(type: TypeDescription) -> int:
    """Return the components of a vector, or of a row or column of a matrix."""
    return type.rows if type.type_class == TypeClass.MATRIX_COLUMNS else type.columns
