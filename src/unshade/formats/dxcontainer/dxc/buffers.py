"""Buffer definitions of a listing: constant, texture and structured buffers with their fields.

    ; cbuffer Constants
    ; {
    ;
    ;   struct Constants
    ;   {
    ;
    ;       float4 colour;                                ; Offset:    0
    ;       row_major float4x4 world[2];                  ; Offset:   16
    ;
    ;   } Constants;                                      ; Offset:    0 Size:   144
    ;
    ; }

Names, matrices and offsets come from annotations of types, offsets of structured buffers from the
data layout. Source: listings of dxc; DXC dxcdisassembler.cpp for cases without a listing.
"""

from collections.abc import Callable
from typing import TypeAlias

from ....dataclass import replace
from ....errors import FormatError, LimitError
from ....isa.linked import LinkedLine
from ....limits import Limits
from ....programs.dxil.datalayout import DataLayout
from ....programs.dxil.model.metadata import MetadataNode
from ....programs.dxil.model.types import ArrayType, DxilType, StructType, VectorType
from ....programs.dxil.shaderinfo import (
    DxilResource,
    DxilShader,
    FieldAnnotation,
    StructAnnotation,
)
from ....vocab.dxil import DxilResourceKind

__all__ = ["NodePaths", "buffer_lines", "no_paths"]

INDENT, STEP, OFFSET_COLUMN = 3, 4, 50
MATRIX_PREFIX = "class.matrix."
ROW_MAJOR, COLUMN_MAJOR = 1, 2
NATIVE_LOW_PRECISION = 1 << 23
_NAMES = [
    "unknown",
    "bool",
    "int16_t",
    "uint16_t",
    "int",
    "uint",
    "int64_t",
    "uint64_t",
    "half",
    "float",
    "double",
    "snorm_half",
    "unorm_half",
    "snorm_float",
    "unorm_float",
    "snorm_double",
    "unorm_double",
    "int8_t_packed",
    "uint8_t_packed",
]
_MINIMUM_NAMES = list(_NAMES)
for _number, _name in {
    2: "min16i",
    3: "min16ui",
    8: "min16float",
    11: "snorm_min16f",
    12: "unorm_min16f",
}.items():
    _MINIMUM_NAMES[_number] = _name

NodePaths: TypeAlias = Callable[[MetadataNode | None], tuple[str, ...]]


def no_paths(node: MetadataNode | None) -> tuple[str, ...]:
    """Return no paths for a node: its lines are not linked."""
    return ()


def buffer_lines(
    shader: DxilShader, layout: DataLayout, limits: Limits, paths: NodePaths = no_paths
) -> list[str]:
    """Return the lines of all buffers, linked to the paths of the metadata that they show.

    Raises:
        FormatError: The type of a buffer does not fit its kind.
        LimitError: Structures are nested too deep, or shared structures have too many lines.
    """
    printer = _Printer(shader, layout, limits, paths)
    resources = shader.entry_points[0].resources if shader.entry_points else shader.resources
    for buffer in resources.cbuffers:
        printer.constant_buffer(buffer)
    for view in resources.srvs:
        if view.kind == DxilResourceKind.STRUCTURED_BUFFER:
            printer.structured_buffer(view)
        elif view.kind == DxilResourceKind.TBUFFER:
            printer.texture_buffer(view)
    for view in resources.uavs:
        if view.kind == DxilResourceKind.STRUCTURED_BUFFER:
            printer.structured_buffer(view)
    return [";", "; Buffer Definitions:", ";", *printer.lines]


def _is_matrix(type: DxilType) -> bool:
    return isinstance(type, StructType) and (type.name or "").startswith(MATRIX_PREFIX)


def _structure_of(resource: DxilResource) -> StructType:
    type = resource.type
    if not isinstance(type, StructType):
        raise FormatError(f"expected a structure for {resource.name!r:.40}, got {type!s:.40}")
    return type


class _Printer:
    """The lines so far, and the state needed to add more."""

    def __init__(
        self, shader: DxilShader, layout: DataLayout, limits: Limits, paths: NodePaths
    ) -> None:
        self.lines: list[str] = []
        self.layout = layout
        self.limits = limits
        self.paths = paths
        self.annotations: dict[DxilType, StructAnnotation] = {
            each.type: each for each in shader.structures
        }
        flags = shader.entry_points[0].properties.flags if shader.entry_points else 0
        self.names = _NAMES if flags & NATIVE_LOW_PRECISION else _MINIMUM_NAMES

    def constant_buffer(self, resource: DxilResource) -> None:
        """Add a constant buffer."""
        self._constants("cbuffer", resource, resource.size, f"   [{resource.size} x i8] ")

    def texture_buffer(self, resource: DxilResource) -> None:
        """Add a texture buffer; its size comes from the annotation."""
        annotation = self.annotations.get(_structure_of(resource))
        self._constants("tbuffer", resource, annotation.size if annotation else 0, "   ")

    def _constants(self, word: str, resource: DxilResource, size: int, unknown: str) -> None:
        lines = self.lines
        head = LinkedLine(f"; {word} {resource.name}", *self.paths(resource.node))
        lines += (head, "; {", ";")
        type = _structure_of(resource)
        if type not in self.annotations:
            lines += (f";{unknown}(type annotation not present)", ";")
        else:
            self._structure(type, resource.name, 0, INDENT, OFFSET_COLUMN, size=size)
        lines += ("; }", ";")

    def structured_buffer(self, resource: DxilResource) -> None:
        """Add a structured buffer: the structure inside the class, or a single field."""
        lines = self.lines
        title = f"; Resource bind info for {resource.name}"
        lines += (LinkedLine(title, *self.paths(resource.node)), "; {", ";")
        outer = _structure_of(resource)
        if not outer.elements:
            raise FormatError(f"expected an element of {resource.name!r:.40}, got {outer!s:.40}")
        element = outer.elements[0]
        plain = not isinstance(element, StructType) or _is_matrix(element)
        annotated = outer if plain else element
        annotation = self.annotations.get(annotated)
        size = self.layout.size(annotated)
        if annotation is None:
            lines.append(f";   [{size} x i8] (type annotation not present)")
        elif plain:
            field = replace(_field(annotation, 0), name="$Element")
            self._field(element, field, None, 0, INDENT, OFFSET_COLUMN, size)
        else:
            assert isinstance(element, StructType)
            self._structure(
                element, "$Element", 0, INDENT, OFFSET_COLUMN, size=size, layout=self.layout
            )
        if plain:
            lines.append(";")
        lines += ("; }", ";")

    def _structure(
        self,
        type: StructType,
        name: str,
        offset: int,
        indent: int,
        column: int,
        *,
        size: int = 0,
        layout: DataLayout | None = None,
    ) -> None:
        """Add a structure; `layout` is None for the rules of constant buffers."""
        blanks = " " * indent
        lines = self.lines
        if indent > INDENT + STEP * self.limits.depth:
            raise LimitError("depth", self.limits.depth, "deeper nesting of structures")
        if len(lines) > self.limits.members:
            raise LimitError("members", self.limits.members, "more lines")
        annotation = self.annotations.get(type)
        paths = self.paths(annotation.node if annotation is not None else None)
        lines += (LinkedLine(f";{blanks}struct {type.name or ''}", *paths), f";{blanks}{{", ";")
        if annotation is None:
            text = f"[{size} x i8] (type annotation not present)" if size else "/* empty struct */"
            lines.append(f";{blanks}    {text}")
        else:
            elements = type.elements or []
            offsets = layout.offsets(type) if layout is not None else []
            for at, element in enumerate(elements):
                field = _field(annotation, at)
                place = offset + (offsets[at] if layout is not None else field.offset or 0)
                self._field(element, field, layout, place, indent + STEP, column - STEP)
        tail = _place(offset, size)
        end = f";{blanks}}} {name + ';':<{max(column - 2, 0)}}{tail}"
        lines += (f";{blanks}", LinkedLine(end, *paths), ";")

    def _field(
        self,
        type: DxilType,
        field: FieldAnnotation,
        layout: DataLayout | None,
        offset: int,
        indent: int,
        column: int,
        size: int = 0,
    ) -> None:
        """Add a field."""
        if isinstance(type, StructType) and not field.matrix:
            self._structure(type, field.name, offset, indent, column, layout=layout)
            return
        element, count, levels = type, 0, 0
        while isinstance(element, ArrayType):
            count = (count or 1) * element.count if levels == 0 or count else 0
            element = element.element
            levels += 1
        if field.matrix:
            rows, columns, orientation = (*field.matrix, 0, 0, 0)[:3]
            if orientation == ROW_MAJOR:
                count //= max(rows, 1)
            elif orientation == COLUMN_MAJOR:
                count //= max(columns, 1)
            if levels == 1:
                count = 0
            if isinstance(element, StructType):
                element = DxilType()  # a matrix, not a structure of its own
        if isinstance(element, StructType) and not _is_matrix(element):
            name = field.name + (f"[{count}]" if count else "") + ";"
            self._structure(element, name, offset, indent, column, layout=layout)
            return
        if len(self.lines) > self.limits.members:
            raise LimitError("members", self.limits.members, "more lines")
        text = self._declaration(type, field, count)
        line = f";{' ' * indent}{text:<{max(column, 0)}}{_place(offset, size)}"
        self.lines.append(LinkedLine(line, *self.paths(field.node)))

    def _declaration(self, type: DxilType, field: FieldAnnotation, count: int) -> str:
        """Return the declaration of a field: `row_major float4x4 world[2];`."""
        while isinstance(type, ArrayType):
            type = type.element
        number = field.component_type or 0
        name = self.names[number] if number < len(self.names) else self.names[0]
        if field.matrix:
            rows, columns, orientation = (*field.matrix, 0, 0, 0)[:3]
            order = {ROW_MAJOR: "row_major ", COLUMN_MAJOR: "column_major "}.get(orientation, "")
            name = f"{order}{name}{rows}x{columns}"
        elif isinstance(type, VectorType):
            name = f"{name}{type.count}"
        return f"{name} {field.name}{f'[{count}]' if count else ''};"


def _field(annotation: StructAnnotation, index: int) -> FieldAnnotation:
    fields = annotation.fields
    return fields[index] if index < len(fields) else FieldAnnotation()


def _place(offset: int, size: int) -> str:
    return f"; Offset:{offset:>5}" + (f" Size: {size:>5}" if size else "")
