"""Texts that unshade assembles itself, for `unshade.compile`: SkSL, picasso source, listings.

    noise.rts    lit.v.pica    a listing of fxc    Source(text), language="sksl"

No program is started, and no file read beside the text.
"""

import os
from typing import TYPE_CHECKING, Any

from .. import api, formats
from ..errors import AssembleError, UnsupportedError, UsageError
from ..isa.source import Source
from ..tuples import NamedTuple
from ..vocab.languages import SourceLanguage
from ..vocab.made import VULKAN_MODULE
from ..vocab.words import Stage
from .jobs import Compiled, Job
from .languages import is_source

if TYPE_CHECKING:
    from ..format import Format
    from ..shader import Shader


def format_of(name: str, text: str, language: str | None = None) -> "Format | None":
    """Return the format that a text is assembled to; None if a compiler has to read it."""
    if language is not None:
        wanted = language.lower()
        if wanted in (word for each in SourceLanguage for word in (each, each.spelling.lower())):
            return None
        return next(
            (
                found
                for found in formats.known()
                if found.texts
                for each in found.languages
                if wanted in (each.name, *each.aliases)
            ),
            None,
        )
    if is_source(name, text):
        return None
    try:
        return formats.of_text(Source(text, name))
    except AssembleError:
        return None


def is_text(name: str, data: bytes, text: str) -> bool:
    """Return True if the contents of a file are a text that unshade assembles itself."""
    return formats.identify(data) is None and format_of(os.path.basename(name), text) is not None


def assembled(
    source: Source, format: "Format", stage: Stage | None, entry: str | None, given: dict[str, Any]
) -> "Shader":
    """Assemble a text.

    Args:
        source: The text.
        format: The format of the shader.
        stage: The stage that the shader has to contain; None for any.
        entry: The entry point that the shader has to contain; None for any.
        given: Other arguments of `unshade.compile`, which are for compilers, by name.

    Raises:
        AssembleError: The text is invalid.
        UsageError: The shader has no such entry point, or an argument for compilers is given.
    """
    for name, value in given.items():
        if value:
            raise UsageError(
                f"{source.name or 'the source'}: expected no {name}: unshade assembles"
                f" {format.text} itself; `unshade.assemble` has its options"
            )
    shader = api.assemble(source, format.name)
    found = [each for program in shader.programs for each in program.entry_points]
    if not any(stage in (None, its) and entry in (None, name) for name, its in found):
        wanted = " ".join(filter(None, (stage and f"a {stage} shader", entry and repr(entry))))
        listed = ", ".join(f"{name} ({its})" for name, its in found) or "none"
        raise UsageError(
            f"{source.name or 'the source'}: expected {wanted}, got the entry points {listed}"
        )
    return shader


class OwnAssembler(NamedTuple):
    """The assembler of SPIR-V in this library, where spirv-as is not installed."""

    name: str = "unshade"
    languages: tuple[SourceLanguage, ...] = (SourceLanguage.SPIRV,)
    makes: tuple[str, ...] = (VULKAN_MODULE,)
    install: str = ""

    def missing(self) -> str:
        """Return "": it is always there."""
        return ""

    def version(self) -> str:
        """Return the version of this library."""
        from .. import __version__

        return __version__

    def compile(self, job: Job) -> Compiled:
        """Assemble a text; AssembleError if it is invalid."""
        if job.profile or job.options:
            raise UnsupportedError(
                f"{self.name} takes no profile and no options for SPIR-V assembly; spirv-as does"
            )
        shader = api.assemble(Source(job.text, job.title), VULKAN_MODULE)
        return Compiled(shader.to_bytes(), self.name, self.version(), ())
