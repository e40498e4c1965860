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
        Size:            132               what the contents do not fill is zero
        Signature:

Source: LLVM 19, DXContainerYAML.cpp and DXContainerEmitter.cpp.
"""

from collections.abc import Callable
from typing import Any

from ....errors import EncodeError, FormatError, LimitError, UnsupportedError
from ....limits import DEFAULT
from ..part import PART_HEADER, DxPart, encoded_name
from ..parts.dxil import Program
from ..parts.hash import DxilShaderHash
from ..parts.psv0 import PipelineStateValidation
from ..parts.sfi0 import FeatureInfo
from ..parts.signature import ProgramSignature
from ..shader import DxContainer
from . import pipeline, programs, rootsignature, signatures
from .keys import ANY, HEX8, TEXT, U16, U32, Flow, MappingKey, MappingReader, elements, shown

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
# The key of the contents of a part, and what reads it.
CONTENTS: dict[str, tuple[str, Callable[[Any, str], bytes]]] = {
    "HASH": ("Hash", programs.hash_data),
    "SFI0": ("Flags", programs.features_data),
    "PSV0": ("PSVInfo", pipeline.part_data),
    "ILDN": ("DebugName", programs.debug_name_data),
    "VERS": ("CompilerVersion", programs.version_data),
    "RTS0": ("RootSignature", rootsignature.part_data),
    **dict.fromkeys(signatures.NAMES, ("Signature", signatures.part_data)),
}
PROGRAMS = ("DXIL", "ILDB")
UNREAD = ("SourceInfo",)  # of LLVM 22
KEYS = tuple(dict.fromkeys(["Program", *(key for key, _ in CONTENTS.values()), *UNREAD]))


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
        _bound(start)
        name, data = _part(each, f"Parts[{i}]", DEFAULT.file_size - start)
        shader.parts.append(DxPart(name, data, gap=bytes(start - at), pad=0))
        at = start + PART_HEADER + len(data)
        _bound(at)
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


def _bound(size: int) -> None:
    if size > DEFAULT.file_size:
        raise LimitError("file_size", DEFAULT.file_size, size)


def _part(node: Any, path: str, room: int) -> tuple[str, bytes]:
    """Return the name and the data of a part."""
    reader = MappingReader(node, path)
    head = reader.values(*PART)
    name, size = head["name"], head["size"]
    contents = reader.values(*(MappingKey(key, ANY, key, optional=True) for key in KEYS))
    reader.finish()
    if len(encoded_name(name)) != 4:
        raise FormatError(f"expected a four-letter name, got {name!r:.40}", path=f"{path}.Name")
    if size > room:
        raise LimitError("file_size", DEFAULT.file_size, DEFAULT.file_size - room + size)
    try:
        data = _contents(name, size, contents, path)
    except EncodeError as error:
        raise FormatError(str(error), path=path) from None
    if len(data) > size:
        problem = f"expected a size of at least {len(data)}, got {size}"
        raise FormatError(problem, path=f"{path}.Size")
    return name, data.ljust(size, b"\0")


def _contents(name: str, size: int, contents: dict[str, Any], path: str) -> bytes:
    for key in UNREAD:
        if key in contents:
            raise UnsupportedError(f"{path}.{key}: reading the sources is not supported yet")
    if name in PROGRAMS and "Program" in contents:
        return programs.program_data(contents["Program"], f"{path}.Program", size)
    key, read = CONTENTS.get(name, ("", None))
    if read is None:
        return b""
    if key in contents:
        return read(contents[key], f"{path}.{key}")
    return signatures.part_data(None, path) if name in signatures.NAMES else b""


# -- showing --------------------------------------------------------------------------------------

# The key of the contents of a part that LLVM 19 has, and what shows the typed part: from it, the
# data of the part, and the stage of the program. Malformed parts are bytes, which have no key.
SHOWN: dict[tuple[str, type], tuple[str, Callable[[Any, bytes, int | None], Any]]] = {
    ("DXIL", Program): (
        "Program",
        lambda value, data, _: programs.program_document(value, data),
    ),
    ("HASH", DxilShaderHash): ("Hash", lambda value, *_: programs.hash_document(value)),
    ("SFI0", FeatureInfo): ("Flags", lambda value, *_: programs.features_document(value)),
    ("PSV0", PipelineStateValidation): (
        "PSVInfo",
        lambda value, _, stage: pipeline.document(value, stage),
    ),
    **{
        (name, ProgramSignature): ("Signature", lambda value, *_: signatures.document(value))
        for name in signatures.NAMES
    },
}


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
    stage = next((int(each.value.kind) for each in shader.parts.all("DXIL") if _typed(each)), None)
    return {"Header": header, "Parts": [_part_document(part, stage) for part in shader.parts]}


def _typed(part: DxPart) -> bool:
    return isinstance(part.value, Program)


def _part_document(part: DxPart, stage: int | None) -> dict[str, Any]:
    data, value = part.data, part.value
    found = shown(PART, {"name": part.name, "size": len(data)})
    key, show = SHOWN.get((part.name, type(value)), ("", None))
    contents = None if show is None else show(value, data, stage)
    if contents is not None:
        found[key] = contents
    return found
