"""DXIL and ILDB, HASH, SFI0, ILDN and VERS in LLVM's YAML.

    Program:                       Hash:                          Flags:
      MajorVersion:    6             IncludesSource:  false         Doubles:         false
      …                              Digest:          [ 0x9E, …     …

LLVM 19 knows ILDB, ILDN and VERS by name only; their keys are from LLVM 22.

Source: LLVM, DXContainerYAML.cpp and DXContainerEmitter.cpp.
"""

from typing import Any

from ....errors import FormatError
from ....wire import write
from ..parts.dxil import Program
from ..parts.hash import DxilShaderHash
from ..parts.ildn import DebugName
from ..parts.sfi0 import FeatureInfo
from ..parts.vers import CompilerVersion
from .keys import (
    BOOL,
    HEX8,
    TEXT,
    U8,
    U16,
    U32,
    Flow,
    MappingKey,
    MappingReader,
    Number,
    PartForm,
    shown,
)
from .names import FEATURES

__all__ = [
    "debug_name_data",
    "features_data",
    "features_document",
    "hash_data",
    "hash_document",
    "program_data",
    "program_document",
    "version_data",
]

PROGRAM_HEADER = 24
HEADER = 16  # from the magic to the bitcode
PROGRAM = (
    MappingKey("MajorVersion", Number(4), "major"),
    MappingKey("MinorVersion", Number(4), "minor"),
    MappingKey("ShaderKind", U16, "stage"),
    MappingKey("Size", U32, "size", optional=True),
    MappingKey("DXILMajorVersion", U8, "dxil_major"),
    MappingKey("DXILMinorVersion", U8, "dxil_minor"),
)
OFFSET = MappingKey(
    "DXILOffset", U32, "offset", optional=True
)  # not shown: LLVM 19 has no such key
BITCODE = (
    MappingKey("DXILSize", U32, "bitcode_size", optional=True),
    MappingKey("DXIL", Flow(HEX8), "bitcode", optional=True),
)
HASH = (MappingKey("IncludesSource", BOOL, "flags"), MappingKey("Digest", Flow(HEX8), "digest"))
LAST = 31  # the first bit without a name in LLVM 19
LATER = "NextUnusedBit"
DEBUG_NAME = (
    MappingKey("Flags", U16, "flags", optional=True),
    MappingKey("NameLength", U16, "length", optional=True),
    MappingKey("DebugName", TEXT, "name"),
)
VERSION = (
    MappingKey("Major", U16, "major", optional=True),
    MappingKey("Minor", U16, "minor", optional=True),
    MappingKey("IsDebugBuild", BOOL, "debug", optional=True),
    MappingKey("IsValidated", BOOL, "validated", optional=True),
    MappingKey("CommitCount", U32, "commit_count", optional=True),
    MappingKey("ContentSizeInBytes", U32, "text_size", optional=True),
    MappingKey("CommitSha", TEXT, "commit_hash", optional=True),
    MappingKey("CustomVersionString", TEXT, "custom_version", optional=True),
)


def _values(node: Any, path: str, *keys: MappingKey) -> dict[str, Any]:
    reader = MappingReader(node, path)
    found = reader.values(*keys)
    reader.finish()
    return found


def program_data(node: Any, path: str, room: int) -> bytes:
    """Return the data of a program; the bitcode ends at the part's size at the latest."""
    found = _values(node, path, *PROGRAM, OFFSET, *BITCODE)
    bitcode = bytes(found.get("bitcode", ()))
    declared = found.get("bitcode_size", len(bitcode))
    offset = found.get("offset", HEADER)
    if offset < HEADER:
        raise FormatError(f"expected an offset from {HEADER} on, got {offset}", path=path)
    gap = offset - HEADER
    if max(declared, len(bitcode)) + PROGRAM_HEADER + gap > room:
        problem = f"expected a part of at least {declared + PROGRAM_HEADER + gap} bytes, got {room}"
        raise FormatError(problem, path=path)
    if len(bitcode) > declared:
        problem = f"expected DXILSize to be {len(bitcode)}, got {declared}"
        raise FormatError(problem, path=path)
    made = Program(
        found["stage"] << 16 | found["major"] << 4 | found["minor"],
        found["dxil_major"] << 8 | found["dxil_minor"],
        bitcode.ljust(declared, b"\0"),
    )
    made.size = found.get("size", PROGRAM_HEADER + declared)  # in bytes, as LLVM
    made.gap = bytes(gap)
    return made.encode()


def program_document(program: Program, data: bytes) -> dict[str, Any]:
    """Return a program as a mapping; `data` are the bytes of the part."""
    bitcode = program.bitcode_bytes()
    major, minor = program.shader_model
    values = {
        "major": major,
        "minor": minor,
        "stage": int(program.kind),
        "size": int.from_bytes(data[4:8], "little"),
        "dxil_major": program.dxil_version >> 8 & 0xFF,
        "dxil_minor": program.dxil_version & 0xFF,
        "bitcode_size": len(bitcode),
        "bitcode": list(bitcode),
    }
    return shown((*PROGRAM, *BITCODE), values)


def hash_data(node: Any, path: str) -> bytes:
    """Return the data of HASH."""
    found = _values(node, path, *HASH)
    digest = bytes(found["digest"])
    if len(digest) != 16:
        raise FormatError(f"expected 16 bytes, got {len(digest)}", path=f"{path}.Digest")
    return write(DxilShaderHash(flags=int(found["flags"]), digest=digest))


def hash_document(record: DxilShaderHash) -> dict[str, Any] | None:
    """Return HASH as a mapping, or None if it is empty."""
    if not record.flags and not any(record.digest):
        return None
    return shown(HASH, {"flags": record.flags & 1, "digest": list(record.digest)})


def _feature_keys(names: tuple[str, ...], *, optional: bool) -> tuple[MappingKey, ...]:
    return tuple(MappingKey(name, BOOL, name, optional) for name in names)


def features_data(node: Any, path: str) -> bytes:
    """Return the data of SFI0."""
    reader = MappingReader(node, path)
    found = reader.values(*_feature_keys(FEATURES[:LAST], optional=False))
    found |= reader.values(*_feature_keys((*FEATURES[LAST:], LATER), optional=True))
    reader.finish()
    later = found.pop(LATER, False)
    names = list(FEATURES) if FEATURES[LAST] in found else [*FEATURES[:LAST], LATER]
    flags = sum(found.get(name, False) << bit for bit, name in enumerate(names))
    flags |= later << (names.index(LATER) if LATER in names else len(names))
    return write(FeatureInfo(flags=flags))


def features_document(record: FeatureInfo) -> dict[str, Any] | None:
    """Return SFI0 as a mapping, or None if there are no flags."""
    if not record.flags:
        return None
    names = (*FEATURES[:LAST], LATER)
    values = {name: record.flags >> bit & 1 for bit, name in enumerate(names)}
    return shown(_feature_keys(names, optional=False), values)


def debug_name_data(node: Any, path: str) -> bytes:
    """Return the data of ILDN."""
    return write(DebugName(**_values(node, path, *DEBUG_NAME)))


def version_data(node: Any, path: str) -> bytes:
    """Return the data of VERS."""
    found = _values(node, path, *VERSION)
    flags = found.pop("debug", False) | found.pop("validated", False) << 1
    texts = {name: found.get(name, "") for name in ("commit_hash", "custom_version")}
    return write(CompilerVersion(flags=flags, **(found | texts)))


FORM = PartForm(program_data, lambda value, data, _: program_document(value, data))
DEBUG_FORM = PartForm(program_data)
HASH_FORM = PartForm(
    lambda node, path, _: hash_data(node, path), lambda value, *_: hash_document(value)
)
FEATURES_FORM = PartForm(
    lambda node, path, _: features_data(node, path), lambda value, *_: features_document(value)
)
DEBUG_NAME_FORM = PartForm(lambda node, path, _: debug_name_data(node, path))
VERSION_FORM = PartForm(lambda node, path, _: version_data(node, path))
