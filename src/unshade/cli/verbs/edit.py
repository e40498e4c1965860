"""`unshade edit`: a shader as source in the user's editor, compiled and put back.

    decompile ── editor ── compile ── interface fits ── diff ── write
         └ the listing, where nothing compiles to such programs ── assemble ┘

The source is kept in its file whenever it was changed and nothing was written.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ... import api
from ... import files as system
from ...errors import AssembleError, EncodeError, UnshadeError, UnsupportedError, UsageError
from ...formats import format_named
from ...program import program_at
from ...screens.text import visible
from ...tuples import NamedTuple
from ...vocab.made import CALLED
from .. import exits
from ..commands import EditOptions
from ..editor import EditedText, command_line, edited_text
from ..inputs import Input, single, with_name, words
from ..output import CommandOutput, agreed, complain, note
from ..renames import read_names

if TYPE_CHECKING:
    from ...isa.source import Source
    from ...program import Program
    from ...shader import Shader

CONTEXT = 3  # lines of context of the diff
LISTING = "listing"
UNEDITED = "against the unedited {what}, made into a shader the same way"


class EditWork(NamedTuple):
    """A source or a listing that is edited, and how it becomes a shader again."""

    what: str
    text: str
    suffix: str
    made: "Callable[[Source], Shader]"


def run(given: EditOptions) -> int:
    """Edit one shader; write the result where the options say."""
    places = [given.dry_run, given.in_place, given.output is not None]
    if sum(places) != 1:
        raise UsageError("give one of -o PATH, --in-place and --dry-run")
    if given.file == "-" and given.source is None:
        raise UsageError("expected a file: the editor needs standard input")
    if given.file == "-" and given.in_place:
        raise UsageError("--in-place cannot be used with standard input")
    single(given.file)
    item = Input(given.file)
    system.protect(given.file)
    if given.output not in (None, "-"):
        system.check_output(f"{given.output}")
    try:
        shader = item.open()
    except UnshadeError as error:
        note(with_name(item.name, words(error)))
        return exits.code_of(error)
    work = _work(given, shader)
    if given.source is not None:
        return _put(given, item, shader, work, _read(given.source))
    with edited_text(work.text, f"{item.stem}{work.suffix}") as held:
        code = exits.BUG
        try:
            code = _edited(given, item, shader, work, held)
        finally:
            if code == exits.FINE or not held.changed():
                held.path = ""
            else:
                flags = _repeated(given, work.what == LISTING)
                line = command_line(["unshade", "edit", given.file, "--source", held.path, *flags])
                note(f"the edited {work.what} is kept: go on with `{line}`")
        return code


def _repeated(given: EditOptions, listing: bool) -> list[str]:
    """Return the options that choose how the source is made into a shader."""
    found = [] if given.output is None else ["-o", given.output]
    found += ["--in-place"] if given.in_place else []
    found += ["--dry-run"] if given.dry_run else []
    found += ["--listing"] if listing else []
    found += ["--program", f"{given.program}"] if given.program else []
    for flag, values in (
        ("--to", [given.to]), ("--entry", [given.entry]), ("--length", given.lengths),
        ("--compiler", [given.compiler]), ("--profile", [given.profile]),
        ("--define", given.defines), ("--include", given.includes),
    ):  # fmt: skip
        for each in values:
            found += [] if each is None else [flag, each]
    return found


def _edited(
    given: EditOptions, item: Input, shader: "Shader", work: EditWork, held: EditedText
) -> int:
    """Open the editor until the text becomes a shader, or the user gives up."""
    from ...isa.source import Source

    while True:
        held.edit()
        if held.text == held.original:
            note(f"{item.name}: nothing was changed")
            return exits.FINE
        try:
            return _put(given, item, shader, work, Source(held.text, held.path))
        except UnshadeError as error:
            if isinstance(error, AssembleError):
                complain(error)
            else:
                note(words(error))
            if not agreed("Edit again?"):
                return exits.code_of(error)


# -- what is edited ------------------------------------------------------------------------------


def _work(given: EditOptions, shader: "Shader") -> EditWork:
    """Return the source of a program, or the listing if asked for or if nothing compiles to it."""
    if given.listing:
        return _listing(given, shader)
    from ...compilers.jobs import absence
    from ...compilers.recompiling import compilers_for

    program = program_at(shader.programs, given.program)
    to = given.to or program.source_language
    if to is None:
        return _listing(given, shader)
    found = compilers_for(program.language, to)
    if given.compiler is None and all(each.missing() for each in found):
        made = CALLED.get(program.language, program.language)
        missing = f"no compiler that makes {made} is installed"
        absent = [absence(each) for each in found] or ["none that unshade can call"]
        if given.source is not None:
            raise UsageError("; ".join([missing, *absent, "for a listing give --listing"]))
        for line in (missing, *absent):
            note(line)
        note("the listing is edited instead")
        return _listing(given, shader)
    try:
        return _source(given, shader, program, to)
    except UnsupportedError as error:
        if given.to is not None:
            raise
        note(words(error))
    note("the listing is edited instead")
    return _listing(given, shader)


def _listing(given: EditOptions, shader: "Shader") -> EditWork:
    described = format_named(shader.format)
    texts = shader.listings()
    text = next(iter(texts.values())) if len(texts) == 1 else shader.disassemble()
    suffix = next(iter(texts)) if len(texts) == 1 else (*described.texts, ".asm")[0]
    if given.to is not None and given.listing:
        raise UsageError("--to cannot be combined with --listing")
    donor = shader if described.donors else None

    def assembled(source: "Source") -> "Shader":
        return api.assemble([source], shader.format, donor=donor)

    return EditWork(LISTING, text, suffix, assembled)


def _source(given: EditOptions, shader: "Shader", program: "Program", to: str) -> EditWork:
    from ...compilers import recompile
    from .. import values

    text = ""
    try:
        chosen: dict[str, Any] = values.options(given)
        text = shader.decompile(
            to, given.style, program=given.program, names=read_names(given.names), **chosen
        )
    except UnsupportedError:
        if given.source is None:
            raise
    pairs = [each.partition("=") for each in given.defines]

    def compiled(source: "Source") -> "Shader":
        return recompile(
            shader, source, program=given.program, language=to, profile=given.profile or "",
            defines={name: value if sign else True for name, sign, value in pairs},
            include=given.includes, compiler=given.compiler,
        )  # fmt: skip

    return EditWork("source", text, f".{to}", compiled)


def _read(path: str) -> "Source":
    from ...isa.source import Source, decoded

    text = decoded(Input(path).read())
    if text is None:
        raise UsageError(f"{path}: expected the text of a source, got binary data")
    return Source(text, path)


# -- putting it back -----------------------------------------------------------------------------


def _put(
    given: EditOptions, item: Input, shader: "Shader", work: EditWork, source: "Source"
) -> int:
    """Make a shader of the source, show the difference, and write it."""
    made = work.made(source)
    try:
        data = made.to_bytes()
    except EncodeError as error:
        raise error.mistake or error from None
    if given.output != "-":
        _show(item, shader, made, work)
    if given.in_place:
        system.write_atomically(item.path, data, in_place=True)
    elif given.output is not None:
        with CommandOutput(given.output) as one:
            one.binary(data)
    _warn(shader, made)
    return exits.FINE


def _show(item: Input, shader: "Shader", made: "Shader", work: EditWork) -> None:
    """Print what differs by meaning: what the edit changed, apart from what the compiler did."""
    from ...analysis.diff import diff
    from ...isa.source import Source
    from ...screens.diff import screen

    base, name = shader, item.name
    if work.text:
        try:
            base, name = work.made(Source(work.text, "unedited")), f"{name}, "
            name += UNEDITED.format(what=work.what)
        except UnshadeError as error:
            note(f"the unedited {work.what} is refused: {words(error)}")
    with CommandOutput() as out:
        out.blocks(screen(name, diff(base, made), CONTEXT, None))


def _warn(shader: "Shader", made: "Shader") -> None:
    """Tell which parts still repeat the old program."""
    from ...shader import outdated

    for name, holds in outdated(shader, made).items():
        note(f"{visible(name)} is unchanged: {holds} is that of the old program")
