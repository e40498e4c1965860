"""Reading the comments of a listing without a program."""

from __future__ import annotations

import pytest

from unshade.errors import AssembleError
from unshade.formats.dxcontainer.fxc.assemble.comments import Comments
from unshade.formats.dxcontainer.fxc.assemble.tables import Tables
from unshade.isa.source import ErrorList, Source
from unshade.vocab.d3d import ShaderKind


def commented(text: str) -> str:
    """Return the lines as comments."""
    return "".join(f"// {line}".rstrip(" ") + "\n" for line in text.strip("\n").split("\n"))


def read(text: str, kind: ShaderKind = ShaderKind.PIXEL, model: tuple[int, int] = (5, 0)) -> Tables:
    """Return the tables in the comments of a program of that stage and model."""
    mistakes = ErrorList()
    source = Source(text, "t.asm")
    tables = Tables(kind, model).read(Comments(source, len(source.lines) + 1, mistakes))
    mistakes.check()
    tables.finish()
    return tables


def mistakes_in(
    text: str, kind: ShaderKind = ShaderKind.PIXEL, model: tuple[int, int] = (5, 0)
) -> list[tuple[int, int, str]]:
    """Return line, column and problem of each mistake."""
    with pytest.raises(AssembleError) as caught:
        read(text, kind, model)
    return [(each.line, each.column, each.problem) for each in caught.value.errors]
