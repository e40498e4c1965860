"""`unshade asm`: the shader that a text describes: one of `dis`, edited or not, or code by hand."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import api
from .. import files as system
from ..errors import AssembleError, UnshadeError, UsageError
from ..formats import Format, format_named, known, of_text, suffixes
from ..formats import texts as text_suffixes
from ..screens.text import visible
from . import exits
from .donors import Donors
from .inputs import Input, expand, words
from .inputs import run as run_on
from .joining import Joined, gather, pieces
from .output import Output, note, styled, tell
from .targets import Targets

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
    **given: Any,
) -> int:
    """Assemble each text; every mistake in it is told on standard error.

    Texts of a format that joins them (a source for each stage) make one file, if one is named. An
    option of a format that is not given is left to it.
    """
    options = {name: value for name, value in given.items() if value is not None}
    read: dict[str, Source] = {}

    def source(item: Input) -> "Source":
        if item.path not in read:
            read[item.path] = _source(item)
        return read[item.path]

    inputs = gather(expand(files))
    one_file = _names_a_file(output)
    if len(files) > 1 and one_file and _join(inputs, format, source):
        inputs = [Joined(inputs)]
    texts = [item for item in inputs if item.chosen(_is_text)]
    says_file = one_file and output is not None and output.endswith(suffixes())
    if says_file and len(texts) > 1:
        raise UsageError(f"{len(texts)} texts make as many files, not {output}: give -o FOLDER")
    alone = one_file and len(texts) == 1 and (says_file or not texts[0].found)
    donors = None if donor is None else Donors(donor)
    targets = Targets(output, _endings(donor), () if alone else files, one_each=True)
    if donors is not None:
        targets.called = donors.name
        for item in texts:  # those of a folder would be written over before they are read
            name = donors.name(item)
            if name is not None:
                system.protect(donors.of(item).path)

    def assemble(item: Input) -> int:
        sources = []
        for each in pieces(item):
            try:
                sources.append(source(each))
            except UnshadeError as error:
                note(f"{each.name}: {words(error)}")
                return exits.code_of(error)
        told = _told(sources[0], format)
        if told is not None:
            _refuse_foreign(options, told)
        like = None
        if donors is not None and told is not None and not told.donors and donors.folder:
            note(f"{item.name}: {told.name} is made from its text alone, {donor} has no part in it")
        elif donors is not None:
            like = donors.of(item)
        base = None
        if like is not None:
            try:
                base = like.open()
            except UnshadeError as error:
                note(f"{item.name}: the donor {like.name}: {words(error)}")
                return exits.code_of(error)
            if told is not None and told.name != base.format:
                both = f"the text is one of {told.name}, the donor {like.name} one of {base.format}"
                raise UsageError(f"text and donor disagree: {both}")
        try:
            shader = api.assemble(sources, format, donor=base, **options)
        except AssembleError as error:
            _complain(error)
            return exits.MALFORMED
        name = donors.name(item) if donors is not None and like is not None else None
        with Output(targets.place(item, _suffix(shader, like), called=name)) as one:
            one.binary(shader.to_bytes())
        _warn(shader, base, item, sources)
        return exits.FINE

    return run_on(
        files, assemble, Output(fills_screen=False), wanted=_is_text, what="text", inputs=inputs,
        targets=targets,
    )  # fmt: skip


def _refuse_foreign(options: Mapping[str, Any], format: Format) -> None:
    """UsageError for options of other formats' assemblers."""
    own = {each.name for each in format.assembler}
    for other in known():
        for each in other.assembler:
            if each.name in options and each.name not in own:
                raise UsageError(f"{each.flag} is for texts of {other.name}, not of {format.name}")


def _names_a_file(output: str | None) -> bool:
    if output is None or output == "-":
        return False
    return not output.endswith(("/", os.sep)) and not os.path.isdir(output)


def _join(inputs: Sequence[Input], format: str | None, source: "Callable[[Input], Source]") -> bool:
    """Whether texts that were named make one shader."""
    if any(item.found for item in inputs):
        return False
    for item in inputs:  # the first that can be read tells
        try:
            told = _told(source(item), format)
        except UnshadeError:
            continue
        return told is not None and told.joins
    return False


def _told(source: "Source", format: str | None) -> Format | None:
    """The format that is named, or that the text says, if it does."""
    if format is not None:
        return format_named(format)
    try:
        return of_text(source)
    except AssembleError:
        return None


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
    return item.path.endswith(text_suffixes())


def _endings(donor: str | None) -> list[str]:
    """Patterns of how the shaders may end that are made."""
    known = [os.path.splitext(donor)[1]] if donor is not None and not os.path.isdir(donor) else []
    return [re.escape(each) for each in known or suffixes()]


def _suffix(shader: "Shader", donor: Input | None) -> str:
    """That of the donor, which the file can then replace."""
    if donor is not None:
        return os.path.splitext(donor.path)[1]
    return format_named(shader.format).suffix


def _complain(error: AssembleError) -> None:
    """Every mistake as compilers tell them, coloured on a terminal."""
    coloured = styled(errors=True)
    for each in error.errors:
        text = visible(each.with_caret(), keep="\n\t")
        tell(_coloured(text, each) if coloured else text)
    if error.closing:
        tell(error.closing)


def _warn(
    shader: "Shader", base: "Shader | None", item: Input, sources: "Sequence[Source]"
) -> None:
    """What the assembler took but may not have been meant; what was odd in the donor is old."""
    old = {str(each) for each in base.diagnostics} if base is not None else set()
    names = "|".join(re.escape(source.name) for source in sources)
    place = re.compile(rf"((?:{names}):\d+:\d+: )(.*)", re.DOTALL)
    for each in shader.diagnostics:
        if str(each) in old:
            continue
        found = place.fullmatch(each.message)
        if found:
            text = f"{found[1]}{each.severity} {each.code}: {found[2]}"
            tell(visible(text, keep="\n\t"))
        else:
            note(f"{item.name}: {each}")


def _coloured(text: str, error: AssembleError) -> str:
    """Place bold, problem red, caret green."""
    from click import style

    head, *rest = text.split("\n")
    place, found, problem = head.partition(f": {visible(error.problem)}")
    told = style(place, bold=True) + style(found + problem, fg="red")
    lines = [*rest[:-1], *(style(line, fg="green") for line in rest[-1:])]
    return "\n".join([told, *lines])
