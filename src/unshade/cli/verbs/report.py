"""`unshade report`: make an HTML page of each shader."""

import re

from ..commands import ReportOptions
from ..inputs import Input, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets

SUFFIX = ".html"


def run(given: ReportOptions) -> int:
    """Write a page for each file."""
    targets = Targets(given.output, [re.escape(SUFFIX)], given.files, one_each=True)
    out = CommandOutput(fills_screen=False)

    def show(item: Input) -> int:
        from ...report.page import page

        shader = item.open(strict=False)
        text = page(shader, item.name)
        place = targets.place(item, SUFFIX)
        if place is not None:
            with CommandOutput(place) as one:
                one.binary(text.encode())
        else:
            out.binary(text.encode())
        return tell_damage(item, shader)

    return run_on(given.files, show, out, targets=targets)
