"""Offsets of the targets of paths: instructions, nodes of metadata, fields of the bitstream.

instructions[5]                 of all functions
main[5]                         of a function
dx.entryPoints[0][2][0][1]      a node, by indices of elements from the named metadata on
dx.entryPoints[0].inputs[1]     the same, with names for elements
dx.resources.uavs[2]
bitcode.blocks[0].items[3]      a field, as in plain data
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from ...wire.spans import is_below
from .bitstream import BitRecord, Bitstream, Extent, write
from .code import HEADER_SIZE, Code
from .model.metadata import Metadata, MetadataNode
from .model.module import DxilModule

__all__ = ["offset_of", "record_at", "record_offsets"]

GROUPS = {"srvs": 0, "uavs": 1, "cbuffers": 2, "samplers": 3}
SIGNATURES = {"inputs": 0, "outputs": 1, "patch": 2}
ELEMENTS = {
    "dx.resources": {name: (0, at) for name, at in GROUPS.items()},
    "dx.entryPoints": {
        **{name: (2, at) for name, at in SIGNATURES.items()},
        **{name: (3, at) for name, at in GROUPS.items()},
    },
}
INSTRUCTION = re.compile(r"(.+)\[(\d{1,9})\]\Z", re.DOTALL)
STEP = re.compile(r"\[(\d{1,9})\]|\.(\w+)")
ALL = "instructions"


def record_offsets(code: Code) -> Iterator[tuple[int, int]]:
    """Iterate over the identity of each record and its offset in `encode()`."""
    stream = code.stream()
    if isinstance(stream, Bitstream):
        extents: list[Extent] = []
        write(stream, extents)
        start = HEADER_SIZE + len(code.gap) + len(stream.wrapper)
        for each in extents:
            yield id(each.item), start + each.bit // 8


def offset_of(code: Code, path: str) -> int | None:
    """Return the offset of the object at a path; None if it is not a record."""
    record = record_at(code.read_module(), path)
    if record is None:
        return None
    return next((at for each, at in record_offsets(code) if each == id(record)), None)


def record_at(module: DxilModule, path: str) -> BitRecord | None:
    """Return the record of an instruction or a node of metadata, or None."""
    named = next((each for each in module.named_metadata if is_below(path, each.name)), None)
    if named is not None:
        names = ELEMENTS.get(named.name, {})
        return _node(named.nodes, path[len(named.name) :], names) or named.record
    found = INSTRUCTION.match(path)
    if found is None:
        return None
    functions = [each for each in module.functions if found[1] in (ALL, each.name)]
    instructions = (each for function in functions for each in function.instructions)
    instruction = next(islice(instructions, int(found[2]), None), None)
    return None if instruction is None else instruction.record


def _node(
    nodes: list[MetadataNode], path: str, names: Mapping[str, tuple[int, ...]]
) -> BitRecord | None:
    """Return the record of the last node on the way."""
    found: list[Metadata | None] = list(nodes)
    record = None
    for step in STEP.finditer(path):
        for index in names.get(step[2], ()) if step[2] else (int(step[1]),):
            node = found[index] if index < len(found) else None
            if not isinstance(node, MetadataNode):
                return record
            record = node.record or record
            found = node.elements
    return record
