"""Annotations of types: names, offsets and types of fields, and of parameters of functions.

!{i32 0, %struct undef, !{i32 size, field, field, …, [template]}, %other undef, !{…}, …}
!{i32 1, void ()* @main, !{result, parameter, …}, …}
field       !{tag, value, …}
parameter   !{i32 qualifier, field, !{i32 index, …}}
"""

from ....dataclass import dataclass, field
from ....tuples import NamedTuple
from ..model.constants import ConstantAggregate, ConstantData
from ..model.metadata import MetadataNode
from ..model.module import DxilModule
from ..model.types import DxilType
from ..model.values import DxilValue, Function
from .fields import Fields, Reader, named_nodes, tagged

__all__ = [
    "FieldAnnotation",
    "FunctionAnnotation",
    "ParameterAnnotation",
    "StructAnnotation",
    "TemplateArgument",
    "read_annotations",
]

NAME = "dx.typeAnnotations"
STRUCTURES, FUNCTIONS = 0, 1
MOST_NESTING = 64  # of bit fields in bit fields


@dataclass(frozen=True, slots=True)
class FieldAnnotation:
    """An annotation of a field. `matrix` is rows, columns and orientation (1 rows, 2 columns).

    `node` is the metadata that it was read from.
    """

    name: str = ""
    offset: int | None = None
    component_type: int | None = None
    matrix: tuple[int, ...] = ()
    semantic: str = ""
    interpolation: int | None = None
    precise: bool = False
    used: bool | None = None
    resource: tuple[int, ...] = ()
    bit_fields: "tuple[FieldAnnotation, ...]" = ()
    bit_width: int | None = None
    vector_size: int | None = None
    node: MetadataNode | None = field(default=None, compare=False, repr=False)


class TemplateArgument(NamedTuple):
    """An argument of a template: a type or a number."""

    type: DxilType | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class StructAnnotation:
    """An annotation of a structure; `size` is its size in a constant buffer, in bytes.

    `node` is the metadata that it was read from.
    """

    type: DxilType
    size: int
    fields: tuple[FieldAnnotation, ...]
    template: tuple[TemplateArgument, ...] = ()
    node: MetadataNode | None = field(default=None, compare=False, repr=False)


class ParameterAnnotation(NamedTuple):
    """An annotation of a parameter or result."""

    qualifier: int
    field: FieldAnnotation
    indices: tuple[int, ...]


class FunctionAnnotation(NamedTuple):
    """An annotation of a function: its result, then its parameters."""

    function: Function | None
    parameters: tuple[ParameterAnnotation, ...]


def read_annotations(
    module: DxilModule,
) -> tuple[list[StructAnnotation], list[FunctionAnnotation]]:
    """Return the annotations of structures and of functions."""
    structures: list[StructAnnotation] = []
    functions: list[FunctionAnnotation] = []
    for node in named_nodes(module, NAME):
        tag = node.number(0)
        for at in range(1, len(node) - 1, 2):
            if tag == STRUCTURES:
                structures.append(_structure(node.type(at), node.node(at + 1)))
            elif tag == FUNCTIONS:
                parameters = tuple(_parameter(each) for each in node.node(at + 1).nodes())
                functions.append(FunctionAnnotation(node.function(at), parameters))
    return structures, functions


def _structure(type: DxilType, fields: Fields) -> StructAnnotation:
    elements = getattr(type, "elements", None) or ()
    count = min(len(elements), len(fields) - 1)
    found = tuple(_field(fields.node(at)) for at in range(1, count + 1))
    template: list[TemplateArgument] = []
    if len(fields) == len(elements) + 2:
        more = fields.node_or_none(len(elements) + 1)
        for tag, at in more.tags() if more is not None else ():
            assert more is not None
            if tag == 0:
                template += [_argument(each) for each in more.node(at).nodes()]
    return StructAnnotation(type, fields.number(0), found, tuple(template), fields.metadata)


def _argument(fields: Fields) -> TemplateArgument:
    if fields.number(0) == 0:
        return TemplateArgument(type=fields.type(1))
    return TemplateArgument(number=fields.signed(1))


def _parameter(fields: Fields) -> ParameterAnnotation:
    indices = fields.node_or_none(2)
    return ParameterAnnotation(
        fields.number(0),
        _field(fields.node(1)),
        indices.numbers() if indices is not None else (),
    )


def _resource(value: DxilValue) -> tuple[int, ...]:
    """Return the words of the properties of a resource."""
    if isinstance(value, ConstantData):
        return tuple(value.elements)
    if isinstance(value, ConstantAggregate):
        return tuple(getattr(each, "value", 0) & 0xFFFF_FFFF for each in value.elements)
    return ()


def _field(fields: Fields, depth: int = 0) -> FieldAnnotation:
    if depth > MOST_NESTING:
        fields.fail("expected fewer bit fields inside each other")

    def bit_fields(fields: Fields, at: int) -> tuple[FieldAnnotation, ...]:
        return tuple(_field(each, depth + 1) for each in fields.node(at).nodes())

    found = tagged(fields, FIELD_TAGS | {BIT_FIELDS: ("bit_fields", bit_fields)})
    return FieldAnnotation(**found, node=fields.metadata)


# By tag: the attribute of FieldAnnotation, and what reads it.
FIELD_TAGS: dict[int, tuple[str, Reader]] = {
    2: ("matrix", lambda fields, at: fields.node(at).numbers()),
    3: ("offset", Fields.number),
    4: ("semantic", Fields.text),
    5: ("interpolation", Fields.number),
    6: ("name", Fields.text),
    7: ("component_type", Fields.number),
    8: ("precise", Fields.boolean),
    9: ("used", Fields.boolean),
    10: ("resource", lambda fields, at: _resource(fields.value(at))),
    12: ("bit_width", Fields.number),
    13: ("vector_size", Fields.number),
}
BIT_FIELDS = 11
