"""Facts of programs as tests compare them: a line for each port, what is stated of the rest."""

from __future__ import annotations

from unshade.model.facts import ProgramFacts, ProgramPort
from unshade.model.plain import Facts

__all__ = ["of_stage", "rows", "shown"]

ABSENT: tuple[object, ...] = (None, "", [], {}, 0, "default")


def shown(value: object) -> object:
    """Return what a record of facts states, without what it leaves out."""
    if isinstance(value, Facts):
        fields = {name: shown(getattr(value, name)) for name in type(value).FIELDS}
        return {name: each for name, each in fields.items() if each not in ABSENT}
    return [shown(each) for each in value] if isinstance(value, list) else value


def row(port: ProgramPort) -> str:
    """Return a port in a line, with the fields of its slot that are not 0."""
    slot = port.slot
    numbers = (f"{name}={getattr(slot, name)}" for name in ("component", "element", "stream"))
    words = [
        f"{port.label}: {port.name}{port.index}.{port.components}", port.used, port.component_type,
        port.system_value, port.interpolation, slot.direction, slot.rate, slot.place,
        *(each for each in numbers if not each.endswith("=0")), port.path,
    ]  # fmt: skip
    return " ".join("-" if each is None else str(each) for each in words)


def rows(facts: ProgramFacts) -> list[str]:
    """Return a line for each port, in the order of the lists of the facts."""
    lists = facts.inputs, facts.outputs, facts.outputs_read, facts.patch_constants, facts.builtins
    return [row(each) for ports in lists for each in ports]


def of_stage(facts: ProgramFacts) -> dict[str, object]:
    """Return the settings of the stage."""
    found = shown(facts)
    assert isinstance(found, dict)
    common = {
        "code", "entry_point", "model", "profile", "inputs", "outputs", "patch_constants",
        "statistics",
        "builtins",
        "outputs_read",
    }  # fmt: skip
    return {name: each for name, each in found.items() if name not in common}
