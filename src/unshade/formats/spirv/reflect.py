"""Reflection of SPIR-V modules: the facts of each entry point, with the names of the source.

For a module with several entry points, there is one reflection per entry point.
"""

from typing import TYPE_CHECKING

from ...model import Reflection, Stage
from ...model.from_facts import reflection_of

if TYPE_CHECKING:
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
    generator, processing = shader.program.generator, shader.program.processing
    found = []
    for facts in shader.program.all_facts():
        one = reflection_of(facts, shader.format)
        one.creator, one.compile_flags = generator, list(processing)
        found.append(one)
    return _joined(shader, found)


def _joined(shader: "SpirvModule", found: list[Reflection]) -> Reflection:
    if len(found) == 1:
        return found[0]
    return Reflection(
        format=shader.format, code="spirv", model=shader.program.version, entry_points=found
    )
