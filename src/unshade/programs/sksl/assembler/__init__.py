"""Compiler of SkSL source to the program tree.

    parser/                             tokens and the grammar; a construct is checked once
                                        it is parsed
    operators calls constructors swizzles access assignment
                                        expressions: checks, then the simplest form
    aggregates folding negation intrinsics matrices
                                        constants, conversions, simplification
    variables functions definitions shared statements loops precision
                                        declarations and statements
    checks inlining inlining_copies returns removal usage
                                        whole programs
    compilation settings messages       the state of a run, its settings and messages
    values type_rules traversal unfinished
                                        questions about expressions and types

The compiler makes the checks of Skia's compiler of milestone 104, in the same order and with the
same messages, and creates the symbols in the same order, so that a program is written as upstream
writes it.

Source: Skia's milestone 104, whose output for its own tests is the measure.
"""

from ....isa.source import Source
from ....limits import DEFAULT, Limits, check_file_size
from ..tree import ProgramUnit
from .checks import check_program
from .compilation import Compilation
from .inlining import inline_calls
from .messages import Reporter
from .parser.program import read_program
from .removal import remove_unused
from .settings import EXTENSIONS, Settings, native_heading, settings_of

__all__ = ["EXTENSIONS", "Settings", "compile", "report", "settings_of"]


def compile(source: Source, settings: Settings, limits: Limits = DEFAULT) -> ProgramUnit:
    """Compile a program.

    Args:
        source: The source.
        settings: Settings, for example from `settings_of`.
        limits: Bounds on the work.

    Raises:
        AssembleError: The source is invalid; the error lists every mistake.
        LimitError: The source exceeds `limits`.
    """
    unit, reporter = _compiled(source, settings, limits)
    reporter.check()
    assert unit is not None
    return unit


def report(source: Source, settings: Settings, limits: Limits = DEFAULT) -> str:
    """Return the error messages as upstream's compiler prints them; empty if there are none."""
    return _compiled(source, settings, limits)[1].text()


def _compiled(
    source: Source, settings: Settings, limits: Limits
) -> tuple[ProgramUnit | None, Reporter]:
    check_file_size(len(source.text), limits)
    reporter = Reporter(source)
    c = Compilation(settings, reporter, limits)
    read_program(c, source.text)
    if not reporter.count:
        check_program(c)
    if reporter.count:
        return None, reporter
    if c.settings.optimize:
        inline_calls(c)
        if reporter.count:
            return None, reporter
        remove_unused(c)
    heading = native_heading(source)
    unit = ProgramUnit(
        kind=c.settings.kind,
        language=c.language,
        symbols=c.program_table,
        elements=[*c.shared.values(), *c.elements],
        uses_flip=c.uses_flip if heading is None else heading.flip,
        source=source,
    )
    return unit, reporter
