"""One compilation: the request to a compiler, and its result.

    Job(text, name, language, stage, entry, …)  →  compiler.compile(job)  →  Compiled(data, …)

A compiler is an object with a name, the languages that it reads, and `compile`. Those of this
package are listed in `registry.py`; other distributions add theirs by the entry-point group
`unshade.compilers`.
"""

from collections.abc import Mapping
from typing import Protocol

from ..limits import DEFAULT, Limits
from ..tuples import NamedTuple
from ..vocab.languages import SourceLanguage
from ..vocab.slots import FIRST_BINDINGS
from ..vocab.words import Stage
from .entries import blanked


class Job(NamedTuple):
    """A source text, and the result that is wanted.

    Attributes:
        text: The source.
        name: The path of the source, or a name for messages.
        language: Its language.
        entries: The entry points to compile, each with its stage; at least one.
        folders: Folders that includes are read from, in order; the source's own is the first.
        defines: Macros and their values.
        profile: The profile or target as the compiler spells it; "" is the compiler's default.
        options: Further arguments, as the compiler spells them.
        debug: Put names, lines and the source into the result.
        optimise: The level of optimisation, 0 to 3; None is the compiler's default.
        limits: Bounds on the compiler's time and memory.
    """

    text: str
    name: str
    language: SourceLanguage
    entries: tuple[tuple[str, Stage], ...]
    folders: tuple[str, ...] = ()
    defines: Mapping[str, str] = {}
    profile: str = ""
    options: tuple[str, ...] = ()
    debug: bool = True
    optimise: int | None = None
    limits: Limits = DEFAULT

    @property
    def first_bindings(self) -> Mapping[str, int]:
        """The first binding of each class of registers; none if the source has bindings itself."""
        own = self.language is not SourceLanguage.GLSL and "vk::binding" in blanked(self.text)
        return {} if own else FIRST_BINDINGS

    @property
    def title(self) -> str:
        """The name of the source, never empty: Slang crashes on an empty one."""
        return self.name or f"source.{self.language}"


class Compiled(NamedTuple):
    """The result of a compiler, and how it was made.

    Attributes:
        data: The bytes of the shader.
        compiler: The name of the compiler.
        version: Its version, as it prints it.
        arguments: The arguments that it got, without paths of this call's own.
        includes: The files that were read beside the source, in order; None if unknown.
        absent: The files that were searched for and are not there.
        warnings: The text that the compiler printed although it succeeded.
    """

    data: bytes
    compiler: str
    version: str
    arguments: tuple[str, ...]
    includes: tuple[str, ...] | None = ()
    absent: tuple[str, ...] = ()
    warnings: str = ""

    def __repr__(self) -> str:
        return f"<Compiled by {self.compiler} {self.version}: {len(self.data):,} bytes>"


class Compiler(Protocol):
    """A compiler, whether it is installed or not.

    It may have an attribute `makes`: the languages of the programs that it makes, such as spirv.
    `unshade.recompile` tries only compilers that name the language, unless one is chosen.
    And `lacks`: the extensions of GLSL that it does not read; a source that names one is left to
    the next compiler. And a method `outdated`, which returns a sentence if the compiler is
    installed and too old, else "".
    """

    @property
    def name(self) -> str:
        """The name of the compiler, as `compiler=` takes it."""

    @property
    def languages(self) -> tuple[SourceLanguage, ...]:
        """The languages that it reads."""

    @property
    def install(self) -> str:
        """A sentence that tells how to install it."""

    def missing(self) -> str:
        """Return "" if the compiler is installed, else a sentence on where it was searched."""

    def version(self) -> str:
        """Return the version of the installed compiler."""

    def compile(self, job: Job) -> Compiled:
        """Compile a source.

        Raises:
            CompileError: The source is invalid: all messages, each with file, line and column.
            LimitError: The compiler takes more time or memory, or writes more, than it may.
            UnsupportedError: The compiler is not installed, or does not compile such sources.
        """


def absence(compiler: Compiler) -> str:
    """Return why a compiler cannot be called, and how it is installed: `dxc: no dxc on the …`."""
    return f"{compiler.name}: {compiler.missing()}; {compiler.install}"
