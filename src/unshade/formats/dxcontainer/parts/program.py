"""SHDR and SHEX: the code of shader models 4 to 5.1. `programs.tpf` describes the layout."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from ....errors import FormatError, LimitError
from ....lazy import attributes
from ....limits import Limits
from ....program import Program as AnyProgram
from ....rule import Rule
from ....wire import Span
from .description import Category, PartDescription
from .kind import ProgramKind

if TYPE_CHECKING:
    from ....programs.tpf import Program

__all__ = [
    "NAMES",
    "PARTS",
    "Program",
    "decode_intact",
    "is_tokenized",
    "rules",
    "version_token",
]

NAMES = ("SHDR", "SHEX")

if not TYPE_CHECKING:  # a type checker has the import above
    __getattr__ = attributes(__name__, {"Program": "unshade.programs.tpf"})


def program_class() -> "type[Program]":
    """Return the class of programs, which files of DXIL do without."""
    from ....programs.tpf import Program

    return Program


def is_tokenized(value: object) -> "TypeGuard[Program]":
    """Return True if the value of a part is a program of this kind."""
    return isinstance(value, AnyProgram) and value.language == "tpf"


def version_token(value: object) -> bytes | None:
    """Return the version token of a program without encoding it, or None for other values."""
    if not is_tokenized(value):
        return None
    return value.version.word.to_bytes(4, "little")


def decode_intact(
    data: bytes, limits: Limits
) -> "tuple[Program | None, FormatError | LimitError | None]":
    """Return the program up to the damage, and the error found there."""
    return program_class().decode_intact(data, limits)


def rules() -> Mapping[str, Rule]:
    """Return the rules of the programs that these parts can contain."""
    return program_class().rules()


def source_rules() -> Mapping[str, Rule]:
    """Return the rules of listings of these programs."""
    from ....programs.tpf.assembler.integers import RULES

    return RULES


class TokenizedKind(ProgramKind):
    """A part that is a program of the tokenized program format."""

    __slots__ = ()

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        program, _ = program_class().decode_intact(data)
        if program is None or len(data) < 8:
            return []
        declared = int.from_bytes(data[4:8], "little")
        spans = program.spans()
        return [each._replace(value=declared) if each.path == "length" else each for each in spans]


PARTS = dict.fromkeys(
    NAMES,
    PartDescription(
        "program",
        Category.CODE,
        TokenizedKind(program_class),
    ),
)
