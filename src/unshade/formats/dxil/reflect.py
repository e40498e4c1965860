"""Reflection of DXIL programs without a container, from metadata and code.

Signatures have no names of registers beside those in the metadata, and features come from the flags
of the entry point. For a library, there is one reflection per entry point.
"""

from typing import TYPE_CHECKING

from ...model import Reflection, Stage
from ...model.from_facts import reflection_of
from ...programs.dxil.facts import facts_of
from ...vocab.d3d import STAGES, ShaderKind
from ...vocab.numbers import word

if TYPE_CHECKING:
    from ...model.facts import ProgramFacts
    from .shader import DxilFile

__all__ = ["identity", "reflect"]

OFFLINE_MINOR = 15  # `lib_6_x`: a library for offline linking


def identity(shader: "DxilFile") -> Reflection:
    """Return a reflection with stage, model and profile alone."""
    program = shader.program
    major, minor = program.shader_model
    kind = program.kind
    stage = word(STAGES, kind)
    last = "x" if stage == Stage.LIBRARY and minor == OFFLINE_MINOR else str(minor)
    return Reflection(
        format=shader.format,
        code="dxil",
        stage=stage,
        model=f"{major}.{last}",
        profile=f"{kind.profile}_{major}_{last}" if isinstance(kind, ShaderKind) else None,
    )


def reflect(shader: "DxilFile") -> Reflection:
    """Return the reflection of a program, or of a library with its entry points."""
    program = shader.program
    found = _one(shader, facts_of(program))
    if found.stage == Stage.LIBRARY:
        found.entry_point = None
        found.entry_points = [_one(shader, program.facts(name)) for name, _ in program.entry_points]
    known = identity(shader)
    found.stage, found.model, found.profile = known.stage, known.model, known.profile
    return found


def _one(shader: "DxilFile", facts: "ProgramFacts") -> Reflection:
    found = reflection_of(facts, shader.format, by_register=False)
    found.creator = facts.creator
    return found
