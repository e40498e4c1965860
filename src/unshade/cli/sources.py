"""Compilation of the sources that a verb is given, by its options."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .commands import SourceOptions

if TYPE_CHECKING:
    from ..shader import Shader

_options: ContextVar[SourceOptions | None] = ContextVar("sources", default=None)


def use(options: SourceOptions) -> None:
    """Set the options for the sources that this verb compiles."""
    for each in options.defines:
        name = each.partition("=")[0]
        if not name.isidentifier():
            raise UsageError(f"--define: expected NAME or NAME=VALUE, got {each!r:.60}")
    _options.set(options)


def compiled_source(
    path: str, data: bytes, stage: str | None, entry: str | None
) -> "Shader | None":
    """Compile a file if it has a source's suffix or --language is given, else return None."""
    from ..compilers import compile, is_source
    from ..isa.source import decoded

    options = _options.get()
    named = options is not None and options.language is not None
    text = decoded(data)
    if text is None or not (named or is_source(path, text)):
        return None
    given: dict[str, Any] = {}
    if options is not None:
        pairs = (each.partition("=") for each in options.defines)
        given = {
            "language": options.language,
            "defines": {name: value if sign else True for name, sign, value in pairs},
            "include": options.includes,
            "compiler": options.compiler,
            "profile": options.profile or "",
        }
        stage = options.stage or stage
    return compile(path, stage=stage, entry=entry, **given)
