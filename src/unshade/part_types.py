"""`[]` and `get` of a shader, with the type that each part has.

Made by tools/part_types.py from what the formats say; not to be edited.

A part that is malformed is bytes, which nobody wants to rule out at every step: therefore `| Any`.
"""
# ruff: noqa: E501, I001
# fmt: off

from typing import TYPE_CHECKING, Any, Literal, overload

from .parts import PartMapping

if TYPE_CHECKING:
    from .formats.dxcontainer.parts.hash import ShaderHash
    from .formats.dxcontainer.parts.ifce import Interfaces
    from .formats.dxcontainer.parts.rdef import ResourceDefinition
    from .formats.dxcontainer.parts.rts0 import RootSignature
    from .formats.dxcontainer.parts.sfi0 import FeatureInfo
    from .formats.dxcontainer.parts.signature import Signature
    from .formats.dxcontainer.parts.stat import Statistics
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
    def __getitem__(self, name: Literal["HASH"]) -> "ShaderHash | Any": ...
    @overload
    def __getitem__(self, name: Literal["ICFE", "IFCE"]) -> "Interfaces | Any": ...
    @overload
    def __getitem__(self, name: Literal["ISG1", "ISGN", "OSG1", "OSG5", "OSGN", "PCSG", "PSG1"]) -> "Signature | Any": ...
    @overload
    def __getitem__(self, name: Literal["RDEF"]) -> "ResourceDefinition | Any": ...
    @overload
    def __getitem__(self, name: Literal["RTS0"]) -> "RootSignature | Any": ...
    @overload
    def __getitem__(self, name: Literal["SFI0"]) -> "FeatureInfo | Any": ...
    @overload
    def __getitem__(self, name: Literal["SHDR", "SHEX"]) -> "TpfProgram | Any": ...
    @overload
    def __getitem__(self, name: Literal["STAT"]) -> "Statistics | Any": ...
    @overload
    def __getitem__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any:
        """Return the typed record of the first part of that name; bytes where it has none."""
        return self.part_value(name)

    @overload
    def get(self, name: Literal["DVLE"]) -> "Dvle | Any | None": ...
    @overload
    def get(self, name: Literal["DVLP"]) -> "Dvlp | Any | None": ...
    @overload
    def get(self, name: Literal["DVOJ"]) -> "Dvoj | Any | None": ...
    @overload
    def get(self, name: Literal["HASH"]) -> "ShaderHash | Any | None": ...
    @overload
    def get(self, name: Literal["ICFE", "IFCE"]) -> "Interfaces | Any | None": ...
    @overload
    def get(self, name: Literal["ISG1", "ISGN", "OSG1", "OSG5", "OSGN", "PCSG", "PSG1"]) -> "Signature | Any | None": ...
    @overload
    def get(self, name: Literal["RDEF"]) -> "ResourceDefinition | Any | None": ...
    @overload
    def get(self, name: Literal["RTS0"]) -> "RootSignature | Any | None": ...
    @overload
    def get(self, name: Literal["SFI0"]) -> "FeatureInfo | Any | None": ...
    @overload
    def get(self, name: Literal["SHDR", "SHEX"]) -> "TpfProgram | Any | None": ...
    @overload
    def get(self, name: Literal["STAT"]) -> "Statistics | Any | None": ...
    @overload
    def get(self, name: str, default: Any = None) -> Any: ...
    def get(self, name: str, default: Any = None) -> Any:
        """Return what `[]` returns, or `default` where there is no part of that name."""
        return self.part_value(name) if name in self else default
