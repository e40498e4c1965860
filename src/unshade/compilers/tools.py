"""Compilers that are programs: found on the search path, or named by UNSHADE_DXC and so on.

A row specifies how each program is called. The source is a file in a separate folder; includes are
checked first (`_checked`), since these programs read any file that a source names.
"""

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from ..errors import UnsupportedError, UsageError
from ..isa.source import decoded
from ..tuples import NamedTuple
from ..vocab import made
from ..vocab.languages import SourceLanguage
from ..vocab.words import Stage
from . import messages
from .entries import HASH, blanked
from .includes import Includes
from .jobs import Compiled, Job
from .languages import PROFILES
from .processes import found_program, run_program

PREFIXES = {stage: prefix for prefix, stage in PROFILES.items()}
# Kinds of resources, in options, whose bindings a class of registers has.
SHIFTED = {"b": ("cbuffer",), "t": ("texture",), "u": ("uav", "ssbo"), "s": ("sampler",)}
SUFFIXES = {
    Stage.VERTEX: "vert", Stage.PIXEL: "frag", Stage.GEOMETRY: "geom", Stage.HULL: "tesc",
    Stage.DOMAIN: "tese", Stage.COMPUTE: "comp", Stage.MESH: "mesh", Stage.AMPLIFICATION: "task",
    Stage.RAYGENERATION: "rgen", Stage.INTERSECTION: "rint", Stage.ANYHIT: "rahit",
    Stage.CLOSESTHIT: "rchit", Stage.MISS: "rmiss", Stage.CALLABLE: "rcall",
}  # fmt: skip
FILES = {
    SourceLanguage.HLSL: "hlsl", SourceLanguage.SLANG: "slang", SourceLanguage.GLSL: "glsl",
    SourceLanguage.WGSL: "wgsl", SourceLanguage.SPIRV: "spvasm",
}  # fmt: skip
DIRECTIVE = re.compile(
    HASH + r"[ \t]*(include|include_next|import|embed)\b[ \t]*([^\n]*)", re.MULTILINE
)
INCLUDED = re.compile(r'"([^"\n]+)"|<([^>\n]+)>')
CLIMBING = re.compile(r"^[\\/]|^\w:|(?:^|[\\/])\.\.(?:[\\/]|$)")  # absolute, or through ..
SPLICE = re.compile(r"(?:\\|\?\?/)[ \t]*\r?\n")


class ProgramCompiler(NamedTuple):
    """A compiler that is a program.

    `arguments` returns the arguments of a job for the names of source and output; `form` matches an
    error in its messages. `makes` names the languages of the programs that it makes. `least` is the
    first version that reads its languages. If the messages match `loose`, it runs again with the
    arguments `looser` before the others.
    """

    name: str
    programs: tuple[str, ...]
    languages: tuple[SourceLanguage, ...]
    makes: tuple[str, ...]
    arguments: Callable[[Job, str, str], list[str]]
    form: re.Pattern[str]
    install: str
    version_of: tuple[str, ...] = ("--version",)
    version_form: str = r"(\d+\.\d+[\w.\-+]*)"
    least: tuple[int, ...] = ()
    loose: re.Pattern[str] | None = None
    looser: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The environment variable that names the program."""
        words = self.name.upper().replace("-", "_")
        return f"UNSHADE_{words.removesuffix('VALIDATOR').removesuffix('_COMPILER')}"

    def missing(self) -> str:
        """Return "" if the program is installed and new enough, else a sentence about it."""
        if found_program(self.programs, self.variable) is not None:
            return self.outdated()
        if os.environ.get(self.variable):
            return f"{self.variable} does not name a program by an absolute path"
        return f"no {' or '.join(self.programs)} on the search path, and {self.variable} is not set"

    def outdated(self) -> str:
        """Return a sentence if the program is installed and too old, else ""."""
        if not self.least or found_program(self.programs, self.variable) is None:
            return ""
        return self._too_old(self.version())

    def version(self) -> str:
        """Return the version that the program prints."""
        path = self._program()
        state = os.stat(path)
        of_file = state.st_ino, state.st_mtime_ns, state.st_size
        return printed_version(path, self.version_of, self.version_form, of_file)

    def _too_old(self, version: str) -> str:
        """Return a sentence if a version does not read the languages yet, else ""."""
        numbers = tuple(int(each) for each in re.findall(r"\d+", version)[:2])
        if not self.least or not numbers or numbers >= self.least:
            return ""
        read = " and ".join(each.spelling for each in self.languages)
        least = ".".join(map(str, self.least))
        return f"{self.name} {version} does not read {read}: version {least} does"

    def _program(self) -> str:
        path = found_program(self.programs, self.variable)
        if path is None:
            raise UnsupportedError(
                f"{self.name} is not installed: {self.missing()}; {self.install}"
            )
        return path

    def compile(self, job: Job) -> Compiled:
        """Compile a source; see Compiler.compile."""
        program, version = self._program(), self.version()
        if old := self._too_old(version):
            raise UnsupportedError(old)
        wgsl = job.language is SourceLanguage.WGSL
        whole, includes = (job.text, ()) if wgsl else _checked(job)
        source = f"source.{FILES[job.language]}"
        arguments = [*self.arguments(job, source, "output"), *job.options]
        text = whole.encode("utf-8", "surrogateescape")
        ran = run_program(program, arguments, job.limits, {source: text})
        if ran.code > 0 and self.loose is not None and self.loose.search(ran.messages):
            arguments = [*self.looser, *arguments]
            ran = run_program(program, arguments, job.limits, {source: text})
        said = ran.messages.replace(f"./{source}", source).replace(source, job.title)
        if ran.code < 0:
            raise UnsupportedError(
                f"{self.name} was ended by signal {-ran.code} while it compiled {job.title}"
            )
        if ran.code or ran.output is None:
            raise messages.compile_error(self.name, self.form, said, job)
        return Compiled(ran.output, self.name, version, tuple(arguments), includes, (), said)


@lru_cache(maxsize=64)
def printed_version(path: str, arguments: tuple[str, ...], form: str, of_file: object) -> str:
    """Return the version that a program prints, which starts once while its file is the same."""
    from ..limits import DEFAULT

    found = re.search(form, run_program(path, arguments, DEFAULT).messages)
    return found[1] if found else ""


def _checked(job: Job) -> tuple[str, tuple[str, ...]]:
    """Return the text for the compiler, and the paths of the files that it includes.

    Includes in inactive code count. The compiler looks for a file beside the file that includes it
    first, and the source lies in another folder there: paths of the source that climb get the place
    at which they were found, and those of included files have to lead to a file beside these. Names
    in angle brackets, which glslang does not look for in the folders, get quotes in GLSL.

    Raises:
        UsageError: An included file is outside of the folders, or a macro names it.
    """
    includes = Includes(job.folders)
    ahead = [(job.text, job.folders)]
    seen: set[str] = set()
    placed: dict[str, str] = {}
    while ahead:
        text, folders = ahead.pop()
        for directive in DIRECTIVE.finditer(blanked(SPLICE.sub("", text))):
            named = INCLUDED.match(directive[2])
            if named is None:
                raise UsageError(
                    f"{job.title}: #{directive[1]} {directive[2]:.60}: expected the"
                    " name of a file, since this compiler reads any file that a macro names"
                )
            path = named[1] or named[2]
            climbs = CLIMBING.search(path) is not None
            nested = folders is not job.folders
            place = _place(includes, path, folders[:1] if climbs and nested else folders)
            if place is None and climbs:
                raise UsageError(
                    f"{job.title}: #{directive[1]} of {path!r:.200} is outside"
                    " of the folders for includes; name its folder to allow it"
                )
            if place is None:
                continue  # what is not there, the compiler does not find either
            if climbs and not nested:
                placed[path] = place
            elif named[2] and not nested and job.language is SourceLanguage.GLSL:
                placed[path] = path
            if place not in seen:
                seen.add(place)
                found = decoded(includes.contents(place) or b"") or ""
                ahead.append((found, (os.path.dirname(place), *job.folders)))
    whole = INCLUDED.sub(
        lambda name: f'"{placed[path]}"' if (path := name[1] or name[2]) in placed else name[0],
        job.text,
    )
    return whole, tuple(includes.read)


def _place(includes: Includes, path: str, folders: Sequence[str]) -> str | None:
    """Return the real path of an included file; None if it is in none of the folders."""
    for each in folders:
        place = os.path.realpath(os.path.join(each, path))
        if includes.contents(place) is not None:
            return place
        if os.path.exists(place):
            raise UsageError(
                f"an include of {path!r:.200} is outside of the folders for includes; name its"
                " folder to allow it"
            )
    return None


# ---------------------------------------------------------------- how each is called


def _one(job: Job, compiler: str) -> tuple[str, Stage]:
    """Return the only entry point of a job."""
    if len(job.entries) != 1:
        listed = ", ".join(name for name, _ in job.entries)
        raise UsageError(f"{compiler} compiles one entry point; name one of {listed}")
    return job.entries[0]


def _profile(job: Job, compiler: str, version: str) -> list[str]:
    """Return the arguments for profile and entry point in the form of fxc and dxc."""
    if len(job.entries) > 1 and compiler == "dxc":
        return ["-T", job.profile or "lib_6_3"]
    entry, stage = _one(job, compiler)
    if job.profile:
        return ["-T", job.profile, "-E", entry]
    if stage not in PREFIXES:
        return ["-T", "lib_6_3"]
    least = "6_5" if stage in (Stage.MESH, Stage.AMPLIFICATION) else version
    return ["-T", f"{PREFIXES[stage]}_{least}", "-E", entry]


def _defines(job: Job, joined: bool = False) -> list[str]:
    pairs = [f"{name}={value}" if value else name for name, value in job.defines.items()]
    return _repeated("-D", pairs, joined)


def _folders(job: Job, joined: bool = False) -> list[str]:
    return _repeated("-I", [os.path.realpath(each) for each in job.folders], joined)


def _repeated(option: str, values: list[str], joined: bool) -> list[str]:
    if joined:
        return [option + each for each in values]
    return [word for each in values for word in (option, each)]


def _dxc(job: Job, source: str, output: str) -> list[str]:
    found = [*_profile(job, "dxc", "6_0"), *_defines(job), *_folders(job), "-Fo", output]
    if job.debug:
        found += ["-Zi", "-Qembed_debug"]
    return [*found, *([] if job.optimise is None else [f"-O{job.optimise}"]), source]


def _fxc(job: Job, source: str, output: str) -> list[str]:
    found = ["-nologo", *_profile(job, "fxc", "5_0"), *_defines(job), *_folders(job), "-Fo", output]
    if job.debug:
        found += ["-Zi"]
    return [*found, *([] if job.optimise is None else [f"-O{job.optimise}"]), source]


def _glslang(job: Job, source: str, output: str) -> list[str]:
    entry, stage = _one(job, "glslangValidator")
    found = ["-V", "--target-env", job.profile or "vulkan1.2", "-S", SUFFIXES[stage], "-o", output]
    if job.language is SourceLanguage.HLSL:
        found += ["-D", "-e", entry]
        for letter, first in job.first_bindings.items():
            for kind in SHIFTED[letter]:
                found += [f"--shift-{kind}-binding", str(first)]
    found += [*_defines(job, True), *_folders(job, True)]
    return [*found, *(["-gVS"] if job.debug else []), source]


def _glslc(job: Job, source: str, output: str) -> list[str]:
    entry, stage = _one(job, "glslc")
    found = [f"-fshader-stage={SUFFIXES[stage]}", f"--target-env={job.profile or 'vulkan1.2'}"]
    if job.language is SourceLanguage.HLSL:
        found += ["-x", "hlsl", f"-fentry-point={entry}"]
        for letter, first in job.first_bindings.items():
            for kind in SHIFTED[letter]:
                found += [f"-f{kind}-binding-base", str(first)]
    found += [*_defines(job, True), *_folders(job), "-o", output]
    if job.optimise is not None:
        found += ["-O" if job.optimise else "-O0"]
    return [*found, *(["-g"] if job.debug else []), source]


def _vkd3d(job: Job, source: str, output: str) -> list[str]:
    entry, stage = _one(job, "vkd3d-compiler")
    profile = job.profile or f"{PREFIXES.get(stage, 'cs')}_5_0"
    old = profile[3:4] in ("1", "2", "3")
    found = ["-x", "hlsl", "-b", "d3d-bytecode" if old else "dxbc-tpf", f"--profile={profile}"]
    return [*found, "-e", entry, "-o", output, source]


def _naga(job: Job, source: str, output: str) -> list[str]:
    return ["--input-kind", "wgsl", "--output-kind", "spv", source, output]


def _tint(job: Job, source: str, output: str) -> list[str]:
    found = ["--format", str(SourceLanguage.SPIRV), "-o", output]
    if len(job.entries) == 1:
        found += ["--ep", job.entries[0][0]]
    return [*found, source]


def _spirv_as(job: Job, source: str, output: str) -> list[str]:
    return [*(["--target-env", job.profile] if job.profile else []), "-o", output, source]


HLSL = (SourceLanguage.HLSL,)
GLSL = (SourceLanguage.GLSL, SourceLanguage.HLSL)
WGSL = (SourceLanguage.WGSL,)
SPIRV = (SourceLanguage.SPIRV,)
MODULES = (made.VULKAN_MODULE,)
DXC = ProgramCompiler(
    "dxc", ("dxc",), HLSL, (made.DXIL,), _dxc, messages.CLANG,
    "dxc is part of the DirectX Shader Compiler and of the Vulkan SDK",
)  # fmt: skip
FXC = ProgramCompiler(
    "fxc",
    ("fxc",),
    HLSL,
    (made.TPF,),
    _fxc,
    messages.FXC,
    "fxc is part of the Windows SDK",
    ("/?",),
)
GLSLANG = ProgramCompiler(
    "glslangValidator", ("glslangValidator", "glslang"), GLSL, MODULES, _glslang,
    messages.GLSLANG, "its package of Debian and Ubuntu is glslang-tools",
    version_form=r"Glslang Version: \d+:(\S+)",
    loose=messages.OPENGL, looser=("-R", "--amb", "--aml"),
)  # fmt: skip
GLSLC = ProgramCompiler(
    "glslc", ("glslc",), GLSL, MODULES, _glslc, messages.SHADERC,
    "its package of Debian and Ubuntu is glslc",
    version_form=r"shaderc (\S+)",
)  # fmt: skip
VKD3D = ProgramCompiler(
    "vkd3d-compiler", ("vkd3d-compiler",), HLSL, (made.TPF,), _vkd3d, messages.VKD3D,
    "its package of Debian and Ubuntu is vkd3d-compiler; HLSL needs version 1.3", least=(1, 3),
)  # fmt: skip
NAGA = ProgramCompiler(
    "naga", ("naga",), WGSL, MODULES, _naga, messages.NAGA,
    "naga is installed by cargo install naga-cli",
)  # fmt: skip
TINT = ProgramCompiler(
    "tint", ("tint",), WGSL, MODULES, _tint, messages.TINT, "tint is part of Dawn",
)  # fmt: skip
SPIRV_AS = ProgramCompiler(
    "spirv-as", ("spirv-as",), SPIRV, MODULES, _spirv_as, messages.SPIRV_AS,
    "its package of Debian and Ubuntu is spirv-tools",
    version_form=r"SPIRV-Tools (\S+)",
)  # fmt: skip
PROGRAMS = (DXC, FXC, VKD3D, GLSLANG, GLSLC, NAGA, TINT, SPIRV_AS)
