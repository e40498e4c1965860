"""The code and descriptor tables as a program: the interface to `programs.pica`.

    record     code [0x4e000000, …]    descriptors [0x36c6, …]      numbers
    program    mov o0.xyzw, v0.xyzw    …                            instructions, entries, marks

A number of the descriptor table combines both words of a descriptor, the first in the low half.
Only the folder picasso uses other modules of `programs.pica`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from ...limits import Limits
from ...programs.pica import Entry, OperandDescriptor, Program
from ...programs.pica.data import (
    descriptors_from_data,
    descriptors_to_data,
    instructions_from_data,
    instructions_to_data,
)
from ...programs.pica.merging import CodePiece, merge
from ...rule import Rule
from ...wire.data import Plain

__all__ = [
    "CodePiece",
    "Entry",
    "Program",
    "code_from_data",
    "code_to_data",
    "descriptor_numbers",
    "descriptor_text",
    "entry_of",
    "merge",
    "program_of",
    "rules",
]

LOW = 0xFFFF_FFFF


def program_of(
    code: Sequence[int], descriptors: Sequence[int], entries: Iterable[Entry], limits: Limits
) -> Program:
    """Return the program of a record's tables."""
    return Program.of_words(code, map(_words, descriptors), entries, limits)


def entry_of(
    name: str, *, geometry: bool, main: int, end: int, outputs: Mapping[int, str]
) -> Entry:
    """Return the entry of an executable that starts at the word `main`."""
    stage: Literal["vertex", "geometry"] = "geometry" if geometry else "vertex"
    return Entry(name, stage, main, end, outputs)


def descriptor_numbers(program: Program) -> list[int]:
    """Return the descriptor table as stored in the record."""
    return [each.high << 32 | each.word for each in program.descriptors]


def descriptor_text(number: int) -> str:
    """Return a descriptor as spelled in listings."""
    from ...programs.pica.exact import descriptor_text as text_of

    return text_of(OperandDescriptor(*_words(number)))


def code_to_data(program: Program) -> dict[str, Plain]:
    """Return both tables as plain data."""
    return {
        "code": instructions_to_data(program.instructions),
        "descriptors": descriptors_to_data(program.descriptors),
    }


def code_from_data(holder: Mapping[str, Plain], where: str) -> dict[str, list[int]]:
    """Return both tables of a record; FormatError if a row is invalid."""
    code = instructions_from_data(holder.get("code", []), f"{where}code")
    table = descriptors_from_data(holder.get("descriptors", []), f"{where}descriptors")
    return {
        "code": [each.word for each in code],
        "descriptors": [each.high << 32 | each.word for each in table],
    }


def rules() -> dict[str, Mapping[str, Rule]]:
    """Return the rules for programs and for their sources, by title."""
    from ...programs.pica.assembler.rules import RULES as OF_SOURCES

    return {
        "PICA200 programs": Program.rules(),
        "picasso sources, as they are assembled": OF_SOURCES,
    }


def _words(number: int) -> tuple[int, int]:
    return number & LOW, number >> 32
