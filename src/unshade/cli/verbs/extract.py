"""`unshade extract`: write each part of a shader to its own file."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError, UsageError, did_you_mean
from ...files import make_folder, write_atomically
from ...formats import Shader, known
from ...screens.text import visible
from ...vocab.words import STAGE_ALIASES
from ..commands import ExtractOptions
from ..inputs import Input, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets
from ..templates import safe

if TYPE_CHECKING:
    from ...analysis.pdbs import PdbFolder


def run(given: ExtractOptions) -> int:
    """Write the parts of each file, the code of some stages, or the sources, to a folder."""
    if given.sources and (given.only or given.stages):
        raise UsageError("--sources writes no parts: expected it without --only and --stage")
    if given.pdbs is not None and not given.sources:
        raise UsageError("--pdbs needs --sources")
    pdbs = _folder(given.pdbs)
    out = CommandOutput()
    targets = Targets(given.output, [r"\d\d-.*"], given.files, always=True, nested=True)

    def extract(item: Input) -> int:
        folder = targets.base(item)
        shader = item.open(strict=False)
        if given.sources:
            pieces = shader.sources()
            debug = None if pdbs is None else pdbs.of(shader)
            if debug is not None:
                pieces = debug.sources() or pieces
            if not pieces:
                where = "" if pdbs is None else f", and no PDB with its hash in {given.pdbs}"
                raise UnsupportedError(f"{shader.format}: no sources inside{where}")
        else:
            pieces = _programs(shader, given.stages) if given.stages else shader.extract()
        names = list(dict.fromkeys(name.partition(".")[0] for name in pieces))
        for wanted in given.only:
            if wanted not in names:
                raise UsageError(
                    f"no part {wanted!r}: expected one of {', '.join(names) or 'none'}"
                    + did_you_mean(wanted, names)
                )
        make_folder(folder)
        for number, (name, data) in enumerate(pieces.items()):
            if given.only and name.partition(".")[0] not in given.only:
                continue
            place = os.path.join(folder, f"{number:02}-{safe(name)}{_suffix(name)}")
            write_atomically(place, data)
            out.line(f"{visible(place)}  {len(data):,}")
        return tell_damage(item, shader)

    return run_on(given.files, extract, out, targets=targets)


def _folder(name: str | None) -> "PdbFolder | None":
    if name is None:
        return None
    from ...analysis.pdbs import PdbFolder

    return PdbFolder(name)


def _programs(shader: Shader, stages: Sequence[str]) -> dict[str, bytes]:
    """Return the code of the programs with these stages, by stage."""
    found = {}
    there: list[str] = []
    for program in shader.programs:
        own = [str(stage) for _, stage in program.entry_points]
        there += own
        for asked in stages:
            stage = str(STAGE_ALIASES.get(asked, asked))
            if stage in own:
                found[f"{asked}{_suffix_of(program.language)}"] = program.encode()
    if not found:
        names = ", ".join(dict.fromkeys(there)) or "none"
        raise UsageError(f"no program of stage {', '.join(stages)}: expected one of {names}")
    return found


def _suffix_of(language: str) -> str:
    """Return the suffix of files that hold one such program; `.bin` if there are none."""
    return next((each.suffix for each in known() if each.name == language), ".bin")


def _suffix(name: str) -> str:
    """Return `.bin` if the name lacks the suffix of a file type, as `ISGN.1` does."""
    last = os.path.splitext(name)[1]
    return ".bin" if not last or last[1:].isdecimal() else ""
