"""`unshade dis`: disassemble shaders in the syntax of the format's own tool.

With `-o FOLDER` the text is written as the files that the tool reads, which may be several. With
`--lines` it is the code alone, each line with the number that traces, findings and coverage have;
with `--source` each line of the source stands above the code that it became.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...errors import UnsupportedError, UsageError
from ...formats import texts
from ...screens.text import Segment, visible
from ..commands import DisOptions
from ..inputs import Input, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked
from ..targets import Targets

if TYPE_CHECKING:
    from ...program import Program
    from ...shader import Shader


def run(given: DisOptions) -> int:
    """Disassemble each file."""
    use_if_asked(given.sources, given.stage, given.entry)
    endings = [] if given.output is None else [rf"(\..*)?{re.escape(each)}" for each in texts()]
    numbered = "--source" if given.source else "--lines" if given.lines else ""
    if numbered:
        endings = [r"\.txt"]
    targets = Targets(given.output, endings, given.files)
    options = given.of_formats
    if numbered and (given.dialect or options):
        raise UsageError(
            f"{numbered} prints the code alone: it cannot be combined with other options"
        )
    out = CommandOutput()

    def number(item: Input) -> int:
        shader = item.open(strict=False)
        listed = [*(_sourced(shader) if given.source else _numbered(shader))]
        text = "".join(f"{each}\n" for each in listed)
        place = targets.place(item, ".txt" if targets.folder else "")
        out.text_of_file(text, place, f"{shader.comment} {visible(item.name)}")
        return tell_damage(item, shader)

    def dis(item: Input) -> int:
        shader = item.open(strict=False)
        if targets.folder:
            with _spelled(options):
                made = shader.listings(given.dialect, strict=False, **options)
            for suffix, text in made.items():
                out.text_of_file(text, targets.place(item, suffix))
            return tell_damage(item, shader)
        with _spelled(options):
            text = shader.disassemble(given.dialect, strict=False, **options)
        heading = f"{shader.comment} {visible(item.name)}"

        def paint(text: str) -> Iterable[list[Segment]]:
            from ...screens.listing import lines

            return lines(text, shader.lexer(given.dialect))

        out.text_of_file(text, targets.place(item), heading, paint)
        return tell_damage(item, shader)

    return run_on(given.files, number if numbered else dis, out, targets=targets)


@contextmanager
def _spelled(options: Mapping[str, Any]) -> Iterator[None]:
    """Name the options of formats in a UsageError as the command line spells them."""
    try:
        yield
    except UsageError as error:
        if not options:
            raise
        names = {
            name: f"--{'no-' if value is False else ''}{name.replace('_', '-')}"
            for name, value in options.items()
        }
        text = str(error)
        for name, option in names.items():
            if f"no option {name!r}" in text:
                raise UsageError(text.replace(repr(name), option, 1)) from None
        raise UsageError(f"{', '.join(names.values())}: {text}") from None


def _numbered(shader: "Shader") -> Iterator[str]:
    """Yield the lines of each program, numbered from 1 as in the debugger."""
    for program in _each_program(shader):
        if isinstance(program, str):
            yield program
            continue
        text = shader.with_debug_information(program).disassemble()
        for at, line in enumerate(text.removesuffix("\n").split("\n"), 1):
            yield _line(at, line)


def _sourced(shader: "Shader") -> Iterator[str]:
    """Yield the numbered lines of each program, below the lines of the source."""
    from ...analysis.source_lines import head, source_listing

    known = False
    for program in _each_program(shader):
        if isinstance(program, str):
            yield program
            continue
        found = source_listing(shader, program)
        known = known or found.is_located
        heads = dict(found.heads()) if found.is_located else {}
        for at, line in enumerate(found.lines, 1):
            if at in heads:
                yield visible(head(found.texts, heads[at]))
            yield _line(at, line)
    if not known:
        raise UnsupportedError(
            "expected debug information with lines of a source, as dxc -Zi and glslangValidator -g"
            f" write it, got {shader.format} without"
        )


def _line(number: int, text: str) -> str:
    return f"{number:>5}  {text}".rstrip()


def _each_program(shader: "Shader") -> "Iterator[Program[Any] | str]":
    """Yield each program, below a heading if there are several."""
    programs = shader.programs
    if not programs:
        raise UnsupportedError(f"this {shader.format} has no program to list")
    for number, program in enumerate(programs):
        if len(programs) > 1:
            names = ", ".join(f"{name} ({stage})" for name, stage in program.entry_points)
            yield f"{shader.comment} program {number}: {visible(names)}"
        yield program
