"""Assembler for picasso's language: several sources make one program.

    numbers  operands              the parts of a line
    operand_fields  instructions   one instruction
    declarations  interface        directives that declare; structure: directives of blocks
    blocks  pool  allocation       placement of words, descriptors and uniforms
    reader  program_builder        one source; the program of all sources
    ends                           paths of a shader without `end`

The result equals the output of picasso 2.7.1 word for word. Text that picasso accepts silently but
reads differently (`R0`, `c0x`, `c5[aL-1]`) is an error; where shipped shaders rely on it (`1.0/2`,
an output that is read), it is a warning (see `rules`). All errors are reported, not only the first.
Extensions of picasso's language are `.inst`, `.opdesc`, numeric targets, and fields in braces.

Source: picasso's manual; its behaviour, compared over generated sources.
"""

from collections.abc import Mapping, Sequence

from ....isa.source import ErrorList, Location, Source
from ..descriptors import OperandDescriptor
from .assembly import (
    Assembly,
    DeclaredConstant,
    DeclaredGeometry,
    DeclaredOutput,
    DeclaredProcedure,
    DeclaredUniform,
    SourceWarning,
    Unit,
)
from .blocks import BlockKind
from .declarations import DECLARATIONS
from .ends import warn_of_ends
from .interface import INTERFACE
from .program_builder import ProgramBuilder
from .reader import Directive, PicassoReader
from .structure import STRUCTURE

__all__ = [
    "DIRECTIVES",
    "Assembly",
    "DeclaredConstant",
    "DeclaredGeometry",
    "DeclaredOutput",
    "DeclaredProcedure",
    "DeclaredUniform",
    "Directive",
    "PicassoReader",
    "SourceWarning",
    "Unit",
    "assemble",
    "lines",
]

DIRECTIVES: dict[str, Directive] = {**STRUCTURE, **DECLARATIONS, **INTERFACE}
OF_LINES = {name: STRUCTURE[name] for name in ("else", "end", "inst")}


def assemble(
    sources: Sequence[Source],
    mistakes: ErrorList,
    *,
    nops: bool = True,
    exact: bool = False,
    entries: bool = True,
    directives: Mapping[str, Directive] | None = None,
) -> Assembly:
    """Assemble sources into one program.

    Args:
        sources: The sources, in order.
        mistakes: Collects the errors; the caller raises them.
        nops: Insert the `nop`s that the hardware needs at ends of blocks.
        exact: Allow programs that the hardware or picasso would not accept.
        entries: Require the entry procedure of each source.
        directives: Further directives, by name without the dot.
    """
    known = {**DIRECTIVES, **(directives or {})}
    program = ProgramBuilder(nops=nops, exact=exact)
    units: list[Unit] = []
    for source in sources:
        for space in program.spaces.values():
            space.next_source()
        reader = PicassoReader(program, source, known)
        reader.read(mistakes)
        units.append(reader.unit)
    for error in program.code.resolve_calls():
        mistakes.add(error)
    for unit in units if entries else ():
        # After an error, the default entry may be missing only because its line was rejected.
        if not unit.without_dvle and (unit.has_entry or not mistakes.errors):
            with mistakes:
                program.entry(unit)
    if all(unit.without_dvle for unit in units) and not (exact or mistakes.errors):
        mistakes.add(sources[0].error("no source contains a declaration or code", 1))
    made = program.assembly(units)
    if entries and not (exact or mistakes.errors):
        warn_of_ends(made, program.code.places)
    return made


def lines(
    text: str, at: int, descriptors: Sequence[OperandDescriptor]
) -> tuple[list[int], list[OperandDescriptor]]:
    """Assemble lines of a procedure.

    Args:
        text: The lines, without `.proc` and its `.end`.
        at: The number of the first word.
        descriptors: The existing table.

    Returns:
        The words, and the table with the descriptors that they add.

    Raises:
        AssembleError: The text is invalid; the error lists every mistake.
    """
    program = ProgramBuilder(nops=False, exact=True)
    program.code.words += [0] * at
    program.code.places += [Location(Source(text), 1, 1, 1)] * at
    for each in descriptors:
        program.pool.pin(each.word, each.high, any_number=True)
    reader = PicassoReader(program, Source(text), OF_LINES)
    program.code.open(BlockKind.PROC, reader.unit.entry_place, guessed=True)
    mistakes = ErrorList()
    reader.read(mistakes)
    for error in program.code.resolve_calls():  # there are no procedures here to call
        mistakes.add(error)
    mistakes.check()
    return program.code.words[at:], program.pool.descriptors()
