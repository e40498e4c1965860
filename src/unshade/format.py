"""The description of a format: its magic, its home in the code, its options.

    formats/shbin/about.py   SHBIN = Format("shbin", b"DVLB", …, suffix=".shbin")

Each format's folder has one such module, `about.py`. It uses the standard library alone and imports
nothing of its folder, so that identifying a file is cheap. The command line and completion
read the description and name no format themselves.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from .errors import UnsupportedError
from .tuples import NamedTuple

if TYPE_CHECKING:
    from .shader import Shader

__all__ = ["Format", "ListingLanguage", "Option", "YamlDialect", "load"]


class Option(NamedTuple):
    """A keyword of a format's `disassemble`, `assemble` or `verify` that the command line offers.

    With `choices`, it takes one of the listed values. Without, it is a flag that passes `value`:
    `--NAME`, or `--no-NAME` where the value is False.
    """

    name: str
    help: str
    choices: tuple[str, ...] = ()
    value: bool = True

    @property
    def flag(self) -> str:
        """The option as typed on the command line."""
        return f"--{'' if self.value else 'no-'}{self.name.replace('_', '-')}"


class YamlDialect(NamedTuple):
    """The YAML that another tool has for files of a format, recognised by the tag of its document.

    `home` names a module with the functions `to_text(shader)`, and `from_scalars(data)` for the
    plain data of a text in which all scalars are texts.
    """

    name: str
    tag: str
    home: str
    tool: str


class ListingLanguage(NamedTuple):
    """A language of listings, for syntax highlighting.

    `begins` matches its first line: the heading or the first comment, or the first line of code.
    """

    name: str  # as editors and documentation call it: fxc
    title: str
    lexer: str  # the `isa.lexer.Lexer`, as "module:NAME"
    begins: str
    aliases: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # patterns of file names
    explanation: str = ""  # a module with `explain` and `words`, of the table of operations


class Format(NamedTuple):
    """A format: how to recognise its files, where its code is, and how to present it."""

    name: str
    magic: bytes  # at the start of every file; b"" if `matches` alone recognises them
    home: str  # the Shader class, as "module:Class"

    # Recognising files.
    matches: Callable[[bytes], bool] | None = None
    others: tuple[bytes, ...] = ()  # alternative magics
    suffix: str = ""  # of file names
    sized: bool = True  # a file contains its size, so that readers skip what follows
    # To search for files of a format without a magic: bytes that occur inside, and where a file
    # may begin that has them at an offset of the data.
    marks: tuple[bytes, ...] = ()
    starts: Callable[[Any, int], Iterable[int]] | None = None
    beside: tuple[str, ...] = ()  # suffixes of files beside it that hold a part of its contents

    # Source texts. `says` matches the start of a line in a text of this format, and of no other.
    says: str = ""
    example: str = ""  # a text that `says` matches
    holds: tuple[str, ...] = ()  # languages of programs that assemble to such a file
    texts: tuple[str, ...] = ()  # suffixes of text file names
    piece: str = ""  # pattern of the suffix of a text that is one of several of a shader
    joins: bool = False  # several texts make one shader
    donors: bool = True  # a donor supplies what a text does not say
    tool: str = ""  # the program that writes or reads such texts
    # Other programs for such files or texts, each with the verb that does the same.
    commands: tuple[tuple[str, str], ...] = ()
    text: str = "a text"  # a noun phrase for such a text
    phrases: tuple[tuple[str, str], ...] = ()  # phrases in other texts about it: (phrase, noun)
    languages: tuple[ListingLanguage, ...] = ()  # of its texts
    # A pattern of a line of such a text that is like one of HLSL, but not HLSL, and the noun.
    declares: tuple[str, str] | None = None

    # YAML of other tools, beside that of `to_data`.
    yaml: tuple[YamlDialect, ...] = ()

    # Counts of `model.Statistics` known for its programs; None for all.
    counts: tuple[str, ...] | None = None

    # The API in whose pipelines its programs are stages: direct3d, vulkan, pica200, skia; "" if
    # stages of this format are not linked.
    pipelines: str = ""
    stores_pipelines: bool = False  # its files describe pipelines (`Shader.pipelines`)
    # The function "module:name" that returns a file with a serialized root signature alone, for the
    # bytes of that; it raises FormatError for other bytes.
    root_signature: str = ""

    # Options and operations that the command line offers.
    listing: tuple[Option, ...] = ()  # of `disassemble`
    assembler: tuple[Option, ...] = ()  # of `assemble`
    verifier: tuple[Option, ...] = ()  # of `verify`
    options_of: str = ""  # the format whose counts and options of listing and `verify` it has, too
    links_to: str = ""  # the format that `link` produces
    packs: tuple[str, ...] = ()  # languages of the programs that `pack` makes a file of
    strips: tuple[tuple[str, str], ...] = ()  # (category of `strip`, its contents)

    # What fields give away: (pattern of a path in `spans`, category of `audit`). Texts of a field
    # whose category is "" are sorted by their form; so are all texts of fields that none matches,
    # but only if the file contains them in whole bytes.
    reveals: tuple[tuple[str, str], ...] = ()

    @property
    def magics(self) -> tuple[bytes, ...]:
        """All magics; empty if `matches` alone recognises the format."""
        return (self.magic, *self.others) if self.magic else ()

    def recognises(self, data: bytes) -> bool:
        """Return True if the data starts like a file of this format."""
        starts = data.startswith(self.magics) if self.magic else True
        return starts and (self.matches is None or self.matches(data))

    def shader(self) -> "type[Shader]":
        """Import and return the Shader class; raise UnsupportedError if that fails."""
        try:
            return cast("type[Shader]", load(self.home))
        except (ImportError, AttributeError) as error:
            raise UnsupportedError(f"the format {self.name} cannot be loaded: {error}") from error


def load(reference: str, package: str | None = None) -> Any:
    """Return the object that an entry-point reference "module:name" names."""

    module, _, name = reference.partition(":")
    return getattr(import_module(module, package), name)
