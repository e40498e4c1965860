"""`unshade asm`: the shader that a text describes: a listing, edited or not, or code by hand."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import api
from ..errors import AssembleError, UnshadeError, UsageError
from ..formats import format_named, of_text, texts
from . import exits
from .inputs import Input, is_shader, several, words
from .inputs import run as run_on
from .output import Output, Targets, note, styled, visible

if TYPE_CHECKING:
    from ..isa.source import Source
    from ..shader import Shader

BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # some editors begin a text with it
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # what PowerShell makes of `unshade dis x > x.asm`


def run(
    files: Sequence[str],
    donor: str | None = None,
    format: str | None = None,
    output: str | None = None,
) -> int:
    """Assemble each text; every mistake in it is told on standard error.

    Texts of a format that joins them (a vertex and a geometry shader of one SHBIN) make one file,
    if one is named.
    """
    joined: list[Source] = []
    if len(files) > 1 and output and not output.endswith("/") and not os.path.isdir(output):
        joined = _joined(files, format)
    targets = Targets(output, "", several(files) and not joined, one_each=True)

    def assemble(item: Input) -> int:
        source = joined or [_source(item)]
        like = None if donor is None else _donor(donor, item)
        base = None
        if like is not None:
            try:
                base = like.open()
            except UnshadeError as error:
                note(f"{item.name}: the donor {like.name}: {words(error)}")
                return exits.code_of(error)
        try:
            shader = api.assemble(source, format, donor=base)
        except AssembleError as error:
            _complain(error)
            return exits.MALFORMED
        targets.suffix = _suffix(shader, like)
        with Output(targets.place(item)) as one:
            one.binary(shader.to_bytes())
        return exits.FINE

    if joined:
        files = files[:1]
    return run_on(files, assemble, Output(fills_screen=False), wanted=_is_text, what="listing")


def _joined(files: Sequence[str], format: str | None) -> "list[Source]":
    """The texts of one shader; none where each is one of its own."""
    if any(os.path.isdir(path) for path in files):
        return []
    sources = [_source(Input(path)) for path in files]
    try:
        found = format_named(format) if format else of_text(sources[0])
    except UnshadeError:
        return []  # told when it is assembled
    return sources if found.joins else []


def _source(item: Input) -> "Source":
    from ..isa.source import Source

    return Source(_text(item.read()), item.name)


def _text(data: bytes) -> str:
    """A text as editors and shells write it; bytes that are no letters go through as they are."""
    if data.startswith(UTF_16):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            pass
    if b"\0" in data:
        from .guess import no_text

        raise no_text(data)
    return data.removeprefix(BYTE_ORDER_MARK).decode("utf-8", "surrogateescape")


def _is_text(item: Input) -> bool:
    return item.path.endswith(texts())


def _suffix(shader: "Shader", donor: Input | None) -> str:
    """That of the donor, which the file can then replace."""
    if donor is not None:
        return os.path.splitext(donor.path)[1]
    return format_named(shader.format).suffix


def _donor(path: str, item: Input) -> Input:
    """The donor's file; in a folder the shader that is called as the text."""
    if not os.path.isdir(path):
        return Input(path)
    folder, name = os.path.split(os.path.join(path, item.stem))
    try:
        names = sorted(each for each in os.listdir(folder) if os.path.splitext(each)[0] == name)
    except OSError:
        names = []
    found = [each for each in (Input(os.path.join(folder, n)) for n in names) if is_shader(each)]
    if len(found) != 1:
        there = f"{len(found)} shaders" if found else "no shader"
        raise UsageError(f"{there} called {name!r} in {folder}, to be the donor")
    return found[0]


def _complain(error: AssembleError) -> None:
    """Every mistake as compilers tell them, coloured on a terminal."""
    coloured = styled(sys.stderr)
    for each in error.errors:
        text = visible(each.drawn(), keep="\n\t")
        print(_coloured(text, each) if coloured else text, file=sys.stderr)


def _coloured(text: str, error: AssembleError) -> str:
    """Place bold, problem red, caret green."""
    from click import style

    head, *rest = text.split("\n")
    place, found, problem = head.partition(f": {visible(error.problem)}")
    told = style(place, bold=True) + style(found + problem, fg="red")
    lines = [*rest[:-1], *(style(line, fg="green") for line in rest[-1:])]
    return "\n".join([told, *lines])
