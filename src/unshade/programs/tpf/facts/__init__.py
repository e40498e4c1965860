"""Facts of a Shader Model 4 to 5.1 program, in the terms of `model`.

    declarations   inputs, outputs, settings of the stage, registers
    resources      bound resources
    features       hardware features that these require
    statistics     counts, as made by the compiler

A stripped file contains no other facts; in other files these facts complete RDEF and the
signatures.
"""

from functools import lru_cache
from typing import Any

from ....model import Stage
from ....model.facts import ProgramFacts
from ....vocab.d3d import STAGES
from ....vocab.numbers import word
from ..code import Code
from ..tables.tokens import VersionToken
from .declarations import READERS
from .features import features
from .gathering import Gathering

__all__ = ["facts_of"]

LISTS = [name for name, make in ProgramFacts.MADE.items() if make is list]  # made in one call
PATH = "instructions[{}].operands[0]"
PATHS = [PATH.format(at) for at in range(64)]  # those of most declarations


def facts_of(program: Code) -> ProgramFacts:
    """Return the facts of a program."""
    facts = ProgramFacts.of_values(_of_version(program.version.word))
    vars(facts).update({name: [] for name in LISTS})
    found = Gathering(facts)
    listed = program.listed
    readers = map(READERS.get, program.opcodes())
    for at, read in enumerate(readers):
        if read is not None:
            found.path = PATHS[at] if at < len(PATHS) else PATH.format(at)
            read(found, listed[at])
    if facts.geometry is not None:
        last = max(found.streams, default=-1)
        facts.geometry.streams = [found.streams.get(i, "undefined") for i in range(last + 1)]
        facts.geometry.output_topology = next(iter(found.streams.values()), "undefined")
    facts.features = features(found)
    return facts


@lru_cache(maxsize=64)
def _of_version(token: int) -> dict[str, Any]:
    """Return the facts that follow from the version token."""
    program = Code(VersionToken(token))
    major, minor = program.model
    stage = word(STAGES, program.kind)
    return {
        "code": "tpf",
        "entry_point": program.entry_points[0].name,
        "stage": stage,
        "model": f"{major}.{minor}",
        "profile": program.profile,
        "temp_registers": 0,
        "passes_control_points": stage == Stage.HULL,  # until a control point phase is found
    }
