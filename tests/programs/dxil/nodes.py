"""Metadata for tests, from numbers, strings, None and lists."""

from __future__ import annotations

import struct

from unshade.programs.dxil import Code, DxilModule
from unshade.programs.dxil.bitstream import Bitstream
from unshade.programs.dxil.model.constants import ConstantFloat, ConstantInt
from unshade.programs.dxil.model.metadata import (
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataValue,
    NamedMetadata,
)


class Nodes:
    """Metadata from Python values: numbers, strings, None, lists."""

    def __init__(self) -> None:
        self.module = DxilModule()

    def make(self, value: object) -> Metadata | None:
        types = self.module.types
        if value is None or isinstance(value, Metadata):
            return value
        if isinstance(value, str):
            return MetadataString(value)
        if isinstance(value, int):
            return MetadataValue(ConstantInt(types.integer(32), value))
        if isinstance(value, float):
            (bits,) = struct.unpack("<I", struct.pack("<f", value))
            return MetadataValue(ConstantFloat(types.floating("float"), bits))
        assert isinstance(value, list)
        return MetadataNode([self.make(each) for each in value])

    def name(self, name: str, *nodes: list[object]) -> None:
        found = [self.make(each) for each in nodes]
        self.module.named_metadata.append(NamedMetadata(name, found))  # type: ignore[arg-type]

    def code(self, kind: int, stage: str) -> Code:
        """Return a program of shader model 6.6 with the metadata."""
        self.name("dx.version", [1, 6])
        self.name("dx.shaderModel", [stage, 6, 6])
        code = Code(kind << 16 | 0x66, 0x106, Bitstream([]))
        code.module = self.module
        return code
