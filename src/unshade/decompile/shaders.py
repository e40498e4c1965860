"""Decompilation of a program of a shader: `Shader.decompile`."""

from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError, UnsupportedError, UsageError
from ..ir.lowered import Lowered
from ..ir.specialisation import Specialisation, refuse
from ..model import Reflection
from .source import decompile

if TYPE_CHECKING:
    from ..shader import Shader

__all__ = ["decompile_shader"]


def decompile_shader(
    shader: "Shader",
    *,
    to: str = "hlsl",
    style: str = "readable",
    program: int = 0,
    entry: str | None = None,
    lines: bool = False,
    **specialisation: Any,
) -> str:
    """Return a program of a shader as source; the arguments are those of `Shader.decompile`."""
    programs = shader.programs
    if not programs:
        raise UnsupportedError(f"this {shader.format} has no program to decompile")
    if not 0 <= program < len(programs):
        raise UsageError(
            f"no such program: {program!r:.40}; there are {len(programs)}, counted from 0"
        )
    chosen = programs[program]
    if chosen.takes is None:
        raise UnsupportedError(f"{chosen.language} programs cannot be decompiled yet")
    refuse(specialisation, chosen.takes, f"programs of {shader.format}")
    lowered = chosen.lower(entry, Specialisation(**specialisation))
    return decompile(lowered, _reflected(shader, entry, lowered), to=to, style=style, lines=lines)


def _reflected(shader: "Shader", entry: str | None, lowered: Lowered) -> Reflection | None:
    """Return the reflection of the entry point; None if there is none, so without names."""
    try:
        found = shader.reflect()
    except UnshadeError:
        return None
    named = [each for each in found.entry_points if each.entry_point == entry]
    stage = lowered.kernel.stage
    return next((each for each in [*named, *found.entry_points] if each.stage == stage), found)
