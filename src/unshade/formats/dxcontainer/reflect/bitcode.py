"""Facts of the DXIL program of a container.

    DXIL, ILDB   what the code does: built-in inputs, statistics, settings of the stage
    STAT         the same program without function bodies: names of resources, layouts of buffers

dxc removes the latter from DXIL; ILDB and programs without STAT may have them.
"""

from __future__ import annotations

from ....errors import FormatError, LimitError
from ....model import Reflection, Stage
from ....model.facts import ProgramFacts
from ....programs.dxil.code import MAGIC, Code
from ....programs.dxil.facts import entry_points, facts_of, statistics
from ..container import Container

__all__ = ["bitcode_facts"]


def bitcode_facts(found: Reflection, container: Container) -> ProgramFacts | None:
    """Return the facts of the first entry point, and set those of a library's entry points.

    A part that cannot be read is noted.
    """
    codes = {name: _code(found, container, name) for name in ("DXIL", "ILDB", "STAT")}
    code = codes["DXIL"] or codes["ILDB"] or codes["STAT"]
    if code is None:
        return None
    try:
        facts = facts_of(code)
        named = codes["STAT"] or codes["ILDB"]
        if named is not None and named is not code:
            other = facts_of(named)
            facts.resources, facts.constant_buffers = other.resources, other.constant_buffers
        facts.statistics = statistics(code) if code is not codes["STAT"] else None
        if found.stage == Stage.LIBRARY:
            found.entry_points = [_entry(code, name) for name, _ in entry_points(code)]
        else:
            found.entry_point = facts.entry_point
    except (FormatError, LimitError) as error:
        found.notes.append(f"the DXIL program could not be read: {error}")
        return None
    return facts


def _code(found: Reflection, container: Container, name: str) -> Code | None:
    """Return the program of a part, or None if there is none."""
    part = container.parts.get(name)
    if part is None or (name == "STAT" and part.data[8:12] != MAGIC):
        return None
    try:
        code = Code.decode(bytes(part.data))
        _ = code.module
    except (FormatError, LimitError) as error:
        found.notes.append(f"{name} could not be read: {error}")
        return None
    return code


def _entry(code: Code, name: str) -> Reflection:
    """Return the reflection of an entry point of a library."""
    facts = facts_of(code, name)
    places = (each.slot.place for each in facts.builtins)
    return Reflection(
        format="dxcontainer",
        code="dxil",
        stage=facts.stage,
        model=facts.model,
        entry_point=name,
        builtins=[each for each in places if isinstance(each, str)],
        thread_group=facts.thread_group,
        wave_size=facts.wave_size,
        features=facts.features,
        global_flags=facts.global_flags,
        statistics=statistics(code, name),
    )
