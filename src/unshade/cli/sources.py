"""Compilation of the sources that a verb is given, by its options."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..tuples import NamedTuple
from .commands import CompileOptions, SourceOptions
from .declarations import flags

if TYPE_CHECKING:
    from ..shader import Shader


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

    settings = _settings.get()
    offered = settings is not None and isinstance(settings.options, CompileOptions)
    text = decoded(data) if offered else None
    return "" if text is None or not _is_read(path, data, text) else "; compile it with --compile"


def _check(options: SourceOptions | CompileOptions) -> None:
    for each in options.defines:
        name = each.partition("=")[0]
        if not name.isidentifier():
            raise UsageError(f"--define: expected NAME or NAME=VALUE, got {each!r:.60}")


def _is_read(path: str, data: bytes, text: str) -> bool:
    """Return True if a file is a source for a compiler, or a text that unshade assembles."""
    from ..compilers import is_source
    from ..compilers.assembling import is_text

    return is_source(path, text) or is_text(path, data, text)


def is_asked() -> bool:
    """Return True if files that are opened are compiled, too."""
    found = _settings.get()
    return found is not None and found.everywhere


def is_for_compiler(path: str, data: bytes) -> bool:
    """Return True for a source that unshade does not assemble itself, by suffix or --language."""
    from ..compilers import is_source
    from ..compilers.assembling import format_of
    from ..isa.source import decoded

    settings = _settings.get()
    language = None if settings is None else settings.options.language
    text = decoded(data)
    if text is None:
        return False
    if language is not None:
        return format_of(path, text, language) is None
    return is_source(path, text)


def compiled_source(
    path: str, data: bytes, stage: str | None = None, entry: str | None = None
) -> "Shader | None":
    """Compile a file if it is a source or --language is given, else return None."""
    from ..compilers import compile
    from ..isa.source import decoded

    settings = _settings.get()
    named = settings is not None and settings.options.language is not None
    text = decoded(data)
    if text is None or not (named or _is_read(path, data, text)):
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
