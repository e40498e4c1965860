"""A tokenized program: version, length, instructions.

      0  u32  version token      minor, major, stage
      4  u32  length             dwords of the program, these two included
      8       instructions       each states its own length

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Self

from ...errors import Diagnostic, EncodeError, FormatError, LimitError, UsageError
from ...limits import DEFAULT, Limits
from ...program import Instruction as Given
from ...program import Program as Base
from ...vocab.d3d import ShaderKind
from ...wire import Span
from ...wire.data import Plain
from .instruction import Instruction, decode_instructions
from .program_data import program_from_data, program_to_data
from .spans import program_spans
from .tokens import VersionToken

if TYPE_CHECKING:
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.lexer import Lexer
    from ...model import Statistics
    from ...model.facts import ProgramFacts
    from ...rule import Rule
    from .style import Style

__all__ = ["Instruction", "Program"]


class Program(Base[Instruction]):
    """The data of a SHDR or SHEX part."""

    __slots__ = ("instructions", "trailing", "version")
    instructions: list[Instruction]
    takes = frozenset({"interfaces", "instances", "lengths", "samples"})

    def __init__(
        self, version: VersionToken, instructions: Iterable[Instruction] = (), trailing: bytes = b""
    ) -> None:
        self.version = version
        self.instructions = list(instructions)
        self.trailing = trailing  # what stands behind the declared length

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Program)
            and self.version == other.version
            and self.instructions == other.instructions
            and self.trailing == other.trailing
        )

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        return f"<Program {self.profile}, {len(self.instructions)} instructions>"

    @property
    def kind(self) -> int:
        """The stage, a `ShaderKind` where it is one."""
        kind = self.version.kind
        return ShaderKind._value2member_map_.get(kind, kind)  # type: ignore[return-value]

    @property
    def model(self) -> tuple[int, int]:
        """The shader model: (5, 1)."""
        return self.version.major, self.version.minor

    @property
    def profile(self) -> str:
        """The compiler's target: `ps_5_0`."""
        return self.version.profile

    @property
    def entry_points(self) -> list[tuple[str, str]]:
        """(name, stage): a program of this kind has one, and no name of its own for it."""
        kind = self.kind
        return [("main", kind.name.lower() if isinstance(kind, ShaderKind) else f"kind {kind}")]

    def disassemble(self, dialect: str | None = None, *, style: "Style | None" = None) -> str:
        """The text from the profile to the last instruction; `style` is its generation.

        `native` is what fxc prints, `exact` that and just what it loses: see exact.py.
        """
        from .style import Style
        from .text import disassemble

        if dialect in (None, "native"):
            return "\n".join([*disassemble(self, style or Style()), ""])
        if dialect != "exact":
            from ...dialect import no_dialect

            raise no_dialect("tpf", dialect, "native", "exact")
        from .exact import EXACT, exact_lines

        return "\n".join([EXACT.line("//"), *exact_lines(self, style or Style()), ""])

    def lexer(self) -> "Lexer":
        """What tells the words of its texts apart, to show them in colours."""
        from .lexer import LEXER

        return LEXER

    @classmethod
    def assemble(cls, text: str, *, donor: "Program | None" = None, file: str = "") -> "Program":
        """The program that a text describes, in either dialect or written by hand.

        A `donor` supplies what native text does not say: what prints the same is the same.
        AssembleError names every mistake that was found; `file` is what it calls the text.
        """
        from ...isa.source import Mistakes, Source
        from .assembler import assemble

        given: object = text
        if not isinstance(given, str):
            raise UsageError(f"a text is assembled, not an object of type {type(given).__name__}")
        with_mistakes = Mistakes()
        program = assemble(Source(text, file), with_mistakes, donor=donor)
        with_mistakes.check()
        return program

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Return the program as `ir`, to run it; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        name, _ = self.checked_entry(entry)
        return lower(self, name, specialisation or Specialisation())

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return what the program declares, in the words of the model."""
        from .facts import facts_of

        self.checked_entry(entry)
        return facts_of(self)

    def statistics(
        self, entry: str | None = None, *, version: tuple[int, int] | None = None
    ) -> "Statistics":
        """Return the program's counters as fxc of that version makes them, by default fxc 10."""
        from .facts.statistics import FXC, statistics

        self.checked_entry(entry)
        return statistics(self, version or FXC)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by their codes."""
        from .verify import RULES

        return RULES

    def offset(self, path: str) -> int | None:
        """Return where an instruction or operand stands, from the start of the part's data."""
        from .verify.places import Places

        return Places(self).offset(path)

    def verify(self) -> list[Diagnostic]:
        """Findings about the code alone; offsets count from the start of the part's data."""
        from .verify import verify

        return verify(self)

    def replace(self, where: int | slice, *instructions: Given | str) -> list[Instruction]:
        """Put instructions, or their text, in the place of others; return the new ones.

        UsageError if that would break the program's structure, which then stays as it was: see
        editing.py. `instructions` is a list, for who wants no such check.
        """
        from .editing import replace

        return replace(self, where, instructions)

    @classmethod
    def decode(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """The program in a part's data; FormatError counts from its start."""
        if len(data) < 8:
            raise FormatError(f"{len(data)} bytes, a version and a length were expected")
        length = int.from_bytes(data[4:8], "little")
        if not 2 <= length <= len(data) // 4:
            raise FormatError(
                f"{length} dwords declared, 2 to {len(data) // 4} were expected",
                offset=4,
                path="length",
            )
        words = struct.unpack_from(f"<{length}I", data)
        instructions = decode_instructions(words, 2, limits)
        return cls(VersionToken(words[0]), instructions, bytes(data[4 * length :]))

    @classmethod
    def decode_intact(
        cls, data: bytes, limits: Limits = DEFAULT
    ) -> tuple[Self | None, FormatError | LimitError | None]:
        """Return the program up to the first instruction that cannot be read, and the error.

        Of a program that is cut off, that is the instruction that it is cut in.
        """
        try:
            return cls.decode(data, limits), None
        except (FormatError, LimitError) as error:
            if len(data) < 4:
                return None, error
            problem = error
        instructions: list[Instruction] = []
        declared = int.from_bytes(data[4:8], "little")
        length = min(declared, len(data) // 4) if declared > 2 else len(data) // 4
        words = struct.unpack_from(f"<{length}I", data)
        try:
            decode_instructions(words, 2, limits, instructions)
        except (FormatError, LimitError) as error:
            problem = error
        return cls(VersionToken(words[0]), instructions), problem

    def encode(self) -> bytes:
        """The part's data."""
        try:
            words = [self.version.word, 0]
            for instruction in self.instructions:
                words += Instruction.encode(instruction)
            words[1] = len(words)
            return struct.pack(f"<{len(words)}I", *words) + self.trailing
        except (EncodeError, struct.error, TypeError, AttributeError) as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> EncodeError:
        """Names what cannot be written."""
        instructions: object = self.instructions
        trailing: object = self.trailing
        if not isinstance(instructions, list | tuple):
            return EncodeError(f"a list expected, not {instructions!r:.40}", path="instructions")
        for i, instruction in enumerate(self.instructions):
            path = f"instructions[{i}]"
            try:
                words: list[object] = list(Instruction.encode(instruction))
                for word in words:
                    if not isinstance(word, int) or not 0 <= word <= 0xFFFF_FFFF:
                        return EncodeError(f"{word!r:.40} does not fit 32 bits", path=path)
            except EncodeError as inner:
                return inner.within(path)
            except (TypeError, AttributeError) as inner:
                return EncodeError(str(inner), path=path)
        if not isinstance(trailing, bytes):
            return EncodeError(f"bytes expected, not {trailing!r:.40}", path="trailing")
        return EncodeError(f"a VersionToken expected: {error}", path="version")

    def to_data(self) -> Plain:
        """Plain data: see data.py."""
        return program_to_data(self)

    @classmethod
    def from_data(cls, data: Plain, path: str = "") -> Self:
        """The program that plain data describes; FormatError names the entry that does not fit."""
        return cls(*program_from_data(data, path))

    def spans(self) -> list[Span]:
        """Every field with its bits; offsets count from the start of the part's data."""
        return program_spans(self)
