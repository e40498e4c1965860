"""`unshade decompile`: write source of a shading language for compiled code."""

import re

from ...compilers.languages import SHARED, SUFFIXES
from ...decompile import TARGETS
from ...screens.text import visible
from ...vocab.languages import SourceLanguage
from .. import values
from ..commands import DecompileOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..renames import read_names
from ..sources import use_if_asked
from ..targets import Targets, language_of

WRITTEN = {
    "hlsl": SUFFIXES[SourceLanguage.HLSL],
    "glsl": " ".join((SUFFIXES[SourceLanguage.GLSL], *SHARED)),
}


def run(given: DecompileOptions) -> int:
    """Decompile each file."""
    use_if_asked(given.sources, given.stage, given.entry)
    endings = [] if given.output is None else [rf"(\..*)?\.{re.escape(each)}" for each in TARGETS]
    targets = Targets(given.output, endings, given.files)
    options = values.options(given)
    to = language_of(given.to, given.output, WRITTEN, "hlsl")
    names = read_names(given.names)
    out = CommandOutput()

    def decompile(item: Input) -> int:
        shader = item.open()
        text = shader.decompile(
            to,
            given.style,
            program=given.program,
            lines=given.lines,
            names=names,
            **options,
        )
        place = targets.place(item, f".{to}" if targets.folder else "")
        out.text_of_file(text, place, f"// {visible(item.name)}")
        return 0

    return run_on(given.files, decompile, out, targets=targets)
