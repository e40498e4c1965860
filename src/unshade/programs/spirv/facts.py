"""Facts about the entry points of a module."""

from typing import TYPE_CHECKING

from ...model.facts import ProgramFacts
from ...vocab.words import Stage

if TYPE_CHECKING:
    from .program import Program

__all__ = ["facts"]

EXECUTION_MODE, ENTRY_POINT, CONSTANT = 16, 15, 43
LOCAL_SIZE = 17


def facts(program: "Program", entry: str | None) -> ProgramFacts:
    """Return what the code says about an entry point, as far as it is read yet."""
    name, stage = program.checked_entry(entry)
    number = program.entry_points.index((name, stage))
    found = ProgramFacts(
        code=program.language,
        entry_point=name,
        stage=Stage(stage) if stage in Stage._value2member_map_ else stage,
        model=program.version,
        thread_group=_group(program, number),
    )
    found.notes.append("inputs, outputs, bindings and block layouts of SPIR-V are not read yet")
    return found


def _group(program: "Program", number: int) -> list[int] | None:
    """Return the workgroup size that the mode LocalSize of an entry point states."""
    code = program.module.instructions
    points = [each for each in code if each.opcode == ENTRY_POINT and len(each.words) > 3]
    function = points[number].words[2]
    for each in code:
        words = each.words
        if (
            each.opcode == EXECUTION_MODE
            and len(words) == 6
            and words[1:3] == (function, LOCAL_SIZE)
        ):
            return list(words[3:6])
    return None
