"""The reflection of a program that describes itself, from its facts.

    ProgramPort              SignatureParameter      one row for each
    ProgramResource          Resource
    EntryPointFacts          as they are

Containers add facts that only the file contains, such as names.
"""

from collections.abc import Iterable

from ..vocab.words import ComponentType, Stage
from .facts import ProgramFacts, ProgramPort, take_shared
from .reflection import Reflection, SignatureParameter

__all__ = ["parameters", "reflection_of"]


def reflection_of(facts: ProgramFacts, format: str, *, by_register: bool = True) -> Reflection:
    """Return the reflection of an entry point whose code contains the names of the source.

    With `by_register` stages are linked by locations, else by these names.
    """
    found = Reflection(
        format=format,
        code=facts.code,
        stage=facts.stage,
        entry_point=facts.entry_point,
        inputs=parameters(facts.inputs, by_register),
        outputs=parameters(facts.outputs, by_register),
        patch_constants=parameters(facts.patch_constants, by_register),
        builtins=list(dict.fromkeys(each.system_value or "" for each in facts.builtins)),
        resources=[each.resource for each in facts.resources],
        sample_frequency=facts.sample_frequency if facts.stage == Stage.PIXEL else None,
        complete=not facts.notes,
    )
    take_shared(found, facts)
    return found


def parameters(ports: Iterable[ProgramPort], by_register: bool) -> list[SignatureParameter]:
    """Return a row of a signature for each port."""
    return [
        SignatureParameter(
            semantic=each.name,
            index=each.index,
            register=each.slot.location,
            components=each.components,
            used=each.used or "",
            component_type=each.component_type or ComponentType.UNKNOWN,
            system_value=each.system_value,
            stream=each.slot.stream,
            min_precision=each.min_precision,
            by_register=by_register,
            interpolation=each.interpolation,
            blend_source=each.slot.index,
        )
        for each in ports
    ]
