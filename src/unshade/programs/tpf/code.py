"""Decoding and encoding of programs: version, length, instructions.

      0  u32  version token      minor, major, stage
      4  u32  length             dwords of the program, these two included
      8       instructions       each with its own length

Source: the public header d3d12TokenizedProgramFormat.hpp, checked on 864 compiled programs.
"""

import struct
from _thread import allocate_lock  # `threading` takes a millisecond to import
from collections.abc import Iterable, Sequence
from typing import Self

from ...enums import member_of
from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...program import EntryPoint
from ...vocab.d3d import ShaderKind
from .decoding import PackedTokens, SharedList, joined, new_list, own_instruction, shared
from .instruction import Instruction
from .tables.tokens import VersionToken

__all__ = ["Code"]

_FIRST = allocate_lock()


class Code:
    """The contents of a SHDR or SHEX part; `Program` (program.py) adds the operations on it."""

    __slots__ = ("_own", "_shared", "trailing", "version")
    _own: list[Instruction]
    _shared: SharedList | None  # None once somebody may have edited them

    def __init__(
        self, version: VersionToken, instructions: Iterable[Instruction] = (), trailing: bytes = b""
    ) -> None:
        self.version = version
        self._own = list(instructions)
        self._shared = None
        self.trailing = trailing  # data after the declared length

    @classmethod
    def of_shared(
        cls, version: VersionToken, instructions: SharedList, trailing: bytes = b""
    ) -> Self:
        """Return a program that refers to shared instructions until it is edited."""
        self = cls(version, (), trailing)
        self._shared = instructions
        return self

    @property
    def instructions(self) -> list[Instruction]:
        """The instructions, which can be edited."""
        before = self._shared
        if before is not None:
            made = [own_instruction(each) for each in before]
            with _FIRST:  # threads that ask at the same time all get the first one's list
                if self._shared is not None:
                    self._own, self._shared = made, None
        return self._own

    @instructions.setter
    def instructions(self, instructions: list[Instruction]) -> None:
        self._own, self._shared = instructions, None

    @property
    def listed(self) -> Sequence[Instruction]:
        """The instructions, which must not be changed; quicker than `instructions`.

        Those of a large program are decoded again each time that they are read.
        """
        found = self._shared
        return self._own if found is None else found

    def opcodes(self) -> list[int]:
        """Return the number of the operation of each instruction."""
        found = self._shared
        if isinstance(found, PackedTokens):
            return found.opcodes()
        return [each.token & 0x7FF for each in self.listed]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Code)
            and self.version == other.version
            and self.listed == other.listed
            and self.trailing == other.trailing
        )

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    @property
    def kind(self) -> int:
        """The number of the stage; a `ShaderKind` if it is known."""
        kind = self.version.kind
        known = member_of(ShaderKind, kind)
        return kind if known is None else known

    @property
    def profile(self) -> str:
        """The compiler's target: `ps_5_0`."""
        return self.version.profile

    @property
    def stage(self) -> str:
        """The name of the stage."""
        kind = self.kind
        return kind.name.lower() if isinstance(kind, ShaderKind) else f"kind {kind}"

    @property
    def model(self) -> tuple[int, int]:
        """The shader model: (5, 1)."""
        return self.version.major, self.version.minor

    @property
    def entry_points(self) -> list[EntryPoint]:
        """The only entry point; the format does not name it."""
        return [EntryPoint("main", self.stage)]

    @classmethod
    def decode(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Decode the data of a part.

        Raises:
            FormatError: The data is malformed; offsets are relative to its start.
            LimitError: The data exceeds a limit.
        """
        if len(data) < 8:
            raise FormatError(f"expected at least 8 bytes, version and length, got {len(data)}")
        length = int.from_bytes(data[4:8], "little")
        if not 2 <= length <= len(data) // 4:
            raise FormatError(
                f"expected a length of 2 to {len(data) // 4} dwords, got {length}",
                offset=4,
                path="length",
            )
        end = 4 * length
        version = VersionToken(int.from_bytes(data[:4], "little"))
        instructions = shared(bytes(data[:end]), 8, limits, new_list(end, limits.depth))
        return cls.of_shared(version, instructions, bytes(data[end:]))

    @classmethod
    def decode_intact(
        cls, data: bytes, limits: Limits = DEFAULT
    ) -> tuple[Self | None, FormatError | LimitError | None]:
        """Return the program up to the first instruction that cannot be decoded, and the error.

        In a truncated program that is the instruction in which it ends.
        """
        try:
            return cls.decode(data, limits), None
        except (FormatError, LimitError) as error:
            if len(data) < 4:
                return None, error
            problem = error
        declared = int.from_bytes(data[4:8], "little")
        length = min(declared, len(data) // 4) if declared > 2 else len(data) // 4
        instructions = new_list(4 * length, limits.depth)
        try:
            shared(bytes(data[: 4 * length]), 8, limits, instructions)
        except (FormatError, LimitError) as error:
            problem = error
        version = VersionToken(int.from_bytes(data[:4], "little"))
        return cls.of_shared(version, instructions), problem

    def encode(self) -> bytes:
        """Return the data of the part; EncodeError names the value that does not fit."""
        try:
            unedited = self._shared
            if unedited is not None:
                body = joined(unedited)
                head = struct.pack("<2I", self.version.word, 2 + len(body) // 4)
                return head + body + self.trailing
            words = [self.version.word, 0]
            for instruction in self.instructions:
                words += Instruction.encode(instruction)
            words[1] = len(words)
            return struct.pack(f"<{len(words)}I", *words) + self.trailing
        except (EncodeError, struct.error, TypeError, AttributeError) as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> EncodeError:
        """Return an error that names the value that cannot be encoded."""
        instructions: object = self.instructions
        trailing: object = self.trailing
        if not isinstance(instructions, list | tuple):
            return EncodeError(f"expected a list, got {instructions!r:.40}", path="instructions")
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
            return EncodeError(f"expected bytes, got {trailing!r:.40}", path="trailing")
        return EncodeError(f"expected a VersionToken: {error}", path="version")
