"""Compilation of the sources that a verb is given, by its options."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..errors import UsageError
from ..tuples import NamedTuple
from .commands import CompileOptions, SourceOptions
from .declarations import flags

if TYPE_CHECKING:
    from ..shader import Shader

_Reader: TypeAlias = Literal["compiler", "assembler"]  # of a text
_COMPILER: _Reader = "compiler"
_ASSEMBLER: _Reader = "assembler"


class _Settings(NamedTuple):
    options: SourceOptions | CompileOptions
    stage: str | None = None
    entry: str | None = None

    @property
    def everywhere(self) -> bool:
        """True if files that are opened are compiled, too."""
        return isinstance(self.options, CompileOptions) and self.options.asked


_settings: ContextVar[_Settings | None] = ContextVar("sources", default=None)


def use(options: SourceOptions) -> None:
    """Set the options for the sources that this verb compiles."""
    _check(options)
    _settings.set(_Settings(options, options.stage))


def use_if_asked(
    options: CompileOptions, stage: str | None = None, entry: str | None = None
) -> None:  # fmt: skip
    """Let a verb that reads compiled shaders compile sources, if `--compile` is given."""
    _settings.set(_Settings(options, stage, entry))
    if options.asked:
        _check(options)
        return
    for name, flag in flags(CompileOptions).items():
        if getattr(options, name):
            raise UsageError(f"{flag} needs --compile")


def hint(path: str, data: bytes) -> str:
    """Return words about --compile for a source that a verb would compile with it."""
    from ..isa.source import decoded
    from .guess import source_of

    settings = _settings.get()
    if settings is None or not isinstance(settings.options, CompileOptions):
        return ""
    if not settings.options.asked:
        return "; compile it with --compile" if _reader_of(path, data) else ""
    text = decoded(data) if settings.options.language is None else None
    return "" if text is None or source_of(text) is None else "; name its language with --language"


def _check(options: SourceOptions | CompileOptions) -> None:
    for each in options.defines:
        name = each.partition("=")[0]
        if not name.isidentifier():
            raise UsageError(f"--define: expected NAME or NAME=VALUE, got {each!r:.60}")


def _reader_of(path: str, data: bytes) -> _Reader | None:
    """Return whatever reads a file, by --language or else by its suffix and text."""
    from ..compilers import is_source
    from ..compilers.assembling import format_of, is_text
    from ..isa.source import decoded

    text = decoded(data)
    if text is None:
        return None
    settings = _settings.get()
    language = None if settings is None else settings.options.language
    if language is not None:
        return _COMPILER if format_of(path, text, language) is None else _ASSEMBLER
    if is_source(path, text):
        return _COMPILER
    return _ASSEMBLER if is_text(path, data, text) else None


def is_asked() -> bool:
    """Return True if files that are opened are compiled, too."""
    found = _settings.get()
    return found is not None and found.everywhere


def is_for_compiler(path: str, data: bytes) -> bool:
    """Return True for a source that unshade does not assemble itself, by suffix or --language."""
    return _reader_of(path, data) == _COMPILER


def compiled_source(
    path: str, data: bytes, stage: str | None = None, entry: str | None = None
) -> "Shader | None":
    """Compile a file if it is a source or --language is given, else return None."""
    from ..compilers import compile

    settings = _settings.get()
    if _reader_of(path, data) is None:
        return None
    given: dict[str, Any] = {}
    if settings is not None:
        options = settings.options
        pairs = (each.partition("=") for each in options.defines)
        given = {
            "language": options.language,
            "defines": {name: value if sign else True for name, sign, value in pairs},
            "include": options.includes,
            "compiler": options.compiler,
            "profile": options.profile or "",
        }
        stage, entry = settings.stage or stage, entry or settings.entry
    return compile(path, stage=stage, entry=entry, **given)
