"""picasso's language, assembled: several sources make one program.

    numbers  operands         what a line is made of
    reading  instructions     one instruction
    declarations  interface   directives that declare, structure: those that order code
    blocks  pool  spaces      where words, descriptors and uniforms go
    reader  program_builder   one source; all of them

The same source gives the same words as picasso 2.7.1 gives. What picasso takes without a word and
turns into something else (`R0`, `c0x`, `1.0/2`, `c5[aL-1]`, an output that is read) is refused, and
where it reports the first mistake of a run, all are reported. Our own additions, which picasso does
not know, are `.inst`, `.opdesc`, targets that are numbers, and fields in braces.

Source: picasso's manual; its behaviour, compared over generated sources.
"""

from collections.abc import Mapping, Sequence

from ....isa.source import ErrorList, Source
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
    """The program of these sources; mistakes are added to `mistakes`, for the caller to raise.

    `nops` inserts what the hardware needs where blocks end. An `exact` text may say what hardware
    or picasso would not have. Where `entries` is false no source needs a procedure to start with.
    `directives` are more of them, by name.
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
        # Where something was refused, a procedure of the usual name may have been.
        if not unit.without_dvle and (unit.entry_told or not mistakes.errors):
            with mistakes:
                program.entry(unit)
    if all(unit.without_dvle for unit in units) and not (exact or mistakes.errors):
        mistakes.add(sources[0].error("no source declares or does anything", 1))
    return program.assembly(units)


def lines(
    text: str, at: int, descriptors: Sequence[OperandDescriptor]
) -> tuple[list[int], list[OperandDescriptor]]:
    """The words of some lines of a procedure, and the descriptor table with what they add to it.

    `at` is the number of the first of them. AssembleError names every mistake.
    """
    program = ProgramBuilder(nops=False, exact=True)
    program.code.words += [0] * at
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
