"""The languages of the texts of containers.

    language           lists a container with      dialects          is the language of
    fxc's listing      SHDR or SHEX                native, exact     all other texts
    LLVM assembly      DXIL or ILDB                native, exact     texts of `is_assembly`
    root signature     RTS0 and no program         native, rootsig   texts of `is_text`

A row names its functions by module, so that only the language of a container or a text is imported.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ...dialect import no_dialect
from ...format import ListingLanguage, load
from ...tuples import NamedTuple
from .about import DXC, FXC, ROOT_SIGNATURE
from .parts.dxil import NAMES as DXIL_PROGRAMS
from .parts.program import NAMES as PROGRAMS

if TYPE_CHECKING:
    from ...isa.lexer import Lexer
    from ...isa.source import Source
    from .shader import DxContainer

__all__ = ["assemble", "disassemble", "lexer", "line_paths"]

if TYPE_CHECKING:
    AnyContainer = TypeVar("AnyContainer", bound="DxContainer")
else:  # a class in quotes would be compiled
    AnyContainer = TypeVar("AnyContainer")
Options = Mapping[str, Any]


class Language(NamedTuple):
    """A language: the containers that are listed in it, and its functions as "module:name"."""

    about: ListingLanguage
    dialects: tuple[str, ...]
    lists: "Callable[[DxContainer, Options], bool]"
    listing: str
    assembler: str
    accepts: str = ""  # tells whether a text is in the language
    line_paths: str = ""  # returns the paths that each line of the native listing shows


def _has_tokens(container: "DxContainer", _: Options) -> bool:
    return container.parts.get(*PROGRAMS) is not None


def _has_dxil(container: "DxContainer", _: Options) -> bool:
    return container.parts.get(*DXIL_PROGRAMS) is not None


def _has_root_signature(container: "DxContainer", options: Options) -> bool:
    from .rootsig.container import readable

    return not options and readable(container) is not None


# A container has the first that lists it, a text the last that accepts it; others have the first.
LANGUAGES = (
    Language(
        FXC,
        ("native", "exact"),
        _has_tokens,
        ".fxc.listing:disassemble",
        ".fxc.assemble:assemble",
        line_paths=".fxc.listing:line_paths",
    ),
    Language(
        DXC,
        ("native", "exact"),
        _has_dxil,
        ".dxc:disassemble",
        ".dxc.assemble:assemble",
        ".dxc.assemble:is_assembly",
        ".dxc.listing:line_paths",
    ),
    Language(
        ROOT_SIGNATURE,
        ("native", "rootsig"),
        _has_root_signature,
        ".rootsig.container:disassemble",
        ".rootsig.container:assemble",
        ".rootsig.container:is_text",
    ),
)


def disassemble(
    container: "DxContainer", dialect: str | None, *, strict: bool, **options: Any
) -> str:
    """Return the text of a container in a dialect."""
    exact = dialect == "exact"
    text: str = _function(_language(container, dialect, options).listing)(
        container, exact=exact, strict=strict or exact, **options
    )
    return text


def line_paths(container: "DxContainer") -> list[tuple[str, ...]]:
    """Return the paths of each line of the native listing; none for lines that show no field."""
    listing = next((each for each in LANGUAGES if each.lists(container, {})), None)
    if listing is None or not listing.line_paths:
        return []
    found: list[tuple[str, ...]] = _function(listing.line_paths)(container)
    return found


def lexer(container: "DxContainer", dialect: str | None) -> "Lexer":
    """Return the lexer of the text of a container in a dialect."""
    made: Lexer = load(_language(container, dialect, {}).about.lexer)
    return made


def _language(container: "DxContainer", dialect: str | None, options: Options) -> Language:
    """Return the language of a container's text in a dialect, the default for None."""
    wanted = "native" if dialect is None else dialect
    named = [each for each in LANGUAGES if wanted in each.dialects]
    if not named:
        known = dict.fromkeys(name for each in LANGUAGES for name in each.dialects)
        raise no_dialect(container.format, wanted, *known)
    if len(named) == 1:
        return named[0]
    return next((each for each in named if each.lists(container, options)), named[0])


def assemble(
    cls: type[AnyContainer],
    sources: "Sequence[Source]",
    donor: AnyContainer | None,
    **options: Any,
) -> AnyContainer:
    """Return the container that texts describe, or the donor with the changes in them."""
    sources = [source.uncoloured() for source in sources]
    accepting = (each for each in reversed(LANGUAGES) if each.accepts and _accepts(each, sources))
    language = next(accepting, LANGUAGES[0])
    made: AnyContainer = _function(language.assembler)(cls, sources, donor, **options)
    return made


def _accepts(language: Language, sources: "Sequence[Source]") -> bool:
    accepts = _function(language.accepts)
    return any(accepts(source.text) for source in sources)


def _function(reference: str) -> Any:
    return load(reference, __package__)
