"""Reflection of SPIR-V modules: the facts of each entry point, with the names of the source.

For a module with several entry points, there is one reflection per entry point.
"""

from typing import TYPE_CHECKING

from ...model import Reflection, Stage
from ...model.from_facts import reflection_of

if TYPE_CHECKING:
    from ...model.facts import ProgramFacts
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
    found = reflection_of(facts, shader.format)
    found.creator = shader.program.generator
    found.compile_flags = shader.program.processing
    return found
