"""Signatures of `[]` and `get` of a shader, with the type of each part.

Made by tools/part_types.py from the descriptions of the formats; do not edit.

The value of a malformed part is bytes; `| Any` spares callers a check for that.
"""
# ruff: noqa: E501, I001
# fmt: off

from typing import TYPE_CHECKING, Any, Literal, overload

from .parts import PartMapping

if TYPE_CHECKING:
    from .formats.dxcontainer.parts.hash import DxilShaderHash
    from .formats.dxcontainer.parts.ifce import ClassLinkage
    from .formats.dxcontainer.parts.rdef import ResourceDefinition
    from .formats.dxcontainer.parts.rts0 import SerializedRootSignature
    from .formats.dxcontainer.parts.sfi0 import FeatureInfo
    from .formats.dxcontainer.parts.signature import ProgramSignature
    from .formats.dxcontainer.parts.stat import ShaderStatistics
    from .formats.shbin.records import Dvle
    from .formats.shbin.records import Dvlp
    from .formats.shbin.records import Dvoj
    from .programs.tpf.program import Program as TpfProgram


class TypedParts(PartMapping):
    """The parts of a shader by name."""

    @overload
    def __getitem__(self, name: Literal["DVLE"]) -> "Dvle | Any": ...
    @overload
    def __getitem__(self, name: Literal["DVLP"]) -> "Dvlp | Any": ...
    @overload
    def __getitem__(self, name: Literal["DVOJ"]) -> "Dvoj | Any": ...
    @overload
    def __getitem__(self, name: Literal["HASH"]) -> "DxilShaderHash | Any": ...
    @overload
    def __getitem__(self, name: Literal["ICFE", "IFCE"]) -> "ClassLinkage | Any": ...
    @overload
    def __getitem__(self, name: Literal["ISG1", "ISGN", "OSG1", "OSG5", "OSGN", "PCSG", "PSG1"]) -> "ProgramSignature | Any": ...
    @overload
    def __getitem__(self, name: Literal["RDEF"]) -> "ResourceDefinition | Any": ...
    @overload
    def __getitem__(self, name: Literal["RTS0"]) -> "SerializedRootSignature | Any": ...
    @overload
    def __getitem__(self, name: Literal["SFI0"]) -> "FeatureInfo | Any": ...
    @overload
    def __getitem__(self, name: Literal["SHDR", "SHEX"]) -> "TpfProgram | Any": ...
    @overload
    def __getitem__(self, name: Literal["STAT"]) -> "ShaderStatistics | Any": ...
    @overload
    def __getitem__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any:
        """Return the typed record of the first part of that name, or its bytes."""
        return self.part_value(name)

    @overload
    def get(self, name: Literal["DVLE"]) -> "Dvle | Any | None": ...
    @overload
    def get(self, name: Literal["DVLP"]) -> "Dvlp | Any | None": ...
    @overload
    def get(self, name: Literal["DVOJ"]) -> "Dvoj | Any | None": ...
    @overload
    def get(self, name: Literal["HASH"]) -> "DxilShaderHash | Any | None": ...
    @overload
    def get(self, name: Literal["ICFE", "IFCE"]) -> "ClassLinkage | Any | None": ...
    @overload
    def get(self, name: Literal["ISG1", "ISGN", "OSG1", "OSG5", "OSGN", "PCSG", "PSG1"]) -> "ProgramSignature | Any | None": ...
    @overload
    def get(self, name: Literal["RDEF"]) -> "ResourceDefinition | Any | None": ...
    @overload
    def get(self, name: Literal["RTS0"]) -> "SerializedRootSignature | Any | None": ...
    @overload
    def get(self, name: Literal["SFI0"]) -> "FeatureInfo | Any | None": ...
    @overload
    def get(self, name: Literal["SHDR", "SHEX"]) -> "TpfProgram | Any | None": ...
    @overload
    def get(self, name: Literal["STAT"]) -> "ShaderStatistics | Any | None": ...
    @overload
    def get(self, name: str, default: Any = None) -> Any: ...
    def get(self, name: str, default: Any = None) -> Any:
        """Return the same as `[]`, or `default` if there is no part of that name."""
        return self.part_value(name) if name in self else default
