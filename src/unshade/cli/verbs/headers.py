"""`unshade headers`: declare the buffers and resources of shaders in another language."""

import re

from .. import exits
from ..commands import HeadersOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked
from ..targets import Targets, language_of


def run(given: HeadersOptions) -> int:
    """Write a header of each file: to standard output, a file, or a folder."""
    from ...analysis.headers import SUFFIXES, headers

    use_if_asked(given.sources, given.stage, given.entry)
    to = language_of(given.to, given.output, SUFFIXES, "cpp")
    suffix = SUFFIXES[to]
    targets = Targets(given.output, [re.escape(suffix)], given.files)
    out = CommandOutput()

    def declare(item: Input) -> int:
        text = headers(item.open(), to)
        place = targets.place(item, suffix if targets.folder else "")
        out.text_of_file(text, place)
        return exits.FINE

    return run_on(given.files, declare, out, targets=targets)
