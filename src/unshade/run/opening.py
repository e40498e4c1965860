"""From a shader to a kernel: the choice of a program, and the reason if it cannot be run."""

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from ..analysis.source_lines import sources_beside
from ..errors import FormatError, UnshadeError, UnsupportedError, UsageError
from ..ir.lowered import Lowered
from ..ir.specialisation import Specialisation, refuse
from ..model import Reflection
from ..parts import Category
from ..program import program_at, several_entries
from ..shader import Shader
from ..vocab.words import Stage
from . import engines
from .binding.interfaces import linked
from .binding.numbers import shown
from .binding.suggestions import suggestion
from .execution import Execution
from .kernels import Kernel
from .program import RunProgram
from .stored import Opened, stored_program

if TYPE_CHECKING:
    from ..program import Program


def open_kernel(
    shader: Shader,
    program: int,
    entry: str | None,
    engine: str,
    fast: bool,
    options: Mapping[str, Any],
) -> "Kernel":
    """Return the kernel of a shader's program."""
    given: object = shader
    if not isinstance(given, Shader) and not hasattr(given, "programs"):
        raise UsageError(f"expected a shader, as unshade.open(path) returns it, got {shown(given)}")

    def lower(shader: Shader, options: Mapping[str, Any]) -> Opened:
        return lowered_program(shader, program, entry, options)

    stored = None
    if engines.stores(engine, fast):
        stored = stored_program(shader, program, entry, options, lower)
    lowered, reflection = None, None
    if stored is None or stored.declared is None:
        lowered, reflection = lower(shader, options)
    code = RunProgram(lowered, reflection, stored)
    kernel = Kernel(Execution(code, engines.choose(engine, fast)))
    kernel.execution.limits = shader.limits
    kernel.described = lambda: described_program(shader, program, entry, kernel.lowered)
    kernel.flushing = lambda widths: open_kernel(
        shader, program, entry, engine, fast, {**options, "flush": widths}
    )
    return kernel


def lowered_program(
    shader: Shader, program: int, entry: str | None, options: Mapping[str, Any]
) -> Opened:
    """Return a program of a shader, lowered, and its reflection, if there is one."""
    if shader.programs and all(each.takes is None for each in shader.programs):
        raise UnsupportedError(f"programs of {shader.format} cannot be run yet")
    chosen, name = chosen_program(shader, program, entry)
    if chosen.takes is None:
        raise UnsupportedError(f"program {program} of this {shader.format} cannot be run yet")
    refuse(options, chosen.takes, f"programs of {shader.format}")
    try:
        reflection: Reflection | None = shader.reflect()
    except UnshadeError:  # runs without names, too
        reflection = None
    specialisation = Specialisation(**linked(options, reflection))
    lowered = chosen.lower(name, specialisation)
    lowered.sources = lowered.sources or sources_beside(shader, chosen)
    return lowered, _of_entry(reflection, name, lowered.kernel.stage)


def described_program(shader: Shader, program: int, entry: str | None, lowered: Lowered) -> Lowered:
    """Return a lowered program, with debug information if another part of the shader holds it."""
    chosen, name = chosen_program(shader, program, entry)
    found = shader.with_debug_information(chosen)
    if found is chosen:
        return lowered
    try:
        made = found.lower(name, lowered.specialisation)
    except UnshadeError:
        return lowered
    made.sources = made.sources or sources_beside(shader, found)
    return made


def _of_entry(reflection: Reflection | None, entry: str | None, stage: Stage) -> Reflection | None:
    """Return the part of a reflection that describes one of several entry points."""
    if reflection is None:
        return None
    named = [each for each in reflection.entry_points if each.entry_point == entry]
    if stage is Stage.LIBRARY and not named:
        return _of_all(reflection)
    return next((each for each in named if each.stage == stage), next(iter(named), reflection))


def _of_all(reflection: Reflection) -> Reflection:
    """Return a reflection with the resources of all entry points, for another function."""
    made = copy(reflection)
    made.resources = list(reflection.resources)
    made.constant_buffers = list(reflection.constant_buffers)
    for each in reflection.entry_points:
        made.resources += [one for one in each.resources if one not in made.resources]
        fresh = (one for one in each.constant_buffers if one not in made.constant_buffers)
        made.constant_buffers += fresh
    return made


def chosen_program(
    shader: Shader, program: int, entry: str | None
) -> tuple["Program[Any]", str | None]:
    """Return one program and the name of its entry point; UsageError lists the choices."""
    programs = shader.programs
    if not programs:
        raise _without_programs(shader)
    found = program_at(programs, program)
    names = [name for name, _ in found.entry_points]
    if entry is not None and entry not in names:
        meant = found.exports_named(entry)
        if len(meant) == 1:
            return found, meant[0]
        if meant:
            raise several_entries(f"functions {entry}", meant)
        names += found.export_names
        where = f" of program {program}" if len(programs) > 1 else ""
        raise UsageError(f"unknown entry point {entry!r}{where}{suggestion(entry, names)}")
    if entry is None and not names and found.exports:
        if len(found.exports) > 1:
            raise several_entries("functions", found.export_names)
        return found, found.exports[0]
    if entry is None and len(names) > 1:
        where = f" of program {program}" if len(programs) > 1 else ""
        listed = (f"{name} ({stage})" for name, stage in found.entry_points)
        raise several_entries(f"entry points{where}", listed)
    return found, entry or (names[0] if names else None)


def _unreadable(part: Any) -> UnshadeError | None:
    """Return the error of a part whose lazily read program is damaged."""
    from ..program import Program

    program = getattr(part, "value", None)
    if isinstance(program, Program):
        try:
            _ = program.instructions
        except FormatError as error:
            return FormatError(f"{part.name} could not be read: {error}")
        except UnshadeError as error:
            return error
    return None


def _without_programs(shader: Shader) -> UnshadeError:
    """Return the error for a shader whose code was not decoded, or that contains no code."""
    kinds = (Category.CODE, Category.DEBUG)  # code with debug information may be all there is
    errors = [each.error for kind in kinds for each in shader.parts if each.category == kind]
    if not shader.editable:  # the code may be in what is missing
        errors.append(shader.damage)
    damaged = [_unreadable(each) for each in shader.parts if each.category in kinds]
    for error in filter(None, [*errors, *damaged]):
        return error.within(0, "") if isinstance(error, FormatError) else error
    try:
        code = shader.reflect().code
    except UnshadeError:
        code = None
    if code is not None and any(each.category == Category.CODE for each in shader.parts):
        return UnsupportedError(f"the program is {code.upper()}, which cannot be run yet")
    return UnsupportedError(f"this {shader.format} has no program that can be run")
