"""`unshade dis`: disassemble shaders in the syntax of the format's own tool.

With `-o FOLDER` the text is written as the files that the tool reads, which may be several.
"""

import re
from collections.abc import Sequence
from typing import Any

from ...formats import texts
from ...screens.text import visible
from ..inputs import Input, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput, styled
from ..targets import Targets


def run(
    files: Sequence[str],
    dialect: str | None = None,
    output: str | None = None,
    **given: Any,
) -> int:
    """Disassemble each file; options of formats that are None keep the format's default."""
    endings = [] if output is None else [rf"(\..*)?{re.escape(each)}" for each in texts()]
    targets = Targets(output, endings, files)
    options = {name: value for name, value in given.items() if value is not None}
    out = CommandOutput()

    def dis(item: Input) -> int:
        shader = item.open(strict=False)
        if targets.folder:
            for suffix, text in shader.listings(dialect, strict=False, **options).items():
                with CommandOutput(targets.place(item, suffix)) as one:
                    one.text(text)
            return tell_damage(item, shader)
        text = shader.disassemble(dialect, strict=False, **options)
        place = targets.place(item)
        if place is not None:
            with CommandOutput(place) as one:
                one.text(text)
        else:
            if out.several:
                out.text(f"{shader.comment} {visible(item.name)}\n")
            if styled():
                from ...screens.listing import lines

                out.segments(lines(text, shader.lexer()))
            else:
                out.text(text)
        return tell_damage(item, shader)

    return run_on(files, dis, out, targets=targets)
