"""Decompilation and translation of a program of a shader: `Shader.decompile`, `translate`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError, UnsupportedError, UsageError
from ..ir.lowered import Lowered
from ..ir.specialisation import Specialisation, refuse
from ..model import Reflection
from ..program import program_at
from ..vocab.made import TRANSLATIONS, VULKAN_MODULE
from .source import decompile, source_of
from .vulkan import ENVIRONMENTS, BindingPlace, SpirvTarget
from .wgsl import WgslTarget

if TYPE_CHECKING:
    from ..shader import Shader

__all__ = ["decompile_shader", "translated_text"]

ELEMENTS = 2  # of an array of resources without a size, before they become one with an index


def decompile_shader(
    shader: "Shader",
    *,
    to: str = "hlsl",
    style: str = "readable",
    program: int = 0,
    entry: str | None = None,
    lines: bool = False,
    names: Mapping[str, str] | None = None,
    **specialisation: Any,
) -> str:
    """Return a program of a shader as source; the arguments are those of `Shader.decompile`."""
    lowered = _lowered(shader, program, entry, specialisation, "decompiled")
    reflection = _reflected(shader, entry, lowered)
    return decompile(lowered, reflection, to=to, style=style, lines=lines, names=names)


def translated_text(
    shader: "Shader",
    *,
    to: str = VULKAN_MODULE,
    target: str = "vulkan1.1",
    bindings: Mapping[str, tuple[int, int]] | None = None,
    program: int = 0,
    entry: str | None = None,
    lines: bool = False,
    **specialisation: Any,
) -> str:
    """Return a program as text of SPIR-V or as WGSL; the arguments are of `Shader.translate`."""
    places = {key: _place(key, each) for key, each in (bindings or {}).items()}
    for what, given, known in (
        ("language", to, TRANSLATIONS), ("target", target, tuple(ENVIRONMENTS)),
    ):  # fmt: skip
        if given not in known:
            raise UsageError(f"unknown {what} {given!r:.40}: expected one of {', '.join(known)}")
    lowered = _lowered(shader, program, entry, specialisation, "translated")
    reflection = _reflected(shader, entry, lowered)
    made = SpirvTarget(target, places) if to == VULKAN_MODULE else WgslTarget(bindings=places)
    try:
        return source_of(lowered, reflection, made, True, lines)
    except UnsupportedError as error:  # of a step that decompilation shares
        text = str(error).replace("cannot be decompiled", "cannot be translated")
        raise UnsupportedError(text) from None


def _place(key: str, given: object) -> BindingPlace:
    """Return a descriptor set and a binding."""
    if not (
        isinstance(given, tuple | list)
        and len(given) == 2
        and all(type(each) is int and 0 <= each < 1 << 32 for each in given)
    ):
        raise UsageError(f"binding of {key!r:.40}: expected a set and a binding, got {given!r:.40}")
    return BindingPlace(*given)


def _lowered(
    shader: "Shader", program: int, entry: str | None, specialisation: Mapping[str, Any], done: str
) -> Lowered:
    """Return a program of a shader as a kernel."""
    programs = shader.programs
    if not programs:
        raise UnsupportedError(f"this {shader.format} has no program to be {done}")
    chosen = program_at(programs, program)
    if chosen.takes is None:
        raise UnsupportedError(f"{chosen.language} programs cannot be {done} yet")
    refuse(specialisation, chosen.takes, f"programs of {shader.format}")
    given = {"assumed": ELEMENTS, **specialisation}
    return chosen.lower(entry, Specialisation(**given, for_source=True))


def _reflected(shader: "Shader", entry: str | None, lowered: Lowered) -> Reflection | None:
    """Return the reflection of the entry point; None if there is none, so without names."""
    try:
        found = shader.reflect()
    except UnshadeError:
        return None
    named = [each for each in found.entry_points if each.entry_point == entry]
    stage = lowered.kernel.stage
    return next((each for each in [*named, *found.entry_points] if each.stage == stage), found)
