"""The program of a file: the interface to `programs.sksl`."""

from ...errors import FormatError
from ...limits import Limits
from ...programs.sksl import Program
from ...programs.sksl.spans import salvaged_spans, string_spans
from .records import SkslFile

__all__ = [
    "HEADER",
    "Program",
    "commands_start",
    "decode",
    "key_of",
    "salvaged_spans",
    "string_spans",
    "unit_key",
]

HEADER = 4  # bytes before the pool
SYMBOL_TABLES = (b"\x30", b"\x34")  # the command, in version 4 and in later ones


def decode(record: SkslFile, limits: Limits) -> tuple[Program, int]:
    """Return the program of a file, and the size of its commands."""
    try:
        return Program.decode_prefix(record.commands, record.pool, record.version, limits)
    except FormatError as error:
        if error.path.startswith("strings"):
            raise error.within(HEADER, "") from None
        raise error.within(commands_start(record), key_of(record)) from None


def commands_start(record: SkslFile) -> int:
    """Return the offset of the first command."""
    return HEADER + len(record.pool)


def key_of(record: SkslFile) -> str:
    """Return the first word of paths in a file that may be damaged, from its first command."""
    return "module" if record.commands[:1] in SYMBOL_TABLES else "program"


def unit_key(program: Program) -> str:
    """Return the key of plain data, and the first word of paths, of a program or module."""
    return "program" if program.is_program else "module"
