"""Reflection of SPIR-V modules: the facts of each entry point, with the names of the source.

A module with several entry points has a reflection for each.
"""

from typing import TYPE_CHECKING

from ...model import ComponentType, Reflection, SignatureParameter, Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model.facts import ProgramFacts, ProgramPort
    from .shader import SpirvModule

__all__ = ["identity", "reflect"]

STAGES = frozenset(each.value for each in Stage)


def identity(shader: "SpirvModule") -> Reflection:
    """Return a reflection with version, stages and entry points alone."""
    model = shader.program.version
    found = [
        Reflection(
            format=shader.format,
            code="spirv",
            stage=Stage(stage) if stage in STAGES else stage,
            model=model,
            entry_point=name,
        )
        for name, stage in shader.program.entry_points
    ]
    return _joined(shader, found)


def reflect(shader: "SpirvModule") -> Reflection:
    """Return the reflection of a module."""
    found = [_one(shader, facts) for facts in shader.program.all_facts()]
    return _joined(shader, found)


def _joined(shader: "SpirvModule", found: list[Reflection]) -> Reflection:
    if len(found) == 1:
        return found[0]
    return Reflection(
        format=shader.format, code="spirv", model=shader.program.version, entry_points=found
    )


def _one(shader: "SpirvModule", facts: "ProgramFacts") -> Reflection:
    program = shader.program
    return Reflection(
        format=shader.format,
        code=facts.code,
        stage=facts.stage,
        model=facts.model,
        entry_point=facts.entry_point,
        creator=program.generator,
        compile_flags=program.processing,
        inputs=_parameters(facts.inputs),
        outputs=_parameters(facts.outputs),
        patch_constants=_parameters(facts.patch_constants),
        builtins=list(dict.fromkeys(each.system_value or "" for each in facts.builtins)),
        resources=[each.resource for each in facts.resources],
        constant_buffers=facts.constant_buffers,
        specialisation_constants=facts.specialisation_constants,
        thread_group=facts.thread_group,
        thread_group_constants=facts.thread_group_constants,
        geometry=facts.geometry,
        tessellation=facts.tessellation,
        sample_frequency=facts.sample_frequency if facts.stage == Stage.PIXEL else None,
        features=facts.features,
        global_flags=facts.global_flags,
        shared_memory=facts.shared_memory,
        statistics=facts.statistics,
        notes=list(facts.notes),
        complete=not facts.notes,
    )


def _parameters(ports: "Sequence[ProgramPort]") -> list[SignatureParameter]:
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
            by_register=True,
            interpolation=each.interpolation,
            blend_source=each.slot.index,
        )
        for each in ports
    ]
