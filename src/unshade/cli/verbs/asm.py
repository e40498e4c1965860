"""`unshade asm`: assemble listings of `dis`, edited or not, and hand-written source.

With `--compile`, sources for a compiler are compiled to files, too.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ... import api
from ... import files as system
from ...errors import (
    AssembleError,
    EncodeError,
    FormatError,
    UnshadeError,
    UnsupportedError,
    UsageError,
)
from ...formats import Format, format_named, known, of_text, suffixes
from ...formats import texts as text_suffixes
from ...screens.text import visible
from ...shader import outdated
from ...vocab.languages import SourceLanguage
from ...vocab.made import CALLED
from .. import exits
from ..commands import AsmOptions
from ..donors import Donors
from ..inputs import Input, expand, with_name, words
from ..inputs import run as run_on
from ..joining import Joined, gather, pieces
from ..output import CommandOutput, complain, note, tell
from ..sources import hint, use_if_asked
from ..targets import Targets

if TYPE_CHECKING:
    from ...isa.source import Source
    from ...shader import Shader


def run(given: AsmOptions) -> int:
    """Assemble each text and report its errors on standard error.

    Several texts of a format that joins them (one source per stage) make one shader if `output` is
    a file.
    """
    options = given.of_formats
    use_if_asked(given.sources, given.stage, given.entry)
    read: dict[str, Source] = {}

    def source(item: Input) -> "Source":
        if item.path not in read:
            read[item.path] = _source(item)
        return read[item.path]

    inputs = gather(expand(given.files))
    one_file = _names_a_file(given.output)
    if len(given.files) > 1 and one_file and _join(inputs, given.format, source):
        inputs = [Joined(inputs)]
    texts = [item for item in inputs if item.chosen(_is_text)]
    says_file = one_file and given.output is not None and given.output.endswith(suffixes())
    if says_file and len(texts) > 1:
        raise UsageError(f"-o {given.output}: {len(texts)} texts need a folder: give -o FOLDER")
    alone = one_file and len(texts) == 1 and (says_file or not texts[0].found)
    donors = None if given.donor is None else Donors(given.donor)
    if donors is not None:
        system.set_hint("; `unshade edit --listing --source TEXT --in-place` replaces a shader")
    named = () if alone else given.files
    targets = Targets(given.output, _endings(given.donor), named, one_each=True)
    if donors is not None:
        targets.called = donors.name
        for item in texts:  # else donors in the folder could be overwritten before they are read
            name = donors.name(item)
            if name is not None:
                system.protect(donors.of(item).path)

    def assemble(item: Input) -> int:
        sources = []
        for each in pieces(item):
            try:
                sources.append(source(each))
            except UnshadeError as error:
                note(with_name(each.name, words(error)))
                return exits.code_of(error)
        made = item.compiled()
        if made is not None:
            _refuse_options(given)
            _refuse_profile(given.sources.profile, made)
            with CommandOutput(targets.place(item, format_named(made.format).suffix)) as one:
                one.binary(made.to_bytes())
            return exits.FINE
        described = _format_of(sources[0], given.format)
        if described is not None:
            _refuse_foreign(options, described)
        else:
            _refuse_source(sources[0], item.path)
        like = None
        if donors is not None and described and not described.donors and donors.folder:
            note(f"{item.name}: {described.name} needs no donor; {given.donor} is not used")
        elif donors is not None:
            like = donors.of(item)
        base = None
        if like is not None:
            try:
                base = like.open()
            except UnshadeError as error:
                note(f"{item.name}: donor {with_name(like.name, words(error))}")
                return exits.code_of(error)
            if given.format is None and _shares_text(base, described):
                described = format_named(base.format)
            if described is not None and described.name != base.format:
                both = f"expected {described.name}, got {base.format}"
                raise UsageError(f"donor {like.name}: {both}")
        try:
            shader = api.assemble(sources, given.format, donor=base, **options)
        except AssembleError as error:
            complain(error)
            return exits.MALFORMED
        name = donors.name(item) if donors is not None and like is not None else None
        try:
            data = shader.to_bytes()
        except EncodeError as error:
            if error.mistake is None:
                raise
            complain(error.mistake)
            return exits.MALFORMED
        with CommandOutput(targets.place(item, _suffix(shader, like), called=name)) as one:
            one.binary(data)
        _warn(shader, base, item, sources)
        return exits.FINE

    return run_on(
        given.files, assemble, CommandOutput(fills_screen=False), wanted=_is_text, what="text",
        inputs=inputs, targets=targets,
    )  # fmt: skip


def _shares_text(donor: "Shader", format: Format | None) -> bool:
    """Return True if the donor's format is printed as text of this format."""
    languages = {each.language for each in donor.programs}
    return (
        format is not None
        and not format_named(donor.format).texts
        and bool(languages)
        and languages <= {*format.holds}
    )


def _refuse_options(given: AsmOptions) -> None:
    """Raise UsageError for options of assemblers beside a source that was compiled."""
    named = {"--donor": given.donor, "--format": given.format}
    flags = {each.name: each.flag for form in known() for each in form.assembler}
    wrong = [flag for flag, value in named.items() if value is not None]
    wrong += [flags[name] for name in given.of_formats]
    if wrong:
        raise UsageError(f"{wrong[0]} is for texts to assemble, not for a source to compile")


def _refuse_profile(profile: str | None, made: "Shader") -> None:
    """Raise UnsupportedError for a profile of Direct3D if the compiler made other programs."""
    from ...compilers import compilers_for, programs_of_profile

    wanted = programs_of_profile(profile or "")
    if wanted is None or wanted in {each.language for each in made.programs}:
        return
    able = "; ".join(each.install for each in compilers_for(wanted, SourceLanguage.HLSL))
    got = ", ".join(CALLED.get(each.language, each.language) for each in made.programs)
    by = f" from {made.compiled.compiler}" if made.compiled is not None else ""
    raise UnsupportedError(
        f"--profile {profile}: expected {CALLED[wanted]}, got {got}{by}, which is not written;"
        f" compilers that make it: {able}"
    )


def _refuse_source(source: "Source", path: str) -> None:
    """Raise FormatError for source whose language is known, such as HLSL."""
    from ..guess import source_of

    told = hint(path, source.text.encode("utf-8", "surrogateescape"))
    words = source_of(source.text)
    if words is not None or told:
        raise FormatError(f"expected a listing or assembly, got {words or 'a source'}{told}")


def _refuse_foreign(options: Mapping[str, Any], format: Format) -> None:
    """Raise UsageError for options of other formats' assemblers."""
    own = {each.name for each in format.assembler}
    for other in known():
        for each in other.assembler:
            if each.name in options and each.name not in own:
                raise UsageError(f"{each.flag} applies to {other.name}, not to {format.name}")


def _names_a_file(output: str | None) -> bool:
    if output is None or output == "-":
        return False
    return not output.endswith(("/", os.sep)) and not os.path.isdir(output)


def _join(inputs: Sequence[Input], format: str | None, source: "Callable[[Input], Source]") -> bool:
    """Return True if the named texts make one shader."""
    if any(item.found for item in inputs):
        return False
    for item in inputs:  # decided by the first readable one
        try:
            described = _format_of(source(item), format)
        except UnshadeError:
            continue
        return described is not None and described.joins
    return False


def _format_of(source: "Source", format: str | None) -> Format | None:
    """Return the named format, else the format recognised from the text, else None."""
    if format is not None:
        return format_named(format)
    try:
        return of_text(source)
    except AssembleError:
        return None


def _source(item: Input) -> "Source":
    from ...isa.source import Source, decoded

    data = item.read()
    text = decoded(data)
    if text is None:
        from ..guess import no_text

        raise no_text(data)
    return Source(text, item.name)


def _is_text(item: Input) -> bool:
    return item.path.endswith(text_suffixes())


def _endings(donor: str | None) -> list[str]:
    """Return patterns of the possible suffixes of the output."""
    known = [os.path.splitext(donor)[1]] if donor is not None and not os.path.isdir(donor) else []
    return [re.escape(each) for each in known or suffixes()]


def _suffix(shader: "Shader", donor: Input | None) -> str:
    """Return the donor's suffix, so that the output can replace it, else the format's."""
    if donor is not None:
        return os.path.splitext(donor.path)[1]
    return format_named(shader.format).suffix


def _warn(
    shader: "Shader", base: "Shader | None", item: Input, sources: "Sequence[Source]"
) -> None:
    """Print new diagnostics, and the donor's parts that still repeat the old program."""
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

    if base is not None:
        for name, holds in outdated(base, shader).items():
            note(f"{item.name}: {name} is unchanged: {holds} is that of the donor's program")
