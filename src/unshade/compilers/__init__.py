"""Sources to shaders, by compilers that are installed: `unshade.compile`.

    HLSL, Slang, GLSL   Slang (extra [slang]), in a worker process
    HLSL                dxc, fxc, vkd3d-compiler, glslangValidator, glslc, where they are found
    GLSL                glslangValidator, glslc
    WGSL                naga, tint
    SkSL, listings      none: unshade assembles them itself (assembling.py)

This layer starts processes; those below it start none, and never compile.
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .. import api, files
from ..errors import UnsupportedError, UsageError
from ..isa.source import Source, decoded
from ..limits import DEFAULT, Limits
from ..tuples import NamedTuple
from ..vocab.languages import SourceLanguage
from ..vocab.words import STAGE_ALIASES, Stage
from . import assembling, results
from .entries import chosen_entries
from .includes import HEADERS
from .jobs import Compiled, Compiler, Job
from .languages import is_source, language_of, programs_of_profile, stage_of, stage_of_profile
from .recompiling import compilers_for, recompile
from .registry import chosen, compilers
from .shadertoy import is_shadertoy, whole
from .signatures import DeclaredFunction

if TYPE_CHECKING:
    from ..shader import Shader

__all__ = [
    "Compiled", "Compiler", "Job", "SourceLanguage", "compile", "compiled_shader", "compilers",
    "compilers_for", "declared_functions", "is_source", "programs_of_profile", "read_job",
    "recompile",
]  # fmt: skip


def compile(
    source: files.Path | Source,
    *,
    stage: str | None = None,
    entry: str | None = None,
    language: str | None = None,
    profile: str = "",
    defines: Mapping[str, object] | None = None,
    include: Sequence[files.Path] = (),
    compiler: str | None = None,
    options: Sequence[str] = (),
    debug: bool = True,
    optimise: int | None = None,
    limits: Limits = DEFAULT,
) -> "Shader":
    """Compile a source to a shader, which holds the source and debug information.

    Texts that unshade assembles itself (SkSL, picasso source, listings) need no compiler: they are
    assembled as by `unshade.assemble`.

    Args:
        source: The path of a source; or the source itself: a string of several lines or with a
            brace, or a `Source`, whose name errors show.
        stage: The stage of the entry point; by default what the source or the suffix specifies.
        entry: The name of the entry point; by default the source's only one, or all that the source
            declares by attributes such as `[shader("compute")]`.
        language: `hlsl`, `slang`, `glsl`, `wgsl`, `spirv` or `sksl`; by default the suffix decides,
            or the text, if it is a listing.
        profile: The profile or target environment, as the compiler spells it.
        defines: Macros and their values; True defines one without a value.
        include: Folders that includes may be read from, beside the source's own.
        compiler: The name of a compiler; by default the first that is installed, Slang before all,
            or one that makes what the profile names: `ps_5_0` is bytecode of Direct3D.
        options: Further arguments for the compiler.
        debug: Put lines, names and the source into the shader.
        optimise: The level of optimisation, 0 to 3; None is the compiler's default.
        limits: Bounds on the compiler's time and memory.

    Raises:
        AssembleError: The source is invalid: all messages, each with file, line and column; from a
            compiler it is a CompileError.
        LimitError: The compiler takes more time or memory than it may.
        UnsupportedError: No compiler for the language is installed; the message says what to
            install.
        UsageError: Language, stage or entry point are ambiguous; the message lists the
            candidates.
        FileError: The source cannot be read; also the matching OSError.
    """
    found = _read(source, limits)
    format = assembling.format_of(found.name, found.text, language)
    if format is not None:
        given = {
            "profile": profile, "defines": defines, "include": include, "compiler": compiler,
            "options": options, "optimise": optimise is not None,
        }  # fmt: skip
        text = Source(found.text, found.name)
        return assembling.assembled(text, format, _stage(stage), entry, given)
    job = read_job(
        found, language=language, profile=profile, defines=defines, include=include,
        options=options, debug=debug, optimise=optimise, limits=limits,
    )  # fmt: skip
    wanted = _stage(stage) or stage_of_profile(profile) or stage_of(job.name)
    if wanted is None and is_shadertoy(found.text):
        wanted = Stage.PIXEL
    entries = chosen_entries(job.language, job.text, wanted, entry)
    return compiled_shader(job._replace(entries=entries), compiler)


def compiled_shader(job: Job, compiler: str | None) -> "Shader":
    """Compile a job to a shader; see `compile`."""
    found = chosen(job.language, compiler, programs_of_profile(job.profile), job.text)
    made = results.compiled(found, job)
    for path in made.includes or ():
        files.protect(path)
    shader = api.loads(made.data, limits=job.limits)
    shader.compiled = made
    return shader


def declared_functions(job: Job, compiler: str | None) -> list[DeclaredFunction]:
    """Return the functions of a source.

    Raises:
        CompileError: The source is invalid.
        UnsupportedError: The compiler does not describe functions.
    """
    found = chosen(job.language, compiler)
    functions = getattr(found, "functions", None)
    if functions is None:
        raise UnsupportedError(
            f"{found.name} does not describe the functions of a source; Slang does, of HLSL, Slang"
            " and GLSL"
        )
    declared: list[DeclaredFunction] = functions(job)
    return declared


class ReadSource(NamedTuple):
    """A source that was read: its text, its name, and its folder; "" if it is not a file."""

    text: str
    name: str
    folder: str = ""


def read_job(
    source: files.Path | Source | ReadSource,
    *,
    language: str | None = None,
    profile: str = "",
    defines: Mapping[str, object] | None = None,
    include: Sequence[files.Path] = (),
    options: Sequence[str] = (),
    debug: bool = True,
    optimise: int | None = None,
    limits: Limits = DEFAULT,
) -> Job:
    """Read a source; return the job without entry points. The arguments are as for `compile`."""
    text, name, folder = _read(source, limits)
    written_in = language_of(name, text, language)
    if written_in is SourceLanguage.GLSL and is_shadertoy(text):
        text = whole(text)
    folders = [folder] if folder else []
    folders += [os.path.abspath(os.fsdecode(each)) for each in include]
    folders += [HEADERS] if written_in is SourceLanguage.GLSL else []
    return Job(
        text,
        name,
        written_in,
        (),
        tuple(folders),
        {key: "" if value is True else str(value) for key, value in (defines or {}).items()},
        profile,
        tuple(options),
        debug,
        optimise,
        limits,
    )


def _read(source: object, limits: Limits) -> ReadSource:
    """Return the text of a source, with its name and its folder."""
    if isinstance(source, ReadSource):
        return source
    if isinstance(source, Source):
        return ReadSource(source.text, source.name)
    if isinstance(source, str) and is_text(source):
        return ReadSource(source, "")
    if not isinstance(source, str | os.PathLike):
        raise UsageError(f"expected a path, a text or a Source, got {type(source).__name__}")
    with files.opened(source) as file:
        data = files.read_limited(file, limits.file_size)
    text = decoded(data)
    name = os.fsdecode(source)
    if text is None:
        raise UsageError(f"{name}: expected the text of a source, got binary data")
    return ReadSource(Source(text).text, name, os.path.dirname(os.path.abspath(name)))


def is_text(source: str) -> bool:
    """Return True if a string is a source, not the path of one."""
    return "\n" in source or "{" in source


def _stage(name: str | None) -> Stage | None:
    if name is None:
        return None
    wanted = name.lower()
    if wanted in STAGE_ALIASES:
        return STAGE_ALIASES[wanted]
    if wanted in list(Stage):
        return Stage(wanted)
    raise UsageError(f"unknown stage {name!r:.40}: expected one of {', '.join(Stage)}")
