"""A source in the place of a program: `unshade.recompile`.

water.dxbc ── decompile ── edit ── recompile ──  water.dxbc with another program
                                      │
                        compile ── interface fits ── Shader.put_program
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import api, files
from ..errors import UnsupportedError, UsageError
from ..isa.source import Source
from ..limits import DEFAULT, Limits
from ..model import Reflection, Resource
from ..program import program_at
from ..vocab.languages import SourceLanguage
from ..vocab.words import Stage
from .entries import chosen_entries, declared
from .interface import interface_changes
from .jobs import Compiler, absence
from .registry import chosen, compilers

if TYPE_CHECKING:
    from ..shader import Shader

__all__ = ["compilers_for", "recompile"]

# The newest environment of Vulkan that takes modules of a version of SPIR-V.
ENVIRONMENTS = {
    "1.0": "vulkan1.0", "1.1": "vulkan1.0", "1.2": "vulkan1.0", "1.3": "vulkan1.1",
    "1.4": "vulkan1.1", "1.5": "vulkan1.2", "1.6": "vulkan1.3",
}  # fmt: skip
MOST = 12  # changes of an interface that are listed


def recompile(
    shader: "Shader",
    source: files.Path | Source,
    *,
    program: int = 0,
    entry: str | None = None,
    language: str | None = None,
    profile: str = "",
    defines: Mapping[str, object] | None = None,
    include: Sequence[files.Path] = (),
    compiler: str | None = None,
    options: Sequence[str] = (),
    limits: Limits = DEFAULT,
) -> "Shader":
    """Compile a source and put the result in the place of a program of a copy of a shader.

    Signatures, reflection, root signature and whatever else the file has stay; debug information,
    which describes the old program, is removed.

    Args:
        shader: The shader, which is not changed.
        source: The source: a path, a text or a `Source`, as for `compile`.
        program: The number of the program, if the shader has several.
        entry: The entry point in the source; by default `main`, if it is there, or the only one.
        language: `hlsl`, `slang`, `glsl` or `wgsl`; by default the suffix decides, else the
            language of `Shader.decompile` for this program.
        profile: The profile or target environment; by default the program's own.
        defines: Macros and their values; True defines one without a value.
        include: Folders that includes may be read from, beside the source's own.
        compiler: The name of a compiler; by default the first installed that makes such programs.
        options: Further arguments for the compiler.
        limits: Bounds on the compiler's time and memory.

    Raises:
        CompileError: The source is invalid: all messages, each with file, line and column.
        LimitError: The compiler takes more time or memory than it may.
        UnsupportedError: No compiler that makes such programs is installed; or the format cannot
            take another program.
        UsageError: The source changes the interface; the message lists the changes.
    """
    from . import compiled_shader, is_text, read_job

    old = program_at(shader.programs, program)
    if len(old.entry_points) != 1:
        raise UnsupportedError(
            f"expected a program with one entry point, got {len(old.entry_points)}: the others"
            " would be lost"
        )
    ((name, word),) = old.entry_points
    before = _reflection(shader, program)
    if isinstance(source, Source):
        unnamed = not source.name
    else:
        unnamed = isinstance(source, str) and is_text(source)
    job = read_job(
        source, language=language or (old.source_language if unnamed else None),
        profile=profile or _profile(before), defines=defines, include=include, options=options,
        debug=False, limits=limits,
    )  # fmt: skip
    tool = _compiler(old.language, job.language, compiler)
    stage = Stage(word)
    if entry is None and any(each.name == "main" for each in declared(job.language, job.text)):
        entry = "main"
    entries = chosen_entries(job.language, job.text, stage, entry)
    made = compiled_shader(job._replace(entries=entries), tool.name)
    if [each.language for each in made.programs] != [old.language]:
        languages = ", ".join(each.language for each in made.programs) or "nothing"
        raise UsageError(f"expected {old.language} from {tool.name}, got {languages}")
    changes = interface_changes(before, declared_reflection(made))
    if changes:
        shown = "".join(f"\n    {each}" for each in changes[:MOST])
        more = f"\n    and {len(changes) - MOST} more" if len(changes) > MOST else ""
        raise UsageError(f"the source changes the interface of the program:{shown}{more}")
    copied = api.loads(shader.to_bytes(), limits=shader.limits)
    copied.put_program(program, made.programs[0], name)
    copied.compiled = made.compiled
    return copied


def _reflection(shader: "Shader", number: int) -> Reflection:
    """Return the reflection of one program of a shader."""
    if len(shader.programs) == 1:
        return shader.reflect()
    return api.loads(shader.programs[number].encode(), limits=shader.limits).reflect()


def declared_reflection(made: "Shader") -> Reflection:
    """Return the reflection of a compiled shader, with the kinds that its code declares.

    vkd3d-compiler 2.1 describes raw buffers in RDEF as typed ones; RDEF is not put back.
    """
    found = made.reflect()
    if not made.parts:
        return found
    bare = api.loads(made.to_bytes(), limits=made.limits)
    bare.strip("reflection")  # noqa: B005  a shader, not a string
    kinds = {_place(each): each for each in bare.reflect().resources}
    for each in found.resources:
        own = kinds.get(_place(each))
        if own is not None:
            for name in ("kind", "dimension", "stride", "return_type", "counter"):
                setattr(each, name, getattr(own, name))
    return found


def _place(resource: Resource) -> tuple[str, int, int]:
    return resource.register_class, resource.space, resource.register


def compilers_for(made: str, language: str) -> list[Compiler]:
    """Return the compilers from a source language to a language of programs, best first.

    The best are made for the source language.
    """
    spoken = SourceLanguage(language)
    fitting = [
        each for each in compilers()
        if spoken in each.languages and made in getattr(each, "makes", ())
    ]  # fmt: skip
    return sorted(fitting, key=lambda each: each.languages[0] is not spoken)


def _compiler(made: str, language: SourceLanguage, name: str | None) -> Compiler:
    fitting = compilers_for(made, language)
    if name is not None:
        found = chosen(language, name)
        makes: Any = getattr(found, "makes", None)
        if makes is not None and made not in makes:
            others = ", ".join(each.name for each in fitting) or "none that unshade can call"
            raise UsageError(
                f"{found.name} makes {' and '.join(makes)}, and the program is {made}; compilers"
                f" that make it: {others}"
            )
        return found
    for each in fitting:
        if not each.missing():
            return each
    listed = "; ".join(map(absence, fitting))
    raise UnsupportedError(
        f"no compiler from {language.spelling} to {made} is installed"
        + (f"; {listed}" if listed else "")
    )


def _profile(before: Reflection) -> str:
    """Return the profile of a program, or the environment of a module of SPIR-V."""
    return before.profile or ENVIRONMENTS.get(before.model or "", "")
