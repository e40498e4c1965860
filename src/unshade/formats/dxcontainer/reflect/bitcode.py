"""Facts of the DXIL program of a container.

    DXIL, ILDB   facts of the code: built-in inputs, statistics, settings of the stage
    STAT         the same program without function bodies: names of resources, layouts of buffers

dxc removes names and layouts from DXIL; ILDB and programs without STAT may have them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....errors import FormatError, LimitError
from ....model import Reflection, Stage
from ....model.facts import ProgramFacts, mark_used, take_shared
from ..choice import STRANGE, strangers
from ..container import Container
from ..parts.dxil import is_dxil, whole_facts
from .signatures import of_ports

if TYPE_CHECKING:
    from ..parts.dxil import Program

__all__ = ["bitcode_facts"]


def bitcode_facts(found: Reflection, container: Container) -> ProgramFacts | None:
    """Return the facts of the first entry point, and set the facts of a library's entry points.

    A part that cannot be read is noted.
    """
    codes = {name: _program(found, container, name) for name in ("DXIL", "ILDB", "STAT")}
    code = codes["DXIL"] or codes["ILDB"] or codes["STAT"]
    if code is None:
        return None
    try:
        facts = whole_facts(code)
        for part in strangers(container.parts):
            found.notes.append(f"{part.name} is left out: {STRANGE[part.name]}, which runs")
            codes[part.name] = None
        named = codes["STAT"] or codes["ILDB"]
        if named is not None and named is not code:
            _name(facts, whole_facts(named))
        if code is codes["STAT"]:
            facts.statistics = None
        if found.stage == Stage.LIBRARY:
            names = [name for name, _ in code.entry_points]
            found.entry_points = [_entry(code, named or code, name) for name in names]
            _use(facts, found.entry_points)
        else:
            found.entry_point = facts.entry_point
    except (FormatError, LimitError) as error:
        found.notes.append(f"the DXIL program could not be read: {error}")
        return None
    return facts


def _name(facts: ProgramFacts, named: ProgramFacts) -> None:
    """Take resources and buffers of a module with their names; the code determines their use."""
    known = {each.slot: each for each in facts.resources}
    for each in named.resources:
        code = known.get(each.slot)
        if code is not None:
            each.resource.used, each.reads = code.resource.used, code.reads
    for buffer in named.constant_buffers:
        if buffer.resource is not None:
            mark_used(buffer, named.resources[buffer.resource])
    facts.resources, facts.constant_buffers = named.resources, named.constant_buffers


def _use(facts: ProgramFacts, entry_points: list[Reflection]) -> None:
    """Mark a library's declarations as used if an entry point uses them."""
    used = {each.slot for entry in entry_points for each in entry.resources if each.used}
    for each in facts.resources:
        if each.resource.used is not None:
            each.resource.used = each.slot in used
    read = {
        (buffer.name, each.name)
        for entry in entry_points
        for buffer in entry.constant_buffers
        for each in buffer.variables
        if each.used
    }
    for buffer in facts.constant_buffers:
        for variable in buffer.variables:
            if entry_points:
                variable.used = (buffer.name, variable.name) in read


def _program(found: Reflection, container: Container, name: str) -> Program | None:
    """Return the program of a part, or None if there is none."""
    part = container.parts.get(name)
    if part is None:
        return None
    try:
        program = part.value
        if part.error is not None:
            raise part.error
        if not is_dxil(program):
            return None
        program.read_module()
    except (FormatError, LimitError) as error:
        found.notes.append(f"{name} could not be read: {error}")
        return None
    return program


def _entry(code: Program, named: Program, name: str) -> Reflection:
    """Return the reflection of a library's entry point; `named` contains resource names."""
    facts = code.facts(name)
    if named is not code and (name, facts.stage) in named.entry_points:
        _name(facts, named.facts(name))
    places = (each.slot.place for each in facts.builtins)
    found = Reflection(
        format="dxcontainer",
        code="dxil",
        stage=facts.stage,
        entry_point=name,
        inputs=of_ports(facts.inputs),
        outputs=of_ports(facts.outputs),
        patch_constants=of_ports(facts.patch_constants),
        builtins=[each for each in places if isinstance(each, str)],
        resources=[each.resource for each in facts.resources],
    )
    take_shared(found, facts)
    return found
