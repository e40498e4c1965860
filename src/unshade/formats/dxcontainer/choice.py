"""The DXIL program of a container, where it has several copies.

    DXIL    runs: the runtime gives it to the driver
    ILDB    the same with debug information: `dis` and the debugger show it in place of DXIL
    STAT    the same without function bodies: names and types for reflection

ILDB or STAT takes the place of DXIL only if it is a copy of it. ILDB is a copy if both programs
have the same text without debug information and names; STAT, if both have the same stage and bind
the same registers.
This module selects the program for listing, running, debugging, reflection and `diff`. `info` and
`verify` report a part that is not a copy.

In a PDB, ILDB is the only program part, and then it is the program.
"""

from collections.abc import Iterator
from typing import Any

from ...errors import FormatError, LimitError
from .part import DxPart, PartList
from .parts.dxil import NAMES, is_dxil, whole_facts

__all__ = ["STRANGE", "copies", "described", "listed_part", "running_part", "strangers"]

RUNS, DEBUG, REFLECTION = *NAMES, "STAT"
STRANGE = {  # what `strangers` are, by name
    DEBUG: "its program is another than that of DXIL",
    REFLECTION: "it is of another stage or binds other registers than DXIL",
}


def running_part(parts: PartList) -> DxPart | None:
    """Return the part whose program runs: DXIL, or ILDB if no DXIL can be read."""
    named = (part for name in NAMES for part in parts.all(name))
    return next((part for part in named if is_dxil(part.value) and part.value.is_readable), None)


def listed_part(parts: PartList, *, exact: bool = False) -> DxPart | None:
    """Return the part whose program is listed: the running part, or its copy in ILDB.

    Args:
        parts: The parts of a container.
        exact: List the program that runs, never its copy.

    Returns:
        The part, or the first part with a program that cannot be read, or None.
    """
    named = [part for name in NAMES for part in parts.all(name)]
    if len(named) < 2:
        return named[0] if named else None  # it need not be read to be chosen
    running = running_part(parts)
    if running is None:
        return named[0]
    if not exact and is_dxil(running.value):
        found = described(parts, running.value)
        return next((part for part in parts.all(DEBUG) if part.value is found), running)
    return running


def described(parts: PartList, program: Any) -> Any:
    """Return ILDB's program if it is equivalent to DXIL's program, else DXIL's program."""
    values = (part.value for part in parts.all(DEBUG))
    return next((each for each in values if _does_the_same(each, program)), program)


def copies(parts: PartList, name: str) -> DxPart | None:
    """Return the first part of a name, ILDB or STAT, if it is a copy of the program that runs."""
    part = parts.get(name)
    running = running_part(parts) if part is not None else None
    if part is None or running is None or not is_dxil(part.value):
        return None
    same = part is running or _agree(name, part.value, running.value)
    return part if same else None


def strangers(parts: PartList) -> Iterator[DxPart]:
    """Yield the first ILDB and the first STAT that are not copies of the program that runs.

    Parts that cannot be read are left out.
    """
    running = running_part(parts)
    if running is None or running.name != RUNS:
        return
    for name in (DEBUG, REFLECTION):
        part = parts.get(name)
        if part is None or not is_dxil(part.value) or not part.value.is_readable:
            continue
        if not _agree(name, part.value, running.value):
            yield part


def _agree(name: str, copy: Any, program: Any) -> bool:
    return (_does_the_same if name == DEBUG else _binds_the_same)(copy, program)


def _does_the_same(copy: Any, program: Any) -> bool:
    if copy is program or not is_dxil(copy) or not is_dxil(program):
        return False
    lines = copy.comparable()
    return bool(lines) and lines == program.comparable()


def _binds_the_same(copy: Any, program: Any) -> bool:
    """Return whether two programs are of one stage and bind the same registers."""
    try:
        (stage, bound), (other, others) = map(_binding, (copy, program))
    except (FormatError, LimitError):  # the metadata of one of them is malformed
        return True
    return stage == other and bound == others


def _binding(program: Any) -> tuple[object, set[object]]:
    facts = whole_facts(program)
    resources = (each.resource for each in facts.resources)
    return (facts.stage, facts.model), {
        (each.register_class, each.space or 0, each.register, each.count) for each in resources
    }
