"""Entry points.

    !{void ()* @main, !"main", signatures, resources, properties}

A library's first entry has no function and no name; it lists the resources of the library.
"""

from collections.abc import Callable
from typing import Any

from ....tuples import NamedTuple
from ..model.metadata import Metadata
from ..model.values import Function
from .fields import Fields, Reader, tagged
from .resources import DxilResources, read_resources
from .signatures import DxilSignatureElement, read_signature

__all__ = [
    "DxilDomain",
    "DxilEntryPoint",
    "DxilGeometry",
    "DxilHull",
    "DxilMesh",
    "DxilSignatures",
    "EntryProperties",
    "NodeRecords",
    "read_entry",
]


class DxilGeometry(NamedTuple):
    """Properties of a geometry shader; `topology` is the topology of the output."""

    input_primitive: int
    max_vertices: int
    streams: int
    topology: int
    instances: int


class DxilDomain(NamedTuple):
    """Properties of a domain shader."""

    domain: int
    input_control_points: int


class DxilHull(NamedTuple):
    """Properties of a hull shader; `max_tess_factor` is the bits of a float."""

    patch_constant_function: Function | None
    input_control_points: int
    output_control_points: int
    domain: int
    partitioning: int
    output_primitive: int
    max_tess_factor: int


class DxilMesh(NamedTuple):
    """Properties of a mesh or amplification shader; an amplification shader has no output."""

    threads: tuple[int, ...]
    payload_size: int
    max_vertices: int = 0
    max_primitives: int = 0
    topology: int = 0


class NodeRecords(NamedTuple):
    """Records that a node of a work graph reads or writes, from pairs of a tag and a value."""

    flags: int
    name: str = ""
    array_index: int = 0
    record_size: int | None = None
    record_alignment: int | None = None
    max_records: int | None = None
    max_records_shared_with: int | None = None
    array_size: int | None = None
    allow_sparse: bool = False
    dispatch_grid: tuple[int, ...] = ()  # of SV_DispatchGrid: byte offset, type, components


class EntryProperties(NamedTuple):
    """Properties of an entry point; None or empty if the metadata does not contain them."""

    flags: int = 0
    shader_kind: int | None = None
    threads: tuple[int, ...] = ()
    wave_size: tuple[int, ...] = ()  # one size; or least, most and preferred
    geometry: DxilGeometry | None = None
    domain: DxilDomain | None = None
    hull: DxilHull | None = None
    mesh: DxilMesh | None = None
    amplification: DxilMesh | None = None
    binding_space: int | None = None
    payload_size: int | None = None
    attribute_size: int | None = None
    root_signature: bytes = b""
    launch: int | None = None
    is_program_entry: bool | None = None
    node_id: tuple[str, int] | None = None
    root_arguments: int | None = None
    shares_input_of: tuple[str, int] | None = None
    dispatch_grid: tuple[int, ...] = ()
    max_dispatch_grid: tuple[int, ...] = ()
    max_recursion: int | None = None
    node_inputs: tuple[NodeRecords, ...] = ()
    node_outputs: tuple[NodeRecords, ...] = ()
    group_shared_limit: int | None = None
    others: tuple[tuple[int, Metadata | None], ...] = ()  # tags that are not known


class DxilSignatures(NamedTuple):
    """The signatures of an entry point; `patch` is for patch constants or primitives."""

    inputs: list[DxilSignatureElement]
    outputs: list[DxilSignatureElement]
    patch: list[DxilSignatureElement]


class DxilEntryPoint(NamedTuple):
    """An entry point."""

    function: Function | None
    name: str
    signatures: DxilSignatures
    resources: DxilResources
    properties: EntryProperties


def read_entry(fields: Fields) -> DxilEntryPoint:
    """Return an entry point."""
    signatures = fields.node_or_none(2)
    lists: list[list[DxilSignatureElement]] = [[], [], []]
    if signatures is not None:
        for at in range(min(3, len(signatures))):
            inner = signatures.node_or_none(at)
            if inner is not None:
                lists[at] = read_signature(inner)
    properties = fields.node_or_none(4)
    return DxilEntryPoint(
        function=fields.function(0),
        name=fields.text(1),
        signatures=DxilSignatures(*lists),
        resources=read_resources(fields.node_or_none(3)),
        properties=_properties(properties) if properties is not None else EntryProperties(),
    )


def _node_id(fields: Fields) -> tuple[str, int]:
    return fields.text(0), fields.number(1)


def _geometry(fields: Fields) -> DxilGeometry:
    return DxilGeometry(*(fields.number(at) for at in range(5)))


def _domain(fields: Fields) -> DxilDomain:
    return DxilDomain(fields.number(0), fields.number(1))


def _hull(fields: Fields) -> DxilHull:
    return DxilHull(
        patch_constant_function=fields.function(0),
        input_control_points=fields.number(1),
        output_control_points=fields.number(2),
        domain=fields.number(3),
        partitioning=fields.number(4),
        output_primitive=fields.number(5),
        max_tess_factor=fields.float_bits(6),
    )


def _mesh(fields: Fields) -> DxilMesh:
    return DxilMesh(
        threads=fields.node(0).numbers(),
        max_vertices=fields.number(1),
        max_primitives=fields.number(2),
        topology=fields.number(3),
        payload_size=fields.number(4),
    )


def _amplification(fields: Fields) -> DxilMesh:
    return DxilMesh(fields.node(0).numbers(), fields.number(1))


def _bytes(fields: Fields) -> bytes:
    return bytes(each & 0xFF for each in fields.words(0))


def _name_of_records(fields: Fields, at: int) -> dict[str, Any]:
    name, index = _node_id(fields.node(at))
    return {"name": name, "array_index": index}


def _type_of_records(fields: Fields, at: int) -> dict[str, Any]:
    return tagged(fields.node(at), RECORD_TYPE_TAGS)


# By tag: the attribute of NodeRecords, and what reads it; without an attribute, several.
RECORD_TYPE_TAGS: dict[int, tuple[str, Reader]] = {
    0: ("record_size", Fields.number),
    1: ("dispatch_grid", lambda fields, at: fields.node(at).numbers()),
    2: ("record_alignment", Fields.number),
}
RECORD_TAGS: dict[int, tuple[str, Reader]] = {
    0: ("", _name_of_records),
    1: ("flags", Fields.number),
    2: ("", _type_of_records),
    3: ("max_records", Fields.number),
    4: ("max_records_shared_with", Fields.signed),
    5: ("array_size", Fields.number),
    6: ("allow_sparse", Fields.boolean),
}


def _records(fields: Fields) -> NodeRecords:
    """Return the records of an input or output of a node."""
    return NodeRecords(**({"flags": 0} | tagged(fields, RECORD_TAGS)))


def _all_records(fields: Fields) -> tuple[NodeRecords, ...]:
    return tuple(_records(each) for each in fields.nodes())


def _inner(read: Callable[[Fields], object]) -> Reader:
    """Return a reader of the node at an index."""
    return lambda fields, at: read(fields.node(at))


# By tag: the attribute of EntryProperties, and what reads it.
PROPERTY_TAGS: dict[int, tuple[str, Reader]] = {
    0: ("flags", Fields.number),
    1: ("geometry", _inner(_geometry)),
    2: ("domain", _inner(_domain)),
    3: ("hull", _inner(_hull)),
    4: ("threads", _inner(Fields.numbers)),
    5: ("binding_space", _inner(lambda fields: fields.number(0))),
    6: ("payload_size", Fields.number),
    7: ("attribute_size", Fields.number),
    8: ("shader_kind", Fields.number),
    9: ("mesh", _inner(_mesh)),
    10: ("amplification", _inner(_amplification)),
    11: ("wave_size", _inner(Fields.numbers)),
    12: ("root_signature", _inner(_bytes)),
    13: ("launch", Fields.number),
    14: ("is_program_entry", Fields.boolean),
    15: ("node_id", _inner(_node_id)),
    16: ("root_arguments", Fields.number),
    17: ("shares_input_of", _inner(_node_id)),
    18: ("dispatch_grid", _inner(Fields.numbers)),
    19: ("max_recursion", Fields.number),
    20: ("node_inputs", _inner(_all_records)),
    21: ("node_outputs", _inner(_all_records)),
    22: ("max_dispatch_grid", _inner(Fields.numbers)),
    23: ("wave_size", _inner(Fields.numbers)),
    24: ("group_shared_limit", Fields.number),
}


def _properties(fields: Fields) -> EntryProperties:
    others = tuple((tag, fields.get(at)) for tag, at in fields.tags() if tag not in PROPERTY_TAGS)
    return EntryProperties(**tagged(fields, PROPERTY_TAGS), others=others)
