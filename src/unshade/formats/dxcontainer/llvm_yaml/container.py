"""Header and parts in LLVM's YAML.

    Header:
      Hash:            [ 0x0, … ]          kept as it is
      Version:
        Major:           1
        Minor:           0
      FileSize:        4524                optional, as are the offsets
      PartCount:       8
      PartOffsets:     [ 64, 80 ]
    Parts:
      - Name:            ISG1
        Size:            132 bytes after the contents are zero
        Signature:

Source: LLVM 19, DXContainerYAML.cpp and DXContainerEmitter.cpp.
"""

from functools import lru_cache
from typing import Any

from ....errors import EncodeError, FormatError, UnsupportedError
from ....format import load
from ....limits import DEFAULT, check_file_size
from ....parts import Category
from ..part import PART_HEADER, DxPart, encoded_name
from ..parts import described, description_of
from ..parts.dxil import is_dxil
from ..parts.kind import RecordKind
from ..shader import DxContainer
from .keys import (
    ANY,
    HEX8,
    TEXT,
    U16,
    U32,
    Flow,
    MappingKey,
    MappingReader,
    PartForm,
    elements,
    shown,
)
from .records import part_form

__all__ = ["document", "read_container"]

HEADER = 32
VERSION = (MappingKey("Major", U16, "major"), MappingKey("Minor", U16, "minor"))
HASH = (MappingKey("Hash", Flow(HEX8), "digest"),)
SIZES = (
    MappingKey("FileSize", U32, "size", optional=True),
    MappingKey("PartCount", U32, "count"),
    MappingKey("PartOffsets", Flow(U32), "offsets", optional=True),
)
PART = (MappingKey("Name", TEXT, "name"), MappingKey("Size", U32, "size"))
UNREAD = ("SourceInfo",)  # of LLVM 22


@lru_cache(maxsize=256)  # bounded, since files may contain any name
def _form_of(name: str) -> tuple[str, PartForm] | None:
    """Return the key of the contents of a part, and their form; None if LLVM holds none."""
    found = description_of(name)
    if found is None or found.llvm is None:
        return None
    if isinstance(found.kind, RecordKind) and not found.llvm.form:
        return found.llvm.key, part_form(name, found.kind, found.llvm)
    return found.llvm.key, load(f".{found.llvm.form}", __package__)


def _keys(node: dict[str, Any], known: tuple[str, PartForm] | None) -> list[str]:
    """Return the permitted keys of contents: the keys of all parts; LLVM reads only one of them."""
    own = [] if known is None else [known[0]]
    if node.keys() <= {*own, *(key.name for key in PART)}:
        return own  # and the modules of the other parts are not imported
    found = [each.llvm.key for each in described().values() if each.llvm is not None]
    return list(dict.fromkeys([*found, *UNREAD]))


# -- reading --------------------------------------------------------------------------------------


def read_container(node: Any) -> DxContainer:
    """Return the container that the plain data of the YAML describes; all scalars are texts."""
    top = MappingReader(node, "")
    found = top.values(MappingKey("Header", ANY, "header"), MappingKey("Parts", ANY, "parts"))
    top.finish()
    header, version = _header(found["header"])
    nodes = elements(found["parts"], "Parts")
    if header["count"] != len(nodes):
        problem = f"expected {len(nodes)} parts, got {header['count']}"
        raise FormatError(problem, path="Header.PartCount")
    shader = DxContainer([])
    offsets = header.get("offsets")
    if offsets is not None and len(offsets) != len(nodes):
        problem = f"expected {len(nodes)} offsets, got {len(offsets)}"
        raise FormatError(problem, path="Header.PartOffsets")
    at = HEADER + 4 * len(nodes)
    for i, each in enumerate(nodes):
        start = at if offsets is None else offsets[i]
        if start < at:
            problem = f"expected an offset from {at} on, got {start}"
            raise FormatError(problem, path=f"Header.PartOffsets[{i}]")
        check_file_size(start, DEFAULT)
        name, data = _part(each, f"Parts[{i}]", start)
        shader.parts.append(DxPart(name, data, gap=bytes(start - at), pad=0))
        at = start + PART_HEADER + len(data)
        check_file_size(at, DEFAULT)
    shader.major, shader.minor = version["major"], version["minor"]
    shader.digest = bytes(header["digest"])
    if header.get("size", at) != at:
        shader.declared_size = header["size"]
    shader.source = None
    return shader


def _header(node: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    reader = MappingReader(node, "Header")
    header = reader.values(*HASH, MappingKey("Version", ANY, "version"), *SIZES)
    reader.finish()
    if len(header["digest"]) != 16:
        raise FormatError(f"expected 16 bytes, got {len(header['digest'])}", path="Header.Hash")
    numbers = MappingReader(header["version"], "Header.Version")
    version = numbers.values(*VERSION)
    numbers.finish()
    return header, version


def _part(node: Any, path: str, start: int) -> tuple[str, bytes]:
    """Return the name and the data of a part whose data begins at `start`."""
    reader = MappingReader(node, path)
    head = reader.values(*PART)
    name, size = head["name"], head["size"]
    known = _form_of(name)
    keys = _keys(reader.node, known)
    contents = reader.values(*(MappingKey(key, ANY, key, optional=True) for key in keys))
    reader.finish()
    if len(encoded_name(name)) != 4:
        raise FormatError(f"expected a four-letter name, got {name!r:.40}", path=f"{path}.Name")
    check_file_size(start + size, DEFAULT)
    try:
        data = _contents(known, size, contents, path)
    except EncodeError as error:
        raise FormatError(str(error), path=path) from None
    if len(data) > size:
        problem = f"expected a size of at least {len(data)}, got {size}"
        raise FormatError(problem, path=f"{path}.Size")
    return name, data.ljust(size, b"\0")


def _contents(
    known: tuple[str, PartForm] | None, size: int, contents: dict[str, Any], path: str
) -> bytes:
    for key in UNREAD:
        if key in contents:
            raise UnsupportedError(f"{path}.{key}: reading the sources is not supported yet")
    if known is None:
        return b""
    key, form = known
    return form.read(contents[key], f"{path}.{key}", size) if key in contents else form.absent


# -- showing --------------------------------------------------------------------------------------


def document(shader: DxContainer) -> dict[str, Any]:
    """Return a container as the mapping that is printed."""
    made = shader.to_bytes()  # sets the offsets of the parts
    offsets = [part.offset for part in shader.parts]
    if shader.order is not None:
        raise UnsupportedError("LLVM's YAML holds parts in the order of the part table only")
    values = {
        "digest": list(made[4:20]),
        "size": int.from_bytes(made[24:28], "little"),
        "count": len(offsets),
        "offsets": offsets,
    }
    version = shown(VERSION, {"major": shader.major, "minor": shader.minor})
    header = shown(HASH, values) | {"Version": version} | shown(SIZES, values)
    stage = next((int(each.value.kind) for each in shader.parts if _is_program(each)), None)
    return {"Header": header, "Parts": [_part_document(part, stage) for part in shader.parts]}


def _is_program(part: DxPart) -> bool:
    return part.category is Category.CODE and is_dxil(part.value)


def _part_document(part: DxPart, stage: int | None) -> dict[str, Any]:
    data, value = part.data, part.value
    found = shown(PART, {"name": part.name, "size": len(data)})
    known = _form_of(part.name)
    if known is not None and not isinstance(value, bytes):  # malformed parts are bytes
        key, form = known
        contents = None if form.show is None else form.show(value, data, stage)
        if contents is not None:
            found[key] = contents
    return found
