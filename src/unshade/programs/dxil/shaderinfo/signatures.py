"""Elements of signatures.

!{i32 0, !"SV_Position", i8 9, i8 3, !{i32 0}, i8 4, i32 1, i8 4, i32 0, i8 0, null}
  id     name            type  kind  indices   interp rows cols  row    col   properties
"""

from ....dataclass import dataclass, field
from ..model.metadata import MetadataNode
from .fields import Fields

__all__ = ["DxilSignatureElement", "read_signature"]

STREAM, DYNAMIC_MASK, USAGE_MASK = 0, 2, 3


@dataclass(frozen=True, slots=True)
class DxilSignatureElement:
    """An element; `start_row` is -1 without register, `indices` lists each row's semantic index.

    `node` is the metadata that it was read from.
    """

    id: int
    name: str
    component_type: int
    semantic: int
    indices: tuple[int, ...]
    interpolation: int
    rows: int
    columns: int
    start_row: int
    start_column: int
    stream: int = 0
    dynamic_mask: int = 0
    usage_mask: int | None = None
    node: MetadataNode | None = field(default=None, compare=False, repr=False)


def read_signature(fields: Fields) -> list[DxilSignatureElement]:
    """Return the elements of a signature."""
    return [_element(each) for each in fields.nodes()]


def _element(fields: Fields) -> DxilSignatureElement:
    more = {}
    properties = fields.node_or_none(10)
    for tag, at in properties.tags() if properties is not None else ():
        assert properties is not None
        more[tag] = properties.number(at) if tag in (STREAM, DYNAMIC_MASK, USAGE_MASK) else 0
    indices = fields.node_or_none(4)
    return DxilSignatureElement(
        id=fields.number(0),
        name=fields.text(1),
        component_type=fields.number(2),
        semantic=fields.number(3),
        indices=indices.numbers() if indices is not None else (),
        interpolation=fields.number(5),
        rows=fields.number(6),
        columns=fields.number(7),
        start_row=fields.signed(8),
        start_column=fields.signed(9),
        stream=more.get(STREAM, 0),
        dynamic_mask=more.get(DYNAMIC_MASK, 0),
        usage_mask=more.get(USAGE_MASK),
        node=fields.metadata,
    )
