"""Languages of sources."""

from enum import auto

from ..enums import StrEnum


class SourceLanguage(StrEnum):
    """A source language."""

    HLSL = auto()
    SLANG = auto()
    GLSL = auto()
    WGSL = auto()
    SPIRV = auto()  # the assembly language of spirv-as

    @property
    def spelling(self) -> str:
        """The name as its specification spells it."""
        return _TITLES[self]


_TITLES = {
    SourceLanguage.HLSL: "HLSL",
    SourceLanguage.SLANG: "Slang",
    SourceLanguage.GLSL: "GLSL",
    SourceLanguage.WGSL: "WGSL",
    SourceLanguage.SPIRV: "SPIR-V assembly",
}
