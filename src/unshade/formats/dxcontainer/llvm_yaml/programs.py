"""DXIL, ILDB and SFI0 in LLVM's YAML.

    Program:                       Flags:
      MajorVersion:    6             Doubles:         false
      …                              …

LLVM 19 knows ILDB by name only; its keys are from LLVM 22.

Source: LLVM, DXContainerYAML.cpp and DXContainerEmitter.cpp.
"""

from collections.abc import Sequence
from typing import Any

from ....errors import FormatError
from ....wire import write
from ..parts.dxil import Program
from ..parts.sfi0 import FeatureInfo
from .keys import (
    BOOL,
    HEX8,
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
    "features_data",
    "features_document",
    "program_data",
    "program_document",
]

PROGRAM_HEADER = 24
HEADER = 16  # from the magic to the bitcode
PROGRAM = (
    MappingKey("MajorVersion", Number(4), "version", shift=4, width=4),
    MappingKey("MinorVersion", Number(4), "version", shift=0, width=4),
    MappingKey("ShaderKind", U16, "version", shift=16, width=16),
    MappingKey("Size", U32, "size", optional=True),
    MappingKey("DXILMajorVersion", U8, "dxil_version", shift=8, width=8),
    MappingKey("DXILMinorVersion", U8, "dxil_version", shift=0, width=8),
)
OFFSET = MappingKey("DXILOffset", U32, "offset", optional=True)  # not in LLVM 19
BITCODE = (
    MappingKey("DXILSize", U32, "bitcode_size", optional=True),
    MappingKey("DXIL", Flow(HEX8), "bitcode", optional=True),
)
LAST = 31  # the first bit without a name in LLVM 19
LATER = "NextUnusedBit"


def program_data(node: Any, path: str, room: int) -> bytes:
    """Return the data of a program; the bitcode ends at the part's size at the latest."""
    reader = MappingReader(node, path)
    found = reader.values(*PROGRAM, OFFSET, *BITCODE)
    reader.finish()
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
    made = Program(found["version"], found["dxil_version"], bitcode.ljust(declared, b"\0"))
    made.size = found.get("size", PROGRAM_HEADER + declared)  # in bytes, as LLVM
    made.gap = bytes(gap)
    return made.encode()


def program_document(program: Program, data: bytes) -> dict[str, Any]:
    """Return a program as a mapping; `data` are the bytes of the part."""
    bitcode = program.bitcode_bytes()
    values = {
        "version": program.version,
        "size": int.from_bytes(data[4:8], "little"),
        "dxil_version": program.dxil_version,
        "bitcode_size": len(bitcode),
        "bitcode": list(bitcode),
    }
    return shown((*PROGRAM, *BITCODE), values)


def _feature_keys(names: Sequence[str], *, optional: bool, first: int = 0) -> list[MappingKey]:
    """Return a key for each bit, from the first on."""
    numbered = enumerate(names, first)
    return [MappingKey(name, BOOL, "flags", optional, bit, 1) for bit, name in numbered]


def features_data(node: Any, path: str) -> bytes:
    """Return the data of SFI0."""
    reader = MappingReader(node, path)
    found = reader.values(*_feature_keys(FEATURES[:LAST], optional=False))
    named = FEATURES[LAST:] if FEATURES[LAST] in reader.node else ()
    rest = reader.values(*_feature_keys((*named, LATER), optional=True, first=LAST))
    reader.values(*_feature_keys(FEATURES[LAST:], optional=True))  # else they do not count
    reader.finish()
    return write(FeatureInfo(flags=found["flags"] | rest.get("flags", 0)))


def features_document(record: FeatureInfo) -> dict[str, Any] | None:
    """Return SFI0 as a mapping, or None if there are no flags."""
    names = (*FEATURES[:LAST], LATER)
    return shown(_feature_keys(names, optional=False), record) if record.flags else None


FORM = PartForm(program_data, lambda value, data, _: program_document(value, data))
DEBUG_FORM = PartForm(program_data)
FEATURES_FORM = PartForm(
    lambda node, path, _: features_data(node, path), lambda value, *_: features_document(value)
)
