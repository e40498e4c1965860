"""Assembling sources into words or errors."""

from unshade.errors import AssembleError
from unshade.isa.source import ErrorList, Source
from unshade.programs.pica import Program
from unshade.programs.pica.assembler import Assembly, assemble


def run(*texts: str, nops: bool = True, exact: bool = False) -> Assembly:
    """Assemble sources called `0.pica`, `1.pica`, …; AssembleError with all errors."""
    mistakes = ErrorList()
    sources = [Source(text, f"{number}.pica") for number, text in enumerate(texts)]
    made = assemble(sources, mistakes, nops=nops, exact=exact)
    mistakes.check()
    return made


def code(body: str, before: str = "", *, nops: bool = True, exact: bool = False) -> Assembly:
    """Assemble the lines of a procedure `main`, after some declarations."""
    return run(f"{before}\n.proc main\n{body}\n.end", nops=nops, exact=exact)


def said(body: str, before: str = "", *, exact: bool = False) -> list[str]:
    """Return the listing of those lines, without indentation and the enclosing procedure."""
    made = code(body, before, nops=False, exact=exact)
    program = Program.of_words(made.words, [(each.word, each.high) for each in made.descriptors])
    text = program.disassemble("exact" if exact else None)
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith((".proc", ".opdesc", ";"))][:-1]


def refused(*texts: str, exact: bool = False) -> list[str]:
    """Return the errors, each with its caret."""
    try:
        run(*texts, exact=exact)
    except AssembleError as error:
        return [each.with_caret() for each in error.errors]
    return []
