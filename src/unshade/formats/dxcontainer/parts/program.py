"""SHDR and SHEX: the code of shader models 4 to 5.1. The layout is that of `programs.tpf`."""

from collections.abc import Mapping

from ....errors import FormatError, LimitError
from ....limits import Limits
from ....programs.tpf import Program
from ....rule import Rule
from ....wire import Span
from ....wire.data import Plain

__all__ = ["NAMES", "PART", "Program", "decode_intact", "rules", "version_token"]

NAMES = ("SHDR", "SHEX")


def version_token(value: object) -> bytes | None:
    """Return the version token of a program without encoding it, or None if it is no program."""
    if not isinstance(value, Program):
        return None
    return value.version.word.to_bytes(4, "little")


def decode_intact(
    data: bytes, limits: Limits
) -> tuple[Program | None, FormatError | LimitError | None]:
    """Return the program up to the damage, and the error found there."""
    return Program.decode_intact(data, limits)


def rules() -> Mapping[str, Rule]:
    """Return the rules of the programs that these parts can hold."""
    return Program.rules()


class ProgramKind:
    """A part that is a program of the tokenized program format."""

    def accepts(self, data: bytes) -> bool:
        return True

    @property
    def typed(self) -> type[Program]:
        return Program

    def read(self, name: str, data: bytes, limits: Limits) -> Program:
        return Program.decode(data, limits)

    def write(self, name: str, value: Program, pad: int, like: bytes | None) -> bytes:
        return value.encode()

    def to_data(
        self, name: str, value: Program, pad: int, like: bytes | None, limits: Limits
    ) -> Plain:
        return value.to_data()

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Program, bytes]:
        value = Program.from_data(data, path)
        return value, value.encode()

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        return Program.decode(data).spans()

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        program, _ = Program.decode_intact(data)
        if program is None or len(data) < 8:
            return []
        declared = int.from_bytes(data[4:8], "little")
        spans = program.spans()
        return [each._replace(value=declared) if each.path == "length" else each for each in spans]

    def schema(self) -> None:
        return None


PART = ProgramKind()
