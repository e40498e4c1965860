"""How a format describes itself.

    formats/shbin/about.py   SHBIN = Format("shbin", b"DVLB", …, suffix=".shbin")

A format's folder has one such module, `about.py`. It needs the standard library alone and imports
nothing of its folder, so that to recognise a file costs little. Whoever shows formats to people
(the command line, completion, the documentation's pages) reads it there and names no format.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .errors import UnsupportedError

if TYPE_CHECKING:
    from .shader import Shader

__all__ = ["Format", "Option", "load"]


class Option(NamedTuple):
    """A keyword of a format's `disassemble` or `assemble` that the command line offers.

    With `choices` it takes one of them. Without, it is a flag that passes `value`: `--NAME`, or
    `--no-NAME` where the value is False.
    """

    name: str
    help: str
    choices: tuple[str, ...] = ()
    value: bool = True

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{'' if self.value else 'no-'}{self.name.replace('_', '-')}"


class Format(NamedTuple):
    """One format: how to recognise it, where its code is, and the words about it for people."""

    name: str
    magic: bytes  # at the start of every file; b"" where `matches` alone recognises them
    home: str  # the Shader class, as "module:Class"

    # Recognising files. `others` are further spellings of the magic.
    matches: Callable[[bytes], bool] | None = None
    others: tuple[bytes, ...] = ()
    suffix: str = ""  # of names of its files

    # Its texts. `says` matches the beginning of some line of a text, and of no other format's.
    says: str = ""
    example: str = ""  # such a beginning
    holds: tuple[str, ...] = ()  # programs whose texts, assembled alone, become such a file
    texts: tuple[str, ...] = ()  # suffixes of names of texts
    piece: str = ""  # pattern of the suffix of a text that is one of several of a shader
    joins: bool = False  # several texts make one shader
    donors: bool = True  # a donor supplies what a text does not say
    tool: str = ""  # the program that writes or reads such texts
    text: str = "a text"  # what a text is called
    phrases: tuple[tuple[str, str], ...] = ()  # in other texts about it, and what these are

    # Counts of `model.Statistics` that are told of its programs; None for every one.
    counts: tuple[str, ...] | None = None

    # What people can ask for.
    listing: tuple[Option, ...] = ()  # of `disassemble`
    assembler: tuple[Option, ...] = ()  # of `assemble`
    links_to: str = ""  # the format that files of this one are linked to
    strips: tuple[tuple[str, str], ...] = ()  # category of `strip`, and what that is here

    # Pages of the documentation by file name, each made by "module:function".
    pages: tuple[tuple[str, str], ...] = ()

    @property
    def magics(self) -> tuple[bytes, ...]:
        """Every spelling of the magic; none where a format is known by `matches` alone."""
        return (self.magic, *self.others) if self.magic else ()

    def recognises(self, data: bytes) -> bool:
        """Return True if the data starts like this format."""
        starts = data.startswith(self.magics) if self.magic else True
        return starts and (self.matches is None or self.matches(data))

    def shader(self) -> "type[Shader]":
        """Return the class, imported now; UnsupportedError where that fails."""
        try:
            return cast("type[Shader]", load(self.home))
        except (ImportError, AttributeError) as error:
            raise UnsupportedError(f"the format {self.name} does not load: {error}") from error


def load(reference: str, package: str | None = None) -> Any:
    """Return the object that "module:name" refers to, as entry points spell it."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module, package), name)
